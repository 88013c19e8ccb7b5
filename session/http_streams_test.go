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

func TestStreamIsTakenUpAgain(t *testing.T) {
	requirements.Rows(t, "HTL-13", "HTL-14", "HTL-15", "HTL-16", "HTL-17", "HTL-22", "HTL-23", "HTL-34", "HTL-35", "CXL-15")
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "prime", 1500*time.Millisecond)
	w.ended(out.X, End{})
	w.want(id, Running, cancel.NoVerdict)
	if got := w.note(id); got != "its stream is down, and belay takes it up again" || len(w.events("belay takes it up again in 1.5s")) != 1 {
		t.Errorf("the row says %q, the wire %v", got, w.events("takes it up"))
	}
	d, _ := w.s.Detail(id)
	if last := d.Timeline[len(d.Timeline)-1]; last.Text != "the server closed the connection; belay takes it up again in 1.5s" {
		t.Errorf("the timeline says %q", last.Text)
	}
	w.later(1499 * time.Millisecond)
	if n := len(w.gets()); n != 1 {
		t.Fatalf("%d GETs before the time that the server wants", n)
	}
	w.later(time.Millisecond)
	get := w.gets()[1]
	if field(get, headerLastID) != "prime" || field(get, headerSession) != "session-7" {
		t.Fatalf("GET with %v", get.Header)
	}
	w.stream(get.X)
	if got := w.note(id); got != "" {
		t.Errorf("taken up, the row says %q", got)
	}
	w.event(get.X, "5", -1)
	w.ended(get.X, End{Err: "reset"})
	w.later(2 * time.Second)
	again := w.gets()[2]
	if field(again, headerLastID) != "5" {
		t.Fatalf("GET with %v", again.Header)
	}
	w.stream(again.X)
	w.recvOn(again.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
	w.want(id, Done, cancel.NoVerdict)
	if n := w.count(OpWrite, "notifications/cancelled"); n != 0 {
		t.Errorf("%d cancels were posted for a stream that broke", n)
	}
}

// What a server asks on its own stream, because of a call, is lost with many
// servers while that stream is not there. One that does not say whether it is
// there does not hold the user up for long.
// Once the connection was asked to end, nothing is begun on it any more.
func TestNoStreamIsTakenUpWhileTheConnectionEnds(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	_, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "prime", time.Second)
	w.ended(out.X, End{Err: "reset"})
	w.s.Tell(w.now, Disconnect{Reason: "enough"})
	w.pump()
	if w.count(OpClose) != 1 {
		t.Fatal("the connection is not asked to end")
	}
	before := len(w.outs)
	w.later(10 * time.Second)
	if len(w.outs) != before {
		t.Errorf("after the close: %+v", w.outs[before:])
	}
}

// HTTP 404 to a GET is the answer of a server without a route for it, too: a session ends by that only where a GET
// of it was answered well. Else the next POST tells.
func TestAServerWithoutARouteForGET(t *testing.T) {
	requirements.Rows(t, "HTL-27", "HTL-41")
	w := readyWeb(t, mcp.Rev20251125)
	slow, own := w.tool("slow")
	w.stream(own.X)
	w.opened(w.gets()[0].X, Head{Status: 404})
	w.ended(w.gets()[0].X, End{})
	if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 || w.found(mcp.DiagServerStreamStatus) == nil {
		t.Fatalf("its own stream: %v, %d sessions, %v", st.Phase, st.Renewed, w.s.Diagnostics())
	}
	broken, out := w.tool("broken")
	w.stream(out.X)
	w.event(out.X, "7", -1)
	w.ended(out.X, End{Err: "reset"})
	w.later(2 * time.Second)
	w.opened(w.gets()[1].X, Head{Status: 404})
	w.ended(w.gets()[1].X, End{})
	if st := w.s.Status(); st.Phase != Ready || st.Renewed != 0 || w.row(slow).State != Running || w.row(broken).State == Running {
		t.Fatalf("a stream that is taken up again: %v, %d sessions, %v beside %v", st.Phase, st.Renewed, w.row(slow).State, w.row(broken).State)
	}
	_, out = w.tool("last")
	w.opened(out.X, Head{Status: 404})
	w.ended(out.X, End{})
	if st := w.s.Status(); st.Renewed != 1 {
		t.Errorf("after HTTP 404 to a POST %d sessions were renewed", st.Renewed)
	}
}

