package importers

import "bytes"

// Root is the first element of an XML text, as far as its head shows it.
type Root struct {
	// Name is without prefix; empty where the head shows no element.
	Name string
	// Line is where the element starts, from 1.
	Line int
	// Doctype is the line of a document type or entity declaration before it, 0
	// for none.
	Doctype int
}

// XMLRoot finds the first element of an XML text past declaration, comments
// and processing instructions. A text that begins otherwise has no root.
func XMLRoot(head []byte) Root {
	s := rootScan{rest: bytes.TrimPrefix(head, utf8BOM), line: 1}
	for {
		s.skipTo(len(s.rest) - len(bytes.TrimLeft(s.rest, " \t\r\n")))
		switch {
		case s.past("<?", "?>"), s.past("<!--", "-->"):
		case bytes.HasPrefix(s.rest, []byte("<!DOCTYPE")), bytes.HasPrefix(s.rest, []byte("<!doctype")):
			if s.root.Doctype == 0 {
				s.root.Doctype = s.line
			}
			s.skipTo(doctypeEnd(s.rest))
		case bytes.HasPrefix(s.rest, []byte("<!")):
			s.root.Doctype = max(s.root.Doctype, s.line)
			return s.root
		case len(s.rest) > 1 && s.rest[0] == '<':
			s.root.Name, s.root.Line = elementName(s.rest[1:]), s.line
			return s.root
		default:
			return s.root
		}
	}
}

type rootScan struct {
	rest []byte
	line int
	root Root
}

func (s *rootScan) skipTo(n int) {
	s.line += bytes.Count(s.rest[:n], []byte{'\n'})
	s.rest = s.rest[n:]
}

// past skips a construct and says whether one stood here. One that does not
// end within the head takes the rest of it.
func (s *rootScan) past(open, end string) bool {
	if !bytes.HasPrefix(s.rest, []byte(open)) {
		return false
	}
	n := bytes.Index(s.rest[len(open):], []byte(end))
	if n < 0 {
		s.skipTo(len(s.rest))
		return true
	}
	s.skipTo(len(open) + n + len(end))
	return true
}

// doctypeEnd gives the length of a document type declaration with its internal
// subset.
func doctypeEnd(b []byte) int {
	depth, quote := 0, byte(0)
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '<':
			depth++
		case c == ']':
			depth--
		case c == '>':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}

// elementName reads a name and drops its prefix.
func elementName(b []byte) string {
	n := bytes.IndexFunc(b, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\r' || r == '\n' || r == '/' || r == '>' || r == '<' || r == '='
	})
	if n < 0 {
		n = len(b)
	}
	name := b[:n]
	if i := bytes.LastIndexByte(name, ':'); i >= 0 {
		name = name[i+1:]
	}
	if len(name) > 80 {
		name = name[:80]
	}
	return string(bytes.ToValidUTF8(name, []byte("\uFFFD")))
}
