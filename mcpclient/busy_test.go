//go:build unix

package mcpclient

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/cancel"

	"golang.org/x/sys/unix"
)

// A server that reads nothing blocks the writer and nobody else: keys, views,
// and the way out.
func TestServerStopsReading(t *testing.T) {
	requirements.Rows(t, "CXL-32", "SD3-11")
	o := options(t, "stops reading")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	stuck := callTool(t, c, "any", `{}`)
	await(t, c, "the server to read no more", func(*session.Session) bool { return c.current.Load().(*stdio).tail.String() != "" })

	// More than any pipe holds. What the kernel does not take stays in the core.
	text := strings.Repeat("x", 1<<10)
	var ids []session.CallID
	for range 200 {
		ids = append(ids, callTool(t, c, "any", fmt.Sprintf(`{"text":%q}`, text)))
	}
	await(t, c, "the pipe to be full, and nothing to be in the writer's hands", func(s *session.Session) bool {
		queued, inHand := 0, 0
		for _, row := range s.InFlight(nil, len(ids)+1) {
			if row.State == session.Queued {
				queued++
			} else if row.Sent.IsZero() {
				inHand++
			}
		}
		return queued > 0 && inHand == 0 && isFull(t, c.current.Load().(*stdio).Stdin.(syscall.Conn))
	})
	for range 1000 {
		c.locked(func(*session.Session, time.Time) {})
		c.View(func(s *session.Session) { s.Status() })
	}
	last := ids[len(ids)-1]
	c.locked(func(s *session.Session, now time.Time) {
		if _, err := s.Handle(now, session.Cancel{Call: last}); err != nil {
			t.Errorf("Cancel: %v", err)
		}
		if _, err := s.Handle(now, session.Cancel{Call: stuck}); err != nil {
			t.Errorf("Cancel: %v", err)
		}
	})
	wantState(t, c, last, session.Dropped)
	c.View(func(s *session.Session) {
		if row, _ := s.Row(stuck); row.State != session.Cancelling || !row.Unsent {
			t.Errorf("the call that was sent is %q, its cancel unsent: %v", row.State, row.Unsent)
		}
	})
	closeIt(t, c)
	if d := wantState(t, c, stuck, session.Cancelled); d.Verdict != cancel.NotDelivered {
		t.Errorf("verdict %q, %+v", d.Verdict, d.Evidence)
	}
}

// isFull reports whether a pipe has no room.
func isFull(t *testing.T, w syscall.Conn) (full bool) {
	t.Helper()
	conn, err := w.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) {
			at := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
			n, err := unix.Poll(at, 0)
			full = err == nil && n == 0
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// Leaving such a server works in every way, although the writer cannot ask the
// core whether the time for it has come.
func TestDisconnectFromAServerThatStopsReading(t *testing.T) {
	o := options(t, "stops reading")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	awaitSent(t, c, callTool(t, c, "any", `{}`))
	big := callTool(t, c, "any", fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 1<<20)))
	await(t, c, "the big request to be in the writer's hands", func(s *session.Session) bool {
		row, _ := s.Row(big)
		return row.State == session.Running
	})
	c.tell(session.Disconnect{Reason: "the user disconnected"})
	awaitEnd(t, c)
}

// The pipe is full; the server reads again: cancels come before the requests
// that waited, and none of those was sent that were cancelled meanwhile.
func TestCancelsOvertakeWhatWaits(t *testing.T) {
	dir := t.TempDir()
	gate, log := filepath.Join(dir, "gate"), filepath.Join(dir, "log")
	o := options(t, "reads on demand")
	o.Env = append(o.Env, "BELAY_TEST_GATE="+gate, "BELAY_TEST_LOG="+log)
	c := run(t, o)
	awaitReady(t, c)
	stop := callTool(t, c, "stop", `{}`)
	awaitSent(t, c, stop)
	text := strings.Repeat("x", 16<<10)
	var ids []session.CallID
	for i := range 100 {
		ids = append(ids, callTool(t, c, fmt.Sprintf("n%d", i), fmt.Sprintf(`{"text":%q}`, text)))
	}
	inCore := func(s *session.Session) (n int) {
		for _, id := range ids {
			if row, _ := s.Row(id); row.State == session.Queued {
				n++
			}
		}
		return n
	}
	// The writer fills the pipe and then takes nothing more.
	await(t, c, "most of the requests to wait in the core", func(s *session.Session) bool {
		row, _ := s.Row(ids[0])
		return !row.Sent.IsZero() && inCore(s) > 50
	})
	last := ids[len(ids)-1]
	c.locked(func(s *session.Session, now time.Time) {
		if _, err := s.Handle(now, session.Cancel{Call: stop, Reason: "overtake"}); err != nil {
			t.Errorf("Cancel: %v", err)
		}
		if _, err := s.Handle(now, session.Cancel{Call: ids[len(ids)-2]}); err != nil {
			t.Errorf("Cancel: %v", err)
		}
	})
	wantState(t, c, ids[len(ids)-2], session.Dropped)
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	awaitSent(t, c, last)
	closeIt(t, c)
	received, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	cancelNote, final := bytes.Index(received, []byte(`"overtake"`)), bytes.Index(received, []byte(`"n99"`))
	if cancelNote < 0 || final < 0 || cancelNote > final {
		t.Errorf("the cancel is at %d, the last request at %d", cancelNote, final)
	}
	if bytes.Contains(received, []byte(`"n98"`)) {
		t.Error("a request that was cancelled inside the core was sent")
	}
	if before := bytes.Count(received[:cancelNote], []byte("tools/call")); before > 50 {
		t.Errorf("%d requests were written before the cancel", before)
	}
}

