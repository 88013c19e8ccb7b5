//go:build unix

package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

func TestConnectCallQuit(t *testing.T) {
	requirements.Rows(t, "STD-01")
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	await(t, c, "the list of tools", func(s *session.Session) bool {
		return len(s.Catalog().Lists[mcp.Tools].Items) == 1
	})
	wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	if err := c.Start(); !errors.Is(err, ErrRunning) {
		t.Errorf("a second Start: %v", err)
	}
	closeIt(t, c)
	select {
	case <-c.Done():
	default:
		t.Error("Done is not closed after Close")
	}
	if got := c.Process().Status; got != "exit status 0" {
		t.Errorf("the server ended with %q", got)
	}
	if err := c.Start(); !errors.Is(err, ErrClosed) {
		t.Errorf("Start after Close: %v", err)
	}
	closeIt(t, c) // may be called again
}

// Whatever the user types, the server reads one message a line and nothing else.
func TestOnlyMessagesReachStdin(t *testing.T) {
	requirements.Rows(t, "STD-03", "STD-05")
	log := filepath.Join(t.TempDir(), "stdin")
	o := options(t, "never answers")
	o.Env = append(o.Env, "BELAY_TEST_LOG="+log)
	c := run(t, o)
	awaitReady(t, c)
	await(t, c, "the list of tools", func(s *session.Session) bool { return s.Catalog().Lists[mcp.Tools].Complete })
	var ids []session.CallID
	for _, arg := range []string{`{"a":"one\ntwo\r\nthree"}`, "{\n\"a\": \t1,\r\n \"b\": [\n1\n]\n}", `{"\n":"\u2028\u0000"}`} {
		ids = append(ids, callTool(t, c, "new\nline", arg))
	}
	for _, id := range ids {
		awaitSent(t, c, id)
	}
	c.locked(func(s *session.Session, now time.Time) {
		for _, id := range ids {
			if _, err := s.Handle(now, session.Cancel{Call: id, Reason: "because\nof\r\nthis"}); err != nil {
				t.Errorf("Cancel: %v", err)
			}
		}
	})
	closeIt(t, c)
	received, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(received, []byte{'\n'})
	if last := lines[len(lines)-1]; len(last) != 0 {
		t.Errorf("the last line has no end: %q", last)
	}
	calls, cancels := 0, 0
	for _, line := range lines[:len(lines)-1] {
		var m struct {
			Version string `json:"jsonrpc"`
			Method  string
			Params  struct{ Name, Reason string }
		}
		if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || m.Method == "" {
			t.Errorf("line %q: %v", line, err)
		}
		switch m.Method {
		case "tools/call":
			calls++
			if m.Params.Name != "new\nline" {
				t.Errorf("tool %q", m.Params.Name)
			}
		case "notifications/cancelled":
			cancels++
			if m.Params.Reason != "because\nof\r\nthis" {
				t.Errorf("reason %q", m.Params.Reason)
			}
		}
	}
	if calls != len(ids) || cancels != len(ids) {
		t.Errorf("%d calls and %d cancels of %d were read", calls, cancels, len(ids))
	}
}

func TestPollutedStdout(t *testing.T) {
	c := run(t, options(t, "pollutes stdout"))
	awaitReady(t, c)
	for range 3 {
		wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	}
	closeIt(t, c)
	all := strings.Join(texts(entries(c, session.EntInvalid)), "\n")
	for _, want := range []string{"Welcome to the server!", "listening on stdio", "warning: \x1b[31mslow\x1b[0m", "not UTF-8", `"notifications/mess`, "bye, without a newline"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not listed in:\n%q", want, all)
		}
	}
	if !has(c, mcp.DiagNotJSON) {
		t.Error("no diagnostic says that stdout is polluted")
	}
}

