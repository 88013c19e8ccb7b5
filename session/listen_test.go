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
	"belay/session/rawjson"
)

const (
	agreedNote  = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%v},"notifications":%s}}`
	changedNote = `{"jsonrpc":"2.0","method":"notifications/%s/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%v}}}`
	movedNote   = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%v},"uri":%q}}`
	finalAnswer = `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%v}}}`
	endNote     = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%v,"reason":"going down"}}`
)

// listens makes a subscription of the modern era.
func (r *rig) listens(f mcp.Filter) (CallID, mcp.ID) {
	r.t.Helper()
	return r.made(CallSpec{Method: methodListen, Params: f.Params()})
}

// hearing makes one that the server has agreed to.
func (r *rig) hearing(f mcp.Filter) (CallID, mcp.ID) {
	r.t.Helper()
	id, wire := r.listens(f)
	r.recv(agreedNote, wire, rawjson.At(f.Params(), "notifications"))
	if row := r.row(id); row.State != Running || !row.Sub.Active {
		r.t.Fatalf("%v, %+v", row.State, row.Sub)
	}
	r.lines = nil
	return id, wire
}

var allLists = mcp.Filter{Tools: true, Prompts: true, Resources: true}

// A subscription asks for what was chosen and nothing else; it is acknowledged,
// stays as long as it may, and no clock runs for it.
func TestHearing(t *testing.T) {
	requirements.Rows(t, "SUB-01", "SUB-03", "TMO-15")
	r := ready(t, mcp.Rev20260728)
	id, wire := r.listens(mcp.Filter{Tools: true, Prompts: true, URIs: []string{boardURI}})
	m := read(t, r.lines[0])
	if got := string(rawjson.At(m.Params, "notifications")); m.Method != methodListen ||
		got != `{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["`+boardURI+`"]}` || strings.Contains(string(m.Params), "progressToken") {
		t.Fatalf("written: %s", r.lines[0])
	}
	r.wait(ackLimit)
	if row := r.row(id); row.State != Running || row.Sub.Active || row.Note != "no acknowledgement after 10s" {
		t.Fatalf("%v, %+v, note %q", row.State, row.Sub, row.Note)
	}
	r.recv(agreedNote, wire, `{"toolsListChanged":true}`)
	row := r.row(id)
	if !row.Sub.Active || !strings.Contains(row.Note, "prompts, "+boardURI) {
		t.Errorf("%+v, note %q", row.Sub, row.Note)
	}
	d, _ := r.s.Detail(id)
	if !slices.Equal(d.Asked.Words(), []string{"tools", "prompts", boardURI}) || !slices.Equal(d.Agreed.Words(), []string{"tools"}) {
		t.Errorf("asked %v, agreed %v", d.Asked, d.Agreed)
	}
	r.wait(100 * time.Hour)
	r.want(id, Running, cancel.NoVerdict)
	r.call("a")
	r.call("b")
	if st := r.s.Status(); st.InFlight != 2 || st.UserCalls != 2 || st.Subscriptions != 1 {
		t.Errorf("%d in flight, %d of the user's, %d subscriptions", st.InFlight, st.UserCalls, st.Subscriptions)
	}
}

// Over one stream for everything the ID tells whose a message is: its type
// counts, and the order is judged for each subscription by itself.
func TestManySubscriptions(t *testing.T) {
	requirements.Rows(t, "SUB-05", "SUB-09", "SUB-10", "STD-12")
	r := ready(t, mcp.Rev20260728)
	a, first := r.hearing(mcp.Filter{Tools: true})
	b, second := r.listens(mcp.Filter{URIs: []string{boardURI}})
	c, third := r.hearing(allLists)
	r.recv(changedNote, "tools", first)
	r.recv(agreedNote, second, `{"resourceSubscriptions":["`+boardURI+`"]}`)
	r.recv(changedNote, "prompts", third)
	r.recv(movedNote, second, boardURI)
	r.recv(changedNote, "tools", first)
	for id, want := range map[CallID]int{a: 2, b: 1, c: 1} {
		if got := r.row(id).Sub.Updates; got != want {
			t.Errorf("row %d: %d updates, want %d", id, got, want)
		}
	}
	r.wantDiag(mcp.DiagSubOrder, 0)
	r.wantDiag(mcp.DiagSubTag, 0)
	r.recv(changedNote, "tools", `"`+first.String()+`"`) // another ID
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	if got := r.row(a).Sub.Updates; got != 2 {
		t.Errorf("%d updates", got)
	}
	r.wantDiag(mcp.DiagUnsubscribed, 1)
	r.wantDiag(mcp.DiagSubTag, 1)
}

