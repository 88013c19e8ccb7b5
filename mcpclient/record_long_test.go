//go:build unix

package mcpclient

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/witness"
)

// A server whose tool "slow" is answered when "free" is called, and whose tool "flood" tells
// of its progress as often as it is told to, and never answers.
func init() {
	scripts["slow, free, flood"] = func(p *peer) {
		var slow []message
		p.call = func(p *peer, m message) {
			switch m.Params.Name {
			case "slow":
				slow = append(slow, m)
				return
			case "flood":
				n, _ := strconv.Atoi(string(m.Params.Arguments[len(`{"n":`) : len(m.Params.Arguments)-1]))
				for i := range n {
					p.raw(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + string(m.Params.Meta.Token) + `,"progress":` + strconv.Itoa(i+1) + "}}\n")
				}
				p.flush()
				return
			case "free":
				for _, m := range slow {
					p.result(m, `{"content":[]}`)
				}
				slow = nil
			}
			p.result(m, `{"content":[]}`)
		}
	}
}

// narrow is a client that keeps little of its journal.
func narrow(t *testing.T, script string) *Client {
	t.Helper()
	o := options(t, script)
	o.kept = recording.Room{All: 192 << 10, Part: 12 << 10}
	c := New(o)
	t.Cleanup(func() {
		c.Kill()
		closeIt(t, c)
	})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
	awaitRest(t, c)
	return c
}

// awaitRest waits until nothing is under way: what is done next begins at rest.
func awaitRest(t *testing.T, c *Client) {
	t.Helper()
	await(t, c, "rest", func(s *session.Session) bool {
		_, ok := s.Journal().Rest()
		return ok && s.Catalog().Lists[mcp.Tools].Complete
	})
}

// ends fails unless the rows of a recording are the last ones of those that there were.
func ends(t *testing.T, got, want []string, least int) {
	t.Helper()
	if len(got) < least || len(got) > len(want) || strings.Join(got, ", ") != strings.Join(want[len(want)-len(got):], ", ") {
		t.Errorf("it has %d rows, at least %d are wanted: %q, of %q", len(got), least, got, want)
	}
}

// receives fails unless as many messages came in a recording as in the run.
func receives(t *testing.T, s *session.Session, c *Client) {
	t.Helper()
	var want uint64
	c.View(func(s *session.Session) { want = s.Status().Received })
	if got := s.Status().Received; got != want {
		t.Errorf("in the recording %d messages were received, in the run %d", got, want)
	}
}

// Where more came on one connection than is kept, a recording begins with it all the same:
// without the first calls, and with IDs, states and times as they were.
func TestARecordingOfManyCalls(t *testing.T) {
	c := narrow(t, "slow, free, flood")
	for range 300 {
		wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	}
	file := &sheet{}
	missing, err := c.Record(t.Context(), file)
	if err != nil || missing.Calls < 100 || missing.Messages > 0 {
		t.Fatalf("%v %+v", err, missing)
	}
	wantState(t, c, callTool(t, c, "after", `{}`), session.Done)
	var want []string
	c.View(func(s *session.Session) { want = rowsOf(s) })
	closeIt(t, c)
	s := file.played(t)
	ends(t, rowsOf(s), want, 10)
	if n := 301 - len(rowsOf(s)); missing.Calls != n {
		t.Errorf("it says that %d calls are missing, %d are", missing.Calls, n)
	}
	receives(t, s, c)
	told := false
	for q, last := s.HistorySpan(); q <= last; q++ {
		e, _ := s.Entry(q)
		told = told || strings.Contains(string(e.Raw), "not in this recording: "+strconv.Itoa(missing.Calls)+" calls before this, and ")
	}
	if !told {
		t.Error("the recording does not say what is missing")
	}
}

// A recording can begin in the middle of a flood: without most of its messages, and with the
// call that they are for, whose verdict is the one that it had.
func TestARecordingDuringAFlood(t *testing.T) {
	for name, starts := range map[string]func(*testing.T, string) *Client{"narrow": narrow, "usual": usual} {
		t.Run(name, func(t *testing.T) { isRecordedInAFlood(t, starts(t, "slow, free, flood")) })
	}
}

