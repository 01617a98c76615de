package pg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Database is the name of Demarc's database in the embedded cluster.
	Database = "demarc"
	// superuser is the embedded cluster's superuser. It is no name of a system user, so that a psql started by hand does not become it unasked.
	superuser = "demarc_super"
	// socketPort only names the socket; no port is opened.
	socketPort = "5432"
	socketName = ".s.PGSQL." + socketPort
)

// Cluster is a running PostgreSQL: our own, or one that another process of Demarc owns.
type Cluster struct {
	dir, command string
	root         *os.Root
	say          func(string)
	getenv       func(string) string
	cancelled    <-chan struct{} // closed when nobody wants to wait any more

	held  *lock   // owner: DIR/lock
	srv   *server // owner: the child
	guest *lock   // guest: share of DIR/guests

	binOnce sync.Once
	bin     string

	asked   atomic.Bool // Close has begun: the end of the server is no news
	exited  chan struct{}
	exitErr error // set before exited is closed

	closeOnce sync.Once
	closeErr  error
}

// Owned reports whether this process holds the lock and stops PostgreSQL on Close.
func (c *Cluster) Owned() bool { return c.srv != nil }

// Dir is the data directory of Demarc as an absolute path.
func (c *Cluster) Dir() string { return c.dir }

// OwnerDSN is the address of the database demarc for demarc_owner, who migrates. Like the other two it is a keyword/value string that
// both pgx and libpq (pg_dump --dbname=…) read.
func (c *Cluster) OwnerDSN() string { return dsn(c.dir, OwnerRole, Database) }

// LoginDSN is the address of the database demarc for demarc_login, the sign-in of the server.
func (c *Cluster) LoginDSN() string { return dsn(c.dir, LoginRole, Database) }

// SuperDSN is the address of database db for the superuser. Only test databases and doctor use it.
func (c *Cluster) SuperDSN(db string) string { return dsn(c.dir, superuser, db) }

// dsn names every setting that would otherwise be taken from PG… variables of the environment.
func dsn(dir, user, database string) string {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	return fmt.Sprintf("host='%s' port=%s user=%s dbname='%s' sslmode=disable target_session_attrs=any",
		quote.Replace(filepath.Join(dir, "run")), socketPort, user, quote.Replace(database))
}

// Bin is the path of a PostgreSQL program (pg_dump, psql, …) of this cluster's major version, "" when the machine has none.
func (c *Cluster) Bin(name string) string {
	if name == "" || name != filepath.Base(name) {
		return ""
	}
	c.binOnce.Do(func() {
		if c.bin == "" {
			c.bin = c.findBin()
		}
	})
	if c.bin == "" {
		return ""
	}
	path := filepath.Join(c.bin, name)
	if !executable(path) {
		return ""
	}
	return path
}

// findBin looks the folder up for a guest: the owner's word in owner.json is not taken for a program that we would run.
func (c *Cluster) findBin() string {
	l, err := newLaunch(Options{Dir: c.dir, Getenv: c.getenv}, os.Geteuid())
	if err != nil {
		return ""
	}
	if l.as, err = runAs(l.euid, l.dataDir()); err != nil {
		return ""
	}
	found, err := l.binaries(context.Background())
	if err != nil {
		return ""
	}
	return found.dir
}

// Exited is closed when the owned PostgreSQL ends without Close having been called; ExitErr then says why. For a joined cluster it stays
// open.
func (c *Cluster) Exited() <-chan struct{} { return c.exited }

// ExitErr explains in one sentence why the owned PostgreSQL ended unasked. It is nil until Exited is closed.
func (c *Cluster) ExitErr() error {
	select {
	case <-c.exited:
		return c.exitErr
	default:
		return nil
	}
}

// watch turns an unasked end of the server into Exited.
func (c *Cluster) watch() {
	<-c.srv.done
	if c.asked.Load() {
		return
	}
	c.exitErr = c.srv.log.explainEnd(c.dir, c.srv.waitErr)
	close(c.exited)
}

// Close gives the cluster back. The owner stops PostgreSQL (fast shutdown: open transactions are rolled back), removes owner.json and
// releases the lock. A command, as opposed to serve, first waits for commands that joined it, until the context given to Open is done.
// A joined cluster is only left. Further calls return the first one's result.
func (c *Cluster) Close() error {
	c.closeOnce.Do(func() { c.closeErr = c.close() })
	return c.closeErr
}

func (c *Cluster) close() error {
	defer c.root.Close()
	if c.guest != nil {
		c.guest.release()
		return nil
	}
	if c.command != serveCommand {
		if guests := c.outwaitGuests(); guests != nil {
			defer guests.release()
		}
	}
	c.asked.Store(true)
	_ = removeOwner(c.root) // a file that is left says who owned it; the lock says that nobody does
	err := c.srv.stop()
	c.held.clear()
	c.held.release()
	if err != nil {
		return c.srv.log.explainEnd(c.dir, err)
	}
	return nil
}

// outwaitGuests returns once no command is joined, with the lock that keeps new ones out until PostgreSQL is down. It gives up, with nil,
// when the caller's context is done or the server has ended anyway.
func (c *Cluster) outwaitGuests() *lock {
	tick := time.NewTicker(lockPoll)
	defer tick.Stop()
	for told := false; ; told = true {
		guests, err := lockFile(c.root, guestsName, exclusive)
		if err == nil {
			return guests
		}
		if !isHeld(err) {
			return nil
		}
		if !told {
			c.say("waiting for another demarc command that uses this PostgreSQL to finish")
		}
		select {
		case <-c.cancelled:
			return nil
		case <-c.srv.done:
			return nil
		case <-tick.C:
		}
	}
}
