//go:build unix

package mcpclient_test

import (
	"context"
	"flag"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"belay/internal/audit"
	"belay/internal/audit/battery"
	"belay/internal/conduct"
	"belay/internal/requirements"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
)

var zooRuns = flag.Int("zoo.runs", 2, "how often each server of the zoo is audited in a fake clock")

// Servers of known conduct, audited in a fake clock over ways of other delays from run to run:
// every line is right, and none passes that was not seen.
func TestZoo(t *testing.T) {
	requirements.Rows(t, "CXL-17", "CXL-19", "CXL-20", "CXL-22", "BASE-06")
	for _, a := range conduct.Zoo() {
		for _, way := range a.Ways {
			t.Run(string(way)+": "+a.Name, func(t *testing.T) {
				for seed := range *zooRuns {
					r := auditFake(t, a, way, uint64(seed))
					for _, l := range r.Lines {
						if got, want := outcomeOf(l.Outcome), a.Wants(l.Check.ID, way); !slices.Contains(want, got) {
							t.Errorf("run %d: %s: %s, want %s (%s, %d of %d)", seed, l.Check.ID, got, want, l.Why, l.Decided, l.Tried)
						}
					}
					if got := r.Exit(audit.OnShould); got != a.Exit {
						t.Errorf("run %d: exit %d, want %d: %s", seed, got, a.Exit, r.Counts())
					}
				}
			})
		}
	}
}

func outcomeOf(o audit.Outcome) string {
	return map[audit.Outcome]string{audit.Pass: "pass", audit.Fail: "fail", audit.Unseen: "unseen", audit.Skipped: "skipped", audit.Noted: "noted"}[o]
}

// auditFake audits an animal once.
func auditFake(t *testing.T, a conduct.Animal, way conduct.Way, seed uint64) (r *audit.Report) {
	synctest.Test(t, func(t *testing.T) {
		dice := conduct.NewDice(seed)
		lag := func() conduct.Lag {
			return conduct.Lag{Base: 500 * time.Microsecond, Spread: 500 * time.Microsecond, Dice: conduct.NewDice(uint64(dice.Throw(1 << 62)))}
		}
		p := &battery.Plan{
			Tool: conduct.SlowTool, Yes: true, Tries: 1 + int(seed%2), Crowd: 5,
			Open: func(grace time.Duration) (battery.Connection, error) {
				o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Pin: mcp.Revision(way.Revision()), Grace: grace, WrongCancels: true}}
				mcpclient.PlayedBy(t, a.Conduct(), conduct.Stage{
					Way: way, Grace: grace, Bridge: conduct.Bridge{Up: lag(), Down: lag()}, Played: func(*conduct.Scene) {},
				}, &o)
				c := mcpclient.New(o)
				return battery.Driving(c), nil
			},
		}
		seen, err := battery.Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		r = audit.Judge(seen)
		if calls := p.Calls(); calls <= 0 {
			t.Errorf("%d calls are announced", calls)
		}
	})
	return r
}

// A machine on which belay does not run for a while makes no tool look faster than it is: belay
// would not listen for long enough. Nor does it make the tool look slower. For how long belay did
// not run while a call was cancelled is known to whoever judges that.
func TestAToolIsNoFasterForAStopOfBelay(t *testing.T) {
	a := conduct.Zoo()[0]
	synctest.Test(t, func(t *testing.T) {
		p := &battery.Plan{
			Tool: conduct.SlowTool, Yes: true, Tries: 1, Crowd: 5,
			Open: func(grace time.Duration) (battery.Connection, error) {
				o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Grace: grace}}
				mcpclient.PlayedBy(t, a.Conduct(), conduct.Stage{Way: conduct.Stdio, Grace: grace, Played: func(*conduct.Scene) {}}, &o)
				began := time.Now()
				o.Now = func() time.Time { // which stands still for the second second of each five
					since := time.Since(began)
					n, part := since/(5*time.Second), since%(5*time.Second)
					return time.Now().Add(-n*time.Second - min(time.Second, max(0, part-time.Second)))
				}
				c := mcpclient.New(o)
				return battery.Driving(c), nil
			},
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		p.Tell = func(p battery.Progress) {
			if strings.HasPrefix(p.Doing, audit.Midway.String()) {
				stop()
			}
		}
		seen, err := battery.Run(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if seen.Took < conduct.ToolTime || seen.Took > conduct.ToolTime+time.Second/2 {
			t.Errorf("the tool took %v, %s", seen.Took, seen.Unable)
		}
		var stopped []time.Duration
		for _, trial := range seen.Trials {
			for _, c := range trial.Cancelled {
				stopped = append(stopped, c.Stopped)
			}
		}
		if len(stopped) < 2 || slices.Max(stopped) < time.Second/2 || slices.Max(stopped) > 3*time.Second {
			t.Errorf("belay did not run for %v", stopped)
		}
	})
}

