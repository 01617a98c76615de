package view

import (
	"net/url"
	"time"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// RulingForm asks why a statement does not apply to a configuration.
type RulingForm struct {
	Draft
	Item posture.CellItem
	now  time.Time
}

var rulingLabels = map[string]string{"reason": "Why it does not apply", "expires_at": "Ends on", "identity": "Bound to"}

// NewRulingForm begins an empty form.
func NewRulingForm(item posture.CellItem, now time.Time) RulingForm {
	return RulingForm{Draft: Draft{Typed: url.Values{}, labels: rulingLabels}, Item: item, now: now}
}

// With gives the form as it stands after it was sent.
func (m RulingForm) With(d Draft) RulingForm {
	d.labels = rulingLabels
	m.Draft = d
	return m
}

func (m RulingForm) action() string {
	return onStatement("/rule-out", m.Item.Row.Subject.ID, m.Item.Row.Statement)
}

func (m RulingForm) ends() ui.Field {
	f := m.field("expires_at", "May be left empty. It ends as this day begins, UTC.")
	f.Min = dayParam(m.now.Add(posture.Day))
	return f
}

func (m RulingForm) typedFacts() []ui.Pair {
	ends := "no day; when version, policy or configuration moves"
	if day := m.text("expires_at"); day != "" {
		ends = dayTyped(day) + ", 00:00 UTC"
	}
	return []ui.Pair{
		{Term: "Why", Text: m.text("reason")},
		{Term: "Ends on", Text: ends},
		{Term: "Bound to", Value: identityLine(m.Item.Target)},
	}
}
