package session

import (
	"fmt"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// An event ID names one place in one stream: one that comes twice in a session is
// told, on whichever streams it does.
func TestEventIDsThatComeTwice(t *testing.T) {
	requirements.Rows(t, "HTL-33")
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.stream(get)
	_, out := w.tool("a")
	w.stream(out.X)
	for i := range 50 {
		w.event([]ExchangeID{get, out.X}[i%2], fmt.Sprintf("s-%d", i), -1)
	}
	w.event(get, "", -1) // which takes an ID back, and is none
	w.event(out.X, "", -1)
	w.wantDiag(mcp.DiagEventRepeat, 0)
	w.event(get, "s-49", -1)
	w.wantDiag(mcp.DiagEventRepeat, 1)
	for i := range keptIDs {
		w.s.Tell(w.now, EventReceived{ExchangeID: get, Event: Event{ID: ptr(fmt.Sprintf("t-%d", i)), Retry: -1}})
	}
	w.event(out.X, "s-49", -1) // forgotten
	w.wantDiag(mcp.DiagEventRepeat, 1)
	if n := len(w.s.http.ids.seen); n != keptIDs {
		t.Errorf("%d are remembered", n)
	}
}

func ptr[T any](v T) *T { return &v }
