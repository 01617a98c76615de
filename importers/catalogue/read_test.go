package catalogue_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"demarc/importers/catalogue"
)

// fault is one planted fault: a replacement in one of the two small files, and the message it must give.
type fault struct {
	name         string
	old, planted string
	want         string
}

// plant tries each fault by itself on the given file of the pair.
func plant(t *testing.T, inLinks bool, faults []fault) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			catalogueText, linksText := small(t)
			if inLinks {
				linksText = swap(t, linksText, f.old, f.planted)
			} else {
				catalogueText = swap(t, catalogueText, f.old, f.planted)
			}
			refused(t, catalogueText, linksText, f.want)
		})
	}
}

// refused checks that reading the pair gives exactly this error.
func refused(t *testing.T, catalogueText, linksText, want string) {
	t.Helper()
	c, err := catalogue.Read(strings.NewReader(catalogueText), strings.NewReader(linksText))
	if err == nil {
		t.Fatalf("read %d systems, want error %q", len(c.Systems), want)
	}
	if err.Error() != want {
		t.Errorf("error\n%s\nwant\n%s", err, want)
	}
}

func TestCatalogueFaults(t *testing.T) {
	t.Parallel()
	plant(t, false, []fault{
		{"version", "schema_version: 1", "schema_version: 2", `catalogue.yaml:2: schema_version must be 1, the only version known here`},
		{"version in words", "schema_version: 1", `schema_version: "1"`, `catalogue.yaml:2: schema_version must be 1, the only version known here`},
		{"no version", "schema_version: 1\n", "", `catalogue.yaml:1: key "schema_version" is missing`},
		{"collected on a month", `collected_on: "2026-11-30"`, `collected_on: "2026-11"`, `catalogue.yaml:3: collected_on "2026-11" is not a day; write YYYY-MM-DD`},
		{"collected on nothing", `collected_on: "2026-11-30"`, `collected_on: null`, `catalogue.yaml:3: collected_on is empty; write YYYY-MM-DD`},
		{"unknown key at the top", "systems:\n", "note: x\nsystems:\n", `catalogue.yaml:78: unknown key "note"; the keys here are schema_version, collected_on, vocab, systems`},
		{"vocab with a new word", "    - medium\n", "    - medium\n    - absolute\n", `catalogue.yaml:74: vocab: confidence lists "absolute", which schema version 1 does not know; remove it`},
		{"vocab without a word", "    - full_page\n", "", `catalogue.yaml:69: vocab: read_as lacks "full_page", a word of schema version 1; add it`},
		{"vocab with a word twice", "    - medium\n", "    - medium\n    - medium\n", `catalogue.yaml:74: vocab: confidence lists "medium" twice; remove one`},
		{"vocab not a list", "  confidence:\n    - high\n    - medium\n    - low\n", "  confidence: high\n", `catalogue.yaml:74: vocab, confidence: must be a list`},
		{"no vocab", "vocab:\n", "vocabulary:\n", `catalogue.yaml:4: unknown key "vocabulary"; the keys here are schema_version, collected_on, vocab, systems`},
		{"unknown key of a system", "    category: shared_service\n", "    category: shared_service\n    colour: red\n", `catalogue.yaml:170: system acme-gate: unknown key "colour"; the keys here are id, name, vendor, category, aliases, claims`},
		{"missing key of a system", "    name: Acme Gate\n", "", `catalogue.yaml:166: system acme-gate: key "name" is missing`},
		{"system id", "  - id: acme-gate\n", "  - id: Acme_Gate\n", `catalogue.yaml:166: system Acme_Gate: id "Acme_Gate" may hold only a-z, 0-9 and -`},
		{"system twice", "  - id: acme-gate\n", "  - id: acme-box\n", `catalogue.yaml:166: system acme-box: id appears twice, first on line 79; an id is never reused`},
		{"system without id", "  - id: acme-gate\n    name: Acme Gate\n", "  - name: Acme Gate\n", `catalogue.yaml:166: system number 2: key "id" is missing`},
		{"category", "category: shared_service", "category: shared", `catalogue.yaml:169: system acme-gate: category "shared" is not one of managed_runtime, managed_sandbox, shared_service, agent_product, announced_capability, local_sandbox, isolation_primitive, orchestrator, containment_control, baseline, guidance`},
		{"aliases not a list", "aliases: []", "aliases: none", `catalogue.yaml:170: system acme-gate, aliases: must be a list`},
		{"alias not text", "aliases: []", "aliases: [1]", `catalogue.yaml:170: system acme-gate: aliases must be a list of text, one line each`},
		{"claims not a list", "    claims:\n      - id: acme-gate.tenant\n", "    claims:\n        id: acme-gate.tenant\n", `catalogue.yaml:171: system acme-gate, claims: must be a list`},
		{"claim a word", "      - id: acme-gate.tenant\n", "      - acme\n      - id: acme-gate.tenant\n", `catalogue.yaml:172: claim 1 of system acme-gate: must hold keys with values`},
		{"claim of another system", "id: acme-gate.tenant", "id: acme-box.tenant", `catalogue.yaml:172: claim acme-box.tenant: id must be "acme-gate." and a name of a-z, 0-9 and -`},
		{"claim id with a dot", "id: acme-gate.tenant", "id: acme-gate.ten.ant", `catalogue.yaml:172: claim acme-gate.ten.ant: id must be "acme-gate." and a name of a-z, 0-9 and -`},
		{"claim twice", "id: acme-box.process-shared", "id: acme-box.process-own", `catalogue.yaml:103: claim acme-box.process-own: id appears twice, first on line 86; an id is never reused`},
		{"claim without id", "      - id: acme-gate.tenant\n        topic: shared\n", "      - topic: shared\n", `catalogue.yaml:172: claim 1 of system acme-gate: key "id" is missing`},
		{"former key", "words: The gateway takes", "statement: The gateway takes", `catalogue.yaml:177: claim acme-gate.tenant: unknown key "statement"; the keys here are id, topic, dimension, scope, stated, words, source, source_kind, read_as, copy_date, confidence, configuration, status, status_date`},
		{"key twice", "        words: Memory snapshots are in beta.\n", "        words: a\n        words: b\n", `catalogue.yaml:140: claim acme-box.status-snapshots: key "words" appears twice, first on line 139; remove one`},
		{"topic", "topic: shared\n", "topic: Shared\n", `catalogue.yaml:173: claim acme-gate.tenant: topic "Shared" is not one of isolation, shared, lifecycle, release_status, shared_responsibility, retention`},
		{"dimension", "dimension: application_data", "dimension: AD", `catalogue.yaml:174: claim acme-gate.tenant: dimension "AD" is not one of process, filesystem, memory, network, credentials, application_data, tools, none`},
		{"scope", "scope: per_tenant", "scope: tenant", `catalogue.yaml:175: claim acme-gate.tenant: scope "tenant" is not one of per_session, per_sandbox, per_process, per_user, per_agent, per_project, per_tenant, per_account, per_host, shared, customer_defined, not_stated, not_applicable`},
		{"stated not a flag", "stated: false", `stated: "no"`, `catalogue.yaml:155: claim acme-box.gap-tools: stated must be true or false`},
		{"words empty", "words: Memory snapshots are in beta.", `words: " "`, `catalogue.yaml:139: claim acme-box.status-snapshots: words is empty`},
		{"words a number", "words: Memory snapshots are in beta.", "words: 12", `catalogue.yaml:139: claim acme-box.status-snapshots: words must be text; put it in quotes`},
		{"words over lines", "words: Memory snapshots are in beta.", "words: |\n          Memory\n          beta", `catalogue.yaml:139: claim acme-box.status-snapshots: words holds a line break or control character; write it as one line`},
		{"words with a control character", "words: Memory snapshots are in beta.", `words: "a\u0007b"`, `catalogue.yaml:139: claim acme-box.status-snapshots: words holds a line break or control character; write it as one line`},
		{"configuration null", "configuration: microVM tier", "configuration: null", `catalogue.yaml:93: claim acme-box.process-own: configuration is empty`},
		{"source missing a key", "          title: Gate\n", "", `catalogue.yaml:178: claim acme-gate.tenant, source: key "title" is missing`},
		{"source with a further key", "          title: Gate\n", "          title: Gate\n          quote: x\n", `catalogue.yaml:181: claim acme-gate.tenant, source: unknown key "quote"; the keys here are url, title, publisher, page_date, via`},
		{"source a word", "        source:\n          url: http://docs.acme.example/gate\n          title: Gate\n          publisher: Acme\n          page_date: null\n", "        source: here\n", `catalogue.yaml:178: claim acme-gate.tenant, source: must hold keys with values`},
		{"address of a script", "url: http://docs.acme.example/gate", `url: "javascript:alert(1)"`, `catalogue.yaml:179: claim acme-gate.tenant, source: url "javascript:alert(1)" is not an http or https address`},
		{"address without host", "url: http://docs.acme.example/gate", "url: https:///gate", `catalogue.yaml:179: claim acme-gate.tenant, source: url "https:///gate" is not an http or https address`},
		{"address with a password", "url: http://docs.acme.example/gate", "url: https://a:b@docs.acme.example/", `catalogue.yaml:179: claim acme-gate.tenant, source: url "https://a:b@docs.acme.example/" is not an http or https address`},
		{"address broken", "url: http://docs.acme.example/gate", `url: "http://%zz/"`, `catalogue.yaml:179: claim acme-gate.tenant, source: url "http://%zz/" is not an http or https address`},
		{"page date", `page_date: "2026-09"`, `page_date: "September 2026"`, `catalogue.yaml:98: claim acme-box.process-own, source: page_date "September 2026" is not a date; write YYYY, YYYY-MM or YYYY-MM-DD`},
		{"page date of no calendar", `page_date: "2026-08-01"`, `page_date: "2026-02-30"`, `catalogue.yaml:113: claim acme-box.process-shared, source: page_date "2026-02-30" is not a date; write YYYY, YYYY-MM or YYYY-MM-DD`},
		{"page date before the web", `page_date: "2026-09"`, `page_date: "0206-09"`, `catalogue.yaml:98: claim acme-box.process-own, source: page_date "0206-09" is before 1991; check the year`},
		{"page date after collection", `page_date: "2026-08-01"`, `page_date: "2026-12"`, `catalogue.yaml:113: claim acme-box.process-shared, source: page_date 2026-12 is after collected_on 2026-11-30`},
		{"copy date a month", `copy_date: "2026-10-06"`, `copy_date: "2026-10"`, `catalogue.yaml:185: claim acme-gate.tenant: copy_date "2026-10" is not a day; write YYYY-MM-DD`},
		{"copy date after collection", `copy_date: "2026-10-06"`, `copy_date: "2026-12-01"`, `catalogue.yaml:185: claim acme-gate.tenant: copy_date 2026-12-01 is after collected_on 2026-11-30`},
		{"source kind", "source_kind: third_party", "source_kind: press", `catalogue.yaml:115: claim acme-box.process-shared: source_kind "press" is not one of vendor, third_party, standard`},
		{"read as", "read_as: git_mirror", "read_as: mirror", `catalogue.yaml:184: claim acme-gate.tenant: read_as "mirror" is not one of full_page, excerpt, git_mirror, quoted`},
		{"confidence", "        read_as: git_mirror\n        copy_date: \"2026-10-06\"\n        confidence: high\n", "        read_as: git_mirror\n        copy_date: \"2026-10-06\"\n        confidence: certain\n", `catalogue.yaml:186: claim acme-gate.tenant: confidence "certain" is not one of high, medium, low`},
		{"status elsewhere", "        words: The gateway takes", "        status: ga\n        words: The gateway takes", `catalogue.yaml:177: claim acme-gate.tenant: status belongs to every claim with topic release_status and to no other`},
		{"status missing", "        status: beta\n", "", `catalogue.yaml:134: claim acme-box.status-snapshots: status belongs to every claim with topic release_status and to no other`},
		{"status date missing", "        status_date: 2026-09\n", "", `catalogue.yaml:134: claim acme-box.status-snapshots: status_date belongs to every claim with topic release_status and to no other`},
		{"status", "status: beta\n", "status: gamma\n", `catalogue.yaml:140: claim acme-box.status-snapshots: status "gamma" is not one of ga, beta, alpha, preview, private_preview, technology_preview, experimental, announced, released, stable_release, opt_in, superseded, deprecated, unmaintained_open_source, unsupported_platform, no_label, not_stated`},
		{"status date", "status_date: 2026-09\n", "status_date: soon\n", `catalogue.yaml:141: claim acme-box.status-snapshots: status_date "soon" is not a date; write YYYY, YYYY-MM or YYYY-MM-DD`},
		{"gap stated", "stated: false", "stated: true", `catalogue.yaml:155: claim acme-box.gap-tools: stated must be false, as the id marks a gap`},
		{"gap of another dimension", "dimension: tools\n", "dimension: network\n", `catalogue.yaml:151: claim acme-box.gap-tools: id names a gap other than dimension network or topic isolation`},
		{"long value is cut", "confidence: low\n  - id: acme-gate", "confidence: " + strings.Repeat("x", 500) + "\n  - id: acme-gate", `catalogue.yaml:165: claim acme-box.gap-tools: confidence "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is not one of high, medium, low`},
	})
}

