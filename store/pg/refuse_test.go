package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
)

func TestDirIsAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(folder(t), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, Options{Dir: file}, file+" is a file", "--data-dir")
	refused(t, Options{Dir: filepath.Join(file, "below", "d")}, file+" is a file", "--data-dir")
}

func TestUnreachableDir(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(folder(t), "closed")
	dir := filepath.Join(closed, "d")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	mode := fs.FileMode(0o700) // root gets in, PostgreSQL's user does not
	if os.Geteuid() != 0 {
		mode = 0
	}
	if err := os.Chmod(closed, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	refused(t, Options{Dir: dir}, fmt.Sprintf("%s has mode %04o", closed, mode), "--data-dir")
	if err := os.Chmod(closed, 0o755); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
}

func TestSocketPathTooLong(t *testing.T) {
	t.Parallel()
	most := len(syscall.RawSockaddrUnix{}.Path) - 1
	base := folder(t)
	longest := filepath.Join(base, strings.Repeat("x", most-len(base)-len("//run/")-len(socketName)))
	opened(t, Options{Dir: longest})
	refused(t, Options{Dir: longest + "x"}, longest+"x", fmt.Sprintf("%d bytes", most+1), fmt.Sprintf("allows %d", most), "--data-dir")
}

func TestPathWithCommaIsRefused(t *testing.T) {
	t.Parallel()
	refused(t, Options{Dir: filepath.Join(folder(t), "a,b")}, "a,b", "comma", "--data-dir")
}

// contents is every file below dir with its size, to see that nothing was changed.
func contents(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		all[path] = info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestClusterOfAnotherMajorIsKept(t *testing.T) {
	t.Parallel()
	dir := made(t)
	data := filepath.Join(dir, "data")
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("9.6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := contents(t, data)
	refused(t, Options{Dir: dir}, data+" was made by PostgreSQL 9", "the one found is PostgreSQL ", "install PostgreSQL 9", "PG_BINDIR", "nothing was changed")
	if diff := cmp.Diff(before, contents(t, data)); diff != "" {
		t.Errorf("the cluster was changed (-before +after):\n%s", diff)
	}
}

func TestForeignFilesAreKept(t *testing.T) {
	t.Parallel()
	dir := made(t)
	data := filepath.Join(dir, "data")
	version := filepath.Join(data, "PG_VERSION")
	if err := os.WriteFile(version, []byte("fifteen"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, Options{Dir: dir}, version, "names no PostgreSQL version", "nothing was changed")
	if err := os.Remove(version); err != nil {
		t.Fatal(err)
	}
	before := contents(t, data)
	refused(t, Options{Dir: dir}, data, "PG_VERSION is missing", "nothing was changed")
	if diff := cmp.Diff(before, contents(t, data)); diff != "" {
		t.Errorf("the files were changed (-before +after):\n%s", diff)
	}
}

func TestEmptyDataFolderIsUsed(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
}

func TestNewClusterReplacesNoLink(t *testing.T) {
	t.Parallel()
	dir, elsewhere := folder(t), folder(t)
	data := filepath.Join(dir, "data")
	for _, target := range []string{elsewhere, filepath.Join(elsewhere, "nothing")} {
		if err := os.Symlink(target, data); err != nil {
			t.Fatal(err)
		}
		refused(t, Options{Dir: dir}, data+" is no folder of its own", "--data-dir")
		if err := os.Remove(data); err != nil {
			t.Fatal(err)
		}
	}
}

// A cluster that was moved to another disk and linked is used where it is.
func TestLinkedClusterIsUsed(t *testing.T) {
	t.Parallel()
	dir := made(t)
	moved := filepath.Join(folder(t), "moved")
	if err := os.Rename(filepath.Join(dir, "data"), moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
	if !exists(pidFileName(moved)) {
		t.Error("the linked cluster is not the one that runs")
	}
}

func TestLinksOutOfTheDirAreRefused(t *testing.T) {
	t.Parallel()
	dir := made(t)
	elsewhere := folder(t)
	for _, name := range []string{"run", "log", lockName} {
		path := filepath.Join(dir, name)
		kept := path + ".kept"
		if err := os.Rename(path, kept); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, path); err != nil {
			t.Fatal(err)
		}
		refused(t, Options{Dir: dir}, path)
		if err := errors.Join(os.Remove(path), os.Rename(kept, path)); err != nil {
			t.Fatal(err)
		}
	}
	if got := contents(t, elsewhere); len(got) != 1 {
		t.Errorf("files were written outside the data directory: %v", got)
	}
	opened(t, Options{Dir: dir})
}

func TestFailedStartNamesTheReason(t *testing.T) {
	t.Parallel()
	dir := made(t)
	conf := filepath.Join(dir, "data", "postgresql.conf")
	whole := readFile(t, conf)
	for _, tt := range []struct{ line, want string }{
		{"no_such_setting = 1\n", `a setting "no_such_setting"`},
		{"shared_buffers = nonsense\n", conf},
		{"shared_preload_libraries = 'no_such_library'\n", `could not access file "no_such_library"`},
	} {
		if err := os.WriteFile(conf, []byte(whole+tt.line), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, Options{Dir: dir}, dir, tt.want)
	}
	if err := os.WriteFile(conf, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
}

func TestDamagedClusterIsKept(t *testing.T) {
	t.Parallel()
	dir := made(t)
	control := filepath.Join(dir, "data", "global", "pg_control")
	text := []byte(readFile(t, control))
	text[100] ^= 0xff
	if err := os.WriteFile(control, text, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, Options{Dir: dir}, filepath.Join(dir, "data"), "damaged", "restore a backup", "nothing was changed")
}

func TestExplainText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said string // as PostgreSQL 15 to 18 print it
		want string
		is   error
	}{
		{`FATAL:  could not write lock file "postmaster.pid": No space left on device`, "the disk that holds /d is full", syscall.ENOSPC},
		{`PANIC:  could not write to file "pg_wal/xlogtemp.29": Disk quota exceeded`, "the disk that holds /d is full", syscall.ENOSPC},
		{`FATAL:  could not open lock file "postmaster.pid": Read-only file system`, "the disk that holds /d is read-only", syscall.EROFS},
		{`FATAL:  could not create semaphores: No space left on device`, "no semaphores left", syscall.ENOSPC},
		{`FATAL:  could not map anonymous shared memory: Cannot allocate memory`, "(Cannot allocate memory)", syscall.ENOMEM},
		{`FATAL:  could not resize shared memory segment "/PostgreSQL.12" to 7340032 bytes: No space left on device`, "enlarge /dev/shm", syscall.ENOMEM},
		{`FATAL:  pre-existing shared memory block (key 5, ID 3) is still in use`, "processes of an earlier PostgreSQL have /d open", errStillThere},
		{`FATAL:  lock file "postmaster.pid" already exists`, "another PostgreSQL has /d/data open", nil},
		{`FATAL:  data directory "/d/data" has invalid permissions`, "/d/data has invalid permissions", nil},
		{`FATAL:  data directory "/d/data" has wrong ownership`, "/d/data has wrong ownership", nil},
		{`LOG:  unrecognized configuration parameter "fsink" in file "/d/data/postgresql.conf" line 3`, `a setting "fsink"`, nil},
		{`FATAL:  configuration file "/d/data/postgresql.conf" contains errors`, "settings in /d/data/postgresql.conf have an error", nil},
		{`PANIC:  could not locate a valid checkpoint record`, "damaged", nil},
		{`FATAL:  database files are incompatible with server`, "set PG_BINDIR to", nil},
		{`initdb: error: invalid locale name "C.UTF-8"`, "no locale C.UTF-8", nil},
		{`LOG:  could not bind Unix address "/d/run/.s.PGSQL.5432": Permission denied`, "its socket in /d/run", nil},
		{`FATAL:  out of memory`, "too little memory", syscall.ENOMEM},
	} {
		err := explainText("2026-11-30 21:37:58.227 UTC [1] "+tt.said+"\n", "/d")
		if err == nil {
			t.Errorf("%q is not recognised", tt.said)
			continue
		}
		wantSentence(t, err, tt.want)
		if tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%q is not %v", err, tt.is)
		}
	}
	if err := explainText("LOG:  database system is ready to accept connections\n", "/d"); err != nil {
		t.Errorf("good news is explained as %q", err)
	}
}

func TestExplainEndBelievesOnlySevereLines(t *testing.T) {
	t.Parallel()
	failed := exec.Command("false").Run()
	for _, tt := range []struct {
		name, log string
		cause     error
		want      string
	}{
		{"asked", "LOG:  received fast shutdown request\n", nil, "stopped by another process"},
		{"disk", "ERROR:  out of memory\nPANIC:  could not write to file \"x\": No space left on device\n", failed, "is full"},
		{"statement", "ERROR:  could not extend file: No space left on device\nLOG:  shutting down\n", failed, "exit status 1"},
		{"unknown", "PANIC:  stuck spinlock detected\n", failed, "stuck spinlock detected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte("PANIC:  an earlier run\n"+tt.log), 0o600); err != nil {
				t.Fatal(err)
			}
			log := serverLog{path: path, from: int64(len("PANIC:  an earlier run\n"))}
			wantSentence(t, log.explainEnd("/d", tt.cause), "/d", tt.want, "start")
		})
	}
}

