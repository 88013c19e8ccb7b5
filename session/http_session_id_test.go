package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestSessionExpires(t *testing.T) {
	requirements.Rows(t, "HTL-41", "HTL-42")
	w := readyWeb(t, mcp.Rev20251125)
	a, _ := w.tool("a")
	_, out := w.tool("b")
	before := w.count(OpWrite, "initialize")
	posted := w.count(OpWrite, "tools/call")
	w.opened(out.X, Head{Status: 404, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
	w.ended(out.X, End{})
	w.want(a, Lost, cancel.NoVerdict)
	if w.s.Status().Phase != Connecting || w.count(OpWrite, "initialize") != before+1 {
		t.Fatalf("no new handshake: %v", w.s.Status().Phase)
	}
	if init := w.post("initialize"); field(init, headerSession) != "" {
		t.Errorf("it went with the old session: %v", init.Header)
	}
	w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "session-8"}, mcp.Rev20251125, logging)
	if w.s.Status().Phase != Ready || w.count(OpWrite, "tools/call") != posted {
		t.Error("not ready, or a call was repeated")
	}
	if _, out := w.tool("c"); field(out, headerSession) != "session-8" {
		t.Errorf("a call went with %v", out.Header)
	}
	// What still comes from the old one touches nothing.
	w.recvOn(out.X, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	w.wantDiag(mcp.DiagStaleEpoch, 1)
}

// What was to be opened for a session that has ended is not opened any more.
func TestNothingIsOpenedForAnEndedSession(t *testing.T) {
	for name, end := range map[string]func(w *webRig, out Output){
		"expired": func(w *webRig, out Output) {
			w.s.Tell(w.now, Opened{ExchangeID: out.X, Head: Head{Status: 404}})
			w.s.Tell(w.now, Ended{ExchangeID: out.X, End: End{}})
		},
		"closed": func(w *webRig, _ Output) { w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}}) },
	} {
		w := readyWeb(t, mcp.Rev20251125, withLogin)
		_, a := w.tool("a")
		_, b := w.tool("b")
		w.ended(w.gets()[0].X, End{})
		w.s.Tell(w.now.Add(firstRetry), Tick{}) // the GET waits to be handed out
		w.s.Tell(w.now, Opened{ExchangeID: b.X, Head: Head{Status: 401}})
		w.s.Tell(w.now, Ended{ExchangeID: b.X, End: End{}}) // and so does the login
		end(w, a)
		w.check()
		w.pump()
		if len(w.gets()) != 1 || w.count(OpLogin) != 0 {
			t.Errorf("%s: %d times GET, %d logins", name, len(w.gets()), w.count(OpLogin))
		}
	}
}

// A 404 to the cancel ends the row, and the session with it.
func TestSessionExpiresAtACancel(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("a")
	w.stream(out.X)
	w.auto = false
	w.stop(id, "enough")
	w.opened(w.post("notifications/cancelled").X, Head{Status: 404})
	w.want(id, Cancelled, cancel.NotDelivered)
	if w.s.Status().Phase != Connecting {
		t.Errorf("the session is %v", w.s.Status().Phase)
	}
}

func TestSessionsThatEndAtOnce(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	for range 10 {
		if w.s.Status().Phase != Ready {
			break
		}
		_, out := w.tool("a")
		w.opened(out.X, Head{Status: 404})
		w.ended(out.X, End{})
		if w.s.Status().Phase != Connecting {
			break
		}
		w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "s"}, mcp.Rev20251125, logging)
	}
	if st := w.s.Status(); st.Failure == nil || !strings.Contains(st.Failure.Text, "sessions") {
		t.Errorf("it goes on for ever: %v %+v", st.Phase, st.Failure)
	}
}

