package build

import (
	"runtime/debug"
	"strings"
	"testing"
)

const hash = "dd8e8f0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f"

// Each row is what the go command writes for one way to build.
func TestWhatEachBuildKnowsOfItself(t *testing.T) {
	clone := []debug.BuildSetting{
		{Key: "vcs", Value: "git"},
		{Key: "vcs.revision", Value: hash},
		{Key: "vcs.time", Value: "2026-11-23T14:55:00Z"},
		{Key: "vcs.modified", Value: "false"},
	}
	changed := append(clone[:3:3], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, tt := range []struct {
		name     string
		main     string
		settings []debug.BuildSetting
		release  Info
		want     string
	}{
		{"go install of a version", "v1.2.0", nil, Info{}, "v1.2.0 (commit unknown; "},
		{"go install of a commit", "v1.2.1-0.20261123145500-dd8e8f0b1c2d", nil, Info{}, "v1.2.1-0.20261123145500-dd8e8f0b1c2d (commit dd8e8f0b1c2d of 2026-11-23; "},
		{"go build in a clone", "v0.0.0-20261123145500-dd8e8f0b1c2d", clone, Info{}, "v0.0.0-20261123145500-dd8e8f0b1c2d (commit dd8e8f0b1c2d of 2026-11-23; "},
		{"go build in a clone at a tag", "v1.2.0", clone, Info{}, "v1.2.0 (commit dd8e8f0b1c2d of 2026-11-23; "},
		{
			"go build in a clone that was changed", "v0.0.0-20261123145500-dd8e8f0b1c2d+dirty", changed,
			Info{},
			"v0.0.0-20261123145500-dd8e8f0b1c2d+dirty (commit dd8e8f0b1c2d of 2026-11-23, with changes; ",
		},
		{"go build -buildvcs=false", "(devel)", nil, Info{}, "dev (commit unknown; "},
		{"go test", "", nil, Info{}, "dev (commit unknown; "},
		{
			"a release", "(devel)", nil,
			Info{Version: "1.2.0", Commit: hash, Date: "2026-11-23"},
			"1.2.0 (commit dd8e8f0b1c2d of 2026-11-23; ",
		},
		{
			"a release in a clone", "v0.0.0-20261123145500-dd8e8f0b1c2d", clone,
			Info{Version: "1.2.0", Commit: hash},
			"1.2.0 (commit dd8e8f0b1c2d of 2026-11-23; ",
		},
		{"a commit of few letters", "(devel)", nil, Info{Commit: "dd8e8f0"}, "dev (commit dd8e8f0; "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := infoOf(&debug.BuildInfo{Main: debug.Module{Path: "belay", Version: tt.main}, Settings: tt.settings}, tt.release).String()
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q…", got, tt.want)
			}
		})
	}
}

func TestThisBuildHasAVersion(t *testing.T) {
	if Version() == "" {
		t.Error("no version")
	}
}
