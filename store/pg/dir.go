package pg

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// enterDir makes DIR when it is missing and opens it.
func (l *launch) enterDir() error {
	info, err := os.Stat(l.Dir)
	switch {
	case err == nil && !info.IsDir():
		return refuse(syscall.ENOTDIR, "%s is a file, and the data directory must be a folder: choose another with --data-dir", l.Dir)
	case errors.Is(err, fs.ErrNotExist):
		if err := l.makeDir(); err != nil {
			return l.refusePath(err, "create", l.Dir)
		}
	case err != nil:
		return l.refusePath(err, "look into", l.Dir)
	}
	root, err := os.OpenRoot(l.Dir)
	if err != nil {
		return l.refusePath(err, "open", l.Dir)
	}
	l.root = root
	return nil
}

// makeDir makes DIR: for its user alone, or as root so that the user PostgreSQL runs as can walk through it.
func (l *launch) makeDir() error {
	if err := os.MkdirAll(filepath.Dir(l.Dir), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o700)
	if l.euid == 0 {
		mode = 0o711
	}
	if err := os.Mkdir(l.Dir, mode); err != nil {
		if errors.Is(err, fs.ErrExist) { // another process was faster
			return nil
		}
		return err
	}
	return os.Chmod(l.Dir, mode) // the umask of root may have taken the walking away
}

// prepareRun makes DIR/run and checks that PostgreSQL's user gets there.
func (l *launch) prepareRun() error {
	if err := l.ownFolder("run"); err != nil {
		return err
	}
	if l.as.switched {
		return l.checkReach()
	}
	return nil
}

// ownFolder makes a folder of mode 0700 in DIR that belongs to the user PostgreSQL runs as, or puts an existing one right.
func (l *launch) ownFolder(name string) error {
	path := filepath.Join(l.Dir, name)
	if err := l.root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return l.refusePath(err, "create", path)
	}
	info, err := l.root.Lstat(name)
	if err != nil {
		return l.refusePath(err, "look into", path)
	}
	if !info.IsDir() {
		return refuse(nil, "%s is no folder, and Demarc keeps files there: move it away", path)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); l.as.switched && ok && (st.Uid != l.as.uid || st.Gid != l.as.gid) {
		if err := l.root.Lchown(name, int(l.as.uid), int(l.as.gid)); err != nil {
			return l.refusePath(err, "hand over", path)
		}
	}
	if info.Mode().Perm() == 0o700 {
		return nil
	}
	if err := l.root.Chmod(name, 0o700); err != nil {
		return l.refusePath(err, "protect", path)
	}
	return nil
}

// checkReach refuses a directory that the user PostgreSQL runs as cannot walk to. The mode bits find the folder to name; because access
// lists may allow what the bits do not, a real attempt has the last word.
func (l *launch) checkReach() error {
	folder, info := unwalkable(l.runDir(), l.as)
	if folder == "" {
		return nil
	}
	attempt := exec.CommandContext(context.Background(), "/bin/true")
	attempt.Dir = l.runDir()
	attempt.Env = []string{}
	attempt.SysProcAttr = &syscall.SysProcAttr{Credential: l.as.credential()}
	if attempt.Run() == nil {
		return nil
	}
	return refuse(fs.ErrPermission, "PostgreSQL runs as user %s, who cannot walk to %s because %s: allow it with chmod o+x %s, or choose another data directory with --data-dir",
		l.as.name, l.Dir, describe(folder, info), folder)
}

// unwalkable is the topmost folder on the way to path, links resolved, that a may not walk through by its mode bits; "" when there is none.
func unwalkable(path string, a account) (string, fs.FileInfo) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	parts := strings.Split(path, string(filepath.Separator))
	for i := range parts {
		p := string(filepath.Separator) + filepath.Join(parts[:i+1]...)
		info, err := os.Stat(p)
		if err != nil {
			return "", nil
		}
		if !mayWalk(info, a) {
			return p, info
		}
	}
	return "", nil
}

func mayWalk(info fs.FileInfo, a account) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	mode := info.Mode().Perm()
	switch {
	case st.Uid == a.uid:
		return mode&0o100 != 0
	case st.Gid == a.gid:
		return mode&0o010 != 0
	}
	return mode&0o001 != 0
}

// openFile opens a file in DIR for our own use. A new one gets mode 0600 and, made by root in another user's directory, that user as its
// owner, who could otherwise not use his directory any more.
func openFile(root *os.Root, name string, flags int) (*os.File, error) {
	f, err := root.OpenFile(name, flags|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return root.OpenFile(name, flags, 0)
	}
	if err != nil || os.Geteuid() != 0 {
		return f, err
	}
	info, err := root.Stat(".")
	if err != nil {
		f.Close()
		return nil, err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 {
		if err := f.Chown(int(st.Uid), int(st.Gid)); err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}
