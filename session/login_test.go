package session

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

func withLogin(c *Config) { c.Login = true }

// login is the login that was asked for last.
func (w *webRig) login() Output {
	w.t.Helper()
	for i := len(w.outs) - 1; i >= 0; i-- {
		if w.outs[i].Op == OpLogin {
			return w.outs[i]
		}
	}
	w.t.Fatal("no login was asked for")
	return Output{}
}

func (w *webRig) refuse(x ExchangeID, h Head) {
	w.t.Helper()
	w.opened(x, h)
	w.recvOn(x, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"who are you?"}}`)
	w.ended(x, End{})
}

// statusOnce fails unless the timeline of a call tells its status once, and then the note.
func (w *webRig) statusOnce(id CallID, note string) {
	w.t.Helper()
	d, _ := w.s.Detail(id)
	told := 0
	for _, m := range d.Timeline {
		if strings.Contains(m.Text, "HTTP 401") {
			told++
		}
	}
	if last := d.Timeline[len(d.Timeline)-1].Text; told != 1 || last != note {
		w.t.Errorf("HTTP 401 is told %d times, and at last %q; want %q: %+v", told, last, note, d.Timeline)
	}
}

// Two calls that meet a 401 wait for one login; their clocks stand still. After
// it both are made again under new IDs.
func TestCallsWaitForOneLogin(t *testing.T) {
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		w := readyWeb(t, rev, withLogin)
		a, outA := w.tool("a")
		b, outB := w.tool("b")
		wire := w.row(a).Latest
		w.refuse(outA.X, Head{Status: 401, Media: mediaJSON, Challenge: []string{"Bearer"}})
		w.refuse(outB.X, Head{Status: 401, Media: mediaJSON})
		if n := w.count(OpLogin); n != 1 {
			t.Fatalf("%d logins were asked for", n)
		}
		if out := w.login(); out.Head == nil || out.Head.Status != 401 || len(out.Head.Challenge) != 1 {
			t.Errorf("login: %+v", out.Head)
		}
		w.later(24 * time.Hour)
		for _, id := range []CallID{a, b} {
			w.want(id, Running, cancel.NoVerdict)
			if r := w.row(id); !r.Login || !r.Paused {
				t.Errorf("%+v", r)
			}
			w.statusOnce(id, "it waits for a login")
		}
		w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
		w.check()
		w.pump()
		if w.count(OpWrite, `"name":"a"`) != 2 || w.count(OpWrite, `"name":"b"`) != 2 || w.row(a).Latest == wire || w.row(a).Login {
			t.Fatalf("not made again: %+v", w.row(a))
		}
		out := w.post("tools/call")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(b).Latest)
		w.ended(out.X, End{})
		w.want(b, Done, cancel.NoVerdict)
	}
}

// To cancel a call that waits for a login sends nothing; what else waits goes on
// waiting.
func TestCancelWhileWaitingForALogin(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	a, outA := w.tool("a")
	b, outB := w.tool("b")
	w.refuse(outA.X, Head{Status: 401})
	w.refuse(outB.X, Head{Status: 403, Challenge: []string{`Bearer error="insufficient_scope", scope="x"`}})
	posts := w.count(OpWrite)
	w.stop(a, "enough")
	w.want(a, Cancelled, cancel.NothingRunning)
	before, _ := w.s.Detail(a)
	w.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, w.row(a).Wire)
	if d, _ := w.s.Detail(a); len(d.Timeline) != len(before.Timeline)+1 || d.Timeline[len(d.Timeline)-1].Kind != MomNote || w.diag(mcp.DiagProgressAfter) != 1 {
		t.Errorf("progress of a request that was refused: %+v", d.Timeline[len(before.Timeline):])
	}
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.pump()
	if w.count(OpWrite) != posts+1 || w.count(OpWrite, `"name":"b"`) != 2 {
		t.Errorf("%d more POSTs", w.count(OpWrite)-posts)
	}
	w.want(b, Running, cancel.NoVerdict)
}

// Between the login and its request a cancel takes the request back.
func TestCancelBeforeTheCallIsMadeAgain(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	a, out := w.tool("a")
	w.refuse(out.X, Head{Status: 401})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	if _, err := w.s.Handle(w.now, Cancel{Call: a}); err != nil {
		t.Fatal(err)
	}
	w.check()
	w.pump()
	w.want(a, Cancelled, cancel.NothingRunning)
	if w.count(OpWrite, `"name":"a"`) != 1 || w.count(OpWrite, "cancelled") != 0 {
		t.Error("something was sent")
	}
}

// A login that is given up fails what waits for it, and nothing else.
func TestAbandonedLogin(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	a, out := w.tool("a")
	other, _ := w.tool("other")
	w.refuse(out.X, Head{Status: 401})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq, Failure: "you gave it up"})
	w.check()
	w.pump()
	w.want(a, Failed, cancel.NoVerdict)
	w.want(other, Running, cancel.NoVerdict)
	if w.s.Status().Phase != Ready || w.note(a) != "you gave it up" {
		t.Errorf("%v, %q", w.s.Status().Phase, w.note(a))
	}
}

// Why a token was not renewed stands on the timeline of what waits for the login
// since, and of nothing else.
func TestWhyATokenWasNotRenewed(t *testing.T) {
	const why = "it answered with the status 500 and no reason"
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	a, out := w.tool("a")
	other, _ := w.tool("other")
	w.refuse(out.X, Head{Status: 401})
	seq := w.login().Seq
	w.s.Tell(w.now, NotRenewed{Seq: seq + 1, Why: "another login"})
	w.s.Tell(w.now, NotRenewed{Seq: seq, Why: why})
	w.check()
	notes := func(id CallID) (n int) {
		d, _ := w.s.Detail(id)
		for _, m := range d.Timeline {
			if m.Kind == MomNote && strings.Contains(m.Text, "another login") {
				t.Errorf("call %d is told of another login", id)
			}
			if m.Kind == MomNote && m.Text == "the token was not renewed: "+why {
				n++
			}
		}
		return n
	}
	if notes(a) != 1 || notes(other) != 0 {
		t.Errorf("told %d times, and %d times on a call that waits for nothing", notes(a), notes(other))
	}
	w.s.Tell(w.now, LoggedIn{Seq: seq})
	w.s.Tell(w.now, NotRenewed{Seq: seq, Why: why}) // too late
	if w.check(); notes(a) != 1 {
		t.Error("told when the login is over")
	}
}

// A server that refuses every token refuses for good after a few.
func TestEndlessLogins(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	a, _ := w.tool("a")
	for range 10 {
		if w.row(a).State != Running {
			break
		}
		w.refuse(w.post("tools/call").X, Head{Status: 401})
		if w.row(a).Login {
			w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
			w.pump()
		}
	}
	w.want(a, Failed, cancel.NoVerdict)
	if n := w.count(OpLogin); n != maxLogins {
		t.Errorf("%d logins", n)
	}
}

// The opening request waits as well, whatever it is.
func TestLoginBeforeTheHandshake(t *testing.T) {
	for _, probe := range []time.Duration{-1, 3 * time.Second} {
		w := newWebRig(t, withLogin, func(c *Config) { c.DiscoverLimit = probe })
		first := w.outs[0]
		w.refuse(first.X, Head{Status: 401})
		w.later(time.Hour)
		if w.s.Status().Phase != Connecting {
			t.Fatalf("%v: %+v", w.s.Status().Phase, w.s.Status().Failure)
		}
		if st := w.s.Status(); probe < 0 && st.Awaits != negotiate.Nothing { // of the server's
			t.Errorf("awaits %v", st.Awaits)
		}
		w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
		w.check()
		w.pump()
		if st := w.s.Status(); probe < 0 && st.Awaits != negotiate.ForInitialize {
			t.Errorf("after the login it awaits %v", st.Awaits)
		}
		if again := w.outs[len(w.outs)-1]; again.Op != OpWrite || methodOf(again) != methodOf(first) {
			t.Fatalf("after the login: %+v", again)
		}
		w.refuse(w.outs[len(w.outs)-1].X, Head{Status: 401})
		w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq, Failure: "you gave it up"})
		w.check()
		w.pump()
		if f := w.s.Status().Failure; f == nil || f.Kind != FailLogin {
			t.Errorf("%+v", f)
		}
	}
}

func methodOf(out Output) string { return mcp.Decode(out.Data).Method }

// The session ends while somebody logs in: what waited is lost, and the login
// that comes later touches nothing.
func TestLoginAndTheEndOfTheConnection(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	a, out := w.tool("a")
	w.refuse(out.X, Head{Status: 401})
	seq := w.login().Seq
	w.s.Tell(w.now, Closed{Epoch: w.s.Status().Epoch, Why: Close{ByUs: true}})
	w.check()
	w.want(a, Lost, cancel.NoVerdict)
	w.s.Tell(w.now, LoggedIn{Seq: seq})
	w.check()
	w.pump()
	if w.count(OpWrite, `"name":"a"`) != 1 {
		t.Error("it was made again")
	}
}

// A redacted recording says as much of a refusal as decides what follows, and
// nothing that may be secret.
func TestRedactedHeadsAreReplayed(t *testing.T) {
	for name, h := range map[string]Head{
		"another kind of credentials": {Status: 401, Challenge: []string{`Basic realm="s3cret"`}},
		"a token":                     {Status: 401, Challenge: []string{`Basic realm="s3cret"`, `bEARER realm="s3cret"`}},
		"one more right":              {Status: 403, Challenge: []string{`Bearer error="insufficient_scope", scope="s3cret"`}},
		"no right":                    {Status: 403, Challenge: []string{`Bearer error="invalid_token"`}},
		"a session":                   {Status: 200, Media: mediaJSON, Session: "s3cret"},
		"a session with a space":      {Status: 200, Media: mediaJSON, Session: "s3cret s3cret"},
	} {
		cfg := Config{Transport: mcp.HTTP, Endpoint: endpoint, Pin: mcp.Rev20251125, Login: true}
		w := &webRig{rig: newRig(t, cfg), auto: true}
		kept := newTape(w.s, unkeyed)
		w.epoch = w.s.Tell(w.now, Connect{}).Epoch
		w.pump()
		x := w.post("initialize").X
		w.opened(x, h)
		w.ended(x, End{})
		for _, line := range kept.lines {
			if bytes.Contains(line, []byte("s3cret")) {
				t.Errorf("%s: %s", name, line)
			}
		}
		p, err := kept.play(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := p.s.Row(1)
		if want := w.row(1); got.State != want.State || got.Login != want.Login || p.s.Status().Phase != w.s.Status().Phase {
			t.Errorf("%s: replayed as %+v, it was %+v", name, got, want)
		}
	}
}

// A list whose page waited for a login is there after it.
func TestAListWaitsForALogin(t *testing.T) {
	w := servingWeb(t, mcp.Rev20251125, `{"tools":{}}`, withLogin)
	w.refuse(w.post("tools/list").X, Head{Status: 401})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.pump()
	w.answerList(mcp.Tools, "", `{"name":"a","inputSchema":{"type":"object"}}`)
	if l := w.s.Catalog().Lists[mcp.Tools]; l.Loading || len(l.Items) != 1 {
		t.Errorf("%+v", l)
	}
}

// While a call waits for a login, what the server asks is not its own; after
// that neither.
func TestNoQuestionOfACallThatWaits(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	get := w.gets()[0].X
	w.stream(get)
	id, out := w.tool("a")
	w.recvOn(get, samplingAsk, "1")
	w.refuse(out.X, Head{Status: 401})
	w.recvOn(get, samplingAsk, "2")
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.recvOn(get, samplingAsk, "3")
	w.check()
	if r := w.row(id); r.Login || r.Paused {
		t.Errorf("%+v", r)
	}
}

// The progress token that the user gave may be in use again when a call is made
// again: belay gives it another one.
func TestATokenIsNotKeptForALogin(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, withLogin)
	w.later(serverStreamWait)
	spec := CallSpec{Method: "tools/call", Params: []byte(`{"name":"a","_meta":{"progressToken":"own","x":1}}`)}
	for range 2 {
		if _, err := w.s.Handle(w.now, StartCall{Spec: spec}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		if w.count(OpLogin) == 0 {
			w.refuse(w.post("tools/call").X, Head{Status: 401})
		}
	}
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	again := w.post("tools/call")
	if w.count(OpWrite, "tools/call") != 3 || w.count(OpWrite, `"own"`) != 2 || !strings.Contains(string(again.Data), `"progressToken":"belay-`) || !strings.Contains(string(again.Data), `"x":1`) {
		t.Errorf("made again with %s", again.Data)
	}
}

