package web

import (
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// placeOf loads the subject of an address: what the forms about a runtime's
// unit and about a component have in common.
type placeOf func(c echo.Context) (view.SubjectPlace, error)

// unitPlace is the isolation unit of the runtime of the address.
func (s *Server) unitPlace(c echo.Context) (view.SubjectPlace, error) {
	r, err := s.store.Runtime(c.Request().Context(), access(c), c.Param("slug"), posture.AsOf{})
	return view.SubjectPlace{
		Subject: posture.SubjectRef{ID: r.Subject, Kind: posture.Unit, Slug: r.Slug, Name: r.Name}, Target: r.Target,
	}, err
}

// receiverPlace is the component of the address.
func (s *Server) receiverPlace(c echo.Context) (view.SubjectPlace, error) {
	r, err := s.store.Component(c.Request().Context(), access(c), c.Param("slug"), posture.AsOf{})
	return view.SubjectPlace{
		Subject: posture.SubjectRef{ID: r.Subject, Kind: posture.Receiver, Slug: r.Slug, Name: r.Name}, Target: r.Target,
	}, err
}

// editable loads a place for those who may change the inventory, today.
func editable(c echo.Context, load placeOf) (view.SubjectPlace, error) {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return view.SubjectPlace{}, err
	}
	return load(c)
}
