package ui

import "time"

// InstantValue writes an instant as an Instant field holds it; the zero time is
// empty.
func InstantValue(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instantLayout)
}

// instantLayout is what an input of type datetime-local holds.
const instantLayout = "2006-01-02T15:04"

// asInstant makes the field a day and a time, unless what was typed is none: a
// browser would show nothing of it then.
func (f Field) asInstant() Field {
	if _, err := time.Parse(instantLayout, f.Value); f.Value == "" || err == nil {
		f.Type = "datetime-local"
	}
	return f
}
