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

const (
	boardURI    = "demo://board"
	updatedNote = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":%q}}`
	emptyAnswer = `{"jsonrpc":"2.0","id":%v,"result":{}}`
)

// subscribe makes a row that subscribes to a resource.
func (r *rig) subscribe(uri string) (CallID, mcp.ID) {
	r.t.Helper()
	return r.made(CallSpec{Method: methodSubscribe, Params: fmt.Appendf(nil, `{"uri":%q}`, uri)})
}

// standing makes a subscription that the server has agreed to.
func (r *rig) standing(uri string) CallID {
	r.t.Helper()
	id, wire := r.subscribe(uri)
	r.recv(emptyAnswer, wire)
	if row := r.row(id); row.State != Running || !row.Sub.Active {
		r.t.Fatalf("%v, %+v", row.State, row.Sub)
	}
	r.lines = nil
	return id
}

// standingWeb is a rig over HTTP with a subscription that stands.
func standingWeb(t *testing.T) (*webRig, CallID) {
	t.Helper()
	w := readyWeb(t, mcp.Rev20251125)
	w.later(serverStreamWait)
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: uriParams(boardURI)}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	x := w.post(methodSubscribe).X
	w.opened(x, Head{Status: 200, Media: mediaJSON})
	w.recvOn(x, emptyAnswer, w.row(id).Wire)
	w.ended(x, End{})
	return w, id
}

// latestSent is the last message of a method that the server has read.
func (r *rig) latestSent(method string) string {
	r.t.Helper()
	for _, line := range slices.Backward(r.lines) {
		if read(r.t, line).Method == method {
			return line
		}
	}
	r.t.Fatalf("no %s among %q", method, r.lines)
	return ""
}

// A subscription stays when its request is answered: without a clock, without
// being work, and with what comes for it counted.
func TestSubscriptionStands(t *testing.T) {
	requirements.Rows(t, "SUB-19", "SUB-24")
	r := ready(t, mcp.Rev20251125)
	id := r.standing(boardURI)
	r.wait(3 * time.Hour)
	if st := r.s.Status(); st.InFlight != 0 || st.UserCalls != 0 || st.Subscriptions != 1 {
		t.Errorf("%d in flight, %d of the user's, %d subscriptions", st.InFlight, st.UserCalls, st.Subscriptions)
	}
	r.recv(updatedNote, boardURI)
	r.wait(time.Minute)
	r.recv(updatedNote, boardURI+"/corner")
	r.recv(updatedNote, boardURI+"-else") // no part of it
	r.recv(updatedNote, "demo://other")
	row := r.row(id)
	if row.State != Running || row.Sub.Updates != 2 || !row.Sub.Last.Equal(r.now) || len(r.lines) != 0 {
		t.Errorf("%v, %+v, written %q", row.State, row.Sub, r.lines)
	}
	r.wantDiag(mcp.DiagUpdateUnasked, 2)
	d, _ := r.s.Detail(id)
	updates := 0
	for _, m := range d.Timeline {
		if m.Kind == MomUpdate && strings.Contains(m.Text, boardURI) {
			updates++
		}
	}
	if updates != 2 {
		t.Errorf("%d updates on its timeline", updates)
	}
}

// The error that a server answered to the end of a subscription is forgotten
// like that of any other row, once there are too many.
func TestErrorsOfSubscriptionsAreForgotten(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.FinishedRows = 1 })
	id := r.standing(boardURI)
	r.cancel(id, "enough")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"no","data":"`+strings.Repeat("x", 1000)+`"}}`, r.row(id).Latest)
	r.want(id, Cancelled, cancel.AnsweredError)
	for range 2 {
		done, wire := r.call("t")
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
		r.want(done, Done, cancel.NoVerdict)
	}
	if _, kept := r.s.Row(id); kept {
		t.Error("its row is still kept")
	}
}

// What a server does about the end of a subscription, over stdio in each of the
// handshake revisions: never is notifications/cancelled sent for it.
func TestUnsubscribing(t *testing.T) {
	for name, tt := range map[string]struct {
		play    func(r *rig, wire mcp.ID)
		change  func(*Config)
		verdict cancel.Verdict
	}{
		"acknowledged": {play: func(r *rig, wire mcp.ID) { r.recv(emptyAnswer, wire) }, verdict: cancel.Acknowledged},
		"much later":   {play: func(r *rig, wire mcp.ID) { r.wait(time.Hour); r.recv(emptyAnswer, wire) }, verdict: cancel.Acknowledged},
		"an error": {play: func(r *rig, wire mcp.ID) {
			r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"not subscribed"}}`, wire)
		}, verdict: cancel.AnsweredError},
		"silence":              {play: func(r *rig, _ mcp.ID) { r.pings = true; r.wait(time.Minute) }, verdict: cancel.Quiet},
		"silence all the more": {play: func(r *rig, _ mcp.ID) { r.wait(time.Minute) }, verdict: cancel.ServerUnresponsive},
		"nobody asks":          {play: func(r *rig, _ mcp.ID) { r.wait(time.Minute) }, change: func(c *Config) { c.NoProbe = true }, verdict: cancel.NothingHeard},
		"death":                {play: func(r *rig, _ mcp.ID) { r.closed() }, verdict: cancel.ServerDied},
	} {
		for _, rev := range mcp.Handshakes() {
			t.Run(name+" "+string(rev), func(t *testing.T) {
				change := tt.change
				if change == nil {
					change = func(*Config) {}
				}
				r := ready(t, rev, change)
				id := r.standing(boardURI)
				r.cancel(id, "enough")
				r.want(id, Cancelling, cancel.NoVerdict)
				m := read(t, r.latestSent(methodUnsubscribe))
				if len(r.lines) != 1 || string(m.Params) != `{"uri":"`+boardURI+`"}` {
					t.Fatalf("written: %q", r.lines)
				}
				wire := mcp.Decode([]byte(r.lines[0])).ID
				r.wait(300 * time.Millisecond)
				tt.play(r, wire)
				r.check()
				r.want(id, Cancelled, tt.verdict)
				if r.sent("notifications/cancelled") != 0 {
					t.Errorf("written: %q", r.lines)
				}
				r.wantDiag(mcp.DiagDuplicateAnswer, 0)
			})
		}
	}
}