// A server that was once kept from reading answers that call after its cancel, as it would have done without one. That
// it had not read the cancel shows by the request right behind it, which it answers later still. One that never
// reads while it works is at fault each time.
func TestAServerThatReadsLateOnce(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	const midway = 8 // behind two calls that are left alone, three at once, and one cancelled at once and early each
	for _, way := range []conduct.Way{conduct.Stdio, conduct.StdioModern} {
		for name, tt := range map[string]struct {
			late func(call int32) bool
			want []audit.Outcome // where each situation is tried once, and twice
		}{
			"once":  {func(call int32) bool { return call == midway }, []audit.Outcome{audit.Unseen, audit.Pass}},
			"each":  {func(call int32) bool { return call >= midway }, []audit.Outcome{audit.Unseen, audit.Fail}},
			"never": {func(int32) bool { return false }, []audit.Outcome{audit.Pass, audit.Pass}},
		} {
			for seed, want := range tt.want {
				var made atomic.Int32
				r := auditFake(t, conduct.Animal{Name: name, Play: func(x *conduct.Scene) {
					switch late := tt.late(made.Add(1)); {
					case late:
						x.Gate(false)
						x.Work(conduct.ToolTime) // its cancel is not read
						x.Result("done")
						x.Gate(true)
					case !x.Work(conduct.ToolTime):
						x.Result("done")
					}
				}}, way, uint64(seed))
				for _, l := range r.Lines {
					if l.Check.ID == "midway/no-answer" && l.Outcome != want {
						t.Errorf("%s: %s, tried %d times: %v, want %v: %s", way, name, l.Tried, l.Outcome, want, l.Why)
					}
				}
			}
		}
	}
}

// A server that reads nothing while it works fails in each situation: what it reads late makes no answer seem to have
// been on its way.
func TestAServerThatNeverReadsWhileItWorks(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	for _, way := range []conduct.Way{conduct.Stdio, conduct.StdioModern} {
		r := auditFake(t, conduct.Animal{Name: "reads nothing at work", Play: func(x *conduct.Scene) {
			x.Gate(false)
			select {
			case <-time.After(conduct.ToolTime):
			case <-x.Over():
			}
			x.Result("done")
			x.Gate(true)
		}}, way, 1)
		checks := 0
		for _, l := range r.Lines {
			if situation, claim, _ := strings.Cut(l.Check.ID, "/"); claim == "no-answer" && slices.Contains([]string{"early", "midway", "near-end"}, situation) {
				if checks++; l.Outcome != audit.Fail || l.Tried != 2 {
					t.Errorf("%s: %s: %v, tried %d times: %s", way, l.Check.ID, l.Outcome, l.Tried, l.Why)
				}
			}
		}
		if checks != 3 {
			t.Errorf("%s: %d of 3 checks", way, checks)
		}
	}
}

// A tool that is fast but for its first calls has ended before most of its cancels, and before those
// of calls beside it: nothing passes or fails by that. Only the cancel that is sent at once comes in time, and
// the server answers after that.
func TestACallThatHasEndedIsNotUnharmed(t *testing.T) {
	requirements.Rows(t, "CXL-19")
	for _, way := range []conduct.Way{conduct.Stdio, conduct.SSE} {
		var made atomic.Int32
		r := auditFake(t, conduct.Animal{Name: "becomes fast", Play: func(x *conduct.Scene) {
			if made.Add(1) > 5 || !x.Work(conduct.ToolTime) { // two alone, and three at once
				x.Result("done")
			}
		}}, way, 0)
		for _, l := range r.Lines {
			situation, claim, _ := strings.Cut(l.Check.ID, "/")
			want := "unseen"
			switch {
			case situation == "alone", situation == "afterwards" && (claim == "responsive" || claim == "others-unharmed"):
				want = "pass"
			case situation == "asking", situation == "task", situation == "connection-ends":
				want = "skipped"
			}
			if got := outcomeOf(l.Outcome); got != want {
				t.Errorf("%s: %s: %s, want %s: %s", way, l.Check.ID, got, want, l.Why)
			}
		}
	}
}

