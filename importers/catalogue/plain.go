package catalogue

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxBytes bounds each of the two files; the shipped ones have half a mebibyte.
const maxBytes = 16 << 20

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
	tokens, err := tokenize(name, string(raw))
	if err != nil {
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