// What must not come is told, and shown all the same.
func TestEverySubscriptionDiagnostic(t *testing.T) {
	requirements.Rows(t, "SUB-02", "SUB-04", "SUB-08", "SUB-18", "CXS-13", "CXS-14", "SDX-04")
	r := ready(t, mcp.Rev20260728)
	id, wire := r.listens(mcp.Filter{Tools: true})
	r.recv(changedNote, "tools", wire)
	r.recv(agreedNote, wire, `{"toolsListChanged":true}`)
	r.recv(agreedNote, wire, `{"toolsListChanged":true}`)
	r.wantDiag(mcp.DiagSubOrder, 2)
	r.recv(changedNote, "prompts", wire)
	r.recv(movedNote, wire, boardURI)
	r.wantDiag(mcp.DiagUnsubscribed, 2)
	if row := r.row(id); row.Sub.Updates != 1 || !row.Sub.Active { // nothing but what it asked for is its own
		t.Errorf("%+v", row.Sub)
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	r.wantDiag(mcp.DiagSubTag, 1)
	call, other := r.call("t")
	before := r.row(call)
	r.recv(endNote, other)
	r.recv(endNote, 99)
	r.wantDiag(mcp.DiagCancelNoSubscription, 2)
	if r.row(call) != before {
		t.Errorf("%+v", r.row(call))
	}

	w := modernWeb(t)
	id, wire, x := w.listensOn()
	w.recvOn(x, agreedNote, wire, `{"toolsListChanged":true}`)
	w.recvOn(x, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	w.wantDiag(mcp.DiagSubTag, 1)
	w.recvOn(x, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`)
	w.recvOn(x, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x","progress":1}}`)
	w.wantDiag(mcp.DiagSubStream, 2)
	if row := w.row(id); row.Sub.Updates != 1 {
		t.Errorf("%+v", row.Sub)
	}
	w.recvOn(x, changedNote, "tools", 999) // its stream, and the name of another one
	w.recvOn(x, movedNote, wire, boardURI)
	w.wantDiag(mcp.DiagSubTag, 2)
	w.wantDiag(mcp.DiagUnsubscribed, 1)
	if row := w.row(id); row.Sub.Updates != 1 {
		t.Errorf("%+v", row.Sub)
	}
	w.stop(id, "")
	w.recvOn(x, changedNote, "tools", 999)
	if row := w.row(id); row.AfterCount != 0 {
		t.Errorf("a message of another subscription is evidence: %d", row.AfterCount)
	}

	r = ready(t, mcp.Rev20251125)
	r.recv(updatedNote, boardURI)
	r.wantDiag(mcp.DiagUpdateUnasked, 1)
}

// The user ends one as any other request: by notifications/cancelled that names
// it on stdio, by closing its exchange over HTTP, where nothing is posted.
func TestEndingASubscription(t *testing.T) {
	requirements.Rows(t, "SUB-11")
	r := ready(t, mcp.Rev20260728)
	id, wire := r.hearing(allLists)
	r.cancel(id, "enough")
	if r.sent("notifications/cancelled", `"requestId":`+wire.String(), "enough") != 1 || len(r.lines) != 1 {
		t.Errorf("written: %q", r.lines)
	}
	r.recv(finalAnswer, wire, wire)
	r.want(id, Cancelled, cancel.Acknowledged)
	r.wantDiag(mcp.DiagAfterCancel, 0)
	r.recv(changedNote, "tools", wire)
	if row := r.row(id); row.AfterCount != 1 || row.Sub.Updates != 0 {
		t.Errorf("%d after the cancel, %+v", row.AfterCount, row.Sub)
	}

	w := modernWeb(t)
	id, wire, x := w.listensOn()
	w.recvOn(x, agreedNote, wire, `{"toolsListChanged":true}`)
	posts := w.count(OpWrite)
	w.stop(id, "enough")
	if !w.aborted(x) || w.count(OpWrite) != posts {
		t.Error("not closed, or something was posted")
	}
	w.ended(x, End{Err: "belay closed it"})
	w.want(id, Cancelled, cancel.StreamClosed)
}

// A server ends one by its result, by a cancel that names it, and by the end of
// the stream, in any order: it is one end, in whatever form it came first.
func TestServerEndsASubscription(t *testing.T) {
	requirements.Rows(t, "SUB-13", "CXS-12", "CXS-15", "CXS-16", "CXS-17")
	forms := map[string]func(w *webRig, x ExchangeID, wire mcp.ID){
		"result":    func(w *webRig, x ExchangeID, wire mcp.ID) { w.recvOn(x, finalAnswer, wire, wire) },
		"cancelled": func(w *webRig, x ExchangeID, wire mcp.ID) { w.recvOn(x, endNote, wire) },
		"end":       func(w *webRig, x ExchangeID, _ mcp.ID) { w.ended(x, End{}) },
	}
	for _, order := range [][]string{
		{"result"},
		{"cancelled"},
		{"result", "cancelled"},
		{"cancelled", "result"},
		{"result", "end"},
		{"cancelled", "end"},
		{"result", "cancelled", "end"},
		{"cancelled", "result", "end"},
	} {
		for _, transport := range []mcp.Transport{mcp.Stdio, mcp.HTTP} {
			if transport == mcp.Stdio && slices.Contains(order, "end") {
				continue // the end of its stream is the end of the connection
			}
			t.Run(fmt.Sprint(transport, order), func(t *testing.T) {
				w, x, id, wire := hearsOn(t, transport)
				ended := w.events("has ended; it is not begun again")
				for _, form := range order {
					forms[form](w, x, wire)
				}
				row := w.row(id)
				if row.State != Done || !row.Sub.ByServer || !strings.HasPrefix(row.Note, "ended by the server") {
					t.Fatalf("%v, %+v, note %q", row.State, row.Sub, row.Note)
				}
				if order[0] == "cancelled" && !strings.Contains(row.Note, `"going down"`) {
					t.Errorf("note %q", row.Note)
				}
				d, _ := w.s.Detail(id)
				ends := 0
				for _, m := range d.Timeline {
					if m.Kind == MomEnded {
						ends++
					}
				}
				if n := len(w.events("has ended; it is not begun again")) - len(ended); ends != 1 || n != 1 {
					t.Errorf("%d ends on the timeline, told %d times", ends, n)
				}
				for _, code := range []mcp.DiagCode{mcp.DiagDuplicateAnswer, mcp.DiagUnknownAnswer, mcp.DiagCancelNoSubscription, mcp.DiagSubTag} {
					w.wantDiag(code, 0)
				}
				posts := w.count(OpWrite)
				w.lines = nil
				w.later(time.Hour)
				if w.count(OpWrite) != posts || len(w.lines) != 0 {
					t.Error("it was begun again by itself, or something was sent for it")
				}
				if r := w.s.Status(); r.Subscriptions != 0 {
					t.Errorf("%d subscriptions", r.Subscriptions)
				}
			})
		}
	}
}

// listensOn makes a subscription whose stream is open.
func (w *webRig) listensOn() (CallID, mcp.ID, ExchangeID) {
	w.t.Helper()
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodListen, Params: allLists.Params()}}))
	if err != nil {
		w.t.Fatal(err)
	}
	w.pump()
	x := w.post(methodListen).X
	w.stream(x)
	return id, w.row(id).Wire, x
}

