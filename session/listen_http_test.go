package session

import (
	"testing"
	"time"

	"belay/internal/covers"
)

// Over HTTP belay's own subscription is begun again when its stream breaks or
// ends, each time by a new request (SUB-17).
func TestOwnSubscriptionWhoseStreamBreaks(t *testing.T) {
	covers.Rows(t, "SUB-17")
	w := newWebRig(t, func(c *Config) { c.Probe = 3 * time.Second })
	out := w.post("server/discover")
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(out.X, discoverAnswer, IntID(w.s.cfg.FirstID), `["2026-07-28"]`, `{"prompts":{"listChanged":true}}`)
	w.ended(out.X, End{})
	seen := map[ID]bool{}
	for i, end := range []End{{Err: "reset"}, {}, {Err: "reset"}} {
		if n := w.count(OpWrite, methodListen); n != i+1 {
			t.Fatalf("%d subscriptions were posted, want %d", n, i+1)
		}
		x, own := w.post(methodListen).X, w.own()
		if seen[own.Wire] {
			t.Fatalf("the ID %v was used before", own.Wire)
		}
		seen[own.Wire] = true
		w.stream(x)
		w.recvOn(x, agreedNote, own.Wire, `{"promptsListChanged":true}`)
		w.recvOn(x, changedNote, "prompts", own.Wire)
		w.ended(x, end)
		if row := w.row(own.ID); !row.State.Terminal() || row.Sub.ByServer != (end.Err == "") {
			t.Errorf("%v, %+v", row.State, row.Sub)
		}
		w.later(time.Second)
	}
	if len(w.gets()) != 0 || w.count(OpWrite, "notifications/cancelled") != 0 {
		t.Error("something else was sent for it")
	}
}
