package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// While the transport waits before it writes a body once more, nothing runs at the server
// and no exchange is open: a cancel sends nothing, and closes nothing that is shown.
func TestACancelWhileABodyWaitsToBeWrittenOnceMore(t *testing.T) {
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for why := Redirected; why <= Refused; why++ {
			t.Run(string(rev)+", "+why.String(), func(t *testing.T) {
				w := readyWeb(t, rev)
				id, out := w.tool("slow")
				w.s.Tell(w.now, Started{ExchangeID: out.X, Because: why, Later: true})
				if n := w.note(id); !strings.Contains(n, "waits before it is sent once more") {
					t.Errorf("the row says %q", n)
				}
				w.later(time.Second)
				w.stop(id, "enough")
				w.want(id, Cancelled, cancel.NothingRunning)
				d, _ := w.s.Detail(id)
				drawn := slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomClosing || m.Kind == MomCancelSent })
				if drawn || w.count(OpWrite, "notifications/cancelled") != 0 || !w.aborted(out.X) {
					t.Errorf("drawn %v; closed %v: %+v", drawn, w.aborted(out.X), d.Timeline)
				}
				if e := w.evidence(id); !strings.Contains(e, "the server did not begin with the request ("+why.String()) {
					t.Error(e)
				}
				if w.s.Tell(w.now, Started{ExchangeID: out.X, Because: why}).Wanted {
					t.Error("the body is written once more")
				}
			})
		}
	}
}

// Written once more, or answered, the request is at the server again.
func TestACancelWhenABodyWasWrittenOnceMore(t *testing.T) {
	for name, goOn := range map[string]func(w *webRig, x ExchangeID){
		"written": func(w *webRig, x ExchangeID) { w.s.Tell(w.now, Started{ExchangeID: x, Because: Refused}) },
		"opened":  func(w *webRig, x ExchangeID) { w.stream(x) },
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20260728)
			id, out := w.tool("slow")
			w.s.Tell(w.now, Started{ExchangeID: out.X, Because: Refused, Later: true})
			goOn(w, out.X)
			w.stop(id, "enough")
			w.ended(out.X, End{Err: "closed"})
			w.want(id, Cancelled, cancel.StreamClosed)
		})
	}
}
