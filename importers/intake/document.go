package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxDocument bounds a mapping file and an identity file, in bytes.
const maxDocument = 256 << 10

// node is a value of a small YAML or JSON file, with its line.
type node struct {
	line int
	// text is a scalar's; list and pairs are those of a list and an object.
	text  string
	kind  nodeKind
	list  []*node
	pairs []pair
}

type nodeKind uint8

const (
	scalar nodeKind = iota
	empty
	list
	object
)

type pair struct {
	key   string
	line  int
	value *node
}

// document reads small files strictly. Its errors are one sentence with file
// and line.
type document struct{ name string }

func (d document) fault(line int, format string, args ...any) error {
	return invalid("%s:%d: %s", d.name, line, fmt.Sprintf(format, args...))
}

// parse reads one YAML or JSON document.
func (d document) parse(r io.Reader) (*node, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", d.name, err)
	case len(raw) > maxDocument:
		return nil, invalid("%s: has more than 256 KiB; check that this is the right file", d.name)
	case !utf8.Valid(raw):
		return nil, invalid("%s: is not UTF-8; save the file as UTF-8", d.name)
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if text := bytes.TrimSpace(raw); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return d.json(raw)
	}
	return d.yaml(string(raw))
}

func (d document) json(raw []byte) (*node, error) {
	j := jsonReader{document: d, raw: raw, dec: jsontext.NewDecoder(bytes.NewReader(raw))}
	root, err := j.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := j.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, d.fault(j.line(), "goes on after its end; keep one JSON object")
	}
	return root, nil
}

type jsonReader struct {
	document
	raw []byte
	dec *jsontext.Decoder
}

func (j *jsonReader) line() int {
	return 1 + bytes.Count(j.raw[:j.dec.InputOffset()], []byte{'\n'})
}

func (j *jsonReader) value(depth int) (*node, error) {
	if depth > 8 {
		return nil, j.fault(j.line(), "nests too deep")
	}
	t, err := j.dec.ReadToken()
	if err != nil {
		return nil, j.bad(err)
	}
	n := &node{line: j.line(), text: t.String()}
	switch t.Kind() {
	case 'n':
		n.kind = empty
		return n, nil
	case '{':
		n.kind = object
	case '[':
		n.kind = list
	default:
		return n, nil
	}
	for k := j.dec.PeekKind(); k != '}' && k != ']'; k = j.dec.PeekKind() {
		var p pair
		if n.kind == object {
			key, err := j.dec.ReadToken()
			if err != nil {
				return nil, j.bad(err)
			}
			p.key, p.line = key.String(), j.line()
		}
		if p.value, err = j.value(depth + 1); err != nil {
			return nil, err
		}
		if n.kind == object {
			n.pairs = append(n.pairs, p)
		} else {
			n.list = append(n.list, p.value)
		}
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return nil, j.bad(err)
	}
	return n, nil
}

func (j *jsonReader) bad(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return j.fault(j.line(), "is not valid JSON: it ends too early")
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName) {
		return j.fault(j.line(), "has the key %q twice; keep one", syntax.JSONPointer.LastToken())
	}
	if errors.As(err, &syntax) && syntax.Err != nil {
		return j.fault(j.line(), "is not valid JSON: %v", syntax.Err)
	}
	return j.fault(j.line(), "is not valid JSON: %v", err)
}

func (d document) yaml(raw string) (*node, error) {
	tokens := lexer.Tokenize(raw)
	if err := d.plain(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var fault *yaml.SyntaxError
		if errors.As(err, &fault) && fault.Token != nil {
			return nil, d.fault(fault.Token.Position.Line, "is not valid YAML: %s", fault.Message)
		}
		return nil, invalid("%s: is not valid YAML", d.name)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, invalid("%s: must hold one YAML document with content", d.name)
	}
	return d.node(file.Docs[0].Body)
}

// plain refuses what could make a small file unfold into a large or a deep
// one: anchors, tags, directives, and nesting that costs no line.
func (d document) plain(tokens token.Tokens) error {
	line, flow, dashes := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, dashes = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType, token.DirectiveType, token.MappingKeyType:
			return d.fault(line, "uses %q, which is not read here; write the value out", t.Value)
		case token.SequenceEntryType:
			dashes++
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		default:
		}
		if flow > 4 || dashes > 2 {
			return d.fault(line, "nests too deep")
		}
	}
	return nil
}

func (d document) node(n ast.Node) (*node, error) {
	if n == nil {
		return &node{kind: empty}, nil
	}
	out := &node{line: n.GetToken().Position.Line}
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.NullNode:
		out.kind = empty
		return out, nil
	case *ast.SequenceNode:
		out.kind = list
		for _, v := range n.Values {
			item, err := d.node(v)
			if err != nil {
				return nil, err
			}
			out.list = append(out.list, item)
		}
		return out, nil
	case *ast.LiteralNode:
		out.text = n.Value.Value
		return out, nil
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case ast.ScalarNode:
		out.text = n.GetToken().Value
		return out, nil
	default:
		return nil, d.fault(out.line, "holds something that is not read here; write a plain value")
	}
	out.kind = object
	for _, v := range values {
		key := v.Key.GetToken()
		item, err := d.node(v.Value)
		if err != nil {
			return nil, err
		}
		out.pairs = append(out.pairs, pair{key: key.Value, line: key.Position.Line, value: item})
	}
	return out, nil
}

// object gives the pairs of an object that has no key twice and none but the
// known.
func (d document) object(n *node, what string, known []string) (map[string]pair, error) {
	if n.kind != object {
		return nil, d.fault(max(1, n.line), "%s must hold keys with values", what)
	}
	found := make(map[string]pair, len(n.pairs))
	for _, p := range n.pairs {
		if _, twice := found[p.key]; twice {
			return nil, d.fault(p.line, "%s has the key %q twice; keep one", what, p.key)
		}
		if !slices.Contains(known, p.key) {
			return nil, d.fault(p.line, "%s has the unknown key %q; known are %s", what, p.key, strings.Join(known, ", "))
		}
		found[p.key] = p
	}
	return found, nil
}

// text gives a pair's scalar; a missing or empty one is "".
func (d document) text(p pair) (string, error) {
	if p.value == nil || p.value.kind == empty {
		return "", nil
	}
	if p.value.kind != scalar {
		return "", d.fault(p.line, "%s must be one plain value", p.key)
	}
	return strings.TrimSpace(p.value.text), nil
}