func TestLinksFaults(t *testing.T) {
	t.Parallel()
	plant(t, true, []fault{
		{"version", "schema_version: 1", "schema_version: 1.0", `links.yaml:1: schema_version must be 1, the only version known here`},
		{"no questions", "questions:\n  acme-box.gap-tools: 33\n", "", `links.yaml:1: key "questions" is missing`},
		{"unknown key", "    product: Acme Gate\n", "    product: Acme Gate\n    edition: x\n", `links.yaml:13: system acme-gate: unknown key "edition"; the keys here are vendor_id, vendor, product, variant, kind, component_kind`},
		{"missing key", "    product: Acme Gate\n", "", `links.yaml:9: system acme-gate: key "product" is missing`},
		{"vendor id", "vendor_id: acme\n    vendor: Acme\n    product: Acme Gate", "vendor_id: Acme\n    vendor: Acme\n    product: Acme Gate", `links.yaml:10: system acme-gate: vendor_id "Acme" may hold only a-z, 0-9 and -`},
		{"variant", "variant: microvm", "variant: micro vm", `links.yaml:7: system acme-box: variant "micro vm" may hold only a-z, 0-9 and -`},
		{"kind", "kind: runtime", "kind: engine", `links.yaml:8: system acme-box: kind "engine" is not one of runtime, component, primitive, guidance, announced`},
		{"component kind", "component_kind: gateway", "component_kind: proxy", `links.yaml:15: system acme-gate: component_kind "proxy" is not one of gateway, model_provider, retrieval, identity, management, storage, logging, tool_server, egress, other`},
		{"component kind missing", "    component_kind: gateway\n", "", `links.yaml:9: system acme-gate: component_kind belongs to every system of kind component and to no other`},
		{"component kind elsewhere", "    kind: runtime\n", "    kind: runtime\n    component_kind: gateway\n", `links.yaml:9: system acme-box: component_kind belongs to every system of kind component and to no other`},
		{"key not text", "  acme-gate.tenant:\n", "  12:\n", `links.yaml:49: claims: "12" cannot be a key; put it in quotes`},
		{"entry twice", "  acme-gate.tenant:\n", "  acme-box.gap-tools:\n", `links.yaml:49: claims: key "acme-box.gap-tools" appears twice, first on line 45; remove one`},
		{"facet", "facet: AD", "facet: application_data", `links.yaml:50: claim acme-gate.tenant: facet "application_data" is not one of PE, FS, ME, NW, CD, AD, TL, LF, MS, CP, AC, none`},
		{"statement", "statement: LF-3", "statement: LF-5", `links.yaml:35: claim acme-box.snapshot-erase, bears_on: statement "LF-5" is not one of the 35 boundary statements`},
		{"statement written otherwise", "statement: LF-3", "statement: LF-03", `links.yaml:35: claim acme-box.snapshot-erase, bears_on: statement "LF-03" is not one of the 35 boundary statements`},
		{"statement twice", "statement: ME-1", "statement: PE-2", `links.yaml:21: claim acme-box.process-own, bears_on: statement PE-2 is given twice; keep one polarity`},
		{"polarity", "{statement: AD-1, polarity: contradicts}", "{statement: AD-1, polarity: against}", `links.yaml:52: claim acme-gate.tenant, bears_on: polarity "against" is not one of supports, contradicts`},
		{"bearing with a further key", "{statement: AD-1, polarity: contradicts}", "{statement: AD-1, polarity: contradicts, weight: 2}", `links.yaml:52: claim acme-gate.tenant, bears_on: unknown key "weight"; the keys here are statement, polarity`},
		{"bearing a word", "{statement: AD-1, polarity: contradicts}", "AD-1", `links.yaml:52: claim acme-gate.tenant, bears_on: must hold keys with values`},
		{"evidence kind", "evidence_kind: statement", "evidence_kind: test", `links.yaml:29: claim acme-box.process-shared: evidence_kind "test" is not one of documentation, statement, none`},
		{"status elsewhere", "    facet: AD\n", "    facet: AD\n    status: {label: null, normalised: ga, feature: x}\n", `links.yaml:49: claim acme-gate.tenant: status belongs to every claim with topic release_status and to no other`},
		{"status missing", "    status:\n      label: Beta\n      normalised: beta\n      feature: memory snapshots\n", "", `links.yaml:37: claim acme-box.status-snapshots: status belongs to every claim with topic release_status and to no other`},
		{"label empty", "label: Beta", `label: ""`, `links.yaml:42: claim acme-box.status-snapshots, status: label is empty`},
		{"normalised", "normalised: beta", "normalised: preview", `links.yaml:43: claim acme-box.status-snapshots, status: normalised "preview" is not one of announced, experimental, private_preview, technology_preview, public_preview, beta, preview_supported, ga, ga_limited, deprecated, end_of_support, retired, unknown`},
		{"feature missing", "      feature: memory snapshots\n", "", `links.yaml:41: claim acme-box.status-snapshots, status: key "feature" is missing`},
		{"contradicts empty", "    contradicts:\n      - acme-box.process-own\n", "    contradicts: []\n", `links.yaml:30: claim acme-box.process-shared: contradicts is empty; leave the key out`},
		{"question", "gap-tools: 33", "gap-tools: 78", `links.yaml:55: question for claim acme-box.gap-tools: must be a number from 1 to 77`},
		{"question zero", "gap-tools: 33", "gap-tools: 0", `links.yaml:55: question for claim acme-box.gap-tools: must be a number from 1 to 77`},
		{"question below zero", "gap-tools: 33", "gap-tools: -1", `links.yaml:55: question for claim acme-box.gap-tools: must be a number from 1 to 77`},
		{"question in words", "gap-tools: 33", "gap-tools: none", `links.yaml:55: question for claim acme-box.gap-tools: must be a number from 1 to 77`},
	})
}

