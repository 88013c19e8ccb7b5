package witness

import (
	"math"
	"testing"
	"time"
)

// A recording that others wrote may claim any figures of a server at rest: those that cannot be are found.
func TestFiguresOfRestThatCannotBe(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	sample := func(change func(*Totals)) *Totals {
		s := &Totals{At: now, Until: now.Add(time.Millisecond), CPU: time.Minute, Memory: 1 << 30, Threads: 9, Processes: 2, Processors: 4, Idle: time.Hour}
		if change != nil {
			change(s)
		}
		return s
	}
	for what, r := range map[string]Resting{
		"of a server at rest": {Share: 3.5, GoesOn: 1, Lost: time.Second, From: sample(nil), Latest: sample(nil)},
		"of none":             {},
	} {
		if why := r.Impossible(); why != "" {
			t.Errorf("%s: %s", what, why)
		}
	}
	for what, r := range map[string]Resting{
		"more cores than there are": {Share: 1e9},
		"no number":                 {GoesOn: math.NaN()},
		"use below zero":            {Share: -1},
		"time below zero":           {Lost: -1},
		"time without end":          {Lost: math.MaxInt64},
		"time before it was seen":   {Earlier: -1},
		"CPU without end":           {From: sample(func(s *Totals) { s.CPU = math.MaxInt64 })},
		"memory without end":        {Latest: sample(func(s *Totals) { s.Memory = math.MaxUint64 })},
		"processes below zero":      {Latest: sample(func(s *Totals) { s.Processes = -1 })},
		"idle below zero":           {Latest: sample(func(s *Totals) { s.Idle = -1 })},
		"an end before its begin":   {From: sample(func(s *Totals) { s.Until = s.At.Add(-1) })},
	} {
		if why := r.Impossible(); why == "" {
			t.Errorf("%s: it is taken as possible", what)
		}
	}
}

// A process that began just before a call is none of the call, also for a machine that goes on from another
// and has not seen the process before the call.
func TestAProcessThatBeganJustBefore(t *testing.T) {
	for _, resumes := range []bool{false, true} {
		p := newPlay()
		p.begins(20, 10, "older")
		p.wait(10 * time.Second)
		p.begins(21, 10, "worker")
		p.sample()
		if resumes {
			p.m.Resume(mustRest(t, p), p.now)
			if again := mustRest(t, p); len(again.Young) != 1 || again.Young[0].PID != 21 {
				t.Errorf("before a sample it rests with %v", again.Young)
			}
		}
		p.cancelled(func() {}, func() { p.wait(500 * time.Millisecond); p.ends(21) })
		if got := p.acc[1].Finding(); got != Nothing {
			t.Errorf("resumed %t: the finding is %d: %q", resumes, got, p.notes(1))
		}
		p.wait(time.Minute)
		if rest := mustRest(t, p); rest.Young != nil {
			t.Errorf("resumed %t: a minute later %v are young", resumes, rest.Young)
		}
	}
}

// What a process begins that a cancelled call has left is not known to be the next call's, also for a machine that goes
// on from another and sees that process in the next call first.
func TestWhatAProcessBeginsThatWasLeft(t *testing.T) {
	for _, resumes := range []int{0, 1, 2} {
		p := newPlay()
		p.cancelled(func() { p.begins(20, 10, "shell") }, func() { p.wait(500 * time.Millisecond) })
		p.begins(21, 20, "its worker")
		p.wait(time.Minute)
		p.sample()
		for range resumes {
			rest := mustRest(t, p)
			if len(rest.Left) != 2 || rest.Left[0].PID != 20 || rest.Left[1].PID != 21 {
				t.Errorf("%v were left", rest.Left)
			}
			p.m.Resume(rest, p.now)
		}
		p.again(time.Second, func() {
			p.wait(200 * time.Millisecond)
			p.begins(22, 20, "job")
			p.begins(23, 21, "another")
		}, func() {})
		if a := p.acc[2]; a.Finding() != Nothing || a.below != 2 {
			t.Errorf("resumed %d times: the finding is %d, and %d began below: %q", resumes, a.Finding(), a.below, p.notes(2))
		}
	}
}
