package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// webBeside is a server over HTTP that has not answered server/discover in time: both
// requests of the opening are out.
func webBeside(t *testing.T, change ...func(*Config)) (w *webRig, discover, initialize Output) {
	t.Helper()
	w = newWebRig(t, append(change, func(c *Config) { c.DiscoverLimit = 3 * time.Second })...)
	discover = w.post(methodDiscover)
	w.later(3 * time.Second)
	return w, discover, w.post(methodInitialize)
}

// How a server over HTTP turns initialize away, and what is said of it.
var turnedAway = map[string]struct {
	how  func(w *webRig, initialize Output)
	says string
}{
	"an error": {func(w *webRig, x Output) {
		w.recvOn(x.X, `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`)
	}, "Method not found"},
	"an error with 400": {func(w *webRig, x Output) {
		w.opened(x.X, Head{Status: 400, Media: mediaJSON})
		w.recvOn(x.X, `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`)
		w.ended(x.X, End{})
	}, "Method not found"},
	"404": {func(w *webRig, x Output) { w.opened(x.X, Head{Status: 404}); w.ended(x.X, End{}) }, "HTTP 404 Not Found"},
	"400": {func(w *webRig, x Output) { w.opened(x.X, Head{Status: 400}); w.ended(x.X, End{}) }, "HTTP 400 Bad Request"},
	"500": {func(w *webRig, x Output) { w.opened(x.X, Head{Status: 500}); w.ended(x.X, End{}) }, "HTTP 500 Internal Server Error"},
	"a reset": {func(w *webRig, x Output) {
		w.ended(x.X, End{Err: "the connection was reset"})
	}, "the connection was reset"},
	"nonsense": {func(w *webRig, x Output) {
		w.recvOn(x.X, `{"jsonrpc":"2.0","id":2,"result":7}`)
	}, "not an initialize result"},
	"a revision without a handshake": {func(w *webRig, x Output) {
		w.recvOn(x.X, "%s", handshakeAnswer(mcp.IntID(2), mcp.Rev20260728, logging))
	}, "which has no handshake"},
}

// A server of the modern era that turns initialize away gets the same revision however
// long server/discover takes: nothing is closed that may still answer.
func TestAServerThatTurnsInitializeAway(t *testing.T) {
	requirements.Rows(t, "VER-04")
	for name, tt := range turnedAway {
		for _, late := range []time.Duration{900 * time.Millisecond, 1100 * time.Millisecond, 12 * time.Second, 119 * time.Second} {
			t.Run(name+", "+late.String(), func(t *testing.T) {
				w, discover, initialize := webBeside(t, func(c *Config) { c.Idle = 30 * time.Second })
				tt.how(w, initialize)
				for range int(late / (100 * time.Millisecond)) {
					w.later(100 * time.Millisecond)
				}
				st := w.s.Status()
				if st.Phase != Connecting || st.Awaits != negotiate.ForDiscoverAlone || st.AwaitsUntil.Sub(w.now) != 2*time.Minute-late || !strings.Contains(st.InVain, tt.says) {
					t.Fatalf("awaits %v until %v (now %v), %q; %v, %+v", st.Awaits, st.AwaitsUntil, w.now, st.InVain, st.Phase, st.Failure)
				}
				if n := w.count(OpWrite); n != 2 || w.aborted(discover.X) {
					t.Fatalf("%d POSTs, or server/discover was closed", n)
				}
				w.recvOn(discover.X, "%s", agreement(mcp.IntID(1), mcp.Rev20260728, `{"tools":{}}`))
				if name == "nonsense" || name == "a revision without a handshake" { // it may be in the middle of a handshake
					if st := w.s.Status(); !st.StartAgain || st.BeginsWith != negotiate.WithDiscover {
						t.Errorf("%+v", st)
					}
					return
				}
				w.wantReady(mcp.Rev20260728, negotiate.Discovered)
				if st := w.s.Status(); st.InVain != "" {
					t.Errorf("ready, and in vain: %q", st.InVain)
				}
			})
		}
	}
}

