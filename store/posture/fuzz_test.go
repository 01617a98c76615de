package posture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

// FuzzReadWorlds holds the reader against encoding/json: what it reads is
// valid JSON, what it refuses is named, and what it reads can be judged and
// explained.
func FuzzReadWorlds(f *testing.F) {
	whole, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		f.Fatal(err)
	}
	var each []json.RawMessage
	if err := json.Unmarshal(whole, &each); err != nil {
		f.Fatal(err)
	}
	for _, world := range each {
		f.Add([]byte(world))
	}
	f.Add([]byte(fullWorld))
	f.Add([]byte("\ufeff[" + worldWith("day", "1.20e2") + "]"))
	f.Add([]byte(worldWith("name", `"\ud83d\ude00 \ud800"`)))
	f.Add([]byte(worldWith("want", `[{"a":[null,true,-0.5e+1]}]`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		worlds, _, err := posture.ReadWorlds(bytes.NewReader(text))
		if err != nil {
			var fault *posture.WorldError
			if !errors.As(err, &fault) || fault.Text == "" || fault.Line < 1 {
				t.Fatalf("%v is no WorldError with a line and a text", err)
			}
			return
		}
		if !json.Valid(bytes.TrimPrefix(text, []byte("\ufeff"))) {
			t.Fatal("read what is no JSON")
		}
		for i := range worlds {
			w := &worlds[i]
			v, _ := posture.Explain(&w.Facts, w.Known, w.At)
			if diff := cmp.Diff(w.Judge(), v); diff != "" {
				t.Fatalf("judged twice:\n%s", diff)
			}
		}
	})
}
