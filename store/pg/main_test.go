package pg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The test binary starts itself again as a second process of Demarc; helperVar says what that process does.
const (
	helperVar = "DEMARC_PG_HELPER"
	dirVar    = "DEMARC_PG_DIR"
	untiedVar = "DEMARC_PG_UNTIED"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVar); name != "" {
		os.Exit(helper(name))
	}
	code := m.Run()
	if dir, err := template(); err == nil {
		os.RemoveAll(filepath.Dir(dir))
	}
	os.Exit(code)
}

// helpers are what a second process can be. Each prints lines for the test to read.
func helper(name string) int {
	helpers := map[string]func(context.Context) error{"hold": helpHold, "drain": helpDrain, "open": helpOpen}
	maps.Copy(helpers, moreHelpers())
	if err := helpers[name](context.Background()); err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

func helperLaunch() (*launch, error) {
	l, err := newLaunch(Options{Dir: os.Getenv(dirVar), Command: "import", Schema: 7}, os.Geteuid())
	if err != nil {
		return nil, err
	}
	l.untied = os.Getenv(untiedVar) != ""
	return l, nil
}

// helpHold commits row after row, naming each after its commit, until it is killed.
func helpHold(ctx context.Context) error {
	l, err := helperLaunch()
	if err != nil {
		return err
	}
	c, err := l.open(ctx)
	if err != nil {
		return err
	}
	fmt.Println("postgres", c.srv.cmd.Process.Pid)
	conn, err := pgx.Connect(ctx, c.OwnerDSN())
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE TABLE IF NOT EXISTS kept (n bigint PRIMARY KEY)"); err != nil {
		return err
	}
	for n := 1; ; n++ {
		if _, err := conn.Exec(ctx, "INSERT INTO kept VALUES ($1)", n); err != nil {
			return err
		}
		fmt.Println("committed", n)
	}
}

// helpDrain answers Ctrl-C with one more query before it stops, as a server does that drains.
func helpDrain(ctx context.Context) error {
	l, err := helperLaunch()
	if err != nil {
		return err
	}
	c, err := l.open(ctx)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, c.LoginDSN())
	if err != nil {
		return err
	}
	ctrlC := make(chan os.Signal, 1)
	signal.Notify(ctrlC, syscall.SIGINT)
	fmt.Println("ready")
	<-ctrlC
	if _, err := conn.Exec(ctx, "SELECT pg_sleep(0.2)"); err != nil {
		return err
	}
	fmt.Println("drained")
	return c.Close()
}

// helpOpen opens, says what came of it and closes.
func helpOpen(ctx context.Context) error {
	l, err := helperLaunch()
	if err != nil {
		return err
	}
	c, err := l.open(ctx)
	if err != nil {
		return err
	}
	fmt.Println("owned", c.Owned())
	return c.Close()
}

// folder is a fresh folder with a short path that every user can walk to, in memory where the system has room there: making and removing
// the thousand files of a cluster is slow on a disk.
func folder(t testing.TB) string {
	t.Helper()
	return folderIn(t, memory())
}

// diskFolder is a folder like folder, where temporary files are otherwise.
func diskFolder(t testing.TB) string {
	t.Helper()
	return folderIn(t, "")
}

func folderIn(t testing.TB, parent string) string {
	t.Helper()
	dir, err := walkable(parent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func walkable(parent string) (string, error) {
	dir, err := os.MkdirTemp(parent, "pg")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755)
}

// memory is the system's folder in memory, "" when it has none or it is small. TMPDIR goes first.
func memory() string {
	const shm = "/dev/shm"
	var st syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(shm, &st) != nil || st.Bavail*uint64(st.Bsize) < 2<<30 {
		return ""
	}
	return shm
}

// template is the data directory of a closed cluster that was made once.
var template = sync.OnceValues(func() (string, error) {
	parent, err := walkable(memory())
	if err != nil {
		return "", err
	}
	dir := filepath.Join(parent, "d")
	c, err := Open(context.Background(), Options{Dir: dir, Command: "test", Schema: 7, Tests: true})
	if err != nil {
		return dir, err
	}
	return dir, c.Close()
})

// made is a data directory with a closed cluster of the test's own.
func made(t testing.TB) string {
	t.Helper()
	from, err := template()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(folder(t), "d")
	if out, err := exec.Command("cp", "-a", from, dir).CombinedOutput(); err != nil {
		t.Fatalf("copying the cluster: %v: %s", err, out)
	}
	return dir
}

// opened opens dir with a test cluster's settings and closes it after the test.
func opened(t testing.TB, o Options) *Cluster {
	t.Helper()
	c, err := Open(t.Context(), withDefaults(o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func withDefaults(o Options) Options {
	o.Tests = true
	if o.Command == "" {
		o.Command = "import"
	}
	if o.Schema == 0 {
		o.Schema = 7
	}
	return o
}

// refused opens and wants an error whose one sentence has all the words.
func refused(t *testing.T, o Options, words ...string) error {
	t.Helper()
	c, err := Open(t.Context(), withDefaults(o))
	if err == nil {
		c.Close()
		t.Fatalf("Open succeeded, want an error with %q", words)
	}
	wantSentence(t, err, words...)
	return err
}

func wantSentence(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "\n") || strings.HasSuffix(err.Error(), ".") {
		t.Errorf("error %q is not one sentence", err)
	}
}

func connect(t testing.TB, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// ask returns the one value a query gives.
func ask[T any](t testing.TB, address, query string, args ...any) T {
	t.Helper()
	var v T
	conn := connect(t, address)
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

func do(t testing.TB, address string, statements ...string) {
	t.Helper()
	conn := connect(t, address)
	defer conn.Close(context.Background())
	for _, s := range statements {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func ownerIn(t testing.TB, dir string) owner {
	t.Helper()
	var o owner
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, ownerFile))), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// fresh is what initdb left unfinished.
func fresh(dir string) []string {
	left, _ := filepath.Glob(filepath.Join(literal(dir), freshPrefix+"*")) // the pattern is well-formed
	return left
}
