package cli

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"belay/internal/answers"
	"belay/internal/headless"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A moment of progress never comes where no progress is asked for.
func TestACancelThatNeverComesIsRefused(t *testing.T) {
	for at, refused := range map[string]bool{"50%": true, "3": true, "message,3": true, "message": false, "answer": false} {
		f := &callFlags{cancelAt: at, noProgress: true}
		cmd := &cobra.Command{}
		f.out.add(cmd)
		f.add(cmd)
		err := f.check(strings.NewReader(""))
		if (err != nil) != refused || refused && (codeOf(err) != ExitUsage || !strings.Contains(err.Error(), "--no-progress")) {
			t.Errorf("--cancel-at %s --no-progress: %v", at, err)
		}
	}
}

// The reason that is given goes with the cancel of the call, whatever causes it, and is not in the
// configuration, in which a recording begins.
func TestTheReasonGoesWithTheCancel(t *testing.T) {
	for _, at := range []string{"", "50%", "message"} {
		f := &callFlags{cancelAt: at}
		cmd := &cobra.Command{}
		f.out.add(cmd)
		f.add(cmd)
		if err := cmd.ParseFlags([]string{"--reason", "not hunter-22"}); err != nil {
			t.Fatal(err)
		}
		if err := f.check(strings.NewReader("")); err != nil {
			t.Fatal(err)
		}
		if cfg, err := f.config(); err != nil || f.rules.Reason != "not hunter-22" || cfg.Reason != session.DefaultReason {
			t.Errorf("--cancel-at %q: %v, the rule has the reason %q, the configuration %q", at, err, f.rules.Reason, cfg.Reason)
		}
	}
}

// Where the moment of --cancel-at did not come, that is said, and for the moment of the answer
// what to say instead. There is no next call.
func TestAMomentThatDidNotComeIsTold(t *testing.T) {
	at := time.Now()
	for _, x := range []struct {
		what, at  string // at: of --cancel-at, or, with s at its end, of --cancel-after
		state     session.State
		initiator cancel.Initiator
		want      string // a part; empty: nothing is said
	}{
		{"no moment", "", session.Done, 0, ""},
		{"it came", "50%", session.Cancelled, cancel.ByUser, ""},
		{"an end before the time", "2s", session.Done, 0, "the call ended after 1.500s, and --cancel-after is 2s"},
		{"an end that came first", "1ms", session.Done, 0, "the call had ended after 1.500s, before the cancel of --cancel-after 1ms could be sent"},
		{"it came in time", "1s", session.Cancelled, cancel.ByUser, ""},
		{"no progress", "50%", session.Done, 0, "before the moment of --cancel-at 50% came"},
		{"no message", "message", session.Failed, 0, "before the moment of --cancel-at message came"},
		{"a whole answer", "answer", session.Done, 0, "and no part of it came before its end; it was whole after 1.500s; --cancel-after 1.5s"},
	} {
		c := &caller{f: &callFlags{cancelAt: x.at}}
		if after, err := time.ParseDuration(x.at); err == nil {
			c.f.cancelAt, c.f.rules.After = "", after
		} else if x.at != "" {
			if err := wording.ParseCancelAt(x.at, &c.f.rules); err != nil {
				t.Fatal(err)
			}
		}
		d := &session.Detail{Row: session.Row{State: x.state, Initiator: x.initiator, Sent: at, Ended: at.Add(1500 * time.Millisecond), Note: "nothing was sent" + session.NextIsTimed}}
		got := c.missed(d)
		if (got == "") != (x.want == "") || !strings.Contains(got, x.want) {
			t.Errorf("%s: %q", x.what, got)
		}
		if d.Note != "nothing was sent" {
			t.Errorf("%s: the note is %q", x.what, d.Note)
		}
	}
}

// Where the address stands behind the tool, that is said, and how it is right.
func TestAnAddressStandsBeforeTheTool(t *testing.T) {
	f := &callFlags{}
	cmd := &cobra.Command{}
	f.out.add(cmd)
	f.add(cmd)
	err := f.run(cmd, std{}, []string{"work", "http://localhost:8080/mcp"})
	if codeOf(err) != ExitUsage || !strings.Contains(err.Error(), `the address stands before the tool: belay call http://localhost:8080/mcp "work"`) {
		t.Errorf("%v", err)
	}
}

// connecting is a client whose connection is being begun.
type connecting struct{ headless.Client }

func (connecting) View(f func(*session.Session)) {
	s := session.New(session.Config{}, time.Unix(0, 0))
	s.Tell(time.Unix(0, 0), session.Connect{})
	f(s)
}

// A call that is to be cancelled waits for nothing that is not measured: over HTTP, and without the
// witness.
func TestACallWaitsForNoMeasurementThatIsOff(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, x := range []struct {
		name  string
		way   mcp.Transport
		flags callFlags
		waits bool
	}{
		{"it is to be cancelled", mcp.Stdio, callFlags{cancelAfter: time.Second}, true},
		{"without the witness", mcp.Stdio, callFlags{cancelAfter: time.Second, serverFlags: serverFlags{flags: flags{noWitness: true}}}, false},
		{"over HTTP", mcp.HTTP, callFlags{cancelAt: "50%"}, false},
		{"it is not to be cancelled", mcp.Stdio, callFlags{}, false},
	} {
		c := &caller{headlessClient: &headlessClient{Runner: &headless.Runner{Client: connecting{}}, status: session.Status{Transport: x.way}}, f: &x.flags}
		if err := c.awaitIdle(gone); (err != nil) != x.waits {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// That an address was visited which a failed call needs is not said by a file of answers.
func TestAFileDoesNotSayThatAnAddressWasVisited(t *testing.T) {
	answered := answers.Decision{As: session.Answered, Rule: 2, Result: []byte(`{"action":"accept"}`)}
	if d := givable(answered, true); d.As != session.Dismissed || d.Rule != 2 || !strings.Contains(d.Why, "-32042") || d.Result != nil {
		t.Errorf("%+v", d)
	}
	if d := givable(answered, false); d.As != session.Answered || d.Result == nil || d.Why != "" {
		t.Errorf("of a question: %+v", d)
	}
	if d := givable(answers.Decision{As: session.Declined, Rule: 1}, true); d.As != session.Declined || d.Why != "" {
		t.Errorf("declined: %+v", d)
	}
}