// hearsOn is a subscription that is acknowledged, on either transport.
func hearsOn(t *testing.T, transport mcp.Transport) (w *webRig, x ExchangeID, id CallID, wire mcp.ID) {
	if transport == mcp.HTTP {
		w = modernWeb(t)
		id, wire, x = w.listensOn()
	} else {
		w = &webRig{rig: ready(t, mcp.Rev20260728)}
		id, wire = w.listens(allLists)
		x = ExchangeID{Epoch: w.epoch}
	}
	w.recvOn(x, agreedNote, wire, `{"toolsListChanged":true}`)
	return w, x, id, wire
}

// A subscription that was begun again has another ID: that the server ends the one before, whose stream broke,
// says nothing of it.
func TestTheServerEndsTheRequestBefore(t *testing.T) {
	requirements.Rows(t, "CXS-15")
	for _, left := range []bool{false, true} {
		w, x, id, before := hearsOn(t, mcp.HTTP)
		w.ended(x, End{Err: "reset"})
		w.later(maxBackoff)
		again := w.agrees(id)
		w.recvOn(again, endNote, before)
		w.want(id, Running, cancel.NoVerdict)
		if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		if left {
			w.pump()
		}
		w.recvOn(again, endNote, before)
		w.want(id, Cancelling, cancel.NoVerdict)
		if e := w.evidence(id); strings.Contains(e, "as well") {
			t.Errorf("left: %v: %s", left, e)
		}
	}
}

