package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// The first command of the README, as a newcomer types it.
func TestTheFirstCommandOfTheREADME(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-01", "SCENARIO-1")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 32, Argv: []string{"go", "run", "."}, Dir: root,
		Env: []string{raceOptions}, Timeout: 3 * time.Minute, // it may have to be built first
	})}
	s.See("belay demo", "2025-11-25")
	s.call("countdown").See(`tools/call "countdown"`, "ctrl+s")
	s.Press("ctrl+s").See("running")
	s.Press("x").See("cancelling")
	s.See("quiet")
	s.Press("q").Exit(0)
}
