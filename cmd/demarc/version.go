package main

import (
	"fmt"
	"runtime/debug"
)

type versionCmd struct{}

// Run prints the module version and the revision it was built from.
func (versionCmd) Run(e *env) error {
	version, revision := "devel", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" && info.Main.Version != "(devel)" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
	}
	_, err := fmt.Fprintf(e.Stdout, "demarc %s%s\n", version, revision)
	return err
}
