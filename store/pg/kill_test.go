package pg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// stillKept checks that every row the killed process had committed is there, and that the roles work.
func stillKept(t *testing.T, dir string, last int) {
	t.Helper()
	c := opened(t, Options{Dir: dir})
	if !c.Owned() {
		t.Fatal("the cluster was joined, want it owned")
	}
	if n := ask[int](t, c.OwnerDSN(), "SELECT count(*) FROM kept WHERE n <= $1", last); n != last {
		t.Errorf("%d of %d committed rows are there", n, last)
	}
	if !ask[bool](t, c.LoginDSN(), "SELECT pg_has_role('demarc_app', 'MEMBER')") {
		t.Error("demarc_login may not enter demarc_app any more")
	}
	if got := ownerIn(t, dir); got.PID != os.Getpid() {
		t.Errorf("owner.json names pid %d", got.PID)
	}
}

func TestKilledHolder(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]string{"tied": untiedVar + "=", "untied": untiedVar + "=1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := made(t)
			p := start(t, "hold", dir, nil, env)
			postgres := p.number("postgres")
			last := p.number("committed")
			guest := opened(t, Options{Dir: dir, Command: "export"})
			if guest.Owned() || ownerIn(t, dir).PID != p.cmd.Process.Pid {
				t.Errorf("Owned = %v beside a holder", guest.Owned())
			}
			guest.Close()
			last = p.kill("committed", last)
			if name == "untied" && !worksOn(postgres, filepath.Join(dir, "data")) {
				t.Fatal("postgres ended with its holder though it was not tied: nothing is tested")
			}
			stillKept(t, dir, last)
			if worksOn(postgres, filepath.Join(dir, "data")) && !isZombie(postgres) {
				t.Errorf("the killed holder's postgres (pid %d) is still there", postgres)
			}
		})
	}
}

// Holder and postmaster are killed while a session computes and does not notice.
func TestKilledHolderAndPostmaster(t *testing.T) {
	t.Parallel()
	dir := made(t)
	p := start(t, "hold", dir, nil, untiedVar+"=1")
	postgres := p.number("postgres")
	last := p.number("committed")
	busy := connect(t, dsn(dir, LoginRole, Database))
	session := int(busy.PgConn().PID())
	go busy.Exec(context.Background(), "SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000000000) b")
	if err := syscall.Kill(postgres, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	last = p.kill("committed", last)
	stillKept(t, dir, last)
	if worksOn(session, filepath.Join(dir, "data")) {
		t.Errorf("the session (pid %d) is still there", session)
	}
}

func TestKilledWhileMakingTheCluster(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p := start(t, "hold", dir, nil)
	begun := filepath.Join(dir, freshPrefix+strconv.Itoa(p.cmd.Process.Pid), "PG_VERSION")
	for !exists(begun) && !exists(filepath.Join(dir, "data")) {
		time.Sleep(time.Millisecond)
	}
	p.kill("committed", 0)
	c := opened(t, Options{Dir: dir})
	if !c.Owned() {
		t.Error("the cluster was joined, want it owned")
	}
}

// leaveStale makes dir look as if its server had been killed and its number given to the process pid.
func leaveStale(t *testing.T, dir string, pid int) {
	t.Helper()
	c := opened(t, Options{Dir: dir})
	text := readFile(t, pidFileName(c.Dir()+"/data"))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(text, "\n")
	as := accountUnder(t, filepath.Join(dir, "data"))
	for _, name := range []string{"data/postmaster.pid", "run/" + socketName + ".lock"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strconv.Itoa(pid)+"\n"+rest), 0o600); err != nil {
			t.Fatal(err)
		}
		if !as.switched {
			continue
		}
		if err := os.Chown(path, int(as.uid), int(as.gid)); err != nil {
			t.Fatal(err)
		}
	}
}

