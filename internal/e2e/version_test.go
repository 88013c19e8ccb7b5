package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The linker tells a release its version, and a build without either says so.
func TestEachBuildSaysWhichItIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		flags []string
		want  string
	}{
		{"a release", []string{"-ldflags=-X belay/internal/build.version=1.2.0 -X belay/internal/build.commit=dd8e8f0b1c2d3e4f -X belay/internal/build.date=2026-11-23T14:55:00Z"}, "belay version 1.2.0 (commit dd8e8f0b1c2d of 2026-11-23; go"},
		{"without git", []string{"-buildvcs=false"}, "belay version dev (commit unknown; go"},
	} {
		program := filepath.Join(t.TempDir(), "belay")
		build := exec.Command("go", append(append([]string{"build", "-buildvcs=false", "-o", program}, tt.flags...), "belay")...)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", tt.name, err, out)
		}
		for _, flag := range []string{"--version", "-v"} {
			out, err := exec.Command(program, flag).Output()
			if err != nil || !strings.HasPrefix(string(out), tt.want) || strings.Count(string(out), "\n") != 1 {
				t.Errorf("%s: %q, %v; want %q…", tt.name, out, err, tt.want)
			}
		}
	}
}
