package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"demarc/store"
	"demarc/store/posture"
)

// answer runs a handler behind the middleware that logs, recovers and answers
// errors, and gives the answer and the log.
func answer(ctx context.Context, t *testing.T, handler echo.HandlerFunc) (*httptest.ResponseRecorder, string) {
	t.Helper()
	var log bytes.Buffer
	s := New(Config{
		Store: &store.Store{}, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Clock: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
	})
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/runtimes", http.NoBody)
	c := s.echo.NewContext(r, w)
	if err := s.identified(s.logged(s.recovered(handler)))(c); err != nil {
		t.Fatalf("an error passed the log: %v", err)
	}
	return w, log.String()
}

func TestEachKindOfErrorHasItsStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{posture.NotFoundError("runtime"), http.StatusNotFound},
		{fmt.Errorf("load: %w", posture.NotFoundError("runtime")), http.StatusNotFound},
		{&posture.Error{Kind: posture.Forbidden, Text: "no"}, http.StatusForbidden},
		{&posture.Error{Kind: posture.Conflicting, Text: "no"}, http.StatusConflict},
		{posture.InvalidField("slug", "no"), http.StatusUnprocessableEntity},
		{&posture.Error{Kind: posture.SignInNeeded}, http.StatusSeeOther},
		{&posture.Error{Text: "a table's name"}, http.StatusInternalServerError},
		{&http.MaxBytesError{Limit: 1}, http.StatusRequestEntityTooLarge},
		{echo.ErrNotFound, http.StatusNotFound},
		{echo.ErrMethodNotAllowed, http.StatusMethodNotAllowed},
		{echo.NewHTTPError(http.StatusTeapot, "teapot"), http.StatusInternalServerError},
		{errors.New("a secret cause"), http.StatusInternalServerError},
		{context.DeadlineExceeded, http.StatusInternalServerError},
	} {
		w, log := answer(t.Context(), t, func(echo.Context) error { return c.err })
		if w.Code != c.want {
			t.Errorf("%v: status %d, want %d", c.err, w.Code, c.want)
		}
		if broken := c.want == http.StatusInternalServerError; broken != strings.Contains(log, "level=ERROR") {
			t.Errorf("%v: logged %q", c.err, log)
		}
		if strings.Contains(w.Body.String(), "secret cause") || strings.Contains(w.Body.String(), "table's name") {
			t.Errorf("%v: the page tells the cause", c.err)
		}
	}
}

func TestAPanicIsAnswered(t *testing.T) {
	t.Parallel()
	w, log := answer(t.Context(), t, func(echo.Context) error { panic("a secret cause") })
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("status %d, page %s", w.Code, w.Body)
	}
	if strings.Count(log, "a secret cause") != 1 || !strings.Contains(log, "fail_test.go") {
		t.Errorf("logged %q, want the cause once and where it happened", log)
	}
}

func TestAnAnswerThatBeganIsLeftAlone(t *testing.T) {
	t.Parallel()
	w, log := answer(t.Context(), t, func(c echo.Context) error {
		return errors.Join(c.String(http.StatusOK, "half"), errors.New("broke off"))
	})
	if w.Code != http.StatusOK || w.Body.String() != "half" {
		t.Errorf("status %d, body %q", w.Code, w.Body)
	}
	if !strings.Contains(log, "broke off") {
		t.Errorf("logged %q", log)
	}
}

func TestAClientThatLeftIsNoFault(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	w, log := answer(ctx, t, func(c echo.Context) error {
		leave()
		return fmt.Errorf("query: %w", c.Request().Context().Err())
	})
	if w.Body.Len() != 0 || strings.Contains(log, "level=ERROR") || !strings.Contains(log, "status=499") {
		t.Errorf("body %q, logged %q", w.Body, log)
	}
}
