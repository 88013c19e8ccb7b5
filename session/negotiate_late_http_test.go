package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// Over HTTP, too, an answer to server/discover that comes within a minute of the handshake has belay
// begin once more: its exchange stays open for so long, and no longer.
func TestDiscoverIsAnsweredAfterTheHandshakeOverHTTP(t *testing.T) {
	greeted := func(t *testing.T) (*webRig, Output) {
		w, discover, initialize := webBeside(t)
		w.recvOn(initialize.X, "%s", handshakeAnswer(mcp.IntID(2), mcp.Rev20251125, logging))
		w.ended(initialize.X, End{})
		w.later(time.Second)
		w.wantReady(mcp.Rev20251125, negotiate.Fallback)
		w.want(discover.Call, Failed, cancel.NoVerdict)
		return w, discover
	}
	for _, late := range []time.Duration{0, 59 * time.Second} {
		w, discover := greeted(t)
		w.later(late)
		w.opened(discover.X, Head{Status: 200, Media: mediaStream})
		w.recvOn(discover.X, "%s", agreement(mcp.IntID(1), mcp.Rev20260728, `{"tools":{}}`))
		st := w.s.Status()
		if !st.StartAgain || st.BeginsWith != negotiate.WithDiscover || !strings.Contains(st.Failure.Text, "answered server/discover after the handshake: belay connects again") {
			t.Errorf("%v late: %+v, %+v", late, st, st.Failure)
		}
	}
	t.Run("and the connection was used", func(t *testing.T) {
		w, discover := greeted(t)
		w.tool("a")
		w.stream(discover.X)
		w.recvOn(discover.X, "%s", agreement(mcp.IntID(1), mcp.Rev20260728, `{"tools":{}}`))
		w.wantReady(mcp.Rev20251125, negotiate.Fallback)
		if row := w.row(discover.Call); !strings.Contains(row.Note, "the next connection begins with that") {
			t.Errorf("%q", row.Note)
		}
		w.later(lingerLimit) // what goes on after its answer is closed
		if !w.aborted(discover.X) {
			t.Error("its stream stays open")
		}
	})
	t.Run("never", func(t *testing.T) {
		w, discover := greeted(t)
		w.later(time.Minute - 1)
		if w.aborted(discover.X) {
			t.Error("its exchange was closed while its answer counts")
		}
		w.later(1)
		if !w.aborted(discover.X) {
			t.Error("its exchange stays open")
		}
		w.later(1) // what was on its way may still come
		w.recvOn(discover.X, "%s", agreement(mcp.IntID(1), mcp.Rev20260728, `{}`))
		w.wantReady(mcp.Rev20251125, negotiate.Fallback)
	})
	t.Run("its exchange ends", func(t *testing.T) {
		w, discover := greeted(t)
		w.ended(discover.X, End{Err: "reset"})
		w.later(time.Minute)
		w.wantReady(mcp.Rev20251125, negotiate.Fallback)
	})
}
