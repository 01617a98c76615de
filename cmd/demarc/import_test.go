package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

// pair is a report whose two cases prove FS-1 on the target it names.
const pair = `<testsuite name="files" timestamp="2026-11-01T09:00:00Z">
<properties><property name="demarc.statement" value="FS-1"/><property name="demarc.case" value="XS-01"/>
<property name="demarc.control_before" value="yes"/><property name="demarc.control_after" value="yes"/></properties>
<testcase name="owner reads"><properties><property name="demarc.expected" value="permit"/></properties></testcase>
<testcase name="other reads"><properties><property name="demarc.expected" value="deny"/></properties><system-out>token=abc</system-out></testcase>
</testsuite>`

var targetArgs = []string{
	"--vendor", "V", "--product", "P", "--variant", "microVM", "--version", "1", "--image", "sha256:aa", "--policy", "p1", "--config", "c1", "--region", "eu",
}

// demarc runs a command and gives its exit code and what it wrote.
func demarc(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e output
	code = run(t.Context(), args, &env{Stdin: strings.NewReader(stdin), Stdout: &o, Stderr: &e, Getenv: os.Getenv})
	return code, o.String(), e.String()
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImportDryRunPrintsOneObject(t *testing.T) {
	t.Parallel()
	code, out, errs := demarc(t, pair, "import", "--dry-run", "--json", "-")
	if code != exitDone || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"file": "standard input", "format": "junit", "sha256": got["sha256"], "stored_sha256": got["stored_sha256"],
		"records":  map[string]any{"read": 2.0, "stored": 2.0, "refused": 0.0},
		"outcomes": map[string]any{"pass": 2.0, "fail": 0.0, "error": 0.0, "skipped": 0.0, "inconclusive": 0.0, "incomplete": 0.0},
		"mapped":   2.0, "unmapped": 0.0, "identity": map[string]any{}, "completeness": "complete", "truncated": false, "redacted": 1.0,
		"attributed": false,
		"problems": []any{map[string]any{
			"line": 0.0, "severity": "warning", "what": "no runtime is named: the run is unattributed and reaches no cell; say --runtime",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got["sha256"] == got["stored_sha256"] {
		t.Error("the stored copy has the digest of the received bytes although a secret was redacted")
	}
}

func TestImportSeveralFilesInOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := write(t, dir, "good.xml", pair)
	write(t, dir, "good.identity.yaml", "runtime: case-assistant\nversion: 2\ntester: Ines\n")
	bad := write(t, dir, "bad.xml", "<testsuites>\n<!DOCTYPE a>")
	missing := filepath.Join(dir, "missing.xml")
	code, out, errs := demarc(t, "", "import", "--dry-run", "--json", "--config", "c9", bad, good, missing)
	wantErr := "demarc: 2 of 3 files were refused: " + bad + ":2: declares a document type (DOCTYPE or ENTITY), which is never read; remove the declaration; " +
		missing + ": there is no such file\n"
	if code != exitInput || errs != wantErr {
		t.Errorf("exit %d: %s", code, errs)
	}
	var got []posture.Receipt
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].File != "bad.xml" || got[1].Records.Stored != 2 || got[2].File != missing {
		t.Fatalf("receipts %+v", got)
	}
	if p := got[0].Problems; len(p) != 1 || p[0].Line != 2 || p[0].Severity != "refused" {
		t.Errorf("problems %+v", p)
	}
	if diff := cmp.Diff(map[string]string{"version": "2", "config": "c9"}, got[1].Identity); diff != "" || got[1].Runtime != "case-assistant" {
		t.Errorf("identity of %s (-want +got):\n%s", got[1].Runtime, diff)
	}
}

func TestImportSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	report := write(t, dir, "r.xml", "<testsuite><testcase name='a'/></testsuite>")
	rules := write(t, dir, "rules.yaml", "version: 1\nrules:\n  - name: a\n    statement: ZZ-9\n")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no time", []string{report}, report + ":1: no record can be stored: the file gives no time for this record; say when it was observed with --observed-at"},
		{"observed at", []string{"--observed-at", "soon", report}, `--observed-at "soon" is not a date or time; write 2026-11-23T09:15:00Z`},
		{"future", []string{"--observed-at", "2999-01-01", report}, "lies after now"},
		{"zone", []string{"--zone", "Mars", report}, `--zone "Mars" is no time zone; write Europe/Berlin, +02:00 or UTC`},
		{"receiver", []string{"--receiver", "search:colour=red", report}, `--receiver "search:colour=red" is not SLUG:FACET=VALUE; facets are vendor, product`},
		{"receiver twice", []string{"--receiver", "s:version=1", "--receiver", "s:version=2", report}, "--receiver gives s two values of version; give one"},
		{"mapping", []string{"--map", rules, report}, rules + `:4: rule 1: the statement "ZZ-9" is not in the library`},
		{"mapping missing", []string{"--map", "nowhere", report}, "nowhere"},
		{"format", []string{"--format", "sarif", report}, `the format "sarif" is not read here; accepted: auto, junit`},
		{"folder", []string{dir}, " is a folder; name a file, or - for standard input"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, _, errs := demarc(t, "", append([]string{"import", "--dry-run"}, c.args...)...)
			if code != exitInput || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit %d: %s\nwant %s", code, errs, c.want)
			}
		})
	}
}

