package web

import (
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// wordsPage shows every label with its one-sentence definition.
func (s *Server) wordsPage(c echo.Context) error {
	var words []view.Word
	for _, l := range posture.Labels() {
		means, moves := posture.Describe(l)
		words = append(words, view.Word{Label: l, Means: means, Moves: moves})
	}
	return s.render(c, view.WordsPage(s.page(c, "What the words mean", ""), words))
}
