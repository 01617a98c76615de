package intake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/importers/intake"
	"demarc/store/posture"
)

const rules = `version: 1
rules:
  - suite: "*files*"
    name: "/^(\\w+) reads (.*)$/"
    statement: FS-1
    scenario: XS-01
    case: "{2}"
    path: "{suite}/{name}"
    direction: "{1} → owner"
    expected: deny
    control: both
  - name: "owner * file?"
    statement: st:FS-2
    expected: permit
    receiver: document-search
    run: nightly
`

func TestMapping(t *testing.T) {
	t.Parallel()
	m, err := intake.ParseMapping("rules.yaml", strings.NewReader(rules), func(id string) bool { return strings.HasPrefix(id, "FS-") })
	if err != nil {
		t.Fatal(err)
	}
	const text = `<testsuites timestamp="2026-11-01T00:00:00Z"><testsuite name="my files">
<testcase name="Birch reads a file"/>
<testcase name="owner writes a file1"/>
<testcase name="owner writes"/>
<testcase name="Cedar reads b"><properties>
<property name="demarc.case" value="own"/><property name="demarc.expected" value="permit"/><property name="demarc.control_before" value="no"/></properties></testcase>
<testcase name="Dogwood reads c"><properties><property name="demarc.statement" value="FS-9"/></properties></testcase>
</testsuite></testsuites>`
	k, receipt, err := run(t, text, intake.Options{Mapping: m})
	if err != nil {
		t.Fatal(err)
	}
	type mapped struct {
		Statement, Scenario, Case, Path, Direction, Receiver, Run, By string
		Expected                                                      posture.Expected
		Control                                                       bool
	}
	var got []mapped
	for _, r := range k.results {
		if r.Statement == "" {
			r.Run = ""
		}
		got = append(got, mapped{r.Statement, r.Scenario, r.Case, r.Path, r.Direction, r.Receiver, r.Run, r.MappedBy, r.Expected, r.ControlOK})
	}
	const run = ""
	want := []mapped{
		{"FS-1", "XS-01", "a file", "my files/Birch reads a file", "Birch → owner", "", run, "rule 1", posture.Deny, true},
		{"FS-2", "", "", "", "", "document-search", "nightly", "rule 2", posture.Permit, false},
		{},
		{"FS-1", "XS-01", "own", "my files/Cedar reads b", "Cedar → owner", "", run, "rule 1", posture.Permit, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mapped (-want +got):\n%s", diff)
	}
	// A rule about another statement lends a case nothing, least of all what
	// was expected.
	if receipt.Records.Refused != 1 || receipt.Mapped != 3 || receipt.Unmapped != 1 {
		t.Errorf("receipt %+v", receipt)
	}
	if !strings.HasPrefix(k.in.Mapping, "rules.yaml sha256:") {
		t.Errorf("mapping %q", k.in.Mapping)
	}
}

func TestMappingFaults(t *testing.T) {
	t.Parallel()
	head := "version: 1\nrules:\n  - name: a\n"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "m.yaml: must hold one YAML document with content"},
		{"version", "version: 2\nrules: []\n", "m.yaml:1: version must be 1"},
		{"no rules", "version: 1\nrules: []\n", "m.yaml:2: rules must be a list of at least one rule"},
		{"unknown key", head + "    statements: FS-1\n", `m.yaml:4: rule 1 has the unknown key "statements"; known are suite, name, statement, scenario, case, path, direction, expected, receiver, control, run`},
		{"twice", head + "    name: b\n", `m.yaml:4: rule 1 has the key "name" twice; keep one`},
		{"no statement", head, "m.yaml:3: rule 1: names no statement"},
		{"unknown statement", head + "    statement: ZZ-1\n", `m.yaml:4: rule 1: the statement "ZZ-1" is not in the library`},
		{"no pattern", "version: 1\nrules:\n  - statement: FS-1\n", "m.yaml:3: rule 1: needs suite or name, else it would match every result"},
		{"expected", head + "    statement: FS-1\n    expected: maybe\n", `m.yaml:5: rule 1: expected "maybe" is neither permit nor deny`},
		{"control", head + "    statement: FS-1\n    control: some\n", `m.yaml:5: rule 1: control "some" is neither both nor none`},
		{"expression", "version: 1\nrules:\n  - name: /(/\n    statement: FS-1\n", "m.yaml:3: rule 1: name \"/(/\" is no regular expression: error parsing regexp: missing closing ): `(`"},
		{"group", head + "    statement: FS-1\n    case: '{1}'\n", "m.yaml:5: rule 1: case uses {1}, and name has 0 groups"},
		{"mark", head + "    statement: FS-1\n    case: '{class}'\n", "m.yaml:5: rule 1: case uses {class}; known are {name}, {suite} and the groups of name as {1}, {2} …"},
		{"list for a value", head + "    statement: [FS-1]\n", "m.yaml:4: statement must be one plain value"},
		{"anchor", "version: 1\nrules: &a []\n", `m.yaml:2: uses "&", which is not read here; write the value out`},
		{"JSON", `{"version": 1,` + "\n" + `"rules": [{"name": "a", "statement": "ZZ-1"}]}`, `m.yaml:2: rule 1: the statement "ZZ-1" is not in the library`},
		{"JSON twice", `{"version": 1, "version": 1}`, `m.yaml:1: has the key "version" twice; keep one`},
		{"JSON cut", `{"version": 1`, "m.yaml:1: is not valid JSON: it ends too early"},
		{"JSON goes on", `{"version": 1} {}`, "m.yaml:1: goes on after its end; keep one JSON object"},
		{"JSON deep", strings.Repeat("[", 100), "m.yaml:1: nests too deep"},
		{"YAML deep", strings.Repeat("- ", 100), "m.yaml:1: nests too deep"},
		{"not text", "\xff\xfe", "m.yaml: is not UTF-8; save the file as UTF-8"},
		{"large", strings.Repeat("#", 300<<10), "m.yaml: has more than 256 KiB; check that this is the right file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := intake.ParseMapping("m.yaml", strings.NewReader(c.in), func(id string) bool { return id == "FS-1" })
			if posture.KindOf(err) != posture.Invalid || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add(rules)
	f.Add(`{"version":1,"rules":[{"name":"/(a)/","statement":"FS-1","case":"{1}"}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		m, err := intake.ParseMapping("m", strings.NewReader(in), nil)
		if err == nil {
			_, _, _ = intake.Preview(t.Context(), intake.FromBytes("r.xml", []byte(boundary)), intake.Options{Mapping: m}, 1)
		} else if posture.KindOf(err) != posture.Invalid {
			t.Fatal(err)
		}
	})
}

const beside = `runtime: case-assistant
vendor: V
product: P
start: {version: "1.14.2", image: sha256:9f2c}
end:
  version: 1.14.2
receivers:
  document-search:
    version: s4
    policy: sp2
tester: Ines Marchetti
observed_at: 2026-11-23 09:15
`

func TestSidecar(t *testing.T) {
	t.Parallel()
	s, err := intake.ParseSidecar("r.identity.yaml", strings.NewReader(beside), time.FixedZone("+01:00", 3600))
	if err != nil {
		t.Fatal(err)
	}
	o := intake.Options{
		Tester: "someone else", Identity: posture.Identity{posture.Vendor: "W"},
		Receivers: map[string]posture.Identity{"document-search": {posture.Policy: "sp3"}, "mail": {posture.Version: "1"}},
	}
	s.Fill(&o)
	want := intake.Options{
		Runtime: "case-assistant", Tester: "someone else",
		Identity:    posture.Identity{posture.Vendor: "W", posture.Product: "P", posture.Version: "1.14.2", posture.Image: "sha256:9f2c"},
		IdentityEnd: posture.Identity{posture.Version: "1.14.2"},
		Receivers: map[string]posture.Identity{
			"document-search": {posture.Version: "s4", posture.Policy: "sp3"}, "mail": {posture.Version: "1"},
		},
		ObservedAt: time.Date(2026, 11, 23, 8, 15, 0, 0, time.UTC),
	}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func TestSidecarFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"unknown key", "vendr: V\n", `i.yaml:1: the identity file has the unknown key "vendr"; known are runtime, start, end, receivers, tester, run, observed_at, vendor, product, variant, version, image, policy, config, region, tools, model, environment`},
		{"start differs", "version: 1\nstart:\n  version: 2\n", "i.yaml:3: start gives another version than the file above it; keep one"},
		{"region", "region: any\n", `i.yaml:1: region "any" is not allowed on a test: name the region it was taken in`},
		{"time", "observed_at: soon\n", `i.yaml:1: observed_at "soon" is not a date or time; write 2026-11-23T09:15:00Z`},
		{"receivers", "receivers: search\n", "i.yaml:1: receivers must hold one key a receiver"},
		{"receiver's key", "receivers:\n  search:\n    versions: 1\n", `i.yaml:3: search has the unknown key "versions"; known are vendor, product, variant, version, image, policy, config, region, tools, model, environment`},
		{"list", "- a\n", "i.yaml:1: the identity file must hold keys with values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := intake.ParseSidecar("i.yaml", strings.NewReader(c.in), nil)
			if posture.KindOf(err) != posture.Invalid || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
