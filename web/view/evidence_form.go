package view

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// EvidenceForm asks for one observation of a kind, on one statement of one
// subject.
type EvidenceForm struct {
	Draft
	Item posture.CellItem
	Kind posture.Kind

	access posture.Access
}

// kindMeaning says what a kind is and how far it goes (model.md §2.3).
type kindMeaning struct {
	is, shows string
	// words label what is written down of it.
	words string
}

var kindMeans = map[posture.Kind]kindMeaning{
	posture.KindStatement: {
		is:    "a sales answer, a questionnaire, a blog, a slide",
		shows: "Shows the vendor’s word on that date; not design, operation or your configuration.", words: "What was said",
	},
	posture.KindDocumentation: {
		is:    "published documentation, a contract clause, an architecture paper",
		shows: "Shows intended design and stated limits, or that something is not offered; not that it is switched on or works.", words: "What it says",
	},
	posture.KindAttestation: {
		is:    "an independent report over a period",
		shows: "Shows that the vendor’s named controls operated, in its scope, over a past period; not your configuration, what is carved out, or today.", words: "What it attests",
	},
	posture.KindConfiguration: {
		is:    "a configuration read from the target by us or by a tool",
		shows: "Shows the design of this target, exactly as identified; not that the mechanism behind the setting works.", words: "What was read",
	},
	posture.KindTest: {
		is:    "one case tried on the target",
		shows: "Shows, with its other half, that this boundary held for this case, identity and day; not other cases, later versions or the future.", words: "Note",
	},
	posture.KindIncident: {
		is: "an incident or an advisory", shows: "Shows contradiction or suspicion, never support; its absence shows nothing.", words: "What happened",
	},
}

// evidenceLabels name the fields of every kind; those of one kind in
// kindLabels.
var evidenceLabels = map[string]string{
	"observed_at": "Observed at, UTC", "valid_until": "Valid until", "title": "Title", "words": "Words", "url": "Address of the thing seen",
	"artefact": "SHA-256 of the thing seen", "source_role": "Who speaks", "source_name": "Name of the speaker", "method": "Method",
}

var kindLabels = map[posture.Kind]map[string]string{
	posture.KindStatement:     {"polarity": "It says that the statement"},
	posture.KindDocumentation: {"polarity": "It says that the statement", "pre_ga": "It is about a feature before general availability"},
	posture.KindAttestation:   {"polarity": "It says that the statement", "observed_at": "End of the period covered, UTC"},
	posture.KindConfiguration: {"polarity": "It shows that the statement", "by_hand": "Read by hand, not by a tool"},
	posture.KindIncident:      {"advisory": "Status of the advisory"},
	posture.KindTest: {
		"run": "Run", "case": "Case", "expected": "The case required", "outcome": "It ended with", "control_ok": "The control was proven before and after",
		"observed_behaviour": "What was observed", "refusal_origin": "What refused", "path": "Path", "direction": "Direction", "tester": "Tester",
	},
}

func evidenceLabelsOf(k posture.Kind) map[string]string {
	labels := maps.Clone(evidenceLabels)
	labels["words"] = kindMeans[k].words
	maps.Copy(labels, kindLabels[k])
	for _, f := range posture.Facets() {
		labels[f.String()] = ui.FacetWords(f)
	}
	return labels
}

// halves are the fields that the two halves of a pair share, and the one in
// which they differ.
var halves = [...]string{"run", "case", "path", "direction", "expected"}

// otherHalf is the address that records the other half of a test's pair.
func otherHalf(r *posture.Record) string {
	expected := posture.Permit
	if r.Expected == posture.Permit {
		expected = posture.Deny
	}
	q := url.Values{
		"subject": {strconv.FormatInt(r.Subject.ID, 10)}, "statement": {r.Statement}, "kind": {r.Kind.String()},
		"run": {r.Run}, "case": {r.Case}, "path": {r.Path}, "direction": {r.Direction}, "expected": {expected.String()},
	}
	return "/evidence/new?" + q.Encode()
}

