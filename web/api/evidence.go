package api

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"demarc/store/posture"
)

// Record is one observation that bears on a statement.
type Record struct {
	ID        string       `json:"id" example:"E-0467"`
	Kind      EvidenceKind `json:"kind"`
	Statement string       `json:"statement" example:"AD-1"`
	Subject   Subject      `json:"subject"`
	Identity  Identity     `json:"identity" doc:"What it was taken on."`
	Polarity  Polarity     `json:"polarity"`

	ObservedAt time.Time  `json:"observed_at" doc:"When the fact was true; age counts from it."`
	RecordedAt time.Time  `json:"recorded_at"`
	RecordedBy string     `json:"recorded_by"`
	ValidUntil *time.Time `json:"valid_until,omitempty"`

	WithdrawnAt      *time.Time `json:"withdrawn_at,omitempty"`
	WithdrawnBecause string     `json:"withdrawn_because,omitempty"`
	SupersededBy     string     `json:"superseded_by,omitempty" doc:"The newer capture of the same address."`

	Details
	Artefact string `json:"artefact,omitempty" doc:"SHA-256 of the stored copy of the thing seen."`
	Run      int64  `json:"import_run,omitempty" doc:"The import that brought it."`
	Claim    string `json:"claim,omitempty" doc:"The catalogue's claim that it was made from."`
}

// Details are what a record says beside what every record has. Those from run
// to tester belong to a test.
type Details struct {
	SourceRole string `json:"source_role,omitempty" enum:"vendor,customer,independent" doc:"Who speaks; left out: the usual one of the kind."`
	SourceName string `json:"source_name,omitempty" maxLength:"200"`
	Method     string `json:"method,omitempty" enum:"examine,interview,test"`
	Title      string `json:"title,omitempty" maxLength:"200"`
	Words      string `json:"words,omitempty" maxLength:"8000" doc:"What was said or seen."`
	URL        string `json:"url,omitempty" maxLength:"2000"`
	ByHand     bool   `json:"by_hand,omitempty" doc:"Of a configuration: read by hand, not by a tool."`
	PreGA      bool   `json:"pre_ga,omitempty" doc:"Of documentation: the feature is not generally available."`

	Advisory *Advisory `json:"advisory,omitempty" doc:"Of an incident."`

	RunName           string    `json:"run,omitempty" maxLength:"200" doc:"A permit and a deny pair within one run only."`
	Case              string    `json:"case,omitempty" maxLength:"200" example:"SD-05"`
	Path              string    `json:"path,omitempty" maxLength:"200"`
	Direction         string    `json:"direction,omitempty" maxLength:"200"`
	Expected          *Expected `json:"expected,omitempty"`
	Outcome           *Outcome  `json:"outcome,omitempty"`
	ControlOK         bool      `json:"control_ok,omitempty" doc:"Both controls worked."`
	ObservedBehaviour string    `json:"observed_behaviour,omitempty" maxLength:"8000"`
	RefusalOrigin     string    `json:"refusal_origin,omitempty" maxLength:"2000" doc:"What refused."`
	Tester            string    `json:"tester,omitempty" maxLength:"200"`
}

func recordBody(r *posture.Record) Record {
	return Record{
		ID: r.ID, Kind: EvidenceKind(r.Kind.String()), Statement: r.Statement, Subject: subjectBody(r.Subject),
		Identity: identityBody(r.Identity), Polarity: Polarity(r.Side().String()), ObservedAt: r.ObservedAt.UTC(),
		RecordedAt: r.RecordedAt.UTC(), RecordedBy: r.RecordedBy, ValidUntil: moment(r.ValidUntil), WithdrawnAt: moment(r.WithdrawnAt),
		WithdrawnBecause: r.WithdrawnBecause, SupersededBy: r.SupersededBy, Artefact: r.Artefact, Run: r.ImportRun, Claim: r.Claim,
		Details: Details{
			SourceRole: r.SourceRole, SourceName: r.SourceName, Method: r.Method, Title: r.Title, Words: r.Words, URL: r.URL,
			ByHand: r.ByHand, PreGA: r.PreGA, Advisory: optional[Advisory](r.Advisory), RunName: r.Run, Case: r.Case, Path: r.Path,
			Direction: r.Direction, Expected: optional[Expected](r.Expected), Outcome: optional[Outcome](r.Outcome), ControlOK: r.ControlOK,
			ObservedBehaviour: r.ObservedBehaviour, RefusalOrigin: r.RefusalOrigin, Tester: r.Tester,
		},
	}
}

// NewRecord is an observation to record.
type NewRecord struct {
	Subject struct {
		Kind SubjectKind `json:"kind"`
		Slug string      `json:"slug" maxLength:"63"`
	} `json:"subject" doc:"What it is about: a runtime's isolation unit, or a receiving component."`
	Kind       EvidenceKind `json:"kind"`
	Statement  string       `json:"statement" maxLength:"20" example:"AD-1"`
	Polarity   *Polarity    `json:"polarity,omitempty" doc:"Left out for tests and incidents: it follows from what was required and seen."`
	Identity   Identity     `json:"identity" doc:"What it was taken on. Support counts on exactly this target only."`
	ObservedAt time.Time    `json:"observed_at"`
	ValidUntil *time.Time   `json:"valid_until,omitempty"`
	Details
}

