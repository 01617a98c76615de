package catalogue

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// The names by which errors call the two inputs.
const (
	catalogueName = "catalogue.yaml"
	linksName     = "links.yaml"
)

// Read reads and joins the two files and checks every rule that their heads state. Each may have at
// most 16 MiB and 400,000 line ends and punctuation marks. The error is the first fault found, one
// sentence with file, line and claim or system; only a failing reader gives another, which wraps that
// reader's error.
func Read(catalogue, links io.Reader) (*Catalogue, error) {
	c, err := readCatalogue(catalogue)
	if err != nil {
		return nil, err
	}
	l, err := readLinks(links)
	if err != nil {
		return nil, err
	}
	if err := join(c, l); err != nil {
		return nil, err
	}
	if err := validate(c, l); err != nil {
		return nil, err
	}
	return &c.Catalogue, nil
}

// catalogueFile is catalogue.yaml as read, with the line on which each system and claim stands.
type catalogueFile struct {
	Catalogue
	systemLine, claimLine map[string]int
}

func readCatalogue(r io.Reader) (*catalogueFile, error) {
	root, err := parse(catalogueName, r)
	if err != nil {
		return nil, err
	}
	d := &document{name: catalogueName}
	o := d.object(root, 1, "", []string{"schema_version", "collected_on", "vocab", "systems"}, nil)
	c := &catalogueFile{systemLine: make(map[string]int), claimLine: make(map[string]int)}
	c.SchemaVersion = o.version("schema_version")
	c.CollectedOn = o.day("collected_on")
	if c.CollectedOn.IsZero() {
		o.fail("collected_on", "is empty; write YYYY-MM-DD")
	}
	c.Vocab = readVocab(o)
	systems := o.entries("systems")
	if len(systems) == 0 {
		o.fail("systems", "is empty")
	}
	for i, n := range systems {
		if d.err != nil {
			break
		}
		c.Systems = append(c.Systems, c.readSystem(d, n, i+1))
	}
	if d.err != nil {
		return nil, d.err
	}
	return c, nil
}

// readVocab reads the word lists and checks that they are those of schema version 1.
func readVocab(o object) Vocab {
	p, present := o.fields["vocab"]
	if !present {
		return Vocab{}
	}
	keys := []string{"category", "topic", "dimension", "scope", "status", "source_kind", "read_as", "confidence"}
	v := o.doc.object(p.value, p.line, "vocab", keys, nil)
	known := vocabulary()
	return Vocab{
		Category:   v.wordList("category", known.Category),
		Topic:      v.wordList("topic", known.Topic),
		Dimension:  v.wordList("dimension", known.Dimension),
		Scope:      v.wordList("scope", known.Scope),
		Status:     v.wordList("status", known.Status),
		SourceKind: v.wordList("source_kind", known.SourceKind),
		ReadAs:     v.wordList("read_as", known.ReadAs),
		Confidence: v.wordList("confidence", known.Confidence),
	}
}

// wordList reads a list that must hold exactly the known words, in any order.
func (o object) wordList(key string, known []string) []string {
	words := o.texts(key)
	for _, w := range words {
		if !slices.Contains(known, w) {
			o.fail(key, "lists %.60q, which schema version %d does not know; remove it", w, schemaVersion)
		}
	}
	for _, w := range known {
		if !slices.Contains(words, w) {
			o.fail(key, "lacks %q, a word of schema version %d; add it", w, schemaVersion)
		}
	}
	return words
}

// lineOf is where a list entry begins: its first key, or the entry itself.
func lineOf(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken().Position.Line
	}
	return n.GetToken().Position.Line
}

// naming gives "claim a.b" for an entry that has an id, else its place: "claim 3 of system a".
func naming(what string, n ast.Node, place string) string {
	if m, ok := n.(*ast.MappingNode); ok {
		for _, v := range m.Values {
			if id, ok := scalar(v.Value); ok && v.Key.GetToken().Value == "id" {
				return fmt.Sprintf("%s %.120s", what, strings.ToValidUTF8(id, ""))
			}
		}
	}
	return what + " " + place
}

