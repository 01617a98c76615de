package view

import (
	"strconv"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// PortfoliosModel is the page of portfolios with the form to make one.
type PortfoliosModel struct {
	Portfolios []posture.Portfolio
	Typed      posture.Portfolio
	Errors     ui.Errors
}

func removePath(p posture.Portfolio) string {
	return "/admin/portfolios/" + strconv.FormatInt(p.ID, 10) + "/remove"
}
