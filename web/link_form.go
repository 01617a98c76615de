package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// linkFormRoutes say which receivers the sessions of a runtime use.
func (s *Server) linkFormRoutes(e *echo.Echo) {
	e.GET("/runtimes/:slug/links", s.linksPage)
	e.GET("/runtimes/:slug/links/new", s.chooseReceiverPage)
	e.POST("/runtimes/:slug/links/new", s.link)
	e.POST("/runtimes/:slug/links", s.unlink)
}

// linksPage lists the receivers that the sessions use.
func (s *Server) linksPage(c echo.Context) error {
	m, err := s.linksModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.LinksPage(s.linksFrame(c, &m.Page.Runtime), m))
}

func (s *Server) linksModel(c echo.Context) (view.Links, error) {
	page, err := s.store.RuntimePage(c.Request().Context(), access(c), asOf(c), c.Param("slug"))
	return view.Links{Page: page, MayEdit: mayFill(c, posture.EditInventory) == nil}, err
}

func (s *Server) linksFrame(c echo.Context, r *posture.Runtime) view.Page {
	return s.nounFrame(c, "Receivers", "Runtimes", r.Slug)
}

// receiversShown is how many components a page offers.
const receiversShown = 25

// chooseReceiverPage offers the components that a runtime could be linked to.
func (s *Server) chooseReceiverPage(c echo.Context) error {
	m, err := s.linkModel(c)
	if err != nil {
		return err
	}
	q := readQuery(c)
	m.Find = q.Text("find", maxFind)
	if err := q.Err(); err != nil {
		return err
	}
	ctx, a := c.Request().Context(), access(c)
	if m.Rows, m.Next, err = s.store.Components(ctx, a, posture.AsOf{}, m.Find, c.QueryParam("after"), receiversShown); err != nil {
		return err
	}
	return s.render(c, view.LinkReceiverPage(s.nounFrame(c, "Link a receiver", "Runtimes", m.Runtime.Slug), m))
}

func (s *Server) linkModel(c echo.Context) (view.LinkForm, error) {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return view.LinkForm{}, err
	}
	r, err := s.store.Runtime(c.Request().Context(), access(c), c.Param("slug"), posture.AsOf{})
	return view.LinkForm{Runtime: r}, err
}

// link shows what will be asked of a receiver and links it when that is
// confirmed.
func (s *Server) link(c echo.Context) error {
	m, err := s.linkModel(c)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	component := f.Required("component", maxName)
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			page, err := s.store.ComponentPage(ctx, a, posture.AsOf{}, component)
			if err != nil {
				return nil, err
			}
			m.Chosen = &page
			return &posture.Preview{}, m.Linkable()
		},
		save: func() (string, error) {
			err := s.store.Link(ctx, a, m.Runtime.Slug, component)
			if err == nil {
				s.flash(c, component+" is linked to "+m.Runtime.Slug+".")
			}
			return view.LinksPath(m.Runtime.Slug), err
		},
		page: func(d view.Draft) templ.Component {
			return view.LinkReceiverPage(s.nounFrame(c, "Link a receiver", "Runtimes", m.Runtime.Slug), m.With(d))
		},
	})
}

// unlink says that the sessions use a receiver no more. What that takes out of
// the runtime's cells stands in the question before it.
func (s *Server) unlink(c echo.Context) error {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return err
	}
	f := readForm(c)
	slug, component := c.Param("slug"), f.Required("component", maxName)
	err := f.Err()
	if err == nil {
		err = s.store.Unlink(c.Request().Context(), access(c), slug, component)
	}
	if err != nil {
		m, loadErr := s.linksModel(c)
		if loadErr != nil {
			return loadErr
		}
		return s.invalid(c, err, func(errs ui.Errors) templ.Component {
			m.Errors = errs
			return view.LinksPage(s.linksFrame(c, &m.Page.Runtime), m)
		})
	}
	s.flash(c, component+" is unlinked from "+slug+". What was asked of it stays.")
	return seeOther(c, view.LinksPath(slug))
}
