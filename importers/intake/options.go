// Package intake runs an import from bytes to receipt: bound and digest,
// recognition, redaction, records, mapping, one stream to the sink. Pages, the
// command line and the API all import through it.
package intake

import (
	"context"
	"time"

	"demarc/importers"
	"demarc/importers/results/junit"
	"demarc/store/posture"
)

// Options say what the caller knows of a file.
type Options struct {
	// Runtime is the slug of the runtime the results are about; empty leaves it
	// to the file.
	Runtime string
	// Format is a format's name, or "auto" or empty for recognition.
	Format  string
	Mapping *Mapping
	// Identity was read at the start of the run, IdentityEnd at its end. Each
	// facet given here wins over the file's.
	Identity    posture.Identity
	IdentityEnd posture.Identity
	// Receivers are the identities of receiving components, by slug.
	Receivers map[string]posture.Identity
	// ObservedAt is used for results without a time in the file.
	ObservedAt time.Time
	// Zone is that of times without one; nil is UTC.
	Zone   *time.Location
	Tester string
	// Run names the run; empty is the one run of the file.
	Run    string
	DryRun bool
	// MaxBytes bounds the file; 0 is DefaultMaxBytes.
	MaxBytes int64
	// Now is the instant after which nothing can have been observed; zero
	// leaves that to the sink.
	Now time.Time
	// Known says whether a statement exists; nil accepts any.
	Known func(statement string) bool
	// Progress is told of the bytes parsed, with the total or -1; nil for none.
	Progress func(read, total int64)
}

// Sink keeps imports; the store is one.
type Sink interface {
	// RecordImport keeps an import whole or not at all. It calls stream once;
	// stream calls take for every result in order, and take owns the result
	// then. An error of stream must undo everything.
	RecordImport(ctx context.Context, a posture.Access, in posture.Import, stream func(take func(*posture.Result) error) error) (posture.Receipt, error)
}

// Formats lists the formats that can be imported.
func Formats() []importers.Format { return []importers.Format{junit.Format{}} }

func (o *Options) check() error {
	if err := posture.CheckRegion(posture.KindTest, &o.Identity); err != nil {
		return invalid("%v", err)
	}
	if !o.Now.IsZero() && o.ObservedAt.After(o.Now) {
		return invalid("observed at %s lies after now (%s); results cannot be observed in the future", when(o.ObservedAt), when(o.Now))
	}
	return nil
}

func (o *Options) limit() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return DefaultMaxBytes
}

func (o *Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

func when(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }
