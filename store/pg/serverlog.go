package pg

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	logName    = "log/postgres.log"
	logOldName = "log/postgres.log.1"
	// logMost is the size above which the log is set aside at the next start; one old log is kept.
	logMost = 8 << 20
	// logTail is how much of a run's end is read to explain it.
	logTail = 16 << 10
)

// serverLog is the part of DIR/log/postgres.log that one run of the server has written.
type serverLog struct {
	path string
	from int64
}

// openLog opens DIR/log/postgres.log for the server to append to, after setting a large one aside.
func openLog(root *os.Root) (*os.File, serverLog, error) {
	if err := root.Mkdir("log", 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, serverLog{}, err
	}
	if info, err := root.Stat(logName); err == nil && info.Size() > logMost {
		if err := root.Rename(logName, logOldName); err != nil {
			return nil, serverLog{}, err
		}
	}
	f, err := openFile(root, logName, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, serverLog{}, err
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close()
		return nil, serverLog{}, err
	}
	return f, serverLog{path: filepath.Join(root.Name(), logName), from: end}, nil
}

// tail is the end of what the run has written, "" when it cannot be read.
func (s serverLog) tail() string {
	f, err := os.Open(s.path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	from := max(s.from, info.Size()-logTail)
	text, err := io.ReadAll(io.NewSectionReader(f, from, logTail))
	if err != nil {
		return ""
	}
	return string(text)
}

// explainStart says in one sentence why a start failed.
func (s serverLog) explainStart(dir string, cause error) error {
	text := s.tail()
	if err := explainText(text, dir); err != nil {
		return err
	}
	if cause == nil {
		cause = errors.New("another process stopped it")
	}
	return refuse(cause, "PostgreSQL did not start in %s (%s): look at %s", dir, reason(text, cause), s.path)
}

// explainEnd says in one sentence why a server that was running ended. In a long log only what was severe can be the reason.
func (s serverLog) explainEnd(dir string, cause error) error {
	var exit *exec.ExitError
	switch {
	case cause == nil:
		return refuse(nil, "the PostgreSQL of %s was stopped by another process: start demarc again (nothing committed is lost)", dir)
	case errors.As(cause, &exit) && !exit.Exited():
		return refuse(cause, "the PostgreSQL of %s was ended by the system or another process (%s): see whether memory ran out, then start demarc again (nothing committed is lost)",
			dir, cause)
	}
	text := severe(s.tail())
	if err := explainText(text, dir); err != nil {
		return err
	}
	return refuse(cause, "the PostgreSQL of %s ended (%s): look at %s, then start demarc again (nothing committed is lost)", dir, reason(text, cause), s.path)
}

// severe is the lines that can end a server.
func severe(text string) string {
	lines := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return !strings.Contains(line, "FATAL:") && !strings.Contains(line, "PANIC:")
	})
	return strings.Join(lines, "")
}
