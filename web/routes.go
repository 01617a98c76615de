package web

import (
	"github.com/labstack/echo/v4"

	"demarc/static"
)

// routes is the site map.
func (s *Server) routes(e *echo.Echo) {
	// Open without sign-in.
	e.GET("/healthz", s.healthy)
	e.GET("/readyz", s.ready)
	e.GET("/metrics", s.showMetrics)
	e.GET(static.Prefix+"*", echo.WrapHandler(static.Handler()))
	e.HEAD(static.Prefix+"*", echo.WrapHandler(static.Handler()))
	e.GET("/sign-in", s.signInPage)
	e.POST("/sign-in", s.signIn)
	e.GET("/setup/:token", s.setupPage)
	e.POST("/setup/:token", s.setUp)

	// The reader's own account.
	e.POST("/sign-out", s.signOut)
	e.GET("/account", s.accountPage)
	e.POST("/account/password", s.changePassword)
	e.POST("/account/theme", s.chooseTheme)

	// Help.
	e.GET("/help/words", s.wordsPage)

	// The start page, what is run, and what is shared.
	s.overviewRoutes(e)
	s.runtimeRoutes(e)
	s.componentRoutes(e)

	// What was seen to differ.
	s.discrepancyRoutes(e)

	// The catalogue.
	s.vendorRoutes(e)

	// What is described, what it runs on and what is asked of it.
	s.runtimeFormRoutes(e)
	s.componentFormRoutes(e)
	s.linkFormRoutes(e)
	s.targetFormRoutes(e)
	s.requirementFormRoutes(e)

	// Evidence by hand, and what is decided on it.
	s.importRoutes(e)
	s.runRoutes(e)
	s.evidenceListRoutes(e)
	s.evidenceFormRoutes(e)
	s.evidenceRecordRoutes(e)
	s.withdrawRoutes(e)
	s.closureRoutes(e)
	s.acceptanceRoutes(e)
	s.rulingRoutes(e)
	s.revokeRoutes(e)

	// Programs and their tokens.
	s.apiRoutes(e)
	s.tokenRoutes(e)

	// Administration.
	e.GET("/admin/people", s.peoplePage)
	e.POST("/admin/people", s.invite)
	e.GET("/admin/people/new", s.invitePage)
	e.GET("/admin/people/:id", s.personPage)
	e.POST("/admin/people/:id", s.changePerson)
	e.POST("/admin/people/:id/link", s.resetPassword)
	e.GET("/admin/portfolios", s.portfoliosPage)
	e.POST("/admin/portfolios", s.createPortfolio)
	e.POST("/admin/portfolios/:id/remove", s.removeSample)
	e.GET("/admin/audit", s.auditPage)
}
