//go:build unix && !linux

package pg

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// tied cannot tie a child to our life on this system: what outlives us is found by the next start.
func tied(syscall.Signal) *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// ps asks for one column of one process.
func ps(pid int, column string) string {
	out, err := exec.Command("/bin/ps", "-ww", "-o", column+"=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// isZombie reports whether the process is dead and only its entry is left.
func isZombie(pid int) bool {
	return pid > 0 && strings.HasPrefix(ps(pid, "stat"), "Z")
}

// worksOn reports whether the process is a postgres on this data directory, by its command line.
func worksOn(pid int, data string) bool {
	command := ps(pid, "command") + " "
	return strings.Contains(command, "postgres") && strings.Contains(command, "-D "+data+" ")
}

// leftovers cannot be told apart by data directory on this system. PostgreSQL finds them by their shared memory, which the start waits for.
func leftovers(string) []int { return nil }
