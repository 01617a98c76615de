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

// ps asks for columns of one process, or of all with pid 0: a line for each.
func ps(pid int, columns string) []string {
	args := []string{"-ww", "-o", columns, "-p", strconv.Itoa(pid)}
	if pid == 0 {
		args = []string{"-axww", "-o", columns}
	}
	out, err := exec.Command("/bin/ps", args...).Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// isZombie reports whether the process is dead and only its entry is left.
func isZombie(pid int) bool {
	if pid <= 0 {
		return false
	}
	lines := ps(pid, "stat=")
	return len(lines) == 1 && strings.HasPrefix(strings.TrimSpace(lines[0]), "Z")
}

// worksOn reports whether the process is a postgres on this data directory.
func worksOn(pid int, data string) bool {
	lines := ps(pid, "command=")
	return pid > 0 && len(lines) == 1 && isOurs(lines[0], data)
}

// isOurs knows a server by the cluster name in its arguments, or one started by hand by its directory, and a session by the cluster name in
// its title.
func isOurs(command, data string) bool {
	return strings.Contains(command, "postgres") &&
		(strings.Contains(command, clusterName(data)) || strings.Contains(command+" ", "-D "+data+" "))
}

// leftovers are all living processes of a server on this data directory.
func leftovers(data string) []int {
	var pids []int
	for _, line := range ps(0, "pid=,command=") {
		number, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pid, err := strconv.Atoi(number); err == nil && isOurs(command, data) {
			pids = append(pids, pid)
		}
	}
	return pids
}
