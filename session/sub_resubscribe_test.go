package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// updates is what a server has whose resources can be subscribed to.
const updates = `{"resources":{"subscribe":true}}`

// anew begins the next connection, in a revision of either era, with a server
// whose resources can be subscribed to.
func (r *rig) anew(rev mcp.Revision) {
	r.t.Helper()
	r.begins(rev, updates)
}

// begins begins the next connection, with a server that declares something.
func (r *rig) begins(rev mcp.Revision, declared string) {
	r.t.Helper()
	if _, err := r.s.Handle(r.now, SetPin{Revision: rev}); err != nil {
		r.t.Fatal(err)
	}
	r.lines = nil
	r.connect()
	r.agree(rev, declared)
}

// What the user subscribed to is subscribed to again with the next connection,
// whatever ended the one before, in the way of the revision that it speaks.
func TestSubscriptionsOfTheConnectionBefore(t *testing.T) {
	requirements.Rows(t, "SUB-16")
	for name, end := range map[string]func(r *rig){
		"the server exits": func(r *rig) { r.closed() },
		"the user restarts": func(r *rig) {
			r.s.Tell(r.now, Disconnect{Reason: "again"})
			r.pull()
			r.closed()
		},
	} {
		for _, from := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			for _, to := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
				t.Run(name+" "+string(from)+" "+string(to), func(t *testing.T) {
					r := ready(t, from)
					var id CallID
					var wire mcp.ID
					if from.IsModern() {
						id, wire = r.hearing(mcp.Filter{Tools: true, URIs: []string{boardURI}})
					} else {
						id = r.standing(boardURI)
						wire = r.row(id).Wire
					}
					end(r)
					if n := r.row(id).Note; !strings.HasSuffix(n, beginsNext) {
						t.Errorf("note %q", n)
					}
					r.anew(to)
					method := methodSubscribe
					if to.IsModern() {
						method = methodListen
					}
					if r.sent(methodSubscribe)+r.sent(methodListen) != 1 || r.sent(method, boardURI) != 1 {
						t.Fatalf("written: %q", r.lines)
					}
					if from.IsModern() && to.IsModern() && r.sent("toolsListChanged") != 1 {
						t.Errorf("it asks for less than before: %q", r.latestSent(method))
					}
					again := mcp.Decode([]byte(r.latestSent(method))).ID
					if again == wire {
						t.Error("with the ID that it had")
					}
					row := r.row(r.s.rows.named(again).id)
					if !strings.Contains(row.Note, "#"+wire.String()+" ") || !strings.Contains(r.row(id).Note, "; begun again as #"+again.String()+" ") || strings.Contains(r.row(id).Note, beginsNext) {
						t.Errorf("notes %q, %q", row.Note, r.row(id).Note)
					}
				})
			}
		}
	}
}

