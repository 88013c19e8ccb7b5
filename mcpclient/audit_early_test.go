//go:build unix

package mcpclient_test

import (
	"context"
	"errors"
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

// auditBy audits a server of a conduct once, by a plan that may be changed before. What changes the options of a
// client is told which connection that is of, from 1 on.
func auditBy(t *testing.T, c conduct.Conduct, ways []conduct.Way, plan func(*battery.Plan), options func(n int, o *mcpclient.Options)) (seen *audit.Observed, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := 0
		p := &battery.Plan{Tool: conduct.SlowTool, Yes: true, Tries: 1, Crowd: 3, Wrong: "not in this test"}
		p.Open = func(grace time.Duration) (battery.Connection, error) {
			n++
			way := ways[min(n, len(ways))-1]
			o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Pin: mcp.Revision(way.Revision()), Grace: grace}}
			mcpclient.PlayedBy(t, c, conduct.Stage{Way: way, Grace: grace, Played: func(*conduct.Scene) {}}, &o)
			if options != nil {
				options(n, &o)
			}
			return battery.Driving(mcpclient.New(o)), nil
		}
		if plan != nil {
			plan(p)
		}
		seen, err = battery.Run(t.Context(), p)
	})
	return seen, err
}

// line is the line of a check.
func line(t *testing.T, r *audit.Report, id string) audit.Line {
	t.Helper()
	for _, l := range r.Lines {
		if l.Check.ID == id {
			return l
		}
	}
	t.Fatal(id)
	return audit.Line{}
}

