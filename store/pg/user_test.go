package pg

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

func TestRunAs(t *testing.T) {
	t.Parallel()
	data, me := t.TempDir(), os.Geteuid()
	for _, euid := range []int{me, 4242} {
		if as, err := runAs(euid, data); err != nil || euid != 0 && (int(as.uid) != euid || as.switched) {
			t.Errorf("runAs(%d, an empty folder) = %+v, %v", euid, as, err)
		}
	}
	as, err := runAs(0, filepath.Join(data, "missing"))
	if err != nil || as.uid == 0 || !as.switched || as.name != "postgres" && as.name != "nobody" {
		t.Errorf("runAs(root, nothing) = %+v, %v", as, err)
	}
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("15\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runAs(4242, data); err == nil {
		t.Error("another user's cluster is not refused")
	} else {
		wantSentence(t, err, data+" belongs to user "+accountOf(uint32(me)).name, "would run as user with uid 4242", "--data-dir")
	}
	as, err = runAs(0, data)
	if me != 0 {
		if err != nil || int(as.uid) != me || !as.switched {
			t.Errorf("runAs(root, the cluster of %d) = %+v, %v", me, as, err)
		}
		return
	}
	if err == nil {
		t.Fatal("a cluster that belongs to root is not refused")
	}
	wantSentence(t, err, data+" belongs to root", "chown -R postgres "+data)
}

// Root may work in another user's directory, and that user still can afterwards.
func TestRootLeavesTheDirToItsUser(t *testing.T) {
	t.Parallel()
	dir := made(t)
	attr := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // an ordinary user is that user himself
		nobody := accountOf(65534)
		attr.Credential = &syscall.Credential{Uid: nobody.uid, Gid: nobody.gid}
		owner := strconv.Itoa(int(nobody.uid)) + ":" + strconv.Itoa(int(nobody.gid))
		if out, err := exec.Command("chown", "-R", owner, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, name := range []string{lockName, guestsName, logName, ownerFile} {
		os.Remove(filepath.Join(dir, name))
	}
	c := opened(t, Options{Dir: dir})
	opened(t, Options{Dir: dir}).Close() // makes the file guests
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	p := start(t, "open", dir, attr)
	if got := p.line("owned"); got != "true" {
		t.Errorf("owned = %s", got)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
}
