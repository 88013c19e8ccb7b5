package mcpclient

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"belay/session"
	"belay/session/journal"
)

// replays fails unless a recording gives what the client that wrote it has come to:
// every row with its verdict, evidence and timeline, and no output that differs.
func replays(t *testing.T, recorded []byte, c *Client) {
	t.Helper()
	var p journal.Player
	for i, line := range bytes.Split(bytes.TrimSpace(recorded), []byte("\n")) {
		step, err := journal.Read(line)
		if err == nil {
			err = p.Play(step)
		}
		var differs *journal.DifferenceError
		if errors.As(err, &differs) || err != nil {
			t.Errorf("line %d of the recording, %.300s: %v", i+1, line, err)
			return
		}
	}
	rows := 0
	c.View(func(s *session.Session) {
		first, last := s.Span()
		for id := first; id <= last; id++ {
			want, kept := s.Detail(id)
			got, again := p.Session().Detail(id)
			if kept {
				rows++
			}
			if a, b := told(want), told(got); kept != again || a != b {
				t.Errorf("the replay shows row %d as\n%s\nit was\n%s", id, b, a)
			}
		}
	})
	if rows == 0 {
		t.Error("the recording has no rows")
	}
}

// told is what is said of a call.
func told(d session.Detail) string {
	text := fmt.Sprintf("%v %s %v %v %s ended %v", d.Wire, d.Target, d.State, d.Verdict, d.Note, d.Ended.Sub(d.Created))
	for _, e := range d.Evidence {
		text += fmt.Sprintf("\n%v %s", e.After, e.Text)
	}
	for _, m := range d.Timeline {
		text += fmt.Sprintf("\n%v %v %s ×%d", m.At.Sub(d.Created), m.Kind, m.Text, m.Count)
	}
	return text
}
