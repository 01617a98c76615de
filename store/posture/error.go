package posture

import (
	"errors"
	"strings"
)

// ErrorKind is what an error means to the person who caused it. web/errors.go
// alone turns it into a status.
type ErrorKind uint8

// The error kinds. Internal is the zero value: its text is never shown.
const (
	Internal ErrorKind = iota
	NotFound
	Forbidden
	Conflicting
	Invalid
	SignInNeeded
)

// FieldError says what is wrong with one field of a form or one key of a
// request, and the next valid value.
type FieldError struct {
	Field string
	Text  string
}

// Error is an error meant to be read: its text is one sentence for the person.
type Error struct {
	Kind   ErrorKind
	Text   string
	Fields []FieldError
	Err    error
}

// Error gives the sentence, followed by the fields' own.
func (e *Error) Error() string {
	if len(e.Fields) == 0 {
		return e.Text
	}
	parts := make([]string, 0, len(e.Fields)+1)
	if e.Text != "" {
		parts = append(parts, e.Text)
	}
	for _, f := range e.Fields {
		parts = append(parts, f.Field+": "+f.Text)
	}
	return strings.Join(parts, " ")
}

// Unwrap gives the cause, for logs.
func (e *Error) Unwrap() error { return e.Err }

// NotFoundError says that a thing does not exist or is outside the reader's
// portfolios; the two are not told apart.
func NotFoundError(what string) *Error {
	return &Error{Kind: NotFound, Text: "There is no " + what + " here, or it is outside your portfolios."}
}

// InvalidField is an Invalid error about one field.
func InvalidField(field, text string) *Error {
	return &Error{Kind: Invalid, Fields: []FieldError{{Field: field, Text: text}}}
}

// KindOf gives the kind of err, Internal where it is none of ours.
func KindOf(err error) ErrorKind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Fields collects field errors; Err gives nil when there are none.
type Fields []FieldError

// Add records a field error.
func (f *Fields) Add(field, text string) { *f = append(*f, FieldError{Field: field, Text: text}) }

// Err gives an Invalid error with the collected fields, or nil.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Fields: f}
}
