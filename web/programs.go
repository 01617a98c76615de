package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/api"
)

// apiRoutes adds the interface for programs. It signs in by token alone and
// answers its own errors.
func (s *Server) apiRoutes(e *echo.Echo) {
	s.programs = api.Mount(e, api.Config{
		Store: s.store, Clock: s.now, Request: requestID,
		Signed: func(c echo.Context, a posture.Access) { c.Set(keyDesk, desk{access: a}) },
		AsOf:   func(day, known string) (posture.AsOf, error) { return parseAsOf(day, known, s.now()) },
	})
}

// forPrograms says whether a request is for the interface for programs.
func forPrograms(r *http.Request) bool { return api.Holds(r.URL.Path) }
