package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// Without a connection of its own, a server is there until an exchange cannot
// reach it, and again from the next answer on, whatever that says.
func TestAServerThatCannotBeReached(t *testing.T) {
	w := modernWeb(t)
	gone := func() bool { return !w.s.Status().Unreachable.IsZero() }
	_, out := w.tool("a")
	w.ended(out.X, End{Err: "the server broke the connection off"}) // its body was written
	if gone() {
		t.Error("an exchange that broke is no server that cannot be reached")
	}
	w.hold = true
	for range 2 {
		id, out := w.tool("a")
		w.ended(out.X, End{Err: "connection refused", Hint: "is the server running?"})
		w.want(id, Failed, cancel.NoVerdict)
		if !w.row(id).Unanswered {
			t.Error("the row does not say that nothing answered it")
		}
		if got := w.note(id); !strings.Contains(got, endpoint) || !strings.Contains(got, "connection refused · is the server running?") {
			t.Errorf("the row says %q", got)
		}
		w.later(time.Second)
	}
	if st := w.s.Status(); !gone() || w.now.Sub(st.Unreachable) != 2*time.Second || st.Unreached != "connection refused" || st.Phase != Ready {
		t.Errorf("%v since %v: %q", st.Phase, st.Unreachable, st.Unreached)
	}
	if n := len(w.events("cannot be reached")); n != 1 {
		t.Errorf("told %d times", n)
	}
	w.hold = false
	_, out = w.tool("a")
	w.opened(out.X, Head{Status: 503})
	if gone() || len(w.events("the server answers again, after 2s")) != 1 {
		t.Errorf("it answered: %v", w.events("server"))
	}
	id, out := w.tool("a")
	w.stop(id, "")
	w.ended(out.X, End{Err: "belay closed it"})
	if gone() {
		t.Error("what belay closed itself counts")
	}
}

// The server's own stream tells of a server that went before any call does, and
// the subscriptions that hang on it say that nothing can come.
func TestSubscriptionsWhoseStreamIsDown(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.stream(w.gets()[0].X)
	w.later(time.Second)
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: []byte(`{"uri":"demo://bell"}`)}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	out := w.post(methodSubscribe)
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{}}`, w.row(id).Wire)
	w.ended(out.X, End{})
	hears := func(when string) {
		t.Helper()
		if r := w.row(id); r.State != Running || !r.Sub.Active || r.Sub.StreamAway || strings.Contains(r.Note, "stream is away") {
			t.Errorf("%s: %v, %+v, %q", when, r.State, r.Sub, r.Note)
		}
	}
	hears("at first")
	rev := w.row(id).Rev
	w.ended(w.gets()[0].X, End{Err: "the server broke the connection off"})
	for n := 1; n <= 3; n++ {
		if r := w.row(id); !r.Sub.StreamAway || r.Rev == rev || !strings.Contains(r.Note, "the server's own stream is away") {
			t.Errorf("down %d: %+v, %q", n, r.Sub, r.Note)
		}
		if gone := !w.s.Status().Unreachable.IsZero(); gone != (n > 1) {
			t.Errorf("refused %d times: unreachable %v", n-1, gone)
		}
		w.later(time.Minute)
		if len(w.gets()) != 1+n {
			t.Fatalf("%d GETs", len(w.gets()))
		}
		if n < 3 {
			w.ended(w.gets()[n].X, End{Err: "connection refused"})
		}
	}
	w.stream(w.gets()[3].X)
	hears("open again")
	if !w.s.Status().Unreachable.IsZero() {
		t.Error("it is still said to be unreachable")
	}
}

// Looks at old lists of a server that is gone do not make row after row.
func TestLooksAtAServerThatIsGone(t *testing.T) {
	w := toolWeb(t, region("a", "Region", ""))
	w.later(leastAge)
	for range 5 {
		w.hold = true
		w.s.Tell(w.now, Look{})
		w.pump()
		w.ended(w.post("tools/list").X, End{Err: "connection refused"})
		w.later(time.Second)
	}
	if n := w.count(OpWrite, `"tools/list"`); n != 2 {
		t.Errorf("%d requests for the list", n)
	}
	w.later(leastAge)
	w.s.Tell(w.now, Look{})
	w.pump()
	if n := w.count(OpWrite, `"tools/list"`); n != 3 {
		t.Errorf("later: %d requests for the list", n)
	}
}
