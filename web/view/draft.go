package view

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// ConfirmField is the field by which a form of two steps says how far it is:
// without it the effect is shown, ConfirmIt does what was shown, ChangeIt goes
// back to the fields.
const (
	ConfirmField = "confirm"
	ConfirmIt    = "1"
	ChangeIt     = "0"
)

// Draft is a form as it stands: what was typed, what is wrong with it and, in
// its second step, what it would do.
type Draft struct {
	Typed  url.Values
	Errors ui.Errors
	// Effect is what it would move; nil while the form is being filled in.
	Effect *posture.Preview

	// labels name the fields that the page shows; set by the page's own model.
	labels map[string]string
}

// text gives a field as it was typed.
func (d Draft) text(name string) string { return d.Typed.Get(name) }

// field begins a field with what was typed and what is wrong with it.
func (d Draft) field(name, hint string) ui.Field {
	return ui.Field{
		Name: name, Label: d.labels[name], Hint: hint, Value: d.Typed.Get(name), Values: d.Typed[name], Error: d.Errors.Of(name),
	}
}

// sized begins a field of at most limit characters.
func (d Draft) sized(name, hint string, limit int) ui.Field {
	f := d.field(name, hint)
	f.Max = limit
	return f
}

// choice begins a field with options.
func (d Draft) choice(name, hint string, options []ui.Option) ui.Field {
	f := d.field(name, hint)
	f.Options = options
	return f
}

// summary gives the errors for the head of the form.
func (d Draft) summary() ui.Errors { return shownErrors(d.Errors, d.labels) }

// shownErrors keeps the errors of fields that a page shows, by their labels;
// those of others become sentences.
func shownErrors(errs ui.Errors, labels map[string]string) ui.Errors {
	out := ui.Errors{Text: errs.Text, Labels: labels}
	for _, f := range errs.Fields {
		if _, shown := labels[f.Field]; shown {
			out.Fields = append(out.Fields, f)
		} else {
			out.Text = strings.TrimSpace(out.Text + " " + f.Text)
		}
	}
	return out
}

// kept lists what was typed, for the hidden fields of the second step.
func (d Draft) kept() []pair {
	var out []pair
	for _, name := range sortedKeys(d.Typed) {
		if name == ConfirmField {
			continue
		}
		for _, v := range d.Typed[name] {
			out = append(out, pair{name, v})
		}
	}
	return out
}

// readableID matches the id of a record or a decision.
var readableID = regexp.MustCompile(`\b[EKAN]-[0-9]{4,}\b`)

// newWords name what a form is about to make, by the letter of the id that it
// has in its preview: nothing is saved there, and it will get another.
var newWords = map[byte]string{'E': "this record", 'K': "this closure", 'A': "this acceptance", 'N': "this ruling"}

// Foretold words an effect before it is saved: an id of the letter given that
// the item does not know, nil knows none, is that of what is being made.
func Foretold(p posture.Preview, letter byte, item *posture.CellItem) *posture.Preview {
	known := map[string]bool{}
	if item != nil {
		for id := range item.Records {
			known[id] = true
		}
		for i := range item.Acceptances {
			known[item.Acceptances[i].ID] = true
		}
	}
	words := func(text string) string {
		return readableID.ReplaceAllStringFunc(text, func(id string) string {
			if id[0] != letter || known[id] {
				return id
			}
			return newWords[letter]
		})
	}
	out := posture.Preview{Moves: slices.Clone(p.Moves), Notes: slices.Clone(p.Notes)}
	for i := range out.Moves {
		out.Moves[i].Because = words(out.Moves[i].Because)
	}
	for i := range out.Notes {
		out.Notes[i] = words(out.Notes[i])
	}
	return &out
}

// movedLabels gives the two labels of a movement; ok is false where they cannot
// be read.
func movedLabels(m posture.Movement) (from, to posture.Label, ok bool) {
	from, err := posture.ParseLabel(m.From)
	if err != nil {
		return from, to, false
	}
	to, err = posture.ParseLabel(m.To)
	return from, to, err == nil
}

