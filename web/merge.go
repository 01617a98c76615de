package web

import (
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// merge answers a save that started from a version no longer in force: what was
// there when the editor began, what is there now and what was typed stand side
// by side, and saving again carries the version that is in force.
func (s *Server) merge(c echo.Context, page view.Page, m view.Merge) error {
	return s.conflicted(c, view.MergePage(page, m))
}

// isConflict says whether somebody saved the record since the editor read it.
func isConflict(err error) bool { return posture.KindOf(err) == posture.Conflicting }
