package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"belay/internal/termtest"
)

// replayed is belay on a recording.
func replayed(t *testing.T, cols, rows int, path string, flags ...string) *stage {
	t.Helper()
	return &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: cols, Rows: rows, Argv: append([]string{belay, "replay", path}, flags...), Env: []string{raceOptions},
	})}
}

// rowLine is a row of the table of calls: its ID, what is called, and what became of it.
var rowLine = regexp.MustCompile(`^│[ ▌]?\s*(\d+)\s+(.*?)\s*(?:\[x\])?\s*(?:││|│)`)

// endedRows are the rows on a screen of calls that have ended, as they stand there.
func endedRows(s termtest.Screen) (rows []string) {
	for _, l := range s.Lines() {
		m := rowLine.FindStringSubmatch(l)
		if m == nil || strings.Contains(m[2], "running") || strings.Contains(m[2], "cancelling") {
			continue
		}
		rows = append(rows, m[1]+" "+strings.Join(strings.Fields(m[2]), " "))
	}
	return rows
}

// ended waits until at least n calls stand in the list as ended, and returns their rows. The
// verdict may be read elsewhere on the screen before its row has it.
func (s *stage) ended(n int) (rows []string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%d rows that have ended", n), func(now termtest.Screen) bool {
		rows = endedRows(now)
		return len(rows) >= n
	})
	return rows
}

// What a run has shown is what the replay of its recording shows: each row with its ID,
// state, verdict and time, whatever the server did about a cancel.
func TestARecordingReplaysToWhatWasSeen(t *testing.T) {
	for _, c := range []struct{ conduct, word, revision string }{
		{"silent-cancel", "quiet", "2025-11-25"},
		{"silent-cancel", "quiet", "2025-03-26"},
		{"late", "answered late", "2025-11-25"},
		{"error", "says cancelled", "2025-11-25"},
		{"modern", "quiet", "2026-07-28"},
	} {
		t.Run(c.conduct+" "+c.revision, func(t *testing.T) {
			t.Parallel()
			recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
			s := playAt(t, 140, 40, c.conduct, "--record", recording, "--protocol", c.revision, "--grace", "6s")
			s.See("scripted").call("slow").See("running")
			s.Press("x").See("cancelled · " + c.word)
			want := s.ended(1)
			s.Press("q").Exit(0)
			replaysTo(t, recording, want)
		})
	}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run("http "+revision, func(t *testing.T) {
			t.Parallel()
			_, url := serveDemo(t)
			recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
			s := reached(t, url, "--record", recording, "--protocol", revision, "--grace", "3s")
			s.See("belay demo", revision).call("stubborn").See("seconds")
			s.Type("9").Press("ctrl+s").See("running").Press("x").See("cancelled · ")
			want := s.ended(1)
			s.Press("q").Exit(0)
			replaysTo(t, recording, want)
		})
	}
}

// replaysTo fails unless a recording shows these rows at its end, and no difference.
func replaysTo(t *testing.T, recording string, want []string) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("nothing was seen")
	}
	s := replayed(t, 140, 40, recording)
	s.See("recording", " end")
	s.Until(fmt.Sprintf("rows %q", want), func(now termtest.Screen) bool {
		got := endedRows(now)
		return !slices.ContainsFunc(want, func(row string) bool { return !slices.Contains(got, row) })
	})
	if screen := s.Screen(); screen.Contains("differs") || screen.Contains("unplayed") {
		t.Errorf("it is not played as it was:\n%s", screen)
	}
	s.Press("q").Exit(0)
}

// A run on the demo server is recorded and replayed: the same verdict; nothing can be
// sent; the cancel can be gone back to, and the run be seen again from there.
func TestTheDemoIsRecordedAndReplayed(t *testing.T) {
	t.Parallel()
	recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 100, Rows: 30, Argv: []string{belay, "--record", recording, "--grace", "4s"}, Env: []string{raceOptions},
	})}
	s.See("belay demo").call("countdown").See("interval").Press("ctrl+s").See("running")
	s.Press("x").See("cancelled · quiet")
	s.Press("q").Exit(0)

	s = replayed(t, 100, 30, recording)
	s.See("recording", " end", "cancelled · quiet")
	s.Press("x").See("this is a recording")
	s.Press("n").See("this is a recording")
	s.Press("{").See("cancelling", "paused")
	s.Press(",").See("paused")
	s.Press("space").See("▶ 1×")
	s.See("cancelled · quiet", " end")
	s.Press(">", ">").See("speed: 4×")
	s.Press("0").See("00:00.0 /")
	s.Press("$").See(" end", "cancelled · quiet")
	s.Press(":").Type("goto 0").Press("enter").See("00:00.0 /")
	s.Press("q").Exit(0)
}

// A recording that is being written is followed while the run goes on.
func TestARecordingIsFollowedOnTheScreen(t *testing.T) {
	t.Parallel()
	recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
	live := play(t, "silent-cancel", "--record", recording, "--grace", "3s")
	live.See("scripted")
	s := replayed(t, 140, 40, recording, "--follow")
	s.See("follows")
	live.call("slow").See("running")
	s.See("running")
	live.Press("x").See("cancelled · quiet")
	s.See("cancelled · quiet")
	live.Press("q").Exit(0)
	s.See("disconnected", " end")
	s.Press("q").Exit(0)
}

// A recording whose every field holds control bytes reaches the terminal without one of
// them, wherever it is shown.
func TestARecordingWithControlBytes(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "run.jsonl")
	s := playAt(t, 140, 40, "silent-cancel", "--record", recording, "--grace", "3s")
	s.See("scripted").call("slow").See("running").Press("x").See("quiet").Press("q").Exit(0)
	data, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	const evil = `\u001b]52;c;ZXZpbA==\u0007\u202e\u009b31m`
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	text := regexp.MustCompile(`"(seq|op|wall|t|version|masked|jsonrpc|method|protocolVersion|epoch)":"?[^",]*"?,?|[a-z]"([,}])`)
	rest = text.ReplaceAllFunc(rest, func(m []byte) []byte {
		if i := bytes.LastIndexByte(m, '"'); i == 1 && len(m) == 3 { // the end of a string
			return append(append([]byte{m[0]}, evil...), m[1:]...)
		}
		return m
	})
	rest = append(rest, fmt.Appendf(nil, `{"seq":900,"t":99999999999,"op":"remark","text":"%s"}`+"\n"+`{"op":"%s"}`+"\n\x1b]0;title\x07\n", evil, evil)...)
	if err := os.WriteFile(recording, slices.Concat(first, []byte("\n"), rest), 0o600); err != nil {
		t.Fatal(err)
	}
	s = replayed(t, 140, 40, recording)
	s.See("recording", " end")
	s.Press("w", "3", "g", "enter").See("esc back")
	s.Press("esc", ":").Type("recording").Press("enter").See("what is not as it was recorded", "there is no input")
	s.Press("esc", "i").See("Server")
	s.Press("esc", "q").Exit(0)
	for _, attack := range []string{"\x1b]52;", "\x1b]0;title", "\u202e", "\u009b"} {
		if bytes.Contains(s.RawOutput(), []byte(attack)) {
			t.Errorf("%q reached the terminal", attack)
		}
	}
}

// What is no recording is refused on the command line, with what it is.
func TestWhatCannotBeReplayed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte(`{"v":1,"type":"meta"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		other: "it is no recording of", dir: "a directory", filepath.Join(dir, "none"): "there is no file",
	} {
		s := replayed(t, 100, 30, path)
		s.Exit(2).See(says)
	}
}
