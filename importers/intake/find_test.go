package intake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"demarc/importers/intake"
)

func TestFindSidecar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string
		found bool
		want  string
	}{
		{"none", nil, false, ""},
		{"whole name", map[string]string{"r.xml.identity.json": `{"runtime": "a"}`}, true, ""},
		{"stem", map[string]string{"r.identity.yml": "runtime: a\n"}, true, ""},
		{"two", map[string]string{"r.identity.yaml": "runtime: a\n", "r.xml.identity.json": "{}"}, false, "keep one"},
		{"fault", map[string]string{"r.identity.yaml": "a: b\n"}, false, "r.identity.yaml:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range c.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, found, err := intake.FindSidecar(filepath.Join(dir, "r.xml"), nil)
			switch {
			case c.want != "":
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			case err != nil || found != c.found || found != (s.Runtime == "a"):
				t.Errorf("got %+v, %v, %v", s, found, err)
			}
		})
	}
}
