package web

import (
	"context"
	"errors"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/importers/intake"
	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// importRoutes are the three steps of an import: file, target, preview.
func (s *Server) importRoutes(e *echo.Echo) {
	e.GET("/evidence/import", s.importPage)
	e.POST("/evidence/import", s.importResults)
}

// previewRows is how many records a preview shows.
const previewRows = 50

// importPage asks for the file and what it was taken on.
func (s *Server) importPage(c echo.Context) error {
	if err := mayFill(c, posture.RecordEvidence); err != nil {
		return err
	}
	m := view.NewImport(c.QueryParams())
	if err := s.importTargets(c, &m, nil); err != nil {
		return err
	}
	return s.render(c, view.ImportPage(s.importFrame(c), m))
}

func (s *Server) importFrame(c echo.Context) view.Page {
	return s.page(c, "Import results", "Evidence", view.Crumb{Text: "Evidence", Href: "/evidence"}, view.Crumb{Text: "Import"})
}

// importResults shows what an import would do, or does what was shown.
func (s *Server) importResults(c echo.Context) error {
	if err := mayFill(c, posture.RecordEvidence); err != nil {
		return err
	}
	ask := s.readImport(c)
	if err := ask.form.Err(); err != nil {
		return s.importAgain(c, ask, err)
	}
	if err := s.chosenFiles(ask); err != nil {
		return s.importAgain(c, ask, err)
	}
	if ask.confirmed() {
		return s.recordImport(c, ask)
	}
	return s.previewImport(c, ask)
}

// importAgain sends the form back. What is wrong with the file as a whole is
// said at the file.
func (s *Server) importAgain(c echo.Context, ask *importAsk, err error) error {
	var said *posture.Error
	if errors.As(err, &said) && said.Kind == posture.Invalid && len(said.Fields) == 0 && ask.results != nil {
		err = &posture.Error{Kind: posture.Invalid, Fields: []posture.FieldError{{Field: "file", Text: said.Text}}, Err: err}
	}
	m := view.NewImport(ask.form.values)
	if loadErr := s.importTargets(c, &m, nil); loadErr != nil {
		return loadErr
	}
	return s.invalid(c, err, func(errs ui.Errors) templ.Component {
		return view.ImportPage(s.importFrame(c), m.With(errs))
	})
}

// previewImport runs the import and takes it back, and keeps the file for the
// next step.
func (s *Server) previewImport(c echo.Context, ask *importAsk) error {
	o, err := s.importOptions(c, ask)
	if err != nil {
		return s.importAgain(c, ask, err)
	}
	o.DryRun = true
	seen := &firstResults{sink: s.store}
	receipt, err := intake.Run(c.Request().Context(), access(c), seen, intake.FromBytes(ask.results.Name, ask.results.Body), o)
	if err != nil {
		return s.importAgain(c, ask, err)
	}
	if receipt.AlreadyOn != nil {
		return s.importedBefore(c, ask, &receipt)
	}
	s.held.put(access(c).Person, receipt.SHA256, ask.importFiles)
	m := view.NewImport(ask.form.values)
	m.Preview = &view.ImportPreview{
		Receipt: receipt, Size: len(ask.results.Body), Mapping: nameOf(ask.mapping), Identity: nameOf(ask.identity), Another: ask.another(),
	}
	if m.Runtime == "" {
		m.Runtime = seen.in.Runtime
	}
	if err := s.importTargets(c, &m, seen); err != nil {
		return err
	}
	return s.render(c, view.ImportPreviewPage(s.importFrame(c), m))
}

// recordImport does what was previewed and leads to the receipt.
func (s *Server) recordImport(c echo.Context, ask *importAsk) error {
	o, err := s.importOptions(c, ask)
	if err != nil {
		return s.importAgain(c, ask, err)
	}
	receipt, err := intake.Run(c.Request().Context(), access(c), s.store, intake.FromBytes(ask.results.Name, ask.results.Body), o)
	if err != nil {
		return s.importAgain(c, ask, err)
	}
	if receipt.AlreadyOn != nil {
		return s.importedBefore(c, ask, &receipt)
	}
	s.held.forget(access(c).Person, receipt.SHA256)
	s.flash(c, view.ImportedWords(&receipt))
	return seeOther(c, runPath(receipt.Run))
}

// importedBefore leads to the receipt of then: the same bytes change nothing.
func (s *Server) importedBefore(c echo.Context, ask *importAsk, receipt *posture.Receipt) error {
	s.held.forget(access(c).Person, receipt.SHA256)
	s.flash(c, ask.results.Name+" was already imported on "+ui.Minute(*receipt.AlreadyOn)+". The same bytes change nothing: this is the receipt of then.")
	return seeOther(c, runPath(receipt.Run))
}

func runPath(id int64) string { return "/evidence/runs/" + strconv.FormatInt(id, 10) }

func nameOf(u *posture.Upload) string {
	if u == nil {
		return ""
	}
	return u.Name
}

// firstResults passes an import on and remembers what a preview shows of it.
type firstResults struct {
	sink intake.Sink
	in   posture.Import
	rows []posture.Result
	// receivers are the slugs that the file names, in its order.
	receivers []string
	named     map[string]bool
}

// RecordImport is intake's Sink.
func (f *firstResults) RecordImport(ctx context.Context, a posture.Access, in posture.Import, stream func(take func(*posture.Result) error) error) (posture.Receipt, error) {
	f.in, f.named = in, map[string]bool{}
	return f.sink.RecordImport(ctx, a, in, func(take func(*posture.Result) error) error {
		return stream(func(r *posture.Result) error {
			f.see(r)
			return take(r)
		})
	})
}

func (f *firstResults) see(r *posture.Result) {
	if len(f.rows) < previewRows {
		f.rows = append(f.rows, *r)
	}
	if r.Receiver != "" && !f.named[r.Receiver] && len(f.receivers) < view.MostReceivers {
		f.named[r.Receiver] = true
		f.receivers = append(f.receivers, r.Receiver)
	}
}
