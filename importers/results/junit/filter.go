package junit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"demarc/importers"
)

const (
	// maxText is how much of one text node or attribute value reaches the
	// decoder, in bytes; the rest is counted and dropped.
	maxText = 64 << 10
	// maxTag bounds one tag with all its attributes.
	maxTag = 1 << 20
	// maxName bounds what may follow an ampersand.
	maxName = 64
	// block is how much the filter prepares at once.
	block = 32 << 10
)

// filter stands between the bytes and the XML decoder. It replaces what XML
// forbids by U+FFFD, drops what exceeds maxText, and refuses
// document types and entities of the file's own. Comments and processing
// instructions are dropped too: the decoder would hold each of them whole. It
// is read byte by byte, so that where says at any moment where in the source the decoder stands.
type filter struct {
	src *bufio.Reader
	// buf is the prepared text; next is its first byte not yet read.
	buf  []byte
	next int
	err  error
	// marks are the places in buf before which source was dropped.
	marks []mark
	at    position
	// ended says that the byte read last ended its line.
	ended bool

	state state
	quote byte
	// run counts the bytes of the text node or value at hand, tag those of the
	// tag.
	run, tag int
	// ahead is where the preparing stands; at follows it.
	ahead position

	// replaced counts illegal characters and references, broken the bytes that
	// are not UTF-8, cut the texts that were shortened; the lines are those of
	// the first.
	replaced, replacedLine int
	broken, brokenLine     int
	cut, cutLine           int
}

// position is a line of the source and the count of bytes dropped before it.
type position struct {
	line int
	cut  int64
}

type mark struct {
	offset int
	to     position
}

type state uint8

const (
	inText state = iota
	inTag
	inValue
	inComment
	inInstruction
	inData
)

func newFilter(src *bufio.Reader) *filter {
	start := position{line: 1}
	return &filter{src: src, at: start, ahead: start, buf: make([]byte, 0, block+maxName)}
}

// where gives the position before the byte that comes next.
func (f *filter) where() position {
	for f.next == len(f.buf) && f.err == nil {
		f.fill()
	}
	f.pass()
	return f.at
}

// last gives the line of the last byte read.
func (f *filter) last() int {
	if f.ended {
		return max(1, f.at.line-1)
	}
	return f.at.line
}

// pass moves over what was dropped before the next byte.
func (f *filter) pass() {
	for len(f.marks) > 0 && f.marks[0].offset <= f.next {
		f.at.line += f.marks[0].to.line
		f.at.cut += f.marks[0].to.cut
		f.marks = f.marks[1:]
	}
}

// ReadByte gives the next byte of the filtered text.
func (f *filter) ReadByte() (byte, error) {
	for f.next == len(f.buf) {
		if f.err != nil {
			return 0, f.err
		}
		f.fill()
	}
	f.pass()
	c := f.buf[f.next]
	f.next++
	f.ended = c == '\n'
	if f.ended {
		f.at.line++
	}
	return c, nil
}

// Read exists because the decoder asks for an io.Reader.
func (f *filter) Read(p []byte) (int, error) {
	for i := range p {
		c, err := f.ReadByte()
		if err != nil {
			if i > 0 {
				return i, nil
			}
			return 0, err
		}
		p[i] = c
	}
	return len(p), nil
}

// fill prepares the next block. A fault is kept until all before it is read.
func (f *filter) fill() {
	f.pass()
	f.buf, f.next, f.marks = f.buf[:0], 0, f.marks[:0]
	for f.err == nil && len(f.buf) < block {
		if f.src.Buffered() < 2*maxName {
			if _, err := f.src.Peek(2 * maxName); err != nil && !errors.Is(err, io.EOF) {
				f.err = err
				return
			}
		}
		in, _ := f.src.Peek(f.src.Buffered()) // what is buffered is there
		if len(in) == 0 {
			f.err = io.EOF
			return
		}
		n := f.step(in[:min(len(in), block)])
		_, _ = f.src.Discard(n) // step takes no more than it was given
	}
}

// step takes from in what the state says and gives how many bytes it took, at
// least one. The last bytes of in may be the beginning of something longer
// only at the end of the source.
func (f *filter) step(in []byte) int {
	switch f.state {
	case inComment:
		return f.dropTo(in, "-->", inText)
	case inInstruction:
		return f.dropTo(in, "?>", inText)
	case inData:
		return f.data(in)
	case inText:
		if in[0] == '<' {
			return f.markup(in)
		}
	case inTag, inValue:
	}
	return f.plain(in)
}

