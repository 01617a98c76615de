package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goldenFile = "../../store/posture/testdata/golden.json"

func TestJudgeGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := judge(bytes.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
	var worlds []struct {
		Name string
		Want map[string]any
	}
	var got []map[string]any
	if err := errors.Join(json.Unmarshal(text, &worlds), json.Unmarshal(out.Bytes(), &got)); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(worlds) {
		t.Fatalf("%d answers for %d worlds", len(got), len(worlds))
	}
	for i, w := range worlds {
		for key, want := range w.Want {
			if diff := cmp.Diff(want, got[i][key]); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", w.Name, key, diff)
			}
		}
		if got[i]["name"] != w.Name {
			t.Errorf("answer %d is named %v, want %q", i, got[i]["name"], w.Name)
		}
	}
}

func TestJudgeOneWorldAnswersOneObject(t *testing.T) {
	t.Parallel()
	const world = `{"name":"a<b","statement":"FS-1","target":{"vendor":"V","product":"P","variant":"m","region":"eu"},"day":300,"required":"documented",
		"paths":["x"],"evidence":[
		{"id":"w","kind":"documentation","statement":"FS-1","identity":{"vendor":"V","product":"P","variant":"m","region":"us"},"observed_day":100,"polarity":"supports"}],
		"acceptances":[{"id":"A-1","statement":"FS-1","covers":[],"shortfall":true,"identity":{}}]}`
	const want = `{
  "name": "a<b",
  "label": "stale",
  "evidence_state": "stale",
  "rung": "not_stated",
  "best_ever": "documented",
  "met": false,
  "open_negatives": [],
  "acceptance": "",
  "reasons": [
    "expired",
    "drifted"
  ],
  "paths": {
    "tested": 0,
    "known": 1
  }
}
`
	var out bytes.Buffer
	if err := judge(strings.NewReader(world), &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestJudgeEmptyArray(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := judge(strings.NewReader("[]"), &out); err != nil || out.String() != "[\n]\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestJudgeCommand(t *testing.T) {
	t.Parallel()
	world := `{"name":"good","statement":"FS-1","target":{},"day":1,"required":"tested","evidence":[]}`
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("["+world+",\n"+strings.Replace(world, "tested", "testd", 1)+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, stdin, want string }{
		"fault in a file":  {bad, "", bad + `:2: worlds[1].required ("good"): unknown value "testd"; allowed: not_stated, claimed, documented, attested, configured, tested`},
		"fault in a pipe":  {"-", "{}", `standard input:1: the key "statement" is missing`},
		"no such file":     {bad + ".not", "", "cannot read the file: open " + bad + ".not: no such file or directory"},
		"a folder":         {filepath.Dir(bad), "", filepath.Dir(bad) + " is a folder: name a file, or - for standard input"},
		"good from a pipe": {"-", world, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := judgeCmd{File: c.file}.Run(&env{Stdin: strings.NewReader(c.stdin), Stdout: &out})
			if c.want == "" {
				if err != nil || !strings.Contains(out.String(), `"label": "not_stated"`) {
					t.Errorf("got %v and %q", err, out.String())
				}
				return
			}
			var input *inputError
			if !errors.As(err, &input) || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if out.Len() > 0 {
				t.Errorf("standard output holds %q", out.String())
			}
		})
	}
}
