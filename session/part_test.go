package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// arrives tells what has come on stdio of a message, and not its end.
func (r *rig) arrives(size int, began, last time.Duration) {
	r.t.Helper()
	r.s.Tell(r.now, ReceivedPart{ExchangeID: ExchangeID{Epoch: r.s.conn.epoch}, Part: Part{Size: size, Kept: true, Began: began, Last: last}})
}

func (r *rig) evidence(id CallID) string {
	d, _ := r.s.Detail(id)
	var all []string
	for _, e := range d.Evidence {
		all = append(all, e.Text)
	}
	return strings.Join(all, "\n")
}

// On stdio a message that is arriving may be the answer. It is no silence, and nobody waits
// for its end: the verdict is given in time, and grows.
func TestAMessageArrivesOnStdio(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`
	grows := func(r *rig) {
		for at := time.Second; at <= 10*time.Second; at += 500 * time.Millisecond {
			r.arrives(int(at/time.Millisecond), at-time.Second, 0)
			r.wait(500 * time.Millisecond)
		}
	}
	begin := func(t *testing.T) (*rig, CallID, string) {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.call("slow")
		r.cancel(id, "enough")
		r.wait(time.Second)
		return r, id, wire.String()
	}
	t.Run("and is the answer", func(t *testing.T) {
		r, id, wire := begin(t)
		grows(r)
		r.want(id, Cancelled, cancel.NothingHeard)
		r.arrives(0, 0, 0)
		r.begun(9*time.Second, answer, wire)
		r.want(id, Cancelled, cancel.AnsweredLate)
	})
	t.Run("and stops", func(t *testing.T) {
		r, id, _ := begin(t)
		grows(r)
		r.wait(10 * time.Second)
		r.want(id, Cancelled, cancel.NothingHeard)
		if e := r.evidence(id); !strings.Contains(e, "bytes of a message came, 6.5 kB in all, and not its end") {
			t.Error(e)
		}
	})
	t.Run("and had stopped before the cancel", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("slow")
		r.arrives(1000, 0, 0)
		r.wait(time.Second)
		r.cancel(id, "enough")
		r.wait(20 * time.Second)
		r.want(id, Cancelled, cancel.ServerUnresponsive)
		if e := r.evidence(id); !strings.Contains(e, "1.0 kB of a message had come") {
			t.Error(e)
		}
	})
	t.Run("a byte every 0.3 s, for ever", func(t *testing.T) {
		r, id, _ := begin(t)
		for at := time.Second; at < 6900*time.Millisecond; at += 300 * time.Millisecond {
			r.arrives(int(at/time.Millisecond)/300, at-time.Second, 0)
			r.want(id, Cancelling, cancel.NoVerdict)
			r.wait(300 * time.Millisecond)
		}
		r.wait(200 * time.Millisecond) // the grace is over, and the time for the probe
		r.want(id, Cancelled, cancel.NothingHeard)
	})
	t.Run("and is of somebody else", func(t *testing.T) {
		r, id, _ := begin(t)
		r.wait(4 * time.Second)
		r.arrives(1000, 3*time.Second, 0)
		r.wait(time.Second)
		r.arrives(0, 0, 0)
		r.recv(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}`)
		r.wait(3 * time.Second)
		r.want(id, Cancelled, cancel.ServerUnresponsive)
	})
	t.Run("and is none", func(t *testing.T) {
		for name, probing := range map[string]bool{"probe": true, "no probe": false} {
			t.Run(name, func(t *testing.T) {
				r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = !probing })
				id, _ := r.call("slow")
				r.cancel(id, "enough")
				r.wait(time.Second)
				grows(r)
				r.want(id, Cancelled, cancel.NothingHeard)
				r.arrives(0, 0, 0)
				r.begun(9*time.Second, "this is no JSON, and may be the answer")
				r.begun(0, "nor is this, which is another message")
				r.want(id, Cancelled, cancel.NothingHeard)
				e := r.evidence(id)
				if !strings.Contains(e, "something that is not JSON came after the cancel: \"this is no JSON") || strings.Contains(e, "its end") || strings.Contains(e, "nor is this") {
					t.Error(e)
				}
				_, other := r.call("quick") // whose answer shows that the server has read the cancel
				r.recv(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, other)
				r.want(id, Cancelled, cancel.NothingHeard)
			})
		}
	})
	t.Run("and is taken back, and a message of no meaning begins", func(t *testing.T) {
		r, id, _ := begin(t)
		grows(r)
		r.arrives(0, 0, 0)
		r.begun(0, "nor is this, which is another message")
		r.want(id, Cancelled, cancel.ServerUnresponsive)
	})
	t.Run("and is of somebody else, and ends after the verdict", func(t *testing.T) {
		r, id, _ := begin(t)
		grows(r)
		r.want(id, Cancelled, cancel.NothingHeard)
		r.arrives(0, 0, 0)
		r.begun(9*time.Second, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}`)
		r.want(id, Cancelled, cancel.ServerUnresponsive)
		if e := r.evidence(id); strings.Contains(e, "its end") || !strings.Contains(e, "though the server said something after the cancel") {
			t.Error(e)
		}
	})
	t.Run("and the server dies", func(t *testing.T) {
		r, id, _ := begin(t)
		r.arrives(1000, 0, 0)
		r.closed()
		r.want(id, Cancelled, cancel.ServerDied)
		if e := r.evidence(id); !strings.Contains(e, "1.0 kB in all, and not its end") {
			t.Error(e)
		}
	})
}

// That the server had answered something that was written after the cancel does not mean
// that what came later has ended.
func TestAMessageArrivesBehindAnAnswer(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
	id, _ := r.call("slow")
	r.cancel(id, "enough")
	_, other := r.call("quick")
	r.wait(time.Second)
	r.recv(okAnswer, other)
	r.wait(time.Second)
	r.arrives(1000, 0, 0)
	r.wait(20 * time.Second)
	r.want(id, Cancelled, cancel.NothingHeard)
	if e := r.evidence(id); !strings.Contains(e, "bytes of a message came, 1.0 kB in all, and not its end") || !strings.Contains(e, "it had read it") {
		t.Error(e)
	}
}
