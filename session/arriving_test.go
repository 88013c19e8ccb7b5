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
	r.s.Tell(r.now, Unfinished{ExchangeID: ExchangeID{Epoch: r.s.conn.epoch}, Part: Part{Size: size, Kept: true, Began: began, Last: last}})
}

func (r *rig) evidence(id CallID) string {
	d, _ := r.s.Detail(id)
	var all []string
	for _, e := range d.Evidence {
		all = append(all, e.Text)
	}
	return strings.Join(all, "\n")
}

// On stdio a message that is arriving may be the answer. It is no silence, and the
// answer to the probe, which can only come behind it, is awaited as long as it grows.
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
		r.want(id, Cancelling, cancel.NoVerdict)
		r.arrives(0, 0, 0)
		r.begun(9*time.Second, answer, wire)
		r.want(id, Cancelled, cancel.AnsweredLate)
	})
	t.Run("and stops", func(t *testing.T) {
		r, id, _ := begin(t)
		grows(r)
		r.wait(10 * time.Second)
		r.want(id, Cancelled, cancel.NothingHeard)
		if e := r.evidence(id); !strings.Contains(e, "bytes of a message came, 10.0 kB in all, and not its end") {
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
	t.Run("and without end", func(t *testing.T) {
		r, id, _ := begin(t)
		for at := time.Second; at <= 2*time.Minute && r.row(id).State == Cancelling; at += 500 * time.Millisecond {
			r.arrives(int(at/time.Millisecond), at-time.Second, 0)
			r.wait(500 * time.Millisecond)
		}
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
