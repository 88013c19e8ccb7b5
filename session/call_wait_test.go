package session

import (
	"testing"

	"belay/session/cancel"
	"belay/session/mcp"
)

// Whatever a call waits for between two of its requests: with the end of its
// connection it waits no more, and its row does not say so.
func TestACallThatIsLostWaitsForNothing(t *testing.T) {
	for name, begin := range map[string]func(w *webRig) CallID{
		"a login": func(w *webRig) CallID {
			id, out := w.tool("a")
			w.refuse(out.X, Head{Status: 401})
			return id
		},
		"a pause": func(w *webRig) CallID {
			id, wire, x := w.listensOn()
			w.recvOn(x, agreedNote, wire, `{"toolsListChanged":true}`)
			w.ended(x, End{Err: "reset"})
			return id
		},
		"a round": func(w *webRig) CallID {
			id, out := w.tool("a")
			w.opened(out.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"input_required","requestState":"s"}}`, mcp.Decode(out.Data).ID)
			w.ended(out.X, End{})
			return id
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := modernWeb(t, withLogin)
			id := begin(w)
			waits := func() bool {
				row := w.row(id)
				return row.Login || row.Round.Waits || !row.Sub.AgainAt.IsZero()
			}
			if row := w.row(id); !waits() || row.State != Running || !row.Paused {
				t.Fatalf("it does not wait: %+v", row)
			}
			w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{Status: "exit status 1"}})
			w.check()
			w.want(id, Lost, cancel.NoVerdict)
			if waits() {
				t.Errorf("it still waits: %+v", w.row(id))
			}
		})
	}
}

// A handshake on the older transport that waits for a login has failed when the
// one stream of that transport ends, and waits no more.
func TestAHandshakeThatFailsWaitsForNothing(t *testing.T) {
	w := newWebRig(t, withLogin)
	stream := w.httpSSE()
	w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages"}})
	w.pump()
	w.refuse(w.post("initialize").X, Head{Status: 401})
	if row := w.row(1); !row.Login || row.State != Running {
		t.Fatalf("it does not wait: %+v", row)
	}
	w.ended(stream, End{})
	w.check()
	if row := w.row(1); row.Login || row.State != Failed {
		t.Errorf("%+v", row)
	}
}
