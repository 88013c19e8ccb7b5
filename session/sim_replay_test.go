package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"belay/session/secret"
)

// maskOfAll is that of somebody in whose environment all stands that occurs in a
// tape: each string and number in its messages, under the name that it has
// there. Addresses come first: of those below each other all must be known, or one
// that is masked lies below none that is not.
func maskOfAll(kept *tape) *secret.Mask {
	const most = 400
	known := map[secret.Value]bool{}
	var all []secret.Value
	var take func(name string, v any)
	take = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				take("", name)
				take(name, v[name])
			}
		case []any:
			for _, v := range v {
				take(name, v)
			}
		case string, json.Number, bool:
			v2 := secret.Value{Name: name, Text: fmt.Sprint(v)}
			if !known[v2] && len(v2.Text) < 100 {
				known[v2], all = true, append(all, v2)
			}
		}
	}
	for _, x := range kept.steps {
		texts := [][]byte{x.text}
		if x.name != "" {
			texts = nil
			switch in, _ := DecodeInput(x.name, x.text); in := in.(type) {
			case Received:
				texts = [][]byte{in.Raw}
			case Answer:
				texts = [][]byte{in.Result}
			case Stderr:
				texts = [][]byte{in.Line}
			case StartCall:
				texts = [][]byte{in.Spec.Params}
			case Notify:
				texts = [][]byte{in.Params}
			}
		}
		for _, text := range texts {
			var v any
			if d := json.NewDecoder(bytes.NewReader(text)); len(text) > 0 {
				d.UseNumber()
				if d.Decode(&v) == nil {
					take("", v)
				}
			}
		}
	}
	isAddress := func(v secret.Value) bool { return strings.Contains(v.Text, "://") }
	slices.SortStableFunc(all, func(a, b secret.Value) int {
		switch {
		case isAddress(a) == isAddress(b):
			return 0
		case isAddress(a):
			return -1
		default:
			return 1
		}
	})
	return unkeyed.With(all[:min(len(all), most)]...)
}

// replay plays the tape again: as it is, everything must be the same;
// redacted, the states must be.
func (w *simulation) replay(mask *secret.Mask) {
	redacted := mask != nil
	p, err := w.tape.play(mask)
	if copied := w.rng.IntN(4) == 0; copied && !redacted && err == nil {
		p, err = w.tape.playCopied(w.rng.IntN(len(w.tape.steps) + 1))
	}
	if err != nil {
		w.fail("replay: %w", err)
		return
	}
	s := p.s
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
	a, b := w.s.Questions(), s.Questions()
	if len(a) != len(b) {
		w.fail("the replay has %d questions, there were %d", len(b), len(a))
		return
	}
	for i := range a {
		if redacted && a[i].State == b[i].State && a[i].Orphaned == b[i].Orphaned {
			continue
		}
		if fmt.Sprint(a[i]) != fmt.Sprint(b[i]) {
			w.fail("the replay shows question %d as %+v, it was %+v", i, b[i], a[i])
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
	if p.differs != 0 {
		w.fail("%d outputs of the replay differ", p.differs)
	}
	if p.left == nil {
		return
	}
	for _, s := range []*Session{p.left, p.copy} {
		if s == nil {
			w.fail("the session of the replay is not copied")
			return
		}
		if x, y := wholeText(p.s), wholeText(s); x != y {
			at := 0
			for at < len(x) && at < len(y) && x[at] == y[at] {
				at++
			}
			from := max(0, at-200)
			w.fail("beside a copy, a session comes to …%.400s, and without one to …%.400s", y[min(from, len(y)):], x[min(from, len(x)):])
		}
	}
}

// replayCut plays the tape without what lies between two of its rests: what comes after is
// as it was.
func (w *simulation) replayCut() {
	rests := w.tape.rests
	if len(rests) < 2 {
		return
	}
	from := rests[w.rng.IntN(len(rests))]
	to := rests[w.rng.IntN(len(rests))]
	if to.step <= from.step || !to.Leads(&from.Rest) {
		return
	}
	w.counts.add("cut", "yes")
	p, err := w.tape.playCut(from, to)
	if err == nil {
		err = p.s.Check()
	}
	if err != nil {
		w.fail("the replay without steps %d to %d: %w", from.step, to.step, err)
		return
	}
	_, last := w.s.Span()
	for id := to.Calls + 1; id <= last; id++ {
		want, kept := w.s.Row(id)
		got, again := p.s.Row(id)
		if !kept { // the rows are bounded, and the replay has fewer of them
			continue
		}
		if !again || got.states() != want.states() {
			w.fail("the replay without steps %d to %d shows row %d as %+v, it was %+v", from.step, to.step, id, got.states(), want.states())
		}
	}
	if p.differs > 0 {
		w.fail("%d outputs of the replay without steps %d to %d differ", p.differs, from.step, to.step)
	}
}

// wholeText is a session in words: its status, rows, questions and messages.
func wholeText(s *Session) string {
	if err := s.Check(); err != nil {
		return err.Error()
	}
	var b strings.Builder
	b.WriteString(statusText(s))
	first, last := s.Span()
	for id := first; id <= last; id++ {
		if r, ok := s.Row(id); ok {
			d, _ := s.Detail(id)
			var moments []string // of processes that end at once, the order is left to chance
			for _, mo := range d.Timeline {
				moments = append(moments, fmt.Sprintf("%+v", mo))
			}
			slices.Sort(moments)
			fmt.Fprintf(&b, "\n%+v %q", r, moments)
		}
	}
	fmt.Fprint(&b, "\n", s.Questions(), s.Diagnostics())
	from, to := s.HistorySpan()
	for q := from; q <= to; q++ {
		e, _ := s.Entry(q)
		fmt.Fprintf(&b, "\n%s %d %v %v", e.Raw, e.Call, e.Flags, e.Gone)
	}
	return b.String()
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
