package web

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// healthy says that the process answers.
func (s *Server) healthy(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// ready says whether the database answers and holds a schema. What is wrong
// goes to the log alone.
func (s *Server) ready(c echo.Context) error {
	if err := s.store.Ready(c.Request().Context()); err != nil {
		c.Set(keyFault, err)
		return c.String(http.StatusServiceUnavailable, "not ready\n")
	}
	return c.String(http.StatusOK, "ready\n")
}