// plain copies bytes until one that needs a decision, which it takes.
func (f *filter) plain(in []byte) int {
	n := 0
	for n < len(in) && !f.special(in[n]) {
		n++
	}
	if n > 0 {
		f.copy(in[:n])
		return n
	}
	switch c := in[0]; {
	case c == '&':
		return f.reference(in)
	case c >= utf8.RuneSelf || c < ' ':
		return f.odd(in)
	default:
		f.turn(c)
		f.copy(in[:1])
		return 1
	}
}

// special says whether c changes the state or is not always legal.
func (f *filter) special(c byte) bool {
	switch {
	case c >= utf8.RuneSelf, c == '&':
		return true
	case c < ' ':
		return !blank(c)
	case f.state == inValue:
		return c == f.quote
	case f.state == inTag:
		return c == '"' || c == '\'' || c == '>'
	default:
		return c == '<'
	}
}

func blank(c byte) bool { return c == '\n' || c == '\t' || c == '\r' }

// turn changes the state at a quote or at the end of a tag.
func (f *filter) turn(c byte) {
	switch {
	case f.state == inValue:
		f.state, f.quote, f.run = inTag, 0, 0
	case c == '>':
		f.state, f.run, f.tag = inText, 0, 0
	default:
		f.state, f.quote, f.run = inValue, c, 0
	}
}

// markup decides what a "<" in text opens.
func (f *filter) markup(in []byte) int {
	switch {
	case bytes.HasPrefix(in, []byte("<!--")):
		f.state = inComment
		f.drop(in[:4], false)
		return 4
	case bytes.HasPrefix(in, []byte("<![CDATA[")):
		f.state = inData
		f.append(in[:9])
		return 9
	case bytes.HasPrefix(in, []byte("<!")):
		f.err = importers.Refuse(f.ahead.line, "declares a document type (DOCTYPE or ENTITY), which is never read; remove the declaration")
		return len(in)
	case bytes.HasPrefix(in, []byte("<?")):
		f.state = inInstruction
		f.drop(in[:2], false)
		return 2
	default:
		f.state, f.run, f.tag = inTag, 0, 0
		f.append(in[:1])
		return 1
	}
}

// data copies a CDATA section.
func (f *filter) data(in []byte) int {
	if bytes.HasPrefix(in, []byte("]]>")) {
		f.append(in[:3])
		f.state = inText
		return 3
	}
	n := 0
	for n < len(in) && in[n] != ']' && (in[n] >= ' ' && in[n] < utf8.RuneSelf || blank(in[n])) {
		n++
	}
	if n == 0 && in[0] != ']' {
		return f.odd(in)
	}
	n = max(n, 1)
	f.copy(in[:n])
	return n
}

// dropTo drops bytes through end, which leads to the state then.
func (f *filter) dropTo(in []byte, end string, then state) int {
	n := bytes.Index(in, []byte(end))
	if n < 0 {
		n = max(1, len(in)-len(end)+1)
		f.drop(in[:n], false)
		return n
	}
	n += len(end)
	f.drop(in[:n], false)
	f.state = then
	return n
}

// copy passes bytes on as far as their text node or value has room.
func (f *filter) copy(b []byte) {
	room := len(b)
	if f.state != inTag {
		if f.run <= maxText && f.run+len(b) > maxText {
			count(&f.cut, &f.cutLine, f.ahead.line)
		}
		room = min(room, max(0, maxText-f.run))
		for room > 0 && room < len(b) && !utf8.RuneStart(b[room]) {
			room--
		}
	}
	if f.state == inTag || f.state == inValue {
		if f.tag += room; f.tag > maxTag {
			f.err = importers.Refuse(f.ahead.line, "holds a tag of more than 1 MiB; shorten its attributes")
			return
		}
	}
	f.run += len(b)
	f.append(b[:room])
	f.drop(b[room:], true)
}

func (f *filter) append(b []byte) {
	f.buf = append(f.buf, b...)
	f.ahead.line += bytes.Count(b, []byte{'\n'})
}

// drop passes over bytes; those of a kept text are counted as cut.
func (f *filter) drop(b []byte, cut bool) {
	if len(b) == 0 {
		return
	}
	var to position
	to.line = bytes.Count(b, []byte{'\n'})
	if cut {
		to.cut = int64(len(b))
		f.ahead.cut += to.cut
	}
	f.ahead.line += to.line
	if last := len(f.marks) - 1; last >= 0 && f.marks[last].offset == len(f.buf) {
		f.marks[last].to.line += to.line
		f.marks[last].to.cut += to.cut
		return
	}
	f.marks = append(f.marks, mark{offset: len(f.buf), to: to})
}
