package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// Only an answer to something that was written after the cancel shows that the
// server has read it.
func TestAProbeTellsOnlyOfEarlierCancels(t *testing.T) {
	short := func(c *Config) { c.Grace = time.Second }
	pings := func(r *rig) (ids []string) {
		for _, l := range r.lines {
			if m := read(r.t, l); m.Method == "ping" {
				ids = append(ids, string(m.ID))
			}
		}
		return ids
	}
	t.Run("a younger cancel gets a probe of its own", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, short)
		one, _ := r.call("one")
		two, _ := r.call("two")
		three, _ := r.call("three")
		r.cancel(one, "")
		r.cancel(two, "")
		r.wait(1100 * time.Millisecond) // one probe for both is out
		r.cancel(three, "")
		r.wait(1100 * time.Millisecond)
		if n := len(pings(r)); n != 2 {
			t.Fatalf("%d probes, want 2", n)
		}
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[0])
		r.want(one, Cancelled, cancel.Quiet)
		r.want(two, Cancelled, cancel.Quiet)
		r.want(three, Cancelling, cancel.NoVerdict)
		r.wait(2 * time.Second)
		r.want(three, Cancelled, cancel.ServerUnresponsive)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[1])
		r.want(three, Cancelled, cancel.Quiet)
	})
	t.Run("a late probe is not waited for again", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		one, _ := r.call("one")
		r.cancel(one, "")
		r.wait(8 * time.Second)
		r.want(one, Cancelled, cancel.ServerUnresponsive)
		two, _ := r.call("two")
		r.cancel(two, "")
		r.wait(6 * time.Second)
		r.want(two, Cancelling, cancel.NoVerdict)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[0])
		r.want(one, Cancelled, cancel.Quiet)
		r.want(two, Cancelling, cancel.NoVerdict)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[1])
		r.want(two, Cancelled, cancel.Quiet)
	})
	t.Run("nor by a row whose cancel is older than it", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		one, _ := r.call("one")
		two, _ := r.call("two")
		r.cancel(one, "")
		r.wait(3 * time.Second)
		r.cancel(two, "")
		r.wait(5*time.Second + time.Millisecond) // the probe for one was late at 7 s
		r.want(one, Cancelled, cancel.ServerUnresponsive)
		r.want(two, Cancelling, cancel.NoVerdict)
		if n := len(pings(r)); n != 2 {
			t.Errorf("%d probes, want 2", n)
		}
	})
	t.Run("the probe is late two seconds after it was wanted, for all who wait", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.Grace = 5 * time.Second })
		one, _ := r.call("one")
		two, _ := r.call("two")
		r.cancel(one, "")
		r.wait(1500 * time.Millisecond)
		r.cancel(two, "")
		r.wait(5499 * time.Millisecond) // the probe of one has been out for 1.999 s, since 5 s
		r.want(one, Cancelling, cancel.NoVerdict)
		r.want(two, Cancelling, cancel.NoVerdict)
		r.wait(time.Millisecond)
		r.want(one, Cancelled, cancel.ServerUnresponsive)
		r.want(two, Cancelled, cancel.ServerUnresponsive)
		if n := len(pings(r)); n != 1 {
			t.Errorf("%d probes, want 1", n)
		}
	})
	t.Run("an answer at the very moment when the probe is late", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		one, _ := r.call("one")
		r.cancel(one, "")
		r.wait(7 * time.Second)
		r.want(one, Cancelled, cancel.ServerUnresponsive)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[0])
		r.want(one, Cancelled, cancel.Quiet)
	})
	t.Run("any answer to something written later will do", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
		before, beforeWire := r.call("before")
		one, _ := r.call("one")
		r.cancel(one, "")
		_, laterWire := r.call("later")
		r.wait(6 * time.Second)
		r.want(one, Cancelled, cancel.NothingHeard)
		r.recv(okAnswer, beforeWire)
		r.want(before, Done, cancel.NoVerdict)
		r.want(one, Cancelled, cancel.NothingHeard)
		r.recv(okAnswer, laterWire)
		r.want(one, Cancelled, cancel.Quiet)
		if d, _ := r.s.Detail(one); !slices.ContainsFunc(d.Timeline, func(m MomentView) bool {
			return m.Kind == MomProbeAnswer && m.Text == "tools/call, which was written later"
		}) {
			t.Errorf("the timeline does not say what was answered: %+v", d.Timeline)
		}
	})
}

func TestTheGraceBeginsWithTheLastByte(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
	id, _ := r.call("slow")
	r.mute = true
	r.cancel(id, "")
	r.wait(3 * time.Second)
	out, _ := r.s.Next(r.now)
	r.wait(time.Second)
	if !r.row(id).Unsent {
		t.Error("handed out is not written")
	}
	r.s.Tell(r.now, Sent{Seq: out.Seq})
	r.wait(5*time.Second - 1)
	r.want(id, Cancelling, cancel.NoVerdict)
	r.wait(1)
	r.want(id, Cancelled, cancel.NothingHeard)
}