// A server that answers nothing more ends an audit soon, whatever would be left of that, and what
// failed until then stays.
func TestAnAuditOfAServerThatAnswersNothingMore(t *testing.T) {
	zoo := conduct.Zoo()
	a := zoo[slices.IndexFunc(zoo, func(a conduct.Animal) bool { return a.Name == "deaf after a cancel" })]
	for _, way := range a.Ways {
		r := auditFake(t, a, way, 1)
		probe := "ping"
		if way == conduct.StdioModern {
			probe = "server/discover"
		}
		if want := "the server answered none of 3 requests in a row that it is to answer at once, " + probe + ", each of which belay awaited for 10s"; r.Observed.Stopped != want {
			t.Errorf("%s: it ended early: %q", way, r.Observed.Stopped)
		}
		if n := len(r.Observed.Trials); n != 1 {
			t.Errorf("%s: %d were tried", way, n)
		}
		if exit := r.Exit(audit.OnShould); exit != audit.ExitFailed {
			t.Errorf("%s: exit %d", way, exit)
		}
	}
}

// An audit that is stopped in the middle tells what was seen until then, an answer to the call that was
// under way among that, and leaves nothing in flight.
func TestAnAuditIsStopped(t *testing.T) {
	zoo := conduct.Zoo()
	isStopped(t, zoo[0], 2*time.Second, audit.Skipped)
	isStopped(t, zoo[slices.IndexFunc(zoo, func(a conduct.Animal) bool { return a.Name == "another error, late" })], 3*time.Second, audit.Fail)
}

// isStopped stops the audit of an animal so long after the try midway began, and demands what is told of
// whether that was answered.
func isStopped(t *testing.T, a conduct.Animal, after time.Duration, answered audit.Outcome) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		p := &battery.Plan{
			Tool: conduct.SlowTool, Yes: true, Tries: 1, Crowd: 5,
			Open: func(grace time.Duration) (battery.Connection, error) {
				o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Grace: grace}}
				mcpclient.PlayedBy(t, a.Conduct(), conduct.Stage{Way: conduct.Stdio, Grace: grace, Played: func(*conduct.Scene) {}}, &o)
				c := mcpclient.New(o)
				return battery.Driving(c), nil
			},
			Tell: func(p battery.Progress) {
				if strings.HasPrefix(p.Doing, audit.Midway.String()) {
					time.AfterFunc(after, stop)
				}
			},
		}
		began := time.Now()
		seen, err := battery.Run(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it took %v", took)
		}
		r := audit.Judge(seen)
		for _, l := range r.Lines {
			want := audit.Skipped
			switch s := l.Check.Situation; {
			case s == audit.AtOnce, s == audit.Early, s == audit.LeftAlone:
				continue
			case s == audit.Midway && l.Check.Claim == audit.GivesNoAnswer:
				want = answered
			case s == audit.Midway && answered != audit.Skipped:
				continue
			case s == audit.Afterwards && l.Check.Claim != audit.HarmsNoOther:
				want = audit.Unseen
			}
			if l.Outcome != want {
				t.Errorf("%s: %v, %s", l.Check.ID, l.Outcome, l.Why)
			}
		}
		if seen.Stopped == "" || r.Exit(audit.OnShould) != audit.ExitByUser && answered == audit.Skipped {
			t.Errorf("stopped: %q, exit %d", seen.Stopped, r.Exit(audit.OnShould))
		}
	})
}

// An audit that is stopped while the tool is left alone does not start the server once more.
func TestAnAuditThatIsStoppedStartsNothing(t *testing.T) {
	a := conduct.Zoo()[0]
	for _, doing := range []string{"the tool is left alone", "several are left alone"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			opened := 0
			p := &battery.Plan{
				Tool: conduct.SlowTool, Yes: true, Tries: 1, Crowd: 5,
				Open: func(grace time.Duration) (battery.Connection, error) {
					opened++
					o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Grace: grace}}
					mcpclient.PlayedBy(t, a.Conduct(), conduct.Stage{Way: conduct.Stdio, Grace: grace, Played: func(*conduct.Scene) {}}, &o)
					c := mcpclient.New(o)
					return battery.Driving(c), nil
				},
				Tell: func(p battery.Progress) {
					if p.Doing == doing {
						time.AfterFunc(conduct.ToolTime/2, stop)
					}
				},
			}
			seen, err := battery.Run(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			if !seen.ByUser || opened != 1 {
				t.Errorf("%s: stopped by the user: %v; %d servers were started", doing, seen.ByUser, opened)
			}
		})
	}
}

