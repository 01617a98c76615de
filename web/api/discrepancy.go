package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"demarc/store/posture"
)

// Discrepancy is a difference between what a statement requires and what
// evidence shows.
type Discrepancy struct {
	ID        string  `json:"id" example:"D-214"`
	Kind      string  `json:"kind" enum:"boundary_failed,evidence_missing" doc:"The two are never listed together."`
	Subject   Subject `json:"subject"`
	Statement string  `json:"statement"`
	Variant   string  `json:"variant"`
	Case      string  `json:"case"`
	Path      string  `json:"path"`
	Direction string  `json:"direction"`

	State     string    `json:"state" example:"open"`
	Open      bool      `json:"open" doc:"Evidence of a sighting still stands."`
	Label     Label     `json:"label" doc:"How the statement reads."`
	Severity  Severity  `json:"severity"`
	Initial   Severity  `json:"initial_severity"`
	Owner     string    `json:"owner" doc:"Of the receiver or the runtime."`
	RiskOwner string    `json:"risk_owner"`
	OpenedAt  time.Time `json:"opened_at"`
	DueAt     time.Time `json:"due_at"`
	Expected  string    `json:"expected"`
	Seen      string    `json:"seen"`

	Sightings []Sighting `json:"sightings" nullable:"false" doc:"Newest first; a list gives the newest alone."`
}

// Sighting is one record that shows a discrepancy.
type Sighting struct {
	Evidence   string    `json:"evidence" example:"E-0467"`
	SeenAt     time.Time `json:"seen_at"`
	RecordedAt time.Time `json:"recorded_at"`
	Identity   Identity  `json:"identity" doc:"What it was seen on."`
	Words      string    `json:"words"`
}

func discrepancyID(id int64) string { return "D-" + strconv.FormatInt(id, 10) }

func discrepancyBody(d *posture.Discrepancy) Discrepancy {
	out := Discrepancy{
		ID: discrepancyID(d.ID), Kind: d.Kind, Subject: subjectBody(d.Subject), Statement: d.Statement, Variant: d.Variant, Case: d.Case,
		Path: d.Path, Direction: d.Direction, State: d.State, Open: d.Open, Label: Label(d.Label.String()),
		Severity: Severity(d.Severity.String()), Initial: Severity(d.Initial.String()), Owner: d.Owner, RiskOwner: d.RiskOwner,
		OpenedAt: d.OpenedAt.UTC(), DueAt: d.DueAt.UTC(), Expected: d.Expected, Seen: d.Seen, Sightings: []Sighting{},
	}
	for i := range d.Sightings {
		g := &d.Sightings[i]
		out.Sightings = append(out.Sightings, Sighting{
			Evidence: g.Evidence, SeenAt: g.SeenAt.UTC(), RecordedAt: g.RecordedAt.UTC(), Identity: identityBody(g.Identity), Words: g.Words,
		})
	}
	return out
}

// DiscrepanciesBody is one page of one kind of discrepancy, newest first.
type DiscrepanciesBody struct {
	Items []Discrepancy `json:"items" nullable:"false"`
	Next  string        `json:"next,omitempty" doc:"Where more follow: send it back as after."`
}

type discrepanciesInput struct {
	Moment
	List
	Kind      string `query:"kind" enum:"boundary_failed,evidence_missing" default:"boundary_failed" doc:"Only the first is collected in this version."`
	State     string `query:"state" enum:"open,closed,all" default:"open"`
	Owner     string `query:"owner" maxLength:"200" doc:"Owner or risk owner."`
	Runtime   string `query:"runtime" maxLength:"63" doc:"Slug: its unit and its receivers."`
	Component string `query:"component" maxLength:"63" doc:"Slug of one component."`
}

type discrepanciesOutput struct{ Body DiscrepanciesBody }

type discrepancyInput struct {
	Moment
	ID string `path:"id" maxLength:"20" example:"D-214"`
}

type discrepancyOutput struct{ Body Discrepancy }

func (a *API) discrepancies() {
	register(a, operation(http.MethodGet, "/discrepancies", "list-discrepancies", "List discrepancies, newest first", http.StatusOK), a.listDiscrepancies)
	register(a, operation(http.MethodGet, "/discrepancies/{id}", "read-discrepancy", "Read a discrepancy", http.StatusOK), a.readDiscrepancy)
}

func (a *API) listDiscrepancies(ctx context.Context, who posture.Access, in *discrepanciesInput) (*discrepanciesOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	filter := posture.DiscrepancyFilter{Kind: in.Kind, Owner: in.Owner, Runtime: in.Runtime, Limit: in.Limit}
	if in.State != "all" {
		open := in.State == "open"
		filter.Open = &open
	}
	if filter.Before, err = cursor(in.After); err != nil {
		return nil, err
	}
	if in.Component != "" {
		c, err := a.store.Component(ctx, who, in.Component, o)
		if err != nil {
			return nil, err
		}
		filter.Subject = c.Subject
	}
	rows, next, err := a.store.Discrepancies(ctx, who, o, filter)
	if err != nil {
		return nil, err
	}
	body := DiscrepanciesBody{Items: []Discrepancy{}, Next: cursorText(next)}
	for i := range rows {
		body.Items = append(body.Items, discrepancyBody(&rows[i]))
	}
	return &discrepanciesOutput{body}, nil
}

func (a *API) readDiscrepancy(ctx context.Context, who posture.Access, in *discrepancyInput) (*discrepancyOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	id, err := rowOf("D-", in.ID, "discrepancy")
	if err != nil {
		return nil, err
	}
	d, err := a.store.Discrepancy(ctx, who, o, id)
	if err != nil {
		return nil, err
	}
	return &discrepancyOutput{discrepancyBody(&d)}, nil
}
