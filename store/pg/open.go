// Package pg runs the embedded PostgreSQL: it finds the binaries, makes the cluster, starts the server as a child, stops it again and
// settles which process owns it.
//
// A data directory DIR holds
//
//	lock             flock of the process that owns PostgreSQL; its text names that process
//	guests           shared flock of every command that joined; a command that owns PostgreSQL waits for them before it stops it
//	data/            the PostgreSQL cluster (data.new.PID while initdb works)
//	run/             mode 0700: the socket and owner.json
//	log/postgres.log the server's own log, rotated by size at start
//
// There is no TCP port and no password. Authentication is "trust" on a socket in a folder of mode 0700: whoever can walk into DIR/run is
// the user PostgreSQL runs as, or root, and could read the data files anyway. Access to DIR is therefore administrator access. The
// superuser is used by the launcher alone, to create the roles; everything else signs in as demarc_owner or demarc_login.
//
// PostgreSQL refuses to run as root. Started as root it runs as the owner of an existing DIR/data, else as user postgres, else as nobody.
package pg

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const (
	// lockPoll is how often a held lock is looked at again.
	lockPoll = 50 * time.Millisecond
	// joinPatience is how long a command waits for a holder that has the lock but no answering PostgreSQL yet.
	joinPatience = 30 * time.Second
	// serveCommand is the one command that stays: it is never waited for and never joins another's PostgreSQL.
	serveCommand = "serve"
)

// Options says where the cluster lives and how to run it.
type Options struct {
	Dir      string              // data directory of Demarc; "" = DefaultDir()
	Command  string              // what the holder is, for messages: "serve", "import" …
	Schema   int64               // schema version this binary knows; written in owner.json
	Wait     time.Duration       // how long to wait for a lock held by a command (serve: 60 s); 0 = join at once (serve never joins)
	Getenv   func(string) string // nil = os.Getenv; PG_BINDIR, PATH and, without Dir, HOME and XDG_DATA_HOME are read
	Progress func(string)        // one sentence at a time ("waiting for demarc import (pid 812) to finish"); may be nil
	Tests    bool                // no fsync, more connections: for test clusters only, a power cut loses them
}

// DefaultDir is the folder demarc in the user's data home: XDG_DATA_HOME when it is absolute, else ~/.local/share, on macOS
// ~/Library/Application Support. As root it is /var/lib/demarc. It fails when HOME is needed and not set.
func DefaultDir(getenv func(string) string, euid int) (string, error) {
	return defaultDir(getenv, euid, runtime.GOOS)
}

func defaultDir(getenv func(string) string, euid int, goos string) (string, error) {
	if euid == 0 {
		return "/var/lib/demarc", nil
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "demarc"), nil
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", refuse(nil, "there is no home directory to keep the data in (HOME is not set): name a data directory with --data-dir")
	}
	if goos == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "demarc"), nil
	}
	return filepath.Join(home, ".local", "share", "demarc"), nil
}

// Open takes DIR/lock and starts PostgreSQL, or, when another process holds the lock, joins the running one through DIR/run/owner.json.
//
// ctx bounds the waiting and the start; PostgreSQL outlives it. Once ctx is done, Close no longer waits for joined commands.
// Every error is one sentence: what, where, what to do. A process that cannot be joined or outwaited gives *Held, one of another
// schema version *SchemaMismatch.
func Open(ctx context.Context, o Options) (*Cluster, error) {
	l, err := newLaunch(o, os.Geteuid())
	if err != nil {
		return nil, err
	}
	return l.open(ctx)
}

// launch is one Open under way.
type launch struct {
	Options
	euid   int
	root   *os.Root // DIR: nothing written through it can leave it by a link
	as     account
	untied bool // do not let the kernel stop PostgreSQL when we die, as on systems that cannot
}

func newLaunch(o Options, euid int) (*launch, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Dir == "" {
		dir, err := DefaultDir(o.Getenv, euid)
		if err != nil {
			return nil, err
		}
		o.Dir = dir
	}
	o.Command = cmp.Or(o.Command, "command")
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, refuse(err, "the current directory is gone, so %s leads nowhere: name the data directory with an absolute path", o.Dir)
	}
	o.Dir = dir
	if err := checkSocketPath(dir); err != nil {
		return nil, err
	}
	return &launch{Options: o, euid: euid}, nil
}

// checkSocketPath refuses a directory whose socket no client could name.
func checkSocketPath(dir string) error {
	most := len(syscall.RawSockaddrUnix{}.Path) - 1
	socket := filepath.Join(dir, "run", socketName)
	if len(socket) > most {
		return refuse(nil, "the data directory %s is too deep: its socket %s has %d bytes and the system allows %d, so choose a shorter path with --data-dir",
			dir, socket, len(socket), most)
	}
	if strings.ContainsAny(dir, ",\n\r") {
		return refuse(nil, "the data directory %q has a comma or a line break in its path, which a database address cannot hold: choose another path with --data-dir", dir)
	}
	return nil
}

func (l *launch) open(ctx context.Context) (*Cluster, error) {
	if err := l.enterDir(); err != nil {
		return nil, err
	}
	c := &Cluster{
		dir: l.Dir, command: l.Command, root: l.root, say: l.Progress, getenv: l.Getenv,
		cancelled: ctx.Done(), exited: make(chan struct{}),
	}
	err := l.settle(ctx, c)
	if err != nil {
		l.root.Close()
		return nil, err
	}
	return c, nil
}

// settle makes c a guest of the running PostgreSQL or the owner of a new one.
func (l *launch) settle(ctx context.Context, c *Cluster) error {
	held, guest, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	if guest != nil {
		c.guest = guest
		return nil
	}
	if err := l.own(ctx, c); err != nil {
		held.release()
		return err
	}
	c.held = held
	return nil
}

// own starts PostgreSQL for the process that has the lock.
func (l *launch) own(ctx context.Context, c *Cluster) error {
	as, err := runAs(l.euid, l.dataDir())
	if err != nil {
		return err
	}
	l.as = as
	if err := l.prepareRun(); err != nil {
		return err
	}
	found, err := l.binaries(ctx)
	if err != nil {
		return err
	}
	if found.data == 0 {
		if err := l.initdb(ctx, found); err != nil {
			return err
		}
	}
	srv, err := l.launchServer(ctx, found)
	if err != nil {
		return err
	}
	if err := l.finish(ctx, srv); err != nil {
		_ = srv.stop() // why the start failed is what counts
		return err
	}
	c.srv, c.bin = srv, found.dir
	go c.watch()
	return nil
}

// finish makes a started server ready for others: roles, database, owner.json.
func (l *launch) finish(ctx context.Context, srv *server) error {
	if err := l.ensureDatabase(ctx); err != nil {
		return l.whyFailed(err, "the roles of Demarc could not be created in the PostgreSQL of %s", l.Dir)
	}
	return l.writeOwner(srv.started)
}

func (l *launch) dataDir() string { return filepath.Join(l.Dir, "data") }
func (l *launch) runDir() string  { return filepath.Join(l.Dir, "run") }
