package pg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	lockName   = "lock"
	guestsName = "guests"

	exclusive = syscall.LOCK_EX
	shared    = syscall.LOCK_SH
)

// Held is the refusal because another process of Demarc has the data directory.
type Held struct {
	PID     int    // of the holder; 0 when it has not said yet
	Command string // of the holder: "serve", "import" …; "" when it has not said yet
	Dir     string
	advice  string // the rest of the sentence: how long was waited, what to do
}

func (h *Held) Error() string {
	return fmt.Sprintf("%s holds %s%s", holderName(h.Command, h.PID), h.Dir, h.advice)
}

// holder is the text of DIR/lock.
type holder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

func (h holder) String() string { return holderName(h.Command, h.PID) }

func holderName(command string, pid int) string {
	if pid == 0 {
		return "another demarc"
	}
	return fmt.Sprintf("demarc %s (pid %d)", command, pid)
}

// lock is a flock that lasts until release or the end of the process. Children do not inherit it.
type lock struct{ f *os.File }

// errNotYet means that the holder is starting, stopping or still at work.
var errNotYet = errors.New("the holder of the lock is not ready")

func isHeld(err error) bool { return errors.Is(err, syscall.EWOULDBLOCK) }

// lockFile locks a file in DIR, making it when missing. A lock that another has gives an error for which isHeld is true.
func lockFile(root *os.Root, name string, how int) (*lock, error) {
	f, err := openFile(root, name, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, refuse(err, "%s is no ordinary file, and Demarc keeps a lock there: move it away", filepath.Join(root.Name(), name))
	}
	for {
		err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &lock{f: f}, nil
}

func (k *lock) release() { k.f.Close() }

// clear removes the holder's name, so that nobody reads it as the next holder's.
func (k *lock) clear() { _ = k.f.Truncate(0) }

// sign writes who we are into the lock.
func (k *lock) sign(h holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := k.f.Truncate(0); err != nil {
		return err
	}
	_, err = k.f.WriteAt(append(text, '\n'), 0)
	return err
}

// readHolder is who has the lock; zero when that process has not signed yet.
func readHolder(root *os.Root) holder {
	var h holder
	if err := readJSON(root, lockName, &h); err != nil {
		return holder{}
	}
	return h
}

// readJSON reads a small file of ours in DIR.
func readJSON(root *os.Root, name string, into any) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// acquire takes the lock, or joins its holder: one of the two locks it returns is set. It waits as Options.Wait and joinPatience say.
func (l *launch) acquire(ctx context.Context) (held, guest *lock, err error) {
	patience := time.NewTimer(l.patience())
	defer patience.Stop()
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	m := meeting{launch: l}
	for {
		held, err := lockFile(l.root, lockName, exclusive)
		if err == nil {
			return held, nil, l.sign(held)
		}
		if !isHeld(err) {
			return nil, nil, l.refusePath(err, "lock", filepath.Join(l.Dir, lockName))
		}
		guest, err := m.meet(ctx, readHolder(l.root))
		if !errors.Is(err, errNotYet) {
			return nil, guest, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, refuse(ctx.Err(), "given up waiting for %s, which holds %s", m.who, l.Dir)
		case <-patience.C:
			return nil, nil, m.outwaited()
		case <-tick.C:
		}
	}
}

// sign makes the fresh lock ours in the eyes of others: what a killed holder left goes first, then our name stands there.
func (l *launch) sign(held *lock) error {
	if err := removeOwner(l.root); err != nil {
		held.release()
		return l.refusePath(err, "remove", filepath.Join(l.Dir, ownerFile))
	}
	if err := held.sign(holder{PID: os.Getpid(), Command: l.Command}); err != nil {
		held.release()
		return l.refusePath(err, "write", filepath.Join(l.Dir, lockName))
	}
	return nil
}

// alone reports whether the caller wants PostgreSQL for itself and does not join.
func (l *launch) alone() bool { return l.Command == serveCommand || l.Wait > 0 }

func (l *launch) patience() time.Duration {
	if l.alone() {
		return l.Wait
	}
	return joinPatience
}

// meeting is what one waiting process has learnt about the holder so far.
type meeting struct {
	*launch
	who      holder
	told     holder          // whom Progress was told about
	serving  holder          // a serve seen at the last look
	mismatch *SchemaMismatch // seen at the last look
	unjoined error           // why the last attempt to join failed
}

// meet looks at the holder once. It returns the guest lock when we have joined, errNotYet when the caller shall look again, and any other
// error when waiting is of no use.
func (m *meeting) meet(ctx context.Context, h holder) (*lock, error) {
	m.who = h
	if m.alone() {
		if h.Command == serveCommand {
			return nil, m.refuseServe(h)
		}
		m.tell("waiting for %s to finish")
		return nil, errNotYet
	}
	own, err := readOwner(m.root)
	if err != nil || own.PID != h.PID {
		m.tell("waiting for %s to start PostgreSQL")
		m.unjoined = err
		return nil, errNotYet
	}
	if own.Schema != m.Schema {
		return nil, m.refuseSchema(own)
	}
	return m.join(ctx)
}

// refuseServe believes a second serve only when it is seen twice: the first look may have met the name of a holder that was killed and
// replaced at that moment.
func (m *meeting) refuseServe(h holder) error {
	if m.serving != h {
		m.serving = h
		return errNotYet
	}
	return &Held{PID: h.PID, Command: h.Command, Dir: m.Dir, advice: ": stop it first, or choose another data directory with --data-dir"}
}

// refuseSchema believes another schema version only when it is seen twice, for the same reason.
func (m *meeting) refuseSchema(own owner) error {
	found := &SchemaMismatch{Have: own.Schema, Want: m.Schema, PID: own.PID, Command: own.Command, Dir: m.Dir}
	if m.mismatch != nil && *m.mismatch == *found {
		return found
	}
	m.mismatch = found
	return errNotYet
}

// join takes a guest's share and tries the running PostgreSQL.
func (m *meeting) join(ctx context.Context) (*lock, error) {
	guest, err := lockFile(m.root, guestsName, shared)
	if isHeld(err) { // the owner is about to stop PostgreSQL
		m.tell("waiting for %s to finish")
		return nil, errNotYet
	}
	if err != nil {
		return nil, m.refusePath(err, "lock", filepath.Join(m.Dir, guestsName))
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn(m.Dir, LoginRole, Database))
	if err != nil {
		m.unjoined = err
		guest.release()
		return nil, errNotYet
	}
	if err := conn.Close(ctx); err != nil {
		guest.release()
		return nil, refuse(err, "given up joining the PostgreSQL of %s, which holds %s", m.who, m.Dir)
	}
	return guest, nil
}

func (m *meeting) tell(format string) {
	if m.who.PID != 0 && m.told != m.who {
		m.told = m.who
		m.Progress(fmt.Sprintf(format, m.who))
	}
}

func (m *meeting) outwaited() error {
	h := &Held{PID: m.who.PID, Command: m.who.Command, Dir: m.Dir}
	switch {
	case !m.alone():
		h.advice = fmt.Sprintf(", but its PostgreSQL did not answer within %s: look at %s, or stop it", joinPatience, filepath.Join(m.Dir, logName))
	case m.who.Command == serveCommand:
		h.advice = ": stop it first, or choose another data directory with --data-dir"
	case m.Wait > 0:
		h.advice = fmt.Sprintf(" and has not finished within %s: wait for it or stop it, then start again", m.Wait)
	default:
		h.advice = ": wait for it or stop it, then start again"
	}
	return h
}
