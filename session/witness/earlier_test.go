package witness

import (
	"regexp"
	"slices"
	"testing"
	"time"
)

// again is a second call that is sent after a time, and is cancelled after a second.
func (p *play) again(after time.Duration, during, afterCancel func()) {
	p.wait(after)
	p.calls(2)
	during()
	p.wait(time.Second)
	p.cancels(2)
	afterCancel()
	p.wait(grace)
	p.over(2)
	p.wait(time.Second)
}

// The work of a call that was cancelled before, and goes on, is not idle use: what a later call
// does is not hidden by it, and not made of it either.
func TestTheWorkOfAnEarlierCallIsNotIdleUse(t *testing.T) {
	nothing := func() {}
	const earlierWork = `work of an earlier cancelled call was seen going on before this one was sent`
	for _, c := range []struct {
		name        string
		during      func(*play) // after the cancel of the first call and its six seconds
		after       time.Duration
		second      func(*play)
		stopped     func(*play) // after the second cancel
		want        Finding
		says, lacks []string
	}{
		{name: "it goes on, and the second is not seen", want: Nothing, says: []string{`used 4\.9\d s of CPU in 4\.9\d? s; ` + earlierWork + `, at which they would have used 4\.9\d? s: whether this call worked on cannot be told$`}},
		{name: "it goes on, and samples have ended long ago", after: time.Minute, want: Nothing, says: []string{earlierWork, `cannot be told$`}},
		{name: "it goes on, and the second works beside it", second: func(p *play) { p.busy[10] = 1.8 }, want: Working, says: []string{earlierWork + `, at which they would have used 4\.9\d? s$`}, lacks: []string{`cannot be told`}},
		{name: "it ends with the second cancel", stopped: func(p *play) { p.busy[10] = 0.01 }, want: Nothing, says: []string{`^$`}},
		{name: "it is unseen how long it went on", during: func(p *play) { p.busy[10] = 0.01; p.wait(4 * time.Second) }, second: func(p *play) { p.busy[10] = 1 }, want: Working, says: []string{earlierWork + `, at which they would have used 1\.\d+ s$`}, lacks: []string{`cannot be told`}},
		{name: "it has ended while nobody looked", during: func(p *play) { p.wait(10 * time.Second); p.busy[10] = 0.01 }, after: 5 * time.Minute, second: func(p *play) { p.busy[10] = 1 }, want: Working, says: []string{`idle before the call they would have used \d+ ms$`}, lacks: []string{`earlier`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			p.cancelled(func() { p.busy[10] = 1 }, nothing)
			if p.acc[1].Finding() != Working {
				t.Fatal("the first call is not seen working on")
			}
			run := func(f func(*play)) func() {
				if f == nil {
					return nothing
				}
				return func() { f(p) }
			}
			run(c.during)()
			p.again(c.after, run(c.second), run(c.stopped))
			if got := p.acc[2].Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			matches(t, "the notes", p.notes(2), c.says, c.lacks)
		})
	}
}

// What is used after that work was seen for the last time is idle use.
func TestIdleUseIsMeasuredFromTheEndOfEarlierWork(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.busy[10] = 1
	p.wait(time.Second)
	p.cancels(1)
	p.wait(grace)
	p.over(1)
	p.wait(2 * time.Second)
	p.busy[10] = 0.01
	p.wait(2 * time.Second)
	p.again(0, func() { p.busy[10] = 0.3 }, func() {})
	if got := p.acc[2].Finding(); got != Working {
		t.Errorf("the finding is %d", got)
	}
	matches(t, "the notes", p.notes(2), []string{`idle before the call they would have used \d\d ms$`}, []string{`earlier`})
}

// A call that is sent as soon as the row of the first one has ended leaves no time to measure:
// what was seen until then tells.
func TestTheWorkOfAnEarlierCallIsSeenInItsGrace(t *testing.T) {
	for _, share := range []float64{0.01, 1} {
		p := newPlay()
		p.calls(1)
		p.wait(time.Second)
		p.busy[10] = share
		p.cancels(1)
		p.wait(grace)
		p.over(1)
		p.again(200*time.Millisecond, func() { p.busy[10] = 1 }, func() {})
		want := Working
		if share == 1 {
			want = Nothing
			matches(t, "the notes", p.notes(2), []string{`earlier cancelled call was seen going on before this one was sent.*cannot be told$`}, nil)
		}
		if got := p.acc[2].Finding(); got != want {
			t.Errorf("with %v of a core before, the finding is %d, want %d: %q", share, got, want, p.notes(2))
		}
	}
}

