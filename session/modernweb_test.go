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

// modernWeb is connected to a server that speaks 2026-07-28 and lists nothing.
func modernWeb(t testing.TB, change ...func(*Config)) *webRig {
	return servingWeb(t, mcp.Rev20260728, logging, change...)
}

// Closing the exchange is the whole cancel: before its head, before its first
// event, and in the middle of its stream; nothing is posted, and no other
// exchange is touched (CXL-12, CXL-13).
func TestClosingTheExchangeIsTheCancel(t *testing.T) {
	requirements.Rows(t, "CXL-12", "CXL-13", "HTM-01", "HTM-07", "HTM-15", "HTM-51")
	for name, begin := range map[string]func(w *webRig, x ExchangeID){
		"before the head": func(*webRig, ExchangeID) {},
		"JSON":            func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 200, Media: mediaJSON}) },
		"stream":          func(w *webRig, x ExchangeID) { w.stream(x) },
	} {
		t.Run(name, func(t *testing.T) {
			w := modernWeb(t)
			id, out := w.tool("slow")
			sibling, other := w.tool("other")
			begin(w, out.X)
			posts := w.count(OpWrite)
			w.stop(id, "wrong branch")
			w.want(id, Cancelling, cancel.NoVerdict)
			if !w.aborted(out.X) || w.aborted(other.X) || w.count(OpWrite) != posts {
				t.Fatalf("closed %v, the other %v, %d more POSTs", w.aborted(out.X), w.aborted(other.X), w.count(OpWrite)-posts)
			}
			w.ended(out.X, End{Err: "belay closed it"})
			w.want(id, Cancelled, cancel.StreamClosed)
			if d, _ := w.s.Detail(id); len(d.Evidence) != 1 || !strings.Contains(d.Evidence[0].Text, "requested by user") {
				t.Errorf("the verdict says that the exchange was closed, and the evidence %v", d.Evidence)
			}
			w.opened(other.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(other.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(sibling).Wire)
			w.ended(other.X, End{})
			w.want(sibling, Done, cancel.NoVerdict)
			w.later(time.Hour)
			if w.count(OpWrite) != posts || len(w.gets()) != 0 {
				t.Error("something was sent afterwards")
			}
		})
	}
}

// That a server answers what was written after an exchange was closed does not tell that it has seen the
// end of that exchange: it works on, for all that is known.
func TestAnAnswerElsewhereTellsNothingOfAClosedExchange(t *testing.T) {
	requirements.Rows(t, "CXL-22")
	for name, atOnce := range map[string]bool{"told as closed at once": true, "told as closed after the answer": false} {
		w := modernWeb(t)
		id, out := w.tool("slow")
		w.stop(id, "wrong branch")
		closed := func() { w.ended(out.X, End{Err: "belay closed it"}) }
		if atOnce {
			closed()
		}
		later, other := w.tool("other")
		w.opened(other.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(other.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(later).Wire)
		w.ended(other.X, End{})
		if !atOnce {
			closed()
		}
		w.want(id, Cancelled, cancel.StreamClosed)
		d, _ := w.s.Detail(id)
		if len(d.Evidence) != 1 || !strings.Contains(d.Evidence[0].Text, "requested by user") {
			t.Errorf("%s: the evidence is %v", name, d.Evidence)
		}
		if slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomProbeAnswer }) {
			t.Errorf("%s: the answer to another request stands in the timeline: %v", name, d.Timeline)
		}
	}
}

// Ten cancels, a timeout and a quit send no notification (HTM-07).
func TestNoNotificationIsPosted(t *testing.T) {
	w := modernWeb(t)
	for i := range 10 {
		id, out := w.tool(fmt.Sprintf("t%d", i))
		w.stop(id, "enough")
		w.ended(out.X, End{Err: "closed"})
	}
	if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Idle: time.Second, Params: []byte(`{"name":"x"}`)}}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.later(2 * time.Second)
	w.tool("y")
	w.s.Tell(w.now, Quit{})
	w.pump()
	w.later(2 * time.Second)
	if n := w.count(OpWrite, "notifications/"); n != 0 {
		t.Errorf("%d notifications were posted", n)
	}
	if last := w.outs[len(w.outs)-1]; last.Op != OpClose || len(last.Header) != 0 {
		t.Errorf("no end, or one with a session: %+v", last)
	}
}

// What was closed as a cancel is not closed again when the row ends, however long
// its end takes to come.
func TestAnExchangeIsClosedOnce(t *testing.T) {
	w := modernWeb(t, func(c *Config) { c.NoProbe = true })
	id, out := w.tool("slow")
	w.stream(out.X)
	w.stop(id, "enough")
	w.later(time.Minute)
	w.want(id, Cancelled, cancel.NothingHeard)
	closed := 0
	for _, o := range w.outs {
		if o.Op == OpAbort && o.X == out.X {
			closed++
		}
	}
	if closed != 1 {
		t.Errorf("closed %d times", closed)
	}
}

