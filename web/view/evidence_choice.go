package view

import (
	"net/url"
	"strconv"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// EvidenceChoice asks on what, on which statement and of what kind a record
// is, before the form itself.
type EvidenceChoice struct {
	Typed    url.Values
	subjects []posture.SubjectRef
	access   posture.Access
}

// NewEvidenceChoice takes the address as it stands and what can be chosen.
func NewEvidenceChoice(typed url.Values, subjects []posture.SubjectRef, a posture.Access) EvidenceChoice {
	return EvidenceChoice{Typed: typed, subjects: subjects, access: a}
}

// subject gives the one chosen; found is false before that.
func (m EvidenceChoice) subject() (ref posture.SubjectRef, found bool) {
	for _, s := range m.subjects {
		if strconv.FormatInt(s.ID, 10) == m.Typed.Get("subject") {
			return s, true
		}
	}
	return posture.SubjectRef{}, false
}

func (m EvidenceChoice) subjectField() ui.Field {
	f := ui.Field{Name: "subject", Label: "Judged on", Value: m.Typed.Get("subject"), Options: []ui.Option{{Text: "Choose a runtime or a component"}}}
	for _, s := range m.subjects {
		noun := "runtime "
		if s.Kind == posture.Receiver {
			noun = "component "
		}
		f.Options = append(f.Options, ui.Option{Value: strconv.FormatInt(s.ID, 10), Text: noun + s.Slug})
	}
	return f
}

func (m EvidenceChoice) statementField() ui.Field {
	ref, chosen := m.subject()
	f := ui.Field{
		Name: "statement", Label: "Statement", Value: m.Typed.Get("statement"),
		Hint: "Application data and capacity are judged at the receiver, never on the runtime that calls it.",
		Options: statementOptions("Choose a statement", func(s *library.Statement) bool {
			return !chosen || s.JudgedAt(ref.Kind.String())
		}),
	}
	if s, ok := library.Must().Statement(f.Value); ok && chosen && !s.JudgedAt(ref.Kind.String()) {
		f.Error = f.Value + " is judged on " + s.JudgedOn + ", not " + judgedWords(ref) + ". Choose another statement or what it is judged on."
	}
	return f
}

func (m EvidenceChoice) kindField() ui.Field {
	f := ui.Field{Name: "kind", Label: "What was seen", Value: m.Typed.Get("kind")}
	for _, k := range recordable(m.access) {
		means := kindMeans[k]
		f.Options = append(f.Options, ui.Option{
			Value: k.String(), Text: ui.Sentence(k.String()) + ": " + means.is,
			Hint: means.shows,
		})
	}
	return f
}
