package catalogue

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxBytes bounds each of the two files; the shipped ones have half a mebibyte.
const maxBytes = 16 << 20

// maxFlow bounds how deep [ ] and { } may nest; the schema needs two levels.
const maxFlow = 4

// parse reads one file whole and gives the root of its only YAML document.
func parse(name string, r io.Reader) (ast.Node, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(raw) > maxBytes:
		return nil, fmt.Errorf("%s: has more than 16 MiB; check that this is the right file", name)
	case !utf8.Valid(raw):
		return nil, fmt.Errorf("%s:%d: is not UTF-8; save the file as UTF-8", name, lineOfBadByte(raw))
	}
	tokens := lexer.Tokenize(string(raw))
	if err := plainOnly(name, tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxFault(name, err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s: must hold exactly one YAML document", name)
	}
	return file.Docs[0].Body, nil
}

func lineOfBadByte(raw []byte) int {
	line := 1
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size <= 1 {
			break
		}
		if r == '\n' {
			line++
		}
		raw = raw[size:]
	}
	return line
}

// syntaxFault keeps line and message of the parser's error and drops its drawing of the source.
func syntaxFault(name string, err error) error {
	if fault, ok := errors.AsType[*yaml.SyntaxError](err); ok && fault.Token != nil {
		return fmt.Errorf("%s:%d: is not valid YAML: %s", name, fault.Token.Position.Line, fault.Message)
	}
	return fmt.Errorf("%s: is not valid YAML: %w", name, err)
}

// plainOnly refuses what the schema has no use for: anchors and aliases, which can make a small file
// unfold into a huge one; tags, merge keys, directives and explicit keys; and nesting on one line, which
// alone could make the recursive parser go deeper than the file has lines.
func plainOnly(name string, tokens token.Tokens) error {
	n := nesting{}
	for _, tk := range tokens {
		line := tk.Position.Line
		if what := unwanted(tk.Type); what != "" {
			return fmt.Errorf("%s:%d: uses %s, which a catalogue may not; write the value out", name, line, what)
		}
		if !n.step(tk.Type, line) {
			return fmt.Errorf("%s:%d: nests too deep; write one key or list entry a line", name, line)
		}
	}
	return nil
}

func unwanted(t token.Type) string {
	switch t {
	case token.AnchorType:
		return "an anchor"
	case token.AliasType:
		return "an alias"
	case token.TagType:
		return "a tag"
	case token.MergeKeyType:
		return "a merge key"
	case token.DirectiveType:
		return "a directive"
	case token.MappingKeyType:
		return "an explicit key"
	default:
		return ""
	}
}

// nesting follows how deep the tokens of a file nest where a line can hold more than one level.
type nesting struct {
	line, flow, dashes, colons int
}

// step takes the next token and reports whether the nesting is still within bounds: one dash and one
// key a line outside brackets, maxFlow levels of brackets, one key between two commas inside them.
func (n *nesting) step(t token.Type, line int) bool {
	if line != n.line && n.flow == 0 {
		n.dashes, n.colons = 0, 0
	}
	n.line = line
	switch t {
	case token.SequenceEntryType:
		n.dashes++
	case token.MappingValueType:
		n.colons++
	case token.CollectEntryType:
		n.colons = 0
	case token.SequenceStartType, token.MappingStartType:
		n.flow++
		n.colons = 0
	case token.SequenceEndType, token.MappingEndType:
		n.flow = max(0, n.flow-1)
	default:
	}
	return n.dashes <= 1 && n.colons <= 1 && n.flow <= maxFlow
}
