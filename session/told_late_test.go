package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A server may have answered a cancel before the writer is told that its write has
// returned. What counts is when the last byte was written, and not when that was
// told.
func TestAnAnswerBeforeItsCancelIsTold(t *testing.T) {
	const says = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"context canceled"}}`
	for _, tt := range []struct {
		name  string
		began time.Duration // after the cancel's last byte
		want  cancel.Verdict
		kinds []MomentKind
	}{
		{"begun after it", time.Millisecond, cancel.SaysCancelled, []MomentKind{MomCancelSent, MomLate}},
		{"begun with it", 0, cancel.SaysCancelled, []MomentKind{MomLate, MomCancelSent}},
		{"begun before it", -time.Millisecond, cancel.Crossed, []MomentKind{MomLate, MomCancelSent}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, lines := recorded(t, nil)
			id, wire := r.call("t")
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			out, _ := r.s.Next(r.now)
			r.now = r.now.Add(2 * time.Second)
			written := r.now
			r.now = r.now.Add(max(0, tt.began))
			f := mcp.Decode(fmt.Appendf(nil, says, wire))
			f.Began = written.Add(tt.began)
			r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
			r.want(id, Cancelling, cancel.NoVerdict)
			if d, _ := r.s.Detail(id); slices.ContainsFunc(d.Evidence, func(e cancel.Evidence) bool { return strings.HasPrefix(e.Text, "it began ") }) {
				t.Errorf("it is judged before the cancel is told as written: %v", d.Evidence)
			}
			r.now = written.Add(10 * time.Millisecond)
			r.s.Tell(r.now, Sent{Seq: out.Seq, Ago: r.now.Sub(written)})
			r.pull()
			r.want(id, Cancelled, tt.want)
			d, _ := r.s.Detail(id)
			var kinds []MomentKind
			for _, m := range d.Timeline {
				if m.Kind == MomCancelSent || m.Kind == MomLate {
					kinds = append(kinds, m.Kind)
				}
			}
			if !slices.Equal(kinds, tt.kinds) {
				t.Errorf("in the order %v", kinds)
			}
			if after := max(0, tt.began); d.Late == nil || d.Late.After != after {
				t.Errorf("late by %+v, want %v", d.Late, after)
			}
			replayed(t, r, lines)
		})
	}
}

// A message for the call may come in the same time. It counts by when it began, and where it cannot
// have been on its way the modern era forbids it.
func TestAMessageBeforeItsCancelIsTold(t *testing.T) {
	requirements.Rows(t, "CXL-20")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for began, want := range map[time.Duration]struct{ after, late int }{
			-time.Millisecond:      {0, 0},
			10 * time.Millisecond:  {1, 0},
			150 * time.Millisecond: {1, 1},
		} {
			r := ready(t, rev)
			id, wire := r.call("t")
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			out, _ := r.s.Next(r.now)
			r.now = r.now.Add(2 * time.Second)
			written := r.now
			r.now = written.Add(max(0, began))
			f := mcp.Decode(fmt.Appendf(nil, progressNote, token(wire), 1))
			f.Began = written.Add(began)
			r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
			if d, _ := r.s.Detail(id); d.After.All != 0 {
				t.Errorf("%s, %v: it is judged before the cancel is told as written", rev, began)
			}
			r.now = r.now.Add(10 * time.Millisecond)
			r.s.Tell(r.now, Sent{Seq: out.Seq, Ago: r.now.Sub(written)})
			d, _ := r.s.Detail(id)
			if d.After.All != want.after || d.After.Late != want.late {
				t.Errorf("%s, %v: %d after the cancel, %d late", rev, began, d.After.All, d.After.Late)
			}
			forbidden := slices.ContainsFunc(r.s.Diagnostics(), func(d Diagnostic) bool { return d.Code == mcp.DiagAfterCancel })
			if forbidden != (want.late > 0 && rev == mcp.Rev20260728) {
				t.Errorf("%s, %v: diagnosed %t", rev, began, forbidden)
			}
		}
	}
}

// cancelsTask is a task whose tasks/cancel was handed out under the ID asked.
func cancelsTask(t *testing.T) (r *taskRig, id CallID, out Output, asked mcp.ID) {
	t.Helper()
	r = tasking(t, mcp.Rev20251125)
	id = r.begun()
	r.wait(900 * time.Millisecond)
	if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	out, _ = r.s.Next(r.now)
	m := mcp.Decode(out.Data)
	if m.Method != "tasks/cancel" {
		t.Fatalf("%s is written", m.Method)
	}
	return r, id, out, m.ID
}

// The same holds for tasks/cancel: a task that is told to have ended by itself, in the answer to it, may
// have ended before the server read that, by when its last byte was written. No other verdict stands
// before that is told.
func TestAnAnswerToTasksCancelBeforeThatIsTold(t *testing.T) {
	for _, tt := range []struct {
		name, status string
		began        time.Duration // after its last byte
		dated        bool          // the task ended when the answer began, as the server says
		want         cancel.Verdict
	}{
		{"an end begun before it", "completed", -time.Millisecond, true, cancel.Crossed},
		{"an end soon after it", "completed", time.Millisecond, true, cancel.Crossed},
		{"an end long after it", "completed", 2500 * time.Millisecond, true, cancel.TaskCompleted},
		{"an end told long after it", "completed", 2500 * time.Millisecond, false, cancel.Crossed},
		{"a failure soon after it", "failed", time.Millisecond, true, cancel.Crossed},
		{"the end that was asked for", "cancelled", time.Millisecond, true, cancel.TaskCancelled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, id, out, asked := cancelsTask(t)
			r.now = r.now.Add(time.Second)
			written := r.now
			r.now = r.now.Add(max(0, tt.began))
			object := r.object("task-4711", tt.status)
			if tt.dated {
				object = r.dated(object, "lastUpdatedAt")
			}
			f := mcp.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%v,"result":{%s}}`, asked, object))
			f.Began = written.Add(tt.began)
			r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
			r.want(id, Cancelling, cancel.NoVerdict)
			r.now = written.Add(2600 * time.Millisecond)
			r.s.Tell(r.now, Sent{Seq: out.Seq, Ago: r.now.Sub(written)})
			r.pull()
			r.want(id, Cancelled, tt.want)
		})
	}
	t.Run("never told", func(t *testing.T) {
		r, id, _, asked := cancelsTask(t)
		f := mcp.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%v,"result":{%s}}`, asked, r.object("task-4711", "cancelled")))
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 3"}})
		r.want(id, Cancelled, cancel.TaskCancelled)
	})
}

// Where that is never told, the answer counts as one that came before the cancel was written: when the
// time for writing is over, or the connection ends.
func TestAnAnswerToACancelThatIsNeverTold(t *testing.T) {
	for what, ends := range map[string]func(*rig){
		"its time is over":    func(r *rig) { r.wait(cancel.UndeliveredAfter) },
		"the connection ends": func(r *rig) { r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 3"}}) },
	} {
		r, lines := recorded(t, nil)
		id, wire := r.call("t")
		if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		r.s.Next(r.now)
		r.recv(okAnswer, wire)
		r.want(id, Cancelling, cancel.NoVerdict)
		ends(r)
		r.want(id, Cancelled, cancel.Crossed)
		d, _ := r.s.Detail(id)
		if !slices.ContainsFunc(d.Evidence, func(e cancel.Evidence) bool { return e.Text == "it began before the cancel's last byte was written" }) {
			t.Errorf("%s: the evidence is %v", what, d.Evidence)
		}
		replayed(t, r, lines)
	}
}

// A moment that is told late stands where it belongs, however long the timeline is.
func TestAMomentThatIsToldLate(t *testing.T) {
	for n := 1; n < keepFirst+2*keepLast; n++ {
		var line timeline
		for i := range n {
			line.add(moment{MomentView: MomentView{At: origin.Add(time.Duration(i) * time.Second), Text: "x"}})
		}
		line.insert(moment{MomentView: MomentView{At: origin.Add(time.Duration(n)*time.Second - 1500*time.Millisecond), Text: "late"}})
		all, _ := line.view()
		late := slices.IndexFunc(all, func(m MomentView) bool { return m.Text == "late" })
		if want := len(all) - 2; late != want {
			t.Errorf("of %d it is number %d of %d", n, late, len(all))
		}
	}
}

// However many messages there were before a turn of a call and after it, the turn is kept
// in its place, and what is left out is counted where it was; but turns without end are not.
func TestTheTurnsOfACallAreKept(t *testing.T) {
	for _, before := range []int{1, keepFirst, keepFirst + keepLast, 5000} {
		var line timeline
		at := origin
		add := func(kind MomentKind, n int) {
			for range n {
				at = at.Add(time.Second)
				line.add(moment{MomentView: MomentView{At: at, Kind: kind}})
			}
		}
		add(MomLog, before)
		add(MomCancelSent, 1)
		add(MomAfter, 5000)
		add(MomGrace, 1)
		add(MomAfter, 5000)
		all, skipped := line.view()
		for _, kind := range []MomentKind{MomCancelSent, MomGrace} {
			if !slices.ContainsFunc(all, func(m MomentView) bool { return m.Kind == kind }) {
				t.Errorf("after %d messages: moment %v is gone", before, kind)
			}
		}
		if !slices.IsSortedFunc(all, func(a, b MomentView) int { return a.At.Compare(b.At) }) {
			t.Errorf("after %d messages: the moments are out of order", before)
		}
		sent := slices.IndexFunc(all, func(m MomentView) bool { return m.Kind == MomCancelSent })
		if all[sent+1].At != all[sent].At.Add(time.Second) {
			t.Errorf("after %d messages: what came first after the cancel is gone", before)
		}
		told, n := 0, 0
		for i, m := range all {
			told += m.Skipped
			if n++; n+told != int(m.At.Sub(origin)/time.Second) {
				t.Errorf("after %d messages: moment %d is number %d, and told as %d", before, i, m.At.Sub(origin)/time.Second, n+told)
				break
			}
		}
		if len(all)+skipped != before+10_002 || told != skipped {
			t.Errorf("after %d messages: %d moments, %d skipped, %d told", before, len(all), skipped, told)
		}
		add(MomGrace, 5000)
		if all, _ := line.view(); len(all) > keepFirst+keepTurns+keepLast {
			t.Errorf("%d moments are kept", len(all))
		}
	}
}

// An error and a result that say that the call was cancelled are told by one rule, whatever stands beside
// the text: data that may tell what was done is no part of that statement.
func TestWhatStandsBesideTheStatementThatACallWasCancelled(t *testing.T) {
	const text = `{"type":"text","text":"Request cancelled"}`
	for beside, want := range map[string]cancel.Verdict{
		``: cancel.SaysCancelled, `null`: cancel.SaysCancelled, `{}`: cancel.SaysCancelled,
		`{"rows":3}`: cancel.AnsweredError, `{"error":"Request cancelled"}`: cancel.AnsweredError, `{"order":"cancelled"}`: cancel.AnsweredError,
	} {
		for what, answer := range map[string]string{
			"an error": `"error":{"code":-32603,"message":"Request cancelled","data":` + beside + `}`,
			"a result": `"result":{"isError":true,"content":[` + text + `],"structuredContent":` + beside + `}`,
		} {
			if beside == "" {
				answer = strings.NewReplacer(`,"data":`, "", `,"structuredContent":`, "").Replace(answer)
			}
			r := ready(t, mcp.Rev20251125)
			id, wire := r.call("t")
			r.cancel(id, "")
			r.wait(time.Second)
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, wire, answer)
			if got := r.row(id).Verdict; got != want {
				t.Errorf("%s with %s is %v, want %v", what, beside, got, want)
			}
			if e := r.evidence(id); !strings.Contains(e, `"Request cancelled"`) {
				t.Errorf("%s with %s: what it says is not quoted:\n%s", what, beside, e)
			}
		}
	}
}
