package view

import (
	"net/url"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// WithdrawForm asks why a record is taken out of what counts.
type WithdrawForm struct {
	Draft
	Record posture.Record
	// Refused says why this reader cannot withdraw the record; empty when they
	// can.
	Refused string
}

// NewWithdrawForm begins an empty form that shows its effect at once: nothing
// that is typed changes it.
func NewWithdrawForm(r posture.Record, effect *posture.Preview, refused string) WithdrawForm {
	return WithdrawForm{Draft: Draft{Typed: url.Values{}, Effect: effect, labels: reasonLabels}, Record: r, Refused: refused}
}

// With gives the form as it stands after it was sent; its effect stays.
func (m WithdrawForm) With(d Draft) WithdrawForm {
	d.labels, d.Effect = reasonLabels, m.Effect
	m.Draft = d
	return m
}

// ways lead on from a record that this reader cannot withdraw.
func (m WithdrawForm) ways() []ui.Action {
	var out []ui.Action
	if posture.NotWithdrawn(&m.Record.Evidence) != "" {
		out = append(out, ui.Action{Text: "Close it", Href: RecordPath(m.Record.ID) + "/close", Go: true})
	}
	return append(out, ui.Action{Text: m.Record.ID, Href: RecordPath(m.Record.ID)})
}
