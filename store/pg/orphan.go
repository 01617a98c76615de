package pg

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"
)

const processPoll = 20 * time.Millisecond

// clearEarlier clears away what an earlier run left: a server that outlived its owner, sessions that outlived their server, a process
// number that now belongs to someone else, socket files. We have the lock, so none of it can be another owner's.
func (l *launch) clearEarlier(ctx context.Context) error {
	data := l.dataDir()
	file, err := readPidFile(data)
	left := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return l.refusePath(err, "read", pidFileName(data))
	}
	if left && alive(file.pid) && worksOn(file.pid, data) {
		if file.single {
			return refuse(nil, "a single-user postgres (pid %d) is at work on %s: end it first", file.pid, data)
		}
		l.Progress("stopping a PostgreSQL that an earlier demarc left in " + l.Dir)
		if err := l.stopOrphan(ctx, file.pid); err != nil {
			return err
		}
	}
	if err := l.endLeftovers(ctx); err != nil {
		return err
	}
	if left {
		if err := l.retire(ctx, file.pid); err != nil {
			return err
		}
	}
	for _, name := range []string{socketName, socketName + ".lock"} {
		if err := ignoreMissing(l.root.Remove(filepath.Join("run", name))); err != nil {
			return l.refusePath(err, "remove", filepath.Join(l.runDir(), name))
		}
	}
	return nil
}

// stopOrphan ends a server that is not our child.
func (l *launch) stopOrphan(ctx context.Context, pid int) error {
	gone := func() bool { return !alive(pid) || isZombie(pid) }
	for _, step := range shutdown {
		if err := syscall.Kill(pid, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return refuse(err, "a PostgreSQL that an earlier demarc left (pid %d) has %s open and may not be stopped by this user: stop it first", pid, l.Dir)
		}
		ok, err := l.poll(ctx, step.patience, gone)
		if ok || err != nil {
			return err
		}
	}
	return refuse(nil, "a PostgreSQL that an earlier demarc left (pid %d) has %s open and does not end: stop it first", pid, l.Dir)
}

// endLeftovers ends sessions whose server was killed. They write nothing any more when they are ended at once; recovery follows anyway.
func (l *launch) endLeftovers(ctx context.Context) error {
	data := l.dataDir()
	none := func() bool { return len(leftovers(data)) == 0 }
	for _, signal := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGKILL} {
		pids := leftovers(data)
		for _, pid := range pids {
			_ = syscall.Kill(pid, signal) // it may be ending by itself
		}
		if len(pids) == 0 {
			return nil
		}
		ok, err := l.poll(ctx, killPatience, none)
		if ok || err != nil {
			return err
		}
	}
	return refuse(nil, "processes of an earlier PostgreSQL (pid %v) have %s open and do not end: stop them first", leftovers(data), l.Dir)
}

// retire makes sure that the number in a left postmaster.pid does not pass for a running server. A killed server stays a zombie until its
// new parent fetches it, which is waited for; one that nobody fetches, and a number that was given to another process, are disowned.
func (l *launch) retire(ctx context.Context, pid int) error {
	if _, err := l.poll(ctx, killPatience, func() bool { return !isZombie(pid) }); err != nil {
		return err
	}
	if pid != 0 && !alive(pid) {
		return nil
	}
	if err := disown(l.dataDir()); err != nil {
		return l.refusePath(err, "write", pidFileName(l.dataDir()))
	}
	return nil
}

// poll looks again and again until ok holds or patience is over.
func (l *launch) poll(ctx context.Context, patience time.Duration, ok func() bool) (bool, error) {
	over := time.NewTimer(patience)
	defer over.Stop()
	tick := time.NewTicker(processPoll)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			return false, refuse(ctx.Err(), "the start of PostgreSQL in %s was broken off: start again", l.Dir)
		case <-over.C:
			return ok(), nil
		case <-tick.C:
		}
	}
	return true, nil
}

// alive reports whether a process has this number, be it ours, another user's or a zombie.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