// NewEvidenceForm begins with the target in force: what a document of the kind
// is about, or all of what a configuration or a test is taken on. begun holds
// what the address says of the other half of a pair.
func NewEvidenceForm(item posture.CellItem, kind posture.Kind, a posture.Access, begun url.Values) EvidenceForm {
	typed := url.Values{}
	prefilled := neededFacets(kind, item.Row.Statement, item.Row.Subject.Kind)
	switch kind {
	case posture.KindConfiguration, posture.KindTest:
		prefilled = posture.Of(posture.Facets()...)
	case posture.KindIncident:
		prefilled |= posture.Of(posture.Version)
	case posture.KindStatement, posture.KindDocumentation, posture.KindAttestation:
	}
	for _, f := range prefilled.List() {
		typed.Set(f.String(), item.Target.Identity[f])
	}
	usual := posture.Record{Evidence: posture.Evidence{Kind: kind}}.Settled()
	typed.Set("source_role", usual.SourceRole)
	typed.Set("method", usual.Method)
	if kind == posture.KindTest {
		typed.Set("tester", a.Name)
		if scenario, ok := library.Must().FirstFor(item.Row.Statement); ok {
			typed.Set("case", scenario.ID)
		}
		for _, name := range halves {
			if begun.Has(name) {
				typed.Set(name, begun.Get(name))
			}
		}
	}
	return EvidenceForm{Draft: Draft{Typed: typed, labels: evidenceLabelsOf(kind)}, Item: item, Kind: kind, access: a}
}

// With gives the form as it stands after it was sent.
func (m EvidenceForm) With(d Draft) EvidenceForm {
	d.labels = evidenceLabelsOf(m.Kind)
	m.Draft = d
	return m
}

// Title names what the form records.
func (m EvidenceForm) Title() string {
	return m.Kind.String() + " on " + m.Item.Row.Statement
}

func (m EvidenceForm) action() string { return evidencePath(m.Item.Row, m.Kind.String()) }

// evidencePath is the address that records a kind on a statement.
func evidencePath(row posture.StatementRow, kind string) string {
	q := url.Values{"subject": {strconv.FormatInt(row.Subject.ID, 10)}, "statement": {row.Statement}, "kind": {kind}}
	return "/evidence/new?" + q.Encode()
}

func (m EvidenceForm) kinds() []ui.Tab {
	var tabs []ui.Tab
	for _, k := range recordable(m.access) {
		tabs = append(tabs, ui.Tab{Text: k.String(), Href: evidencePath(m.Item.Row, k.String()), Current: k == m.Kind})
	}
	return tabs
}

// recordable lists the kinds that a role may record.
func recordable(a posture.Access) []posture.Kind {
	return slices.DeleteFunc(posture.Kinds(), func(k posture.Kind) bool { return !a.May(posture.ActionFor(k)) })
}

func (m EvidenceForm) speaker() ui.Field {
	return m.choice("source_role", "", []ui.Option{
		{Value: "vendor", Text: "the vendor"}, {Value: "customer", Text: "us, the customer"}, {Value: "independent", Text: "an independent party"},
	})
}

func (m EvidenceForm) methods() ui.Field {
	return m.choice("method", "", []ui.Option{
		{Value: "examine", Text: "examine: an artefact was inspected"}, {Value: "interview", Text: "interview: somebody was asked"}, {Value: "test", Text: "test: the mechanism was exercised"},
	})
}

func (m EvidenceForm) sides() ui.Field {
	return m.choice("polarity", "", []ui.Option{
		{Value: "supports", Text: "holds"},
		{Value: "contradicts", Text: "does not hold", Hint: "in a document: the vendor does not offer this"},
		{Value: "none", Text: "is not touched", Hint: "kept beside it, moves nothing"},
	})
}

func (m EvidenceForm) caseField() ui.Field {
	f := m.sized("case", "A permit and a deny pair only within one run and one case.", 200)
	for _, s := range library.Must().ForStatement(m.Item.Row.Statement) {
		f.Options = append(f.Options, ui.Option{Value: s.ID, Text: s.Intent})
	}
	f.Mono = true
	return f
}