// Ten thousand cancels leave in blocks, each call is told when its own is out.
func TestCancelAllInBlocks(t *testing.T) {
	const calls = 10_000
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, "never answers")
	o.Env = append(o.Env, "BELAY_TEST_LOG="+log)
	o.Session.NoProbe = true
	c := run(t, o)
	awaitReady(t, c)
	var last session.CallID
	for range calls {
		last = callTool(t, c, "any", `{}`)
	}
	awaitSent(t, c, last)
	c.locked(func(s *session.Session, now time.Time) {
		if n := s.Tell(now, session.CancelAll{}).Cancelled; n != calls {
			t.Errorf("%d calls were cancelled", n)
		}
	})
	await(t, c, "the cancels to be written", func(s *session.Session) bool {
		for _, row := range s.InFlight(nil, calls) {
			if row.Unsent {
				return false
			}
		}
		return true
	})
	closeIt(t, c)
	received, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(received, []byte("notifications/cancelled")); n != calls {
		t.Errorf("%d cancels were read", n)
	}
}

// Under a flood nothing is lost, and keys and views get the lock all the while.
func TestFloodLosesNothing(t *testing.T) {
	const count = 50_000
	o := options(t, "floods progress")
	o.Session.HistoryBytes = 8 << 20
	c := run(t, o)
	awaitReady(t, c)
	stop := make(chan struct{})
	var keys sync.WaitGroup
	var served atomic.Int64
	for range 3 {
		keys.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				c.locked(func(*session.Session, time.Time) {})
				c.View(func(s *session.Session) { s.Status() })
				served.Add(1)
				runtime.Gosched()
			}
		})
	}
	id := callTool(t, c, "flood", fmt.Sprint(count))
	d := wantState(t, c, id, session.Done)
	close(stop)
	keys.Wait()
	if d.Progress.Count != count || d.Progress.Value != count || d.Progress.Invalid != 0 {
		t.Errorf("progress: %+v", d.Progress)
	}
	if served.Load() == 0 {
		t.Error("no key was served")
	}
}

// A panic in one of belay's own goroutines ends the connection with a message,
// and the next one works.
func TestPanicEndsOnlyTheConnection(t *testing.T) {
	for _, where := range []string{"(*inbox).receive", "(*stdio).report", "(*stderrReader).receive", "(*ticker).due"} {
		t.Run(where, func(t *testing.T) {
			var armed atomic.Bool
			o := options(t, "three lines of stderr")
			o.Now = func() time.Time {
				if armed.Load() && calledFrom(where) && armed.CompareAndSwap(true, false) {
					panic("oh no")
				}
				return time.Now()
			}
			c := run(t, o)
			awaitReady(t, c)
			armed.Store(true)
			var id session.CallID
			for range 1000 { // the ticker has something to do soon, unless the answer is quicker
				c.locked(func(s *session.Session, now time.Time) {
					if made, err := callOf(s.Handle(now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"any"}`), Idle: 20 * time.Millisecond}})); err == nil {
						id = made
					}
				})
				if time.Sleep(30 * time.Millisecond); c.Crash() != nil {
					break
				}
			}
			awaitEnd(t, c)
			cr := c.Crash()
			if cr == nil || cr.Value != "oh no" || !strings.Contains(cr.Stack, where) {
				t.Fatalf("crash: %+v", cr)
			}
			if p := c.Process(); !strings.Contains(p.Failure, "belay failed in") {
				t.Errorf("the process says %q", p.Failure)
			}
			if d := outcome(t, c, id); d.State == session.Lost && !strings.Contains(d.Note, "belay failed in") {
				t.Errorf("the call says %q", d.Note)
			}
			if err := c.Restart(); err != nil {
				t.Fatal(err)
			}
			awaitReady(t, c)
		})
	}
}

// calledFrom reports whether the function is on the stack.
func calledFrom(function string) bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, function) {
			return true
		}
		if !more {
			return false
		}
	}
}

// What waits to be written when such a server ends is not written because the server ended: belay closed
// nothing before that.
func TestAServerThatEndsWithoutReading(t *testing.T) {
	requirements.Rows(t, "CXL-32")
	o := options(t, "stops reading")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	stuck := callTool(t, c, "any", `{}`)
	awaitSent(t, c, stuck)
	big := callTool(t, c, "any", fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 1<<20)))
	p := c.current.Load().(*stdio)
	await(t, c, "the big request to be in the writer's hands", func(s *session.Session) bool {
		row, _ := s.Row(big)
		return row.State == session.Running && row.Sent.IsZero()
	})
	c.locked(func(s *session.Session, now time.Time) {
		if _, err := s.Handle(now, session.Cancel{Call: stuck}); err != nil {
			t.Errorf("Cancel: %v", err)
		}
	})
	_ = p.Cmd.Process.Kill()
	if d := wantState(t, c, stuck, session.Cancelled); strings.Contains(d.Undelivered, "belay") {
		t.Errorf("undelivered: %q", d.Undelivered)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shut != "the server ended first" {
		t.Errorf("what was not written is said to be so as %q", p.shut)
	}
}

// Who ended the connection is said of what could not be written.
func TestWhyAMessageIsNotWritten(t *testing.T) {
	p := &stdio{}
	for _, tt := range []struct {
		why  session.Close
		want string
	}{
		{session.Close{ByUs: true}, "belay closed the server's stdin first"},
		{session.Close{Status: closedOutput}, "the server closed its stdout first"},
		{session.Close{Status: closedInput}, "the server has closed its stdin"},
		{session.Close{}, "the server ended first"},
	} {
		p.shut = shutWords(tt.why)
		if got := p.writeTrouble(os.ErrClosed); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.why, got, tt.want)
		}
	}
}
