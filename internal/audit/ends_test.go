package audit

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/witness"
)

// A server that ends its work at the cancel, and then cleans up for half of the time of its tool, is
// not blamed for that: its cleanup takes as long whenever the cancel comes. Work that goes on ends at
// the same time of each call.
func TestACleanupIsNoWorkThatGoesOn(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	const program = "sleep 5"
	process := func(_, began, ended time.Duration) *Processes {
		return &Processes{Finding: witness.Ended, Window: 8 * second, Began: []Process{{Name: program, PID: 7, Began: began, Ended: ended}}}
	}
	cpu := func(before, after time.Duration) *Processes {
		return &Processes{Finding: witness.Working, CPUBefore: before, CPUAfter: after, Window: 12 * second, Busy: after}
	}
	for what, x := range map[string]struct {
		of  func(ran time.Duration) *Processes
		mid Outcome
		all Outcome // the worst of all situations
		why string
	}{
		"a process that cleans up, also when the call is left alone": {func(ran time.Duration) *Processes {
			if ran > 5*second {
				return process(ran, 5*second-ran, 10*second-ran)
			}
			return process(ran, second/20, 5*second+second/20)
		}, Unseen, Unseen, "it may be what the server does to end a call"},
		"one that takes long to end when it is told to": {func(ran time.Duration) *Processes {
			return process(ran, -ran-second/100, 5*second)
		}, Unseen, Unseen, "it may be what the server does to end a call"},
		"one that works on": {func(ran time.Duration) *Processes {
			return process(ran, second/100-ran, 10*second-ran)
		}, Fail, Fail, "when the call would have ended"},
		"the server's own CPU, as it works on":              {func(ran time.Duration) *Processes { return cpu(ran, 10*second-ran) }, Fail, Fail, "worked on"},
		"… for as long after each cancel, as it cleans up":  {func(ran time.Duration) *Processes { return cpu(ran, 5*second) }, Unseen, Unseen, "it may be what the server does to end a call"},
		"… and is at it when belay looks for the last time": {func(ran time.Duration) *Processes { return cpu(ran, 12*second) }, Fail, Fail, "worked on"},
		"… in the first part of the call only": {func(ran time.Duration) *Processes {
			return cpu(min(ran, 6*second), max(0, 6*second-ran))
		}, Fail, Fail, "worked on"},
	} {
		o := seen()
		for s, ran := range map[Situation]time.Duration{AtOnce: second / 500, Early: 3 * second / 2, Midway: 5 * second, NearEnd: 8 * second} {
			c := heard(func(c *Call) { c.Ran, c.Heard, c.Processes = ran, 14*second, x.of(ran) })
			if c.Processes.CPUAfter == 0 && c.Processes.Finding == witness.Working {
				c.Processes.Finding = witness.Nothing
			}
			o.Trials = append(o.Trials, Trial{Situation: s, Cancelled: []Call{c}, Alive: Answers})
		}
		l, worst := lineOf(t, o, "midway/work-stops"), Unseen
		if l.Outcome != x.mid || !strings.Contains(string(l.Why), x.why) {
			t.Errorf("%s: %v, %s", what, l.Outcome, l.Why)
		}
		for _, s := range []string{"at-once", "early", "near-end"} {
			l := lineOf(t, o, s+"/work-stops")
			if worst = max(worst, l.Outcome); x.all == Unseen && l.Outcome > Unseen {
				t.Errorf("%s, %s: %v, %s", what, s, l.Outcome, l.Why)
			}
			if s == "at-once" && x.all == Fail && l.Outcome != Fail {
				t.Errorf("%s, %s: %v, %s", what, s, l.Outcome, l.Why)
			}
		}
		if worst != x.all {
			t.Errorf("%s: %v", what, worst)
		}
	}
}

// A process that lives on is work that is left, whatever the server's cleanup took.
func TestACleanupDoesNotExcuseWhatLivesOn(t *testing.T) {
	requirements.Rows(t, "CXL-17")
	o := seen()
	for s, ran := range map[Situation]time.Duration{Early: 3 * second / 2, Midway: 5 * second, NearEnd: 8 * second} {
		o.Trials = append(o.Trials, Trial{Situation: s, Alive: Answers, Cancelled: []Call{heard(func(c *Call) {
			c.Ran, c.Heard = ran, 14*second
			c.Processes = &Processes{Finding: witness.Working, CPUBefore: ran, CPUAfter: 5 * second, Window: 12 * second, Began: []Process{{Name: "job", PID: 9, Began: second / 2, Lives: true}}}
		})}})
	}
	if l := lineOf(t, o, "midway/work-stops"); l.Outcome != Fail || !strings.Contains(string(l.Why), `"job", number 9`) {
		t.Errorf("%v, %s", l.Outcome, l.Why)
	}
}
