package intake

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"demarc/store/posture"
)

// pattern is a glob, or a regular expression where written in slashes. The
// zero pattern matches everything.
type pattern struct {
	glob   []string
	regexp *regexp.Regexp
}

func compilePattern(s string) (pattern, error) {
	if s == "" {
		return pattern{}, nil
	}
	if len(s) > 1 && s[0] == '/' && s[len(s)-1] == '/' {
		re, err := regexp.Compile(s[1 : len(s)-1])
		if err != nil {
			return pattern{}, fmt.Errorf("%q is no regular expression: %w", s, err)
		}
		return pattern{regexp: re}, nil
	}
	return pattern{glob: strings.Split(s, "*")}, nil
}

// match gives the groups of a match, the whole text first; nil for none.
func (p *pattern) match(s string) []string {
	switch {
	case p.regexp != nil:
		return p.regexp.FindStringSubmatch(s)
	case p.glob == nil || matchGlob(p.glob, s):
		return []string{s}
	default:
		return nil
	}
}

// matchGlob matches the pieces between stars, in which ? is any one character.
func matchGlob(pieces []string, s string) bool {
	n, ok := pieceAt(pieces[0], s)
	if !ok {
		return false
	}
	s = s[n:]
	if len(pieces) == 1 {
		return s == ""
	}
	for _, piece := range pieces[1 : len(pieces)-1] {
		at, n := findPiece(piece, s)
		if at < 0 {
			return false
		}
		s = s[at+n:]
	}
	last := pieces[len(pieces)-1]
	if strings.IndexByte(last, '?') < 0 {
		return strings.HasSuffix(s, last)
	}
	for ; ; s = s[width(s):] {
		if n, ok := pieceAt(last, s); ok && n == len(s) {
			return true
		}
		if s == "" {
			return false
		}
	}
}

// findPiece gives the first place of a piece and its length there, -1 for
// none.
func findPiece(piece, s string) (at, n int) {
	if strings.IndexByte(piece, '?') < 0 {
		return strings.Index(s, piece), len(piece)
	}
	for {
		if n, ok := pieceAt(piece, s[at:]); ok {
			return at, n
		}
		if at == len(s) {
			return -1, 0
		}
		at += width(s[at:])
	}
}

// pieceAt says whether s begins with a piece and how many bytes it takes.
func pieceAt(piece, s string) (n int, ok bool) {
	for i := range len(piece) {
		if n == len(s) {
			return 0, false
		}
		if piece[i] == '?' {
			n += width(s[n:])
			continue
		}
		if piece[i] != s[n] {
			return 0, false
		}
		n++
	}
	return n, true
}

func width(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

var mark = regexp.MustCompile(`\{[^{}]*\}`)

// checkMarks says what is wrong with the marks of a text.
func (p *pattern) checkMarks(text string) error {
	groups := 0
	if p.regexp != nil {
		groups = p.regexp.NumSubexp()
	}
	for _, m := range mark.FindAllString(text, -1) {
		switch n, err := strconv.Atoi(m[1 : len(m)-1]); {
		case m == "{name}", m == "{suite}":
		case err != nil || n < 1:
			return fmt.Errorf("uses %s; known are {name}, {suite} and the groups of name as {1}, {2} …", m)
		case n > groups:
			return fmt.Errorf("uses %s, and name has %d groups", m, groups)
		}
	}
	return nil
}

func fill(text string, r *posture.Result, groups []string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return mark.ReplaceAllStringFunc(text, func(m string) string {
		switch m {
		case "{name}":
			return r.Name
		case "{suite}":
			return r.Suite
		default:
			n, _ := strconv.Atoi(m[1 : len(m)-1]) // checked when the rule was read
			return groups[n]
		}
	})
}