func TestUnreadableInput(t *testing.T) {
	t.Parallel()
	catalogueText, linksText := small(t)
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", `catalogue.yaml: must hold exactly one YAML document`},
		{"comments alone", "# nothing\n", `catalogue.yaml: must hold exactly one YAML document`},
		{"a word", "catalogue\n", `catalogue.yaml:1: must hold keys with values`},
		{"two documents", "a: 1\n---\nb: 2\n", `catalogue.yaml: must hold exactly one YAML document`},
		{"not UTF-8", "a: b\nc: \xff\n", `catalogue.yaml:2: is not UTF-8; save the file as UTF-8`},
		{"bad indentation", "a: b\n  c: d\n", `catalogue.yaml:1: is not valid YAML: mapping value is not allowed in this context`},
		{"open quote", "a: \"b\n", `catalogue.yaml:1: is not valid YAML: could not find end character of double-quoted text`},
		{"open bracket", "a: [b\n", `catalogue.yaml:1: is not valid YAML: sequence end token ']' not found`},
		{"anchor", "a: &b c\n", `catalogue.yaml:1: uses an anchor, which a catalogue may not; write the value out`},
		{"alias", "a:\n  *b\n", `catalogue.yaml:2: uses an alias, which a catalogue may not; write the value out`},
		{"tag", "a: !!str b\n", `catalogue.yaml:1: uses a tag, which a catalogue may not; write the value out`},
		{"merge key", "a:\n  <<: b\n", `catalogue.yaml:2: uses a merge key, which a catalogue may not; write the value out`},
		{"explicit key", "? a\n: b\n", `catalogue.yaml:1: uses an explicit key, which a catalogue may not; write the value out`},
		{"directive", "%YAML 1.2\n---\na: b\n", `catalogue.yaml:1: uses a directive, which a catalogue may not; write the value out`},
		{"dashes", strings.Repeat("- ", 1<<16), `catalogue.yaml:1: a list entry is empty or a list itself; give it a value`},
		{"empty entries", "a:\n" + strings.Repeat("-\n# b\n", 1<<16), `catalogue.yaml:4: a list entry is empty or a list itself; give it a value`},
		{"keys side by side", strings.Repeat("a:\n", 1<<16), `catalogue.yaml:5001: has more than 5000 keys side by side; check that this is the right file`},
		{"keys below a list", "a:\n- " + strings.Repeat("b: c\n  ", 1<<16), `catalogue.yaml:5002: has more than 5000 keys side by side; check that this is the right file`},
		{"commas", "a: [" + strings.Repeat("b,", 1<<16), `catalogue.yaml:1: has more than 1000 commas within brackets; write one entry a line`},
		{"marks", strings.Repeat("#\n", 1<<18), `catalogue.yaml: has 524288 line ends and punctuation marks, more than the 400000 allowed; check that this is the right file`},
		{"brackets", "a: b\nc: " + strings.Repeat("[", 1<<16), `catalogue.yaml:2: nests too deep; write one key or list entry a line`},
		{"braces", strings.Repeat("{a: ", 1<<16), `catalogue.yaml:1: nests too deep; write one key or list entry a line`},
		{"keys on a line", strings.Repeat("a: ", 1<<16), `catalogue.yaml:1: nests too deep; write one key or list entry a line`},
		{"keys in braces", "{" + strings.Repeat("a:\n ", 1<<16), `catalogue.yaml:3: nests too deep; write one key or list entry a line`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			refused(t, tc.text, linksText, tc.want)
			refused(t, catalogueText, tc.text, strings.ReplaceAll(tc.want, "catalogue.yaml", "links.yaml"))
		})
	}
}

