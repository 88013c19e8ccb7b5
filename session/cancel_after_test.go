package session

import (
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// A message for a call counts as one after its cancel by when its first byte came; in the modern
// era it is a fault where it cannot have been on its way.
func TestAMessageAfterACancel(t *testing.T) {
	const cancelled, written = true, true
	for name, tt := range map[string]struct {
		rev       mcp.Revision
		cancelled bool
		written   bool          // the cancel's last byte, a second after the beginning
		began     time.Duration // of the message, since the beginning
		taken     bool
		told      bool
	}{
		"nobody wants it cancelled":    {rev: mcp.Rev20260728, began: 9 * time.Second},
		"the cancel is not written":    {rev: mcp.Rev20260728, cancelled: cancelled, began: 9 * time.Second},
		"it began before the cancel":   {rev: mcp.Rev20260728, cancelled: cancelled, written: written, began: 999 * time.Millisecond},
		"it may have been on its way":  {rev: mcp.Rev20260728, cancelled: cancelled, written: written, began: 1100 * time.Millisecond, taken: true},
		"it cannot have been":          {rev: mcp.Rev20260728, cancelled: cancelled, written: written, began: 9 * time.Second, taken: true, told: true},
		"before the modern era it may": {rev: mcp.Rev20251125, cancelled: cancelled, written: written, began: 9 * time.Second, taken: true},
	} {
		a := newAlone(tt.rev, mcp.Stdio)
		after := afterCancel{&a.log}
		c := a.row("tools/call", 7)
		if tt.cancelled {
			c.stop = &stop{Attempt: cancel.New(origin, cancel.Spec{Grace: time.Minute})}
			c.state = Cancelling
		}
		if tt.written {
			c.stop.Written(origin.Add(time.Second))
		}
		a.now, a.began = origin.Add(20*time.Second), origin.Add(tt.began)
		if taken := after.takeAfterCancel(c, "progress"); taken != tt.taken {
			t.Errorf("%s: taken %v", name, taken)
		}
		if c.stop != nil {
			if n := c.stop.Count().All; n > 0 != tt.taken {
				t.Errorf("%s: %d messages are evidence", name, n)
			}
		}
		if told := len(a.Diagnostics()) > 0; told != tt.told {
			t.Errorf("%s: diagnostics %v", name, a.Diagnostics())
		}
		if tt.cancelled && c.state != Cancelling {
			t.Errorf("%s: the row is revived", name)
		}
	}
}

// Whose question to the user it can be that comes after a cancel: the only call in question's.
func TestTheSoleAsker(t *testing.T) {
	for name, tt := range map[string]struct {
		running, queued, standing int             // calls in flight
		ended                     []time.Duration // ago, of those that were cancelled
		answered                  bool            // the first of these, late
		older                     bool            // that one is of another connection
		want                      string
	}{
		"nothing":                                {},
		"one that runs":                          {running: 1, want: "running"},
		"two that run":                           {running: 2},
		"one that is not sent does not count":    {running: 1, queued: 1, want: "running"},
		"a subscription does not either":         {running: 1, standing: 1, want: "running"},
		"one that was cancelled just now":        {ended: []time.Duration{time.Second}, want: "cancelled"},
		"one that was cancelled long ago":        {ended: []time.Duration{2 * time.Minute}},
		"one that was cancelled and answered":    {ended: []time.Duration{time.Second}, answered: true},
		"one of another connection":              {ended: []time.Duration{time.Second}, older: true},
		"one that runs and one just cancelled":   {running: 1, ended: []time.Duration{time.Second}},
		"one that runs and one cancelled before": {running: 1, ended: []time.Duration{2 * time.Minute}, want: "running"},
	} {
		a := newAlone(mcp.Rev20251125, mcp.Stdio)
		after := afterCancel{&a.log}
		in := map[*call]string{}
		for range tt.running {
			in[a.row("tools/call", 1)] = "running"
		}
		for range tt.queued {
			a.row("tools/call", 2).state = Queued
		}
		for range tt.standing {
			a.row(methodSubscribe, 3).sub = &subscription{active: true}
		}
		for i, ago := range tt.ended {
			c := a.row("tools/call", 4)
			in[c] = "cancelled"
			c.stop = &stop{}
			a.rows.enter(c, outcome{to: Cancelled}, origin.Add(-ago))
			a.now = c.ended
			after.rememberCancelled(c)
			if tt.answered && i == 0 {
				c.late = &LateAnswer{}
			}
			if tt.older {
				c.epoch--
			}
		}
		a.now = origin
		if got := in[after.soleAsker()]; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	a := newAlone(mcp.Rev20251125, mcp.Stdio)
	after := afterCancel{&a.log}
	for range 2 * maxCancelledLately {
		c := a.row("tools/call", 4)
		a.rows.enter(c, outcome{to: Cancelled}, origin)
		after.rememberCancelled(c)
	}
	if n := len(a.rows.cancelledLately); n != maxCancelledLately {
		t.Errorf("%d are remembered, want %d", n, maxCancelledLately)
	}
}
