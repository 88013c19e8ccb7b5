package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// A server that answers both requests of the opening well is started again, with
// server/discover alone. If it does not bear that, it gets the initialize that it has borne,
// once, in the revision that it answered.
func TestAServerThatDoesNotBearItsSecondStart(t *testing.T) {
	requirements.Rows(t, "VER-48")
	ends := func(r *rig) {
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 4", Stderr: "no lock"}})
	}
	second := func(t *testing.T) *rig {
		r := beside(t)
		if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}}); err != nil {
			t.Fatal(err)
		}
		r.recv("%s", handshakeAnswer(r.asked("initialize").Latest, mcp.Rev20250618, logging))
		r.discovers()
		r.wantOpening("CLOSE")
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}})
		r.lines = nil
		return r
	}
	begin := func(r *rig) {
		r.lines = nil
		r.connect()
	}
	for name, how := range map[string]struct {
		end  func(r *rig)
		says string
	}{
		"on server/discover": {func(r *rig) { begin(r); r.wantOpening("server/discover"); ends(r) }, "on server/discover"},
		"while it starts": {func(r *rig) {
			r.mute = true
			begin(r)
			ends(r)
			r.mute = false
		}, "before it was asked anything"},
		"on both": {func(r *rig) { begin(r); r.wait(2 * time.Minute); ends(r) }, "on server/discover or initialize"},
	} {
		t.Run(name, func(t *testing.T) {
			r := second(t)
			how.end(r)
			if st := r.s.Status(); !st.StartAgain || st.BeginsWith != negotiate.WithInitialize || !strings.Contains(st.Failure.Text, how.says) {
				if st.Failure == nil {
					t.Fatal("there is no failure")
				}
				t.Fatalf("%+v, %+v", st, st.Failure)
			}
			begin(r)
			r.wantOpening("initialize")
			if !strings.Contains(r.lines[0], `"protocolVersion":"2025-06-18"`) {
				t.Errorf("offered %s", r.lines[0])
			}
			t.Run("and bears the third one", func(t *testing.T) {
				r.recv("%s", handshakeAnswer(r.asked("initialize").Latest, mcp.Rev20250618, logging))
				r.wantReady(mcp.Rev20250618, negotiate.Fallback)
				if r.sent("tools/call") != 1 {
					t.Errorf("the call that waits for a connection is not made: %v", r.lines)
				}
				st := r.s.Status()
				if !st.StartedAgain || st.Starts != 3 || !strings.Contains(st.StartsWords, "the server was started 3 times: first it answered server/discover, and got initialize as well") ||
					!strings.Contains(st.StartsWords, how.says+": exit status 4; at last it was begun with initialize alone") {
					t.Errorf("%d starts: %q", st.Starts, st.StartsWords)
				}
				r.closed() // the next start is the user's
				r.connect()
				if st := r.s.Status(); st.StartsWords != "" || st.Starts != 1 {
					t.Errorf("%d starts: %q", st.Starts, st.StartsWords)
				}
			})
		})
	}
	t.Run("refuses it, and bears initialize", func(t *testing.T) {
		r := second(t)
		begin(r)
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"not now"}}`, r.asked("server/discover").Latest)
		r.wantOpening("server/discover initialize")
		r.recv("%s", handshakeAnswer(r.asked("initialize").Latest, mcp.Rev20251125, logging))
		want := "; at last it was begun with server/discover alone, which was answered with error -32603, and initialize followed"
		if st := r.s.Status(); st.Phase != Ready || !strings.HasSuffix(st.StartsWords, want) {
			t.Errorf("%v, %q", st.Phase, st.StartsWords)
		}
	})
	t.Run("nor the third one", func(t *testing.T) {
		r := second(t)
		begin(r)
		ends(r)
		begin(r)
		ends(r)
		st := r.s.Status()
		if st.StartAgain || st.Phase != Disconnected || st.Failure == nil || st.Failure.Stderr != "no lock" || st.Failure.Remedy.Kind != RemedyRestart {
			t.Fatalf("%+v, %+v", st, st.Failure)
		}
		want := "the server ended before it answered initialize: exit status 4; the server was started 3 times: first it answered server/discover, and got initialize as well, with which it may stay; " +
			"then, begun with server/discover alone, it ended on server/discover: exit status 4; at last it was begun with initialize alone"
		if st.Failure.Text != want {
			t.Errorf("%q\nwant %q", st.Failure.Text, want)
		}
	})
}
