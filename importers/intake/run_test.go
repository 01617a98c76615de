package intake_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"demarc/importers/intake"
	"demarc/store/posture"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// kept is what a sink was given.
type kept struct {
	in      posture.Import
	results []*posture.Result
	stored  posture.StoredCopy
	copy    []byte
	// stop ends the import after so many results; 0 never.
	stop int
}

var errFull = errors.New("the disk is full")

func (k *kept) RecordImport(_ context.Context, _ posture.Access, in posture.Import, stream func(func(*posture.Result) error) error) (posture.Receipt, error) {
	k.in = in
	err := stream(func(r *posture.Result) error {
		k.results = append(k.results, r)
		if len(k.results) == k.stop {
			return errFull
		}
		return nil
	})
	if err != nil {
		return posture.Receipt{}, fmt.Errorf("import: %w", err)
	}
	if k.stored, err = in.Stored(); err != nil {
		return posture.Receipt{}, err
	}
	err = k.stored.Chunks(func(b []byte) error {
		k.copy = append(k.copy, b...)
		return nil
	})
	return in.Summary(), err
}

func run(t *testing.T, text string, o intake.Options) (*kept, posture.Receipt, error) {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = now
	}
	var k kept
	receipt, err := intake.Run(t.Context(), posture.Access{}, &k, intake.FromBytes("results.xml", []byte(text)), o)
	return &k, receipt, err
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

const boundary = `<testsuites timestamp="2026-11-23T09:15:00">
<properties>
<property name="demarc.runtime" value="case-assistant"/><property name="demarc.version" value="1.14.2"/>
<property name="demarc.control_before" value="yes"/><property name="demarc.control_after" value="yes"/>
<property name="DB_PASSWORD" value="hunter2"/>
</properties>
<testsuite name="files">
<testcase name="owner reads"><properties><property name="demarc.statement" value="FS-1"/><property name="demarc.case" value="XS-01"/><property name="demarc.expected" value="permit"/></properties></testcase>
<testcase name="other reads"><properties><property name="demarc.statement" value="FS-1"/><property name="demarc.case" value="XS-01"/><property name="demarc.expected" value="deny"/></properties>
<failure message="got ACME-MARK-01">Authorization: Bearer abc.def-123
token=abc</failure></testcase>
<testcase name="no expected"><properties><property name="demarc.statement" value="FS-1"/></properties></testcase>
<testcase name="unmapped"/>
</testsuite>
</testsuites>
`

