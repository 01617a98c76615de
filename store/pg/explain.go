package pg

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// symptom is something PostgreSQL says and the sentence it means. In the sentence {dir} stands for the data directory, $1 for the first group.
type symptom struct {
	said  *regexp.Regexp
	means string
	cause error
}

// symptoms are looked for from top to bottom: the specific before the general.
var symptoms = []symptom{
	{
		said:  regexp.MustCompile(`could not (?:create|get) semaphores`),
		means: "the system has no semaphores left for the PostgreSQL of {dir}: raise kern.sysv.semmni or kernel.sem, or stop another PostgreSQL",
		cause: syscall.ENOSPC,
	},
	{
		said:  regexp.MustCompile(`could not (?:open|create|resize|map) (?:anonymous )?shared memory(?: segment)?[^\n]*?: ([^\n:]+)\n`),
		means: "the system gives the PostgreSQL of {dir} too little shared memory ($1): enlarge /dev/shm (docker run --shm-size), or lower shared_buffers in {dir}/data/postgresql.conf",
		cause: syscall.ENOMEM,
	},
	{
		said:  regexp.MustCompile(`pre-existing shared memory block`),
		means: "processes of an earlier PostgreSQL have {dir} open: wait a moment and start again, or stop them",
		cause: errStillThere,
	},
	{
		said:  regexp.MustCompile(`lock file "[^"]*" already exists`),
		means: "another PostgreSQL has {dir}/data open: stop it, or choose another data directory with --data-dir",
	},
	{
		said:  regexp.MustCompile(`(?:data directory|directory) "[^"]*" has (wrong ownership|invalid permissions|group or world access)`),
		means: "{dir}/data has $1 and PostgreSQL refuses it: it must have mode 0700 and belong to the user PostgreSQL runs as",
	},
	{
		said:  regexp.MustCompile(`unrecognized configuration parameter "([^"]+)"`),
		means: `{dir}/data/postgresql.conf has a setting "$1" that this PostgreSQL does not know: remove the line`,
	},
	{
		said:  regexp.MustCompile(`configuration file "([^"]+)" contains errors`),
		means: "PostgreSQL's settings in $1 have an error: {dir}/log/postgres.log names the line",
	},
	{
		said:  regexp.MustCompile(`could not locate (?:a valid|required) checkpoint record|invalid checkpoint record|incorrect checksum in control file|could not (?:open|read) file "global/pg_control"|not a valid data directory|page verification failed`),
		means: "the files in {dir}/data are damaged and PostgreSQL cannot open them: restore a backup into a new data directory (nothing was changed)",
	},
	{
		said:  regexp.MustCompile(`database files are incompatible with server`),
		means: "{dir}/data does not fit this PostgreSQL, because its files are damaged or it was made by one that was built differently: set PG_BINDIR to the bin folder of the one that made it, or restore a backup into a new data directory (nothing was changed)",
	},
	{
		said:  regexp.MustCompile(`invalid locale name|could not find suitable (?:text search|encoding)`),
		means: "the system has no locale C.UTF-8, which the PostgreSQL of {dir} needs: install it (apt-get install libc-bin), or use PostgreSQL 17 or newer, which brings its own",
	},
	{
		said:  regexp.MustCompile(`could not bind Unix address[^\n]*|Unix-domain socket path[^\n]*too long[^\n]*`),
		means: "PostgreSQL could not make its socket in {dir}/run ($0): choose another data directory with --data-dir",
	},
	{
		said:  regexp.MustCompile(`out of memory|Cannot allocate memory`),
		means: "the PostgreSQL of {dir} gets too little memory: free some, or lower shared_buffers in {dir}/data/postgresql.conf",
		cause: syscall.ENOMEM,
	},
}

// explainText recognises in PostgreSQL's output what stopped it; nil when it is nothing known.
func explainText(text, dir string) error {
	for _, s := range symptoms {
		m := s.said.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		sentence := strings.ReplaceAll(string(s.said.ExpandString(nil, s.means, text, m)), "{dir}", dir)
		return refuse(s.cause, "%s", sentence)
	}
	switch {
	case strings.Contains(text, "No space left on device"), strings.Contains(text, "Disk quota exceeded"):
		return diskFull(syscall.ENOSPC, dir)
	case strings.Contains(text, "Read-only file system"):
		return diskReadOnly(syscall.EROFS, dir)
	}
	return nil
}

// whyFailed explains a failed statement of the launcher; what is the sentence's beginning.
func (l *launch) whyFailed(err error, what string, args ...any) error {
	var said *pgconn.PgError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return refuse(err, "the start of PostgreSQL in %s was broken off: start again", l.Dir)
	case errors.As(err, &said):
		if known := explainText(said.Message+"\n", l.Dir); known != nil {
			return known
		}
		err = refuse(err, "%s", said.Message)
	}
	return refuse(err, "%s (%s): look at %s", fmt.Sprintf(what, args...), err, filepath.Join(l.Dir, logName))
}
