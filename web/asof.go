package web

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
)

// dated reads the day that a page is read at from the address: as_of is the
// end of that day in UTC, today is now, known the second clock. Nothing can be
// changed from a past day.
func (s *Server) dated(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if isOpen(c.Request().URL.Path) {
			return next(c)
		}
		q := c.Request().URL.Query()
		at, err := parseAsOf(q.Get("as_of"), q.Get("known"), s.now())
		if err != nil {
			return err
		}
		if at.Past && !isSafe(c.Request().Method) {
			return &posture.Error{
				Kind: posture.Conflicting,
				Text: "A past day can be read, not changed. Open the page as of today and do it there.",
			}
		}
		c.Set(keyAsOf, at)
		return next(c)
	}
}

func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// parseAsOf reads the two clocks of an address, each YYYY-MM-DD or empty. The
// zero AsOf is now.
func parseAsOf(day, known string, now time.Time) (posture.AsOf, error) {
	at, past, err := endOfDay("as_of", day, now)
	if err != nil {
		return posture.AsOf{}, err
	}
	knownAt, knownPast, err := endOfDay("known", known, now)
	if err != nil {
		return posture.AsOf{}, err
	}
	if !past && !knownPast {
		return posture.AsOf{}, nil
	}
	if known == "" {
		knownAt = time.Time{}
	}
	return posture.AsOf{At: at, Known: knownAt, Past: true}, nil
}

// endOfDay gives the last microsecond of a past day, the finest that the
// database keeps; now for today and for no day.
func endOfDay(name, day string, now time.Time) (at time.Time, past bool, err error) {
	if day == "" {
		return now, false, nil
	}
	start, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return now, false, &posture.Error{
			Kind: posture.Invalid,
			Text: "The address asks for a day that cannot be read. Write " + name + "=2026-10-31, or leave it out to read today.",
			Err:  err,
		}
	}
	today := now.UTC().Truncate(24 * time.Hour)
	switch {
	case start.After(today):
		return now, false, &posture.Error{
			Kind: posture.Invalid,
			Text: "The day asked for lies ahead. The last day that can be read is today, " + today.Format("2 Jan 2006") + ".",
		}
	case start.Equal(today):
		return now, false, nil
	default:
		return start.Add(24*time.Hour - time.Microsecond), true, nil
	}
}
