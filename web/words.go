package web

import (
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// words are the labels with what they mean and how they may be written
// (model.md §2.8 and the look's words).
var words = [...]view.Word{
	{Label: posture.LabelContradicted, Means: "something shows the opposite", Written: "open discrepancy, owner, due"},
	{Label: posture.LabelNotProvided, Means: "the vendor says it is not offered", Written: "the vendor does not offer this; our design must"},
	{Label: posture.LabelSuspect, Means: "something against it, not yet ruled on", Written: "open discrepancy, owner, due"},
	{Label: posture.LabelAcceptedRisk, Means: "carried by a named person to a named day", Written: "carried until … by …; underlying: …"},
	{Label: posture.LabelNotStated, Means: "nobody has said", Written: "nobody has said"},
	{Label: posture.LabelStale, Means: "held once, has since aged or moved", Written: "was …; has since changed or aged"},
	{Label: posture.LabelClaimed, Means: "the vendor says so, nowhere published", Written: "the vendor says …"},
	{Label: posture.LabelDocumented, Means: "published by the vendor or in the contract", Written: "designed as …; not exercised by us"},
	{Label: posture.LabelAttested, Means: "an independent report covers the period", Written: "designed as …; not exercised by us"},
	{Label: posture.LabelConfigured, Means: "read from the running target", Written: "designed as …; not exercised by us"},
	{Label: posture.LabelTested, Means: "a permit and a deny, same run, on this exact identity", Written: "held in these cases on this identity on this date"},
	{Label: posture.LabelNotApplicable, Means: "ruled out for this configuration", Written: "ruled out because …"},
}

// wordsPage shows every label with its one-sentence definition.
func (s *Server) wordsPage(c echo.Context) error {
	return s.render(c, view.WordsPage(s.page(c, "What the words mean", ""), words[:]))
}