// When server/discover fails as well, or its time is over, both are told, and what helps
// is nothing that HTTP does not have.
func TestBothRequestsOfTheOpeningFail(t *testing.T) {
	for name, tt := range map[string]struct {
		how  func(w *webRig, discover Output)
		says string
	}{
		"silence": {func(w *webRig, _ Output) { w.later(2 * time.Minute) }, "server/discover was not answered within 2m3s"},
		"an error": {func(w *webRig, x Output) {
			w.recvOn(x.X, noSuchMethod, mcp.IntID(1), -32601)
		}, "server/discover was answered with error -32601"},
		"404": {func(w *webRig, x Output) { w.opened(x.X, Head{Status: 404}); w.ended(x.X, End{}) }, "server/discover was answered with HTTP status 404"},
		"403": {func(w *webRig, x Output) { w.opened(x.X, Head{Status: 403}); w.ended(x.X, End{}) }, "server/discover was answered with HTTP status 403"},
		"a reset": {func(w *webRig, x Output) {
			w.ended(x.X, End{Err: "the connection was reset"})
		}, "server/discover was not answered: the connection was reset"},
		"no revision in common": {func(w *webRig, x Output) {
			w.recvOn(x.X, unsupportedAnswer, mcp.IntID(1), `["2031-01-01"]`)
		}, `it lists "2031-01-01"`},
	} {
		for away, refusal := range turnedAway {
			if away == "404" || away == "400" {
				continue // the transport of 2024-11-05 is tried then
			}
			if away == "a revision without a handshake" || away == "nonsense" {
				if name == "no revision in common" {
					continue // the answer to initialize decides
				}
			}
			t.Run(away+", "+name, func(t *testing.T) {
				w, discover, initialize := webBeside(t)
				refusal.how(w, initialize)
				tt.how(w, discover)
				fl := w.s.Status().Failure
				if fl == nil || !strings.Contains(fl.Text, refusal.says) || !strings.Contains(fl.Text, tt.says) || strings.Contains(fl.Hint, "stderr") {
					t.Errorf("%+v", fl)
				}
			})
		}
	}
}

// A server over HTTP that answers both at once, and both badly, is told with both, too.
func TestBothRequestsOfTheOpeningFailAtOnce(t *testing.T) {
	w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
	discover := w.post(methodDiscover)
	w.opened(discover.X, Head{Status: 404})
	w.ended(discover.X, End{})
	turnedAway["an error"].how(w, w.post(methodInitialize))
	w.wantFailure(FailRefused, "Method not found", "server/discover was answered with HTTP status 404")
}

// The screen may say how long is waited for server/discover, and the transport of
// 2024-11-05 is tried after that, too: then both are told, and that one.
func TestTheOlderTransportIsTriedAfterTheWait(t *testing.T) {
	w, _, initialize := webBeside(t)
	turnedAway["404"].how(w, initialize)
	w.want(initialize.Call, Failed, cancel.NoVerdict)
	if note := w.note(initialize.Call); note != "HTTP 404 Not Found" {
		t.Errorf("it reads %q", note)
	}
	w.later(2*time.Minute - 1)
	if len(w.gets()) != 0 {
		t.Fatal("the older transport is tried, and server/discover may still be answered")
	}
	w.later(1)
	gets := w.gets()
	if len(gets) != 1 {
		t.Fatalf("%d GETs", len(gets))
	}
	if note := w.note(initialize.Call); note != "HTTP 404 Not Found: falling back to HTTP+SSE" {
		t.Errorf("it reads %q", note)
	}
	again := w.opening()
	w.want(again.ID, Queued, cancel.NoVerdict)
	w.opened(gets[0].X, Head{Status: 405})
	w.ended(gets[0].X, End{})
	w.want(again.ID, Dropped, cancel.NoVerdict)
	w.wantFailure(FailHTTP, "initialize was refused (HTTP 404 Not Found)", "server/discover was not answered within 2m3s")
}

// While HTTP+SSE is tried, and once it has brought a connection, server/discover decides nothing any
// more: its exchange is closed, and an answer that was on its way changes nothing.
func TestDiscoverIsOverWhenTheOlderTransportIsTried(t *testing.T) {
	w, discover, initialize := webBeside(t)
	turnedAway["404"].how(w, initialize)
	w.later(2 * time.Minute)
	if row := w.row(discover.Call); row.State != Failed || !row.FellBack || !strings.Contains(row.Note, "HTTP+SSE of 2024-11-05 is tried") || !w.aborted(discover.X) {
		t.Errorf("server/discover is %v, %q", row.State, row.Note)
	}
	w.recvOn(discover.X, "%s", agreement(mcp.IntID(1), mcp.Rev20260728, `{"tools":{}}`))
	if st := w.s.Status(); st.Phase != Connecting || !st.SSE {
		t.Fatalf("%+v, %+v", st, st.Failure)
	}
	stream := w.gets()[0].X
	w.stream(stream)
	w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages"}})
	w.pump()
	w.recvOn(stream, "%s", handshakeAnswer(w.opening().Wire, mcp.Rev20241105, logging))
	w.wantReady(mcp.Rev20241105, negotiate.Fallback)
	w.later(time.Hour)
	if st := w.s.Status(); st.Phase != Ready || st.Revision != mcp.Rev20241105 {
		t.Errorf("%+v, %+v", st, st.Failure)
	}
}

