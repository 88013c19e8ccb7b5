package session

import (
	"fmt"

	"belay/session/secret"
)

// replay plays the journal again: as it is, everything must be the same;
// redacted, the states must be.
func (w *world) replay(redacted bool) {
	var p Replay
	for _, line := range w.journal {
		if redacted {
			r, err := parseRecord(line)
			if err != nil {
				w.fail("the journal: %w", err)
				return
			}
			line = r.Append(nil, new(secret.Mask))
		}
		if err := p.Apply(line); err != nil {
			w.fail("replay: %w", err)
			return
		}
	}
	s := p.Session()
	if err := s.Check(); err != nil {
		w.fail("replay: %w", err)
	}
	first, last := w.s.Span()
	for id := first; id <= last; id++ {
		want, kept := w.s.Row(id)
		got, again := s.Row(id)
		if redacted {
			want, got = want.states(), got.states()
		}
		if kept != again || got != want {
			w.fail("the replay (redacted: %v) shows row %d as %+v, it was %+v", redacted, id, got, want)
		}
	}
	a, b := w.s.Prompts(), s.Prompts()
	if len(a) != len(b) {
		w.fail("the replay has %d prompts, there were %d", len(b), len(a))
		return
	}
	for i := range a {
		if redacted && a[i].State == b[i].State && a[i].Orphaned == b[i].Orphaned {
			continue
		}
		if fmt.Sprint(a[i]) != fmt.Sprint(b[i]) {
			w.fail("the replay shows prompt %d as %+v, it was %+v", i, b[i], a[i])
		}
	}
	if redacted {
		return
	}
	if x, y := statusText(w.s), statusText(s); x != y {
		w.fail("the replay's status is %s, it was %s", y, x)
	}
	if x, y := fmt.Sprint(w.s.Diagnostics()), fmt.Sprint(s.Diagnostics()); x != y {
		w.fail("the replay found wrong %s, it was %s", y, x)
	}
	if p.Differs() != 0 {
		w.fail("%d outputs of the replay differ", p.Differs())
	}
}

// statusText is a status in words, the failure included.
func statusText(s *Session) string {
	st := s.Status()
	failure := st.Failure
	st.Failure = nil
	return fmt.Sprintf("%+v %+v", st, failure)
}

// states is a row without what a redaction may change.
func (r Row) states() Row {
	return Row{
		ID: r.ID, Epoch: r.Epoch, State: r.State, Verdict: r.Verdict, Initiator: r.Initiator,
		Ended: r.Ended, Sent: r.Sent, AfterCount: r.AfterCount, ToolError: r.ToolError,
	}
}
