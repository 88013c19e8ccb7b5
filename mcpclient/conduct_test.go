//go:build unix

package mcpclient

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"belay/internal/conduct"
	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

var (
	conductRuns  = flag.Int("conduct.runs", 0, "how often each conduct is played in a fake clock; 0: 20 times, with the race detector twice")
	conductTable = flag.Bool("conduct.table", false, "print which verdicts each conduct got")
)

// Servers that are known by heart, in a fake clock, with delays that differ from
// run to run: what is said of each is true, and none of the crossings is told as
// an answer that came late.
func TestConducts(t *testing.T) {
	var tally conduct.Tally
	often := *conductRuns
	if often == 0 {
		often = 20
		if raceEnabled {
			often = 2
		}
	}
	for _, c := range conduct.All() {
		if c.Process {
			continue
		}
		for _, way := range c.Ways {
			name := string(way) + ": " + c.Name
			t.Run(name, func(t *testing.T) {
				runs := often
				if c.Heavy {
					runs = min(runs, 2)
					if raceEnabled { // of which one finds the races of both
						runs = 1
					}
				}
				for seed := range runs {
					seen := playFake(t, c, way, uint64(seed))
					wrong := c.Judge(seen)
					tally.Add(name, seen.Verdict, wrong)
					for _, w := range wrong {
						t.Errorf("run %d: %s\n%s", seed, w, seen)
					}
				}
			})
		}
	}
	if *conductTable {
		fmt.Print(tally.String())
	}
}

// playFake plays a conduct once.
func playFake(t *testing.T, c conduct.Conduct, way conduct.Way, seed uint64) (seen conduct.Seen) {
	synctest.Test(t, func(t *testing.T) {
		dice := conduct.NewDice(seed)
		u := &fakeUser{t: t, called: make(chan struct{}), pause: time.Duration(dice.Throw(int64(400 * time.Millisecond)))}
		played := make(chan *conduct.Scene, 1)
		st := conduct.Stage{
			Way: way, Grace: c.FakeGrace(), User: u, Bridge: fakeBridge(c, dice),
			Played: func(x *conduct.Scene) { played <- x },
		}
		o := Options{
			Session: session.Config{
				ClientName: "belay", ClientVersion: "test", Pin: mcp.Revision(way.Revision()),
				Grace: st.Grace, NoProbe: c.NoProbe,
			},
			Shutdown: patient,
		}
		withServer(t, c, st, &o, time.Duration(dice.Throw(2))*time.Duration(dice.Throw(int64(15*time.Millisecond))))
		var recorded buffer
		if seed == 0 {
			o.Record = &recorded
		}
		if seed == 1 { // a recording begins when it is over, of what little is kept then
			o.kept = recording.Room{All: 8 << 10, Part: 1 << 10}
		}
		u.c = New(o)
		var late sheet
		if err := u.c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			u.c.Kill()
			closeIt(t, u.c)
			switch {
			case seed == 0:
				replays(t, recorded.Bytes(), u.c)
			case seed == 1 && late.b.Len() > 0:
				comesTo(t, &late, u.c, u.call)
			}
		}()
		awaitReady(t, u.c)
		await(t, u.c, "the tools", func(v *session.Session) bool { return v.Catalog().Lists[mcp.Tools].Complete })
		time.Sleep(u.pause)
		u.call = callTool(t, u.c, conduct.SlowTool, "{}")
		close(u.called)
		scene := <-played
		outcome(t, u.c, u.call)
		time.Sleep(3*time.Second + 4*c.Lag) // whatever is on its way arrives, and changes nothing that is true
		seen = look(u.c, u.call)
		seen.Stamps, seen.Grace, seen.Exact = scene.Stamps(), st.Grace, true
		if seed == 1 {
			if _, err := u.c.Record(t.Context(), &late); err != nil && !errors.Is(err, errUnkept) {
				t.Error(err)
			}
		}
		scene.End()
	})
	return seen
}

// comesTo fails unless a recording that began late gives a call the verdict that it had, and
// no output that differs.
func comesTo(t *testing.T, late *sheet, c *Client, id session.CallID) {
	t.Helper()
	got, kept := late.played(t).Row(id)
	c.View(func(s *session.Session) {
		if want, _ := s.Row(id); kept && (got.State != want.State || got.Verdict != want.Verdict || got.Ended.Sub(got.Created) != want.Ended.Sub(want.Created)) {
			t.Errorf("the recording that began late shows the call as %v %v, it was %v %v", got.State, got.Verdict, want.State, want.Verdict)
		}
	})
}

