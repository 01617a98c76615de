package api

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
)

// call is one request: who makes it, and what went wrong on our side.
type call struct {
	id     string
	access posture.Access
	fault  error
}

type callKey struct{}

// callOf gives the call that authorised put there. Behind it there always is
// one.
func callOf(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return &call{}
	}
	return c
}

// authorised lets those in who bring a token, and answers errors as problems.
// It stands before every address of the interface, known or not. An error of
// our own comes back, for the log, after it was answered.
func (a *API) authorised(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		r := c.Request()
		made := &call{id: a.request(c)}
		secret, found := bearer(r.Header.Get(echo.HeaderAuthorization))
		if !found {
			return a.Answer(c, &posture.Error{
				Kind: posture.SignInNeeded, Text: "Send a token: Authorization: Bearer demarc_… An administrator makes one under /admin/tokens.",
			})
		}
		var err error
		if made.access, err = a.store.TokenAccess(r.Context(), secret, made.id); err != nil {
			return a.Answer(c, err)
		}
		a.signed(c, made.access)
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), callKey{}, made)))
		if err := next(c); err != nil {
			return a.Answer(c, err)
		}
		return made.fault
	}
}

// bearer reads the token of an Authorization header.
func bearer(header string) (secret string, found bool) {
	scheme, secret, found := strings.Cut(header, " ")
	secret = strings.TrimSpace(secret)
	return secret, found && strings.EqualFold(scheme, "Bearer") && secret != ""
}