// A server that ends in the last call, which nobody cancels, is lost, and no end by its input.
func TestAnAuditOfAServerThatEndsInItsLastCall(t *testing.T) {
	var last atomic.Bool
	seen, err := auditBy(t, conduct.Animal{Name: "ends", Play: func(x *conduct.Scene) {
		switch {
		case last.Load():
			x.Exit(3)
		case !x.Work(conduct.ToolTime):
			x.Result("done")
		}
	}}.Conduct(), []conduct.Way{conduct.Stdio}, func(p *battery.Plan) {
		p.Tell = func(p battery.Progress) {
			if p.Doing == audit.ConnectionEnds.String() {
				last.Store(true)
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := audit.Judge(seen)
	if !strings.Contains(seen.Stopped, "the connection ended") || seen.Ending != nil || r.Exit(audit.OnShould) != audit.ExitLost {
		t.Errorf("%q, %+v, exit %d", seen.Stopped, seen.Ending, r.Exit(audit.OnShould))
	}
	if l := line(t, r, "connection-ends/server-ends"); l.Outcome == audit.Pass {
		t.Errorf("%v: %s", l.Outcome, l.Why)
	}
}

// A panic of belay's own ends an audit early, and is no failure of the server's.
func TestAnAuditInWhichBelayItselfFails(t *testing.T) {
	requirements.Rows(t, "SEC-28")
	for _, part := range []string{"(*inbox).receive", "(*ticker).due"} {
		var armed atomic.Bool
		seen, err := auditBy(t, conduct.Zoo()[0].Conduct(), []conduct.Way{conduct.Stdio}, func(p *battery.Plan) {
			p.Tell = func(p battery.Progress) {
				if strings.HasPrefix(p.Doing, audit.Midway.String()) {
					time.AfterFunc(3*time.Second, func() { armed.Store(true) }) // its call is in flight
				}
			}
		}, func(_ int, o *mcpclient.Options) {
			now := time.Now
			o.Now = func() time.Time {
				if armed.Load() && mcpclient.CalledFrom(part) && armed.CompareAndSwap(true, false) {
					panic("oh no")
				}
				return now()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		r := audit.Judge(seen)
		if !strings.Contains(seen.Stopped, "belay failed in") || !strings.Contains(seen.Stopped, "not of the server's") || r.Exit(audit.OnShould) != audit.ExitLost {
			t.Errorf("%s: %q, exit %d: %s", part, seen.Stopped, r.Exit(audit.OnShould), r.Counts())
		}
		for _, l := range r.Lines {
			if l.Outcome == audit.Fail {
				t.Errorf("%s: %s fails: %s", part, l.Check.ID, l.Why)
			}
		}
		if l := line(t, r, "midway/no-answer"); l.Outcome != audit.Unseen || !strings.Contains(string(l.Why), "belay failed in") {
			t.Errorf("%s: %v: %s", part, l.Outcome, l.Why)
		}
	}
}

// A server that stops reading while calls are written to it ends an audit soon, and nothing fails by that, as
// nothing of it was cancelled.
func TestAnAuditOfAServerThatStopsReading(t *testing.T) {
	var crowd atomic.Bool
	c := conduct.Animal{Name: "stops reading", Play: func(x *conduct.Scene) {
		if crowd.Load() {
			x.Gate(false)
		}
		if !x.Work(conduct.ToolTime) {
			x.Result("done")
		}
	}}.Conduct()
	c.Narrow = true
	began := time.Time{}
	seen, err := auditBy(t, c, []conduct.Way{conduct.Stdio}, func(p *battery.Plan) {
		p.Crowd = 20 // of which it reads some
		p.Tell = func(p battery.Progress) {
			if strings.HasPrefix(p.Doing, audit.Crowd.String()) {
				crowd.Store(true)
				began = time.Now()
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := audit.Judge(seen)
	if !strings.Contains(seen.Stopped, "answered none of 3 requests") || r.Exit(audit.OnShould) != audit.ExitLost {
		t.Errorf("%q, exit %d: %s", seen.Stopped, r.Exit(audit.OnShould), r.Counts())
	}
	if l := line(t, r, "crowd/no-answer"); l.Outcome != audit.Skipped || !strings.Contains(string(l.Why), "could not be written within 10s") || began.IsZero() {
		t.Errorf("%v: %s", l.Outcome, l.Why)
	}
}

// A tool that belay may not call is said to be one, and so is one that it may not call any more.
func TestAnAuditOfAToolThatMayNotBeCalled(t *testing.T) {
	const unfit = `{"name":"slow","inputSchema":{"type":"object","properties":{"all":{"type":"array","x-mcp-header":"All"}}}}`
	for _, since := range []int32{1, 2} {
		var servers atomic.Int32
		c := conduct.Zoo()[0].Conduct()
		c.Web = func(w *conduct.Web) {
			if servers.Add(1) >= since {
				w.Modern(unfit)
			}
		}
		seen, err := auditBy(t, c, []conduct.Way{conduct.HTTPModern}, nil, nil)
		refused, ok := errors.AsType[*battery.NotCallable](err)
		switch {
		case since == 1 && (!ok || !strings.Contains(refused.Error(), "must not be called over HTTP")):
			t.Errorf("never: %v", err)
		case since == 1:
		case err != nil:
			t.Errorf("on the second connection: %v", err)
		case !strings.Contains(seen.Stopped, "cannot be called any more: the tool must not be called over HTTP") || audit.Judge(seen).Exit(audit.OnShould) != audit.ExitLost:
			t.Errorf("on the second connection: %q, exit %d", seen.Stopped, audit.Judge(seen).Exit(audit.OnShould))
		}
	}
}

// A server that is spoken to in another revision on the second connection is not judged by the first one.
func TestAnAuditOfAServerThatChangesItsRevision(t *testing.T) {
	seen, err := auditBy(t, conduct.Zoo()[0].Conduct(), []conduct.Way{conduct.Stdio, conduct.StdioModern}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := audit.Judge(seen)
	if !strings.Contains(seen.Stopped, "is judged by one revision only") || len(seen.Trials) > 0 || r.Exit(audit.OnShould) != audit.ExitLost {
		t.Errorf("%q, %d trials, exit %d", seen.Stopped, len(seen.Trials), r.Exit(audit.OnShould))
	}
}

// A tool that refuses calls after so many, or gives other results by then, was not harmed by cancels.
func TestAnAuditOfAToolWithALimitOfCalls(t *testing.T) {
	for name, refuse := range map[string]func(*conduct.Scene){
		"refuses":     func(x *conduct.Scene) { x.ToolError("too many calls today") },
		"has another": func(x *conduct.Scene) { x.Result("the next page") },
	} {
		var late atomic.Bool
		c := conduct.Animal{Name: name, Play: func(x *conduct.Scene) {
			switch {
			case x.Work(conduct.ToolTime):
			case late.Load():
				refuse(x)
			default:
				x.Result("done")
			}
		}}.Conduct()
		seen, err := auditBy(t, c, []conduct.Way{conduct.Stdio}, func(p *battery.Plan) {
			p.Wrong = ""
			p.Tell = func(p battery.Progress) {
				if p.Doing == audit.OneOfSeveral.String() {
					late.Store(true)
				}
			}
		}, func(_ int, o *mcpclient.Options) { o.Session.WrongCancels = true })
		if err != nil {
			t.Fatal(err)
		}
		r := audit.Judge(seen)
		for _, s := range []string{"one-of-several", "afterwards"} {
			if l := line(t, r, s+"/others-unharmed"); l.Outcome != audit.Unseen || !strings.Contains(string(l.Why), "left alone afterwards was") && !strings.Contains(string(l.Why), "so was one that was left alone") {
				t.Errorf("%s: %s: %v: %s", name, s, l.Outcome, l.Why)
			}
		}
		if r.Exit(audit.OnShould) == audit.ExitFailed {
			t.Errorf("%s: %s", name, r.Counts())
		}
	}
}

// An audit that is stopped says which calls may go on at the server, as their cancels did not reach it, and
// nothing of the sort where the cancels came.
func TestAStoppedAuditSaysWhatMayGoOn(t *testing.T) {
	zoo := conduct.Zoo()
	for what, x := range map[string]struct {
		animal conduct.Animal
		way    conduct.Way
		gone   bool
		want   string
	}{
		"reached over HTTP":       {zoo[0], conduct.SSE, false, ""},
		"not reached over HTTP":   {zoo[0], conduct.SSE, true, "1 call may go on at the server: no cancel reached it"},
		"a process that has gone": {zoo[0], conduct.Stdio, false, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var gone atomic.Bool
			p := &battery.Plan{
				Tool: conduct.SlowTool, Yes: true, Tries: 1, Crowd: 3,
				Open: func(grace time.Duration) (battery.Connection, error) {
					o := mcpclient.Options{Session: session.Config{ClientName: "belay", ClientVersion: "test", Pin: mcp.Revision(x.way.Revision()), Grace: grace}}
					mcpclient.PlayedBy(t, x.animal.Conduct(), conduct.Stage{Way: x.way, Grace: grace, Played: func(*conduct.Scene) {}}, &o)
					if x.way.IsHTTP() {
						mcpclient.Dies(&o, gone.Load)
					}
					return battery.Driving(mcpclient.New(o)), nil
				},
				Tell: func(p battery.Progress) {
					if strings.HasPrefix(p.Doing, audit.Midway.String()) {
						time.AfterFunc(2*time.Second, func() { gone.Store(x.gone); stop() })
					}
				},
			}
			seen, err := battery.Run(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(seen.GoesOn, "; "); !seen.ByUser || got != x.want {
				t.Errorf("%s: %q, want %q", what, got, x.want)
			}
		})
	}
}

// A tool that shares its name with one that is not marked as read-only is called with --yes only: which of the two is
// reached is up to the server.
func TestAnAuditOfAToolWithATwin(t *testing.T) {
	const reads, writes = `{"name":"slow","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, `{"name":"slow","inputSchema":{"type":"object"}}`
	for what, x := range map[string]struct {
		tools   []string
		refused bool
	}{
		"one that reads":               {[]string{reads}, false},
		"two that read":                {[]string{reads, reads}, false},
		"one that reads, one does not": {[]string{reads, writes}, true},
		"the other way round":          {[]string{writes, reads}, true},
	} {
		c := conduct.Animal{Name: what, Play: func(x *conduct.Scene) { x.Result("done") }}.Conduct()
		c.Web = func(w *conduct.Web) { w.Modern(x.tools...) }
		_, err := auditBy(t, c, []conduct.Way{conduct.HTTPModern}, func(p *battery.Plan) { p.Yes = false }, nil)
		if _, refused := errors.AsType[*battery.NotReadOnly](err); refused != x.refused || err != nil && !refused || refused && !strings.Contains(err.Error(), "lists 2 tools") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A call that nobody cancelled, the first one after a cancel, is harmed where it fails, and the next one has its result.
func TestAnAuditOfAServerWhoseNextCallFails(t *testing.T) {
	c := conduct.Animal{Name: "the next call fails", Play: func(x *conduct.Scene) {
		switch {
		case x.Mend():
			x.ToolError("context canceled")
		case x.Work(conduct.ToolTime):
			x.Ruin()
		default:
			x.Result("done")
		}
	}}.Conduct()
	seen, err := auditBy(t, c, []conduct.Way{conduct.Stdio}, func(p *battery.Plan) { p.Wrong = "" }, func(_ int, o *mcpclient.Options) { o.Session.WrongCancels = true })
	if err != nil {
		t.Fatal(err)
	}
	r := audit.Judge(seen)
	if l := line(t, r, "afterwards/others-unharmed"); l.Outcome != audit.Fail || !strings.Contains(string(l.Why), "context canceled") || r.Exit(audit.OnShould) != audit.ExitFailed {
		t.Errorf("%v, exit %d: %s", l.Outcome, r.Exit(audit.OnShould), l.Why)
	}
	if l := line(t, r, "unknown-id/others-unharmed"); l.Outcome != audit.Pass { // by then the tool works
		t.Errorf("%v: %s", l.Outcome, l.Why)
	}
}