func TestFailedStatementsAreExplained(t *testing.T) {
	t.Parallel()
	l, err := newLaunch(Options{Dir: "/d"}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&pgconn.PgError{Code: "53100", Message: "could not extend file \"base/1/2\": No space left on device"}, "the disk that holds /d is full"},
		{&pgconn.PgError{Code: "42501", Message: "permission denied"}, "roles of Demarc (permission denied): look at /d/log/postgres.log"},
		{context.Canceled, "broken off"},
		{errors.New("dial error"), "(making role demarc_app: dial error)"},
	} {
		wantSentence(t, l.whyFailed(fmt.Errorf("making role demarc_app: %w", tt.err), "could not make the roles of Demarc"), tt.want)
	}
}

func TestInitdbErrors(t *testing.T) {
	t.Parallel()
	failed := exec.Command("false").Run()
	as := account{name: "with uid 54321", uid: 54321, gid: 54321}
	for out, want := range map[string]string{
		"initdb: error: could not look up effective user ID 54321: user does not exist\n":                                      "add one to /etc/passwd (demarc:x:54321:54321::",
		"initdb: error: could not create directory \"/d/data.new/pg_wal\": No space left on device\ninitdb: removing contents": "is full",
		"initdb: error: something new\ninitdb: removing contents of data directory \"/d/data.new\"\n":                          "(something new)",
		"": "(exit status 1)",
	} {
		wantSentence(t, explainInitdb(out, failed, "/d", as), want)
	}
	switched := account{name: "postgres", uid: 101, gid: 104, switched: true}
	wantSentence(t, explainInitdb("", &fs.PathError{Op: "fork/exec", Path: "initdb", Err: syscall.EPERM}, "/d", switched), "as user postgres", "SETUID")
	wantSentence(t, explainInitdb("", &fs.PathError{Op: "fork/exec", Path: "initdb", Err: syscall.EACCES}, "/d", switched), "user postgres may not run PostgreSQL", "permission denied")
}

func TestPathErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for err, want := range map[error]string{
		syscall.ENOSPC: "is full", syscall.EDQUOT: "is full", syscall.EROFS: "is read-only",
		syscall.EACCES: "may not write " + dir + "/lock (" + dir + " has mode ", syscall.EIO: "could not write " + dir + "/lock (input/output error)",
	} {
		got := refusePath(&fs.PathError{Op: "open", Path: "lock", Err: err}, "write", dir+"/lock", dir, os.Geteuid())
		wantSentence(t, got, want, dir)
		if !errors.Is(got, err) {
			t.Errorf("%q is not %v", got, err)
		}
	}
}