func TestTheFirstCallWaitsForTheServersStream(t *testing.T) {
	for _, tt := range []struct {
		name string
		then func(w *webRig, get ExchangeID)
	}{
		{"a stream", func(w *webRig, get ExchangeID) { w.stream(get) }},
		{"none", func(w *webRig, get ExchangeID) { w.opened(get, Head{Status: 405}) }},
		{"a network that fails", func(w *webRig, get ExchangeID) { w.ended(get, End{Err: "reset"}) }},
		{"no answer", func(w *webRig, _ ExchangeID) { w.later(serverStreamWait) }},
	} {
		w := newWebRig(t, func(c *Config) { c.Pin = mcp.Rev20251125 })
		x := w.post("initialize").X
		w.opened(x, Head{Status: 200, Media: mediaJSON})
		w.recvOn(x, "%s", agreement(w.opening().Latest, mcp.Rev20251125, `{"tools":{}}`))
		if w.count(OpWrite, "tools/list") != 1 || len(w.gets()) != 1 {
			t.Fatalf("%s: belay's own list waits, or no stream was asked for", tt.name)
		}
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"ask"}`)}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		w.later(serverStreamWait - 1)
		w.want(id, Queued, cancel.NoVerdict)
		tt.then(w, w.gets()[0].X)
		w.want(id, Running, cancel.NoVerdict)
		if n := w.count(OpWrite, "tools/call"); n != 1 {
			t.Errorf("%s: %d calls", tt.name, n)
		}
		// A stream that is opened again holds nobody up.
		w.ended(w.gets()[0].X, End{})
		w.later(5 * time.Second)
		if id, _ := w.tool("again"); w.row(id).State != Running {
			t.Errorf("%s: a later call waits", tt.name)
		}
	}
}

func TestTakingUpAgainEnds(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "1", -1)
	w.ended(out.X, End{Err: "reset"})
	seen := 1
	for range 120 {
		w.later(time.Second)
		if gets := w.gets(); len(gets) > seen {
			seen = len(gets)
			w.ended(gets[seen-1].X, End{Err: "refused"})
		}
	}
	w.want(id, Lost, cancel.NoVerdict)
	if seen != 1+maxTries {
		t.Errorf("%d tries, want %d", seen-1, maxTries)
	}
}

// A server that wants no pause gets one all the same, and longer ones while it
// brings nothing, but none that is shorter than it says. The timeline stays short.
func TestAStreamThatEndsAgainAndAgain(t *testing.T) {
	requirements.Rows(t, "HTL-17")
	for _, tt := range []struct {
		retry time.Duration
		want  []time.Duration
	}{
		{0, []time.Duration{250, 500, 1000, 2000, 2000, 250, 500}},
		{10 * time.Millisecond, []time.Duration{250, 500, 1000, 2000, 2000, 250, 500}},
		{700 * time.Millisecond, []time.Duration{700, 700, 1000, 2000, 2000, 700, 700}},
		{3 * time.Second, []time.Duration{3000, 3000, 3000, 3000, 3000, 3000, 3000}},
	} {
		w := readyWeb(t, mcp.Rev20251125)
		id, out := w.tool("slow")
		x := out.X
		for i, want := range tt.want {
			w.stream(x)
			w.event(x, fmt.Sprint(i), tt.retry)
			if i == 5 {
				w.recvOn(x, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, w.row(id).Wire)
			}
			w.ended(x, End{})
			n := len(w.gets())
			if w.later(want*time.Millisecond - 1); len(w.gets()) != n {
				t.Fatalf("retry %v, round %d: a GET before %v ms", tt.retry, i, int(want))
			}
			if w.later(1); len(w.gets()) != n+1 {
				t.Fatalf("retry %v, round %d: no GET after %v ms", tt.retry, i, int(want))
			}
			x = w.gets()[n].X
		}
		var lines []string
		d, _ := w.s.Detail(id)
		for _, m := range d.Timeline[2:] {
			lines = append(lines, fmt.Sprintf("%d %s %d", m.Kind-MomHTTP, m.Text, m.Count))
		}
		p := func(i int) time.Duration { return tt.want[i] * time.Millisecond }
		want := []string{
			"0 HTTP 200, a stream of events 0", fmt.Sprintf("0 the server closed the connection; belay takes it up again in %v 0", p(0)),
			"0 GET takes the stream up again 0", "0 HTTP 200, a stream of events 0", fmt.Sprintf("1 %v 5", p(4)),
		}
		if len(lines) < 5 || !slices.Equal(lines[:5], want) || !strings.HasPrefix(lines[6], "0 the server closed the connection") || len(lines) != 10 {
			t.Errorf("the timeline is\n%s", strings.Join(lines, "\n"))
		}
	}
}

func TestStreamThatMayNotBeTakenUp(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "1", 0)
	w.ended(out.X, End{})
	w.later(resumePause)
	get := w.gets()[1]
	w.opened(get.X, Head{Status: 405})
	w.ended(get.X, End{})
	w.want(id, Lost, cancel.NoVerdict)
	if !strings.Contains(w.note(id), "HTTP 405") {
		t.Errorf("note: %q", w.note(id))
	}
}

func TestListening(t *testing.T) {
	requirements.Rows(t, "HTL-25", "HTL-27", "HTL-30")
	t.Run("405", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		x := w.gets()[0].X
		w.opened(x, Head{Status: 405})
		w.ended(x, End{})
		w.later(time.Hour)
		if len(w.gets()) != 1 {
			t.Error("a server without a stream was asked again")
		}
	})
	t.Run("switched off", func(t *testing.T) {
		if w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.NoListen = true }); len(w.gets()) != 0 {
			t.Error("a GET")
		}
	})
	t.Run("closed again and again", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		var gaps []time.Duration
		for range 7 {
			get := w.gets()[len(w.gets())-1]
			w.stream(get.X)
			closed := w.now
			w.ended(get.X, End{})
			for n := len(w.gets()); len(w.gets()) == n; {
				w.later(time.Second)
			}
			gaps = append(gaps, w.now.Sub(closed))
		}
		for i, want := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
			if gaps[i] != want*time.Second {
				t.Errorf("gaps: %v", gaps)
				break
			}
		}
	})
	t.Run("taken up with its last event", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		get := w.gets()[0]
		w.stream(get.X)
		w.event(get.X, "g7", 3*time.Second)
		w.ended(get.X, End{})
		w.later(3 * time.Second)
		if get = w.gets()[1]; field(get, headerLastID) != "g7" {
			t.Errorf("GET with %v", get.Header)
		}
	})
	t.Run("something else", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		x := w.gets()[0].X
		w.opened(x, Head{Status: 200, Media: mediaJSON})
		w.ended(x, End{})
		w.later(time.Hour)
		w.wantDiag(mcp.DiagServerStreamStatus, 1)
		if len(w.gets()) != 1 || w.s.Status().Phase != Ready {
			t.Error("asked again, or the session is gone")
		}
	})
}

func TestLingeringStream(t *testing.T) {
	requirements.Rows(t, "HTL-21", "HTM-10")
	for _, begin := range []func() *webRig{
		func() *webRig { return readyWeb(t, mcp.Rev20251125) },
		func() *webRig { return modernWeb(t) },
	} {
		w := begin()
		id, out := w.tool("slow")
		w.stream(out.X)
		w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, w.row(id).Wire)
		w.later(lingerLimit - 1)
		if w.aborted(out.X) {
			t.Fatal("closed too early")
		}
		w.later(1)
		if !w.aborted(out.X) {
			t.Fatal("left open")
		}
		w.want(id, Done, cancel.NoVerdict)
		w.wantDiag(mcp.DiagLinger, 1)
	}
}

// A stream of the server's that wants a login is no broken rule: it is opened
// after the login.
func TestTheServersStreamWantsALogin(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.Login = true })
	get := w.gets()[0].X
	w.opened(get, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.ended(get, End{})
	w.later(time.Hour)
	w.wantDiag(mcp.DiagServerStreamStatus, 0)
	if n := len(w.gets()); n != 1 || len(w.events("wants a login (HTTP 401)")) != 1 {
		t.Errorf("%d GETs, %v", n, w.events("login"))
	}
	_, out := w.tool("a")
	w.refuse(out.X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.Tell(w.now, LoggedIn{Seq: w.login().Seq})
	w.pump()
	if n := len(w.gets()); n != 2 {
		t.Fatalf("%d GETs after the login", n)
	}
	w.stream(w.gets()[1].X)
	if len(w.events("the server's own stream is open")) != 1 {
		t.Errorf("%v", w.events("stream"))
	}
}
