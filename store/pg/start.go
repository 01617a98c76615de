package pg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const (
	readyPoll      = 5 * time.Millisecond
	connectTimeout = 10 * time.Second
	// recoveryNews is after how long a start is said to be recovering.
	recoveryNews = 3 * time.Second
	// stopPatience covers the checkpoint of a fast shutdown on a slow disk.
	stopPatience = time.Minute
	killPatience = 10 * time.Second
)

// errStillThere means that PostgreSQL met server processes of an earlier run; they end by themselves.
var errStillThere = errors.New("processes of an earlier run are still there")

// server is a postgres child of ours.
type server struct {
	cmd     *exec.Cmd
	log     serverLog
	started time.Time     // as postmaster.pid says it
	done    chan struct{} // closed when it has ended
	waitErr error         // how it ended; read after done
}

// launchServer clears away what an earlier run left, starts postgres and waits until it answers.
func (l *launch) launchServer(ctx context.Context, bin programs) (*server, error) {
	if err := l.clearEarlier(ctx); err != nil {
		return nil, err
	}
	patience := time.NewTimer(killPatience)
	defer patience.Stop()
	for {
		srv, err := l.startServer(bin)
		if err != nil {
			return nil, err
		}
		if err = l.awaitReady(ctx, srv); err == nil {
			return srv, nil
		}
		_ = srv.stop() // why the start failed is what counts
		if !errors.Is(err, errStillThere) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-patience.C:
			return nil, err
		case <-time.After(killPatience / 20):
		}
	}
}

// startServer starts postgres as a direct child: in its own process group, so that Ctrl-C in the terminal reaches us alone, and tied to our
// life where the system can do that.
func (l *launch) startServer(bin programs) (*server, error) {
	out, log, err := openLog(l.root)
	if err != nil {
		return nil, l.refusePath(err, "write", filepath.Join(l.Dir, logName))
	}
	defer out.Close()
	cmd := exec.Command(bin.path("postgres"), l.serverArgs()...) //nolint:noctx // PostgreSQL outlives the context of its start; Close stops it
	cmd.Dir = l.dataDir()
	cmd.Env = childEnv(l.Getenv)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = tied(syscall.SIGINT)
	if l.untied {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Credential = l.as.credential()

	srv := &server{cmd: cmd, log: log, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the tie follows the thread that started the child, so the thread must outlive it
		err := cmd.Start()
		started <- err
		if err == nil {
			srv.waitErr = cmd.Wait()
			close(srv.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, refuseSwitch(err, l.as)
	}
	return srv, nil
}

// serverArgs are the settings the launcher depends on; on the command line they win over postgresql.conf.
func (l *launch) serverArgs() []string {
	settings := []string{
		"listen_addresses=", "unix_socket_permissions=0700", "logging_collector=off", "log_destination=stderr",
		"cluster_name=" + clusterName(l.dataDir()), "lc_messages=C", "log_timezone=UTC", "timezone=UTC",
	}
	if l.Tests {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")
	}
	args := []string{"-D", l.dataDir(), "-k", l.runDir(), "-p", socketPort}
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	return args
}

// clusterName tells the processes of this data directory from others in a process list.
func clusterName(data string) string {
	if resolved, err := filepath.EvalSymlinks(data); err == nil {
		data = resolved
	}
	sum := sha256.Sum256([]byte(data))
	return "demarc-" + hex.EncodeToString(sum[:6])
}

// awaitReady waits until srv takes connections. Recovery after an unclean stop takes the time it takes; only ctx ends the wait.
func (l *launch) awaitReady(ctx context.Context, srv *server) error {
	tick := time.NewTicker(readyPoll)
	defer tick.Stop()
	news := time.NewTimer(recoveryNews)
	defer news.Stop()
	for {
		select {
		case <-srv.done:
			return srv.log.explainStart(l.Dir, srv.waitErr)
		case <-ctx.Done():
			return refuse(ctx.Err(), "the start of PostgreSQL in %s was broken off: start again", l.Dir)
		case <-news.C:
			l.Progress("PostgreSQL in " + l.Dir + " is recovering from an unclean stop")
		case <-tick.C:
			file, err := readPidFile(l.dataDir())
			if err == nil && file.pid == srv.cmd.Process.Pid && file.status == "ready" {
				srv.started = file.started
				return nil
			}
		}
	}
}

// stop ends the server by a fast shutdown: sessions are cut, their transactions rolled back, and a checkpoint is written. When that hangs,
// harder signals follow; a commit is lost by none of them. It returns how the server ended, nil when it was down before.
func (s *server) stop() error {
	select {
	case <-s.done:
		return nil
	default:
	}
	for _, step := range shutdown {
		_ = s.cmd.Process.Signal(step.signal) // fails only when it is down
		if waitFor(s.done, step.patience) {
			break
		}
	}
	<-s.done
	return s.waitErr
}

// shutdown are the signals that end a postgres, from polite to final: fast shutdown, immediate shutdown, kill.
var shutdown = [...]struct {
	signal   syscall.Signal
	patience time.Duration
}{{syscall.SIGINT, stopPatience}, {syscall.SIGQUIT, killPatience}, {syscall.SIGKILL, killPatience}}

func waitFor(done <-chan struct{}, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
