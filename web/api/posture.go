package api

import (
	"context"
	"slices"
	"time"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

// PostureBody is what holds of a runtime at an instant: cells and statements
// in the two columns, which have no common score.
type PostureBody struct {
	Runtime  string    `json:"runtime" doc:"Its slug."`
	At       time.Time `json:"at" doc:"The instant judged."`
	Known    time.Time `json:"known" doc:"What was known by then counts."`
	Library  string    `json:"library" doc:"Version of the statements."`
	Target   Target    `json:"target"`
	Cells    []Cell    `json:"cells" nullable:"false"`
	Counts   Columns   `json:"counts"`
	Open     int       `json:"open_discrepancies"`
	Evidence int       `json:"evidence" doc:"Records about its unit and its receivers."`

	Statements []Statement `json:"statements" nullable:"false"`
}

// Cell is a dimension's roll-up: the worst over the unit and the receivers.
type Cell struct {
	Dimension string `json:"dimension" example:"FS"`
	Column    Column `json:"column"`
	Label     *Label `json:"label,omitempty" doc:"Left out where outside is true."`
	Outside   bool   `json:"outside" doc:"Nothing is required here, and the profile or the purpose says so."`
	Tested    int    `json:"tested"`
	Of        int    `json:"of" doc:"Required statements that are not ruled out."`
}

// Columns are the counts of the two columns.
type Columns struct {
	Execution StatementCounts `json:"execution"`
	Receivers StatementCounts `json:"receivers"`
}

// StatementCounts count a column's required statements by label.
type StatementCounts struct {
	Required int            `json:"required" doc:"Required statements, those ruled out left aside."`
	ByLabel  map[string]int `json:"by_label"`
}

// Statement is one statement of one subject with its verdict.
type Statement struct {
	Subject   Subject `json:"subject"`
	Statement string  `json:"statement" example:"FS-1"`
	Dimension string  `json:"dimension"`
	Column    Column  `json:"column"`
	Sentence  string  `json:"sentence,omitempty"`

	Required *Requirement `json:"required,omitempty" doc:"Left out where nobody has asked for it."`
	Verdict  Verdict      `json:"verdict"`

	Discrepancy  string     `json:"discrepancy,omitempty" doc:"The open one."`
	CarriedBy    string     `json:"carried_by,omitempty"`
	CarriedUntil *time.Time `json:"carried_until,omitempty"`
}

// Requirement is what is asked.
type Requirement struct {
	Wanted    Wanted `json:"wanted"`
	Reason    string `json:"reason"`
	Mechanism string `json:"mechanism" doc:"What enforces it; empty: nobody has said."`
	Rung      Rung   `json:"rung" doc:"The rung at which it is met."`
	Owner     string `json:"owner"`
}

// Verdict is the answer of the judge.
type Verdict struct {
	Label Label `json:"label"`
	State Label `json:"state" doc:"The state of the evidence beneath the label."`
	Rung  Rung  `json:"rung" doc:"The highest rung with support that is fresh and taken on the target."`
	Best  Rung  `json:"best" doc:"The highest ever supported."`
	Met   bool  `json:"met"`

	Hard       []string `json:"hard" nullable:"false" doc:"Records that contradict this target."`
	Soft       []string `json:"soft" nullable:"false" doc:"Records that cast suspicion on it."`
	Acceptance string   `json:"acceptance,omitempty"`
	Lapsed     []string `json:"lapsed" nullable:"false" doc:"Why support no longer holds, where the state is stale."`

	PathsTested int `json:"paths_tested"`
	PathsKnown  int `json:"paths_known"`
}

func verdictBody(v *posture.Verdict) Verdict {
	return Verdict{
		Label: Label(v.Label.String()), State: Label(v.State.String()), Rung: Rung(v.Rung.String()), Best: Rung(v.Best.String()), Met: v.Met,
		Hard: some(v.Hard), Soft: some(v.Soft), Acceptance: v.Acceptance, Lapsed: v.Lapsed.Names(), PathsTested: v.PathsTested,
		PathsKnown: v.PathsKnown,
	}
}

func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return slices.Clone(list)
}

type postureOutput struct{ Body PostureBody }

func (a *API) readPosture(ctx context.Context, who posture.Access, in *runtimeInput) (*postureOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	page, err := a.store.RuntimePage(ctx, who, o, in.Slug)
	if err != nil {
		return nil, err
	}
	body := PostureBody{
		Runtime: page.Runtime.Slug, Library: library.Version, Target: targetBody(page.Runtime.Target), Cells: []Cell{},
		Statements: []Statement{}, Open: page.Open, Evidence: page.Evidence,
		Counts: Columns{statementCounts(page.Counts.Execution), statementCounts(page.Counts.Receivers)},
	}
	body.At, body.Known = a.judged(o)
	for _, c := range page.Cells {
		body.Cells = append(body.Cells, a.cellBody(c))
	}
	for i := range page.Statements {
		body.Statements = append(body.Statements, a.statementBody(&page.Statements[i]))
	}
	return &postureOutput{body}, nil
}

func (a *API) cellBody(c posture.Cell) Cell {
	cell := Cell{Dimension: c.Dimension, Column: a.column(c.Dimension), Outside: c.Outside, Tested: c.Tested, Of: c.Of}
	if !c.Outside {
		cell.Label = optional[Label](c.Label)
	}
	return cell
}

func (a *API) column(dimension string) Column {
	d, ok := a.library.Dimension(dimension)
	if !ok {
		return "execution"
	}
	return Column(d.Column)
}

func statementCounts(c posture.StatementCounts) StatementCounts {
	out := StatementCounts{Required: c.Required, ByLabel: map[string]int{}}
	for _, l := range posture.Labels() {
		if n := c.Of(l); n > 0 {
			out.ByLabel[l.String()] = n
		}
	}
	return out
}

func (a *API) statementBody(r *posture.StatementRow) Statement {
	s := Statement{
		Subject: subjectBody(r.Subject), Statement: r.Statement, Verdict: verdictBody(&r.Verdict), CarriedBy: r.CarriedBy,
		CarriedUntil: moment(r.CarriedUntil), Column: "execution",
	}
	if st, ok := a.library.Statement(r.Statement); ok {
		s.Dimension, s.Column, s.Sentence = st.Dimension, a.column(st.Dimension), st.Sentence()
	}
	if r.Discrepancy != 0 {
		s.Discrepancy = discrepancyID(r.Discrepancy)
	}
	if r.HasRequired {
		q := &r.Requirement
		s.Required = &Requirement{
			Wanted: Wanted(q.Wanted.String()), Reason: q.Reason, Mechanism: q.Mechanism, Rung: Rung(q.Rung.String()), Owner: q.Owner,
		}
	}
	return s
}