// The bound comes from what a server answers at once: what a tool takes for its
// work is no time on the way.
func TestTheBoundOfCrossed(t *testing.T) {
	const ms = time.Millisecond
	tool, ping := CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}, CallSpec{Method: "ping"}
	for _, tt := range []struct {
		name  string
		spec  CallSpec
		trips []time.Duration // of calls before
		lag   time.Duration
		want  cancel.Verdict
	}{
		{"the handshake alone", tool, nil, 20 * ms, cancel.Crossed},
		{"the handshake alone, later", tool, nil, 20*ms + 1, cancel.AnsweredLate},
		{"a short one", ping, []time.Duration{3 * ms}, 20 * ms, cancel.Crossed},
		{"a short one, later", ping, []time.Duration{3 * ms}, 20*ms + 1, cancel.AnsweredLate},
		{"behind a bridge", ping, []time.Duration{600 * ms}, 1800 * ms, cancel.Crossed},
		{"behind a bridge, later", ping, []time.Duration{600 * ms}, 1800*ms + 1, cancel.AnsweredLate},
		{"behind a bridge that is known", ping, slices.Repeat([]time.Duration{600 * ms}, 40), 600 * ms, cancel.Crossed},
		{"behind a bridge that is known, later", ping, slices.Repeat([]time.Duration{600 * ms}, 40), 620 * ms, cancel.AnsweredLate},
		{"a very long one", ping, []time.Duration{time.Minute}, 2000 * ms, cancel.Crossed},
		{"a very long one, later", ping, []time.Duration{time.Minute}, 2000*ms + 1, cancel.AnsweredLate},
		{"work", tool, []time.Duration{time.Minute}, 20*ms + 1, cancel.AnsweredLate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			for _, d := range tt.trips {
				_, wire := r.made(tt.spec)
				r.wait(d)
				r.recv(okAnswer, wire)
			}
			id, wire := r.call("t")
			r.wait(time.Second)
			r.cancel(id, "")
			r.wait(tt.lag)
			r.recv(okAnswer, wire)
			r.want(id, Cancelled, tt.want)
		})
	}
	// What is judged by round trips is no measure of them by itself.
	t.Run("its own", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for range 3 {
			_, wire := r.made(ping)
			r.wait(3 * ms)
			r.recv(okAnswer, wire)
		}
		id, wire := r.made(ping)
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(100 * ms)
		r.recv(okAnswer, wire)
		r.want(id, Cancelled, cancel.AnsweredLate)
	})
}

func TestCancelledLists(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{"listChanged":true}}`)
	r.answerList(mcp.Tools, "", `{"name":"a","inputSchema":{}}`)
	tools := func() ListView { return r.s.Catalog().Lists[mcp.Tools] }
	if l := tools(); len(l.Items) != 1 || !l.Complete {
		t.Fatalf("%+v", l)
	}
	changed := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	r.recv("%s", changed)
	r.wait(time.Second)
	if n := r.s.Tell(r.now, CancelAll{}).Cancelled; n != 1 || !tools().Loading {
		t.Fatalf("%d cancelled, loading %v", n, tools().Loading)
	}
	r.pull()
	r.pings = true
	r.wait(10 * time.Second)
	if l := tools(); l.Loading || l.Problem == "" || len(l.Items) != 1 {
		t.Errorf("after the cancel: %+v", l)
	}
	r.recv("%s", changed)
	r.wait(time.Second)
	rows := r.s.InFlight(nil, 10)
	if len(rows) != 1 || rows[0].Method != "tools/list" {
		t.Fatalf("a later change is not fetched: %+v", rows)
	}
	r.recv(errorAnswer, rows[0].Wire)
	if l := tools(); l.Loading || l.Complete || len(l.Items) != 1 || !strings.Contains(l.Problem, "broken") {
		t.Errorf("after an error what was listed stays: %+v", l)
	}
	if _, ok := r.s.Deadline(); ok {
		t.Error("a timer is left")
	}
}

// The server's last message is the one that began last: a long one on another exchange may end after it.
func TestWhatTheServerSaidLastBeganLast(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	began := w.now
	id, _ := w.tool("a")
	_, long := w.tool("b")
	w.opened(long.X, Head{Status: 200, Media: "text/event-stream"})
	w.later(time.Second)
	w.stop(id, "")
	w.later(3 * time.Second)
	w.recvOn(long.X, logNote, "info", `"short"`)
	if last := w.s.conn.talked; !last.Equal(w.now) {
		t.Fatalf("it began %v after the beginning", last.Sub(began))
	}
	short := w.now
	w.later(time.Second)
	f := mcp.Decode([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"long"}}`))
	f.Began = began
	w.s.Receive(w.now, long.X, f)
	if last := w.s.conn.talked; !last.Equal(short) {
		t.Errorf("it began %v before the one that began last", short.Sub(last))
	}
}