func (n *NewRecord) posture() (r posture.Record, err error) {
	d := &n.Details
	r = posture.Record{
		SourceRole: d.SourceRole, SourceName: d.SourceName, Method: d.Method, Title: d.Title, Words: d.Words, URL: d.URL,
		ObservedBehaviour: d.ObservedBehaviour, RefusalOrigin: d.RefusalOrigin, Path: d.Path, Direction: d.Direction, Tester: d.Tester,
		Evidence: posture.Evidence{
			Statement: n.Statement, Identity: n.Identity.posture(), ObservedAt: n.ObservedAt, ByHand: d.ByHand, PreGA: d.PreGA,
			Run: d.RunName, Case: d.Case, ControlOK: d.ControlOK,
		},
	}
	set(&r.ValidUntil, n.ValidUntil)
	if r.Kind, err = posture.ParseKind(string(n.Kind)); err != nil {
		return r, err
	}
	if r.Polarity, err = word(n.Polarity, posture.ParsePolarity); err != nil {
		return r, err
	}
	if r.Advisory, err = word(d.Advisory, posture.ParseAdvisory); err != nil {
		return r, err
	}
	if r.Expected, err = word(d.Expected, posture.ParseExpected); err != nil {
		return r, err
	}
	r.Outcome, err = word(d.Outcome, posture.ParseOutcome)
	return r, err
}

// RecordedBody is a record as it was kept, and the verdicts that it moved.
type RecordedBody struct {
	Record Record             `json:"record"`
	Moved  []posture.Movement `json:"moved" nullable:"false"`
}

// RecordsBody is one page of evidence, newest first.
type RecordsBody struct {
	Items []Record `json:"items" nullable:"false"`
	Next  string   `json:"next,omitempty" doc:"Where more follow: send it back as after."`
}

type recordsInput struct {
	Moment
	List
	Runtime   string       `query:"runtime" maxLength:"63" doc:"Slug: its unit and its receivers."`
	Component string       `query:"component" maxLength:"63" doc:"Slug of one component."`
	Statement string       `query:"statement" maxLength:"20"`
	Kind      EvidenceKind `query:"kind"`
	Side      string       `query:"side" enum:"against,for"`
}

type recordsOutput struct{ Body RecordsBody }

type recordInput struct {
	Moment
	ID string `path:"id" maxLength:"20" example:"E-0467"`
}

type recordOutput struct{ Body Record }

type recordedOutput struct {
	Location string `header:"Location"`
	Body     RecordedBody
}

func (a *API) evidence() {
	register(a, operation(http.MethodGet, "/evidence", "list-evidence", "List evidence, newest first", http.StatusOK), a.listEvidence)
	register(a, operation(http.MethodPost, "/evidence", "record-evidence", "Record an observation", http.StatusCreated), a.recordEvidence)
	register(a, operation(http.MethodGet, "/evidence/{id}", "read-evidence", "Read a record", http.StatusOK), a.readEvidence)
}

func (a *API) listEvidence(ctx context.Context, who posture.Access, in *recordsInput) (*recordsOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	filter := posture.RecordFilter{Runtime: in.Runtime, Statement: in.Statement, Kind: string(in.Kind), Side: in.Side, Limit: in.Limit}
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
	rows, next, err := a.store.Evidence(ctx, who, o, filter)
	if err != nil {
		return nil, err
	}
	body := RecordsBody{Items: []Record{}, Next: cursorText(next)}
	for i := range rows {
		body.Items = append(body.Items, recordBody(&rows[i]))
	}
	return &recordsOutput{body}, nil
}

func (a *API) recordEvidence(ctx context.Context, who posture.Access, in *struct{ Body NewRecord }) (*recordedOutput, error) {
	r, err := in.Body.posture()
	if err != nil {
		return nil, err
	}
	if r.Subject.ID, err = a.subjectOf(ctx, who, in.Body.Subject.Kind, in.Body.Subject.Slug); err != nil {
		return nil, err
	}
	saved, moved, err := a.store.RecordEvidence(ctx, who, r, nil)
	if err != nil {
		return nil, err
	}
	if moved == nil {
		moved = []posture.Movement{}
	}
	return &recordedOutput{
		Location: Prefix + "/evidence/" + url.PathEscape(saved.ID), Body: RecordedBody{Record: recordBody(&saved), Moved: moved},
	}, nil
}

func (a *API) subjectOf(ctx context.Context, who posture.Access, kind SubjectKind, slug string) (int64, error) {
	if kind == SubjectKind(posture.Receiver.String()) {
		c, err := a.store.Component(ctx, who, slug, posture.AsOf{})
		return c.Subject, err
	}
	r, err := a.store.Runtime(ctx, who, slug, posture.AsOf{})
	return r.Subject, err
}

func (a *API) readEvidence(ctx context.Context, who posture.Access, in *recordInput) (*recordOutput, error) {
	o, err := a.at(in.Moment)
	if err != nil {
		return nil, err
	}
	row, err := rowOf("E-", in.ID, "evidence")
	if err != nil {
		return nil, err
	}
	r, err := a.store.EvidenceByID(ctx, who, o, row)
	if err != nil {
		return nil, err
	}
	return &recordOutput{recordBody(&r)}, nil
}

// rowOf reads an id such as "E-0467", or its number alone; anything else is a
// thing that does not exist.
func rowOf(prefix, id, what string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.ToUpper(id), prefix), 10, 64)
	if err != nil || n <= 0 {
		return 0, posture.NotFoundError(what + " " + id)
	}
	return n, nil
}

// cursor reads the keyset of a list whose entries are numbered.
func cursor(after string) (int64, error) {
	if after == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(after, 10, 64)
	if err != nil || n <= 0 {
		return 0, &posture.Error{Kind: posture.Invalid, Text: "Send as after what an answer gave as next, unchanged.", Err: err}
	}
	return n, nil
}

func cursorText(next int64) string {
	if next == 0 {
		return ""
	}
	return strconv.FormatInt(next, 10)
}
