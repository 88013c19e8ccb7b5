package replay

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
	"belay/session/secret"
)

var origin = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// run is a session that is recorded, whose server is the test, and a clock that moves
// when told. What is shown of a replay is compared with it.
type run struct {
	s     *session.Session
	now   time.Time
	epoch session.Epoch
	file  bytes.Buffer
	rows  []map[session.CallID]session.Row // after each line
	seen  []session.Seq                    // the last message after each line
	quick bool                             // neither of these two is kept
}

func newRun(mask *secret.Mask) *run {
	r := &run{s: session.New(session.Config{Pin: mcp.Rev20251125}, origin), now: origin}
	journal.Attach(r.s, origin, func(rec journal.Record) {
		r.note()
		r.file.Write(append(rec.Append(nil, mask), '\n'))
	})
	r.epoch = r.s.Tell(r.now, session.Connect{}).Epoch
	r.pull()
	r.hears(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"}}}`)
	return r
}

// note keeps what the step before has led to.
func (r *run) note() {
	if r.quick {
		return
	}
	rows := map[session.CallID]session.Row{}
	first, last := r.s.Span()
	for id := first; id <= last; id++ {
		if row, ok := r.s.Row(id); ok {
			rows[id] = row
		}
	}
	_, seen := r.s.HistorySpan()
	r.rows, r.seen = append(r.rows, rows), append(r.seen, seen)
}

func (r *run) pull() {
	for {
		out, ok := r.s.Next(r.now)
		if !ok {
			return
		}
		r.s.Tell(r.now, session.Sent{Seq: out.Seq})
	}
}

func (r *run) hears(format string, args ...any) {
	r.s.Receive(r.now, session.ExchangeID{Epoch: r.epoch}, mcp.Decode(fmt.Appendf(nil, format, args...)))
	r.pull()
}

func (r *run) does(in session.Input) session.CallID {
	reply, err := r.s.Handle(r.now, in)
	if err != nil {
		panic(err)
	}
	r.pull()
	return reply.Call
}

func (r *run) later(d time.Duration) {
	for end := r.now.Add(d); ; {
		at, ok := r.s.Deadline()
		if !ok || at.After(end) {
			r.now = end
			return
		}
		r.now = at
		r.s.Tell(r.now, session.Tick{})
		r.pull()
	}
}

func call(name string) session.StartCall {
	return session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + name + `"}`)}}
}

// short has a call that is cancelled before it is answered.
func short() *run {
	r := newRun(nil)
	id := r.does(call("quick"))
	r.later(time.Second)
	r.does(session.Cancel{Call: id})
	r.hears(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
	r.note()
	r.rows, r.seen = r.rows[1:], r.seen[1:]
	return r
}

// story has a call that is answered, one that is cancelled and answered late, one of
// which nothing is heard any more, and a message that is no JSON.
func story(mask *secret.Mask) *run {
	r := newRun(mask)
	r.does(call("quick"))
	r.later(time.Second)
	r.hears(`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hunter-22"}]}}`)
	late := r.does(call("late"))
	r.later(time.Second)
	r.does(session.Cancel{Call: late, Reason: "wrong branch"})
	r.later(3 * time.Second)
	r.hears(`{"jsonrpc":"2.0","id":3,"result":{"content":[]}}`)
	r.hears("this is no JSON \x1b[2J")
	quiet := r.does(call("quiet"))
	r.later(time.Second)
	r.does(session.Cancel{Call: quiet, Reason: "enough"})
	r.later(20 * time.Second)
	r.does(session.Disconnect{Reason: "the user disconnected"})
	r.s.Tell(r.now, session.Closed{Epoch: r.epoch, Why: session.Close{ByUs: true, Status: "exit status 0"}})
	r.note()
	r.rows, r.seen = r.rows[1:], r.seen[1:] // of the session before its first line
	return r
}

// written is a file with these bytes.
func written(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// opened plays a file; the player is closed with the test.
func opened(t testing.TB, path string, follow bool) *Player {
	t.Helper()
	open := Open
	if follow {
		open = OpenToFollow
	}
	x, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPlayer(x, follow)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// until waits until the player is as it should be. A benchmark measures how long that takes, and has
// all the time that it needs.
func until(t testing.TB, p *Player, what string, is func(Status) bool) Status {
	t.Helper()
	var deadline <-chan time.Time
	if _, measures := t.(*testing.B); !measures {
		deadline = time.After(2 * time.Minute)
	}
	for {
		st := p.Status()
		if is(st) {
			return st
		}
		select {
		case <-p.Wake():
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatalf("never %s: %+v", what, st)
		}
	}
}

// rested waits until the player has come to where it was to go.
func rested(t testing.TB, p *Player) Status {
	t.Helper()
	return until(t, p, "at rest", func(st Status) bool { return st.State == Paused })
}

// shows fails unless the player shows what the run showed after a line, line 1 being
// the first.
func (r *run) shows(t testing.TB, p *Player, line int64) {
	t.Helper()
	want := r.rows[line-1]
	p.View(func(s *session.Session) {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		first, last := s.Span()
		n := 0
		for id := first; id <= last; id++ {
			got, ok := s.Row(id)
			if !ok {
				continue
			}
			n++
			if w := want[id]; got.State != w.State || got.Verdict != w.Verdict || got.Wire != w.Wire || got.Target != w.Target || !got.Ended.Equal(w.Ended) {
				t.Errorf("line %d: row %d is %+v, was %+v", line, id, got, w)
			}
		}
		if n != len(want) {
			t.Errorf("line %d: %d rows, were %d", line, n, len(want))
		}
		if _, seen := s.HistorySpan(); seen != r.seen[line-1] {
			t.Errorf("line %d: %d messages, were %d", line, seen, r.seen[line-1])
		}
	})
}
