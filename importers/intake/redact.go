package intake

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

const (
	// lookBack is how much of what was already given a matcher may look at, to
	// find the name before a value.
	lookBack = 256
	// window is how far a secret is followed before it must be decided; what
	// continues beyond it is dropped with it.
	window = 64 << 10
	// readSize is how much is read at once.
	readSize = 64 << 10
)

// redactor gives a text in which every secret that the matchers know is
// replaced by "[redacted: kind]". Line ends inside a secret stay, so that line
// numbers keep their meaning; nothing it writes has a meaning in XML, JSON or
// CSV. What is redacted already is left alone. It holds at most a few hundred
// kilobytes, whatever the lines are like.
type redactor struct {
	src io.Reader
	// buf holds what was read; before done it is given or dropped and kept for
	// looking back, from floor on.
	buf         []byte
	done, floor int
	ended       bool
	err         error
	out         []byte
	// swallow drops the rest of a secret that outgrew the window.
	swallow func(byte) bool
	// found counts the secrets replaced.
	found int
}

func newRedactor(src io.Reader) *redactor {
	return &redactor{src: src, buf: make([]byte, 0, 2*window+readSize)}
}

// redact replaces the secrets of a short text and counts them.
func redact(s string) (clean string, found int) {
	if !mayHold(s) {
		return s, 0
	}
	r := redactor{buf: []byte(s), ended: true, err: io.EOF}
	r.scan()
	if r.found == 0 {
		return s, 0
	}
	return string(r.out), r.found
}

// mayHold is a cheap test that most names fail. It stands behind the pass over
// the bytes, which found what needs no sign beside it.
func mayHold(s string) bool {
	return len(s) > 6 && (strings.ContainsAny(s, "=:-_") || strings.Contains(s, "earer ") || strings.Contains(s, "asic "))
}

// Read gives redacted bytes.
func (r *redactor) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.ended && r.done == len(r.buf) {
			return 0, r.err
		}
		if !r.ended {
			r.fill()
		}
		r.scan()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// fill drops what is no longer looked at and reads on.
func (r *redactor) fill() {
	if drop := r.done - lookBack; drop > 0 {
		r.buf = append(r.buf[:0], r.buf[drop:]...)
		r.done -= drop
		r.floor = max(0, r.floor-drop)
	}
	start := len(r.buf)
	r.buf = append(r.buf, make([]byte, readSize)...)
	n, err := r.src.Read(r.buf[start:])
	r.buf = r.buf[:start+n]
	if err != nil {
		r.ended, r.err = true, err
		if !errors.Is(err, io.EOF) {
			r.done = len(r.buf) // a text that cannot be read whole is not given on
		}
	}
}

// scan moves what is decided from buf to out.
func (r *redactor) scan() {
	r.out = r.out[:0]
	r.drain()
	i := r.done
	for i < len(r.buf) {
		if !triggers[r.buf[i]] {
			i++
			continue
		}
		t := text{b: r.buf, floor: r.floor, whole: r.ended || len(r.buf)-i >= window}
		m, ok := t.match(i)
		switch {
		case t.short && !ok:
			r.give(i)
			return
		case ok:
			i = r.replace(m, t.open)
		default:
			i++
		}
	}
	r.give(len(r.buf))
}

// drain drops what continues a secret.
func (r *redactor) drain() {
	if r.swallow == nil {
		return
	}
	for r.done < len(r.buf) && r.swallow(r.buf[r.done]) {
		if r.buf[r.done] == '\n' {
			r.out = append(r.out, '\n')
		}
		r.done++
	}
	r.floor = r.done
	if r.done < len(r.buf) || r.ended {
		r.swallow = nil
	}
}

func (r *redactor) give(to int) {
	r.out = append(r.out, r.buf[r.done:to]...)
	r.done = to
}

// replace writes the mark of a secret and gives where scanning goes on.
func (r *redactor) replace(m match, open func(byte) bool) int {
	r.give(m.start)
	r.out = append(r.out, "[redacted: "+m.kind+"]"...)
	for range bytes.Count(r.buf[m.start:m.end], []byte{'\n'}) {
		r.out = append(r.out, '\n')
	}
	r.done, r.floor = m.end, m.end
	r.found++
	if !r.ended && m.end == len(r.buf) {
		r.swallow = open
	}
	return m.end
}

// references resolves character references to plain ASCII letters, digits and
// the marks that secrets are made of, in XML: a secret spelled in references is
// one all the same. The text means what it meant.
type references struct {
	src  io.Reader
	buf  []byte
	next int
	err  error
}

const longestReference = 12

func (r *references) Read(p []byte) (int, error) {
	for r.next == len(r.buf) {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.buf[r.next:])
	r.next += n
	return n, nil
}

// fill reads a block that ends in no half reference.
func (r *references) fill() {
	r.buf, r.next = r.buf[:0], 0
	for {
		start := len(r.buf)
		r.buf = append(r.buf, make([]byte, readSize)...)
		n, err := r.src.Read(r.buf[start:])
		r.buf = r.buf[:start+n]
		r.err = err
		last := bytes.LastIndexByte(r.buf[max(0, len(r.buf)-longestReference):], '&')
		if err != nil || last < 0 {
			break
		}
	}
	r.buf = resolve(r.buf)
}

// resolve works in place.
func resolve(b []byte) []byte {
	if !bytes.Contains(b, []byte("&#")) {
		return b
	}
	out := b[:0]
	for i := 0; i < len(b); {
		if c, n := reference(b[i:]); n > 0 && isPlain(c) {
			out = append(out, c)
			i += n
			continue
		}
		out = append(out, b[i])
		i++
	}
	return out
}

// reference reads a numeric reference to an ASCII character; n is its length,
// 0 for none.
func reference(b []byte) (c byte, n int) {
	if len(b) < 4 || b[0] != '&' || b[1] != '#' {
		return 0, 0
	}
	i, base := 2, 10
	if b[2] == 'x' {
		i, base = 3, 16
	}
	value, digits := 0, 0
	for ; i < len(b) && digits < 8; i++ {
		d := bytes.IndexByte([]byte("0123456789abcdef"), b[i]|0x20)
		if b[i] >= '0' && b[i] <= '9' {
			d = int(b[i] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		value, digits = value*base+d, digits+1
	}
	if digits == 0 || i >= len(b) || b[i] != ';' || value > 127 {
		return 0, 0
	}
	return byte(value), i + 1
}

func isPlain(c byte) bool {
	return isWord(c) || bytes.IndexByte([]byte("=:+/.@-"), c) >= 0
}