// Nothing is sent for one that the next server does not declare, or whose news
// come by themselves in the next revision, and its row says so.
func TestSubscriptionsThatTheNextServerDoesNotHave(t *testing.T) {
	both := mcp.Filter{Tools: true, URIs: []string{boardURI}}
	const undeclared, update = `{"tools":{}}`, `{"resources":{"subscribe":true}}`
	for name, tt := range map[string]struct {
		asked    mcp.Filter // in the modern era; empty: the board, before it
		to       mcp.Revision
		declared string
		sent     string // what subscribes; empty: nothing
		note     string
	}{
		"legacy":           {to: mcp.Rev20251125, declared: undeclared, note: "; not begun again: the server does not declare it"},
		"legacy to modern": {to: mcp.Rev20260728, declared: undeclared, note: "; not begun again: the server does not declare it"},
		"modern":           {asked: mcp.Filter{URIs: []string{boardURI}}, to: mcp.Rev20260728, declared: undeclared, note: "; not begun again: the server does not declare it"},
		"modern to legacy": {asked: both, to: mcp.Rev20251125, declared: undeclared, note: "; not begun again: the server does not declare it"},
		"the lists":        {asked: both, to: mcp.Rev20260728, declared: undeclared, sent: `{"toolsListChanged":true}`, note: "; in part not begun again: the server does not declare it; begun again as #"},
		"the resource":     {asked: both, to: mcp.Rev20251125, declared: update, sent: boardURI, note: "; in part not begun again: in 2025-11-25 changes of lists come by themselves"},
		"no resource":      {asked: mcp.Filter{Tools: true}, to: mcp.Rev20251125, declared: update, note: "; not begun again: in 2025-11-25 changes of lists come by themselves"},
	} {
		t.Run(name, func(t *testing.T) {
			var r *rig
			var id CallID
			if len(tt.asked.Words()) > 0 {
				r = ready(t, mcp.Rev20260728)
				id, _ = r.hearing(tt.asked)
			} else {
				r = ready(t, mcp.Rev20251125)
				id = r.standing(boardURI)
			}
			r.closed()
			r.begins(tt.to, tt.declared)
			sent := r.sent(methodSubscribe) + r.sent(methodListen)
			if tt.sent == "" && sent != 0 || tt.sent != "" && (sent != 1 || r.sent("subscri", tt.sent) != 1) {
				t.Errorf("written: %q", r.lines)
			}
			row := r.row(id)
			if !strings.Contains(row.Note, tt.note) || strings.Contains(row.Note, beginsNext) || row.Sub.Carried != (tt.sent != "") {
				t.Errorf("note %q, carried %v", row.Note, row.Sub.Carried)
			}
			r.lines = nil
			r.closed()
			r.anew(tt.to)
			if again := r.sent(methodSubscribe) + r.sent(methodListen); tt.sent == "" && again != 0 {
				t.Errorf("with the connection after that: %q", r.lines)
			}
		})
	}
}

// Which request subscribes is the revision's matter, and what it has none for is
// refused with nothing sent.
func TestSubscribe(t *testing.T) {
	requirements.Rows(t, "SUB-23")
	board := mcp.Filter{URIs: []string{boardURI}}
	both := mcp.Filter{Tools: true, URIs: []string{boardURI}}
	for _, tt := range []struct {
		rev      mcp.Revision
		declares bool
		asked    mcp.Filter
		method   string
		refused  error
	}{
		{rev: mcp.Rev20251125, declares: true, asked: board, method: methodSubscribe},
		{rev: mcp.Rev20260728, declares: true, asked: board, method: methodListen},
		{rev: mcp.Rev20260728, declares: true, asked: both, method: methodListen},
		{rev: mcp.Rev20260728, asked: mcp.Filter{Tools: true}, method: methodListen},
		{rev: mcp.Rev20251125, asked: board, refused: ErrUndeclared},
		{rev: mcp.Rev20260728, asked: board, refused: ErrUndeclared},
		{rev: mcp.Rev20260728, asked: both, refused: ErrUndeclared},
		{rev: mcp.Rev20251125, declares: true, asked: both, refused: ErrNotSupported},
		{rev: mcp.Rev20251125, declares: true, asked: mcp.Filter{URIs: []string{"demo://a", "demo://b"}}, refused: errParams},
		{rev: mcp.Rev20251125, declares: true, refused: errParams},
		{rev: mcp.Rev20260728, declares: true, refused: errParams},
	} {
		r := newRig(t, Config{})
		if _, err := r.s.Handle(r.now, Subscribe{Filter: board, Idle: 0, Max: 0}); !errors.Is(err, errNotReady) {
			t.Errorf("not connected: %v", err)
		}
		declared := `{}`
		if tt.declares {
			declared = `{"resources":{"subscribe":true}}`
		}
		r.begins(tt.rev, declared)
		r.lines = nil
		_, err := r.s.Handle(r.now, Subscribe{Filter: tt.asked, Idle: 0, Max: 0})
		r.pull()
		switch {
		case tt.refused != nil && (!errors.Is(err, tt.refused) || len(r.lines) != 0):
			t.Errorf("%+v: %v, written %q", tt, err, r.lines)
		case tt.refused == nil && (err != nil || len(r.lines) != 1 || r.sent(tt.method) != 1):
			t.Errorf("%+v: %v, written %q", tt, err, r.lines)
		}
	}
}

