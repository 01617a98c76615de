package pg

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// tied makes the kernel send the child a signal when the thread that started it ends.
func tied(signal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: signal}
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// isZombie reports whether the process is dead and only its entry is left.
func isZombie(pid int) bool {
	if pid <= 0 {
		return false
	}
	stat, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return false
	}
	_, state, ok := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return ok && bytes.HasPrefix(state, []byte("Z"))
}

// worksOn reports whether the process is a postgres on this data directory: every process of a server has it as its working directory.
func worksOn(pid int, data string) bool {
	name, err := os.ReadFile(procFile(pid, "comm"))
	if err != nil || !strings.HasPrefix(string(name), "postgres") && !strings.HasPrefix(string(name), "postmaster") {
		return false
	}
	there, err := os.Stat(procFile(pid, "cwd"))
	if err != nil {
		return false
	}
	here, err := os.Stat(data)
	return err == nil && os.SameFile(there, here)
}

// leftovers are all living processes of a server on this data directory.
func leftovers(data string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && worksOn(pid, data) && !isZombie(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}
