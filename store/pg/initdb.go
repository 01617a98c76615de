package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// freshPrefix begins the name of the folder initdb works in. Our process number follows: an initdb that outlived its killed demarc still
// writes into its own, by path.
const freshPrefix = "data.new."

func freshName() string { return freshPrefix + strconv.Itoa(os.Getpid()) }

// preferences are written into a new cluster's postgresql.conf, where an operator may change them; what the launcher depends on is given on
// the command line instead.
const preferences = `
# Demarc: short queries, and no text of rows or statements in the log.
jit = off
log_error_verbosity = terse
log_min_error_statement = panic
`

// initdb makes a cluster beside DIR/data and moves it there when it is whole, so that a crash leaves no half cluster.
func (l *launch) initdb(ctx context.Context, bin programs) error {
	l.Progress("creating the database in " + l.Dir + " (once)")
	fresh := filepath.Join(l.Dir, freshName())
	if err := l.makeWay(); err != nil {
		return err
	}
	if err := l.removeFresh(); err != nil {
		return l.refusePath(err, "remove", fresh)
	}
	if err := l.ownFolder(freshName()); err != nil {
		return err
	}
	out, err := l.run(ctx, bin.path("initdb"), l.initdbArgs(bin.major)...)
	if err != nil {
		_ = l.removeFresh() // the next start tries again
		if ctx.Err() != nil {
			return refuse(ctx.Err(), "creating the database in %s was broken off: start again", l.Dir)
		}
		return explainInitdb(out, err, l.Dir, l.as)
	}
	if err := l.adopt(); err != nil {
		return l.refusePath(err, "finish", fresh)
	}
	return nil
}

// makeWay removes an empty DIR/data, in whose place the new cluster will be moved.
func (l *launch) makeWay() error {
	data := l.dataDir()
	info, err := l.root.Lstat("data")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return l.refusePath(err, "look at", data)
	}
	if !info.IsDir() {
		return refuse(nil, "%s is no folder of its own, and the new cluster must become one: to keep the data elsewhere, name that place with --data-dir", data)
	}
	err = l.root.Remove("data")
	if errors.Is(err, syscall.EBUSY) {
		return refuse(err, "%s is a mount point, and the new cluster must be moved there whole: mount the disk at %s instead", data, l.Dir)
	}
	if err != nil {
		return l.refusePath(err, "replace", data)
	}
	return nil
}

// removeFresh removes what an earlier initdb left, as far as possible: what still runs there keeps its folder until the next start.
func (l *launch) removeFresh() error {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), freshPrefix) {
			continue
		}
		err := l.root.RemoveAll(e.Name())
		if err != nil && (e.Name() == freshName() || !errors.Is(err, syscall.ENOTEMPTY)) {
			return err
		}
	}
	return nil
}

func (l *launch) initdbArgs(major int) []string {
	args := []string{
		"-D", filepath.Join(l.Dir, freshName()), "-U", superuser, "-A", "trust", "--auth-host=reject",
		"-E", "UTF8", "--data-checksums", "--no-instructions",
	}
	switch {
	case major >= 17:
		args = append(args, "--locale-provider=builtin", "--locale=C.UTF-8", "--lc-messages=C")
	case runtime.GOOS == "darwin": // knows no C.UTF-8: the same order and the same letters under two other names
		args = append(args, "--locale=C", "--lc-ctype=UTF-8")
	default:
		args = append(args, "--locale=C.UTF-8")
	}
	if l.Tests {
		args = append(args, "--no-sync", "--wal-segsize=1") // many small clusters side by side
	}
	return args
}

// adopt adds our preferences to the fresh cluster, makes it durable and moves it to DIR/data.
func (l *launch) adopt() error {
	conf, err := l.root.OpenFile(freshName()+"/postgresql.conf", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = conf.WriteString(preferences)
	if err := errors.Join(err, conf.Sync(), conf.Close()); err != nil {
		return err
	}
	if err := l.root.Rename(freshName(), "data"); err != nil {
		return err
	}
	dir, err := l.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// run runs a program of PostgreSQL to its end, as PostgreSQL's user and in its own process group, and returns what it printed. It dies with
// us where the system can do that.
func (l *launch) run(ctx context.Context, path string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = l.Dir
	cmd.Env = childEnv(l.Getenv)
	cmd.SysProcAttr = tied(syscall.SIGKILL)
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Credential = l.as.credential()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	type result struct {
		out []byte
		err error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // tied follows the thread that started the child
		out, err := cmd.CombinedOutput()
		done <- result{out, err}
	}()
	r := <-done
	return string(r.out), r.err
}

// explainInitdb turns initdb's output into one sentence.
func explainInitdb(out string, err error, dir string, as account) error {
	switch {
	case strings.Contains(out, "could not look up effective user ID"):
		return refuse(err, "PostgreSQL cannot create a database as uid %d because the system has no user with that number: add one to /etc/passwd (demarc:x:%d:%d::/:/bin/false), run as another user, or name a database with --database-url",
			as.uid, as.uid, as.gid)
	case errors.Is(err, syscall.EPERM) || errors.Is(err, fs.ErrPermission):
		return refuseSwitch(err, as)
	}
	if sentence := explainText(out, dir); sentence != nil {
		return sentence
	}
	return refuse(err, "creating the database in %s failed (%s): check the folder and the PostgreSQL installation", dir, reason(out, err))
}

// refuseSwitch explains that a program could not be started as another user.
func refuseSwitch(err error, as account) error {
	if as.switched && errors.Is(err, syscall.EPERM) {
		return refuse(err, "this process is root but may not start PostgreSQL as user %s: grant it SETUID and SETGID, or run as an ordinary user", as.name)
	}
	return refuse(err, "user %s may not run PostgreSQL here (%s): check the modes of the data directory and of PostgreSQL's bin folder", as.name, plain(err))
}

// reason is the last thing a program said, else how it ended.
func reason(out string, err error) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		if _, text, ok := strings.Cut(line, "error: "); ok {
			return text
		}
		for _, severity := range []string{"FATAL:  ", "PANIC:  "} {
			if _, text, ok := strings.Cut(line, severity); ok {
				return text
			}
		}
	}
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return fmt.Sprint(err)
}
