package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session/mcp"
)

// anew begins the next connection, in a revision of either era.
func (r *rig) anew(rev mcp.Revision) {
	r.t.Helper()
	if err := r.s.SetPin(r.now, rev); err != nil {
		r.t.Fatal(err)
	}
	r.lines = nil
	r.epoch = r.s.Connect(r.now)
	r.pull()
	opening := mcp.Decode([]byte(r.lines[0]))
	if rev.Modern() {
		r.recv(discoverAnswer, opening.ID, `["2026-07-28"]`, `{"logging":{}}`)
	} else {
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":`+initResult+`}`, opening.ID, rev)
	}
	if st := r.s.Status(); st.Phase != Ready {
		r.t.Fatalf("%v: %+v", st.Phase, st.Failure)
	}
}

// What the user subscribed to is subscribed to again with the next connection,
// whatever ended the one before, in the way of the revision that it speaks.
func TestSubscriptionsOfTheConnectionBefore(t *testing.T) {
	covers.Rows(t, "SUB-16")
	for name, end := range map[string]func(r *rig){
		"the server exits": func(r *rig) { r.closed() },
		"the user restarts": func(r *rig) {
			r.s.Disconnect(r.now, "again")
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
					if from.Modern() {
						id, wire = r.hearing(mcp.Filter{Tools: true, URIs: []string{boardURI}})
					} else {
						id = r.standing(boardURI)
						wire = r.row(id).Wire
					}
					end(r)
					if n := r.row(id).Note; !strings.HasSuffix(n, "; the next connection begins it again") {
						t.Errorf("note %q", n)
					}
					r.anew(to)
					method := methodSubscribe
					if to.Modern() {
						method = methodListen
					}
					if r.sent(methodSubscribe)+r.sent(methodListen) != 1 || r.sent(method, boardURI) != 1 {
						t.Fatalf("written: %q", r.lines)
					}
					if from.Modern() && to.Modern() && r.sent("toolsListChanged") != 1 {
						t.Errorf("it asks for less than before: %q", r.latestSent(method))
					}
					again := mcp.Decode([]byte(r.latestSent(method))).ID
					if again == wire {
						t.Error("with the ID that it had")
					}
					row := r.row(r.s.rows.named(again).id)
					if !strings.Contains(row.Note, "#"+wire.String()+" ") || !strings.Contains(r.row(id).Note, "; begun again as #"+again.String()+" ") {
						t.Errorf("notes %q, %q", row.Note, r.row(id).Note)
					}
				})
			}
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
	r.epoch = r.s.Connect(r.now)
	if _, err := r.s.Call(r.now, Call{Method: methodSubscribe, Params: uriParams(boardURI)}); err != nil {
		t.Fatal(err)
	}
	r.lines = nil
	r.pull()
	opening := mcp.Decode([]byte(r.lines[0])).ID
	r.mute = true
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":`+initResult+`}`, opening, mcp.Rev20251125)
	if n := r.s.Status().InFlight; n != 2 {
		t.Errorf("%d in flight", n)
	}
	r.closed()
	r.mute = false
	r.anew(mcp.Rev20251125)
	if r.sent(methodSubscribe) != 1 || r.sent(methodSubscribe, "demo://other") != 1 {
		t.Errorf("written: %q", r.lines)
	}
}

// The same holds for a session over HTTP that the server has ended.
func TestSubscriptionsOfTheSessionBefore(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.later(listenHold)
	id, err := w.s.Call(w.now, Call{Method: methodSubscribe, Params: uriParams(boardURI)})
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	x := w.post(methodSubscribe).X
	w.opened(x, Head{Status: 200, Media: mediaJSON})
	w.recvOn(x, emptyAnswer, w.row(id).Wire)
	w.ended(x, End{})
	_, out := w.tool("a")
	w.opened(out.X, Head{Status: 404})
	w.ended(out.X, End{})
	w.want(id, Lost, NoVerdict)
	if st := w.s.Status(); st.Renewed != 1 || st.Resubscribed != 1 {
		t.Errorf("%d renewed, %d subscriptions", st.Renewed, st.Resubscribed)
	}
	init := w.post("initialize")
	w.opened(init.X, Head{Status: 200, Media: mediaJSON, Session: "session-8"})
	w.recvOn(init.X, `{"jsonrpc":"2.0","id":%v,"result":`+initResult+`}`, mcp.Decode(init.Data).ID, mcp.Rev20251125)
	w.ended(init.X, End{})
	w.later(time.Second)
	if n := w.count(OpWrite, methodSubscribe); n != 2 || field(w.post(methodSubscribe), headerSession) != "session-8" {
		t.Errorf("%d were posted: %v", n, w.post(methodSubscribe).Header)
	}
}