// Who leaves while initialize is out is told nothing of a timeout that is over before the end.
func TestATimeoutAfterLeavingTellsNothing(t *testing.T) {
	r := opened(t, Config{DiscoverLimit: -1})
	r.wait(5*time.Minute - time.Millisecond)
	r.s.Tell(r.now, Disconnect{})
	_, rev, _ := r.s.Changed(nil, 0, 100)
	r.wait(time.Millisecond)
	if got := r.events("no answer to initialize"); len(got) != 0 {
		t.Errorf("told: %v", got)
	}
	if rows, _, _ := r.s.Changed(nil, rev, 100); len(rows) != 1 || !rows[0].Deadline.IsZero() {
		t.Errorf("its row is not said to have lost its deadline: %+v", rows)
	}
	if st := r.s.Status(); st.Phase != Closing || st.Failure.Kind != FailClosed {
		t.Errorf("%v, %+v", st.Phase, st.Failure)
	}
}

// A process that refuses initialize is not ended as long as server/discover may be
// answered, and when that did not help, it is begun with initialize alone, where
// server/discover is asked once more, and not for long.
func TestAProcessThatTurnsInitializeAway(t *testing.T) {
	r := beside(t)
	r.refusesInitialize()
	r.wait(2*time.Minute - 1)
	r.wantOpening("")
	r.wantAwaits(negotiate.ForDiscoverAlone, 1)
	r.wait(1)
	r.wantOpening("CLOSE")
	r.closed()
	r.lines = nil
	r.connect()
	r.refusesInitialize()
	r.wantOpening("initialize server/discover")
	r.wantAwaits(negotiate.ForDiscover, 10*time.Second)
	r.wait(10 * time.Second)
	r.wantFailure(FailRefused, "duplicate", "; the server was started twice: first it did not answer initialize well after server/discover; at last it was begun with initialize alone")
}

