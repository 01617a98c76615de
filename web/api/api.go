// Package api is the interface for programs: /api/v1 as OpenAPI 3.1, generated
// from the types of its handlers. A program signs in with a bearer token; the
// session of a browser opens nothing here. Errors are problem details (RFC
// 9457), and errors.go is the only place that knows statuses.
package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"demarc/store"
	"demarc/store/posture"
	"demarc/store/posture/library"
)

// Prefix is where the interface stands.
const Prefix = "/api/v1"

// Config is what the interface needs of its server.
type Config struct {
	Store *store.Store
	// Clock gives the time that answers are judged at.
	Clock func() time.Time
	// Request gives the id of a request, which lands on audit rows.
	Request func(echo.Context) string
	// Signed is told who makes a request.
	Signed func(echo.Context, posture.Access)
	// AsOf reads the two clocks of an address, each YYYY-MM-DD or empty.
	AsOf func(day, known string) (posture.AsOf, error)
}

// API answers the requests of programs.
type API struct {
	store   *store.Store
	clock   func() time.Time
	request func(echo.Context) string
	signed  func(echo.Context, posture.Access)
	asOf    func(day, known string) (posture.AsOf, error)
	library *library.Library
	huma    huma.API
}

// Mount adds the interface to a server.
func Mount(e *echo.Echo, c Config) *API {
	a := &API{store: c.Store, clock: c.Clock, request: c.Request, signed: c.Signed, asOf: c.AsOf, library: library.Must()}
	g := e.Group(Prefix, a.authorised)
	a.huma = humaecho.NewWithGroup(e, g, config())
	a.runtimes()
	a.components()
	a.evidence()
	a.discrepancies()
	g.GET("/openapi.json", a.describe)
	return a
}

// Holds says whether an address belongs to the interface.
func Holds(path string) bool { return path == Prefix || strings.HasPrefix(path, Prefix+"/") }

// Document is the description of the interface.
func (a *API) Document() *huma.OpenAPI { return a.huma.OpenAPI() }

func config() huma.Config {
	c := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Demarc", Version: "1",
				Description: "Isolation posture of agent runtimes. Every read takes `as_of` and `known` (YYYY-MM-DD). " +
					"Lists give `next` where more follows: send it back as `after`. Errors are problem details (RFC 9457).",
			},
			Servers: []*huma.Server{{URL: Prefix}},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token": {Type: "http", Scheme: "bearer", Description: "A token made by an administrator. It has a role, portfolios and a last day."},
				},
			},
			Security: []map[string][]string{{"token": {}}},
		},
		Formats:                      map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
	}
	return c
}

// describe gives the description as JSON.
func (a *API) describe(c echo.Context) error {
	body, err := json.Marshal(a.huma.OpenAPI())
	if err != nil {
		return fmt.Errorf("describe the interface: %w", err)
	}
	return c.Blob(http.StatusOK, "application/openapi+json", body)
}

// Moment is the instant that a read is made at.
type Moment struct {
	AsOf  string `query:"as_of" format:"date" example:"2026-10-31" doc:"Read as of the end of this day, UTC. Left out, or today: now."`
	Known string `query:"known" format:"date" example:"2026-10-31" doc:"The second clock: what was known by the end of this day. Left out: the day of as_of."`
}

// at gives the instant of a read.
func (a *API) at(m Moment) (posture.AsOf, error) { return a.asOf(m.AsOf, m.Known) }

// judged gives the instants that an answer was judged at.
func (a *API) judged(o posture.AsOf) (at, known time.Time) {
	if o.At.IsZero() {
		o.At = a.clock()
	}
	return o.At.UTC(), o.KnownAt().UTC()
}

// List bounds a page of a list.
type List struct {
	Limit int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"The most entries of an answer."`
	After string `query:"after" maxLength:"100" doc:"The next of the answer before."`
}

func operation(method, path, id, summary string, status int) huma.Operation {
	failures := reads
	if method != http.MethodGet {
		failures = writes
	}
	noun, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, DefaultStatus: status, Errors: failures, Tags: []string{noun},
	}
}

// register adds an operation: its handler gets who asks, and what it fails with
// is answered as a problem.
func register[I, O any](a *API, op huma.Operation, handle func(context.Context, posture.Access, *I) (*O, error)) {
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*O, error) {
		r := callOf(ctx)
		out, err := handle(ctx, r.access, in)
		if err != nil {
			return nil, r.fail(err)
		}
		return out, nil
	})
}
