package web

import (
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// auditPageSize is how many rows of the audit log a page shows.
const auditPageSize = 50

// auditOps are the operations that the database records.
var auditOps = [...]string{"insert", "update", "delete", "import"}

// auditPage shows the audit log, newest first. It asks for one row more than
// it shows, to know whether there are older ones.
func (s *Server) auditPage(c echo.Context) error {
	f := readQuery(c)
	ctx, a := c.Request().Context(), access(c)
	if err := a.Need(posture.ReadAudit); err != nil {
		return err
	}
	filter := posture.AuditFilter{
		Actor:   f.Text("actor", maxName),
		Table:   f.Text("table", maxName),
		Op:      f.Choice("op", append(slices.Clone(auditOps[:]), "")...),
		Request: f.Text("request", maxName),
		From:    f.Date("from"),
		To:      f.Date("to"),
		Before:  f.ID("before"),
		Limit:   auditPageSize + 1,
	}
	if !filter.To.IsZero() {
		filter.To = filter.To.Add(24 * time.Hour)
	}
	m := view.Audit{Typed: c.QueryParams(), Ops: auditOps[:]}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, func(errs ui.Errors) templ.Component {
			m.Errors = errs
			return view.AuditPage(s.adminFrame(c, "Audit log"), m)
		})
	}
	rows, err := s.store.Audit(ctx, a, filter)
	if err != nil {
		return err
	}
	people, err := s.store.People(ctx, a)
	if err != nil {
		return err
	}
	m.Names = actorNames(people)
	if len(rows) > auditPageSize {
		rows = rows[:auditPageSize]
		m.Older = strconv.FormatInt(rows[len(rows)-1].ID, 10)
	}
	m.Rows = rows
	return s.render(c, view.AuditPage(s.adminFrame(c, "Audit log"), m))
}
