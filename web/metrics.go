package web

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"demarc/store/posture"
)

// metrics are what /metrics shows: requests by route and status with their
// times, and the process's own figures.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	handler  http.Handler
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "demarc_request_seconds",
			Help:    "Time to answer a request, by route and status.",
			Buckets: []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10},
		}, []string{"method", "route", "status"}),
	}
	m.registry.MustRegister(m.requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.handler = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return m
}

// measured keeps the time of each request under its route, never its address:
// addresses are without number.
func (s *Server) measured(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := s.clock()
		err := next(c)
		route := c.Path()
		if route == "" {
			route = "none"
		}
		s.metrics.requests.WithLabelValues(c.Request().Method, route, strconv.Itoa(c.Response().Status)).
			Observe(s.clock().Sub(begun).Seconds())
		return err
	}
}

// showMetrics answers a scraper on this machine, or one with an API token.
func (s *Server) showMetrics(c echo.Context) error {
	r := c.Request()
	if !fromHere(r) {
		secret, _ := strings.CutPrefix(r.Header.Get(echo.HeaderAuthorization), "Bearer ")
		if _, err := s.store.TokenAccess(r.Context(), secret, requestID(c)); err != nil {
			if posture.KindOf(err) != posture.SignInNeeded {
				return err
			}
			return &posture.Error{Kind: posture.Forbidden, Text: "Metrics are open to this machine, or to a request with an API token.", Err: err}
		}
	}
	s.metrics.handler.ServeHTTP(c.Response(), r)
	return nil
}

// fromHere says whether a request came straight from this machine: a proxy on
// it speaks for others.
func fromHere(r *http.Request) bool {
	if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" {
		return false
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}
