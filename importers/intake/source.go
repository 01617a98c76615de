package intake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"demarc/store/posture"
)

// DefaultMaxBytes is how large a file may be where nothing else is said.
const DefaultMaxBytes = 10 << 20

// Source is a received file that can be read from its start several times:
// once for its digest, once for its records, once for the copy that is kept.
type Source struct {
	// Name is the file's name without its folder, for receipts and messages.
	Name string
	// Size is in bytes, -1 where it is not known beforehand.
	Size int64
	Open func() (io.ReadCloser, error)
}

// FromBytes is a source of bytes in memory, which must not change.
func FromBytes(name string, b []byte) Source {
	return Source{Name: name, Size: int64(len(b)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b)), nil
	}}
}

// FromFile is a source of a file on disk. What is missing or a folder is an
// Invalid error.
func FromFile(path string) (Source, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Source{}, invalid("%s: there is no such file", path)
	case err != nil:
		return Source{}, invalid("%s: cannot be read: %v", path, errors.Unwrap(err))
	case info.IsDir():
		return Source{}, invalid("%s is a folder; name a file, or - for standard input", path)
	}
	size := info.Size()
	if !info.Mode().IsRegular() {
		f, err := os.Open(path)
		if err != nil {
			return Source{}, invalid("%s: cannot be read: %v", path, errors.Unwrap(err))
		}
		defer f.Close() // it was only read
		return FromReader(filepath.Base(path), f, DefaultMaxBytes)
	}
	return Source{Name: filepath.Base(path), Size: size, Open: func() (io.ReadCloser, error) {
		return os.Open(path)
	}}, nil
}

// FromReader is a source of what can be read once, held in memory: at most
// limit bytes.
func FromReader(name string, r io.Reader, limit int64) (Source, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return Source{}, fmt.Errorf("read %s: %w", name, err)
	}
	if int64(len(b)) > limit {
		return Source{}, tooLarge(name, limit)
	}
	return FromBytes(name, b), nil
}

func tooLarge(name string, limit int64) error {
	return invalid("%s: holds more than %s, the most that is imported at once; split it by suite", name, sizeOf(limit))
}

func sizeOf(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

func invalid(format string, args ...any) error {
	return &posture.Error{Kind: posture.Invalid, Text: fmt.Sprintf(format, args...)}
}

// received reads a source within its bound, tells how far it is, and stops
// with the context.
type received struct {
	ctx      context.Context
	in       io.ReadCloser
	name     string
	read     int64
	limit    int64
	total    int64
	progress func(read, total int64)
}

func (r *received) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, fmt.Errorf("read %s: %w", r.name, err)
	}
	n, err := r.in.Read(p)
	r.read += int64(n)
	if r.read > r.limit {
		return 0, tooLarge(r.name, r.limit)
	}
	if r.progress != nil && n > 0 {
		r.progress(r.read, r.total)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("read %s: %w", r.name, err)
	}
	return n, err
}
