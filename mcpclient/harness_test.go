//go:build unix

package mcpclient

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// patience is how long anything may take before a test gives up. It is no
// measure of speed.
const patience = 90 * time.Second

// quick has the steps of shutdown come soon: for a test that does not say which of them
// are taken, as that is a matter of how fast the machine is.
var quick = ShutdownWaits{
	Stdin: 700 * time.Millisecond, Term: 300 * time.Millisecond, Kill: patience,
	Settle: 300 * time.Millisecond, Rest: 300 * time.Millisecond, Quit: 300 * time.Millisecond,
}

// patient has them come so late that a well-behaved server sees none but the first.
var patient = ShutdownWaits{Stdin: patience, Term: patience, Kill: patience, Settle: patience, Rest: patience, Quit: patience}

// options run the test binary as the given peer. However long that takes to start, it is
// asked in the order of who answers at once.
func options(t testing.TB, script string) Options {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Command:  []string{exe},
		Env:      []string{peerVar + "=" + script, "GORACE=atexit_sleep_ms=0"},
		Session:  session.Config{DiscoverLimit: patience},
		Shutdown: patient,
	}
}

// run starts a client that is closed, with everything it ran, when the test ends.
func run(t testing.TB, o Options) *Client {
	t.Helper()
	c := New(o)
	t.Cleanup(func() {
		c.Kill()
		closeIt(t, c)
		noSurvivor(t, c.Process().PID)
	})
	if err := c.Start(); err != nil {
		t.Fatalf("Start: %v", err)
	}
	return c
}

func closeIt(t testing.TB, c *Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.Close(ctx); err != nil {
		t.Errorf("Close: %v", err)
	}
	if ctx.Err() != nil {
		t.Error("Close took until its context ended")
	}
}

// await waits until cond holds.
func await(t testing.TB, c *Client, what string, cond func(s *session.Session) bool) {
	t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		ok := false
		c.View(func(s *session.Session) { ok = cond(s) })
		if ok {
			return
		}
		select {
		case <-c.Wake():
		case <-limit.C:
			var st session.Status
			var entries []session.Entry
			c.View(func(s *session.Session) { st = s.Status(); entries = s.Entries(nil, 1, 50) })
			for _, e := range entries {
				t.Logf("%v %v %s %.200s", e.Dir, e.Kind, e.Method, e.Raw)
			}
			t.Fatalf("waited too long for: %s\nstatus: %+v\nprocess: %+v", what, st, c.Process())
		}
	}
}

func awaitReady(t testing.TB, c *Client) {
	t.Helper()
	await(t, c, "ready", func(s *session.Session) bool { return s.Status().Phase == session.Ready })
}

func awaitEnd(t testing.TB, c *Client) {
	t.Helper()
	await(t, c, "the end of the connection", func(s *session.Session) bool { return s.Status().Phase == session.Disconnected })
	await(t, c, "the end of the process", func(*session.Session) bool { return !c.Process().IsRunning() })
}

// callTool calls a tool of the server with the given arguments.
func callTool(t testing.TB, c *Client, name, arguments string) (id session.CallID) {
	t.Helper()
	var err error
	id, err = callOf(c.Do(session.StartCall{Spec: session.CallSpec{
		Method: "tools/call",
		Params: []byte(`{"name":` + strconv.Quote(name) + `,"arguments":` + arguments + `}`),
	}}))
	if err != nil {
		t.Fatalf("Call: %v", err)
	}
	return id
}

// awaitSent waits until the call's last byte was written.
func awaitSent(t testing.TB, c *Client, id session.CallID) {
	t.Helper()
	await(t, c, "a call to be sent", func(s *session.Session) bool {
		row, _ := s.Row(id)
		return !row.Sent.IsZero()
	})
}

// outcome waits for the end of a call.
func outcome(t testing.TB, c *Client, id session.CallID) (d session.Detail) {
	t.Helper()
	await(t, c, "the end of call "+strconv.Itoa(int(id)), func(s *session.Session) bool {
		var ok bool
		d, ok = s.Detail(id)
		return ok && d.State.IsTerminal()
	})
	return d
}

func wantState(t testing.TB, c *Client, id session.CallID, want session.State) session.Detail {
	t.Helper()
	d := outcome(t, c, id)
	if d.State != want {
		t.Errorf("call %d ended as %q (%s, error %+v), want %q", id, d.State, d.Note, d.Err, want)
	}
	return d
}

// entries are all that the history keeps of a kind.
func entries(c *Client, kind session.EntryKind) (found []session.Entry) {
	c.View(func(s *session.Session) {
		first, last := s.HistorySpan()
		found = s.Entries(nil, first, int(last-first)+1)
	})
	return slices.DeleteFunc(found, func(e session.Entry) bool { return e.Kind != kind })
}

// texts are the bytes of entries.
func texts(list []session.Entry) (all []string) {
	for _, e := range list {
		all = append(all, string(e.Raw))
	}
	return all
}

// has reports whether a diagnostic was made.
func has(c *Client, code mcp.DiagCode) (found bool) {
	c.View(func(s *session.Session) {
		found = slices.ContainsFunc(s.Diagnostics(), func(d session.Diagnostic) bool { return d.Code == code })
	})
	return found
}

// details are what the diagnostics of a kind say.
func details(c *Client, code mcp.DiagCode) (text string) {
	c.View(func(s *session.Session) {
		for _, d := range s.Diagnostics() {
			if d.Code == code {
				text += d.Detail + "\n"
			}
		}
	})
	return text
}

// stepTexts is the log of the shutdown as one text.
func stepTexts(c *Client) string {
	var all []string
	for _, s := range c.Process().Steps {
		all = append(all, s.Text)
	}
	return strings.Join(all, "\n")
}

// noSurvivor fails when somebody is left in the process group.
func noSurvivor(t testing.TB, group int) {
	t.Helper()
	if group == 0 {
		return
	}
	for end := time.Now().Add(patience); syscall.Kill(-group, 0) == nil && !onlyZombies(group); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the process group %d is still alive", group)
		}
	}
}

// onlyZombies reports whether all that is left of the group has ended, and nobody
// has waited for it: an init that does not is nothing of ours.
func onlyZombies(group int) bool {
	procs, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	for _, p := range procs {
		stat, err := os.ReadFile("/proc/" + p.Name() + "/stat")
		if err != nil {
			continue
		}
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(f) > 2 && f[2] == strconv.Itoa(group) && f[0] != "Z" && f[0] != "X" {
			return false
		}
	}
	return true
}

// callOf is the row that an input made.
func callOf(r session.Reply, err error) (session.CallID, error) { return r.Call, err }