// MovedWords says in one sentence each what moved, for the page that follows a
// change; the fourth and further ones are counted.
func MovedWords(moves []posture.Movement) string {
	const told = 3
	var parts []string
	for _, m := range moves[:min(told, len(moves))] {
		if from, to, ok := movedLabels(m); ok {
			parts = append(parts, m.Statement+" on "+m.On+" moved from "+from.Words()+" to "+to.Words()+".")
		}
	}
	if more := len(moves) - told; more > 0 {
		parts = append(parts, ui.Plural(more, "more verdict", "more verdicts")+" moved.")
	}
	if len(moves) == 0 {
		return "No verdict moved."
	}
	return strings.Join(parts, " ")
}

// subjectHref is the address of a subject's page.
func subjectHref(s posture.SubjectRef) string {
	if s.Kind == posture.Unit {
		return "/runtimes/" + s.Slug
	}
	return "/dependencies/" + s.Slug
}

// StatementPath is the address of the page that explains a statement on a
// subject.
func StatementPath(s posture.SubjectRef, statement string) string {
	if s.Kind == posture.Receiver {
		return subjectHref(s) + "/cells/" + statement
	}
	dimension, _, _ := strings.Cut(statement, "-")
	return subjectHref(s) + "/cells/" + dimension + "#" + statement
}

// onStatement gives an address with subject and statement in its query.
func onStatement(path string, subject int64, statement string) string {
	return path + "?" + url.Values{"subject": {strconv.FormatInt(subject, 10)}, "statement": {statement}}.Encode()
}

// sentenceOf gives a statement whole; its id alone where the library has none.
func sentenceOf(id string) string {
	if s, ok := library.Must().Statement(id); ok {
		return s.Sentence() + "."
	}
	return id
}

// judgedWords says where a subject stands: on a unit or at a receiver.
func judgedWords(s posture.SubjectRef) string {
	if s.Kind == posture.Unit {
		return "on the isolation unit of " + s.Slug
	}
	return "at " + s.Slug
}

// statementOptions lists the library's statements that keep lets through.
func statementOptions(first string, keep func(*library.Statement) bool) []ui.Option {
	options := []ui.Option{{Text: first}}
	for _, s := range library.Must().Statements() {
		if keep(&s) {
			options = append(options, ui.Option{Value: s.ID, Text: s.ID + ": " + s.Subject + " " + s.Text})
		}
	}
	return options
}

// optionsOf makes options of stored names, written as words.
func optionsOf(names []string) []ui.Option {
	options := make([]ui.Option, len(names))
	for i, n := range names {
		options[i] = ui.Option{Value: n, Text: wordsOf(n)}
	}
	return options
}

// withEmpty puts a choice of nothing first.
func withEmpty(text string, options []ui.Option) []ui.Option {
	return slices.Insert(slices.Clone(options), 0, ui.Option{Text: text})
}

// requiredWords says what is asked on a statement.
func requiredWords(r posture.StatementRow) string {
	switch {
	case !r.HasRequired:
		return "· nobody asks for it here"
	case r.Requirement.Wanted == posture.NotIntended:
		return "· not intended here"
	case r.Requirement.Wanted == posture.Undecided:
		return "· asked for: " + r.Requirement.Rung.Words() + ", undecided"
	default:
		return "· asked for: " + r.Requirement.Rung.Words()
	}
}

// SubjectSection is the place of the bar that a subject stands under.
func SubjectSection(s posture.SubjectRef) string {
	if s.Kind == posture.Unit {
		return "Runtimes"
	}
	return "Dependencies"
}

// SubjectCrumbs lead from a list to a subject's page.
func SubjectCrumbs(s posture.SubjectRef) []Crumb {
	section := SubjectSection(s)
	return []Crumb{{Text: section, Href: "/" + strings.ToLower(section)}, {Text: s.Slug, Href: subjectHref(s)}}
}

// joinWords lists things as a sentence does.
func joinWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
