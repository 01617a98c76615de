package catalogue

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/goccy/go-yaml/ast"
)

// document is a file being read. It keeps the first fault; what is read after it is of no account.
type document struct {
	name string
	err  error
}

// fail records a fault of the named thing ("claim a.b"; empty for the file as a whole) unless there is
// one already.
func (d *document) fail(line int, at, format string, args ...any) {
	if d.err != nil {
		return
	}
	what := fmt.Sprintf(format, args...)
	if at != "" {
		what = at + ": " + what
	}
	d.err = fmt.Errorf("%s:%d: %s", d.name, line, what)
}

// pair is one key of a mapping with its value.
type pair struct {
	key   string
	line  int
	value ast.Node
}

// pairs reads a mapping whose keys are names. line is that of the mapping's own key.
func (d *document) pairs(n ast.Node, line int, at string) []pair {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		d.fail(line, at, "must hold keys with values")
		return nil
	}
	all := make([]pair, 0, len(values))
	first := make(map[string]int, len(values))
	for _, v := range values {
		tk := v.Key.GetToken()
		key, keyLine := tk.Value, tk.Position.Line
		if _, ok := v.Key.(*ast.StringNode); !ok {
			d.fail(keyLine, at, "%.60q cannot be a key; put it in quotes", key)
		}
		if earlier, twice := first[key]; twice {
			d.fail(keyLine, at, "key %.60q appears twice, first on line %d; remove one", key, earlier)
		}
		first[key] = keyLine
		all = append(all, pair{key: key, line: keyLine, value: v.Value})
	}
	return all
}

// entries reads a list. An empty one may be written [].
func (d *document) entries(n ast.Node, line int, at string) []ast.Node {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(line, at, "must be a list")
		return nil
	}
	return list.Values
}

// object is a mapping with a known set of keys.
type object struct {
	doc    *document
	at     string
	line   int
	fields map[string]pair
}

// object reads a mapping that must have every required key, may have the optional ones, and no other.
func (d *document) object(n ast.Node, line int, at string, required, optional []string) object {
	o := object{doc: d, at: at, line: line, fields: make(map[string]pair)}
	for _, p := range d.pairs(n, line, at) {
		if !slices.Contains(required, p.key) && !slices.Contains(optional, p.key) {
			d.fail(p.line, at, "unknown key %.60q; the keys here are %s", p.key,
				strings.Join(slices.Concat(required, optional), ", "))
		}
		o.fields[p.key] = p
	}
	for _, key := range required {
		if _, present := o.fields[key]; !present {
			d.fail(line, at, "key %q is missing", key)
		}
	}
	return o
}

func (o object) fail(key, format string, args ...any) {
	line := o.line
	if p, present := o.fields[key]; present {
		line = p.line
	}
	o.doc.fail(line, o.at, key+" "+format, args...)
}

func (o object) has(key string) bool {
	_, present := o.fields[key]
	return present
}

// entries reads the list under key.
func (o object) entries(key string) []ast.Node {
	p, present := o.fields[key]
	if !present {
		return nil
	}
	return o.doc.entries(p.value, p.line, o.under(key))
}

// pairs reads the mapping under key.
func (o object) pairs(key string) []pair {
	p, present := o.fields[key]
	if !present {
		return nil
	}
	return o.doc.pairs(p.value, p.line, o.under(key))
}

// under names what stands under key: "claim a.b, source".
func (o object) under(key string) string {
	if o.at == "" {
		return key
	}
	return o.at + ", " + key
}

// scalar gives the text of a string node and whether the node is one.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	default:
		return "", false
	}
}

// text reads a required line of text; an absent optional key gives "".
func (o object) text(key string) string {
	p, present := o.fields[key]
	if !present {
		return ""
	}
	s, ok := scalar(p.value)
	_, null := p.value.(*ast.NullNode)
	switch {
	case !ok && !null:
		o.fail(key, "must be text; put it in quotes")
	case strings.TrimSpace(s) == "":
		o.fail(key, "is empty")
	case strings.ContainsFunc(s, unicode.IsControl):
		o.fail(key, "holds a line break or control character; write it as one line")
	}
	return s
}

// nullable reads text or null, which gives "".
func (o object) nullable(key string) string {
	if _, null := o.fields[key].value.(*ast.NullNode); null {
		return ""
	}
	return o.text(key)
}

// word reads text that must be one of a closed list.
func (o object) word(key string, words []string) string {
	s := o.text(key)
	if o.has(key) && !slices.Contains(words, s) {
		o.fail(key, "%.60q is not one of %s", s, strings.Join(words, ", "))
	}
	return s
}

// slug reads text of small letters, digits and hyphens.
func (o object) slug(key string) string {
	s := o.text(key)
	if o.has(key) && !slug.MatchString(s) {
		o.fail(key, "%.60q may hold only a-z, 0-9 and -", s)
	}
	return s
}

func (o object) flag(key string) bool {
	p, present := o.fields[key]
	if !present {
		return false
	}
	b, ok := p.value.(*ast.BoolNode)
	if !ok {
		o.fail(key, "must be true or false")
		return false
	}
	return b.Value
}

// version checks that key holds the schema version this package reads, and gives it.
func (o object) version(key string) int {
	if n, ok := whole(o.fields[key].value); o.has(key) && (!ok || n != schemaVersion) {
		o.fail(key, "must be %d, the only version known here", schemaVersion)
	}
	return schemaVersion
}

// whole gives the value of a node that is a non-negative integer.
func whole(n ast.Node) (int, bool) {
	i, ok := n.(*ast.IntegerNode)
	if !ok {
		return 0, false
	}
	v, ok := i.Value.(uint64)
	if !ok || v > 1<<31 {
		return 0, false
	}
	return int(v), true
}

// texts reads a list of text.
func (o object) texts(key string) []string {
	nodes := o.entries(key)
	all := make([]string, 0, len(nodes))
	for _, n := range nodes {
		s, ok := scalar(n)
		if !ok || strings.TrimSpace(s) == "" || strings.ContainsFunc(s, unicode.IsControl) {
			o.fail(key, "must be a list of text, one line each")
		}
		if slices.Contains(all, s) {
			o.fail(key, "lists %.60q twice; remove one", s)
		}
		all = append(all, s)
	}
	return all
}

// firstYear is that of the first public web page; an earlier one is a slip of the pen.
const firstYear = 1991

// date reads YYYY, YYYY-MM or YYYY-MM-DD as text, or null.
func (o object) date(key string) Date {
	s := o.nullable(key)
	layout, ok := map[int]string{4: "2006", 7: "2006-01", 10: time.DateOnly}[len(s)]
	first, err := time.Parse(layout, s)
	switch {
	case s == "":
		return Date{}
	case !ok || err != nil:
		o.fail(key, "%.60q is not a date; write YYYY, YYYY-MM or YYYY-MM-DD", s)
		return Date{}
	case first.Year() < firstYear:
		o.fail(key, "%q is before %d; check the year", s, firstYear)
		return Date{}
	default:
		return Date{Text: s, First: first}
	}
}

// day reads YYYY-MM-DD as text, or null.
func (o object) day(key string) Date {
	d := o.date(key)
	if !d.IsZero() && len(d.Text) != len(time.DateOnly) {
		o.fail(key, "%q is not a day; write YYYY-MM-DD", d.Text)
	}
	return d
}

// address reads an absolute http or https URL.
func (o object) address(key string) string {
	s := o.text(key)
	u, err := url.Parse(s)
	if o.has(key) && (err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil) {
		o.fail(key, "%.60q is not an http or https address", s)
	}
	return s
}
