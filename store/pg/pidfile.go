package pg

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// noPID is a number no process has: more than any system's largest.
	noPID = "2147483647"
	// The lines of postmaster.pid, counted from 0 (src/include/utils/pidfile.h).
	linePID, lineStart, lineStatus = 0, 2, 7
)

// pidFile is what postmaster.pid says.
type pidFile struct {
	pid     int       // 0 when the file is empty or torn
	single  bool      // a single-user postgres: someone is at work by hand
	started time.Time // when the server started
	status  string    // "starting", "ready", "stopping"; "" as long as it is not written
}

func pidFileName(data string) string { return filepath.Join(data, "postmaster.pid") }

// readPidFile reads postmaster.pid; it fails with fs.ErrNotExist when no server left one.
func readPidFile(data string) (pidFile, error) {
	text, err := os.ReadFile(pidFileName(data))
	if err != nil {
		return pidFile{}, err
	}
	lines := strings.Split(string(text), "\n")
	var f pidFile
	if pid, err := strconv.Atoi(strings.TrimSpace(lines[linePID])); err == nil {
		f.pid, f.single = max(pid, -pid), pid < 0
	}
	if len(lines) > lineStart {
		if seconds, err := strconv.ParseInt(strings.TrimSpace(lines[lineStart]), 10, 64); err == nil {
			f.started = time.Unix(seconds, 0)
		}
	}
	if len(lines) > lineStatus {
		f.status = strings.TrimSpace(lines[lineStatus])
	}
	return f, nil
}

// disown makes a left postmaster.pid name nobody, when its number now belongs to a process that is not ours: PostgreSQL would take that
// process for a running server. The other lines stay, so that PostgreSQL still finds sessions of the dead server by their shared memory.
func disown(data string) error {
	name := pidFileName(data)
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return ignoreMissing(err)
	}
	defer f.Close()
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	_, rest, whole := strings.Cut(string(text), "\n")
	if !whole || strings.TrimSpace(rest) == "" { // an empty or torn one stops PostgreSQL and holds nothing worth keeping
		return ignoreMissing(os.Remove(name))
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(noPID+"\n"+rest), 0)
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