// In a container the number of a killed server is soon another process's, even our own.
func TestStalePIDOfAnotherProcessOfTheUser(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]func(*testing.T, account) int{
		"any":       sleeper,
		"ourselves": func(*testing.T, account) int { return os.Getpid() },
		"another postgres": func(t *testing.T, _ account) int {
			t.Helper()
			return opened(t, Options{Dir: made(t)}).srv.cmd.Process.Pid
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := made(t)
			pid := other(t, accountUnder(t, filepath.Join(dir, "data")))
			leaveStale(t, dir, pid)
			opened(t, Options{Dir: dir})
			if !alive(pid) || isZombie(pid) {
				t.Error("the other process was ended")
			}
		})
	}
}

// sleeper is a process of the user PostgreSQL runs as.
func sleeper(t *testing.T, as account) int {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as.credential()}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd.Process.Pid
}

// A killed server whose new parent does not fetch it stays a zombie; here we are that parent.
func TestStalePIDOfAZombie(t *testing.T) {
	t.Parallel()
	dir := made(t)
	dead := exec.Command("true")
	if err := dead.Start(); err != nil {
		t.Fatal(err)
	}
	leaveStale(t, dir, dead.Process.Pid)
	go func() {
		time.Sleep(300 * time.Millisecond)
		dead.Wait()
	}()
	opened(t, Options{Dir: dir})
}

func TestTornPIDFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"empty": "", "torn": "12", "garbage": "\x00\x00"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := made(t)
			leaveStale(t, dir, os.Getpid())
			if err := os.WriteFile(filepath.Join(dir, "data", "postmaster.pid"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			opened(t, Options{Dir: dir})
		})
	}
}

func TestSingleUserPostgresIsNotDisturbed(t *testing.T) {
	t.Parallel()
	dir := made(t)
	data := filepath.Join(dir, "data")
	c := opened(t, Options{Dir: dir})
	bin, as := c.Bin("postgres"), accountUnder(t, data)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	single := exec.Command(bin, "--single", "-D", data, "postgres")
	single.Dir = data
	single.SysProcAttr = &syscall.SysProcAttr{Credential: as.credential()}
	in, err := single.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := single.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); single.Wait() })
	for !exists(pidFileName(data)) || readFile(t, pidFileName(data)) == "" {
		time.Sleep(time.Millisecond)
	}
	refused(t, Options{Dir: dir}, fmt.Sprintf("(pid %d)", single.Process.Pid), data, "end it first")
	if !alive(single.Process.Pid) || isZombie(single.Process.Pid) {
		t.Error("the single-user postgres was ended")
	}
}

func accountUnder(t *testing.T, data string) account {
	t.Helper()
	as, err := runAs(os.Geteuid(), data)
	if err != nil {
		t.Fatal(err)
	}
	return as
}

// Ctrl-C goes to the whole process group of the terminal; PostgreSQL must live until its owner has drained.
func TestCtrlCReachesTheOwnerOnly(t *testing.T) {
	t.Parallel()
	dir := made(t)
	p := start(t, "drain", dir, nil)
	p.line("ready")
	if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	p.line("drained")
	if err := p.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if exists(pidFileName(filepath.Join(dir, "data"))) {
		t.Error("PostgreSQL still runs")
	}
}

// Sessions are cut and rolled back by Close, not waited for.
func TestCloseCutsOpenTransactions(t *testing.T) {
	t.Parallel()
	dir := made(t)
	c := opened(t, Options{Dir: dir})
	do(t, c.OwnerDSN(), "CREATE TABLE kept (n int)")
	conn := connect(t, c.OwnerDSN())
	tx, err := conn.BeginTx(t.Context(), pgx.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "INSERT INTO kept VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	again := opened(t, Options{Dir: dir})
	if n := ask[int](t, again.OwnerDSN(), "SELECT count(*) FROM kept"); n != 0 {
		t.Errorf("%d rows of an open transaction were kept", n)
	}
}
