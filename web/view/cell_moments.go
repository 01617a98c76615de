package view

import (
	"strings"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// momentTitle says what happened at a moment of the timeline.
func (it *Item) momentTitle(m *posture.Moment) string {
	switch m.Source {
	case "evidence":
		return evidenceTitle(it.record(m.Record))
	case "withdrawal":
		return m.Record + " withdrawn"
	case "closure":
		return "Closure " + m.Record + it.by(m.Record)
	case "closure revoked":
		return "Closure " + m.Record + " revoked"
	case "acceptance":
		return "Acceptance " + m.Record + it.by(m.Record)
	case "acceptance revoked":
		return "Acceptance " + m.Record + " revoked"
	case "ruling":
		return "Ruled not applicable, " + m.Record + it.by(m.Record)
	case "target":
		return "Another target" + it.targetWords(m)
	default:
		return "By time alone"
	}
}

func evidenceTitle(r posture.Record) string {
	switch r.Kind {
	case posture.KindTest:
		return ui.Sentence(runWords(r.Run)) + ", case " + r.Case + ", " + r.Expected.String() + " " + outcomePast(r.Outcome)
	case posture.KindConfiguration:
		if r.ByHand {
			return "Configuration read by hand"
		}
		return "Configuration read by tool"
	case posture.KindIncident:
		return "Advisory: " + strings.ReplaceAll(r.Advisory.String(), "_", " ")
	case posture.KindAttestation:
		return "Report: " + r.Title
	case posture.KindStatement:
		return "Said by " + r.SourceName
	case posture.KindDocumentation:
	}
	return "Page captured: " + r.Title
}

func outcomePast(o posture.Outcome) string {
	switch o {
	case posture.Pass:
		return "passed"
	case posture.Fail:
		return "failed"
	default:
		return "ended " + o.String()
	}
}

// by names who made a decision.
func (it *Item) by(id string) string {
	name := ""
	for i := range it.Closures {
		if it.Closures[i].ID == id {
			name = it.Closures[i].ByName
		}
	}
	for i := range it.Acceptances {
		if it.Acceptances[i].ID == id {
			name = it.Acceptances[i].ByName
		}
	}
	for i := range it.Rulings {
		if it.Rulings[i].ID == id {
			name = it.Rulings[i].ByName
		}
	}
	if name == "" {
		return ""
	}
	return " by " + name
}

// momentText says what was seen or decided.
func (it *Item) momentText(m *posture.Moment) string {
	switch m.Source {
	case "evidence":
		r := it.record(m.Record)
		return r.Says()
	case "withdrawal":
		return it.record(m.Record).WithdrawnBecause
	case "closure":
		for i := range it.Closures {
			if c := &it.Closures[i]; c.ID == m.Record {
				return "Closes " + c.Closes + ". " + strings.Join(nonEmpty(ui.Sentence(c.Fix), ui.Sentence(c.Text)), ". ") + "."
			}
		}
	case "acceptance":
		for i := range it.Acceptances {
			if a := &it.Acceptances[i]; a.ID == m.Record {
				return "Covers " + orShortfall(a.Covers) + " until " + ui.Minute(a.ExpiresAt) + ". Condition: " + a.Condition
			}
		}
	case "ruling":
		for i := range it.Rulings {
			if n := &it.Rulings[i]; n.ID == m.Record {
				return n.Reason
			}
		}
	case "target":
		if t, _ := it.targetAt(m); t.Reason != "" {
			return ui.Sentence(t.Reason)
		}
	case "lapse":
		if m.Verdict.Lapsed != 0 {
			return "Support " + m.Verdict.Lapsed.Words() + "."
		}
		return "What held until then has ended."
	}
	return ""
}

func orShortfall(covers []string) string {
	if len(covers) == 0 {
		return "the shortfall"
	}
	return strings.Join(covers, ", ")
}

func nonEmpty(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimSuffix(strings.TrimSpace(t), "."); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// momentGlyph is the mark of a moment on the line of time, and whether it is a
// verdict's.
func (it *Item) momentGlyph(m *posture.Moment) (glyph, verdict string) {
	switch m.Source {
	case "evidence":
		r := it.record(m.Record)
		switch {
		case r.Kind == posture.KindTest && r.Outcome == posture.Fail:
			if r.Expected == posture.Deny {
				return "o-fail", "contradicted"
			}
			return "o-fail", ""
		case r.Kind == posture.KindTest:
			return "o-" + r.Outcome.String(), ""
		case r.Polarity == posture.Contradicts:
			return "v-contradicted", "contradicted"
		default:
			return "v-" + r.Kind.Rung().String(), ""
		}
	case "acceptance", "acceptance revoked":
		return "v-accepted_risk", ""
	case "ruling":
		return "v-not_applicable", ""
	case "lapse", "target":
		return "v-stale", ""
	default:
		return "o-pass", ""
	}
}

// momentFoot names the record, who stands behind it and how it was found.
func (it *Item) momentFoot(m *posture.Moment) string {
	if m.Source != "evidence" {
		return m.Record
	}
	r := it.record(m.Record)
	who := r.Tester
	if who == "" {
		who = r.RecordedBy
	}
	return strings.Join(nonEmpty(m.Record, who, r.Method), " · ")
}

// targetAt gives the target that was recorded at a moment, and the one before.
func (it *Item) targetAt(m *posture.Moment) (target, before posture.Target) {
	for i := range it.Targets {
		if it.Targets[i].RecordedAt.Equal(m.At) {
			if i > 0 {
				before = it.Targets[i-1]
			}
			return it.Targets[i], before
		}
	}
	return posture.Target{}, posture.Target{}
}

// targetWords names the facets that moved.
func (it *Item) targetWords(m *posture.Moment) string {
	target, before := it.targetAt(m)
	moved, _ := posture.Differing(&target.Identity, &before.Identity, posture.Of(posture.Facets()...))
	if len(moved) == 0 {
		return ""
	}
	return ": " + posture.FacetWords(moved) + " moved"
}