// An address that knew only the handshake may know only the modern era by now, and take
// its time: it is asked for that with patience.
func TestAnAddressThatForgotTheHandshake(t *testing.T) {
	r := probing(t, func(c *Config) { c.Transport = mcp.HTTP })
	r.recv(noSuchMethod, mcp.IntID(1), -32601)
	r.agree(mcp.Rev20251125, logging)
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "gone"}})
	r.connect()
	r.recv(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"not any more"}}`)
	r.wantAwaits(negotiate.ForDiscover, 2*time.Minute)
	if st := r.s.Status(); !strings.Contains(st.InVain, "not any more") {
		t.Errorf("in vain for %q", st.InVain)
	}
	r.wait(time.Minute)
	r.discovers()
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
}

// Such an address may say so by a bare status: it is asked for the modern era all the same, once, and the
// transport of 2024-11-05 is tried where that is in vain.
func TestAnAddressThatServesNoHandshakeAnyMore(t *testing.T) {
	remembered := func(t *testing.T, status int) (w *webRig, initialize Output) {
		w = newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
		w.recvOn(w.post(methodDiscover).X, noSuchMethod, mcp.IntID(1), -32601)
		w.agree(mcp.Rev20251125, logging)
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{Status: "gone"}})
		w.pump()
		w.outs = nil
		w.epoch = w.s.Tell(w.now, Connect{}).Epoch
		w.pump()
		if st := w.s.Status(); st.Found != negotiate.Cached {
			t.Fatalf("%+v", st)
		}
		initialize = w.post(methodInitialize)
		w.opened(initialize.X, Head{Status: status})
		w.ended(initialize.X, End{})
		return w, initialize
	}
	for _, status := range []int{400, 404, 405} {
		w, initialize := remembered(t, status)
		w.want(initialize.Call, Failed, cancel.NoVerdict)
		w.wantAwaits(negotiate.ForDiscover, 2*time.Minute)
		if st := w.s.Status(); !strings.Contains(st.InVain, "initialize got no answer: HTTP 4") {
			t.Errorf("in vain for %q", st.InVain)
		}
		discover := w.post(methodDiscover)
		w.recvOn(discover.X, "%s", agreement(mcp.Decode(discover.Data).ID, mcp.Rev20260728, `{"tools":{}}`))
		w.wantReady(mcp.Rev20260728, negotiate.Discovered)
		if row := w.row(initialize.Call); !row.FellBack || len(w.gets()) != 0 {
			t.Errorf("%q, %d GETs", row.Note, len(w.gets()))
		}
	}
	t.Run("and of another era", func(t *testing.T) {
		w, initialize := remembered(t, 404)
		discover := w.post(methodDiscover)
		w.opened(discover.X, Head{Status: 404})
		w.ended(discover.X, End{})
		stream := w.gets()[0].X
		if note := w.note(initialize.Call); note != "HTTP 404 Not Found: falling back to HTTP+SSE" {
			t.Errorf("it reads %q", note)
		}
		w.stream(stream)
		w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages"}})
		w.pump()
		if again := w.post(methodInitialize); !strings.Contains(string(again.Data), `"protocolVersion":"2025-11-25"`) || field(again, headerVersion) != "" {
			t.Errorf("%s, %v", again.Data, again.Header)
		}
		w.recvOn(stream, "%s", handshakeAnswer(w.opening().Wire, mcp.Rev20241105, logging))
		w.wantReady(mcp.Rev20241105, negotiate.Fallback)
	})
	t.Run("and neither", func(t *testing.T) {
		w, _ := remembered(t, 404)
		w.later(2 * time.Minute)
		get := w.gets()[0].X
		w.opened(get, Head{Status: 405})
		w.ended(get, End{})
		w.wantFailure(FailHTTP, "initialize was refused (HTTP 404 Not Found)")
		if n := w.count(OpWrite, methodDiscover); n != 1 {
			t.Errorf("server/discover was asked %d times", n)
		}
	})
	t.Run("a failure is none", func(t *testing.T) {
		w, _ := remembered(t, 503)
		w.wantFailure(FailHTTP, "HTTP 503")
	})
}

// What a server says twice, or in the words that belay has for it, is told once.
func TestARefusalIsToldOnce(t *testing.T) {
	const no = `{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":%q}}`
	for _, tt := range []struct {
		name        string
		first, then []any // of initialize, and of server/discover
		want        string
	}{
		{
			"the same error to both",
			[]any{2, -32020, "no"},
			[]any{1, -32020, "no"},
			`the server refused server/discover: error -32020: "no"; and initialize, by the same error`,
		},
		{
			"another message",
			[]any{2, -32020, "never"},
			[]any{1, -32020, "no"},
			`the server refused server/discover: error -32020: "no"; and the server refused initialize: error -32020: "never"`,
		},
		{
			"another code",
			[]any{2, -32603, "no"},
			[]any{1, -32020, "no"},
			`the server refused server/discover: error -32020: "no"; and the server refused initialize: error -32603: "no"`,
		},
		{
			"belay's own words",
			[]any{2, -32603, "The server refused initialize."},
			[]any{1, -32020, "the server refused server/discover"},
			`the server refused server/discover, in these words: error -32020; and the server refused initialize, in these words: error -32603`,
		},
		{
			"words that are belay's for the other request",
			[]any{2, -32603, "the server refused server/discover"},
			[]any{1, -32020, "no"},
			`the server refused server/discover: error -32020: "no"; and the server refused initialize: error -32603: "the server refused server/discover"`,
		},
	} {
		r := beside(t)
		r.recv(no, tt.first...)
		r.recv(no, tt.then...)
		if f := r.s.Status().Failure; f == nil || f.Text != tt.want {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
	for body, want := range map[string]string{
		"Not Found\n": "HTTP 404 Not Found", "404 not found": "HTTP 404 Not Found", "Not Found: /mcp": `HTTP 404 Not Found: "Not Found: /mcp"`,
	} {
		if got := statusWords(Head{Status: 404}, End{Body: body}); got != want {
			t.Errorf("%q is told as %s", body, got)
		}
	}
}
