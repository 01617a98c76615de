package catalogue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/importers/catalogue"
)

// FuzzRead feeds both files at once. Whatever comes in, Read ends with a catalogue that keeps its rules
// or with a sentence that names a file; it never panics.
func FuzzRead(f *testing.F) {
	catalogueText, linksText := small(f)
	f.Add(catalogueText, linksText)
	f.Add("", "")
	f.Add(catalogueText, linksText[:len(linksText)/2])
	f.Add(catalogueText[:len(catalogueText)/2], linksText)
	f.Add(strings.ReplaceAll(catalogueText, "\n", "\r\n"), strings.ReplaceAll(linksText, "  ", "\t"))
	f.Add("a: {b: [c, {d: e}]}\n", "? a\n: &b c\n")
	f.Add("- - -\n", "a: |\n  b\n---\n...\n")
	f.Add("vocab: [", "{}: }\n")
	f.Fuzz(func(t *testing.T, catalogueText, linksText string) {
		c, err := catalogue.Read(strings.NewReader(catalogueText), strings.NewReader(linksText))
		if err != nil {
			if c != nil || (!strings.HasPrefix(err.Error(), "catalogue.yaml:") && !strings.HasPrefix(err.Error(), "links.yaml:")) {
				t.Fatalf("catalogue %v with error %q", c, err)
			}
			return
		}
		again := read(t, catalogueText, linksText)
		if diff := cmp.Diff(c, again); diff != "" {
			t.Fatalf("second reading differs:\n%s", diff)
		}
		checkRules(t, c)
	})
}

// checkRules holds what every catalogue that was read keeps.
func checkRules(t *testing.T, c *catalogue.Catalogue) {
	t.Helper()
	for _, s := range c.Systems {
		if found, ok := c.System(s.ID); !ok || found.ID != s.ID {
			t.Fatalf("system %q is not found", s.ID)
		}
		for _, k := range s.Claims {
			if _, ok := c.Claim(k.ID); !ok {
				t.Fatalf("claim %q is not found", k.ID)
			}
			if k.Stated == (k.Question != 0) {
				t.Fatalf("claim %q: stated %t with question %d", k.ID, k.Stated, k.Question)
			}
			if on, basis := k.SeenOn(); on.IsZero() || basis == "" {
				t.Fatalf("claim %q has no date", k.ID)
			}
		}
		for _, d := range s.Evidence() {
			if d.ObservedAt.After(c.CollectedOn.First) || d.Kind == "none" || d.Words == "" {
				t.Fatalf("draft %+v", d)
			}
		}
	}
}
