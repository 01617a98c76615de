package pg

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOpenMakesAClusterAndKeepsIt(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(diskFolder(t), "new", "d")
	var news []string
	first := opened(t, Options{Dir: dir, Progress: func(s string) { news = append(news, s) }})
	if !first.Owned() || first.Dir() != dir {
		t.Errorf("Owned = %v, Dir = %q, want true and %q", first.Owned(), first.Dir(), dir)
	}
	if diff := cmp.Diff([]string{"creating the database in " + dir + " (once)"}, news); diff != "" {
		t.Errorf("Progress (-want +got):\n%s", diff)
	}
	do(t, first.OwnerDSN(), "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1), (2)")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	for _, gone := range []string{ownerFile, "run/" + socketName, "data/postmaster.pid"} {
		if exists(filepath.Join(dir, gone)) {
			t.Errorf("%s is still there after Close", gone)
		}
	}
	second := opened(t, Options{Dir: dir})
	if n := ask[int](t, second.OwnerDSN(), "SELECT count(*) FROM kept"); n != 2 {
		t.Errorf("%d rows after a restart, want 2", n)
	}
}

func TestOpenSettings(t *testing.T) {
	t.Parallel()
	c := opened(t, Options{Dir: made(t)})
	got := map[string]string{}
	for _, name := range []string{"listen_addresses", "server_encoding", "timezone", "jit", "data_checksums", "log_error_verbosity"} {
		got[name] = ask[string](t, c.SuperDSN(Database), "SELECT current_setting($1)", name)
	}
	got["collation"] = ask[string](t, c.SuperDSN(Database), "SELECT datcollate FROM pg_database WHERE datname = current_database()")
	want := map[string]string{
		"listen_addresses": "", "server_encoding": "UTF8", "timezone": "UTC", "jit": "off", "data_checksums": "on",
		"log_error_verbosity": "terse", "collation": "C.UTF-8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestOwnerFileSaysWhoOwns(t *testing.T) {
	t.Parallel()
	dir := made(t)
	c := opened(t, Options{Dir: dir, Command: "import", Schema: 41})
	started := ask[time.Time](t, c.SuperDSN("postgres"), "SELECT pg_postmaster_start_time()")
	want := owner{PID: os.Getpid(), Command: "import", Socket: filepath.Join(dir, "run"), Schema: 41, Started: started}
	if diff := cmp.Diff(want, ownerIn(t, dir), cmpopts.EquateApproxTime(2*time.Second)); diff != "" {
		t.Errorf("owner.json (-want +got):\n%s", diff)
	}
	for _, name := range []string{"run", "data"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %04o, want 0700", name, info.Mode().Perm())
		}
	}
}

func TestOpenPutsTheRunFolderRight(t *testing.T) {
	t.Parallel()
	dir := made(t)
	if err := os.Chmod(filepath.Join(dir, "run"), 0o777); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
	info, err := os.Stat(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("run has mode %04o, want 0700", info.Mode().Perm())
	}
}

func TestAddressesSurviveOddPathsAndVariables(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), `it's a "\ path`)
	if err := os.Rename(made(t), dir); err != nil {
		t.Fatal(err)
	}
	c := opened(t, Options{Dir: dir})
	if got := ask[string](t, c.LoginDSN(), "SELECT current_user::text || ' in ' || current_database()"); got != "demarc_login in demarc" {
		t.Errorf("LoginDSN reaches %q", got)
	}
	do(t, c.SuperDSN("postgres"), `CREATE DATABASE "odd 'name"`)
	if got := ask[string](t, c.SuperDSN("odd 'name"), "SELECT current_database()"); got != "odd 'name" {
		t.Errorf("SuperDSN reaches %q", got)
	}
	if !strings.Contains(c.OwnerDSN(), "port=5432") {
		t.Errorf("OwnerDSN %q leaves the port to PGPORT", c.OwnerDSN())
	}
}

func TestBinFindsProgramsOfTheCluster(t *testing.T) {
	t.Parallel()
	dir := made(t)
	c := opened(t, Options{Dir: dir})
	guest := opened(t, Options{Dir: dir})
	if guest.Owned() {
		t.Fatal("the second Open owns the cluster too")
	}
	for who, c := range map[string]*Cluster{"owner": c, "guest": guest} {
		if path := c.Bin("initdb"); filepath.Base(path) != "initdb" || !executable(path) {
			t.Errorf("%s: Bin(initdb) = %q", who, path)
		}
		for _, name := range []string{"", "no_such_program", "../bin/initdb", "/bin/sh"} {
			if path := c.Bin(name); path != "" {
				t.Errorf("%s: Bin(%q) = %q, want none", who, name, path)
			}
		}
	}
}

