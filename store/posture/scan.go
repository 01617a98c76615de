package posture

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// scanner reads one JSON text from a stream, value by value. It is stricter
// than encoding/json: broken UTF-8, lone surrogates and duplicate keys are
// errors, names are matched by case, and it knows the line it stands on.
type scanner struct {
	in   *bufio.Reader
	line int
	buf  []byte
	// words keeps strings that repeat, such as statement ids and facet values.
	words map[string]string
}

const (
	maxDepth = 1000
	maxWords = 1 << 14
)

// syntaxError is a fault of the text itself.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

const errEnds = syntaxError("the text ends too early")

func newScanner(r io.Reader) *scanner {
	s := &scanner{in: bufio.NewReaderSize(r, 64<<10), line: 1, words: map[string]string{}}
	if bom, _ := s.in.Peek(3); string(bom) == "\ufeff" {
		_, _ = s.in.Discard(len(bom)) // three bytes that Peek has just shown cannot fail
	}
	return s
}

func (s *scanner) readByte() (byte, error) {
	c, err := s.in.ReadByte()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return 0, errEnds
		}
		return 0, fmt.Errorf("read: %w", err)
	}
	if c == '\n' {
		s.line++
	}
	return c, nil
}

// next skips white space and gives the first byte of the next token.
func (s *scanner) next() (byte, error) {
	for {
		c, err := s.readByte()
		if err != nil || (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
			return c, err
		}
	}
}

// peek is next without taking the byte.
func (s *scanner) peek() (byte, error) {
	c, err := s.next()
	if err == nil {
		err = s.in.UnreadByte()
	}
	return c, err
}

// end makes sure that nothing but white space follows.
func (s *scanner) end() error {
	c, err := s.next()
	switch {
	case err == nil:
		return syntaxError(fmt.Sprintf("text follows the end of the JSON value: %q", rune(c)))
	case errors.Is(err, errEnds):
		return nil
	default:
		return err
	}
}

// expect takes one byte, or says what stands there instead.
func (s *scanner) expect(want byte, what string) error {
	c, err := s.next()
	if err != nil {
		return err
	}
	if c != want {
		if err := s.in.UnreadByte(); err != nil {
			return err
		}
		return s.found(what)
	}
	return nil
}

// found says what was expected and what kind of value stands at the next byte.
func (s *scanner) found(what string) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	seen := strconv.QuoteToASCII(string([]byte{c}))
	switch {
	case c == '"':
		text, err := s.text()
		if err != nil {
			return err
		}
		seen = "the string " + strconv.Quote(text)
	case c == '{':
		seen = "an object"
	case c == '[':
		seen = "an array"
	case c == '-' || (c >= '0' && c <= '9'):
		number, err := s.number()
		if err != nil {
			return err
		}
		seen = "the number " + number
	case c == 't' || c == 'f' || c == 'n':
		word, err := s.literal()
		if err != nil {
			return err
		}
		seen = word
	}
	return syntaxError("expected " + what + ", found " + seen)
}

// number reads a number by the grammar of JSON and gives it as written.
func (s *scanner) number() (string, error) {
	c, err := s.next()
	s.buf = s.buf[:0]
	for err == nil && (c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E' || (c >= '0' && c <= '9')) {
		s.buf = append(s.buf, c)
		c, err = s.readByte()
	}
	if err != nil && !errors.Is(err, errEnds) {
		return "", err
	}
	if err == nil {
		if c == '\n' {
			s.line--
		}
		if err := s.in.UnreadByte(); err != nil {
			return "", err
		}
	}
	n := string(s.buf)
	if !isNumber(n) {
		return "", syntaxError(strconv.Quote(n) + " is no number")
	}
	return n, nil
}

// isNumber holds s against the grammar of RFC 8259 §6.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digitsOf(s)
	if whole == 0 || (whole > 1 && s[0] == '0') {
		return false
	}
	s = s[whole:]
	if fraction, found := strings.CutPrefix(s, "."); found {
		n := digitsOf(fraction)
		if n == 0 {
			return false
		}
		s = fraction[n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '-' || s[0] == '+') {
			s = s[1:]
		}
		n := digitsOf(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func digitsOf(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// literal reads true, false or null.
func (s *scanner) literal() (string, error) {
	c, err := s.next()
	if err != nil {
		return "", err
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if word[0] != c {
			continue
		}
		for i := 1; i < len(word); i++ {
			got, err := s.readByte()
			if err != nil {
				return "", err
			}
			if got != word[i] {
				return "", syntaxError(fmt.Sprintf("%q is no JSON value", word[:i]+string(rune(got))))
			}
		}
		return word, nil
	}
	return "", syntaxError(fmt.Sprintf("%q is no JSON value", rune(c)))
}

// skip reads any value and forgets it.
func (s *scanner) skip(depth int) error {
	if depth > maxDepth {
		return syntaxError(fmt.Sprintf("nested deeper than %d levels", maxDepth))
	}
	c, err := s.peek()
	if err != nil {
		return err
	}
	switch {
	case c == '{':
		return s.object(func(string) error { return s.skip(depth + 1) })
	case c == '[':
		return s.array(func(int) error { return s.skip(depth + 1) })
	case c == '"':
		_, err = s.text()
	case c == '-' || (c >= '0' && c <= '9'):
		_, err = s.number()
	default:
		_, err = s.literal()
	}
	return err
}

// object reads an object; member is called at each value.
func (s *scanner) object(member func(key string) error) error {
	return s.list('{', '}', "an object", func(int) error {
		if c, err := s.peek(); err != nil {
			return err
		} else if c != '"' {
			return s.found("a key in quotes")
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if err := s.expect(':', `":" after the key `+strconv.Quote(key)); err != nil {
			return err
		}
		return member(key)
	})
}

// array reads an array; element is called at each value with its index.
func (s *scanner) array(element func(i int) error) error {
	return s.list('[', ']', "an array", element)
}

func (s *scanner) list(open, shut byte, what string, item func(i int) error) error {
	if err := s.expect(open, what); err != nil {
		return err
	}
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c == shut {
		return s.expect(shut, what)
	}
	for i := 0; ; i++ {
		if err := item(i); err != nil {
			return err
		}
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == shut:
			return nil
		case c != ',':
			return syntaxError(fmt.Sprintf("expected \",\" or %q, found %q", rune(shut), rune(c)))
		}
	}
}
