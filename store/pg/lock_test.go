package pg

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestGuestWorksBesideTheOwner(t *testing.T) {
	t.Parallel()
	dir := made(t)
	owner := opened(t, Options{Dir: dir, Command: serveCommand})
	guest := opened(t, Options{Dir: dir, Command: "export"})
	if guest.Owned() {
		t.Fatal("the second Open owns the cluster")
	}
	do(t, guest.OwnerDSN(), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1)")
	if err := guest.Close(); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, owner.OwnerDSN(), "SELECT count(*) FROM kept"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "postmaster.pid")); err == nil {
		t.Error("PostgreSQL still runs")
	}
}

// A command that ends first must not stop PostgreSQL under the command that joined it.
func TestCommandWaitsForItsGuest(t *testing.T) {
	t.Parallel()
	dir := made(t)
	waiting := make(chan string, 1)
	owner := opened(t, Options{Dir: dir, Progress: func(s string) { waiting <- s }})
	guest := opened(t, Options{Dir: dir, Command: "export"})
	do(t, guest.OwnerDSN(), "CREATE TABLE kept (n int)")
	closed := make(chan error, 1)
	go func() { closed <- owner.Close() }()
	if s := <-waiting; !strings.Contains(s, "another demarc command") {
		t.Errorf("Progress said %q", s)
	}
	do(t, guest.OwnerDSN(), "INSERT INTO kept VALUES (1)")
	select {
	case err := <-closed:
		t.Fatalf("Close returned (%v) though a guest works", err)
	default:
	}
	if err := guest.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
}

func TestServeDoesNotWaitForGuests(t *testing.T) {
	t.Parallel()
	dir := made(t)
	owner := opened(t, Options{Dir: dir, Command: serveCommand})
	opened(t, Options{Dir: dir, Command: "export"})
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	next := opened(t, Options{Dir: dir, Command: serveCommand})
	if !next.Owned() {
		t.Error("the next serve does not own the cluster")
	}
}

func TestOtherSchemaVersionIsRefused(t *testing.T) {
	t.Parallel()
	dir := made(t)
	opened(t, Options{Dir: dir, Command: serveCommand, Schema: 7})
	err := refused(t, Options{Dir: dir, Command: "import", Schema: 9}, "demarc serve (pid ", dir, "version 7", "version 9", "same version of demarc")
	var mismatch *SchemaMismatch
	if !errors.As(err, &mismatch) {
		t.Fatalf("error is %T, want *SchemaMismatch", err)
	}
	want := &SchemaMismatch{Have: 7, Want: 9, PID: os.Getpid(), Command: serveCommand, Dir: dir}
	if diff := cmp.Diff(want, mismatch); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}

func TestServeRefusesASecondServe(t *testing.T) {
	t.Parallel()
	dir := made(t)
	opened(t, Options{Dir: dir, Command: serveCommand})
	for _, wait := range []time.Duration{0, time.Hour} {
		err := refused(t, Options{Dir: dir, Command: serveCommand, Wait: wait}, "demarc serve (pid ", dir, "stop it first")
		var held *Held
		if !errors.As(err, &held) {
			t.Fatalf("error is %T, want *Held", err)
		}
		want := &Held{PID: os.Getpid(), Command: serveCommand, Dir: dir}
		if diff := cmp.Diff(want, held, cmpopts.IgnoreUnexported(Held{})); diff != "" {
			t.Errorf("held (-want +got):\n%s", diff)
		}
	}
}

func TestServeWaitsForACommand(t *testing.T) {
	t.Parallel()
	dir := made(t)
	command := opened(t, Options{Dir: dir, Command: "import"})
	var news []string
	serve := opened(t, Options{Dir: dir, Command: serveCommand, Wait: time.Minute, Progress: func(s string) {
		news = append(news, s)
		go command.Close()
	}})
	if !serve.Owned() {
		t.Error("serve joined a command")
	}
	if len(news) != 1 || !strings.HasPrefix(news[0], "waiting for demarc import (pid ") || !strings.HasSuffix(news[0], ") to finish") {
		t.Errorf("Progress said %q", news)
	}
}

func TestServeGivesUpWaiting(t *testing.T) {
	t.Parallel()
	dir := made(t)
	opened(t, Options{Dir: dir, Command: "import"})
	refused(t, Options{Dir: dir, Command: serveCommand, Wait: 200 * time.Millisecond}, "demarc import (pid ", dir, "within 200ms", "start again")
	refused(t, Options{Dir: dir, Command: serveCommand}, "demarc import (pid ", dir, "start again")
}

// holding takes the lock as a process does that has not started PostgreSQL yet.
func holding(t *testing.T, dir, command string) *lock {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	held, err := lockFile(root, lockName, exclusive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(held.release)
	if err := held.sign(holder{PID: 812, Command: command}); err != nil {
		t.Fatal(err)
	}
	return held
}

func TestStartingHolderIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir := made(t)
	held := holding(t, dir, "import")
	var news []string
	c := opened(t, Options{Dir: dir, Command: "export", Progress: func(s string) {
		news = append(news, s)
		held.release() // it ends before it has started PostgreSQL
	}})
	if !c.Owned() {
		t.Error("the lock was free and was not taken")
	}
	if diff := cmp.Diff([]string{"waiting for demarc import (pid 812) to start PostgreSQL"}, news); diff != "" {
		t.Errorf("Progress (-want +got):\n%s", diff)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	dir := made(t)
	holding(t, dir, "import")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Open(ctx, withDefaults(Options{Dir: dir, Progress: func(string) { cancel() }}))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Open = %v, want context.Canceled", err)
	}
	wantSentence(t, err, "given up waiting for demarc import (pid 812)", dir)
}

// A killed owner leaves its owner.json; the next holder has not removed it yet when we look.
func TestOwnerFileOfAKilledOwnerIsNotBelieved(t *testing.T) {
	t.Parallel()
	dir := made(t)
	left := `{"pid":4711,"command":"serve","socket":"/elsewhere","schema":99}`
	if err := os.WriteFile(filepath.Join(dir, ownerFile), []byte(left), 0o600); err != nil {
		t.Fatal(err)
	}
	held := holding(t, dir, "import")
	c := opened(t, Options{Dir: dir, Progress: func(string) { held.release() }})
	if got := ownerIn(t, dir); !c.Owned() || got.PID != os.Getpid() {
		t.Errorf("Owned = %v, owner.json = %+v", c.Owned(), got)
	}
}

func TestUnansweredJoinIsExplained(t *testing.T) {
	t.Parallel()
	l, err := newLaunch(Options{Dir: "/srv/demarc", Command: "export"}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	m := meeting{launch: l, who: holder{PID: 812, Command: "import"}}
	wantSentence(t, m.outwaited(), "demarc import (pid 812)", "/srv/demarc", "did not answer within 30s", logName)
}
