package view

import (
	"fmt"
	"slices"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Cell is one cell of a runtime, explained statement by statement.
type Cell struct {
	posture.CellPage
	Dimension library.Dimension
	Intent    posture.Intent
	Items     []Item
	Library   *library.Library
}

// Item is one statement on one subject with its explanation.
type Item struct {
	posture.CellItem
	Explanation posture.Explanation
	Moments     []posture.Moment
	Statement   library.Statement
	Owner       string
	RiskOwner   string
	access      posture.Access
	at          posture.AsOf
}

// NewCell explains a cell at an instant.
func NewCell(page posture.CellPage, lib *library.Library, a posture.Access, at posture.AsOf) Cell {
	d, _ := lib.Dimension(page.Dimension)
	m := Cell{CellPage: page, Dimension: d, Intent: page.Runtime.Intents[page.Dimension], Library: lib}
	for i := range page.Items {
		m.Items = append(m.Items, newItem(page.Items[i], page.Runtime.Owner, page.Runtime.RiskOwner, lib, a, at))
	}
	slices.SortStableFunc(m.Items, func(a, b Item) int { return int(a.Row.Verdict.Label) - int(b.Row.Verdict.Label) })
	return m
}

func newItem(c posture.CellItem, owner, riskOwner string, lib *library.Library, a posture.Access, at posture.AsOf) Item {
	verdict, explanation := posture.Explain(&c.Facts, at.KnownAt(), at.At)
	c.Row.Verdict = verdict
	s, _ := lib.Statement(c.Row.Statement)
	it := Item{
		CellItem: c, Explanation: explanation, Moments: posture.Timeline(&c.Facts, c.Targets, at.KnownAt()), Statement: s,
		Owner: owner, RiskOwner: riskOwner, access: a, at: at,
	}
	if c.Row.Requirement.Owner != "" {
		it.Owner = c.Row.Requirement.Owner
	}
	if c.Discrepancy != nil {
		it.Owner, it.RiskOwner = c.Discrepancy.Owner, c.Discrepancy.RiskOwner
	}
	slices.Reverse(it.Moments)
	return it
}

func (m Cell) title() string { return m.Dimension.Name + " of " + m.Runtime.Name }

func (m Cell) sub() string {
	return columnTitle(m.Dimension.Column) + " · judged on " + judgedOnWords(m.Dimension) + " · " + intentWords(m.Intent)
}

func columnTitle(column string) string {
	if column == "receivers" {
		return "Authorisation at the receiver"
	}
	return "Execution isolation"
}

// contrastRow is the statement of the other column that a reader must not take
// this cell for: the best one, since that is what misleads.
func (m Cell) contrastRow() *posture.StatementRow {
	var best *posture.StatementRow
	for i := range m.Contrast {
		r := &m.Contrast[i]
		if best == nil || r.Verdict.Label > best.Verdict.Label && r.Verdict.Label != posture.LabelNotApplicable {
			best = r
		}
	}
	return best
}

// worst is the statement that gives the cell its label.
func (m Cell) worst() *Item {
	for i := range m.Items {
		if m.Items[i].Row.HasRequired && m.Items[i].Row.Requirement.Required() {
			return &m.Items[i]
		}
	}
	return nil
}

func (m Cell) contrastWords(r *posture.StatementRow) string {
	return "It says nothing about " + strings.ToLower(m.Dimension.Name) + ": " + r.Subject.Name + " " + verbOf(r) + " " + statementVerb(m.Library, r.Statement) + "."
}

func verbOf(r *posture.StatementRow) string {
	if r.Subject.Kind == posture.Receiver {
		return "must not let a session"
	}
	return "must not"
}

// heading is the statement as a sentence about its subject.
func (it *Item) heading(runtime string) string {
	who := "A session of " + runtime
	if it.Row.Subject.Kind == posture.Receiver {
		return who + " " + it.text() + " (at " + it.Row.Subject.Name + ")"
	}
	return who + " " + it.text()
}

func (it *Item) text() string {
	if it.Statement.Text == "" {
		return "own statement " + it.Row.Statement
	}
	return it.Statement.Text
}

func (it *Item) judged() string {
	if it.Row.Subject.Kind == posture.Receiver {
		return "judged at the receiver " + it.Row.Subject.Name
	}
	return "judged on the isolation unit of " + it.Row.Subject.Name
}

func (it *Item) required() string {
	if !it.Row.HasRequired {
		return "not required by the profile"
	}
	switch it.Row.Requirement.Wanted {
	case posture.NotIntended:
		return "not intended, because " + it.Row.Requirement.Reason
	case posture.Undecided:
		return "required: " + it.Row.Requirement.Rung.Words() + ", undecided: nobody has said that it is intended"
	default:
		return "required: " + it.Row.Requirement.Rung.Words()
	}
}

func (it *Item) record(id string) posture.Record { return it.Records[id] }

// says is what a record shows in words, or what the judge makes of it.
func (it *Item) says(p *posture.Piece) string {
	r := it.record(p.ID)
	if text := r.Says(); text != "" {
		return text
	}
	return p.Why
}

func (it *Item) openAgainst() string {
	n := 0
	for i := range it.Explanation.Against {
		if it.Explanation.Against[i].Open {
			n++
		}
	}
	if n == 0 {
		return "nothing open"
	}
	return ui.Count(n) + " open; it stays until a closure takes effect"
}

func (it *Item) countingFor() string {
	n := 0
	for i := range it.Explanation.For {
		if it.Explanation.For[i].Counts {
			n++
		}
	}
	if n == 0 {
		return "nothing fresh and matching"
	}
	return ui.Plural(n, "record counts", "records count") + " now"
}

// matchWords say how a record compares with the target.
func matchWords(p *posture.Piece) string {
	switch p.Match {
	case posture.Drifted:
		return "another " + posture.FacetWords(p.Moved)
	case posture.Unidentified:
		return posture.FacetWords(p.Unknown) + " unknown"
	default:
		return "exact"
	}
}

// pieceState says what became of a negative.
func pieceState(p *posture.Piece) string {
	switch {
	case p.ClosedBy != "":
		return "closed by " + p.ClosedBy
	case p.AcceptedBy != "":
		return "covered by " + p.AcceptedBy
	case p.Open:
		return "not covered"
	default:
		return "no longer counts"
	}
}

func pieceKind(p *posture.Piece) string {
	if p.Kind != posture.KindTest {
		return p.Kind.String()
	}
	return fmt.Sprintf("test, %s, %s", p.Expected, p.Case)
}

// decisions are what the reader may do about the statement.
func (it *Item) decisions(p Page) []ui.Action {
	if p.AsOf.Past {
		return nil
	}
	var out []ui.Action
	subject, statement := it.Row.Subject.ID, it.Row.Statement
	against := len(it.Row.Verdict.OpenNegatives()) > 0
	if it.access.May(posture.RecordClaims) {
		out = append(out, ui.Action{Text: "Add evidence", Href: onStatement("/evidence/new", subject, statement)})
	}
	if it.access.May(posture.AcceptRisk) && !it.Row.Verdict.Met {
		out = append(out, ui.Action{Text: "Accept the risk", Href: onStatement("/accept", subject, statement)})
	}
	if it.access.May(posture.RuleOut) && !against {
		out = append(out, ui.Action{Text: "Rule out", Href: onStatement("/rule-out", subject, statement)})
	}
	if it.access.May(posture.EditInventory) {
		out = append(out, ui.Action{Text: "Requirement", Href: subjectHref(it.Row.Subject) + "/requirements/" + statement})
	}
	return out
}

func (it *Item) mayClose(p Page, piece *posture.Piece) bool {
	return !p.AsOf.Past && piece.Open && it.access.May(posture.CloseNegatives)
}

// anchor is the id of a statement's part of the page: its statement, and for
// further subjects of the same one the subject too.
func (m Cell) anchor(i int) string {
	first := slices.IndexFunc(m.Items, func(it Item) bool { return it.Row.Statement == m.Items[i].Row.Statement })
	if first == i {
		return m.Items[i].Row.Statement
	}
	return m.Items[i].Row.Statement + "-" + m.Items[i].Row.Subject.Slug
}

func (m Cell) emptyWords() string {
	if m.Cell.Outside {
		return "The requirement profile leaves this dimension out. Nothing is asked of it, and nothing is shown by that."
	}
	if m.Dimension.Column == "receivers" {
		return "No linked receiver has a statement of this dimension. Link the receivers that sessions use: until then nobody has said who authorises."
	}
	return "No statement of this dimension is required. Nobody has said what this boundary is for."
}

// named is an owner's name, or nobody.
func named(owner string) string {
	if owner == "" {
		return "nobody"
	}
	return owner
}

// contrastName is the statement of a side, said to be there for contrast.
func contrastName(r *posture.StatementRow, contrast bool) string {
	if contrast {
		return r.Statement + ", for contrast"
	}
	return r.Statement
}

// judgedOnWords say what a dimension is judged on, with its article.
func judgedOnWords(d library.Dimension) string {
	if strings.HasPrefix(d.JudgedOn, "each ") {
		return d.JudgedOn
	}
	return "the " + d.JudgedOn
}
