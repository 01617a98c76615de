package view

import (
	"net/url"
	"strings"
	"time"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// RevokeForm asks why a closure, an acceptance or a ruling ends.
type RevokeForm struct {
	Draft
	Item posture.CellItem
	// ID is the decision's, such as "K-0012".
	ID string
}

var reasonLabels = map[string]string{"reason": "Reason"}

// NewRevokeForm begins an empty form that shows its effect at once: nothing
// that is typed changes it.
func NewRevokeForm(item posture.CellItem, id string, effect *posture.Preview) RevokeForm {
	return RevokeForm{Draft: Draft{Typed: url.Values{}, Effect: effect, labels: reasonLabels}, Item: item, ID: id}
}

// With gives the form as it stands after it was sent; its effect stays.
func (m RevokeForm) With(d Draft) RevokeForm {
	d.labels, d.Effect = reasonLabels, m.Effect
	m.Draft = d
	return m
}

func (m RevokeForm) action() string { return revokePath(m.ID, m.Item.Row) }

// revokePath is the address that ends a decision on a statement.
func revokePath(id string, row posture.StatementRow) string {
	return onStatement("/revoke/"+id, row.Subject.ID, row.Statement)
}

// facts tell the decision that ends.
func (m RevokeForm) facts() []ui.Pair {
	for i := range m.Item.Closures {
		if k := &m.Item.Closures[i]; k.ID == m.ID {
			return closureFacts(k)
		}
	}
	for i := range m.Item.Acceptances {
		if k := &m.Item.Acceptances[i]; k.ID == m.ID {
			return acceptanceFacts(k)
		}
	}
	for i := range m.Item.Rulings {
		if k := &m.Item.Rulings[i]; k.ID == m.ID {
			return []ui.Pair{
				{Term: "Ruling", Text: "not applicable, by " + k.ByName + " on " + ui.Day(k.At)},
				{Term: "Why", Text: k.Reason},
			}
		}
	}
	return nil
}

func closureFacts(k *posture.ClosureRecord) []ui.Pair {
	pairs := []ui.Pair{
		{Term: "Closes", Text: k.Closes + ", by " + k.ByName + " on " + ui.Day(k.At)},
		{Term: "Because", Text: closureWords(k.Kind)},
	}
	if k.Fix != "" {
		pairs = append(pairs, ui.Pair{Term: "Fix", Text: k.Fix + "; verified by " + joinWords(k.Evidence)})
	}
	if k.Justification != "" {
		pairs = append(pairs, ui.Pair{Term: "Justification", Text: wordsOf(k.Justification)})
	}
	if k.Text != "" {
		pairs = append(pairs, ui.Pair{Term: "Text", Text: k.Text})
	}
	return pairs
}

func acceptanceFacts(k *posture.AcceptanceRecord) []ui.Pair {
	covers := "the shortfall"
	if len(k.Covers) > 0 {
		covers = joinWords(k.Covers)
	}
	return []ui.Pair{
		{Term: "Accepted", Text: "by " + k.ByName + " on " + ui.Day(k.At)},
		{Term: "Covers", Text: covers},
		{Term: "Lapses", Text: ui.Minute(k.ExpiresAt)},
		{Term: "Condition", Text: k.Condition},
	}
}

// closureWords says why a closure closes.
func closureWords(k posture.ClosureKind) string {
	switch k {
	case posture.FixedVerified:
		return "fixed, and verified by a later test"
	case posture.ClosureNotApplicable:
		return "does not apply to this configuration"
	default:
		return "the test itself was wrong"
	}
}

// decisionWords names a decision by the letter of its id.
func decisionWords(id string) string {
	switch {
	case strings.HasPrefix(id, "K"):
		return "closure"
	case strings.HasPrefix(id, "A"):
		return "acceptance"
	default:
		return "ruling"
	}
}

// spanWords say from when until when a decision stands.
func spanWords(made, ends, revoked time.Time) string {
	switch {
	case !revoked.IsZero():
		return "from " + ui.Day(made) + ", revoked on " + ui.Day(revoked)
	case ends.IsZero():
		return "from " + ui.Day(made) + ", without an end of its own"
	default:
		return "from " + ui.Day(made) + " until " + ui.Minute(ends)
	}
}