func TestExitedWhenPostgresIsKilled(t *testing.T) {
	t.Parallel()
	dir := made(t)
	c := opened(t, Options{Dir: dir})
	if err := c.ExitErr(); err != nil {
		t.Errorf("ExitErr of a running cluster = %v", err)
	}
	if err := c.srv.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-c.Exited()
	wantSentence(t, c.ExitErr(), dir, "signal: killed", "start demarc again")
	if err := c.Close(); err != nil {
		t.Errorf("Close after the end: %v", err)
	}
	again := opened(t, Options{Dir: dir})
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-again.Exited():
		t.Error("Exited is closed by Close")
	default:
	}
}

func TestOpenReplacesWhatAKilledInitdbLeft(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	left := filepath.Join(dir, freshPrefix+"4711", "base", "1")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "PG_VERSION"), []byte("15\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
	if left := fresh(dir); len(left) > 0 {
		t.Errorf("%v are still there", left)
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Open(ctx, withDefaults(Options{Dir: dir, Progress: func(string) { cancel() }}))
	if err == nil {
		t.Fatal("Open succeeded though its context was done")
	}
	wantSentence(t, err, dir, "broken off", "start again")
	if left := fresh(dir); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	opened(t, Options{Dir: dir})
}

func TestLogIsSetAsideWhenLarge(t *testing.T) {
	t.Parallel()
	dir := made(t)
	log := filepath.Join(dir, logName)
	if err := os.Truncate(log, logMost+1); err != nil {
		t.Fatal(err)
	}
	c := opened(t, Options{Dir: dir})
	info, err := os.Stat(filepath.Join(dir, logOldName))
	if err != nil || info.Size() != logMost+1 {
		t.Errorf("the old log: %v, %v", info, err)
	}
	if text := readFile(t, log); !strings.Contains(text, "ready to accept connections") || len(text) > 64<<10 {
		t.Errorf("the new log has %d bytes and begins %.200q", len(text), text)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	opened(t, Options{Dir: dir})
	if again, err := os.Stat(filepath.Join(dir, logOldName)); err != nil || !again.ModTime().Equal(info.ModTime()) {
		t.Errorf("a small log was set aside: %v", err)
	}
}

func TestDefaultDir(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		env  map[string]string
		euid int
		goos string
		want string
	}{
		{"root", map[string]string{"HOME": "/root", "XDG_DATA_HOME": "/x"}, 0, "linux", "/var/lib/demarc"},
		{"home", map[string]string{"HOME": "/home/ada"}, 1000, "linux", "/home/ada/.local/share/demarc"},
		{"data home", map[string]string{"HOME": "/home/ada", "XDG_DATA_HOME": "/data"}, 1000, "linux", "/data/demarc"},
		{"relative data home", map[string]string{"HOME": "/home/ada", "XDG_DATA_HOME": "data"}, 1000, "linux", "/home/ada/.local/share/demarc"},
		{"macOS", map[string]string{"HOME": "/Users/ada"}, 501, "darwin", "/Users/ada/Library/Application Support/demarc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := defaultDir(func(k string) string { return tt.env[k] }, tt.euid, tt.goos)
			if err != nil || got != tt.want {
				t.Errorf("defaultDir = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
	_, err := DefaultDir(func(string) string { return "" }, 1000)
	if err == nil {
		t.Fatal("DefaultDir found a home where there is none")
	}
	wantSentence(t, err, "HOME", "--data-dir")
}

func TestCloseAfterCancelStopsAtOnce(t *testing.T) {
	t.Parallel()
	dir := made(t)
	ctx, cancel := context.WithCancel(t.Context())
	owner, err := Open(ctx, withDefaults(Options{Dir: dir}))
	if err != nil {
		t.Fatal(err)
	}
	guest := opened(t, Options{Dir: dir})
	cancel()
	if err := owner.Close(); err != nil {
		t.Error(err)
	}
	if err := guest.Close(); err != nil {
		t.Error(err)
	}
	if exists(filepath.Join(dir, "data", "postmaster.pid")) {
		t.Error("PostgreSQL still runs")
	}
}