func TestSizeBound(t *testing.T) {
	t.Parallel()
	catalogueText, linksText := small(t)
	padded := func(text string, size int) string {
		return text + "#" + strings.Repeat(" ", size-len(text)-1)
	}
	const limit = 16 << 20
	read(t, padded(catalogueText, limit), padded(linksText, limit))
	refused(t, padded(catalogueText, limit+1), linksText,
		"catalogue.yaml: has more than 16 MiB; check that this is the right file")
	refused(t, catalogueText, padded(linksText, limit+1),
		"links.yaml: has more than 16 MiB; check that this is the right file")
}

// TestDeepNesting goes as deep as 16 MiB allow with one key a line, each a column further right.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	_, linksText := small(t)
	var b strings.Builder
	for i := 0; b.Len() < 16<<20-10_000; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	refused(t, b.String(), linksText,
		`catalogue.yaml:1: unknown key "a"; the keys here are schema_version, collected_on, vocab, systems`)
}

func TestFailingReader(t *testing.T) {
	t.Parallel()
	catalogueText, linksText := small(t)
	broken := errors.New("disk gone")
	for name, in := range map[string][2]io.Reader{
		"catalogue.yaml": {iotest.ErrReader(broken), strings.NewReader(linksText)},
		"links.yaml":     {strings.NewReader(catalogueText), iotest.ErrReader(broken)},
	} {
		_, err := catalogue.Read(in[0], in[1])
		if !errors.Is(err, broken) || err.Error() != "read "+name+": disk gone" {
			t.Errorf("%s: error %v, want one that wraps the reader's", name, err)
		}
	}
}