func (m EvidenceForm) expected() ui.Field {
	return m.choice("expected", "Never inferred from a name.", []ui.Option{
		{Value: "permit", Text: "permit", Hint: "the one entitled to it gets it"}, {Value: "deny", Text: "deny", Hint: "the one not entitled to it is refused"},
	})
}

func (m EvidenceForm) outcomes() ui.Field {
	return m.choice("outcome", "", []ui.Option{
		{Value: "pass", Text: "pass", Hint: "what was required happened"},
		{Value: "fail", Text: "fail", Hint: "the opposite happened"},
		{Value: "inconclusive", Text: "inconclusive", Hint: "refused by something else, or the fixture was missing"},
		{Value: "error", Text: "error", Hint: "the test itself broke"},
		{Value: "skipped", Text: "skipped", Hint: "not executed"},
		{Value: "incomplete", Text: "incomplete", Hint: "started and never ended"},
	})
}

func (m EvidenceForm) advisories() ui.Field {
	return m.choice("advisory", "", withEmpty("Choose one", optionsOf(AdvisoryNames())))
}

// AdvisoryNames lists the stored names of an advisory's status.
func AdvisoryNames() []string {
	return []string{posture.Affected.String(), posture.UnderInvestigation.String(), posture.Fixed.String(), posture.NotAffected.String()}
}

// OutcomeNames lists the stored names of the outcomes.
func OutcomeNames() []string {
	return []string{"pass", "fail", "error", "skipped", "inconclusive", "incomplete"}
}

// facetField is one facet of what the record was taken on.
func (d Draft) facetField(f posture.Facet, hint string) ui.Field {
	field := d.sized(f.String(), hint, 2000)
	field.Mono = ui.IsDigest(f)
	return field
}

func (m EvidenceForm) facet(f posture.Facet) ui.Field {
	hint := ""
	if m.needed().Has(f) {
		hint = "must match the target for this to count"
	}
	if f == posture.Region && (m.Kind == posture.KindDocumentation || m.Kind == posture.KindAttestation) {
		hint = "must match, or “any” for a document that speaks for every region"
	}
	return m.facetField(f, hint)
}

func (m EvidenceForm) needed() posture.FacetSet {
	return neededFacets(m.Kind, m.Item.Row.Statement, m.Item.Row.Subject.Kind)
}

// typedFacts lists what was typed, for the second step of the form.
func (m EvidenceForm) typedFacts() []ui.Pair {
	pairs := []ui.Pair{{Term: "Kind", Text: m.Kind.String()}}
	add := func(name, text string) {
		if text != "" && text != "none" {
			pairs = append(pairs, ui.Pair{Term: m.labels[name], Text: text})
		}
	}
	for _, name := range []string{
		"polarity", "run", "case", "expected", "outcome", "advisory", "observed_at", "valid_until", "title", "words",
		"observed_behaviour", "refusal_origin", "path", "direction", "tester", "url", "artefact", "source_role", "source_name", "method",
	} {
		add(name, typedWords(name, m.text(name)))
	}
	for _, name := range []string{"control_ok", "by_hand", "pre_ga"} {
		if _, asked := m.labels[name]; asked {
			add(name, yesNo(m.text(name) != ""))
		}
	}
	return pairs
}

func typedWords(name, value string) string {
	switch name {
	case "polarity":
		return map[string]string{"supports": "holds", "contradicts": "does not hold", "none": "is not touched"}[value]
	case "valid_until":
		return dayTyped(value)
	case "observed_at":
		return strings.Replace(value, "T", " ", 1)
	case "advisory", "outcome", "expected":
		return wordsOf(value)
	default:
		return value
	}
}

// typedTarget is what the record was taken on, as typed.
func (m EvidenceForm) typedTarget() posture.Target {
	t := posture.Target{}
	for _, f := range posture.Facets() {
		t.Identity[f] = m.text(f.String())
	}
	return t
}

func (m EvidenceForm) digest() ui.Field {
	return m.mono(m.sized("artefact", "Where you keep it yourself. A file can be handed in at the next step.", 80))
}

// mono sets a field in the letters of ids and digests.
func (m EvidenceForm) mono(f ui.Field) ui.Field {
	f.Mono = true
	return f
}
