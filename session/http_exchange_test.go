package session

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestHeadersOfASession(t *testing.T) {
	requirements.Rows(t, "HTL-05", "HTL-08", "HTL-26", "HTL-39", "HTL-45", "HTL-46")
	for _, rev := range []mcp.Revision{mcp.Rev20250326, mcp.Rev20250618, mcp.Rev20251125} {
		t.Run(string(rev), func(t *testing.T) {
			w := readyWeb(t, rev)
			if init := w.post("initialize"); field(init, headerSession) != "" || field(init, headerVersion) != "" {
				t.Errorf("initialize went with %v", init.Header)
			}
			id, _ := w.tool("slow")
			w.stop(id, "enough")
			version := ""
			if rev >= mcp.Rev20250618 {
				version = string(rev)
			}
			outs := []Output{w.post("notifications/initialized"), w.post("tools/call"), w.post("notifications/cancelled"), w.gets()[0]}
			w.s.Tell(w.now, Quit{})
			w.pump()
			outs = append(outs, w.outs[len(w.outs)-1])
			for _, out := range outs {
				if field(out, headerSession) != "session-7" || field(out, headerVersion) != version {
					t.Errorf("op %d %s went with %v", out.Op, out.Data, out.Header)
				}
			}
			if last := outs[len(outs)-1]; last.Op != OpClose {
				t.Errorf("the session was not ended: %v", last)
			}
		})
	}
}

func TestNothingOvertakesInitialized(t *testing.T) {
	w := newWebRig(t)
	w.auto = false
	x := w.post("initialize").X
	w.opened(x, Head{Status: 200, Media: mediaJSON})
	w.recvOn(x, "%s", agreement(w.opening().Latest, mcp.Rev20251125, logging))
	if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/list"}}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	if w.count(OpWrite, "tools/list") != 0 || len(w.gets()) != 0 {
		t.Error("a request or the GET left before initialized was accepted")
	}
	w.opened(w.post("notifications/initialized").X, Head{Status: 202})
	w.later(serverStreamWait)
	if w.count(OpWrite, "tools/list") != 1 || len(w.gets()) != 1 {
		t.Error("nothing left after initialized was accepted")
	}
}

// The two shapes of an answer give the same row, whose timeline says which it
// was (HTL-12, HTM-06).
func TestJSONAndStream(t *testing.T) {
	requirements.Rows(t, "HTL-12", "HTM-06")
	for name, begin := range map[string]func() *webRig{
		"handshake": func() *webRig { return readyWeb(t, mcp.Rev20251125) },
		"stateless": func() *webRig { return modernWeb(t) },
	} {
		var rows []Row
		for media, words := range map[string]string{mediaJSON: "HTTP 200, JSON", mediaStream: "HTTP 200, a stream of events"} {
			w := begin()
			id, out := w.tool("slow")
			w.opened(out.X, Head{Status: 200, Media: media})
			w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, w.row(id).Wire)
			w.ended(out.X, End{})
			w.want(id, Done, cancel.NoVerdict)
			d, _ := w.s.Detail(id)
			if !slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Text == words }) {
				t.Errorf("%s: the timeline does not say %q: %+v", name, words, d.Timeline)
			}
			rows = append(rows, w.row(id))
		}
		if !reflect.DeepEqual(rows[0], rows[1]) {
			t.Errorf("%s: the rows differ:\n%+v\n%+v", name, rows[0], rows[1])
		}
	}
}

