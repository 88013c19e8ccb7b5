//go:build unix

package mcpclient

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// Each server is closed no more roughly than it needs. The waits that a server
// is to be quicker than are long, the others short, so no test depends on how
// fast the machine is.
func TestStepsOfShutdown(t *testing.T) {
	requirements.Rows(t, "STD-14", "STD-15", "STD-16", "STD-17")
	for _, tc := range []struct {
		script string
		wait   func(*ShutdownWaits)
		status string
		steps  []string // how each begins
		kinds  []StepKind
	}{
		{
			"plain", func(*ShutdownWaits) {}, "exit status 0",
			[]string{"closed its stdin", "exited "},
			[]StepKind{StepClosed, StepExited},
		},
		{
			"needs a moment", func(*ShutdownWaits) {}, "exit status 0",
			[]string{"closed its stdin", "exited "},
			[]StepKind{StepClosed, StepExited},
		},
		{
			"ignores eof", func(l *ShutdownWaits) { l.Stdin = 50 * time.Millisecond }, "signal: terminated",
			[]string{"closed its stdin", "still running 0.1 s after stdin closed: sent SIGTERM", "exited "},
			[]StepKind{StepClosed, StepTerminated, StepExited},
		},
		{
			"ignores signals", func(l *ShutdownWaits) { l.Stdin, l.Term = 50*time.Millisecond, 50*time.Millisecond }, "signal: killed",
			[]string{"closed its stdin", "still running 0.1 s after stdin closed: sent SIGTERM", "still running 0.1 s after SIGTERM: sent SIGKILL", "exited "},
			[]StepKind{StepClosed, StepTerminated, StepKilled, StepExited},
		},
	} {
		t.Run(tc.script, func(t *testing.T) {
			o := options(t, tc.script)
			tc.wait(&o.Shutdown)
			c := run(t, o)
			awaitReady(t, c)
			closeIt(t, c)
			p := c.Process()
			if p.Status != tc.status {
				t.Errorf("it ended with %q, want %q", p.Status, tc.status)
			}
			if len(p.Steps) != len(tc.steps) {
				t.Fatalf("steps:\n%s", stepTexts(c))
			}
			for i, s := range p.Steps {
				if !strings.HasPrefix(s.Text, tc.steps[i]) {
					t.Errorf("step %d is %q, want %q", i, s.Text, tc.steps[i])
				}
			}
			if got := stepKinds(c); !slices.Equal(got, tc.kinds) {
				t.Errorf("kinds of steps: %v, want %v", got, tc.kinds)
			}
		})
	}
}

// stepKinds are what the steps of the shutdown did.
func stepKinds(c *Client) (kinds []StepKind) {
	for _, s := range c.Process().Steps {
		kinds = append(kinds, s.Kind)
	}
	return kinds
}

// What a server still says after its stdin was closed is read to the end.
func TestOutputAfterStdinClosed(t *testing.T) {
	requirements.Rows(t, "STD-25")
	c := run(t, options(t, "says a lot at eof"))
	awaitReady(t, c)
	closeIt(t, c)
	notes := 0
	for _, e := range entries(c, session.EntNotification) {
		if e.Dir == session.In {
			notes++
		}
	}
	if notes != 1000 {
		t.Errorf("%d of 1000 messages were taken in", notes)
	}
	if p := c.Process(); p.Status != "exit status 0" || len(p.Steps) != 2 {
		t.Errorf("%q\n%s", p.Status, stepTexts(c))
	}
}

// shell runs a script with the test binary as $PEER.
func shell(t *testing.T, script, peer string) Options {
	o := options(t, peer)
	o.Env = append(o.Env, "PEER="+o.Command[0])
	o.Command = []string{"/bin/sh", "-c", script}
	return o
}

// A server is told of before it is started, by its stdin, and until its process group is
// known, or it is clear that there is none: who kills belay in between leaves no server.
func TestAServerIsExpectedBeforeItIsStarted(t *testing.T) {
	for name, want := range map[string]string{"runs": "expected group settled", "no such program": "expected settled"} {
		o := shell(t, `exec "$PEER"`, "plain")
		if name != "runs" {
			o.Command = []string{filepath.Join(t.TempDir(), "none")}
			if err := os.WriteFile(o.Command[0], nil, 0o700); err != nil { // it cannot be run, which only the system says
				t.Fatal(err)
			}
		}
		var said []string
		o.Group = func(_ int, lives bool) {
			if lives {
				said = append(said, "group")
			}
		}
		o.Expect = func(stdin *os.File) func() {
			if _, err := stdin.Stat(); err != nil {
				t.Error(err)
			}
			said = append(said, "expected")
			return func() { said = append(said, "settled") }
		}
		c := New(o)
		err := c.Start()
		if got := strings.Join(said, " "); got != want || (err == nil) != (name == "runs") {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		closeIt(t, c)
	}
}

func TestNothingOfTheGroupSurvives(t *testing.T) {
	requirements.Rows(t, "STD-18")
	for name, script := range map[string]string{
		"a server behind a shell":  `"$PEER" & wait`,
		"a child in the backgound": `sleep 1000 & exec "$PEER"`,
		"a child that is deaf":     `(trap "" TERM; sleep 1000) & exec "$PEER"`,
		"a child without pipes":    `sleep 1000 >/dev/null 2>&1 </dev/null & exec "$PEER"`,
	} {
		t.Run(name, func(t *testing.T) {
			// The shell gives its background jobs /dev/null as stdin; 3 is the real one.
			o := shell(t, "exec 3<&0; "+strings.Replace(script, `"$PEER" &`, `"$PEER" <&3 &`, 1), "plain")
			o.Shutdown = quick
			c := run(t, o)
			awaitReady(t, c)
			pid := c.Process().PID
			closeIt(t, c)
			noSurvivor(t, pid)
		})
	}
}

// The same when the server ends by itself.
func TestNothingSurvivesADeath(t *testing.T) {
	o := shell(t, `sleep 1000 & exec "$PEER"`, "dies")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "any", `{}`), session.Lost)
	awaitEnd(t, c)
	noSurvivor(t, c.Process().PID)
	if got := c.Process().Status; got != "exit status 3" {
		t.Errorf("status %q", got)
	}
	if slices.ContainsFunc(stepKinds(c), func(k StepKind) bool { return k != StepOther }) {
		t.Errorf("belay did nothing to it: %v\n%s", stepKinds(c), stepTexts(c))
	}
}