// The result of a subscription names it; one that does not is told.
func TestFinalResultNamesItsSubscription(t *testing.T) {
	requirements.Rows(t, "SUB-14")
	for result, wrong := range map[string]int{
		`{"resultType":"complete"}`: 1,
		`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":99}}`: 1,
		`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%v}}`: 0,
	} {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.hearing(allLists)
		if wrong == 0 {
			result = fmt.Sprintf(result, wire)
		}
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, result)
		r.want(id, Done, cancel.NoVerdict)
		r.wantDiag(mcp.DiagSubTag, wrong)
	}
}

// An error is the answer that there is no subscription, and is shown.
func TestSubscriptionThatIsRefused(t *testing.T) {
	requirements.Rows(t, "SUB-22")
	for _, code := range []int{-32601, -32021} {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.listens(allLists)
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":%d,"message":"no"}}`, wire, code)
		d, _ := r.s.Detail(id)
		if d.State != Failed || d.Err == nil || d.Err.Code != int64(code) || d.Sub.ByServer {
			t.Errorf("%v, %+v", d.State, d.Err)
		}
	}
}

// belay listens by itself for the lists that change: it is no work of the
// user's. When the server or the user ends that, it is over for this connection.
func TestOwnSubscription(t *testing.T) {
	requirements.Rows(t, "SUB-12")
	for name, end := range map[string]func(r *rig, own Row){
		"a result": func(r *rig, own Row) { r.recv(finalAnswer, own.Wire, own.Wire) },
		"a cancel": func(r *rig, own Row) { r.recv(endNote, own.Wire) },
		"the user": func(r *rig, own Row) { r.cancel(own.ID, ""); r.recv(finalAnswer, own.Wire, own.Wire) },
	} {
		t.Run(name, func(t *testing.T) {
			r := aged(t)
			r.lists(fresh)
			own := r.own()
			if m := read(t, r.latestSent(methodListen)); string(rawjson.At(m.Params, "notifications")) != `{"toolsListChanged":true}` {
				t.Fatalf("written: %s", m.Params)
			}
			if st := r.s.Status(); st.InFlight != 0 || st.UserCalls != 0 || own.Origin != FromBelay {
				t.Errorf("%+v", st)
			}
			r.recv(agreedNote, own.Wire, `{"toolsListChanged":true}`)
			r.lines = nil
			r.wait(time.Hour)
			r.recv(changedNote, "tools", own.Wire)
			r.wait(refreshPause)
			if r.sent("tools/list") != 1 || r.s.Tell(r.now, CancelAll{Reason: "all"}).Cancelled != 1 { // the list that is being fetched
				t.Errorf("written: %q", r.lines)
			}
			r.wait(time.Minute)
			end(r, own)
			if got := r.row(own.ID); got.Sub.ByServer != (name != "the user") || !got.State.IsTerminal() {
				t.Errorf("%v, %+v", got.State, got.Sub)
			}
			r.lines = nil
			r.wait(time.Hour)
			if r.sent(methodListen) != 0 {
				t.Error("begun again against the wish of who ended it")
			}
		})
	}
}