// usual is a client as it is.
func usual(t *testing.T, script string) *Client {
	t.Helper()
	c := run(t, options(t, script))
	awaitReady(t, c)
	awaitRest(t, c)
	return c
}

func isRecordedInAFlood(t *testing.T, c *Client) {
	const n = 20_000
	id := callTool(t, c, "flood", `{"n":`+strconv.Itoa(n)+`}`)
	await(t, c, "all of the flood", func(s *session.Session) bool {
		r, _ := s.Row(id)
		return r.Progress.Value == n
	})
	file := &sheet{}
	missing, err := c.Record(t.Context(), file)
	if err != nil || missing.Messages < n*8/10 || missing.Calls > 0 {
		t.Fatalf("%v %+v", err, missing)
	}
	if _, err := c.Do(session.Cancel{Call: id, Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	want := wantState(t, c, id, session.Cancelled)
	closeIt(t, c)
	s := file.played(t)
	got, _ := s.Detail(id)
	if got.Verdict != want.Verdict || got.Verdict == cancel.NotDelivered || got.Progress.Value != n || got.Wire != want.Wire {
		t.Errorf("%+v, want %+v", got.Row, want.Row)
	}
	receives(t, s, c)
}

// Where calls are in flight whose beginning is no longer kept, a recording begins all the
// same, and goes on when nothing is in flight: on this connection, or with the next one.
func TestARecordingBesideALongCall(t *testing.T) {
	for _, restart := range []bool{false, true} {
		t.Run(map[bool]string{false: "ends", true: "lost"}[restart], func(t *testing.T) {
			c := narrow(t, "slow, free, flood")
			slow := callTool(t, c, "slow", `{}`)
			for range 300 {
				wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
			}
			file := &sheet{}
			missing, err := c.Record(t.Context(), file)
			if err != nil || !missing.Late {
				t.Fatalf("%v %+v", err, missing)
			}
			if restart {
				if err := c.Restart(); err != nil {
					t.Fatal(err)
				}
				awaitReady(t, c)
			} else {
				wantState(t, c, callTool(t, c, "free", `{}`), session.Done)
				wantState(t, c, slow, session.Done)
			}
			for range 10 {
				awaitRest(t, c) // a call may be answered before it is told as written
				wantState(t, c, callTool(t, c, "after", `{}`), session.Done)
			}
			wantState(t, c, callTool(t, c, "last", `{}`), session.Done)
			if !restart {
				if err := c.StopRecording(t.Context()); err != nil {
					t.Fatal(err)
				}
				if again, err := c.Record(t.Context(), &sheet{}); err != nil || again.Late || again.Calls < 300 {
					t.Errorf("another one: %v %+v", err, again)
				}
			}
			var want []string
			c.View(func(s *session.Session) { want = rowsOf(s) })
			closeIt(t, c)
			s := file.played(t)
			ends(t, rowsOf(s), want, 2)
			if restart {
				receives(t, s, c)
			}
		})
	}
}

// What is on stderr, and samples that tell nothing new, are let go of before any call.
func TestALongRunKeepsItsCalls(t *testing.T) {
	c := narrow(t, "slow, free, flood")
	slow := callTool(t, c, "slow", `{}`)
	c.locked(func(s *session.Session, now time.Time) {
		for i := range 5000 {
			s.Tell(now.Add(time.Duration(i)*time.Millisecond), session.Stderr{Epoch: 1, Line: []byte("still at it, and it goes on and on")})
			s.Tell(now.Add(time.Duration(i)*time.Millisecond), session.ProcessSample{Epoch: 1, Sample: witness.Sample{Processes: []witness.Process{{PID: 7, Start: 8, Name: "n"}}}})
		}
	})
	file := &sheet{}
	missing, err := c.Record(t.Context(), file)
	if err != nil || missing.Messages < 4000 || missing.Calls > 0 {
		t.Fatalf("%v %+v", err, missing)
	}
	wantState(t, c, callTool(t, c, "free", `{}`), session.Done)
	wantState(t, c, slow, session.Done)
	closeIt(t, c)
	if got := rowsOf(file.played(t)); len(got) != 2 {
		t.Errorf("it has %q", got)
	}
}
