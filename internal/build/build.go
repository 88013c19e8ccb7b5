// Package build says which build of belay runs: the version of a release, or what
// the go command has written into the program by itself.
package build

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/module"
)

// What the linker writes in a release (-ldflags "-X belay/internal/build.version=…").
var (
	version string
	commit  string
	date    string
)

// Unreleased is the version of a build that knows none.
const Unreleased = "dev"

// Info is what is known of a build.
type Info struct {
	Version string // such as v1.2.0, or Unreleased
	Commit  string // the whole hash, or as much as a pseudo-version has; "" is unknown
	Date    string // of the commit, as YYYY-MM-DD; "" is unknown
	Changed bool   // the files differed from the commit
}

// Here is what is known of the program that runs.
func Here() Info {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		b = &debug.BuildInfo{}
	}
	return infoOf(b, Info{Version: version, Commit: commit, Date: day(date)})
}

// Version is the version alone: what belay calls itself before servers.
func Version() string { return Here().Version }

// infoOf takes what a release says of itself, and beside that what the go command
// knows: a module that was fetched has a version, a clone has a commit.
func infoOf(b *debug.BuildInfo, release Info) Info {
	i := Info{Version: Unreleased}
	if v := b.Main.Version; v != "" && v != "(devel)" {
		i.Version = v
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.time":
			i.Date = day(s.Value)
		case "vcs.modified":
			i.Changed = s.Value == "true"
		}
	}
	plain, _, _ := strings.Cut(i.Version, "+")
	if i.Commit == "" && module.IsPseudoVersion(plain) {
		i.Commit, _ = module.PseudoVersionRev(plain)
		if at, err := module.PseudoVersionTime(plain); err == nil {
			i.Date = at.Format("2006-01-02")
		}
	}
	i.Version = cmp.Or(release.Version, i.Version)
	if release.Commit != "" {
		i.Commit, i.Date = release.Commit, cmp.Or(release.Date, i.Date)
	}
	return i
}

// day is the date of a time as RFC 3339 writes it.
func day(at string) string {
	d, _, _ := strings.Cut(at, "T")
	return d
}

// String is the line of --version behind the name.
func (i Info) String() string {
	what := "commit unknown"
	if i.Commit != "" {
		what = "commit " + i.Commit[:min(12, len(i.Commit))]
		if i.Date != "" {
			what += " of " + i.Date
		}
	}
	if i.Changed {
		what += ", with changes"
	}
	return fmt.Sprintf("%s (%s; %s, %s/%s)", i.Version, what, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