// Who leaves while the handshake waits for a login has left, and nothing has
// failed; that a login was wanted is told once.
func TestLeavingBeforeTheLogin(t *testing.T) {
	for _, leave := range []func(w *webRig){
		func(w *webRig) { w.s.Tell(w.now, Disconnect{}) },
		func(w *webRig) { w.s.Tell(w.now, Quit{}) },
	} {
		w := newWebRig(t, withLogin, func(c *Config) { c.DiscoverLimit = -1 })
		w.refuse(w.outs[0].X, Head{Status: 401})
		leave(w)
		w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq, Failure: "the connection ended first"})
		w.check()
		w.pump()
		w.s.Tell(w.now, Closed{Epoch: w.s.Status().Epoch, Why: Close{ByUs: true}})
		w.check()
		if f := w.s.Status().Failure; f == nil || f.Kind != FailClosed || f.Text != "left before anybody had logged in" || f.Remedy != (Remedy{}) {
			t.Errorf("%+v", f)
		}
		var told strings.Builder
		for _, e := range w.s.Entries(nil, 1, 100) {
			told.Write(e.Raw)
		}
		if !strings.Contains(told.String(), "the server wants a login") || strings.Contains(told.String(), "ended first") {
			t.Errorf("the wire says %s", told.String())
		}
	}
}

// Nothing is due of a subscription whose request, after a login, has not left.
func TestASubscriptionIsNotDueAfterALogin(t *testing.T) {
	w := modernWeb(t, withLogin)
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodListen, Params: allLists.Params()}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.refuse(w.post(methodListen).X, Head{Status: 401})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.check()
	w.pump()
	w.check()
	if at, due := w.s.Deadline(); !due || w.row(id).Login {
		t.Errorf("its acknowledgement is not waited for: due %v", at)
	}
}
