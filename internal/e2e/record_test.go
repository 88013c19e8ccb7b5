package e2e

import (
	"bufio"
	"path/filepath"
	"strings"
	"testing"
)

// A server whose slow tool answers at once, with seven megabytes, and one whose slow tool
// tells of its progress 60,000 times, and does not answer.
func init() {
	conducts["brings-much"] = func(p *peer, in *bufio.Reader) {
		text := strings.Repeat("o, the wind ", 7_000_000/12)
		p.serve(in, func(m message) {
			if m.Method == "tools/call" && m.Params.Name == "slow" {
				p.result(m.ID, `{"content":[{"type":"text","text":"`+text+`"}]}`)
			}
		})
	}
	conducts["tells-much"] = func(p *peer, in *bufio.Reader) {
		p.serve(in, func(m message) {
			if m.Method == "tools/call" && m.Params.Name == "slow" {
				for i := range 60_000 {
					p.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, m.Params.Meta.ProgressToken, i+1)
				}
			}
		})
	}
}

// A recording that begins in a flood has the call that the flood is of, and what became of
// that; it says how many messages it does not have, and so does its screen.
func TestARunInAFloodIsRecordedLater(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "run.jsonl")
	s := playAt(t, 140, 40, "tells-much", "--grace", "3s").See("scripted").call("slow").See("running 60000")
	s.Press(":").Type("record " + recording).Press("enter")
	s.untilSaid("the recording", "recording to .*messages that nothing follows from") // at once: the line goes by itself
	s.Press("x").See("cancelled · quiet")
	want := s.ended(1)
	s.Press("q").Exit(0)
	replaysTo(t, recording, want)
	r := replayed(t, 140, 40, recording).See(" end", "quiet")
	r.Press("w", "3", "/").Type("not in this recording").Press("enter").See("messages of the server's that nothing followed from")
	r.Press("q").Exit(0)
}

// A recording that begins after more came than is kept has all of the run, but for the text
// of large results: it says so when it begins, and so does its screen.
func TestALongRunIsRecordedLater(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "run.jsonl")
	s := playAt(t, 140, 40, "brings-much").See("scripted")
	for _, id := range []string{"#4", "#5", "#6", "#7"} {
		s.call("slow").See(id+" \"slow\"", "✓ done", "o, the wind")
	}
	s.call("fast").See("here you are")
	s.Press(":").Type("record " + recording).Press("enter")
	s.untilSaid("the recording", "recording to .*without the text of 2 large results, 14.0 MB")
	want := s.ended(5)
	s.Press("q").Exit(0)
	replaysTo(t, recording, want)

	r := replayed(t, 140, 40, recording).See(" end", "here you are")
	r.Press("j", "j", "j", "j").See("this result was not kept: 7.0 MB")
	r.Press("k").See("this result was not kept: 7.0 MB")
	r.Press("k").See("o, the wind")
	r.Press("q").Exit(0)
}