func TestOddLines(t *testing.T) {
	requirements.Rows(t, "STD-28")
	c := run(t, options(t, "odd lines"))
	awaitReady(t, c)
	for _, tc := range []struct {
		tool string
		diag mcp.DiagCode
	}{{"crlf", 0}, {"blank", 0}, {"bom", mcp.DiagBOM}} {
		wantState(t, c, callTool(t, c, tc.tool, `{}`), session.Done)
		if tc.diag != 0 && !has(c, tc.diag) {
			t.Errorf("%s: no diagnostic", tc.tool)
		}
		wantState(t, c, callTool(t, c, "after "+tc.tool, `{}`), session.Done)
	}
	// A message over several lines cannot be put together: its call goes on
	// waiting, and the next one is answered.
	pretty := callTool(t, c, "pretty", `{}`)
	wantState(t, c, callTool(t, c, "after", `{}`), session.Done)
	c.View(func(s *session.Session) {
		if row, _ := s.Row(pretty); row.State != session.Running {
			t.Errorf("a call answered over several lines is %q", row.State)
		}
	})
	if !has(c, mcp.DiagMultiline) {
		t.Error("no diagnostic says that JSON came over several lines")
	}
}

func TestOverlongLine(t *testing.T) {
	requirements.Rows(t, "STD-27")
	c := run(t, options(t, "over-long"))
	awaitReady(t, c)
	d := wantState(t, c, callTool(t, c, "big", `{}`), session.Failed)
	if !strings.Contains(d.Note, "over the limit") {
		t.Errorf("the call says %q", d.Note)
	}
	if got := details(c, mcp.DiagOversize); !strings.Contains(got, "over the limit of 16 MiB") {
		t.Errorf("the diagnostic says %q", got)
	}
	wantState(t, c, callTool(t, c, "small", `{}`), session.Done)

	o := options(t, "over-long")
	o.MaxLine = 32 << 20
	c = run(t, o)
	awaitReady(t, c)
	d = wantState(t, c, callTool(t, c, "big", `{}`), session.Done)
	if len(d.Result) < 20<<20 {
		t.Errorf("the result has %d bytes", len(d.Result))
	}
}

func TestStderrIsCaptured(t *testing.T) {
	requirements.Rows(t, "STD-09")
	c := run(t, options(t, "three lines of stderr"))
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	closeIt(t, c)
	got := texts(entries(c, session.EntStderr))
	want := []string{"one", "two", "three more", strings.Repeat("l", stderrLine) + fmt.Sprintf("… (%d bytes more)", 10_000-stderrLine)}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %.60q\nwant %.60q", got, want)
	}
	c.View(func(s *session.Session) {
		if n := len(s.Diagnostics()); n != 0 {
			t.Errorf("%d diagnostics for stderr", n)
		}
	})
}

// stderrFlood is with how many bytes a server floods its stderr. With the race detector an eighth
// of it takes as long.
func stderrFlood() int {
	if raceEnabled {
		return 25 << 20
	}
	return 200 << 20
}

// A server that floods its stderr is never held up, and costs no memory.
func TestStderrFlood(t *testing.T) {
	requirements.Rows(t, "STD-06")
	c := run(t, options(t, "floods stderr"))
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "any", `{}`), session.Done) // after all of it
	block := len("ERROR: everything is wrong, as usual\n") * 2000
	want := (stderrFlood()+block-1)/block*2000 + 1
	// What was left out is said also when nothing comes after it.
	await(t, c, "every line to be shown or counted", func(s *session.Session) bool {
		first, last := s.HistorySpan()
		n := 0
		for _, e := range s.Entries(nil, first, int(last-first)+1) {
			var dropped int
			if _, err := fmt.Sscanf(string(e.Raw), "… %d lines not shown", &dropped); err == nil {
				n += dropped
			} else if e.Kind == session.EntStderr {
				n++
			}
		}
		return n == want
	})
	size := 0
	for _, e := range entries(c, session.EntStderr) {
		size += len(e.Raw)
	}
	if size > 16<<20 {
		t.Errorf("%d bytes of stderr are kept", size)
	}
	closeIt(t, c)
	tail := strings.Split(c.Process().Stderr, "\n")
	if len(tail) != tailLines || tail[len(tail)-1] != "the last line" {
		t.Errorf("the last lines are %q", tail)
	}
}