// fakeBridge takes a quarter more or less than its length; next door, from
// nothing to a millisecond.
func fakeBridge(c conduct.Conduct, dice *conduct.Dice) conduct.Bridge {
	lag := conduct.Lag{Base: c.Lag, Spread: c.Lag / 4, Dice: conduct.NewDice(uint64(dice.Throw(1 << 62)))}
	if c.Lag == 0 {
		lag.Base, lag.Spread = 500*time.Microsecond, 500*time.Microsecond
	}
	back := lag
	back.Dice = conduct.NewDice(uint64(dice.Throw(1 << 62)))
	return conduct.Bridge{Up: lag, Down: back}
}

// withServer has a client talk to the server of a conduct.
func withServer(t *testing.T, c conduct.Conduct, st conduct.Stage, o *Options, late time.Duration) {
	if st.Way.IsHTTP() {
		w := conduct.OverHTTP(t, c, st, nil)
		o.HTTP = HTTPOptions{Endpoint: w.URL(), NoLogin: true, dial: dialing(w, late)}
		return
	}
	s, end := conduct.OverStdio(c, st)
	go s.Run()
	t.Cleanup(s.End)
	o.open = func(c *Client) connection { return newImagined(c, s, end, late) }
}

// fakeUser is who sits before a client in a fake clock.
type fakeUser struct {
	t      *testing.T
	c      *Client
	pause  time.Duration
	call   session.CallID
	called chan struct{} // closed when call is known
}

func (u *fakeUser) Cancel() {
	<-u.called
	if _, err := u.c.Do(session.Cancel{Call: u.call, Reason: "wrong branch"}); err != nil {
		u.t.Errorf("Cancel: %v", err)
	}
}

func (u *fakeUser) Another() {
	_, _ = u.c.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + conduct.FastTool + `","arguments":{}}`)}})
}

// Noted returns at once: writing takes no time in a fake clock.
func (u *fakeUser) Noted() {}

func (u *fakeUser) Answer() {
	u.c.locked(func(s *session.Session, now time.Time) {
		for _, p := range s.Questions() {
			if p.State == session.Waiting {
				_, _ = s.Handle(now, session.Answer{Question: p.ID, Result: []byte(`{"action":"accept","content":{"name":"Anne"}}`), As: session.Answered})
			}
		}
	})
}

// look is what the session says of a call.
func look(c *Client, id session.CallID) (seen conduct.Seen) {
	var evidence, timeline, core strings.Builder
	c.View(func(s *session.Session) {
		d, _ := s.Detail(id)
		seen.Verdict = d.Verdict.String()
		if d.Verdict == cancel.NoVerdict {
			seen.Verdict = d.State.String()
		}
		fmt.Fprintf(&evidence, "%s · %s %s %s\n", d.State, d.Verdict, d.Note, d.Undelivered)
		for _, e := range d.Evidence {
			fmt.Fprintf(&evidence, "%12v  %s\n", e.After, e.Text)
		}
		var sent bool
		var unfinished time.Time
		for _, m := range d.Timeline {
			sent = sent || m.Kind == session.MomCancelSent
			after := ""
			if m.Kind == session.MomAfter {
				after = "after the cancel: "
				if !sent {
					fmt.Fprintf(&timeline, "1 after the cancel, which was not written yet\n")
				}
			}
			if strings.Contains(m.Text, "not its end") {
				unfinished = m.At
			}
			if m.Kind == session.MomLate && m.At.Equal(unfinished) {
				fmt.Fprintln(&timeline, conduct.EndNotSeen)
			}
			fmt.Fprintf(&timeline, "%12v  moment %d, %s%s ×%d\n", m.At.Sub(d.Created), m.Kind, after, m.Text, m.Count)
			fmt.Fprintf(&core, "moment: %s\n", m.Text)
		}
		if d.AfterCount > 0 {
			fmt.Fprintf(&timeline, "%d messages after the cancel\n", d.AfterCount)
		}
		for _, g := range s.Diagnostics() {
			fmt.Fprintf(&core, "diagnostic: %v %s\n", g.Code, g.Detail)
		}
	})
	seen.Evidence, seen.Timeline = evidence.String(), timeline.String()
	seen.Core = core.String() + seen.String()
	return seen
}