// While its request is unanswered, it is cancelled as the request that it is.
func TestSubscribeThatIsNotAnswered(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.subscribe(boardURI)
	r.lines = nil
	r.cancel(id, "enough")
	if r.sent("notifications/cancelled", `"requestId":`+wire.String()) != 1 || r.sent(methodUnsubscribe) != 0 {
		t.Errorf("written: %q", r.lines)
	}
	r.recv(emptyAnswer, wire)
	if row := r.row(id); row.State != Cancelled || row.Sub.Active {
		t.Errorf("%v, %+v", row.State, row.Sub)
	}
}

// A rule ends a subscription after a time of its own: that of a human, who was
// asked before the server agreed, does not count.
func TestTheRuleOfASubscriptionWaitsForAHuman(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.made(CallSpec{Method: methodSubscribe, Params: uriParams(boardURI), Rules: Rules{After: 10 * time.Second}})
	r.wait(time.Second)
	r.recv(samplingAsk, 1)
	r.wait(time.Hour)
	r.recv(emptyAnswer, wire)
	r.wait(9*time.Second - 1)
	r.want(id, Running, cancel.NoVerdict)
	r.wait(1)
	if row := r.row(id); row.State != Cancelling || row.Initiator != cancel.ByRule {
		t.Errorf("%v by %v", row.State, row.Initiator)
	}
}

// What the server has agreed to before the cancel left, stands: it is ended as a
// subscription is.
func TestSubscriptionThatStandsBeforeItsCancelLeft(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.subscribe(boardURI)
	r.lines, r.mute = nil, true
	r.cancel(id, "enough")
	r.recv(emptyAnswer, wire)
	r.want(id, Cancelling, cancel.NoVerdict)
	r.mute = false
	r.pull()
	r.check()
	if r.sent(methodUnsubscribe) != 1 || r.sent("notifications/cancelled") != 0 {
		t.Fatalf("written: %q", r.lines)
	}
	r.recv(emptyAnswer, r.row(id).Latest)
	r.want(id, Cancelled, cancel.Acknowledged)
}

// An unsubscribe that the server does not take in time is told as not delivered;
// when it takes it after all, its answer is evidence.
func TestUnsubscribeThatIsNotWritten(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id := r.standing(boardURI)
	r.mute = true
	r.cancel(id, "")
	r.wait(cancel.UndeliveredAfter)
	r.want(id, Cancelled, cancel.NotDelivered)
	r.mute = false
	r.pull()
	r.check()
	r.recv(emptyAnswer, mcp.Decode([]byte(r.latestSent(methodUnsubscribe))).ID)
	r.wantDiag(mcp.DiagDuplicateAnswer, 0)
	r.wantDiag(mcp.DiagUnknownAnswer, 0)
	d, _ := r.s.Detail(id)
	if !slices.ContainsFunc(d.Evidence, func(e cancel.Evidence) bool { return strings.Contains(e.Text, "subscription is ended") }) {
		t.Errorf("%+v", d.Evidence)
	}
}

// Leaving is the end of all subscriptions: nothing is sent for them but the
// closing of the connection.
func TestSubscriptionsEndWithTheConnection(t *testing.T) {
	for name, leave := range map[string]func(r *rig){
		"quit":       func(r *rig) { r.s.Tell(r.now, Quit{}) },
		"disconnect": func(r *rig) { r.s.Tell(r.now, Disconnect{Reason: "enough"}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id := r.standing(boardURI)
			leave(r)
			r.pull()
			r.wantLines("CLOSE")
			r.closed()
			r.want(id, Done, cancel.NoVerdict) // nothing is lost that was to come
		})
	}
}

