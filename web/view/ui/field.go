package ui

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"demarc/store/posture"
)

// Errors are what is wrong with a form that was sent back.
type Errors struct {
	// Text is a sentence about the whole form, empty when the fields say all.
	Text   string
	Fields []posture.FieldError
	// Labels name fields in the summary where their names alone would not read
	// well.
	Labels map[string]string
}

// ErrorsOf reads a posture error; anything else gives none.
func ErrorsOf(err error) Errors {
	var e *posture.Error
	if !errors.As(err, &e) {
		return Errors{}
	}
	return Errors{Text: e.Text, Fields: e.Fields}
}

// Any says whether anything is wrong.
func (e Errors) Any() bool { return e.Text != "" || len(e.Fields) > 0 }

// Of gives the sentence of a field, empty when nothing is wrong with it.
func (e Errors) Of(name string) string {
	for _, f := range e.Fields {
		if f.Field == name {
			return f.Text
		}
	}
	return ""
}

// Label names a field in the summary: its label, else its name as words.
func (e Errors) Label(name string) string {
	if l, ok := e.Labels[name]; ok {
		return l
	}
	return Sentence(spaced(name))
}

// fieldID is the id of a field's input, that summary links lead to.
func fieldID(name string) string { return "f-" + name }

func optionID(name string, i int) string { return fieldID(name) + "-" + strconv.Itoa(i) }

func (f Field) inputType() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

// asDate makes the field a date, unless what was typed is none: a browser would
// show nothing of it then.
func (f Field) asDate() Field {
	if _, err := time.Parse(time.DateOnly, f.Value); f.Value == "" || err == nil {
		f.Type = "date"
	}
	return f
}

func (f Field) chosen(value string) bool {
	return (value != "" && value == f.Value) || slices.Contains(f.Values, value)
}

// aria ties the field to its hint and error and says what is asked of it.
func (f Field) aria() templ.Attributes {
	a := f.described()
	if f.Required {
		a["required"] = true
	}
	if f.Error != "" {
		a["aria-invalid"] = "true"
	}
	return a
}

func (f Field) described() templ.Attributes {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, fieldID(f.Name)+"-h")
	}
	if f.Error != "" {
		ids = append(ids, fieldID(f.Name)+"-e")
	}
	a := templ.Attributes{}
	if len(ids) > 0 {
		a["aria-describedby"] = strings.Join(ids, " ")
	}
	return a
}
