package session

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// rig is a session on a bench: a clock that moves when told, and everything
// that was handed out, line by line.
type rig struct {
	t     testing.TB
	s     *Session
	now   time.Time
	epoch Epoch
	lines []string // what the server has read, oldest first
	mute  bool     // the server does not read: nothing is pulled
	pings bool     // the server answers pings at once
	looks []Output // at the roots, that were asked for
}

var origin = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// newRig begins with the handshake, unless the configuration says when the probe
// is given up.
func newRig(t testing.TB, cfg Config) *rig {
	if cfg.DiscoverLimit == 0 {
		cfg.DiscoverLimit = -1
	}
	r := &rig{t: t, now: origin, s: New(cfg, origin)}
	t.Cleanup(r.check)
	return r
}

// opened is a rig whose opening request is out and not answered.
func opened(t testing.TB, cfg Config) *rig {
	r := newRig(t, cfg)
	r.connect()
	return r
}

// connect begins a connection.
func (r *rig) connect() {
	r.epoch = r.s.Tell(r.now, Connect{}).Epoch
	r.pull()
}

// ready is a rig whose server speaks a revision and lists nothing. What was
// written until then is forgotten.
func ready(t testing.TB, rev mcp.Revision, change ...func(*Config)) *rig {
	r := serving(t, rev, logging, change...)
	r.lines = nil
	return r
}

// check holds the invariants.
func (r *rig) check() {
	r.t.Helper()
	if err := r.s.Check(); err != nil {
		r.t.Errorf("invariant: %v", err)
	}
}

// wait lets time pass, with Tick at every deadline on the way.
func (r *rig) wait(d time.Duration) {
	r.t.Helper()
	end := r.now.Add(d)
	for range 100_000 {
		at, ok := r.s.Deadline()
		if !ok || at.After(end) {
			r.now = end
			return
		}
		if at.After(r.now) {
			r.now = at
		}
		r.s.Tell(r.now, Tick{})
		r.pull()
	}
	r.t.Fatal("Deadline never moves on")
}

// pull writes out all there is, unless the server does not read.
func (r *rig) pull() {
	for !r.mute {
		out, ok := r.s.Next(r.now)
		if !ok {
			return
		}
		if out.Op == OpRoots {
			r.looks = append(r.looks, out)
			continue
		}
		if out.Op == OpOpen || out.Op == OpAbort && out.Seq == 0 {
			continue
		}
		if out.Op == OpClose {
			r.lines = append(r.lines, "CLOSE")
			continue
		}
		r.lines = append(r.lines, string(out.Data))
		checkCode(r.t, out.Data)
		if r.s.cfg.Transport == mcp.HTTP && out.Op == OpWrite {
			r.s.Tell(r.now, Started{ExchangeID: out.X})
		}
		r.s.Tell(r.now, Sent{Seq: out.Seq})
		if r.s.cfg.Transport == mcp.HTTP && !out.Awaits {
			r.s.Tell(r.now, Opened{ExchangeID: out.X, Head: Head{Status: 202}})
			r.s.Tell(r.now, Ended{ExchangeID: out.X, End: End{}})
		}
		if r.pings && strings.Contains(string(out.Data), `"method":"`+probeMethod(r.s.conn.rev)+`"`) {
			id := mcp.Decode(out.Data).ID
			r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, mcp.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%v,"result":{}}`, id)))
		}
	}
}

// checkCode holds that an error that belay answers with has one of the codes that
// it may have (ERR-12).
func checkCode(t testing.TB, line []byte) {
	t.Helper()
	if !bytes.Contains(line, []byte(`"error":`)) {
		return
	}
	if m := read(t, string(line)); m.Method == "" && m.Error != nil && !slices.Contains(answerCodes, m.Error.Code) {
		t.Errorf("belay answers with the code %d", m.Error.Code)
	}
}

// answerCodes are those of JSON-RPC that fit, and the one for sampling that the
// user rejects.
var answerCodes = []int64{-1, -32600, -32601, -32602, -32603}

// recv delivers a message of the server's.
func (r *rig) recv(format string, args ...any) {
	r.t.Helper()
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, mcp.Decode([]byte(line)))
	r.check()
	r.pull()
}

// call makes a tool call and returns it with its wire ID.
func (r *rig) call(tool string) (CallID, mcp.ID) {
	r.t.Helper()
	id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: fmt.Appendf(nil, `{"name":%q}`, tool)}}))
	if err != nil {
		r.t.Fatal(err)
	}
	r.pull()
	return id, r.row(id).Wire
}

func (r *rig) row(id CallID) Row {
	r.t.Helper()
	row, ok := r.s.Row(id)
	if !ok {
		r.t.Fatalf("row %d is not kept", id)
	}
	return row
}

func (r *rig) cancel(id CallID, reason string) {
	r.t.Helper()
	if _, err := r.s.Handle(r.now, Cancel{Call: id, Reason: reason}); err != nil {
		r.t.Fatalf("cancel %d: %v", id, err)
	}
	r.pull()
}

// sent counts the lines that the server read and that hold all of the words.
func (r *rig) sent(words ...string) int {
	n := 0
line:
	for _, l := range r.lines {
		for _, w := range words {
			if !strings.Contains(l, w) {
				continue line
			}
		}
		n++
	}
	return n
}

// want fails unless a row has a state and a verdict.
func (r *rig) want(id CallID, state State, verdict cancel.Verdict) {
	r.t.Helper()
	row := r.row(id)
	if row.State != state || row.Verdict != verdict {
		r.t.Fatalf("%v · %v, want %v · %v (note %q)", row.State, row.Verdict, state, verdict, row.Note)
	}
}
