package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// vendorRoutes are the pages of the catalogue: what vendors say.
func (s *Server) vendorRoutes(e *echo.Echo) {
	e.GET("/vendors", s.vendorsPage)
	e.GET("/vendors/:system", s.vendorPage)
}

// maxFind is the most characters of a search.
const maxFind = 200

// vendorsPage lists the systems of the catalogue by vendor.
func (s *Server) vendorsPage(c echo.Context) error {
	f := readQuery(c)
	m := view.Vendors{
		Find: f.Text("find", maxFind),
		Kind: f.Choice("kind", append(view.SystemKinds(), "")...),
	}
	page := func(m view.Vendors) templ.Component { return view.VendorsPage(s.page(c, "Vendors", "Vendors"), m) }
	if err := f.Err(); err != nil {
		m.Find, m.Kind = f.Typed("find"), f.Typed("kind")
		return s.invalid(c, err, func(errs ui.Errors) templ.Component {
			m.Errors = errs
			return page(m)
		})
	}
	var err error
	if m.Rows, err = s.store.CatalogueSystems(c.Request().Context(), access(c), asOf(c), m.Find, m.Kind); err != nil {
		return err
	}
	return s.render(c, page(m))
}

// vendorPage shows one system with everything its pages were read to say.
func (s *Server) vendorPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	system, err := s.store.CatalogueSystem(c.Request().Context(), access(c), asOf(c), c.Param("system"))
	if err != nil {
		return err
	}
	page := s.page(c, system.Name, "Vendors", view.Crumb{Text: "Vendors", Href: "/vendors"}, view.Crumb{Text: system.Name})
	m := view.NewVendor(system, lib)
	m.MayUse = access(c).May(posture.EditInventory)
	return s.render(c, view.VendorPage(page, m))
}
