package pg

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// process is a running second process.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	out *bufio.Scanner
}

// start starts the test binary as a helper. Its process group is its own, as in a terminal.
func start(t *testing.T, name, dir string, attr *syscall.SysProcAttr, env ...string) *process {
	t.Helper()
	p, err := tryStart(t, name, dir, attr, env...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func tryStart(t *testing.T, name, dir string, attr *syscall.SysProcAttr, env ...string) (*process, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if attr != nil && attr.Credential != nil {
		self = copyFor(t, self)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), append(env, helperVar+"="+name, dirVar+"="+dir)...)
	cmd.Stderr = os.Stderr
	if attr == nil {
		attr = &syscall.SysProcAttr{}
	}
	attr.Setpgid = true
	cmd.SysProcAttr = attr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	return &process{t: t, cmd: cmd, out: bufio.NewScanner(out)}, nil
}

// copyFor copies a program to where every user may run it.
func copyFor(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(diskFolder(t), "copy")
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// line reads up to the next line that begins with word and returns what follows.
func (p *process) line(word string) string {
	p.t.Helper()
	for p.out.Scan() {
		if rest, ok := strings.CutPrefix(p.out.Text(), word); ok {
			return strings.TrimSpace(rest)
		}
		if strings.HasPrefix(p.out.Text(), "error:") {
			p.t.Fatalf("the second process said %q, want a line %q", p.out.Text(), word)
		}
	}
	p.t.Fatalf("the second process ended without a line %q", word)
	return ""
}

func (p *process) number(word string) int {
	p.t.Helper()
	n, err := strconv.Atoi(p.line(word))
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// kill kills the process and returns once it is gone, with the last number it had named after word.
func (p *process) kill(word string, last int) int {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	for p.out.Scan() {
		if rest, ok := strings.CutPrefix(p.out.Text(), word); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(rest)); err == nil {
				last = n
			}
		}
	}
	_ = p.cmd.Wait()
	return last
}
