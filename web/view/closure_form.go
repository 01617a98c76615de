package view

import (
	"net/url"
	"strconv"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// ClosureForm asks why a negative no longer counts.
type ClosureForm struct {
	Draft
	Record posture.Record
	Kind   posture.ClosureKind
	// tests are the newest of the statement, newest first.
	tests []posture.Record
	// target is the one in force; targets are those that a fix may have been
	// made on, newest first.
	target  posture.Target
	targets []posture.Target
	reader  string
}

var closureLabels = map[posture.ClosureKind]map[string]string{
	posture.FixedVerified:        {"fix": "The fix", "evidence": "Verified by", "identity": "Made on"},
	posture.ClosureNotApplicable: {"justification": "Justification", "text": "Why it does not apply here"},
	posture.TestInvalid:          {"text": "What was wrong with the test"},
}

// closureKinds are the ways to close, with what each takes.
var closureKinds = [...]struct {
	kind  posture.ClosureKind
	title string
	about string
}{
	{posture.FixedVerified, "Fixed and verified", "A fix is named, and a later refusal of the same case has passed on the fixed release. Whoever closes has neither run nor recorded that test. It lapses when the test is withdrawn."},
	{posture.ClosureNotApplicable, "Does not apply here", "The component is absent, the path unreachable, the precondition cannot hold, or something built in blocks it. It is bound to the target in force and lapses when version, policy or configuration moves."},
	{posture.TestInvalid, "The test was wrong", "The expectation was wrong or the fixture was broken. It closes tests only. Whoever closes has neither run nor recorded the test."},
}

// NewClosureForm begins a form of a kind, with the tests of the statement and
// the targets of its subject, both newest first. reader is the name of whoever
// fills it in.
func NewClosureForm(r posture.Record, kind posture.ClosureKind, tests []posture.Record, targets []posture.Target, reader string) ClosureForm {
	m := ClosureForm{Record: r, Kind: kind, tests: tests, reader: reader}
	m.Draft = Draft{Typed: url.Values{}, labels: closureLabels[kind]}
	for i, t := range targets {
		if i == 0 {
			m.target = t
		}
		if i == 0 || targets[i-1].RecordedAt.After(r.ObservedAt) {
			m.targets = append(m.targets, t)
		}
	}
	return m
}

// With gives the form as it stands after it was sent.
func (m ClosureForm) With(d Draft) ClosureForm {
	d.labels = closureLabels[m.Kind]
	m.Draft = d
	return m
}

// BoundTo gives the identity of a target that the form offers; the zero
// identity, which is the target in force, for any other id.
func (m *ClosureForm) BoundTo(target int64) posture.Identity {
	for i := range m.targets {
		if m.targets[i].ID == target {
			return m.targets[i].Identity
		}
	}
	return posture.Identity{}
}

func (m ClosureForm) action() string {
	return RecordPath(m.Record.ID) + "/close?kind=" + m.Kind.String()
}

func (m ClosureForm) kinds() []ui.Tab {
	var tabs []ui.Tab
	for _, k := range closureKinds {
		if k.kind == posture.TestInvalid && m.Record.Kind != posture.KindTest {
			continue
		}
		tabs = append(tabs, ui.Tab{
			Text: k.title, Href: RecordPath(m.Record.ID) + "/close?kind=" + k.kind.String(), Current: k.kind == m.Kind,
		})
	}
	return tabs
}

func (m ClosureForm) about() string {
	for _, k := range closureKinds {
		if k.kind == m.Kind {
			return k.about
		}
	}
	return ""
}

// bound gives the identity that the form stands for now: the one chosen, else
// the target's.
func (m ClosureForm) bound() posture.Identity {
	chosen, err := strconv.ParseInt(m.text("identity"), 10, 64)
	if id := m.BoundTo(chosen); err == nil && id != (posture.Identity{}) {
		return id
	}
	return m.target.Identity
}

func (m ClosureForm) targetField() ui.Field {
	options := make([]ui.Option, 0, len(m.targets))
	for i, t := range m.targets {
		text := targetWords(t) + ", since " + ui.Day(t.RecordedAt)
		if i == 0 {
			text += " (running now)"
		}
		options = append(options, ui.Option{Value: strconv.FormatInt(t.ID, 10), Text: text})
	}
	return m.choice("identity", "The target that the fix was made on. The test must have been taken on it.", options)
}

// candidates parts the passing denies of the statement into those that would
// verify a fix on the identity chosen, newest first, and the reasons why the
// others would not.
func (m ClosureForm) candidates() (fit []ui.Option, others []string) {
	closure := posture.Closure{Kind: posture.FixedVerified, Identity: m.bound()}
	for i := range m.tests {
		r := &m.tests[i]
		if r.Kind != posture.KindTest || r.Expected != posture.Deny || r.Outcome != posture.Pass {
			continue
		}
		if why := posture.NotReverifying(&r.Evidence, &m.Record.Evidence, &closure, r.Subject.Kind); why != "" {
			others = append(others, r.ID+", "+ui.Day(r.ObservedAt)+": "+why)
			continue
		}
		hint := "run " + r.Run + ", " + ui.Day(r.ObservedAt) + ", by " + firstOf(r.Tester, r.RecordedBy)
		if posture.SameName(m.reader, r.Tester, r.RecordedBy) {
			hint += ". You ran or recorded it: somebody else closes on it"
		}
		fit = append(fit, ui.Option{Value: r.ID, Text: r.ID + ", case " + r.Case, Hint: hint})
	}
	return fit, others
}

func (m ClosureForm) evidence() ui.Field {
	fit, _ := m.candidates()
	return m.choice("evidence", "Choose the refusal that shows the fix; who closes must not be who tested.", fit)
}

func (m ClosureForm) justification() ui.Field {
	return m.choice("justification", "", withEmpty("Choose one", optionsOf(posture.Justifications())))
}

func (m ClosureForm) typedFacts() []ui.Pair {
	pairs := []ui.Pair{{Term: "Because", Text: closureWords(m.Kind)}}
	add := func(term, text string) {
		if text != "" {
			pairs = append(pairs, ui.Pair{Term: term, Text: text})
		}
	}
	add("Fix", m.text("fix"))
	add("Verified by", joinWords(m.Typed["evidence"]))
	add("Justification", wordsOf(m.text("justification")))
	add("Text", m.text("text"))
	bound := m.target
	bound.Identity = m.bound()
	if m.Kind != posture.TestInvalid {
		pairs = append(pairs, ui.Pair{Term: "Bound to", Value: identityLine(bound)})
	}
	return pairs
}