// What is accepted with another status of success is accepted, and told.
func TestAcceptedWithAnotherStatus(t *testing.T) {
	requirements.Rows(t, "HTL-09")
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.recvOn(out.X, elicitationAsk, 3)
	w.auto = false
	if _, err := w.s.Handle(w.now, Answer{Question: w.s.Questions()[0].ID, Result: []byte(`{"action":"decline"}`), As: Declined}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	answer := w.outs[len(w.outs)-1]
	w.stop(id, "enough")
	w.later(time.Second)
	for i, x := range []ExchangeID{answer.X, w.post("notifications/cancelled").X} {
		w.opened(x, Head{Status: 200, Media: mediaJSON})
		w.recvOn(x, `{}`)
		w.ended(x, End{})
		w.wantDiag(mcp.DiagAcceptStatus, 1+i)
	}
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
	w.want(id, Cancelled, cancel.AnsweredLate)
	if got := w.s.Status(); got.Phase != Ready {
		t.Errorf("the session is %v", got.Phase)
	}
}

func TestCancelIsPosted(t *testing.T) {
	requirements.Rows(t, "CXL-16", "CXL-35", "HTL-24")
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.later(time.Second)
	w.stop(id, "wrong branch")
	w.want(id, Cancelling, cancel.NoVerdict)
	if n := w.count(OpWrite, "notifications/cancelled", "wrong branch", w.row(id).Wire.String()); n != 1 {
		t.Fatalf("%d cancels were posted", n)
	}
	if w.aborted(out.X) {
		t.Fatal("the exchange was closed before a late answer could come")
	}
	w.later(300 * time.Millisecond)
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
	w.want(id, Cancelled, cancel.AnsweredLate)
	w.ended(out.X, End{})
}

func TestStreamIsClosedAfterTheGrace(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "1", -1)
	w.stop(id, "enough")
	w.later(5 * time.Second)
	if w.aborted(out.X) {
		t.Fatal("the exchange was closed before the probe was answered")
	}
	probe := w.post("ping")
	w.opened(probe.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(probe.X, `{"jsonrpc":"2.0","id":%v,"result":{}}`, mcp.Decode(probe.Data).ID)
	w.want(id, Cancelled, cancel.Quiet)
	if !w.aborted(out.X) {
		t.Error("the exchange was left open")
	}
	w.ended(out.X, End{Err: "belay closed it"})
	w.later(time.Minute)
	if len(w.gets()) != 1 {
		t.Error("a stream that belay had closed was taken up again")
	}
}

// A stream that breaks while its call is being cancelled is taken up again, so
// that a late answer is seen.
func TestACancelledStreamIsTakenUpAgain(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "e1", 100*time.Millisecond)
	w.stop(id, "enough")
	w.ended(out.X, End{})
	w.later(resumePause)
	gets := w.gets()
	if len(gets) != 2 || field(gets[1], headerLastID) != "e1" {
		t.Fatalf("GETs: %v", gets)
	}
	w.stream(gets[1].X)
	w.recvOn(gets[1].X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32800,"message":"cancelled"}}`, w.row(id).Wire)
	w.want(id, Cancelled, cancel.SaysCancelled)
}

func TestCancelWaitsForItsCall(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.hold = true
	id, out := w.tool("slow")
	if !w.s.Tell(w.now, Started{ExchangeID: out.X}).Wanted {
		t.Fatal("not wanted")
	}
	w.stop(id, "enough")
	if w.count(OpWrite, "notifications/cancelled") != 0 {
		t.Fatal("the cancel overtook its call")
	}
	w.s.Tell(w.now, Sent{Seq: out.Seq})
	w.pump()
	if w.count(OpWrite, "notifications/cancelled") != 1 {
		t.Fatal("the cancel never left")
	}
}

// What was handed out but not begun is dropped by closing its exchange: nothing
// is posted.
func TestUnbegunCallIsDropped(t *testing.T) {
	requirements.Rows(t, "CXL-30")
	for _, rev := range []mcp.Revision{mcp.Rev20250326, mcp.Rev20251125} {
		w := readyWeb(t, rev)
		w.hold = true
		id, out := w.tool("slow")
		w.stop(id, "enough")
		w.want(id, Dropped, cancel.NoVerdict)
		if !w.aborted(out.X) || w.write(out) || w.count(OpWrite, "notifications/cancelled") != 0 {
			t.Error("something was sent for a call that had not begun")
		}
	}
}

// The end of a stream without an event ID tells at once that no answer comes;
// the grace ends then.
func TestSilencedStreamEndsTheGrace(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
	id, out := w.tool("slow")
	w.stream(out.X)
	w.stop(id, "enough")
	w.later(time.Second)
	w.ended(out.X, End{})
	w.want(id, Cancelled, cancel.NothingHeard)
}

// The answer to another request changes nothing (HTL-28, HTL-36).
func TestAnswerOnTheWrongStream(t *testing.T) {
	requirements.Rows(t, "HTL-28", "HTL-36")
	w := readyWeb(t, mcp.Rev20251125)
	a, outA := w.tool("a")
	b, outB := w.tool("b")
	w.stream(outA.X)
	w.stream(outB.X)
	w.recvOn(outA.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(b).Wire)
	w.stream(w.gets()[0].X)
	w.recvOn(w.gets()[0].X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(b).Wire)
	w.want(a, Running, cancel.NoVerdict)
	w.want(b, Running, cancel.NoVerdict)
	w.recvOn(outB.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(b).Wire)
	w.want(b, Done, cancel.NoVerdict)
	w.wantDiag(mcp.DiagWrongStream, 1)
	w.wantDiag(mcp.DiagServerStreamAnswer, 1)
}

// A question on the stream of a call is that call's (HTL-19).
func TestQuestionOnAStream(t *testing.T) {
	requirements.Rows(t, "HTL-19")
	w := readyWeb(t, mcp.Rev20251125)
	a, outA := w.tool("a")
	w.tool("b")
	w.stream(outA.X)
	w.recvOn(outA.X, `{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
	ps := w.s.Questions()
	if len(ps) != 1 || len(ps[0].Candidates) != 1 || ps[0].Candidates[0] != a || ps[0].Owners != 1 {
		t.Fatalf("questions: %+v", ps)
	}
	if _, err := w.s.Handle(w.now, Answer{Question: ps[0].ID, Result: []byte(`{"action":"decline"}`), As: Declined}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	if w.count(OpWrite, `"id":3`, "decline") != 1 {
		t.Error("the answer was not posted")
	}
}

// A question outlives the exchange that brought it, which the server needs to take the question
// back: that the exchange is over is known with the verdict, and not before.
func TestAQuestionWhoseExchangeIsOver(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	a, out := w.tool("a")
	w.stream(out.X)
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
	w.stop(a, "enough")
	w.later(time.Second)
	if p := w.s.Questions()[0]; !p.Orphaned || p.StreamOver || p.State != Waiting {
		t.Fatalf("while the cancel is judged: %+v", p)
	}
	w.later(time.Minute)
	w.want(a, Cancelled, w.row(a).Verdict)
	if p := w.s.Questions()[0]; !p.Orphaned || !p.StreamOver || p.State != Waiting {
		t.Errorf("after the verdict: %+v", p)
	}
}

// A question over stdio has no exchange that could be over.
func TestAQuestionOverStdioHasNoExchange(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("a")
	r.recv(`{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
	if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	r.wait(time.Minute)
	if p := r.s.Questions()[0]; !p.Orphaned || p.StreamOver {
		t.Errorf("%+v", p)
	}
}

// A quit waits for the cancel of a call that is still being written, and that
// for its call.
func TestQuitWaitsForACancelThatIsHeld(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.hold = true
	_, out := w.tool("slow")
	if !w.s.Tell(w.now, Started{ExchangeID: out.X}).Wanted {
		t.Fatal("not wanted")
	}
	w.hold = false
	w.s.Tell(w.now, Quit{})
	w.check()
	w.pump()
	if w.count(OpClose) != 0 {
		t.Fatal("the connection is closed over the head of a cancel")
	}
	w.s.Tell(w.now, Sent{Seq: out.Seq})
	w.pump()
	if w.count(OpWrite, "notifications/cancelled") != 1 || w.count(OpClose) != 1 {
		t.Errorf("%d cancels, %d ends", w.count(OpWrite, "notifications/cancelled"), w.count(OpClose))
	}
}

// What is counted over all connections goes on with the next one: the numbers of
// exchanges, which tell late ends apart, and the logins, by which the screen knows
// answers that were for somebody else.
func TestWhatStaysWithTheNextConnection(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	_, out := w.tool("a")
	w.refuse(out.X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.pump()
	last := w.outs[len(w.outs)-1].X.N
	w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{}})
	w.epoch = w.s.Tell(w.now, Connect{}).Epoch
	if w.pump(); w.post("initialize").X.N <= last {
		t.Errorf("exchange %d follows %d", w.post("initialize").X.N, last)
	}
	if n := w.s.Status().Logins; n != 1 {
		t.Errorf("%d logins", n)
	}
	w.s.Tell(w.now, LoggedOut{})
	if n := w.s.Status().Logins; n != 2 {
		t.Errorf("%d logins after the logout", n)
	}
}