func TestImportInWords(t *testing.T) {
	t.Parallel()
	const report = "<testsuite>\n<testcase name='a'/>\n<testcase name='b'/>\n<testcase name='c' timestamp='2026-11-01T00:00:00Z'/></testsuite>"
	code, out, errs := demarc(t, report, append([]string{"import", "--dry-run", "-"}, targetArgs...)...)
	want := `standard input: 3 read = 1 to store + 2 refused
  format     junit, complete
  outcomes   1 pass
  mapped     0, unmapped 1
  runtime    none named: unattributed, reaches no cell
  identity   vendor V, product P, variant microVM, version 1, image sha256:aa, policy p1, config c1, region eu
  received   sha256:DIGEST
  kept as    sha256:DIGEST
  warning    no runtime is named: the run is unattributed and reaches no cell; say --runtime
  refused    line 2 and 1 more: the file gives no time for this record; say when it was observed with --observed-at
`
	got := regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(out, "DIGEST")
	if diff := cmp.Diff(want, got); code != exitDone || errs != "" || diff != "" {
		t.Errorf("exit %d: %s\n%s", code, errs, diff)
	}
}

// The main job from the command line: a pair on the exact target lifts its
// cell, and the same bytes again change nothing.
func TestImportMovesACell(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	db, err := database{DataDir: dir}.open(t.Context(), &env{Stderr: &output{}, Getenv: os.Getenv}, "test", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.CreateRuntime(t.Context(), localAccess(), posture.Runtime{
		Slug: "case-assistant", Name: "Case assistant", Purpose: "Answers case workers’ questions.", Stage: posture.StageInUse,
		Owner: "J. Lindqvist", RiskOwner: "Ines Marchetti", DataClass: "confidential", Profile: "first_review",
		Target: posture.Target{Identity: posture.Identity{
			posture.Vendor: "V", posture.Product: "P", posture.Variant: "microVM", posture.Version: "1", posture.Image: "sha256:aa",
			posture.Policy: "p1", posture.Config: "c1", posture.Region: "eu",
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	report := write(t, dir, "r.xml", pair)
	args := append([]string{"import", "--data-dir", dir, "--runtime", "case-assistant", report}, targetArgs...)
	code, out, errs := demarc(t, "", args...)
	if code != exitDone || !strings.Contains(out, "2 read = 2 stored + 0 refused") || !strings.Contains(out, "FS-1 at case-assistant: not stated → tested") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs = demarc(t, "", args...); code != exitDone || !strings.Contains(out, "nothing changed") {
		t.Errorf("again: exit %d: %s%s", code, out, errs)
	}
	other := write(t, dir, "other.xml", pair+"\n")
	args = []string{"import", "--data-dir", dir, "--runtime", "nobody", other}
	if code, _, errs = demarc(t, "", args...); code != exitInput || !strings.Contains(errs, "There is no runtime nobody") {
		t.Errorf("unknown runtime: exit %d: %s", code, errs)
	}
}
