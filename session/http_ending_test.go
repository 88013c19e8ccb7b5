package session

import (
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// What the end of an exchange means, for whoever waited for it.
func TestWhatTheEndOfAnExchangeMeans(t *testing.T) {
	const stream = mediaStream
	type exchangeOf struct {
		role        role
		call        State         // of the call whose answer it was to bring; 0: it belongs to no call
		signal      cancel.Signal // of its cancel
		written     bool          // the cancel's last byte
		opened      bool
		head        Head
		session     bool // the session's ID went with it
		lastID      string
		unprocessed Resending
	}
	for name, tt := range map[string]struct {
		of   exchangeOf
		end  End
		rev  mcp.Revision // empty: the latest with a handshake
		sse  bool         // HTTP+SSE
		done bool         // its request was answered before
		want endingKind
		read bool
		over bool
	}{
		"of a call, in order, without an answer":    {of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 200, Media: mediaJSON}}, want: endsBroken},
		"of a call that was answered":               {of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 200, Media: stream}}, done: true},
		"of a call, refused with a status":          {of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 500}}, want: endsBroken, read: true},
		"of a call, and the server was not reached": {of: exchangeOf{role: roleRequest, call: Running}, end: End{Err: "refused"}, want: endsBroken},
		"of a call whose stream has a place to go on from": {
			of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 200, Media: stream}, lastID: "e1"}, end: End{Err: "reset"}, want: endsResumed,
		},
		"… in the modern era, where none is taken up": {
			of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 200, Media: stream}, lastID: "e1"}, rev: mcp.Rev20260728, want: endsBroken,
		},
		"of a call whose answer comes on the one stream": {of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 202}}, sse: true},
		"of a call that wants a login":                   {of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 401}}, want: endsForLogin, read: true},
		"of a stream that wants one":                     {of: exchangeOf{role: roleResume, call: Running, opened: true, head: Head{Status: 401}}, want: endsForLoginToResume},
		"of a call whose session is over": {
			of: exchangeOf{role: roleRequest, call: Running, opened: true, head: Head{Status: 404}, session: true}, want: endsSession, over: true,
		},

		"of a cancelled call, with a status": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Notify, opened: true, head: Head{Status: 500}}, want: endsStatusAnswer, read: true,
		},
		"of a cancelled call, without one": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Notify, opened: true, head: Head{Status: 200, Media: stream}}, want: endsUnheard,
		},
		"of a cancelled call that the server had not begun": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Notify, unprocessed: Redirected}, want: endsUnprocessed,
		},
		"of a call whose cancel is that end": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Abort, opened: true, head: Head{Status: 200, Media: stream}}, rev: mcp.Rev20260728, want: endsClosed,
		},
		"of the request that unsubscribes, refused": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Unsubscribe, opened: true, head: Head{Status: 400}}, want: endsCancelRejected, read: true,
		},
		"of the request that unsubscribes, not reached": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Unsubscribe}, end: End{Err: "refused"}, want: endsCancelRejected,
		},
		"of the request that unsubscribes, without an answer": {
			of: exchangeOf{role: roleRequest, call: Cancelling, signal: cancel.Unsubscribe, written: true, opened: true, head: Head{Status: 200, Media: mediaJSON}}, want: endsUnsubscribed,
		},

		"of the probe, with a status":                {of: exchangeOf{role: roleRequest, opened: true, head: Head{Status: 500}}, want: endsProbeAnswered, read: true},
		"of the probe, in order":                     {of: exchangeOf{role: roleRequest, opened: true, head: Head{Status: 200}}, want: endsProbeAnswered},
		"of the probe, broken":                       {of: exchangeOf{role: roleRequest, opened: true, head: Head{Status: 200}}, end: End{Err: "reset"}, want: endsProbeUnheard},
		"of the probe, and the session is over":      {of: exchangeOf{role: roleRequest, opened: true, head: Head{Status: 404}, session: true}, want: endsProbeAnswered, over: true},
		"of a cancel that was accepted":              {of: exchangeOf{role: roleCancel, opened: true, head: Head{Status: 202}}},
		"of a cancel that did not reach the server":  {of: exchangeOf{role: roleCancel}, end: End{Err: "refused"}, want: endsCancelRejected},
		"of an answer that was accepted":             {of: exchangeOf{role: roleAnswer, opened: true, head: Head{Status: 202}}},
		"of an answer that did not reach the server": {of: exchangeOf{role: roleAnswer}, end: End{Err: "refused"}, want: endsUnacknowledged},
		"of the server's own stream":                 {of: exchangeOf{role: roleServerStream, opened: true, head: Head{Status: 200, Media: stream}}, want: endsServerStream},
		"of the stream for everything (2024-11-05)":  {of: exchangeOf{role: roleEvents, opened: true, head: Head{Status: 200, Media: stream}}, sse: true, want: endsEvents},
	} {
		if tt.rev == "" {
			tt.rev = mcp.Rev20251125
		}
		a := newAlone(tt.rev, mcp.HTTP)
		a.cfg.Login = true
		var out outgoing
		out.init(1, false)
		after := afterCancel{&a.log}
		w := exchanges{log: &a.log, cfg: &a.cfg, timers: &a.timers, outgoing: &out, after: &after}
		w.reset()
		if tt.sse {
			w.variant = httpSSE
		}
		c := a.row("tools/call", 7)
		p := &pending{method: "notifications/cancelled", cancels: c}
		c.stop = &stop{Attempt: cancel.New(origin, cancel.Spec{Signal: tt.of.signal, Grace: time.Second}), out: p}
		if tt.of.written {
			c.stop.Written(origin)
		}
		r := c.req
		if tt.of.call == 0 {
			r = &request{id: mcp.IntID(9), method: "ping", probe: true, order: 9}
		} else {
			c.state = tt.of.call
		}
		if tt.of.role != roleRequest && tt.of.role != roleResume {
			r = nil
		} else if !tt.done {
			out.open[r.id] = r
		}
		e := w.begin(tt.of.role, r)
		e.p, e.session, e.started = p, tt.of.session, tt.of.opened
		e.opened, e.head, e.lastID, e.unprocessed = tt.of.opened, tt.of.head, tt.of.lastID, tt.of.unprocessed
		m := w.meaningOf(e, tt.end)
		if m.what != tt.want || (m.read != 0) != tt.read || m.over != tt.over {
			t.Errorf("%s: %d, read %d, over %v; want %d, %v, %v", name, m.what, m.read, m.over, tt.want, tt.read, tt.over)
		}
		if len(a.Diagnostics()) > 0 || c.state != tt.of.call && tt.of.call != 0 || w.open[e.x.N] != e {
			t.Errorf("%s: to say what it means has changed something", name)
		}
	}
}
