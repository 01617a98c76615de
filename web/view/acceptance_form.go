package view

import (
	"net/url"
	"strings"
	"time"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// AcceptanceForm asks a risk owner on what terms a risk is carried.
type AcceptanceForm struct {
	Draft
	Item     posture.CellItem
	Acceptor string
	now      time.Time
}

var acceptanceLabels = map[string]string{
	"acceptor": "Risk owner", "severity": "Severity", "expires_at": "Lapses on", "review_at": "Review on", "covers": "Covers",
	"condition": "Condition", "identity": "Bound to",
}

// NewAcceptanceForm begins with every open negative covered and the severity
// that the discrepancy has.
func NewAcceptanceForm(item posture.CellItem, acceptor string, now time.Time) AcceptanceForm {
	v := &item.Row.Verdict
	typed := url.Values{"covers": v.OpenNegatives(), "severity": {posture.Moderate.String()}}
	if item.Discrepancy != nil {
		typed.Set("severity", item.Discrepancy.Severity.String())
	}
	if len(v.OpenNegatives()) == 0 {
		typed.Set("shortfall", "yes")
	}
	return AcceptanceForm{Draft: Draft{Typed: typed, labels: acceptanceLabels}, Item: item, Acceptor: acceptor, now: now}
}

// With gives the form as it stands after it was sent.
func (m AcceptanceForm) With(d Draft) AcceptanceForm {
	d.labels = acceptanceLabels
	m.Draft = d
	return m
}

func (m AcceptanceForm) action() string {
	return onStatement("/accept", m.Item.Row.Subject.ID, m.Item.Row.Statement)
}

func (m AcceptanceForm) open() []string { return m.Item.Row.Verdict.OpenNegatives() }

func (m AcceptanceForm) covers() ui.Field {
	var options []ui.Option
	for _, id := range m.open() {
		r := m.Item.Records[id]
		options = append(options, ui.Option{Value: id, Text: id + ": " + r.Says(), Hint: seenWords(&r)})
	}
	return m.choice("covers", "Everything that is open must be named. An acceptance that leaves one out carries nothing.", options)
}

// seenWords says what kind a record is and when it was seen.
func seenWords(r *posture.Record) string {
	words := r.Kind.String()
	if r.Kind == posture.KindTest && r.Expected != posture.ExpectedUnknown {
		words += ", " + r.Expected.String()
	}
	return words + ", " + ui.Day(r.ObservedAt)
}

func (m AcceptanceForm) severity() ui.Field {
	options := make([]ui.Option, 0, len(posture.Severities()))
	for _, s := range posture.Severities() {
		days := int(s.AcceptanceCap() / posture.Day)
		options = append(options, ui.Option{
			Value: s.String(), Text: s.Words() + ": at most " + ui.Plural(days, "day", "days") + ", until " + ui.Day(s.LastAcceptable(m.now)),
		})
	}
	return m.choice("severity", "Recorded no lower than the discrepancies it covers are rated.", options)
}

func (m AcceptanceForm) day(name, hint string) ui.Field {
	f := m.field(name, hint)
	f.Min = dayParam(m.now.Add(posture.Day))
	f.Last = dayParam(posture.VeryLow.LastAcceptable(m.now))
	return f
}

// SeverityNames lists the stored names of the severities.
func SeverityNames() []string {
	names := make([]string, 0, len(posture.Severities()))
	for _, s := range posture.Severities() {
		names = append(names, s.String())
	}
	return names
}

// targetWords names a target on one line.
func targetWords(t posture.Target) string {
	id := &t.Identity
	var words []string
	for _, f := range []posture.Facet{posture.Vendor, posture.Product, posture.Variant, posture.Version, posture.Region} {
		if id[f] != "" {
			words = append(words, id[f])
		}
	}
	if len(words) == 0 {
		return "no target is recorded"
	}
	return strings.Join(words, " · ")
}

// typedFacts lists what was typed, for the second step of the form.
func (m AcceptanceForm) typedFacts() []ui.Pair {
	covers := "the shortfall; nothing is open against it"
	if list := m.Typed["covers"]; len(list) > 0 {
		covers = joinWords(list)
	}
	return []ui.Pair{
		{Term: "Risk owner", Text: m.Acceptor},
		{Term: "Covers", Text: covers},
		{Term: "Severity", Text: wordsOf(m.text("severity"))},
		{Term: "Lapses on", Text: dayTyped(m.text("expires_at")) + ", 00:00 UTC"},
		{Term: "Review on", Text: dayTyped(m.text("review_at"))},
		{Term: "Condition", Text: m.text("condition")},
		{Term: "Bound to", Value: identityLine(m.Item.Target)},
	}
}

// dayTyped writes a day that was typed as every page does.
func dayTyped(s string) string {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return ui.Day(t)
	}
	return s
}