// The server ends by itself, in different ways; the calls in flight are lost
// and everybody is told why.
func TestServerEndsByItself(t *testing.T) {
	for _, tc := range []struct {
		script, status string
		stderr         string
	}{
		{"dies", "exit status 3", "fatal: out of cheese\nat line 7"},
		{"is killed", "signal: killed", ""},
	} {
		t.Run(tc.script, func(t *testing.T) {
			c := run(t, options(t, tc.script))
			awaitReady(t, c)
			d := wantState(t, c, callTool(t, c, "any", `{}`), session.Lost)
			awaitEnd(t, c)
			p := c.Process()
			if p.Status != tc.status || p.Stderr != tc.stderr {
				t.Errorf("status %q, stderr %q", p.Status, p.Stderr)
			}
			if !strings.Contains(d.Note, tc.status) {
				t.Errorf("the row says %q", d.Note)
			}
			for _, step := range p.Steps {
				if strings.Contains(step.Text, "SIG") {
					t.Errorf("a signal was sent: %q", step.Text)
				}
			}
		})
	}
}

func TestServerClosesOutputAndExits(t *testing.T) {
	requirements.Rows(t, "STD-20")
	c := run(t, options(t, "closes its output and exits"))
	awaitReady(t, c)
	first, second := callTool(t, c, "any", `{}`), callTool(t, c, "any", `{}`)
	for _, id := range []session.CallID{first, second} {
		if d := wantState(t, c, id, session.Lost); d.Note != "the connection ended: exit status 0" {
			t.Errorf("call %d says %q", id, d.Note)
		}
	}
}

// One that lives on after closing its output is reported at once, and then
// ended like any other.
func TestServerClosesOutputAndLives(t *testing.T) {
	o := options(t, "closes its output")
	o.Shutdown.Settle, o.Shutdown.Stdin = quick.Settle, quick.Stdin
	c := run(t, o)
	awaitReady(t, c)
	d := wantState(t, c, callTool(t, c, "any", `{}`), session.Lost)
	if d.Note != "the connection ended: closed its output" {
		t.Errorf("the call says %q", d.Note)
	}
	awaitEnd(t, c)
	if p := c.Process(); p.Status != "signal: terminated" {
		t.Errorf("status %q, steps %q", p.Status, stepTexts(c))
	}
}

// One process serves all that is done over a connection, however that ends.
func TestOneProcessForAllCalls(t *testing.T) {
	requirements.Rows(t, "BASE-29")
	o := options(t, "never answers")
	o.Session.Grace, o.Session.NoProbe = time.Millisecond, true
	c := run(t, o)
	awaitReady(t, c)
	pid := c.Process().PID
	for range 3 {
		id := callTool(t, c, "any", `{}`)
		awaitSent(t, c, id)
		cancelCall(c, id)
		wantState(t, c, id, session.Cancelled)
	}
	if p := c.Process(); !p.IsRunning() || p.PID != pid {
		t.Errorf("after three calls: %+v", p)
	}
}

func TestRestart(t *testing.T) {
	o := options(t, "never answers")
	c := run(t, o)
	awaitReady(t, c)
	id, pid := callTool(t, c, "any", `{}`), c.Process().PID
	awaitSent(t, c, id)
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	noSurvivor(t, pid)
	wantState(t, c, id, session.Cancelled)
	awaitReady(t, c)
	c.View(func(s *session.Session) {
		if st := s.Status(); st.Epoch != 2 {
			t.Errorf("epoch %d", st.Epoch)
		}
	})
	if c.Process().PID == pid {
		t.Error("it is the same process")
	}
	// Also after the server is gone, and after a failed start.
	c.Kill()
	awaitEnd(t, c)
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	awaitReady(t, c)
}

func TestProcessIsSeenUntilItsEnd(t *testing.T) {
	requirements.Rows(t, "STD-19")
	c := run(t, options(t, "needs a moment"))
	awaitReady(t, c)
	if p := c.Process(); !p.IsRunning() || p.Status != "" || len(p.Steps) != 0 {
		t.Errorf("while it runs: %+v", p)
	}
	closeIt(t, c)
	if p := c.Process(); p.IsRunning() || p.Status != "exit status 0" {
		t.Errorf("after its end: %+v", p)
	}
	if !regexp.MustCompile(`(?m)^exited \d+\.\d s after stdin closed \(exit status 0\)$`).MatchString(stepTexts(c)) {
		t.Errorf("steps:\n%s", stepTexts(c))
	}
}