// A closing that was not carried out in time is not done twice either.
func TestAClosingThatCameLate(t *testing.T) {
	w := modernWeb(t)
	id, out := w.tool("slow")
	if _, err := w.s.Handle(w.now, Cancel{Call: id, Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(cancel.UndeliveredAfter)
	w.s.Tell(w.now, Tick{})
	w.want(id, Cancelled, cancel.NotDelivered)
	w.pump()
	if n := w.count(OpAbort); n != 1 || !w.aborted(out.X) {
		t.Errorf("%d times closed", n)
	}
}

// A server may close the exchange while belay is about to: then nothing is left
// to be closed.
func TestTheServerClosesBeforeTheCancelLeft(t *testing.T) {
	w := modernWeb(t)
	id, out := w.tool("slow")
	w.stream(out.X)
	if _, err := w.s.Handle(w.now, Cancel{Call: id, Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	w.ended(out.X, End{})
	w.want(id, Cancelled, cancel.StreamClosed)
	if w.aborted(out.X) {
		t.Error("what is over was closed once more")
	}
}

// An answer that was decoded before the exchange was closed counts as it does
// everywhere: before the closing was handed out it ends the call, after it it is
// evidence.
func TestAnswerAndClosingCross(t *testing.T) {
	w := modernWeb(t)
	id, out := w.tool("slow")
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
	w.want(id, Done, cancel.NoVerdict)
	if w.aborted(out.X) {
		t.Error("its exchange was closed all the same")
	}
	id, out = w.tool("slow")
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.stop(id, "")
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
	w.want(id, Cancelled, cancel.Crossed)
	w.ended(out.X, End{Err: "closed"})
}

func TestModernHeaders(t *testing.T) {
	requirements.Rows(t, "HTM-03", "HTM-17", "HTM-18", "HTM-23", "HTM-24", "HTM-25")
	w := modernWeb(t)
	for _, tt := range []struct{ method, params, name string }{
		{"tools/call", `{"name":"slow"}`, "slow"},
		{"prompts/get", `{"name":" x"}`, "=?base64?IHg=?="},
		{"resources/read", `{"uri":"file:///ü"}`, "=?base64?ZmlsZTovLy/DvA==?="},
		{"tools/call", `{"name":"=?base64?x?="}`, "=?base64?PT9iYXNlNjQ/eD89?="},
		{"resources/list", `{}`, ""},
		{"vendor/custom", `{"name":"x"}`, ""},
	} {
		if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: tt.method, Params: []byte(tt.params)}}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		out := w.outs[len(w.outs)-1]
		if field(out, headerVersion) != "2026-07-28" || field(out, headerMethod) != tt.method || field(out, headerName) != tt.name || field(out, headerSession) != "" {
			t.Errorf("%s: %v", tt.method, out.Header)
		}
	}
	if out := w.post("server/discover"); field(out, headerVersion) != "2026-07-28" || field(out, headerMethod) != "server/discover" {
		t.Errorf("server/discover: %v", out.Header)
	}
	pinned := modernWeb(t, func(c *Config) { c.Pin = mcp.Rev20260728 })
	pinned.tool("slow")
	for _, out := range append(w.outs, pinned.outs...) {
		if out.Op == OpWrite && !strings.Contains(string(out.Data), `"`+metaVersion+`":"`+field(out, headerVersion)+`"`) {
			t.Errorf("the head says %q: %s", field(out, headerVersion), out.Data)
		}
	}
}

// A server that lists versions is asked once more, with one of them; if it
// refuses that as well, its list is shown.
func TestVersionsThatAreListedOverHTTP(t *testing.T) {
	requirements.Rows(t, "HTM-20")
	w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
	for i := range 2 {
		out := w.post("server/discover")
		if n := w.count(OpWrite); n != 1+i || field(out, headerVersion) != "2026-07-28" {
			t.Fatalf("%d POSTs, the last with %v", n, out.Header)
		}
		w.opened(out.X, Head{Status: 400, Media: mediaJSON})
		w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01","2026-07-28"]}}}`, mcp.Decode(out.Data).ID)
		w.ended(out.X, End{})
	}
	w.later(time.Minute)
	if f := w.s.Status().Failure; f == nil || !strings.Contains(f.Text+f.Hint, "2027-01-01") || w.count(OpWrite) != 2 || len(w.gets()) != 0 {
		t.Errorf("%+v, %d POSTs", f, w.count(OpWrite))
	}
}

// The transport of 2024-11-05 is looked for only where no error of JSON-RPC says
// that there is a server of another kind.
func TestWhenTheOldTransportIsLookedFor(t *testing.T) {
	requirements.Rows(t, "HTM-47")
	for name, tt := range map[string]struct {
		pin  mcp.Revision
		body string
		gets int
	}{
		"empty":                 {"", "", 1},
		"-32601":                {"", `{"jsonrpc":"2.0","id":%v,"error":{"code":-32601,"message":"no such method"}}`, 0},
		"-32022":                {"", `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"]}}}`, 0},
		"pinned to another era": {mcp.Rev20260728, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWebRig(t, func(c *Config) { c.DiscoverLimit, c.Pin = 3*time.Second, tt.pin })
			for range 2 { // server/discover, and initialize if that follows
				out := w.outs[len(w.outs)-1]
				if out.Op != OpWrite {
					break
				}
				w.opened(out.X, Head{Status: 404, Media: mediaJSON})
				if tt.body != "" {
					w.recvOn(out.X, tt.body, mcp.Decode(out.Data).ID)
				}
				w.ended(out.X, End{})
			}
			w.later(time.Minute)
			if n := len(w.gets()); n != tt.gets || w.s.Status().Phase == Ready {
				t.Errorf("%d GETs, %v", n, w.s.Status().Phase)
			}
			if tt.gets == 0 && w.s.Status().Failure == nil {
				t.Error("no failure is told")
			}
		})
	}
}

// A stream that breaks loses its call, and nothing is taken up again or sent
// again by itself (HTM-13, HTM-14).
func TestBrokenModernStream(t *testing.T) {
	requirements.Rows(t, "HTM-13")
	for _, end := range []End{{}, {Err: "reset"}} {
		w := modernWeb(t)
		id, out := w.tool("slow")
		w.stream(out.X)
		w.event(out.X, "7", 0)
		posts := w.count(OpWrite)
		w.ended(out.X, end)
		w.want(id, Lost, cancel.NoVerdict)
		w.later(time.Hour)
		if len(w.gets()) != 0 || w.count(OpWrite) != posts {
			t.Error("it was taken up again, or sent again")
		}
		w.wantDiag(mcp.DiagEventID, 1)
	}
}

// HTTP 404 with an error is the error of a method, not the end of a session
// (HTM-21).
func TestUnknownMethodOverHTTP(t *testing.T) {
	requirements.Rows(t, "HTM-21")
	w := modernWeb(t)
	id, out := w.tool("slow")
	w.opened(out.X, Head{Status: 404, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32601,"message":"no such method"}}`, w.row(id).Wire)
	w.ended(out.X, End{})
	w.want(id, Failed, cancel.NoVerdict)
	if d, _ := w.s.Detail(id); d.Err == nil || d.Err.Code != -32601 || w.s.Status().Phase != Ready {
		t.Errorf("%+v, %v", d.Err, w.s.Status().Phase)
	}
}

// Progress of another call on a stream is a violation and counts for nothing
// (HTM-08).
func TestForeignProgressInTheModernEra(t *testing.T) {
	requirements.Rows(t, "HTM-08")
	w := modernWeb(t)
	_, out := w.tool("a")
	b, _ := w.tool("b")
	w.stream(out.X)
	w.recvOn(out.X, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, w.row(b).Wire)
	if w.row(b).Progress.Count != 0 {
		t.Error("it counted")
	}
	w.wantDiag(mcp.DiagForeignProgress, 1)
}

// Over HTTP the opening request decides by status and body (VER-34 … VER-37).
func TestProbeOverHTTP(t *testing.T) {
	requirements.Rows(t, "VER-34", "VER-35", "VER-37")
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   string // the method that is posted next; "" for a failure
	}{
		{"400 empty", 400, "", "initialize"},
		{"404 empty", 404, "", "initialize"},
		{"405 empty", 405, "", "initialize"},
		{"400 with -32600", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no session"}}`, "initialize"},
		{"200 with -32601", 200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method"}}`, "initialize"},
		{"400 with -32020", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"headers"}}`, ""},
		{"400 with -32022, modern", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"v","data":{"supported":["2026-07-28"]}}}`, "server/discover"},
		{"400 with -32022, legacy", 400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"v","data":{"supported":["2025-06-18"]}}}`, "initialize"},
		{"401", 401, "", ""},
		{"403", 403, "", ""},
		{"407", 407, "", ""},
		{"429", 429, "", "initialize"},
		{"503", 503, "", "initialize"},
		{"500 with -32603", 500, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`, "initialize"},
		{"500 with -32020", 500, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"headers"}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
			out := w.post("server/discover")
			w.opened(out.X, Head{Status: tt.status, Media: mediaJSON})
			if tt.body != "" {
				w.recvOn(out.X, "%s", tt.body)
			}
			w.ended(out.X, End{})
			posts := w.count(OpWrite)
			switch {
			case tt.want == "" && (posts != 1 || w.s.Status().Failure == nil):
				t.Errorf("%d POSTs, %+v", posts, w.s.Status().Failure)
			case tt.want != "" && (posts != 2 || w.post(tt.want).X == out.X):
				t.Errorf("%d POSTs, the last %s", posts, w.outs[len(w.outs)-1].Data)
			}
		})
	}
}