// One row stands for a resource: the end of one of two would be that of both.
func TestSubscribingTwice(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id := r.standing(boardURI)
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: []byte(`{"uri":"` + boardURI + `"}`)}}); err == nil {
		t.Fatal("a second subscription to the same resource")
	}
	r.cancel(id, "")
	next := r.standing(boardURI) // while the first is being ended
	r.recv(updatedNote, boardURI)
	if r.row(next).Sub.Updates != 1 || r.row(id).Sub.Updates != 0 {
		t.Errorf("%+v, %+v", r.row(next).Sub, r.row(id).Sub)
	}
}

// No question of the server's belongs to a subscription, and none of its clocks
// is held up.
func TestQuestionsAreNoSubscriptions(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.subscribe(boardURI)
	r.recv(samplingAsk, 7)
	if r.s.Questions()[0].Owners != 1 {
		t.Fatal("it may belong to a request that is not answered yet")
	}
	r.recv(emptyAnswer, wire)
	r.recv(samplingAsk, 8)
	all := r.s.Questions()
	if !all[0].Orphaned || all[1].Owners != 0 || !all[1].Unsolicited == (all[1].Owners == 0) || r.row(id).AsksYou || r.row(id).Paused {
		t.Errorf("%+v", all)
	}
}

// Over HTTP the unsubscribe is a POST of its own with an answer of its own, and
// what its exchange does is what the server did.
func TestUnsubscribingOverHTTP(t *testing.T) {
	for name, tt := range map[string]struct {
		play    func(w *webRig, out Output)
		verdict cancel.Verdict
	}{
		"acknowledged": {func(w *webRig, out Output) {
			w.opened(out.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(out.X, emptyAnswer, mcp.Decode(out.Data).ID)
			w.ended(out.X, End{})
		}, cancel.Acknowledged},
		"in a stream": {func(w *webRig, out Output) {
			w.stream(out.X)
			w.recvOn(out.X, emptyAnswer, mcp.Decode(out.Data).ID)
			w.ended(out.X, End{})
		}, cancel.Acknowledged},
		"refused": {func(w *webRig, out Output) {
			w.opened(out.X, Head{Status: 500})
			w.ended(out.X, End{})
		}, cancel.NotDelivered},
		"broken": {func(w *webRig, out Output) { w.ended(out.X, End{Err: "connection refused"}) }, cancel.NotDelivered},
		"no answer in it": {func(w *webRig, out Output) {
			w.stream(out.X)
			w.ended(out.X, End{})
			w.later(time.Minute)
		}, cancel.ServerUnresponsive},
	} {
		t.Run(name, func(t *testing.T) {
			w, id := standingWeb(t)
			w.later(time.Hour)
			w.recvOn(w.gets()[0].X, updatedNote, boardURI)
			if row := w.row(id); row.State != Running || row.Sub.Updates != 1 {
				t.Fatalf("%v, %+v", row.State, row.Sub)
			}
			w.stop(id, "enough")
			out := w.post(methodUnsubscribe)
			tt.play(w, out)
			w.want(id, Cancelled, tt.verdict)
			if told := w.evidenceOf(id); tt.verdict == cancel.NotDelivered && !strings.Contains(told, methodUnsubscribe+" was not accepted") || strings.Contains(told, "the cancel was not accepted") {
				t.Errorf("it is told as %s", told)
			}
			if n := w.count(OpWrite, "notifications/cancelled"); n != 0 {
				t.Errorf("%d cancels were posted", n)
			}
		})
	}
}

// Where a server has no stream of its own, its updates have no way to come.
func TestSubscriptionWithoutAStream(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.opened(get, Head{Status: 405})
	w.ended(get, End{})
	id, _ := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: []byte(`{"uri":"` + boardURI + `"}`)}}))
	w.pump()
	x := w.post(methodSubscribe).X
	w.opened(x, Head{Status: 200, Media: mediaJSON})
	w.recvOn(x, emptyAnswer, w.row(id).Wire)
	w.ended(x, End{})
	if !strings.Contains(w.note(id), "no way to come") {
		t.Errorf("note %q", w.note(id))
	}
}

// What the next connection begins again is known also when the row of it is kept
// no more.
func TestASubscriptionOutlivesItsRow(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.FinishedRows = 1 })
	id := r.standing(boardURI)
	for range 3 {
		r.call("t")
	}
	r.closed()
	r.check()
	if _, kept := r.s.Row(id); kept {
		t.Fatal("its row is still kept")
	}
	r.anew(mcp.Rev20251125)
	if r.sent(methodSubscribe, boardURI) != 1 {
		t.Errorf("written: %q", r.lines)
	}
}

// An unsubscribe that leaves when its row has ended already is not kept open for
// ever.
func TestAnUnsubscribeThatLeavesTooLate(t *testing.T) {
	w, id := standingWeb(t)
	if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(cancel.UndeliveredAfter)
	w.s.Tell(w.now, Tick{})
	w.want(id, Cancelled, cancel.NotDelivered)
	w.pump()
	late := w.post(methodUnsubscribe).X
	w.later(takeLimit - time.Second)
	if w.aborted(late) {
		t.Error("its answer could still have come")
	}
	w.later(time.Second)
	if !w.aborted(late) {
		t.Error("its exchange is left open")
	}
}