// A call between the two that was answered changes nothing; a time in which the server was seen
// idle does.
func TestTheWorkOfAnEarlierCallIsRememberedUntilTheServerIsIdle(t *testing.T) {
	for _, share := range []float64{0.01, 1} {
		p := newPlay()
		p.cancelled(func() { p.busy[10] = 1 }, func() {})
		p.calls(3)
		p.wait(time.Second)
		p.m.Over(3, p.now)
		p.wait(time.Second)
		p.busy[10] = share
		p.wait(time.Minute)
		p.calls(4)
		p.wait(time.Second)
		p.m.Over(4, p.now)
		p.again(time.Minute, func() { p.busy[10] = 1 }, func() {})
		want := Nothing
		if share < 1 {
			want = Working
		}
		if got := p.acc[2].Finding(); got != want {
			t.Errorf("with %v of a core before, the finding is %d, want %d: %q", share, got, want, p.notes(2))
		}
	}
}

// A machine that goes on from another knows of the work of an earlier call.
func TestAResumedMachineKnowsOfTheWorkOfAnEarlierCall(t *testing.T) {
	p := newPlay()
	p.cancelled(func() { p.busy[10] = 1 }, func() {})
	p.wait(time.Minute)
	rest, ok := p.m.Resting(p.now)
	if !ok {
		t.Fatal("nothing is in flight, and it does not rest")
	}
	p.m.Resume(rest, p.now)
	p.again(0, func() {}, func() {})
	if got := p.acc[2].Finding(); got != Nothing {
		t.Errorf("the finding is %d", got)
	}
	matches(t, "the notes", p.notes(2), []string{`earlier cancelled call was seen going on before this one was sent.*cannot be told$`}, nil)
}