func (c *catalogueFile) readSystem(d *document, n ast.Node, place int) System {
	line := lineOf(n)
	at := naming("system", n, fmt.Sprintf("number %d", place))
	o := d.object(n, line, at, []string{"id", "name", "vendor", "category", "aliases", "claims"}, nil)
	s := System{
		ID:       o.slug("id"),
		Name:     o.text("name"),
		Maker:    o.text("vendor"),
		Category: o.word("category", c.Vocab.Category),
		Aliases:  o.texts("aliases"),
	}
	if earlier, twice := c.systemLine[s.ID]; twice {
		o.fail("id", "appears twice, first on line %d; an id is never reused", earlier)
	}
	c.systemLine[s.ID] = line
	for i, n := range o.entries("claims") {
		if d.err != nil {
			break
		}
		s.Claims = append(s.Claims, c.readClaim(d, n, s.ID, i+1))
	}
	return s
}

func (c *catalogueFile) readClaim(d *document, n ast.Node, system string, place int) Claim {
	line := lineOf(n)
	at := naming("claim", n, fmt.Sprintf("%d of system %s", place, system))
	o := d.object(n, line, at, []string{
		"id", "topic", "dimension", "scope", "stated", "words", "source", "source_kind", "read_as", "copy_date",
		"confidence",
	}, []string{"configuration", "status", "status_date"})
	k := Claim{
		ID:            o.text("id"),
		Topic:         o.word("topic", c.Vocab.Topic),
		Dimension:     o.word("dimension", c.Vocab.Dimension),
		Scope:         o.word("scope", c.Vocab.Scope),
		Stated:        o.flag("stated"),
		Words:         o.text("words"),
		Configuration: o.text("configuration"),
		Source:        c.readSource(o),
		SourceKind:    o.word("source_kind", c.Vocab.SourceKind),
		ReadAs:        o.word("read_as", c.Vocab.ReadAs),
		Confidence:    o.word("confidence", c.Vocab.Confidence),
		CollectedOn:   c.CollectedOn,
	}
	k.Source.CopyDate = c.past(o, "copy_date", o.day("copy_date"))
	k.Status = c.readStage(o, k.Topic)
	c.checkID(o, k, system)
	c.claimLine[k.ID] = line
	return k
}

// checkID holds the rules on claim ids: below the system, of slugs, never reused, and gap entries named
// after what they are about and never stated.
func (c *catalogueFile) checkID(o object, k Claim, system string) {
	name, below := strings.CutPrefix(k.ID, system+".")
	if !below || !slug.MatchString(name) {
		o.fail("id", `must be "%s." and a name of a-z, 0-9 and -`, system)
	}
	if earlier, twice := c.claimLine[k.ID]; twice {
		o.fail("id", "appears twice, first on line %d; an id is never reused", earlier)
	}
	gap, isGap := strings.CutPrefix(name, "gap-")
	if !isGap {
		return
	}
	if k.Stated {
		o.fail("stated", "must be false, as the id marks a gap")
	}
	hyphened := func(word string) string { return strings.ReplaceAll(word, "_", "-") }
	if gap != hyphened(k.Dimension) && gap != "topic-"+hyphened(k.Topic) {
		o.fail("id", "names a gap other than dimension %s or topic %s", k.Dimension, k.Topic)
	}
}

// past checks that a date of a page or copy is not after the day the pages were read.
func (c *catalogueFile) past(o object, key string, d Date) Date {
	if d.First.After(c.CollectedOn.First) {
		o.fail(key, "%s is after collected_on %s", d.Text, c.CollectedOn.Text)
	}
	return d
}

func (c *catalogueFile) readSource(claim object) Source {
	p, present := claim.fields["source"]
	if !present {
		return Source{}
	}
	o := claim.doc.object(p.value, p.line, claim.under("source"),
		[]string{"url", "title", "publisher", "page_date"}, []string{"via"})
	return Source{
		URL:       o.address("url"),
		Title:     o.text("title"),
		Publisher: o.text("publisher"),
		PageDate:  c.past(o, "page_date", o.date("page_date")),
		Via:       o.text("via"),
	}
}

// readStage reads status and status_date, which belong to one topic and to no other.
func (c *catalogueFile) readStage(o object, topic string) *ReleaseStatus {
	for _, key := range []string{"status", "status_date"} {
		if o.has(key) != (topic == releaseTopic) {
			o.fail(key, "belongs to every claim with topic %s and to no other", releaseTopic)
		}
	}
	if topic != releaseTopic {
		return nil
	}
	return &ReleaseStatus{Word: o.word("status", c.Vocab.Status), Date: o.date("status_date")}
}
