package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// A full disk ends a recording, and nothing else: what belay says of it when it was asked
// for at the start, and when it is to begin later.
func TestARecordingOnAFullDisk(t *testing.T) {
	const full = "/dev/full"
	t.Run("from the start", func(t *testing.T) {
		t.Parallel()
		s := play(t, "silent-cancel", "--record", full, "--grace", "3s")
		s.See("the recording stopped after 0 bytes: no space left on device", "recording stopped")
		s.call("slow").See("running").Press("x").See("cancelled · quiet", "recording stopped")
		s.Press("i").See("the recording stopped after 0 bytes: no space left on device").Press("esc")
		s.Press("q").Exit(0)
	})
	t.Run("later", func(t *testing.T) {
		t.Parallel()
		recording := filepath.Join(t.TempDir(), "run.jsonl")
		s := play(t, "silent-cancel", "--grace", "3s").See("scripted").call("slow").See("running")
		s.Press(":").Type("record " + full).Press("enter").See("nothing was recorded: no space left on device; name another file")
		s.Press("x").See("cancelled · quiet")
		if screen := s.Screen(); screen.Contains("recording stopped") {
			t.Errorf("a recording that never began has stopped:\n%s", screen)
		}
		s.Press(":").Type("record " + recording).Press("enter").See("recording to ")
		want := s.ended(1)
		s.Press("q").Exit(0)
		replaysTo(t, recording, want)
	})
	t.Run("a report", func(t *testing.T) {
		t.Parallel()
		s := play(t, "silent-cancel", "--grace", "3s").See("scripted").call("slow").See("running")
		s.Press("x").See("cancelled · quiet")
		link := filepath.Join(t.TempDir(), "report.md")
		if err := os.Symlink(full, link); err != nil {
			t.Fatal(err)
		}
		s.Press(":").Type("report "+link).Press("enter").See("cannot write", "no space left on device")
		s.Press("q").Exit(0)
	})
}
