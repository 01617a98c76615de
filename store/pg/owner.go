package pg

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	ownerFile    = "run/owner.json"
	ownerFileNew = "run/owner.json.new"
)

// owner is DIR/run/owner.json: who owns the running PostgreSQL. It stands there exactly while others may join.
type owner struct {
	PID     int       `json:"pid"`     // of the process that owns PostgreSQL, not of PostgreSQL
	Command string    `json:"command"` // "serve", "import" …
	Socket  string    `json:"socket"`  // folder of the socket, for people; a joining command takes its own DIR/run
	Schema  int64     `json:"schema"`  // schema version of the owner's binary
	Started time.Time `json:"started"` // when PostgreSQL started, UTC
}

// SchemaMismatch is the refusal to join a PostgreSQL whose owner knows another schema version.
type SchemaMismatch struct {
	Have int64 // of the running owner
	Want int64 // of this binary

	PID     int
	Command string
	Dir     string
}

func (e *SchemaMismatch) Error() string {
	return fmt.Sprintf("%s has %s open with schema version %d and this binary knows version %d: use the same version of demarc for both, or stop the other first",
		holderName(e.Command, e.PID), e.Dir, e.Have, e.Want)
}

// writeOwner publishes the running PostgreSQL. DIR/run belongs to PostgreSQL's user, hence the new file under a fresh name and no
// following of links.
func (l *launch) writeOwner(started time.Time) error {
	text, err := json.Marshal(owner{
		PID: os.Getpid(), Command: l.Command, Socket: l.runDir(), Schema: l.Schema, Started: started.UTC(),
	})
	if err != nil {
		return err
	}
	err = replaceFile(l.root, ownerFileNew, ownerFile, append(text, '\n'))
	if err != nil {
		return l.refusePath(err, "write", filepath.Join(l.Dir, ownerFile))
	}
	return nil
}

// replaceFile writes a file of DIR so that readers see the old text or the new one.
func replaceFile(root *os.Root, fresh, name string, text []byte) error {
	if err := root.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(fresh, name)
}

// readOwner reads who owns the running PostgreSQL.
func readOwner(root *os.Root) (owner, error) {
	var o owner
	err := readJSON(root, ownerFile, &o)
	return o, err
}

// removeOwner ends joining. A file that is not there is no error.
func removeOwner(root *os.Root) error {
	if err := root.Remove(ownerFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
