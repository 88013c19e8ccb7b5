//go:build unix

package mcpclient

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/mcpclient/sampler"
	"belay/session"
	"belay/session/cancel"
	"belay/session/secret"
	"belay/session/witness"
)

// cancelledCommand cancels a call for which the server runs a command, and waits for the
// verdict.
func cancelledCommand(t *testing.T, o Options, want cancel.Verdict) (c *Client, d session.Detail) {
	t.Helper()
	o.Session.Grace, o.Shutdown = 700*time.Millisecond, quick
	c = run(t, o)
	awaitReady(t, c)
	c.Conceal(secret.Value{Text: "typed-33-later"}) // as what is typed into a form is before it is sent
	id := callTool(t, c, "any", "{}")
	awaitSent(t, c, id)
	awaitCommand(t, c, "sleep 13")
	if _, err := c.Do(session.Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	outcome(t, c, id)
	await(t, c, "the verdict", func(s *session.Session) bool {
		d, _ = s.Detail(id)
		return d.Verdict == want
	})
	return c, d
}

// awaitCommand waits until a process of the server runs a command.
func awaitCommand(t *testing.T, c *Client, command string) {
	t.Helper()
	w := sampler.New(c.Process().PID, sampler.NewMark(), new(sampler.Births), new(sampler.Lives), func(args []string) string { return strings.Join(args, " ") })
	runs := func(p witness.Process) bool { return p.Command == command }
	for late := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		s := w.Look(time.Now())
		if slices.ContainsFunc(s.Processes, runs) {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("the server never runs %q: %+v", command, s.Processes)
		}
	}
}

// What a server leaves behind is found in the system, named without secrets, and recorded.
func TestTheProcessesOfAServer(t *testing.T) {
	var file memory
	o := options(t, "runs a command")
	o.Record = &file
	c, d := cancelledCommand(t, o, cancel.LeftProcess)
	has := func(what string) bool {
		return slices.ContainsFunc(d.Processes.Processes, func(p witness.ProcessView) bool { return p.Lives && p.Name == what })
	}
	if !has("sleep 13") || !has("sh -c sleep 13; : --token ********* **************") || d.Processes.After.Processes != 3 {
		t.Errorf("%+v", d.Processes)
	}
	for _, e := range d.Evidence {
		if strings.Contains(e.Text, "hunter-22") || strings.Contains(e.Text, "typed-33") {
			t.Errorf("%q", e.Text)
		}
	}
	closeIt(t, c)
	if text := file.Bytes(); !bytes.Contains(text, []byte(`"command":"sleep 13"`)) || bytes.Contains(text, []byte("hunter-22")) || bytes.Contains(text, []byte("typed-33")) {
		t.Errorf("%s", text)
	}
}

// What a server leaves behind that dies of a cancel is looked at once more before belay ends what is
// left of its group, and named.
func TestWhatOutlivesAServer(t *testing.T) {
	o := options(t, "leaves a command and dies")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	id := callTool(t, c, "any", "{}")
	awaitSent(t, c, id)
	awaitCommand(t, c, "sleep 7")
	if _, err := c.Do(session.Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	d := outcome(t, c, id)
	names := func(e cancel.Evidence) bool {
		return strings.Contains(e.Text, `after the cancel, when the server had ended: "sleep 7" (pid `)
	}
	if d.Verdict != cancel.ServerDied || !slices.ContainsFunc(d.Evidence, names) {
		t.Errorf("%v: %+v", d.Verdict, d.Evidence)
	}
}

// At rest nothing is sampled, unless somebody wants a look: then files and connections are counted as well, and who
// waits for it is woken.
func TestTheProcessesAreLookedAtOnRequest(t *testing.T) {
	o := options(t, "runs a command")
	o.Shutdown = quick
	c := run(t, o)
	awaitReady(t, c)
	var used witness.Totals
	for range 2 {
		asked := c.Now()
		c.LookAtProcesses()
		for limit := time.After(20 * time.Second); used.At.Before(asked) || used.Counted && used.CountedAt.Before(asked); {
			select {
			case <-c.Wake():
			case <-limit: // twice as long as a look may have to wait
				t.Fatalf("nobody looked: %+v", used)
			}
			c.View(func(s *session.Session) { used = s.Status().Processes.Totals })
		}
	}
	if runtime.GOOS == "linux" && !used.Counted {
		t.Errorf("%+v", used)
	}
}

func TestProcessesAreLeftAlone(t *testing.T) {
	o := options(t, "runs a command")
	o.NoWitness = true
	if _, d := cancelledCommand(t, o, cancel.Quiet); d.Processes != nil {
		t.Errorf("%+v", d.Processes)
	}
}

// paced is what samples may cost.
type paced struct{ wait, every time.Duration }

func (p paced) Wait(time.Time) time.Duration  { return p.wait }
func (p paced) Every(time.Time) time.Duration { return p.every }

// The last sample after a cancel is taken also when samples have cost so much that it is late.
func TestWhenTheNextSampleIsDue(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	before := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, c := range []struct {
		name string
		wish witness.Wish
		look bool
		last time.Time
		pace paced
		want time.Duration
	}{
		{"nothing is wanted", witness.Wish{}, false, before(time.Minute), paced{}, time.Hour},
		{"a look is wanted", witness.Wish{}, true, now, paced{every: time.Second}, 0},
		{"… and has to wait", witness.Wish{}, true, now, paced{wait: 2 * time.Second}, 2 * time.Second},
		{"a call is in flight", witness.Wish{InFlight: true}, false, before(300 * time.Millisecond), paced{every: time.Second}, 700 * time.Millisecond},
		{"… and samples have cost much", witness.Wish{InFlight: true}, false, before(3 * time.Second), paced{2 * time.Second, time.Second}, 2 * time.Second},
		{"before the end", witness.Wish{Until: now.Add(time.Second)}, false, before(time.Second), paced{every: 100 * time.Millisecond}, 0},
		{"the last one is late", witness.Wish{Until: before(time.Second)}, false, before(2 * time.Second), paced{wait: 3 * time.Second}, 3 * time.Second},
		{"the last one was taken", witness.Wish{Until: before(time.Second)}, false, before(time.Second), paced{}, time.Hour},
	} {
		if got := pauseBefore(c.wish, c.look, c.last, now, c.pace); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
