package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

const progressOf = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s}}`

// Each rule cancels its call when it comes true and not before, and says so on the row and in the
// timeline.
func TestARuleCancelsItsCallOnce(t *testing.T) {
	requirements.Rows(t, "CXL-01", "CXL-26")
	progress := func(value string) func(*rig, mcp.ID) {
		return func(r *rig, wire mcp.ID) { r.recv(progressOf, token(wire), value) }
	}
	wait := func(d time.Duration) func(*rig, mcp.ID) { return func(r *rig, _ mcp.ID) { r.wait(d) } }
	for name, tt := range map[string]struct {
		rules      Rules
		not, comes func(*rig, mcp.ID)
		note       string
	}{
		"after a time":             {Rules{After: 2 * time.Second}, wait(1900 * time.Millisecond), wait(100 * time.Millisecond), "cancelled after 2s, as set"},
		"at a share":               {Rules{AtFraction: 0.5}, progress(`4,"total":10`), progress(`6,"total":10`), "cancelled at 50%, as set"},
		"at a share, no total":     {Rules{AtFraction: 0.5}, progress(`4000`), progress(`5000,"total":10000`), "cancelled at 50%, as set"},
		"at a progress":            {Rules{AtProgress: 3}, progress(`2.5`), progress(`3`), "cancelled at progress 3, as set"},
		"at a progress of a total": {Rules{AtProgress: 3}, progress(`2,"total":2`), progress(`7,"total":9`), "cancelled at progress 3, as set"},
		"the share comes first":    {Rules{AtFraction: 0.5, AtProgress: 30}, progress(`4,"total":10`), progress(`5,"total":10`), "cancelled at 50%, as set"},
		"the progress comes first": {Rules{AtFraction: 0.9, AtProgress: 3}, progress(`2,"total":10`), progress(`3,"total":10`), "cancelled at progress 3, as set"},
		"on its first message": {
			Rules{OnMessage: true}, func(r *rig, _ mcp.ID) { r.recv(progressOf, `"belay-9999"`, `1`) }, progress(`0`), "cancelled on its first message, as set",
		},
		"on a message that is refused": {Rules{OnMessage: true}, wait(time.Second), progress(`-1`), "cancelled on its first message, as set"},
		"on a question": {
			Rules{OnMessage: true},
			func(r *rig, _ mcp.ID) { r.recv(`{"jsonrpc":"2.0","id":77,"method":"ping"}`) },
			func(r *rig, _ mcp.ID) { r.recv(samplingAsk, 78) }, "cancelled on its first message, as set",
		},
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20250618, mcp.Rev20251125} {
			t.Run(fmt.Sprint(name, " ", rev), func(t *testing.T) {
				r := ready(t, rev)
				tt.rules.Reason = "as the rule wants"
				id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`), Rules: tt.rules})
				tt.not(r, wire)
				r.want(id, Running, cancel.NoVerdict)
				tt.comes(r, wire)
				r.want(id, Cancelling, cancel.NoVerdict)
				d, _ := r.s.Detail(id)
				if d.Initiator != cancel.ByRule || d.Reason != "as the rule wants" || d.Note != tt.note {
					t.Errorf("by %v, %q, note %q", d.Initiator, d.Reason, d.Note)
				}
				said := false
				for _, m := range d.Timeline {
					said = said || m.Kind == MomNote && m.Text == tt.note
				}
				if !said {
					t.Errorf("the timeline does not say it: %+v", d.Timeline)
				}
				r.recv(progressOf, token(wire), `9,"total":10`)
				r.wait(time.Second)
				if n := r.sent("notifications/cancelled", "as the rule wants"); n != 1 {
					t.Errorf("%d cancels", n)
				}
			})
		}
	}
}

