package web

import (
	"io"
	"path"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// evidenceFormRoutes are the form that records one observation by hand.
func (s *Server) evidenceFormRoutes(e *echo.Echo) {
	e.GET("/evidence/new", s.evidenceForm)
	e.POST("/evidence/new", s.recordEvidence)
}

// evidenceForm asks what the record is about until the address says so, and
// then for the record itself.
func (s *Server) evidenceForm(c echo.Context) error {
	if err := mayFill(c, posture.RecordEvidence, posture.RecordClaims); err != nil {
		return err
	}
	q := readQuery(c)
	subject, statement := q.ID("subject"), q.Text("statement", maxName)
	kind, err := posture.ParseKind(q.Typed("kind"))
	if q.Err() != nil || subject == 0 || statement == "" || err != nil {
		return s.chooseEvidence(c, q)
	}
	ref, err := s.store.Subject(c.Request().Context(), access(c), subject)
	if err != nil {
		return err
	}
	if !judgedThere(statement, ref.Kind) {
		return s.chooseEvidence(c, q)
	}
	m, err := s.evidenceModel(c, subject, statement, kind)
	if err != nil {
		return err
	}
	return s.render(c, view.EvidenceFormPage(s.evidenceFrame(c, &m), m))
}

// judgedThere says whether a statement of the library is judged on subjects of
// a kind.
func judgedThere(id string, kind posture.SubjectKind) bool {
	s, ok := library.Must().Statement(id)
	return ok && s.JudgedAt(kind.String())
}

// chooseEvidence asks on what, on which statement and of what kind a record is.
func (s *Server) chooseEvidence(c echo.Context, q *form) error {
	subjects, err := s.store.Subjects(c.Request().Context(), access(c))
	if err != nil {
		return err
	}
	m := view.NewEvidenceChoice(q.values, subjects, access(c))
	page := s.page(c, "Record evidence", "Evidence", view.Crumb{Text: "Evidence", Href: "/evidence"}, view.Crumb{Text: "Record"})
	return s.render(c, view.EvidenceChoicePage(page, m))
}

func (s *Server) recordEvidence(c echo.Context) error {
	f := readForm(c)
	q := readQuery(c)
	kind, err := posture.ParseKind(q.Typed("kind"))
	if err != nil {
		return posture.NotFoundError("kind of evidence")
	}
	if err := mayFill(c, posture.ActionFor(kind)); err != nil {
		return err
	}
	m, err := s.evidenceModel(c, q.ID("subject"), q.Text("statement", maxName), kind)
	if err != nil {
		return err
	}
	ctx, a := c.Request().Context(), access(c)
	record := readRecord(f, &m)
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			p, err := s.store.PreviewEvidence(ctx, a, record)
			return view.Foretold(p, 'E', &m.Item), err
		},
		save: func() (string, error) {
			upload := readUpload(f, "file")
			if err := f.Err(); err != nil {
				return "", err
			}
			saved, moves, err := s.store.RecordEvidence(ctx, a, record, upload)
			if err == nil {
				s.flash(c, saved.ID+" is recorded. "+view.MovedWords(moves))
			}
			return view.RecordPath(saved.ID), err
		},
		page: func(d view.Draft) templ.Component {
			return view.EvidenceFormPage(s.evidenceFrame(c, &m), m.With(d))
		},
	})
}

// evidenceModel begins a form with the target in force and what the kind
// usually is.
func (s *Server) evidenceModel(c echo.Context, subject int64, statement string, kind posture.Kind) (view.EvidenceForm, error) {
	a := access(c)
	if err := a.Need(posture.ActionFor(kind)); err != nil {
		return view.EvidenceForm{}, err
	}
	item, err := s.store.StatementPage(c.Request().Context(), a, posture.AsOf{}, subject, statement)
	if err != nil {
		return view.EvidenceForm{}, err
	}
	return view.NewEvidenceForm(item, kind, a, c.QueryParams()), nil
}

func (s *Server) evidenceFrame(c echo.Context, m *view.EvidenceForm) view.Page {
	return s.page(c, "Record evidence", "Evidence",
		view.Crumb{Text: "Evidence", Href: "/evidence"}, view.Crumb{Text: "Record", Href: "/evidence/new"}, view.Crumb{Text: ui.Sentence(m.Title())})
}

func readRecord(f *form, m *view.EvidenceForm) posture.Record {
	r := posture.Record{
		Evidence: posture.Evidence{
			Kind: m.Kind, Statement: m.Item.Row.Statement, ObservedAt: f.Instant("observed_at"), ValidUntil: f.Date("valid_until"),
		},
		Subject:    m.Item.Row.Subject,
		SourceRole: f.Choice("source_role", append(posture.SourceRoles(), "")...), SourceName: f.Text("source_name", maxName),
		Method: f.Choice("method", append(posture.Methods(), "")...),
		Title:  f.Text("title", maxText), Words: f.Text("words", maxLong), URL: f.Text("url", maxText),
		Artefact: strings.TrimPrefix(strings.ToLower(f.Text("artefact", maxText)), "sha256:"),
	}
	for _, facet := range posture.Facets() {
		r.Identity[facet] = f.Text(facet.String(), maxText)
	}
	switch m.Kind {
	case posture.KindTest:
		readTest(f, &r)
	case posture.KindIncident:
		if advisory, err := posture.ParseAdvisory(f.Choice("advisory", append(view.AdvisoryNames(), "")...)); err == nil {
			r.Advisory = advisory
		}
	default:
		if side, err := posture.ParsePolarity(f.Choice("polarity", "supports", "contradicts", "none")); err == nil {
			r.Polarity = side
		}
		r.ByHand, r.PreGA = f.Bool("by_hand"), f.Bool("pre_ga")
	}
	return r
}

func readTest(f *form, r *posture.Record) {
	r.Run, r.Case = f.Text("run", maxText), f.Text("case", maxText)
	if expected, err := posture.ParseExpected(f.Choice("expected", "permit", "deny", "")); err == nil {
		r.Expected = expected
	}
	if outcome, err := posture.ParseOutcome(f.Choice("outcome", append(view.OutcomeNames(), "")...)); err == nil {
		r.Outcome = outcome
	}
	r.ControlOK = f.Bool("control_ok")
	r.ObservedBehaviour, r.RefusalOrigin = f.Text("observed_behaviour", maxLong), f.Text("refusal_origin", maxText)
	r.Path, r.Direction, r.Tester = f.Text("path", maxText), f.Text("direction", maxText), f.Text("tester", maxText)
}

// readUpload reads the file of a field, nil where none was chosen or it cannot
// be read, which is a fault of the form. Its size is bounded by what a request
// may carry.
func readUpload(f *form, name string) *posture.Upload {
	files := f.Files(name)
	if len(files) == 0 {
		return nil
	}
	file, err := files[0].Open()
	if err != nil {
		f.err = err
		return nil
	}
	defer file.Close()
	body, err := io.ReadAll(file)
	if err != nil {
		f.err = err
		return nil
	}
	return &posture.Upload{
		Name: path.Base(strings.ReplaceAll(files[0].Filename, "\\", "/")), Media: files[0].Header.Get(echo.HeaderContentType), Body: body,
	}
}