func TestRunKeepsTheWholeFile(t *testing.T) {
	t.Parallel()
	k, receipt, err := run(t, boundary, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := posture.Receipt{
		File: "results.xml", Format: "junit", SHA256: sum([]byte(boundary)), StoredSHA256: sum(k.copy),
		Records: posture.RecordCounts{Read: 4, Stored: 3, Refused: 1}, Outcomes: posture.OutcomeCounts{Pass: 2, Fail: 1},
		Mapped: 2, Unmapped: 1, Identity: map[string]string{"version": "1.14.2"}, Completeness: "complete", Redacted: 3,
		Runtime: "case-assistant", Attributed: true,
		Problems: []posture.Problem{
			{Line: 8, What: "the times of 4 records carry no zone and were read in UTC; --zone says another", Severity: "note"},
			{Line: 12, Record: 3, What: "expected is missing; it is never inferred from a name; add demarc.expected=permit or deny", Severity: "refused"},
		},
	}
	if diff := cmp.Diff(want, receipt); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
	if k.in.Runtime != "case-assistant" || k.in.SHA256 != want.SHA256 || k.in.Format != "junit" {
		t.Errorf("import %+v", k.in)
	}
	if k.stored.Size != int64(len(k.copy)) || k.stored.Media != "application/xml" {
		t.Errorf("stored copy %+v of %d bytes", k.stored, len(k.copy))
	}
	for _, secret := range []string{"hunter2", "abc.def", "token=abc"} {
		if bytes.Contains(k.copy, []byte(secret)) || strings.Contains(k.results[1].Text, secret) {
			t.Errorf("%s was kept", secret)
		}
	}
	if r := k.results[1]; r.Message != "got ACME-MARK-01" || r.Line != 9 || r.Run != "" || !r.ControlOK {
		t.Errorf("result %+v", r)
	}
	again, _, err := run(t, string(k.copy), intake.Options{})
	if err != nil || !bytes.Equal(again.copy, k.copy) {
		t.Errorf("the stored copy does not read as itself: %v", err)
	}
}

func TestRunWithoutSinkAnswersTheSame(t *testing.T) {
	t.Parallel()
	_, want, err := run(t, boundary, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := intake.FromBytes("results.xml", []byte(boundary))
	got, err := intake.Run(t.Context(), posture.Access{}, nil, src, intake.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dry run (-with sink +without):\n%s", diff)
	}
	got, rows, err := intake.Preview(t.Context(), src, intake.Options{Now: now}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(rows) != 2 || rows[1].Name != "other reads" {
		t.Errorf("preview of %d rows (-want +got):\n%s", len(rows), diff)
	}
}

func TestObserved(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("+01:00", 3600)
	given := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, attr string
		o          intake.Options
		want       string
		problem    string
	}{
		{"with zone", `timestamp="2026-11-23T09:15:00+02:00"`, intake.Options{Zone: berlin}, "2026-11-23T07:15:00Z", ""},
		{"without zone", `timestamp="2026-11-23T09:15:00"`, intake.Options{}, "2026-11-23T09:15:00Z", "the times of 1 record carry no zone and were read in UTC; --zone says another"},
		{"zone given", `timestamp="2026-11-23T09:15:00"`, intake.Options{Zone: berlin}, "2026-11-23T08:15:00Z", "the times of 1 record carry no zone and were read in +01:00; --zone says another"},
		{"file wins over what is given", `timestamp="2026-11-23T09:15:00Z"`, intake.Options{ObservedAt: given}, "2026-11-23T09:15:00Z", ""},
		{"given", ``, intake.Options{ObservedAt: given}, "2026-11-01T00:00:00Z", "1 record without a time in the file: taken as observed at 2026-11-01T00:00:00Z, as given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.o.Runtime = "r"
			k, receipt, err := run(t, `<testsuite `+c.attr+`><testcase name="a"/></testsuite>`, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.results[0].ObservedAt.Format(time.RFC3339); got != c.want {
				t.Errorf("observed %s, want %s", got, c.want)
			}
			var all []string
			for _, p := range receipt.Problems {
				all = append(all, p.What)
			}
			if told := strings.Join(all, " "); told != c.problem {
				t.Errorf("told %q, want %q", told, c.problem)
			}
		})
	}
}

func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		o        intake.Options
		want     string
		read     int
	}{
		{"empty", "", intake.Options{}, "results.xml: the file is empty; nothing was imported", 0},
		{"unknown", "<html/>", intake.Options{}, "results.xml:1: this looks like an HTML page, which is not a results format read here; accepted: junit", 0},
		{"unknown format", "<testsuite/>", intake.Options{Format: "sarif"}, `results.xml: the format "sarif" is not read here; accepted: auto, junit`, 0},
		{"no record", "<testsuites/>", intake.Options{}, "results.xml: holds no test case; nothing was recognised to import", 0},
		{"no time", "<testsuite>\n<testcase name='a'/><testcase name='b'/></testsuite>", intake.Options{}, "results.xml:2: no record can be stored: the file gives no time for this record; say when it was observed with --observed-at", 2},
		{"future", "<testsuite>\n<testcase name='a' timestamp='2026-12-01T00:00:00'/></testsuite>", intake.Options{}, "results.xml:2: no record can be stored: observed at 2026-12-01T00:00:00Z lies after now (2026-11-30T12:00:00Z); the time carries no zone and was read in UTC: say another with --zone", 1},
		{"given in the future", "<testsuite/>", intake.Options{ObservedAt: now.Add(time.Second)}, "observed at 2026-11-30T12:00:01Z lies after now (2026-11-30T12:00:00Z); results cannot be observed in the future", 0},
		{"doctype", "<!DOCTYPE testsuites>\n<testsuites><testcase name='a'/></testsuites>", intake.Options{}, "results.xml:1: declares a document type (DOCTYPE or ENTITY), which is never read; remove the declaration", 0},
		{"entity after a record", "<testsuite timestamp='2026-11-01'><testcase name='a'/>\n<testcase name='&x;'/></testsuite>", intake.Options{}, "results.xml:2: refers to the entity &x;, and entities are never read; write the text itself", 1},
		{"too large", "<testsuite><testcase name='a'/></testsuite>", intake.Options{MaxBytes: 20}, "results.xml: holds more than 20 bytes, the most that is imported at once; split it by suite", 0},
		{"region", "<testsuite/>", intake.Options{Identity: posture.Identity{posture.Region: "any"}}, `region "any" is not allowed on a test: name the region it was taken in`, 0},
		{"unknown statement", "<testsuite timestamp='2026-11-01'><testcase name='a'><properties><property name='demarc.statement' value='XX-1'/></properties></testcase></testsuite>", intake.Options{Known: func(string) bool { return false }}, `results.xml:1: no record can be stored: the statement "XX-1" is not in the library`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k, receipt, err := run(t, c.in, c.o)
			if posture.KindOf(err) != posture.Invalid {
				t.Fatalf("got %v, want an Invalid error", err)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
			if len(k.copy) > 0 || receipt.Records != (posture.RecordCounts{Read: c.read, Refused: c.read}) || receipt.Outcomes != (posture.OutcomeCounts{}) {
				t.Errorf("receipt %+v", receipt)
			}
			last := receipt.Problems[len(receipt.Problems)-1]
			for _, p := range receipt.Problems {
				if p.Record == 0 && p.Severity == "refused" {
					last = p
				}
			}
			if last.Severity != "refused" || !strings.Contains(c.want, last.What) {
				t.Errorf("the receipt does not say why: %+v", receipt.Problems)
			}
		})
	}
}

