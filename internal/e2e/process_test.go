package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

func TestTheServerRunsAsItWasNamed(t *testing.T) {
	requirements.Rows(t, "STD-02")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("BELAY_E2E_SECRET", "not to be handed on")
	s := play(t, "mirror", "--cwd", dir, "--env", "MIRROR=as told")
	s.See("scripted")
	s.serverReads(1, `argv=["peer" "mirror"] dir=`+dir+" MIRROR=as told SECRET=")
	for _, l := range s.received() {
		if strings.Contains(l.Line, "not to be handed on") {
			t.Errorf("the server got a variable that is not its own: %s", l.Line)
		}
	}
	s.Press("i").See("mirror", dir)
}

func TestBatchesWhereTheRevisionHasThem(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-10", "BASE-19")
	s := play(t, "batch", "--protocol", "2025-03-26")
	s.See("scripted").call("slow").See("from a batch")
}

func TestBatchesWhereTheRevisionHasNone(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-11", "BASE-21")
	s := play(t, "batch", "--protocol", "2025-11-25")
	s.See("scripted").call("slow").See("running", "1 diagnostic")
	s.call("fast").See("here you are")
	s.Press("q", "y").Exit(0)
}

func TestNoProcessIsLeftBehind(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-31")
	s := play(t, "silent-cancel")
	s.See("scripted").call("slow").See("running")
	children := s.children()
	if len(children) != 1 {
		t.Fatalf("children %v", children)
	}
	s.Press("ctrl+c").See("1 call in flight")
	if !termtest.IsProcessAlive(children[0].PID) {
		t.Error("ctrl+c ended the server before belay was told to quit")
	}
	s.Press("y").Exit(0)
	if termtest.IsProcessAlive(children[0].PID) {
		t.Error("the server outlives belay")
	}
}
