// Package web serves the pages: forms in, pages out. Handlers turn a request
// into typed input, call one store method and give its answer to a view; an
// error goes back unchanged to errors.go, the only place that knows statuses.
package web

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"demarc/store"
	"demarc/web/api"
)

// Config is what the server needs from its process.
type Config struct {
	Store *store.Store
	// Clock gives the time pages are judged at.
	Clock func() time.Time
	Log   *slog.Logger
	// Secure says that browsers reach the server by https: cookies are then
	// sent over https only.
	Secure bool
	// Library and Policy are the versions in force, for the foot of each page.
	Library string
	Policy  string
}

// Server answers the requests of browsers. It keeps nothing that another
// replica would need.
type Server struct {
	store    *store.Store
	clock    func() time.Time
	log      *slog.Logger
	secure   bool
	library  string
	policy   string
	sessions *scs.SessionManager
	origin   *http.CrossOriginProtection
	echo     *echo.Echo
	metrics  *metrics
	programs *api.API
	held     *heldFiles
	// broken is the page of a 500, rendered at the start so that it needs
	// nothing when everything else fails.
	broken brokenPage
	// buffers and zips are reused between pages.
	buffers sync.Pool
	zips    sync.Pool
}

// New builds the server; it opens nothing.
func New(c Config) *Server {
	s := &Server{
		store:   c.Store,
		clock:   c.Clock,
		log:     c.Log,
		secure:  c.Secure,
		library: c.Library,
		policy:  c.Policy,
		origin:  http.NewCrossOriginProtection(),
		metrics: newMetrics(),
		held:    &heldFiles{clock: c.Clock},
		broken:  newBrokenPage(),
	}
	s.sessions = newSessions(c)
	s.buffers.New = newBuffer
	s.zips.New = newZip
	e := echo.New()
	e.HideBanner = true
	e.HidePort = true
	e.HTTPErrorHandler = func(err error, c echo.Context) { s.fail(c, err) }
	e.Use(s.identified, s.measured, s.logged, s.recovered, s.guarded, s.bounded, s.sameOrigin, s.session, s.access, s.dated)
	s.routes(e)
	s.echo = e
	return s
}

// Handler gives the server as a handler of net/http.
func (s *Server) Handler() http.Handler { return s.echo }

// now is the time at which a page is judged.
func (s *Server) now() time.Time { return s.clock().UTC() }