// A chain of short commands that goes on after its cancel is not taken for a later call's: whose
// they are cannot be told.
func TestTheProcessesOfAnEarlierCallAreNotALaterOnes(t *testing.T) {
	for _, c := range []struct {
		name  string
		chain bool          // it goes on
		idle  time.Duration // between the calls
		child bool          // the later call begins a process
		want  Finding
		says  string
	}{
		{"at once", true, 200 * time.Millisecond, false, Nothing, `^\d+ processes began while work of an earlier cancelled call may have gone on: whose each is cannot be told$`},
		{"when nobody has looked for a while", true, 30 * time.Second, false, Nothing, `^\d+ processes began while work of an earlier cancelled call may have gone on`},
		{"it has ended long ago", false, 20 * time.Second, true, Left, `still running 5 s after the cancel: "mine"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			pid := 100
			steps := func(d time.Duration) {
				for end := p.now.Add(d); p.now.Before(end); {
					p.begins(pid, 10, "step")
					p.wait(400 * time.Millisecond)
					p.ends(pid)
					pid++
				}
			}
			p.calls(1)
			steps(time.Second)
			p.cancels(1)
			steps(grace)
			p.over(1)
			if p.acc[1].Finding() != Working {
				t.Fatal("the first call is not seen working on")
			}
			if !c.chain {
				steps = p.wait
			}
			steps(c.idle)
			if c.chain {
				p.begins(99, 10, "step")
				p.wait(100 * time.Millisecond)
			}
			p.calls(2)
			if c.child {
				p.begins(11, 10, "mine")
			}
			steps(time.Second)
			p.cancels(2)
			steps(grace)
			p.over(2)
			p.wait(200 * time.Millisecond)
			before := p.notes(2)
			steps(20 * time.Second)
			p.calls(3)
			steps(20 * time.Second)
			if !slices.Equal(p.notes(2), before) {
				t.Errorf("the evidence was %q, and is %q", before, p.notes(2))
			}
			if got := p.acc[2].Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			matches(t, "the notes", p.notes(2), []string{c.says}, nil)
		})
	}
}

// A server that always uses what it gets of a core gets more of it when the machine has less else
// to do: that is no work of a call. What is more than that is.
func TestLoadIsNoWork(t *testing.T) {
	for _, c := range []struct {
		before, after float64 // of a core
		want          Finding
		says          string
	}{
		{0.76, 0.94, Nothing, `used 4\.6\d s of CPU in 4\.9\d? s; idle before the call they would have used 3\.7\d s: whether this call worked on cannot be told, as that differs by what else runs on the machine$`},
		{0.26, 1, Nothing, `cannot be told`},
		{0.26, 1.2, Working, `idle before the call they would have used 1\.2\d s$`},
		{1.9, 2.7, Nothing, `cannot be told`},
		{1.9, 3, Working, `idle before the call`},
		{0.2, 0.32, Nothing, `cannot be told`},
		{0.2, 0.4, Working, `idle before the call`},
		{0.2, 0.22, Nothing, `^$`},
	} {
		p := starting(c.before)
		p.m.Ready(p.now)
		p.wait(2 * time.Second)
		p.cancelled(func() { p.busy[10] = c.after }, func() {})
		if got := p.acc[1].Finding(); got != c.want {
			t.Errorf("of a core %v before and %v after: the finding is %d, want %d", c.before, c.after, got, c.want)
		}
		matches(t, "the notes", p.notes(1), []string{c.says}, nil)
		if c.want == Nothing {
			p.again(time.Second, func() {}, func() {})
			matches(t, "the next call", p.notes(2), nil, []string{"an earlier"})
		}
	}
}

// A server that was seen to begin a process while nothing was in flight may have begun by itself what
// began during a call: the finding stands, and the evidence says that. What it begins to start,
// or soon after a call, says nothing of the kind.
func TestAServerThatBeginsProcessesByItself(t *testing.T) {
	const itself = `the server has also begun a process while no call was in flight`
	for _, c := range []struct {
		name   string
		before func(*play) // while nothing is in flight
		after  func(*play) // the cancel
		want   Finding
		says   bool
	}{
		{"it has, and a process lives", func(p *play) { p.wait(4 * time.Second); p.begins(20, 10, "worker"); p.wait(time.Second) }, func(*play) {}, Left, true},
		{"it has, and others begin after the cancel", func(p *play) { p.wait(4 * time.Second); p.begins(20, 10, "worker"); p.wait(time.Second) }, func(p *play) { p.wait(3 * time.Second); p.begins(22, 10, "worker") }, Working, true},
		{"it has, and works on", func(p *play) { p.wait(4 * time.Second); p.begins(20, 10, "worker"); p.wait(time.Second) }, func(p *play) { p.busy[10] = 1 }, Working, false},
		{"it has, and nothing lives", func(p *play) { p.wait(4 * time.Second); p.begins(20, 10, "worker"); p.wait(time.Second) }, func(p *play) { p.wait(300 * time.Millisecond); p.ends(21) }, Ended, false},
		{"it has soon after it was ready", func(p *play) { p.begins(20, 10, "helper"); p.wait(4 * time.Second) }, func(*play) {}, Left, false},
		{"it has soon after a call", func(p *play) {
			p.calls(7)
			p.wait(time.Second)
			p.m.Over(7, p.now)
			p.wait(2 * time.Second)
			p.begins(20, 10, "uploader")
			p.wait(4 * time.Second)
		}, func(*play) {}, Left, false},
		{"it has not", func(*play) {}, func(*play) {}, Left, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, resumes := range map[string]bool{"": false, "another machine goes on": true} {
				p := newPlay()
				c.before(p)
				if resumes { // once a call has seen it
					p.wait(time.Second)
					p.calls(8)
					p.wait(time.Second)
					p.m.Over(8, p.now)
					p.wait(time.Second)
					in, ok := p.m.Resting(p.now)
					if !ok {
						t.Fatal("it does not rest")
					}
					p.m.Resume(in, p.now)
					p.sample()
				}
				p.cancelled(func() { p.begins(21, 10, "worker") }, func() { c.after(p) })
				if got := p.acc[1].Finding(); got != c.want {
					t.Errorf("%s: the finding is %d, want %d", name, got, c.want)
				}
				notes := p.notes(1)
				if got := slices.ContainsFunc(notes, regexp.MustCompile(itself).MatchString); got != c.says {
					t.Errorf("%s: the notes are %q", name, notes)
				}
			}
		})
	}
}