// A handshake that was refused has begun no session, whatever its answer named:
// the stateless revision that the server is then found to speak has none.
func TestNoSessionOfARefusedHandshake(t *testing.T) {
	w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
	probe := w.post("server/discover")
	w.opened(probe.X, Head{Status: 400})
	w.ended(probe.X, End{})
	init := w.post("initialize")
	w.opened(init.X, Head{Status: 200, Media: mediaJSON, Session: "session-7"})
	w.recvOn(init.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32600,"message":"no","data":{"supported":["2026-07-28"]}}}`, mcp.Decode(init.Data).ID)
	w.ended(init.X, End{})
	w.agree(mcp.Rev20260728, `{}`)
	id, out := w.tool("a")
	w.opened(out.X, Head{Status: 404})
	w.ended(out.X, End{})
	w.want(id, Failed, cancel.NoVerdict)
	if w.post("server/discover").X == probe.X || w.s.Status().Phase != Ready || field(out, headerSession) != "" {
		t.Errorf("%v, with %v", w.s.Status().Phase, out.Header)
	}
}

func TestOddSessionID(t *testing.T) {
	requirements.Rows(t, "HTL-37")
	for _, id := range []string{"a b", "a\x1b[31m", "ü", "\x7f"} {
		w := newWebRig(t)
		w.opened(w.post("initialize").X, Head{Status: 200, Media: mediaJSON, Session: id})
		if f := w.s.Status().Failure; f == nil || !strings.Contains(f.Text, "0x") {
			t.Errorf("%q: %+v", id, f)
		}
	}
}

func TestOldTransport(t *testing.T) {
	requirements.Rows(t, "HTL-01", "HTL-02", "HTL-49")
	off := newWebRig(t, func(c *Config) { c.NoSSE = true })
	x := off.post("initialize").X
	off.opened(x, Head{Status: 404})
	off.ended(x, End{})
	if f := off.s.Status().Failure; f == nil || len(off.gets()) != 0 {
		t.Errorf("switched off: %d GETs, %+v", len(off.gets()), f)
	}
	for status, old := range map[int]bool{400: true, 404: true, 405: true, 401: false, 403: false, 500: false, 503: false} {
		w := newWebRig(t)
		x := w.post("initialize").X
		w.opened(x, Head{Status: status})
		w.ended(x, End{})
		if got := len(w.gets()) == 1; got != old {
			t.Errorf("%d: GET %v", status, got)
		}
		if !old {
			if f := w.s.Status().Failure; f == nil || !helps(f) {
				t.Errorf("%d: %+v", status, f)
			}
			continue
		}
		stream := w.gets()[0].X
		w.stream(stream)
		w.later(500 * time.Millisecond)
		w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages?id=1"}})
		w.pump()
		init := w.post("initialize")
		if init.URL != "http://peer.test/messages?id=1" {
			t.Fatalf("posted to %q", init.URL)
		}
		w.opened(init.X, Head{Status: 202})
		w.ended(init.X, End{})
		w.recvOn(stream, "%s", agreement(w.opening().Latest, mcp.Rev20241105, logging))
		if w.s.Status().Phase != Ready {
			t.Fatalf("%v: %+v", w.s.Status().Phase, w.s.Status().Failure)
		}
		id, call := w.tool("slow")
		w.opened(call.X, Head{Status: 202})
		w.ended(call.X, End{})
		w.want(id, Running, cancel.NoVerdict)
		w.stop(id, "enough")
		if c := w.post("notifications/cancelled"); c.URL != init.URL {
			t.Errorf("the cancel went to %q", c.URL)
		}
		if w.aborted(stream) {
			t.Error("the one stream was closed")
		}
		w.later(time.Second)
		w.recvOn(stream, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
		w.want(id, Cancelled, cancel.AnsweredLate)
		other, _ := w.tool("other")
		w.ended(stream, End{})
		w.want(other, Lost, cancel.NoVerdict)
		if w.s.Status().Phase != Disconnected || w.outs[len(w.outs)-1].Op != OpClose {
			t.Errorf("%v, last %v", w.s.Status().Phase, w.outs[len(w.outs)-1])
		}
	}
}

// On the stream of 2024-11-05 what is no message is ignored, and told.
func TestEventsThatAreNoMessages(t *testing.T) {
	requirements.Rows(t, "HTL-03")
	w := newWebRig(t)
	stream := w.httpSSE()
	for _, ev := range []Event{{Name: "endpoint", Retry: -1, Data: "/messages"}, {Name: "foo", Retry: -1, Data: "{}"}, {Name: "prime", Retry: -1}, {Name: "endpoint", Retry: -1, Data: "/elsewhere"}} {
		w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: ev})
		w.pump()
	}
	w.wantDiag(mcp.DiagEventName, 2)
	init := w.post("initialize")
	w.opened(init.X, Head{Status: 202})
	w.ended(init.X, End{})
	w.recvOn(stream, "%s", agreement(w.opening().Latest, mcp.Rev20241105, logging))
	if _, out := w.tool("a"); w.s.Status().Phase != Ready || out.URL != "http://peer.test/messages" {
		t.Errorf("%v, posted to %s", w.s.Status().Phase, out.URL)
	}
}

// A GET that brings no endpoint, or no head, ends the try of HTTP+SSE by a failure that says so. Once the
// endpoint is there, initialize has its own time.
func TestAServerThatNamesNoEndpoint(t *testing.T) {
	slow := func(t *testing.T) (*webRig, ExchangeID) { // server/discover was out beside initialize
		w, _, initialize := webBeside(t)
		turnedAway["404"].how(w, initialize)
		w.later(2 * time.Minute)
		return w, w.gets()[0].X
	}
	atOnce := func(t *testing.T) (*webRig, ExchangeID) {
		w := newWebRig(t)
		x := w.post("initialize").X
		w.opened(x, Head{Status: 404})
		w.ended(x, End{})
		return w, w.gets()[0].X
	}
	for start, begin := range map[string]func(t *testing.T) (*webRig, ExchangeID){"after a slow start": slow, "at once": atOnce} {
		for name, tt := range map[string]struct {
			opens bool
			says  string
		}{
			"no endpoint": {true, "the event stream of older servers names no endpoint within 30s"},
			"no head":     {false, "the event stream of older servers is not there within 30s"},
		} {
			t.Run(name+" "+start, func(t *testing.T) {
				w, stream := begin(t)
				if tt.opens {
					w.stream(stream)
					w.event(stream, "7", -1)
				}
				w.later(30*time.Second - 1)
				if st := w.s.Status(); st.Phase != Connecting || st.Failure != nil {
					t.Fatalf("%v, %+v", st.Phase, st.Failure)
				}
				w.later(1)
				w.wantFailure(FailHTTP, "no MCP server at "+endpoint+": initialize was refused (HTTP 404 Not Found)", tt.says, "is the address right?")
			})
		}
		t.Run("an endpoint "+start, func(t *testing.T) {
			w, stream := begin(t)
			w.later(29 * time.Second)
			w.stream(stream)
			w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages"}})
			w.pump()
			w.later(2 * time.Minute)
			w.recvOn(stream, "%s", agreement(w.opening().Latest, mcp.Rev20241105, logging))
			w.wantReady(mcp.Rev20241105, w.s.Status().Found)
		})
	}
}

func TestForeignEndpoint(t *testing.T) {
	for _, to := range []string{"https://peer.test/messages", "http://evil.test/m", "http://peer.test:81/m", "//evil.test/", "\x00"} {
		w := newWebRig(t)
		stream := w.httpSSE()
		w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: to}})
		w.pump()
		if f := w.s.Status().Failure; f == nil || w.count(OpWrite, "initialize") != 1 {
			t.Errorf("%q: %+v", to, f)
		}
	}
}

// Which of two sessions is meant cannot be known: the first is used, and that is
// told. The same one twice is one.
func TestTwoSessionIDs(t *testing.T) {
	for n, want := range map[int]int{0: 0, 2: 1} {
		w := newWebRig(t, func(c *Config) { c.Pin = mcp.Rev20251125 })
		w.agreeWith(Head{Status: 200, Media: mediaJSON, Session: "one", Sessions: n}, mcp.Rev20251125, logging)
		w.wantDiag(mcp.DiagSessions, want)
		if _, out := w.tool("a"); field(out, headerSession) != "one" {
			t.Errorf("the session is %q", field(out, headerSession))
		}
	}
}

// Every diagnostic that only HTTP has is made by something.
func TestEveryHTTPDiagnostic(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	a, out := w.tool("a")
	b, _ := w.tool("b")
	w.opened(out.X, Head{Status: 200, Media: mediaStream, At: "http://peer.test/other"})
	w.s.Tell(w.now, EventReceived{ExchangeID: out.X, Event: Event{Name: "foo", Retry: -1, Data: "x"}})
	w.event(out.X, "7", -1)
	w.event(out.X, "7", -1)
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{}}`, w.row(b).Wire)
	w.recvOn(out.X, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, w.row(b).Wire)
	w.auto = false
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	w.opened(w.outs[len(w.outs)-1].X, Head{Status: 500})
	w.stop(b, "enough")
	taken := w.post("notifications/cancelled").X
	w.opened(taken, Head{Status: 200, Media: mediaJSON})
	w.ended(taken, End{Body: "{}"})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(a).Wire)
	w.later(lingerLimit)
	get := w.gets()[0].X
	w.stream(get)
	w.recvOn(get, `{"jsonrpc":"2.0","id":%v,"result":{}}`, w.row(b).Wire)
	w.ended(get, End{})
	w.later(time.Second)
	w.opened(w.gets()[1].X, Head{Status: 500})
	for code := range onlyHTTP {
		switch code {
		case mcp.DiagEventID, mcp.DiagToolHeader, mcp.DiagMirrorSecret, mcp.DiagBuffered: // of the other era
		case mcp.DiagNoLogin: // of another address
		case mcp.DiagSessions: // see TestTwoSessionIDs
		default:
			w.wantDiag(code, 1)
		}
	}
}

// A server that is neither of the two kinds has refused the handshake, which is
// not lost then.
func TestNeitherTransport(t *testing.T) {
	for _, status := range []int{404, 200} {
		w := newWebRig(t)
		x := w.post("initialize").X
		w.opened(x, Head{Status: 404})
		w.ended(x, End{})
		stream := w.gets()[0].X
		w.opened(stream, Head{Status: status, Media: mediaStream})
		w.ended(stream, End{})
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
		w.check()
		if row := w.row(1); row.State != Failed || !strings.Contains(row.Note, "the event stream of older servers") {
			t.Errorf("%d: %v, %q", status, row.State, row.Note)
		}
		if f := w.s.Status().Failure; f == nil || f.Kind != FailHTTP {
			t.Errorf("%d: %+v", status, f)
		}
	}
}
