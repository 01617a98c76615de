package catalogue

import (
	"io"
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// linksFile is links.yaml as read. The maps are keyed by the ids of catalogue.yaml; the slices keep the
// order of the file.
type linksFile struct {
	systems                          map[string]systemLink
	claims                           map[string]claimLink
	questions                        map[string]question
	systemIDs, claimIDs, questionIDs []string
}

// systemLink is the identity of a system.
type systemLink struct {
	line                         int
	vendorID, vendor, product    string
	variant, kind, componentKind string
}

// claimLink is what a claim bears on.
type claimLink struct {
	line         int
	facet        string
	bearsOn      []Bearing
	evidenceKind string
	status       *ReleaseStatus // label, normalised and feature only
	contradicts  []string
}

type question struct {
	line, number int
}

func readLinks(r io.Reader) (*linksFile, error) {
	root, err := parse(linksName, r)
	if err != nil {
		return nil, err
	}
	d := &document{name: linksName}
	o := d.object(root, 1, "", []string{"schema_version", "systems", "claims", "questions"}, nil)
	o.version("schema_version")
	l := &linksFile{
		systems:   make(map[string]systemLink),
		claims:    make(map[string]claimLink),
		questions: make(map[string]question),
	}
	words := linkVocabulary()
	for _, p := range o.pairs("systems") {
		l.systems[p.key] = readSystemLink(d, p, words)
		l.systemIDs = append(l.systemIDs, p.key)
	}
	for _, p := range o.pairs("claims") {
		l.claims[p.key] = readClaimLink(d, p, words)
		l.claimIDs = append(l.claimIDs, p.key)
	}
	for _, p := range o.pairs("questions") {
		l.questions[p.key] = readQuestion(d, p)
		l.questionIDs = append(l.questionIDs, p.key)
	}
	if d.err != nil {
		return nil, d.err
	}
	return l, nil
}

func readSystemLink(d *document, p pair, words linkVocab) systemLink {
	o := d.object(p.value, p.line, "system "+p.key,
		[]string{"vendor_id", "vendor", "product", "variant", "kind"}, []string{"component_kind"})
	s := systemLink{
		line:          p.line,
		vendorID:      o.slug("vendor_id"),
		vendor:        o.text("vendor"),
		product:       o.text("product"),
		variant:       o.slug("variant"),
		kind:          o.word("kind", words.kind),
		componentKind: o.word("component_kind", words.componentKind),
	}
	if o.has("component_kind") != (s.kind == component) {
		o.fail("component_kind", "belongs to every system of kind %s and to no other", component)
	}
	return s
}

func readClaimLink(d *document, p pair, words linkVocab) claimLink {
	o := d.object(p.value, p.line, "claim "+p.key,
		[]string{"facet", "bears_on", "evidence_kind"}, []string{"status", "contradicts"})
	k := claimLink{
		line:         p.line,
		facet:        o.word("facet", words.facet),
		evidenceKind: o.word("evidence_kind", words.evidenceKind),
		contradicts:  o.texts("contradicts"),
	}
	if o.has("contradicts") && len(k.contradicts) == 0 {
		o.fail("contradicts", "is empty; leave the key out")
	}
	for _, n := range o.entries("bears_on") {
		k.bearsOn = append(k.bearsOn, readBearing(o, n, k.bearsOn, words))
	}
	if status, present := o.fields["status"]; present {
		k.status = readLabel(o, status, words)
	}
	return k
}

// readBearing reads one entry of bears_on; earlier holds those before it.
func readBearing(claim object, n ast.Node, earlier []Bearing, words linkVocab) Bearing {
	o := claim.doc.object(n, lineOf(n), claim.under("bears_on"), []string{"statement", "polarity"}, nil)
	b := Bearing{Statement: o.text("statement"), Polarity: o.word("polarity", words.polarity)}
	if o.has("statement") && !knownStatement(b.Statement) {
		o.fail("statement", "%.60q is not one of the 35 boundary statements", b.Statement)
	}
	if slices.ContainsFunc(earlier, func(e Bearing) bool { return e.Statement == b.Statement }) {
		o.fail("statement", "%s is given twice; keep one polarity", b.Statement)
	}
	return b
}

func readLabel(claim object, p pair, words linkVocab) *ReleaseStatus {
	o := claim.doc.object(p.value, p.line, claim.under("status"), []string{"label", "normalised", "feature"}, nil)
	return &ReleaseStatus{
		Label:      o.nullable("label"),
		Normalised: o.word("normalised", words.normalised),
		Feature:    o.text("feature"),
	}
}

func readQuestion(d *document, p pair) question {
	n, ok := whole(p.value)
	if !ok || n < 1 || n > lastQuestion {
		d.fail(p.line, "question for claim "+p.key, "must be a number from 1 to %d", lastQuestion)
	}
	return question{line: p.line, number: n}
}
