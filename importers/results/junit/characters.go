package junit

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf8"

	"demarc/importers"
)

// odd takes a character that may be illegal or no UTF-8.
func (f *filter) odd(in []byte) int {
	r, size := utf8.DecodeRune(in)
	switch {
	case r == utf8.RuneError && size == 1 && in[0] >= utf8.RuneSelf:
		count(&f.broken, &f.brokenLine, f.ahead.line)
	case !legal(r):
		count(&f.replaced, &f.replacedLine, f.ahead.line)
	default:
		f.copy(in[:size])
		return size
	}
	f.copy([]byte("\uFFFD"))
	return size
}

// reference takes an ampersand with what belongs to it. A bare one is left to
// the decoder, which stops there.
func (f *filter) reference(in []byte) int {
	end := bytes.IndexByte(in[:min(len(in), maxName)], ';')
	if end < 2 {
		f.copy(in[:1])
		return 1
	}
	name := string(in[1:end])
	switch {
	case name == "lt", name == "gt", name == "amp", name == "quot", name == "apos":
	case name[0] == '#':
		if r, ok := charOf(name[1:]); ok && !legal(r) {
			count(&f.replaced, &f.replacedLine, f.ahead.line)
			f.whole([]byte("\uFFFD"))
			return end + 1
		}
	case isName(name):
		f.err = importers.Refuse(f.ahead.line, "refers to the entity &%s;, and entities are never read; write the text itself", name)
		return len(in)
	}
	f.whole(in[:end+1])
	return end + 1
}

// whole copies bytes that mean nothing in part.
func (f *filter) whole(b []byte) {
	if f.state != inTag && f.run <= maxText && f.run+len(b) > maxText {
		f.run = maxText
	}
	f.copy(b)
}

func charOf(digits string) (rune, bool) {
	base := 10
	if len(digits) > 0 && digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if errors.Is(err, strconv.ErrRange) || (err == nil && n > utf8.MaxRune) {
		return utf8.MaxRune + 1, true
	}
	return rune(n), err == nil
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':' || c >= utf8.RuneSelf
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-' && c != '.') {
			return false
		}
	}
	return true
}

// legal says whether XML 1.0 allows the character.
func legal(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xd7ff ||
		r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= utf8.MaxRune
}

func count(n, first *int, line int) {
	if *n == 0 {
		*first = line
	}
	*n++
}
