package intake

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A glob means what the regular expression with .* and . for its marks means.
func TestGlobIsItsExpression(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		glob := rapid.StringOfN(rapid.SampledFrom([]rune("ab*?é")), 1, 8, -1).Draw(r, "glob")
		s := rapid.StringOfN(rapid.SampledFrom([]rune("abé\n")), 0, 10, -1).Draw(r, "text")
		p, err := compilePattern(glob)
		if err != nil {
			r.Fatal(err)
		}
		expression := strings.NewReplacer("*", ".*", "?", ".").Replace(glob)
		want := regexp.MustCompile("^(?s:" + expression + ")$").MatchString(s)
		if got := p.match(s) != nil; got != want {
			r.Fatalf("%q on %q is %v, want %v", glob, s, got, want)
		}
	})
}