// What is left of its group takes a while to end: the call was lost when the server ended.
func TestACallIsLostWhenItsServerEnds(t *testing.T) {
	o := shell(t, `(trap "" TERM; sleep 1000) & exec "$PEER"`, "dies")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	id := callTool(t, c, "any", `{}`)
	wantState(t, c, id, session.Lost)
	c.View(func(s *session.Session) {
		row, _ := s.Row(id)
		if since := time.Since(row.Ended); since < quick.Settle+quick.Rest {
			t.Errorf("the row says %v ago; belay waited %v for what was left", since, quick.Settle+quick.Rest)
		}
	})
	awaitEnd(t, c)
}

// A process outside of the group may hold the pipes for as long as it likes.
func TestPipesHeldByAStranger(t *testing.T) {
	requirements.Rows(t, "STD-26")
	file := filepath.Join(t.TempDir(), "pid")
	t.Setenv("PIDFILE", file)
	o := shell(t, `setsid sh -c 'echo $$ > "$PIDFILE.new"; mv "$PIDFILE.new" "$PIDFILE"; exec sleep 1000' & while ! [ -e "$PIDFILE" ]; do sleep 0.01; done; exec "$PEER"`, "plain")
	o.Env = append(o.Env, "PIDFILE")
	o.Shutdown.Settle, o.Shutdown.Rest = quick.Settle, quick.Rest
	c := run(t, o)
	awaitReady(t, c)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p, err := os.FindProcess(stranger); err == nil {
			_ = p.Kill()
		}
	})
	closeIt(t, c)
	if !strings.Contains(stepTexts(c), "outside of its group still holds its output") {
		t.Errorf("steps:\n%s", stepTexts(c))
	}
	if got := c.Process().Status; got != "exit status 0" {
		t.Errorf("status %q", got)
	}
}

// Kill shortens any step, also while Close waits; so does the end of its context.
func TestKillWhileClosing(t *testing.T) {
	for name, hurry := range map[string]func(c *Client, cancel func()){
		"Kill":    func(c *Client, _ func()) { c.Kill() },
		"context": func(_ *Client, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			c := run(t, options(t, "ignores signals"))
			awaitReady(t, c)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			closed := make(chan error)
			go func() { closed <- c.Close(ctx) }()
			await(t, c, "its stdin to be closed", func(*session.Session) bool { return len(c.Process().Steps) == 1 })
			hurry(c, cancel)
			if err := <-closed; err != nil {
				t.Errorf("Close: %v", err)
			}
			if got := stepTexts(c); !strings.Contains(got, "told to end it at once: sent SIGKILL") || strings.Contains(got, "SIGTERM") {
				t.Errorf("steps:\n%s", got)
			}
			if got, want := stepKinds(c), []StepKind{StepClosed, StepKilledByAsk, StepExited}; !slices.Equal(got, want) {
				t.Errorf("kinds of steps: %v, want %v", got, want)
			}
		})
	}
}

func TestCloseWithoutStart(t *testing.T) {
	c := New(Options{Command: []string{"sh"}})
	closeIt(t, c)
	if err := c.Start(); !errors.Is(err, ErrClosed) {
		t.Errorf("Start: %v", err)
	}
	c.Kill() // of nothing
	if p := c.Process(); p.IsRunning() || p.PID != 0 {
		t.Errorf("a process: %+v", p)
	}
}

// Close during a Restart wins, and neither hangs.
func TestCloseDuringRestart(t *testing.T) {
	c := run(t, options(t, "needs a moment"))
	awaitReady(t, c)
	restarted := make(chan error)
	go func() { restarted <- c.Restart() }()
	await(t, c, "the old server's stdin to be closed", func(*session.Session) bool { return len(c.Process().Steps) > 0 })
	closeIt(t, c)
	if err := <-restarted; err != nil && !errors.Is(err, ErrClosed) {
		t.Errorf("Restart: %v", err)
	}
	if c.Process().IsRunning() {
		t.Error("a server runs after Close")
	}
}
