package pg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// refusal is an error whose text is one sentence for the person at the terminal; the cause stays reachable for errors.Is.
type refusal struct {
	sentence string
	cause    error
}

func (r *refusal) Error() string { return r.sentence }
func (r *refusal) Unwrap() error { return r.cause }

func refuse(cause error, format string, args ...any) error {
	return &refusal{sentence: fmt.Sprintf(format, args...), cause: cause}
}

// pathEscapes is what os.Root says of a link that leaves the folder; the error itself is not exported.
const pathEscapes = "path escapes from parent"

// refusePath explains why something at path could not be made, opened or written. doing is "open", "write" and the like.
func (l *launch) refusePath(err error, doing, path string) error {
	return refusePath(err, doing, path, l.Dir, l.euid)
}

func refusePath(err error, doing, path, dir string, euid int) error {
	var already *refusal
	switch {
	case errors.As(err, &already):
		return err
	case plain(err) == pathEscapes:
		return refuse(err, "%s leads out of %s through a link, and Demarc writes only inside its data directory: replace the link by a folder of its own", path, dir)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return diskFull(err, dir)
	case errors.Is(err, syscall.EROFS):
		return diskReadOnly(err, dir)
	case errors.Is(err, syscall.ENOTDIR):
		return refuse(err, "%s is a file, so the data directory %s cannot be there: choose another with --data-dir", firstFile(path), dir)
	case errors.Is(err, fs.ErrPermission):
		return refuse(err, "user %s may not %s %s (%s): run as the user it belongs to, or choose another data directory with --data-dir",
			accountOf(uint32(euid)).name, doing, path, nearestMode(path))
	}
	return refuse(err, "could not %s %s (%s): check the data directory %s", doing, path, plain(err), dir)
}

func diskFull(cause error, dir string) error {
	return refuse(cause, "the disk that holds %s is full: free some space there, then start again (nothing committed is lost)", dir)
}

func diskReadOnly(cause error, dir string) error {
	return refuse(cause, "the disk that holds %s is read-only: mount it writable, or choose another data directory with --data-dir", dir)
}

// plain is the innermost reason, without the operation and path the sentence names already.
func plain(err error) string {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return plain(path.Err)
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return plain(link.Err)
	}
	return err.Error()
}

// firstFile is the topmost part of path that is there and is no directory.
func firstFile(path string) string {
	first := path
	for p := path; ; p = filepath.Dir(p) {
		if info, err := os.Stat(p); err == nil {
			if info.IsDir() {
				return first
			}
			first = p
		}
		if p == filepath.Dir(p) {
			return first
		}
	}
}

// nearestMode describes path, or the nearest folder above it that can be seen: that one forbids.
func nearestMode(path string) string {
	for p := path; ; p = filepath.Dir(p) {
		if info, err := os.Stat(p); err == nil {
			return describe(p, info)
		}
		if p == filepath.Dir(p) {
			return "nothing on the way to it can be seen"
		}
	}
}

// describe names a file with what decides who may use it: "/srv has mode 0700 and belongs to alice".
func describe(path string, info fs.FileInfo) string {
	return fmt.Sprintf("%s has mode %04o and belongs to %s", path, info.Mode().Perm(), ownerName(info))
}

func ownerName(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return accountOf(st.Uid).name
	}
	return "an unknown user"
}