// A server over HTTP that is gone in the middle ends an audit early, and nothing is said of what
// would have come then.
func TestAnAuditOfAServerThatDiesOverHTTP(t *testing.T) {
	a := conduct.Zoo()[0]
	synctest.Test(t, func(t *testing.T) {
		var gone atomic.Bool
		p := &battery.Plan{
			Tool: conduct.SlowTool, Yes: true, Tries: 2, Crowd: 5,
			Open: func(grace time.Duration) (battery.Connection, error) {
				o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Pin: mcp.Rev20251125, Grace: grace, WrongCancels: true}}
				mcpclient.PlayedBy(t, a.Conduct(), conduct.Stage{Way: conduct.SSE, Grace: grace, Played: func(*conduct.Scene) {}}, &o)
				mcpclient.Dies(&o, gone.Load)
				c := mcpclient.New(o)
				return battery.Driving(c), nil
			},
			Tell: func(p battery.Progress) {
				if strings.HasPrefix(p.Doing, audit.Midway.String()) {
					gone.Store(true)
				}
			},
		}
		seen, err := battery.Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(seen.Stopped, "the server cannot be reached") {
			t.Errorf("it went on: %q", seen.Stopped)
		}
		r := audit.Judge(seen)
		for _, l := range r.Lines { // it was gone before the cancel
			if l.Check.Situation >= audit.Midway && l.Outcome > audit.Unseen {
				t.Errorf("%s: %v, %s", l.Check.ID, l.Outcome, l.Why)
			}
		}
		if got := r.Exit(audit.OnShould); got != audit.ExitLost {
			t.Errorf("exit %d: %s", got, r.Counts())
		}
	})
}

// A tool that is stuck, by a fault of its own or of a right cancel, does not answer the calls that are
// made after that. No wrong cancel is blamed for it, though the server answers pings.
func TestAStuckToolIsNoFaultOfWrongCancels(t *testing.T) {
	requirements.Rows(t, "CXS-08")
	// At once, early, midway, near the end, five at once, by timeout, one of several: eleven; then the one that is cancelled twice.
	for after, want := range map[int32]map[string]string{
		11: {"twice/others-unharmed": "skipped", "unknown-id/others-unharmed": "skipped", "after-end/responsive": "skipped", "afterwards/others-unharmed": "fail"},
		12: {"twice/others-unharmed": "pass", "unknown-id/others-unharmed": "skipped", "malformed/responsive": "skipped", "afterwards/responsive": "pass"},
		99: {"twice/others-unharmed": "pass", "unknown-id/others-unharmed": "pass", "after-end/others-unharmed": "pass", "afterwards/others-unharmed": "pass"},
	} {
		var cancels atomic.Int32
		r := auditFake(t, conduct.Animal{Name: "is stuck", Play: func(x *conduct.Scene) {
			switch {
			case cancels.Load() >= after:
				x.Work(time.Hour)
			case x.Work(conduct.ToolTime):
				cancels.Add(1)
			default:
				x.Result("done")
			}
		}}, conduct.Stdio, 0)
		for _, l := range r.Lines {
			if wanted, ok := want[l.Check.ID]; ok && outcomeOf(l.Outcome) != wanted {
				t.Errorf("stuck after %d cancels: %s: %s, want %s: %s", after, l.Check.ID, outcomeOf(l.Outcome), wanted, l.Why)
			}
		}
	}
}

// A server that refuses calls beside others is seen with as many as it takes.
func TestAServerThatRefusesCallsAtOnceIsTriedWithFewer(t *testing.T) {
	requirements.Rows(t, "BASE-06")
	for limit, want := range map[int32]map[string]string{
		1: {"one-of-several/others-unharmed": "unseen", "twice/others-unharmed": "unseen", "unknown-id/others-unharmed": "pass", "afterwards/others-unharmed": "pass"},
		2: {"one-of-several/others-unharmed": "pass", "one-of-several/no-answer": "pass", "twice/others-unharmed": "pass", "after-end/others-unharmed": "pass"},
	} {
		var flying atomic.Int32
		r := auditFake(t, conduct.Animal{Name: "refuses", Play: func(x *conduct.Scene) {
			defer flying.Add(-1)
			switch {
			case flying.Add(1) > limit:
				x.ToolError("too many calls")
			case !x.Work(conduct.ToolTime):
				x.Result("done")
			}
		}}, conduct.Stdio, 0)
		for _, l := range r.Lines {
			if wanted, ok := want[l.Check.ID]; ok && outcomeOf(l.Outcome) != wanted {
				t.Errorf("%d at once: %s: %s, want %s: %s", limit, l.Check.ID, outcomeOf(l.Outcome), wanted, l.Why)
			}
		}
	}
}