// What the rules are about never comes: nothing is sent, and the call is done.
func TestARuleIsOverWithItsCall(t *testing.T) {
	requirements.Rows(t, "CXL-05")
	for name, rules := range map[string]Rules{
		"after": {After: time.Minute}, "share": {AtFraction: 0.9}, "progress": {AtProgress: 9}, "message": {OnMessage: true}, "answer": {AtAnswer: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`), Rules: rules})
			r.recv(okAnswer, wire)
			r.want(id, Done, cancel.NoVerdict)
			r.recv(progressOf, token(wire), `10,"total":10`)
			r.wait(2 * time.Minute)
			if r.sent("notifications/cancelled") != 0 {
				t.Errorf("a cancel was sent: %v", r.lines)
			}
			if note := r.row(id).Note; strings.Contains(note, "answer was there before") != (name == "answer") {
				t.Errorf("note %q", note)
			}
		})
	}
}

// The cancel at the moment of the answer is timed by the call before, less the time on the
// way, and by no other call.
func TestTheMomentOfTheAnswer(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	trip := r.s.Status().RoundTrip
	asked := func(params string, rules Rules) (CallID, mcp.ID) {
		return r.made(CallSpec{Method: "tools/call", Params: []byte(params), Rules: rules})
	}
	const mine = `{"name":"slow","arguments":{"n":1}}`
	_, wire := asked(mine, Rules{})
	r.wait(3 * time.Second)
	r.recv(okAnswer, wire)
	for _, other := range []string{`{"name":"slow","arguments":{"n":2}}`, `{"name":"quick"}`} { // which took less
		_, wire := asked(other, Rules{})
		r.wait(time.Second)
		r.recv(okAnswer, wire)
	}
	_, wire = asked(mine, Rules{})
	r.wait(500 * time.Millisecond)
	r.recv(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no"}}`, wire) // which was no answer

	id, _ := asked(mine, Rules{AtAnswer: true})
	r.wait(3*time.Second - trip - time.Millisecond)
	r.want(id, Running, cancel.NoVerdict)
	r.wait(time.Millisecond)
	r.want(id, Cancelling, cancel.NoVerdict)
	if note := r.row(id).Note; note != "cancelled at the moment of its answer, as set: after "+(3*time.Second-trip).Round(time.Millisecond).String()+", by the call before" {
		t.Errorf("note %q", note)
	}
	id, _ = asked(mine, Rules{AtAnswer: true, After: time.Second})
	r.wait(time.Second)
	if note := r.row(id).Note; note != "cancelled after 1s, as set" {
		t.Errorf("note %q: the earlier of two rules counts", note)
	}
}

// Without a call before, the first bytes of what may be the answer are its moment.
func TestTheFirstBytesOfTheAnswer(t *testing.T) {
	part := func(r *rig, size int) {
		r.s.Tell(r.now, ReceivedPart{ExchangeID: ExchangeID{Epoch: r.epoch}, Part: Part{Size: size, Kept: true}})
		r.check()
		r.pull()
	}
	r := ready(t, mcp.Rev20251125)
	id, _ := r.made(CallSpec{Method: "tools/call", Rules: Rules{AtAnswer: true}})
	other, wire := r.call("other")
	part(r, 100)
	r.want(id, Running, cancel.NoVerdict) // whose message it is, nobody knows
	part(r, 0)
	r.recv(okAnswer, wire)
	r.want(other, Done, cancel.NoVerdict)
	part(r, 0)
	r.want(id, Running, cancel.NoVerdict)
	part(r, 5000)
	r.want(id, Cancelling, cancel.NoVerdict)
	if note := r.row(id).Note; note != "cancelled at the moment of its answer, as set: its first bytes have come" {
		t.Errorf("note %q", note)
	}
}

// Over HTTP the part is on the exchange of the call.
func TestTheFirstBytesOfTheAnswerOverHTTP(t *testing.T) {
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			w := readyWeb(t, rev)
			other, out := w.tool("b")
			id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"a"}`), Rules: Rules{AtAnswer: true}}}))
			if err != nil {
				t.Fatal(err)
			}
			w.pump()
			mine := w.post("tools/call")
			w.s.Tell(w.now, ReceivedPart{ExchangeID: out.X, Part: Part{Size: 10, Kept: true}})
			w.pump()
			w.want(other, Running, cancel.NoVerdict)
			w.want(id, Running, cancel.NoVerdict)
			w.s.Tell(w.now, ReceivedPart{ExchangeID: mine.X, Part: Part{Size: 10, Kept: true}})
			w.pump()
			if row := w.row(id); row.State != Cancelling && row.State != Cancelled || row.Initiator != cancel.ByRule {
				t.Errorf("%v by %v", row.State, row.Initiator)
			}
			if rev.IsModern() != w.aborted(mine.X) {
				t.Errorf("closed: %v", w.aborted(mine.X))
			}
		})
	}
}

// Belay is told of the first bytes of a message at once for as long as a call is in flight that
// waits for those of its answer, and otherwise after a second.
func TestPartsAreWantedEarlyForTheMomentOfTheAnswer(t *testing.T) {
	const early, usual = 10 * time.Millisecond, time.Second
	r := ready(t, mcp.Rev20251125)
	want := func(age time.Duration, when string) {
		t.Helper()
		if got := r.s.Wish().PartAge; got != age {
			t.Errorf("%s: told of at the age of %v", when, got)
		}
	}
	want(usual, "before any call")
	_, other := r.made(CallSpec{Method: "tools/call", Rules: Rules{OnMessage: true, AtFraction: 0.5, After: time.Minute}})
	want(usual, "with other rules")
	r.recv(okAnswer, other)
	_, one := r.made(CallSpec{Method: "tools/call", Rules: Rules{AtAnswer: true}})
	_, two := r.made(CallSpec{Method: "tools/call", Rules: Rules{AtAnswer: true}})
	want(early, "with two such calls")
	r.recv(okAnswer, one)
	want(early, "with one of the two")
	r.recv(okAnswer, two)
	want(usual, "when both are done")
	_, _ = r.made(CallSpec{Method: "tools/call", Rules: Rules{AtAnswer: true}})
	r.s.Tell(r.now, Closed{Epoch: r.epoch})
	want(usual, "when the connection is gone")
}
