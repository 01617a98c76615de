// Package importers holds what every importer has in common: the Format
// interface, the recognition of files, and the text that reaches a parser.
// Importers read bytes and give records; they never write, never touch a
// database and know no clock.
package importers

import (
	"context"
	"fmt"
	"io"
	"strings"

	"demarc/store/posture"
)

// HeadSize is how much of a file a format sees for detection, in bytes.
const HeadSize = 64 << 10

// Format reads one kind of results file.
type Format interface {
	// Name is the format's name in receipts and in --format, such as "junit".
	Name() string
	// Detect says whether the head, at most HeadSize bytes of UTF-8, begins a
	// file of this format. It judges by content; the file's name alone never
	// suffices.
	Detect(head []byte, file string) bool
	// Read streams the records in the order of the file. Every record gets a
	// Seq from 1 and is either given to emit, which owns it from then on, or
	// refused by exactly one Problem with its Record and the severity
	// Refused. Other problems carry Record 0 or another severity. A *Refusal
	// refuses the file; an error of emit is returned unchanged. Nothing is
	// kept in memory beyond the record at hand.
	Read(ctx context.Context, r io.Reader, emit func(*posture.Result) error, note func(posture.Problem)) (Meta, error)
}

// The severities of a posture.Problem.
const (
	Refused = "refused"
	Warning = "warning"
	Note    = "note"
)

// The values of Meta.Completeness.
const (
	Complete  = "complete"
	Truncated = "truncated"
	Unknown   = "unknown"
)

// Meta is what a format knows of a file once it is read.
type Meta struct {
	// Completeness is Complete, Truncated or Unknown.
	Completeness string
	// TruncatedAt is the line on which a truncated file stops being readable.
	TruncatedAt int
}

// Refusal says why a whole file is not imported. Its text is one sentence for
// the person, without the file's name.
type Refusal struct {
	// Line is where the reason stands, 0 for the file as a whole.
	Line int
	What string
}

// Error gives the sentence with its line.
func (r *Refusal) Error() string {
	if r.Line == 0 {
		return r.What
	}
	return fmt.Sprintf("line %d: %s", r.Line, r.What)
}

// Refuse makes a Refusal.
func Refuse(line int, format string, args ...any) *Refusal {
	return &Refusal{Line: line, What: fmt.Sprintf(format, args...)}
}

// Detect gives the format whose content the head begins. An unrecognised file
// is a *Refusal that says what it looks like and what is accepted.
func Detect(formats []Format, head []byte, file string) (Format, error) {
	for _, f := range formats {
		if f.Detect(head, file) {
			return f, nil
		}
	}
	root := XMLRoot(head)
	switch what := looksLike(head, root.Name); {
	case what == emptyFile:
		return nil, Refuse(0, "%s; nothing was imported", what)
	case root.Doctype > 0:
		return nil, Refuse(root.Doctype, "this looks like %s with a document type declaration (DOCTYPE), which is never read; accepted: %s", what, Accepted(formats))
	default:
		return nil, Refuse(root.Line, "this looks like %s, which is not a results format read here; accepted: %s", what, Accepted(formats))
	}
}

// Accepted lists the formats by name as a sentence does.
func Accepted(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name()
	}
	return strings.Join(names, ", ")
}