func TestRuntimeOfTheFile(t *testing.T) {
	t.Parallel()
	text := func(runtimes ...string) string {
		suites := []string{"<testsuites timestamp='2026-11-01T00:00:00Z'>"}
		for _, r := range runtimes {
			suites = append(suites, "<testsuite name='s'><properties><property name='demarc.runtime' value='"+r+"'/></properties><testcase name='c'/></testsuite>")
		}
		return strings.Join(suites, "\n") + "</testsuites>"
	}
	for _, c := range []struct {
		name, in string
		given    string
		want     string
		stored   int
		problem  string
	}{
		{"from the file", text("a", "a"), "", "a", 2, ""},
		{"two runtimes", text("a", "b"), "", "a", 1, `demarc.runtime names "b" and this import is about a; import the results of each runtime as a file of its own`},
		{"given wins", text("b", "b"), "a", "a", 2, "the file names another runtime than a for 2 records; a was given and holds"},
		{"named too late", text("", "b"), "", "", 1, `demarc.runtime names "b" and the first record names none; say --runtime`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k, receipt, err := run(t, c.in, intake.Options{Runtime: c.given})
			if err != nil {
				t.Fatal(err)
			}
			if k.in.Runtime != c.want || receipt.Runtime != c.want || receipt.Records.Stored != c.stored || receipt.Attributed != (c.want != "") {
				t.Errorf("runtime %q, receipt %+v", k.in.Runtime, receipt)
			}
			if c.problem != "" && !strings.Contains(fmt.Sprint(receipt.Problems), c.problem) {
				t.Errorf("problems %+v", receipt.Problems)
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	const text = `<testsuites timestamp="2026-11-01T00:00:00Z"><properties>
<property name="demarc.version" value="1"/><property name="demarc.image" value="sha256:aa"/><property name="demarc.receiver.version" value="s4"/></properties>
<testsuite name="a"><testcase name="unit"/></testsuite>
<testsuite name="b"><properties><property name="demarc.receiver" value="search"/><property name="demarc.region" value="eu"/></properties>
<testcase name="at the receiver"/></testsuite></testsuites>`
	k, receipt, err := run(t, text, intake.Options{
		Runtime: "r", Identity: posture.Identity{posture.Version: "2"}, IdentityEnd: posture.Identity{posture.Image: "sha256:bb"},
		Receivers: map[string]posture.Identity{"search": {posture.Policy: "sp2"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	unit, search := k.in.IdentityOf(k.results[0]), k.in.IdentityOf(k.results[1])
	for name, c := range map[string]struct{ got, want map[string]string }{
		"unit":     {unit.Map(), map[string]string{"version": "2", "image": "sha256:aa"}},
		"receiver": {search.Map(), map[string]string{"version": "s4", "policy": "sp2"}},
		"receipt":  {receipt.Identity, map[string]string{"version": "2", "image": "sha256:aa"}},
		"own":      {k.results[0].Identity.Map(), map[string]string{}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if receipt.Attributed || !strings.Contains(fmt.Sprint(receipt.Problems), "image differs between the start and the end of the run") {
		t.Errorf("an identity that moved during the run was attributed: %+v", receipt.Problems)
	}
}

func TestFlakyDenialStands(t *testing.T) {
	t.Parallel()
	one := func(expected string) string {
		return `<testcase name="` + expected + `"><properties><property name="demarc.statement" value="FS-1"/><property name="demarc.expected" value="` + expected + `"/></properties><flakyFailure message="200"/></testcase>`
	}
	k, _, err := run(t, `<testsuite timestamp="2026-11-01T00:00:00Z">`+one("deny")+one("permit")+`<testcase name="unmapped"><flakyFailure/></testcase></testsuite>`, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []posture.Outcome
	for _, r := range k.results {
		got = append(got, r.Outcome)
	}
	if diff := cmp.Diff([]posture.Outcome{posture.Fail, posture.Pass, posture.Pass}, got); diff != "" {
		t.Error(diff)
	}
}

func TestUTF16IsKeptAsUTF8(t *testing.T) {
	t.Parallel()
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("<?xml version='1.0' encoding='utf-16'?>\n" + boundary)
	if err != nil {
		t.Fatal(err)
	}
	k, receipt, err := run(t, wide, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if receipt.Records.Stored != 3 || receipt.Redacted != 3 || receipt.SHA256 != sum([]byte(wide)) || bytes.Contains(k.copy, []byte("hunter2")) {
		t.Errorf("receipt %+v", receipt)
	}
}

// The sink's refusal, the caller's cancellation and a file that changes all
// end the import with their own error.
func TestRunEndsWithItsSink(t *testing.T) {
	t.Parallel()
	k := kept{stop: 1}
	if _, err := intake.Run(t.Context(), posture.Access{}, &k, intake.FromBytes("a.xml", []byte(boundary)), intake.Options{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want the sink's error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := intake.Run(ctx, posture.Access{}, nil, intake.FromBytes("a.xml", []byte(boundary)), intake.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want cancelled", err)
	}
	opened := 0
	changing := intake.Source{Name: "a.xml", Size: -1, Open: func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(strings.NewReader(boundary + strings.Repeat("\n", opened))), nil
	}}
	if _, err := intake.Run(t.Context(), posture.Access{}, nil, changing, intake.Options{}); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("got %v", err)
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "r.xml")
	if err := os.WriteFile(path, []byte(boundary), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := intake.FromFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var parts []int64
	receipt, err := intake.Run(t.Context(), posture.Access{}, nil, src, intake.Options{Progress: func(read, total int64) {
		if total != int64(len(boundary)) {
			t.Errorf("total %d", total)
		}
		parts = append(parts, read)
	}})
	if err != nil || receipt.File != "r.xml" || len(parts) == 0 || parts[len(parts)-1] != int64(len(boundary)) {
		t.Errorf("%+v, %v, progress %v", receipt, err, parts)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "missing"): ": there is no such file",
		dir:                           " is a folder; name a file, or - for standard input",
	} {
		if _, err := intake.FromFile(path); err == nil || err.Error() != path+want {
			t.Errorf("got %v", err)
		}
	}
	if _, err := intake.FromReader("standard input", strings.NewReader("abc"), 2); err == nil || err.Error() != "standard input: holds more than 2 bytes, the most that is imported at once; split it by suite" {
		t.Errorf("got %v", err)
	}
}

// TestReadIsStoredAndRefused is law 9 over random reports.
func TestReadIsStoredAndRefused(t *testing.T) {
	t.Parallel()
	properties := []string{
		"demarc.statement=FS-1", "demarc.statement=", "demarc.expected=deny", "demarc.expected=permit", "demarc.expected=maybe",
		"demarc.outcome=inconclusive", "demarc.outcome=pass", "demarc.observed_at=2026-11-31", "demarc.observed_at=2027-01-01",
		"demarc.runtime=a", "demarc.runtime=b", "demarc.control_before=yes", "demarc.unknown=x", "token=hunter2x",
	}
	children := []string{"<failure message='no'/>", "<error>x</error>", "<skipped/>", "<system-out>password=hunter2x</system-out>", "<flakyFailure/>", "&#27;", "&", "</testcase"}
	rapid.Check(t, func(r *rapid.T) {
		var in strings.Builder
		in.WriteString("<testsuites>")
		for range rapid.IntRange(0, 8).Draw(r, "cases") {
			in.WriteString("<testcase name='c'")
			if rapid.Bool().Draw(r, "timed") {
				in.WriteString(" timestamp='2026-11-20T00:00:00'")
			}
			in.WriteString("><properties>")
			for _, p := range rapid.SliceOfN(rapid.SampledFrom(properties), 0, 5).Draw(r, "properties") {
				name, value, _ := strings.Cut(p, "=")
				fmt.Fprintf(&in, "<property name='%s' value='%s'/>", name, value)
			}
			in.WriteString("</properties>")
			in.WriteString(strings.Join(rapid.SliceOfN(rapid.SampledFrom(children), 0, 2).Draw(r, "children"), ""))
			in.WriteString("</testcase>\n")
		}
		in.WriteString("</testsuites>")
		var k kept
		receipt, err := intake.Run(t.Context(), posture.Access{}, &k, intake.FromBytes("r.xml", []byte(in.String())), intake.Options{Now: now})
		if err != nil && posture.KindOf(err) != posture.Invalid {
			r.Fatal(err)
		}
		n, o := receipt.Records, receipt.Outcomes
		refused := 0
		for i, p := range receipt.Problems {
			if p.Severity == "refused" && p.Record > 0 {
				refused++
			}
			if i > 0 && p.Line < receipt.Problems[i-1].Line {
				r.Fatalf("problems out of order: %+v", receipt.Problems)
			}
		}
		switch {
		case n.Read != n.Stored+n.Refused, o.Pass+o.Fail+o.Error+o.Skipped+o.Inconclusive+o.Incomplete != n.Stored, receipt.Mapped+receipt.Unmapped != n.Stored:
			r.Fatalf("the counts do not add up: %+v", receipt)
		case err == nil && (refused != n.Refused || n.Stored != len(k.results) || n.Stored == 0):
			r.Fatalf("%d refusals and %d results told, receipt %+v", refused, len(k.results), receipt)
		case err != nil && n.Stored != 0:
			r.Fatalf("refused and stored: %+v", receipt)
		case bytes.Contains(k.copy, []byte("hunter2x")), err == nil && receipt.StoredSHA256 != sum(k.copy):
			r.Fatalf("stored copy %s", k.copy)
		}
	})
}
