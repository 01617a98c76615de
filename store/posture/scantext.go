package posture

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string.
func (s *scanner) text() (string, error) {
	if c, err := s.peek(); err != nil {
		return "", err
	} else if c != '"' {
		return "", s.found("a string")
	}
	if err := s.expect('"', "a string"); err != nil {
		return "", err
	}
	s.buf = s.buf[:0]
	plain := true
	for {
		c, err := s.readByte()
		switch {
		case err != nil:
			return "", err
		case c == '"':
			if !plain && !utf8.Valid(s.buf) {
				return "", syntaxError("the text is not UTF-8: save the file as UTF-8")
			}
			return s.word(), nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return "", err
			}
		case c < 0x20:
			return "", syntaxError(fmt.Sprintf("control character %#02x inside a string: write it as an escape", c))
		default:
			plain = plain && c < utf8.RuneSelf
			s.buf = append(s.buf, c)
		}
	}
}

// word gives the buffer as a string, shared with earlier equal ones.
func (s *scanner) word() string {
	if w, ok := s.words[string(s.buf)]; ok {
		return w
	}
	w := string(s.buf)
	if len(s.words) < maxWords {
		s.words[w] = w
	}
	return w
}

func (s *scanner) escape() error {
	c, err := s.readByte()
	if err != nil {
		return err
	}
	if c == 'u' {
		return s.unicodeEscape()
	}
	i := strings.IndexByte(`"\/bfnrt`, c)
	if i < 0 {
		return syntaxError(fmt.Sprintf("unknown escape \\%c inside a string", c))
	}
	s.buf = append(s.buf, "\"\\/\b\f\n\r\t"[i])
	return nil
}

func (s *scanner) unicodeEscape() error {
	r, err := s.hex4()
	if err != nil {
		return err
	}
	if utf16.IsSurrogate(r) {
		const lone = syntaxError("half of a surrogate pair inside a string")
		for _, want := range []byte(`\u`) {
			c, err := s.readByte()
			if err != nil {
				return err
			}
			if c != want {
				return lone
			}
		}
		low, err := s.hex4()
		if err != nil {
			return err
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return lone
		}
	}
	s.buf = utf8.AppendRune(s.buf, r)
	return nil
}

func (s *scanner) hex4() (rune, error) {
	var digits [4]byte
	for i := range digits {
		c, err := s.readByte()
		if err != nil {
			return 0, err
		}
		digits[i] = c
	}
	n, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return 0, syntaxError(fmt.Sprintf("\\u%s is no escape: four hexadecimal digits follow \\u", digits[:]))
	}
	return rune(n), nil
}