// own is belay's own subscription that is in flight.
func (r *rig) own() Row {
	r.t.Helper()
	for _, row := range r.s.InFlight(nil, 100) {
		if row.Sub.IsListen && row.Origin == FromBelay {
			return row
		}
	}
	r.t.Fatal("belay does not listen")
	return Row{}
}

// A server that takes no subscription, or agrees to nothing, is not asked again.
func TestOwnSubscriptionThatIsRefused(t *testing.T) {
	for name, play := range map[string]func(r *rig, wire mcp.ID){
		"error": func(r *rig, wire mcp.ID) {
			r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32601,"message":"no"}}`, wire)
		},
		"nothing": func(r *rig, wire mcp.ID) {
			r.recv(agreedNote, wire, `{}`)
			r.recv(finalAnswer, wire, wire)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := aged(t)
			r.lists(fresh)
			play(r, r.own().Wire)
			r.lines = nil
			r.wait(time.Hour)
			if r.sent(methodListen) != 0 || r.eventRemedies()[RemedyReload] != 1 {
				t.Errorf("written: %q; can be done: %v", r.lines, r.eventRemedies())
			}
		})
	}
}

// A server that ends a subscription as well, which belay has cancelled, has taken its end:
// the verdict says so, whatever the form.
func TestTheServerEndsACancelledSubscriptionAsWell(t *testing.T) {
	requirements.Rows(t, "CXS-15")
	const says = `the server ended the subscription as well, by notifications/cancelled: "going down"`
	t.Run("before the cancel leaves", func(t *testing.T) {
		w, x, id, wire := hearsOn(t, mcp.Stdio)
		w.lines = nil
		if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		w.s.Receive(w.now, x, mcp.Decode(fmt.Appendf(nil, endNote, wire)))
		w.pull()
		w.want(id, Done, cancel.NoVerdict)
		if note := w.row(id).Note; !strings.HasPrefix(note, "ended by the server before the cancel left, which was not sent") || len(w.lines) != 0 {
			t.Errorf("%q, and written: %v", note, w.lines)
		}
	})
	for name, transport := range map[string]mcp.Transport{"in the grace": mcp.Stdio, "before its exchange has ended": mcp.HTTP} {
		t.Run(name, func(t *testing.T) {
			w, x, id, wire := hearsOn(t, transport)
			if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			if w.pump(); transport == mcp.Stdio {
				w.pull()
			}
			w.later(time.Second)
			w.want(id, Cancelling, cancel.NoVerdict)
			w.recvOn(x, endNote, wire)
			w.want(id, Cancelled, cancel.Acknowledged)
			w.recvOn(x, finalAnswer, wire, wire)
			w.want(id, Cancelled, cancel.Acknowledged)
			if e := w.evidence(id); strings.Count(e, says) != 1 {
				t.Error(e)
			}
			for _, code := range []mcp.DiagCode{mcp.DiagDuplicateAnswer, mcp.DiagUnknownAnswer, mcp.DiagCancelNoSubscription} {
				w.wantDiag(code, 0)
			}
		})
	}
	t.Run("after the grace", func(t *testing.T) {
		w, x, id, wire := hearsOn(t, mcp.Stdio)
		w.pings = true
		w.cancel(id, "")
		w.wait(10 * time.Second)
		w.want(id, Cancelled, cancel.Quiet)
		w.recvOn(x, endNote, wire)
		w.want(id, Cancelled, cancel.Acknowledged)
		w.recvOn(x, endNote, wire) // which is no news
		if e := w.evidence(id); strings.Count(e, says) != 1 {
			t.Error(e)
		}
	})
}
