package catalogue

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// Bounds on the shape of a file. The YAML library holds all tokens at once, recurses for every level of
// nesting and for every key beside another, and takes time in the square of a list's length within
// brackets; without bounds a few megabytes could use up memory or stack.
const (
	maxMarks    = 400_000 // line ends and punctuation of YAML; ten times those of the shipped catalogue
	maxSiblings = 5_000   // keys of one mapping; six times the shipped claims
	maxCommas   = 1_000   // between one outermost pair of brackets
	maxFlow     = 4       // levels of [ ] and { }; the schema needs two
)

// tokenize splits a file into YAML tokens. It refuses what the schema has no use for: anchors and
// aliases, which can make a small file unfold into a huge one, tags, merge keys, directives, explicit
// keys, and shapes beyond the bounds above.
func tokenize(name, text string) (token.Tokens, error) {
	marks := 0
	for i := range len(text) {
		if strings.IndexByte("\n:,[]{}'\"#-?&*!|>%", text[i]) >= 0 {
			marks++
		}
	}
	if marks > maxMarks {
		return nil, fmt.Errorf("%s: has %d line ends and punctuation marks, more than the %d allowed; "+
			"check that this is the right file", name, marks, maxMarks)
	}
	tokens := lexer.Tokenize(text)
	n := nesting{}
	for _, tk := range tokens {
		if fault := n.step(tk); fault != "" {
			return nil, fmt.Errorf("%s:%d: %s", name, tk.Position.Line, fault)
		}
	}
	return tokens, nil
}

// nesting follows the shape of a file token by token.
type nesting struct {
	flow     int // open brackets
	commas   int // since the outermost of them
	colons   int // keys on this line or, inside brackets, since the last comma
	line     int
	previous *token.Token
	open     []mapping // the block mappings that the last token is in
}

// mapping is a block mapping: where its keys stand and how many there are so far.
type mapping struct {
	column, keys int
}

// step takes the next token and says what is wrong with it, if anything is.
func (n *nesting) step(tk *token.Token) string {
	if what := unwanted(tk.Type); what != "" {
		return "uses " + what + ", which a catalogue may not; write the value out"
	}
	if tk.Type == token.CommentType {
		return ""
	}
	if tk.Position.Line != n.line && n.flow == 0 {
		n.colons = 0
	}
	n.line = tk.Position.Line
	fault := n.enter(tk)
	n.previous = tk
	return fault
}

func (n *nesting) enter(tk *token.Token) string {
	const tooDeep = "nests too deep; write one key or list entry a line"
	switch tk.Type {
	case token.SequenceEntryType:
		n.leave(tk.Position.Column)
		if n.previous != nil && n.previous.Type == token.SequenceEntryType {
			return "a list entry is empty or a list itself; give it a value"
		}
	case token.MappingValueType:
		n.colons++
		if n.colons > 1 {
			return tooDeep
		}
		return n.key()
	case token.CollectEntryType:
		n.colons = 0
		n.commas++
		if n.commas > maxCommas {
			return fmt.Sprintf("has more than %d commas within brackets; write one entry a line", maxCommas)
		}
	case token.SequenceStartType, token.MappingStartType:
		if n.flow == 0 {
			n.commas = 0
		}
		n.flow++
		n.colons = 0
		if n.flow > maxFlow {
			return tooDeep
		}
	case token.SequenceEndType, token.MappingEndType:
		n.flow = max(0, n.flow-1)
	default:
	}
	return ""
}

// key counts a key of a block mapping; the previous token is its name.
func (n *nesting) key() string {
	if n.flow > 0 || n.previous == nil {
		return ""
	}
	column := n.previous.Position.Column
	n.leave(column)
	if last := len(n.open) - 1; last < 0 || n.open[last].column < column {
		n.open = append(n.open, mapping{column: column})
	}
	m := &n.open[len(n.open)-1]
	m.keys++
	if m.keys > maxSiblings {
		return fmt.Sprintf("has more than %d keys side by side; check that this is the right file", maxSiblings)
	}
	return ""
}

// leave closes the mappings whose keys stand right of the column.
func (n *nesting) leave(column int) {
	for len(n.open) > 0 && n.open[len(n.open)-1].column > column {
		n.open = n.open[:len(n.open)-1]
	}
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