// Each is begun again once: not one that had ended, not one that the user has
// made again meanwhile, and one whose connection ends before it was written
// with the connection after that.
func TestSubscriptionsAreBegunAgainOnce(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	ended := r.standing("demo://ended")
	r.cancel(ended, "")
	r.recv(emptyAnswer, mcp.Decode([]byte(r.latestSent(methodUnsubscribe))).ID)
	r.standing(boardURI)
	r.standing("demo://other")
	r.closed()
	r.epoch = r.s.Tell(r.now, Connect{}).Epoch
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: uriParams(boardURI)}}); err != nil {
		t.Fatal(err)
	}
	r.lines = nil
	r.pull()
	r.mute = true
	r.agree(mcp.Rev20251125, updates)
	if n := r.s.Status().InFlight; n != 4 { // with the two lists of resources
		t.Errorf("%d in flight", n)
	}
	r.closed()
	r.mute = false
	r.anew(mcp.Rev20251125)
	if r.sent(methodSubscribe) != 1 || r.sent(methodSubscribe, "demo://other") != 1 {
		t.Errorf("written: %q", r.lines)
	}
}

// The request that begins one again may stay without an answer as well: its limits
// are those that the first one had.
func TestASubscriptionThatIsBegunAgainHasItsLimits(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	first, wire := r.made(CallSpec{Method: methodSubscribe, Params: uriParams(boardURI), Idle: 3 * time.Second, Max: 7 * time.Second})
	r.recv(emptyAnswer, wire)
	r.wait(time.Hour)
	r.want(first, Running, cancel.NoVerdict)
	r.closed()
	r.anew(mcp.Rev20251125)
	second := mcp.Decode([]byte(r.latestSent(methodSubscribe))).ID
	id := r.s.rows.named(second).id
	if d, _ := r.s.Detail(id); d.Idle != 3*time.Second || d.Max != 7*time.Second {
		t.Errorf("its limits are %v and %v", d.Idle, d.Max)
	}
	r.wait(3 * time.Second)
	if row := r.row(id); row.State != Cancelling || row.Initiator != cancel.ByTimeout {
		t.Errorf("%v by %v", row.State, row.Initiator)
	}
}

// In the modern era a subscription keeps its rule all the time, and so does the one
// that the next connection begins in its place.
func TestASubscriptionThatIsBegunAgainHasItsRule(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	first, _ := r.made(CallSpec{Method: methodListen, Params: mcp.Filter{Tools: true}.Params(), Rules: Rules{After: 3 * time.Second}})
	r.wait(time.Second)
	r.want(first, Running, cancel.NoVerdict)
	r.closed()
	r.anew(mcp.Rev20260728)
	id := r.s.rows.named(mcp.Decode([]byte(r.latestSent(methodListen))).ID).id
	if d, _ := r.s.Detail(id); id == first || d.Rules.After != 3*time.Second {
		t.Errorf("row %d, its rule is %+v", id, d.Rules)
	}
	r.wait(3 * time.Second)
	if row := r.row(id); row.State == Running || row.Initiator != cancel.ByRule {
		t.Errorf("%v by %v", row.State, row.Initiator)
	}
}

// The same holds for a session over HTTP that the server has ended.
func TestSubscriptionsOfTheSessionBefore(t *testing.T) {
	w, id := standingWeb(t)
	_, out := w.tool("a")
	w.opened(out.X, Head{Status: 404})
	w.ended(out.X, End{})
	w.want(id, Lost, cancel.NoVerdict)
	if st := w.s.Status(); st.Renewed != 1 || st.Resubscribed != 1 {
		t.Errorf("%d renewed, %d subscriptions", st.Renewed, st.Resubscribed)
	}
	w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "session-8"}, mcp.Rev20251125, updates)
	w.later(time.Second)
	if n := w.count(OpWrite, methodSubscribe); n != 2 || field(w.post(methodSubscribe), headerSession) != "session-8" {
		t.Errorf("%d were posted: %v", n, w.post(methodSubscribe).Header)
	}
}
