package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"belay/internal/termtest"
)

// What a run has shown is in the report on it: written by a key while belay runs, and by
// a command of the recording that began in the middle of the run. The recording replays
// to the same rows.
func TestARunIsReportedAndRecordedFromItsMiddle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording, page := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "cancel.html")
	s := playAt(t, 140, 40, "late", "--grace", "6s")
	s.See("scripted").call("slow").See("running")
	s.Press("x").See("cancelled · answered late")
	s.Press("E").See("report on #").Type(page).Press("enter").See("wrote the report on #")
	s.Press(":").Type("record "+recording).Press("enter").See("recording to", "rec")
	s.call("slow").See("running").Press("x")
	s.Until("both late answers", func(screen termtest.Screen) bool {
		return len(regexp.MustCompile(`slow +⊘ cancelled · answered late`).FindAllString(screen.String(), -1)) == 2
	})
	want := s.ended(2)
	s.Press("q").Exit(0)
	replaysTo(t, recording, want)

	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "answered late") || !strings.Contains(string(text), "<svg") {
		t.Errorf("the page: %v %.300s", err, text)
	}
	md, err := exec.CommandContext(t.Context(), belay, "report", recording).CombinedOutput()
	if err != nil || strings.Count(string(md), "`tools/call slow`: cancelled · answered late") != 2 || strings.Contains(string(md), "belay: ") {
		t.Errorf("the report: %v\n%s", err, md)
	}
}
