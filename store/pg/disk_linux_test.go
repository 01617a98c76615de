package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Tests on small and read-only disks run in a second process with mounts of its own, which end with it.

func moreHelpers() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{"disk": helpDisk}
}

const capSysAdmin = 21

// ownMounts lets a second process mount: a mount namespace, and for an ordinary user a user namespace in which he may.
func ownMounts() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		attr.AmbientCaps = []uintptr{capSysAdmin}
	}
	return attr
}

// helpDisk opens a cluster on a small disk again and again, in the order of the lines it prints.
func helpDisk(ctx context.Context) error {
	dir := os.Getenv(dirVar)
	mount := filepath.Dir(dir)
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		fmt.Println("unmountable", err)
		return nil
	}
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=8m,mode=0755"); err != nil {
		fmt.Println("unmountable", err)
		return nil
	}
	remount := func(flags uintptr, size string) error {
		return syscall.Mount("tmpfs", mount, "tmpfs", syscall.MS_REMOUNT|flags, "size="+size)
	}
	fmt.Println("new on a full disk:", openIn(ctx, nil))
	fmt.Println("left behind:", len(fresh(dir)) > 0, exists(filepath.Join(dir, "data")))
	if err := remount(0, "160m"); err != nil {
		return err
	}
	fmt.Println("new with space:", openIn(ctx, fillUp))
	if err := fill(filepath.Join(mount, "filler")); err != nil {
		return err
	}
	fmt.Println("old on a full disk:", openIn(ctx, nil))
	if err := os.Remove(filepath.Join(mount, "filler")); err != nil {
		return err
	}
	fmt.Println("old with space:", openIn(ctx, countKept))
	if err := remount(syscall.MS_RDONLY, "160m"); err != nil {
		return err
	}
	fmt.Println("read-only:", openIn(ctx, nil))
	return nil
}

// openIn opens, works and closes.
func openIn(ctx context.Context, work func(context.Context, *pgx.Conn) error) (err error) {
	l, err := helperLaunch()
	if err != nil {
		return err
	}
	c, err := l.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if work == nil {
		return nil
	}
	conn, err := pgx.Connect(ctx, c.OwnerDSN())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return work(ctx, conn)
}

// fillUp writes until the disk is full and leaves five committed rows.
func fillUp(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "CREATE TABLE kept (n int); INSERT INTO kept SELECT generate_series(1, 5)"); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, "CREATE UNLOGGED TABLE big AS SELECT repeat('x', 1000) FROM generate_series(1, 200000)")
	if err == nil || !strings.Contains(err.Error(), "No space left on device") {
		return fmt.Errorf("200 MB fitted on the small disk: %w", err)
	}
	return nil
}

func countKept(ctx context.Context, conn *pgx.Conn) error {
	var n int
	if err := conn.QueryRow(ctx, "SELECT count(*) FROM kept").Scan(&n); err != nil {
		return err
	}
	if n != 5 {
		return fmt.Errorf("%d rows are left of 5", n)
	}
	return nil
}

// fill takes all the space that is left.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	zero, err := os.Open("/dev/zero")
	if err != nil {
		return err
	}
	defer zero.Close()
	if _, err := io.Copy(f, zero); !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("filling the disk ended with %w", err)
	}
	return nil
}

func TestFullAndReadOnlyDisk(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "d")
	p, err := tryStart(t, "disk", dir, ownMounts())
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Log("this system allows no mounts of one's own: only TestPathErrors and TestExplainText check these sentences here")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for p.out.Scan() {
		what, got, ok := strings.Cut(p.out.Text(), ": ")
		switch {
		case strings.HasPrefix(p.out.Text(), "unmountable"):
			t.Log(p.out.Text())
			return
		case !ok:
			t.Fatalf("the second process said %q", p.out.Text())
		case what == "left behind":
			if got != "false false" {
				t.Errorf("data.new and data after a failed start: %s", got)
			}
		case what == "new with space", what == "old with space":
			if got != "<nil>" {
				t.Errorf("%s: %s", what, got)
			}
		case what == "new on a full disk", what == "old on a full disk":
			wantSentence(t, errors.New(got), "the disk that holds "+dir+" is full", "free some space")
		case what == "read-only":
			wantSentence(t, errors.New(got), "the disk that holds "+dir+" is read-only", "mount it writable")
		default:
			t.Fatalf("the second process said %q", p.out.Text())
		}
	}
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// In a container started with a bare user number the user has no passwd entry. A user namespace gives us such a number.
func TestUserWithoutPasswdEntry(t *testing.T) {
	t.Parallel()
	const uid = 54321
	attr := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getegid(), Size: 1}},
	}
	p, err := tryStart(t, "open", folder(t), attr)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Log("this system allows no user namespaces: only TestInitdbErrors checks this sentence here")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !p.out.Scan() {
		t.Fatal("the second process said nothing")
	}
	wantSentence(t, errors.New(strings.TrimPrefix(p.out.Text(), "error: ")), "uid 54321", "/etc/passwd", "--database-url")
	var exit *exec.ExitError
	if err := p.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the second process ended with %v", err)
	}
}
