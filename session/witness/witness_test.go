package witness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// play is a server whose processes a test dictates, sampled every 100 ms while that is wanted.
type play struct {
	m     Machine
	now   time.Time
	procs []*Process
	begun map[int]time.Time
	conns []Connection
	busy  map[int]float64 // the share of a core that a process uses
	acc   map[int]*Account

	told  []string
	more  int
	wide  time.Time
	looks uint64
	last  time.Time // a sample was taken

	processors int
	idle       time.Duration // of them together
	rests      float64       // how many of them are idle
}

const grace, bound = 5 * time.Second, 20 * time.Millisecond

// newPlay is a server that is idle for two seconds and uses a hundredth of a core.
func newPlay() *play {
	p := starting(0.01)
	p.m.Ready(p.now)
	p.busy[10] = 0.01
	p.wait(2 * time.Second)
	return p
}

// starting is a server that has been starting for three seconds, in which it used a share of a core.
func starting(share float64) *play {
	p := &play{now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), begun: map[int]time.Time{}, busy: map[int]float64{10: share}, acc: map[int]*Account{}}
	p.begins(10, 1, "server")
	p.m.Connected()
	p.sample()
	p.wait(3 * time.Second)
	return p
}

func (p *play) begins(pid, parent int, command string) {
	name, _, _ := strings.Cut(command, " ")
	p.procs = append(p.procs, &Process{PID: pid, Start: int64(len(p.begun)), Parent: parent, Name: name, Command: command, Memory: 1e6, Threads: 1, Files: 3})
	p.begun[pid] = p.now
}

func (p *play) ends(pid int) {
	p.procs = slices.DeleteFunc(p.procs, func(q *Process) bool { return q.PID == pid })
	delete(p.busy, pid)
}

// short is a chain of commands, each of which ends before the next sample but one.
func (p *play) short(from, to int) {
	for pid := from; pid < to; pid++ {
		p.begins(pid, 10, "step")
		p.sample()
		p.now = p.now.Add(20 * time.Millisecond)
		p.ends(pid)
	}
	p.sample()
}

func (p *play) sample() {
	p.last = p.now
	s := Sample{Every: 100 * time.Millisecond, EveryWide: time.Second, More: p.more, Processors: p.processors, Idle: p.idle}
	for _, q := range p.procs {
		q.Age = p.now.Sub(p.begun[q.PID])
		s.Processes = append(s.Processes, *q)
	}
	if !p.now.Before(p.wide) {
		s.Wide, s.Connections, p.wide = true, p.conns, p.now.Add(time.Second)
	}
	for _, n := range p.m.Sampled(p.now, s) {
		if n.Text != "" {
			p.told = append(p.told, fmt.Sprintf("%d: %s", n.Call, n.Text))
		}
	}
}

// wait lets time pass, with a sample whenever one is wanted.
func (p *play) wait(d time.Duration) {
	const step = 20 * time.Millisecond
	for end := p.now.Add(d); p.now.Before(end); {
		if w := p.m.Wish(); w.Looks != p.looks || (w.InFlight || p.last.Before(w.Until)) && p.now.UnixMilli()%100 == 0 {
			p.looks = w.Looks
			p.sample()
		}
		p.now = p.now.Add(step)
		p.idle += time.Duration(p.rests * float64(step))
		for _, q := range p.procs {
			q.CPU += time.Duration(p.busy[q.PID] * float64(step))
		}
	}
}

func (p *play) calls(id int) { p.m.Begun(id, p.now) }

func (p *play) cancels(id int) { p.acc[id] = p.m.Cancelled(id, p.now, bound) }

func (p *play) over(id int) {
	p.m.GraceOver(id, p.now)
	p.wait(20 * time.Millisecond)
	p.m.Over(id, p.now)
}

// cancelled is a call that ran for a second in which something was done, and the grace after
// its cancel in which something else was.
func (p *play) cancelled(before, after func()) {
	p.calls(1)
	p.wait(500 * time.Millisecond)
	before()
	p.wait(500 * time.Millisecond)
	p.cancels(1)
	end := p.now.Add(grace)
	after()
	p.wait(end.Sub(p.now))
	p.over(1)
	p.wait(6 * time.Second)
}

func (p *play) notes(id int) (all []string) {
	for _, n := range p.acc[id].Notes() {
		all = append(all, n.Text)
	}
	return all
}

// What a server uses idle is known of a call that begins half a second after the first sample of a
// server that is ready, or later, and of no sooner one.
func TestIdleUseIsKnownInTime(t *testing.T) {
	p := starting(0.5)
	known := func() bool { at := p.m.IdleKnownAt(); return !at.IsZero() && !p.now.Before(at) }
	for what, step := range []struct {
		wait  time.Duration
		ready bool
		want  bool
	}{{time.Second, false, false}, {0, true, false}, {leastIdle - 100*time.Millisecond, false, false}, {200 * time.Millisecond, false, true}} {
		if step.ready {
			p.m.Ready(p.now)
		}
		p.wait(step.wait)
		if got := known(); got != step.want {
			t.Errorf("step %d: %v", what, got)
		}
	}
	p.calls(1)
	p.wait(100 * time.Millisecond)
	if !p.m.flying[1].idle.known || !known() {
		t.Error("it is not known of a call that began in time")
	}
}

// The servers of known conduct, and what is true of each.
func TestFindings(t *testing.T) {
	nothing := func() {}
	for _, c := range []struct {
		name         string
		play         func(*play)
		want         Finding
		says, lacks  []string // of the notes
		timeline     []string
		processes    int
		gone         int
		opened, open int
	}{
		{name: "quiet and idle", play: func(p *play) { p.cancelled(nothing, nothing) }, want: Nothing},
		{
			name: "quiet, and busy on", play: func(p *play) {
				p.cancelled(func() { p.busy[10] = 0.9 }, nothing)
			}, want: Working, says: []string{`its processes used 4.4\d s of CPU in 4.9\d s; idle before the call they would have used 49 ms`},
		},
		{name: "as busy as when it was idle", play: func(p *play) {
			p.busy[10] = 0.9
			p.wait(15 * time.Second)
			p.calls(2)
			p.wait(time.Second)
			p.m.Over(2, p.now)
			p.wait(2 * time.Second)
			p.cancelled(nothing, nothing)
		}, want: Nothing},
		{name: "a little that is tidied up", play: func(p *play) {
			p.cancelled(nothing, func() {
				p.busy[10] = 1
				p.wait(180 * time.Millisecond)
				p.busy[10] = 0.01
			})
		}, want: Nothing},
		{name: "a child works on", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "ffmpeg -i x"); p.busy[11] = 0.7 }, nothing)
		}, want: Working, says: []string{`used 3\.\d\d s of CPU`, `still running 5 s after the cancel: "ffmpeg -i x" \(pid 11\), started during this call, 5.50 s old`}, lacks: []string{`meant to stay`}, processes: 1},
		{name: "a child merely lives", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "chrome") }, nothing)
		}, want: Left, says: []string{`still running 5 s after the cancel: "chrome" \(pid 11\), started during this call`, `meant to stay, as a browser`}, processes: 1},
		{name: "… and ends after the grace", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "chrome") }, func() { p.wait(grace - 20*time.Millisecond) })
			if len(p.told) > 0 {
				panic(p.told)
			}
			p.ends(11)
			p.wait(time.Second)
		}, want: Left, processes: 1},
		{name: "a chain of short commands", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "step 1") }, func() {
				p.wait(time.Second)
				p.ends(11)
				p.begins(12, 10, "step 2")
				p.wait(time.Second)
				p.ends(12)
			})
		}, want: Working, says: []string{`"step 2" \(pid 12\) was started after the cancel`, `"step 1" \(pid 11\), started during this call, had ended 1 s after`}, timeline: []string{`1: "step 1" \(pid 11\) ended`, `1: "step 2" \(pid 12\) ended`}, processes: 2},
		{name: "a child ends by the cancel", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "sleep 14") }, func() {
				p.wait(60 * time.Millisecond)
				p.ends(11)
			})
		}, want: Ended, says: []string{`"sleep 14" \(pid 11\), started during this call, had ended \d+ ms after the cancel`, `may have finished by themselves`}, timeline: []string{`1: "sleep 14" \(pid 11\) ended`}, processes: 1},
		{name: "a child ended before the cancel", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "sleep 1"); p.wait(200 * time.Millisecond); p.ends(11) }, nothing)
		}, want: Nothing, processes: 1},
		{name: "a child that was there before the call", play: func(p *play) {
			p.begins(11, 10, "pool")
			p.wait(time.Second)
			p.cancelled(nothing, func() { p.wait(time.Second); p.ends(11) })
		}, want: Nothing},
		{name: "a child that detaches, and its own child", play: func(p *play) {
			p.cancelled(func() { p.begins(11, 10, "daemon") }, func() {
				p.procs[1].Parent = 1
				p.wait(10 * time.Millisecond)
				p.begins(12, 11, "worker")
			})
		}, want: Left, says: []string{`"daemon" \(pid 11\)`, `"worker" \(pid 12\), started after the cancel`}, processes: 2},
		{name: "a connection stays open, and another closes", play: func(p *play) {
			p.cancelled(func() {
				p.conns = []Connection{{10, "192.0.2.1:9", "192.0.2.2:80"}, {10, "192.0.2.1:8", "192.0.2.3:81"}}
			}, func() { p.wait(time.Second); p.conns = p.conns[:1] })
		}, want: Nothing, timeline: []string{`1: a connection to "192.0.2.3:81" was seen closed`}, opened: 2, open: 1},
		{name: "connections that cannot be seen any more", play: func(p *play) {
			p.cancelled(func() {
				p.conns = []Connection{{10, "192.0.2.1:9", "192.0.2.2:80"}}
			}, func() { p.wait(time.Second); p.conns, p.procs[0].NoConnections = nil, true })
		}, want: Nothing, opened: 1, open: 1},
		{name: "more connections than one sample holds", play: func(p *play) {
			open := func(from int) {
				p.conns = nil
				for n := range MostConnections - 1 {
					p.conns = append(p.conns, Connection{10, "192.0.2.1:9", fmt.Sprint("192.0.2.2:", from+n)})
				}
			}
			p.cancelled(func() { open(100); p.wait(time.Second); open(200); p.wait(time.Second) }, func() { p.conns = p.conns[:5] })
		}, want: Nothing, timeline: []string{`"192.0.2.2:205" was seen closed`}, opened: 2 * (MostConnections - 1), open: 5},
		{name: "a long chain of commands, and one that stays", play: func(p *play) {
			p.cancelled(func() {
				for pid := 20; pid < 30; pid++ {
					p.begins(pid, 10, "step")
					p.wait(100 * time.Millisecond)
					p.ends(pid)
				}
				p.begins(30, 10, "sleep 40")
			}, nothing)
		}, want: Left, says: []string{`still running 5 s after the cancel: "sleep 40"`}, lacks: []string{`more processes`, `step`}, processes: 11},
		{name: "more workers that stay than are named", play: func(p *play) {
			p.cancelled(func() {
				for pid := 20; pid < 22; pid++ {
					p.begins(pid, 10, "brief")
				}
				for pid := 22; pid < 30; pid++ {
					p.begins(pid, 10, fmt.Sprint("worker ", pid))
				}
			}, func() {
				p.wait(time.Second)
				p.ends(20)
				p.ends(21)
			})
		}, want: Left, says: []string{`"worker 22"`, `"worker 27"`, `and 4 more processes that ran at the cancel or later: 2 were still running, and 2 had ended by then`}, lacks: []string{`"worker 28"`, `brief`}, timeline: []string{`20\) ended`, `21\) ended`}, processes: 10},
		{name: "one worker more than are named", play: func(p *play) {
			p.cancelled(func() {
				for pid := 20; pid < 21+mostNotes; pid++ {
					p.begins(pid, 10, "worker")
				}
			}, nothing)
		}, want: Left, says: []string{`and one more process that ran at the cancel or later was still running`}, processes: 1 + mostNotes},
		{name: "more short commands than are kept, and one that stays", play: func(p *play) {
			p.cancelled(func() { p.short(20, 60); p.begins(60, 10, "sleep 40") }, nothing)
		}, want: Left, says: []string{`still running 5 s after the cancel: "sleep 40"`, `meant to stay`}, lacks: []string{`more processes`, `step`}, processes: mostKept, gone: 9},
		{name: "… and one that ends", play: func(p *play) {
			p.cancelled(func() { p.short(20, 60); p.begins(60, 10, "sleep 40") }, func() { p.wait(time.Second); p.ends(60) })
		}, want: Ended, says: []string{`"sleep 40" \(pid 60\), started during this call, had ended 1 s after`}, lacks: []string{`more processes`, `step`}, timeline: []string{`60\) ended`}, processes: mostKept, gone: 9},
		{name: "more short commands after the cancel than are kept", play: func(p *play) {
			p.cancelled(func() { p.begins(19, 10, "first") }, func() { p.wait(prompt); p.short(20, 60); p.ends(19); p.wait(100 * time.Millisecond) })
		}, want: Working, says: []string{`"first" \(pid 19\), started during this call, had ended`, `and 35 more processes that ran at the cancel or later had ended by then; started after the cancel: 35$`}, lacks: []string{`than belay looks at`}, timeline: []string{`59\) ended`}, processes: mostKept, gone: 9},
		{name: "… and sooner, and they have ended", play: func(p *play) {
			p.cancelled(func() { p.begins(19, 10, "first") }, func() { p.wait(40 * time.Millisecond); p.short(20, 60); p.ends(19); p.wait(100 * time.Millisecond) })
		}, want: Ended, says: []string{`and 35 more processes that ran at the cancel or later had ended by then; started after the cancel: 35
no process .* lives, nor do those that were started after the cancel; they may`}, timeline: []string{`59\) ended`}, processes: mostKept, gone: 9},
		{name: "… one within the bound", play: func(p *play) {
			p.cancelled(func() { p.begins(19, 10, "first") }, func() {
				p.begins(20, 10, "kill")
				p.begun[20] = p.now.Add(time.Millisecond)
				p.wait(300 * time.Millisecond)
				p.ends(20)
				p.ends(19)
			})
		}, want: Ended, says: []string{`"kill" \(pid 20\), started after the cancel, had ended \d+ ms after the cancel
no process that was seen to begin during this call lives, nor does the one that was started after the cancel; they may`}, lacks: []string{`pid 20\) was started`}, timeline: []string{`20\) ended`}, processes: 2},
		{name: "a process that ended after the grace, and many since", play: func(p *play) {
			p.cancelled(func() { p.begins(19, 10, "first") }, nothing)
			p.now = p.acc[1].cancelled.Add(6 * time.Second)
			p.ends(19)
			p.short(20, 60)
		}, want: Left, says: []string{`"first" \(pid 19\)`}, lacks: []string{`more processes`, `step`}, timeline: []string{`59\) ended`}, processes: mostKept, gone: 9},
		{name: "more that live than are kept, of which a few live on", play: func(p *play) {
			p.cancelled(func() {
				for pid := 20; pid < 60; pid++ {
					p.begins(pid, 10, fmt.Sprint("worker ", pid))
				}
			}, func() {
				p.wait(time.Second)
				for pid := 20; pid < 52; pid++ {
					p.ends(pid)
				}
			})
		}, want: Left, says: []string{`still running 5 s after the cancel: "worker 52"`, `and 34 more processes that ran at the cancel or later: 2 were still running, and 32 had ended by then`}, lacks: []string{`than the`, `at least`}, timeline: []string{`51\) ended`}, processes: 40},
		{name: "as many that live as are looked at, and as many after them", play: func(p *play) {
			begin := func(from int) {
				for pid := from; pid < from+MostProcesses-1; pid++ {
					p.begins(pid, 10, "worker")
				}
			}
			p.cancelled(func() { begin(100) }, nothing)
			p.now = p.acc[1].cancelled.Add(6 * time.Second)
			for pid := range MostProcesses - 1 {
				p.ends(100 + pid)
			}
			begin(200)
			p.sample()
		}, want: Left, says: []string{`and 57 more processes that ran at the cancel or later were still running\nit may be`}, lacks: []string{`than the`, `at least`}, timeline: []string{`162\) ended`}, processes: 2 * (MostProcesses - 1)},
		{name: "more processes than are looked at", play: func(p *play) {
			p.more = 3
			p.cancelled(func() { p.begins(11, 10, "x") }, func() { p.ends(11) })
		}, want: Nothing, says: []string{`the server had more processes than the 64 that belay looks at`}, timeline: []string{`ended`}, processes: 1},
		{name: "more than are looked at, before the cancel", play: func(p *play) {
			p.cancelled(func() {
				p.more = 3
				for pid := 20; pid < 28; pid++ {
					p.begins(pid, 10, "x")
				}
				p.wait(200 * time.Millisecond)
				p.more = 0
			}, func() {
				p.wait(100 * time.Millisecond)
				for pid := 20; pid < 28; pid++ {
					p.ends(pid)
				}
			})
		}, want: Ended, says: []string{`and at least 2 more processes that ran at the cancel or later had ended by then`, `the server had more processes than the 64`}, timeline: []string{`27\) ended`}, processes: 8},
		{name: "more than are looked at, before the call", play: func(p *play) {
			p.more = 3
			p.sample()
			p.more = 0
			p.wait(100 * time.Millisecond)
			p.cancelled(func() {
				for pid := 20; pid < 28; pid++ {
					p.begins(pid, 10, "x")
				}
			}, nothing)
		}, want: Left, says: []string{`and 2 more processes that ran`}, lacks: []string{`the server had more`}, processes: 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			c.play(p)
			a := p.acc[1]
			if got := a.Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			matches(t, "the notes", p.notes(1), c.says, c.lacks)
			matches(t, "the timeline", p.told, c.timeline, nil)
			if len(c.timeline) == 0 && len(p.told) > 0 && c.name != "… and ends after the grace" {
				t.Errorf("the timeline says %q", p.told)
			}
			v := a.View()
			if v == nil || len(v.Processes) != c.processes || v.Gone != c.gone || v.Opened != c.opened || v.Open != c.open {
				t.Fatalf("shown is %+v", v)
			}
			if v.Before == nil || v.At == nil || v.AtSince > 0 || v.AtSince < -100*time.Millisecond || v.After == nil || v.Since < 9*time.Second || v.Since > Follow+100*time.Millisecond {
				t.Errorf("shown is %+v", v)
			}
		})
	}
}

func matches(t *testing.T, what string, all, has, lacks []string) {
	t.Helper()
	text := strings.Join(all, "\n")
	for _, want := range has {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s lack %q: %s", what, want, text)
		}
	}
	for _, not := range lacks {
		if regexp.MustCompile(not).MatchString(text) {
			t.Errorf("%s have %q: %s", what, not, text)
		}
	}
}

// That little CPU was used says little of a server that had no processor: which is said.
func TestAServerThatMayHaveStarved(t *testing.T) {
	const kept = `its processes got \d+ ms of CPU in 4\.9\d s, and the machine was busy: they may have been kept from running`
	for _, c := range []struct {
		what       string
		processors int
		rests, own float64 // how many are idle after the cancel, and what the server uses then
		said       string
	}{
		{"no processor is idle", 2, 0, 0.01, kept},
		{"one is idle for less than half of the time", 1, 0.48, 0.01, kept},
		{"one is idle for more than half of the time", 1, 0.52, 0.01, "^$"},
		{"the other one is idle while one works", 2, 0.52, 0.04, kept},
		{"both are", 2, 0.56, 0.04, "^$"},
		{"the system does not tell", 0, 0, 0.01, "^$"},
		{"it works on, which shows", 2, 0, 0.5, "used 2.4[0-9] s of CPU in 4.9[0-9] s; idle before the call they would have used 4[0-9] ms$"},
	} {
		p := newPlay()
		p.processors, p.rests = c.processors, float64(c.processors)
		p.cancelled(func() {}, func() { p.rests, p.busy[10] = c.rests, c.own })
		if got := strings.Join(p.notes(1), "\n"); !regexp.MustCompile(c.said).MatchString(got) {
			t.Errorf("%s: the notes are %q", c.what, got)
		}
	}
	left := newPlay()
	left.processors = 2
	left.cancelled(func() { left.begins(11, 10, "chrome") }, func() {})
	if got := strings.Join(left.notes(1), "\n"); strings.Contains(got, "kept from running") || !strings.Contains(got, "still running") {
		t.Errorf("a process that it left says enough: the notes are %q", got)
	}
	p := newPlay()
	p.processors = 2
	p.cancelled(func() {}, func() { p.wait(grace - 100*time.Millisecond); p.processors = 4 })
	if got := p.notes(1); len(got) > 0 {
		t.Errorf("it got more processors meanwhile: the notes are %q", got)
	}
}

// With several calls in flight nobody can tell whose a process is: there is no finding.
func TestTwoCallsCannotBeToldApart(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	p.calls(2)
	p.wait(100 * time.Millisecond)
	p.begins(11, 10, "sleep 14")
	p.begins(12, 10, "sleep 15")
	p.busy[11] = 1
	p.wait(500 * time.Millisecond)
	p.cancels(1)
	p.cancels(2)
	p.wait(grace)
	p.m.GraceOver(1, p.now)
	p.over(2)
	p.m.Over(1, p.now)
	p.wait(6 * time.Second)
	for _, id := range []int{1, 2} {
		if a := p.acc[id]; a.Finding() != Nothing || !a.View().Shared || len(a.View().Processes) > 0 {
			t.Errorf("call %d: %d, %+v", id, a.Finding(), a.View())
		}
		matches(t, "the notes", p.notes(id), []string{`^between the bound and the end of the grace its processes used 4\.9\d s of CPU in 4\.9\d? s; idle before the call they would have used 49 ms; several calls were in flight: for which of them cannot be told
2 processes began when another call was sent, or later: whose each is cannot be told$`}, nil)
	}
}

// Of the processes that began beside several calls the latest are counted, and so the words are
// that there are as many at least, also where not all of the server's are watched.
func TestManyProcessesBesideTwoCalls(t *testing.T) {
	for name, c := range map[string]struct {
		early, many, more int
		want              string
	}{
		"as many as are kept":   {many: mostUnowned, want: `^32 processes began when another call`},
		"more than are kept":    {many: mostUnowned + 3, want: `^at least 32 processes began when another call was sent, or later: whose each is cannot be told$`},
		"more before this call": {early: 40, many: 2, want: `^2 processes began when another call`},
		"more than are watched": {many: 2, more: 1, want: `^at least 2 processes began when another call`},
		"one of those":          {many: 1, more: 1, want: `^at least one process began when another call was sent, or later: whose each is cannot be told\nthe server had more processes than the 64 that belay looks at$`},
	} {
		p := newPlay()
		p.calls(1)
		p.calls(2)
		p.wait(200 * time.Millisecond)
		p.short(100, 100+c.early)
		p.wait(200 * time.Millisecond)
		p.calls(3)
		p.wait(200 * time.Millisecond)
		p.short(200, 200+c.many)
		p.cancels(3)
		p.more = c.more
		p.wait(grace)
		p.over(3)
		matches(t, name, p.notes(3), []string{c.want}, nil)
	}
}

// What an idle server uses beside several calls is nothing to tell.
func TestTwoCallsOfAnIdleServer(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.calls(2)
	p.wait(time.Second)
	p.cancels(1)
	p.wait(grace)
	p.over(1)
	matches(t, "the notes", p.notes(1), []string{`^$`}, nil)
}

// What began before another call was sent is the call's, and named, also where that call is sent in its
// grace; of what began with it or later it is said that nobody can tell whose it is. There is no
// finding.
func TestWhatBeganBeforeTheOtherCallIsNamed(t *testing.T) {
	const (
		ms    = time.Millisecond
		still = `still running 5 s after the cancel: "sleep 14" (pid 11), started during this call, 6 s old`
		stay  = `it may be meant to stay, as a browser or a pool of workers is`
		one   = `one process began when another call was sent, or later: whose it is cannot be told`
		two   = `2 processes began when another call was sent, or later: whose each is cannot be told`
	)
	for _, c := range []struct {
		name    string
		other   time.Duration // when the other call is sent, after the cancel
		answers time.Duration // … and is answered after that; 0: it is not
		play    func(p *play) // since then
		pids    []int         // that are the call's
		says    []string
	}{
		{"none since", 2 * time.Second, 0, func(*play) {}, []int{11}, []string{still, stay}},
		{"none since, and it was sent before the cancel", -200 * ms, 0, func(*play) {}, []int{11}, []string{still, stay}},
		{"one since", 2 * time.Second, 0, func(p *play) { p.begins(13, 10, "x") }, []int{11}, []string{still, one, stay}},
		{"one with it", 2 * time.Second, 0, func(p *play) { p.begins(13, 10, "x"); p.begun[13] = p.now.Add(-10 * ms) }, []int{11}, []string{still, one, stay}},
		{"one before it that is found later", 2 * time.Second, 0, func(p *play) { p.begins(13, 10, "x"); p.begun[13] = p.now.Add(-11 * ms) }, []int{11, 13}, []string{
			still, `"x" (pid 13) was started after the cancel`, `still running 5 s after the cancel: "x" (pid 13), started after the cancel, 3.01 s old`, stay,
		}},
		{"one that its process begins", 2 * time.Second, 0, func(p *play) { p.begins(13, 11, "x") }, []int{11}, []string{still, one, stay}},
		{"one when the other is over", 2 * time.Second, 500 * ms, func(p *play) { p.wait(time.Second); p.begins(13, 10, "x") }, []int{11}, []string{still, one, stay}},
		{"one of each", 2 * time.Second, 500 * ms, func(p *play) { p.begins(13, 10, "x"); p.wait(time.Second); p.begins(14, 10, "y") }, []int{11}, []string{still, two, stay}},
		{"its own ends", 2 * time.Second, 0, func(p *play) { p.wait(time.Second); p.ends(11) }, []int{11}, []string{`"sleep 14" (pid 11), started during this call, had ended 3 s after the cancel`}},
		{"many of its own process, which are let go", 2 * time.Second, 0, func(p *play) {
			for pid := 20; pid < 60; pid++ {
				p.begins(pid, 11, "step")
				p.sample()
				p.now = p.now.Add(20 * ms)
				p.ends(pid)
			}
		}, []int{11}, []string{still, `40 processes began when another call was sent, or later: whose each is cannot be told`, stay}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			sends := func() {
				p.calls(2)
				end := p.now.Add(c.answers)
				c.play(p)
				if c.answers > 0 {
					p.m.Over(2, end)
				}
			}
			p.calls(1)
			p.begins(11, 10, "sleep 14")
			p.wait(time.Second + min(0, c.other))
			if c.other < 0 {
				sends()
				p.wait(-c.other)
			}
			p.cancels(1)
			end := p.now.Add(grace)
			if c.other > 0 {
				p.wait(c.other)
				sends()
			}
			p.wait(end.Sub(p.now))
			p.m.GraceOver(1, p.now)
			p.wait(20 * ms)
			p.m.Over(1, p.now)
			p.wait(time.Second)
			for pid := 70; pid < 110; pid++ { // of which nothing is told
				p.begins(pid, 11, "later")
				p.wait(20 * ms)
				p.ends(pid)
			}
			p.wait(time.Second)
			if got := p.notes(1); !slices.Equal(got, c.says) {
				t.Errorf("the notes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.says, "\n"))
			}
			var pids []int
			v := p.acc[1].View()
			for _, q := range v.Processes {
				pids = append(pids, q.PID)
			}
			if !v.Shared || v.Finding != Nothing || v.Gone != 0 || !slices.Equal(pids, c.pids) {
				t.Errorf("%v, want %v: %+v", pids, c.pids, v)
			}
		})
	}
}

// When a process began says whose it may be, and not when it was found: on a busy machine a
// sample comes seconds late, when the calls are over.
func TestWhatIsFoundLateBeganWithTwoCalls(t *testing.T) {
	for _, c := range []struct {
		name string
		over []int // before the sample that finds it
	}{
		{"both are over", []int{1, 2}},
		{"one is in flight still", []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			p.calls(1)
			p.wait(500 * time.Millisecond)
			p.calls(2)
			for _, id := range []int{1, 2} {
				p.cancels(id)
			}
			p.sample()
			p.now = p.now.Add(time.Second)
			p.begins(11, 10, "sleep 14")
			p.now = p.now.Add(time.Second)
			for _, id := range c.over {
				p.m.GraceOver(id, p.now)
				p.m.Over(id, p.now)
			}
			p.now = p.now.Add(time.Second)
			p.begins(12, 10, "sleep 15") // of the last one perhaps, if that is in flight still
			p.now = p.now.Add(time.Second)
			p.sample()
			for _, id := range c.over {
				matches(t, "the notes", p.notes(id), []string{`^one process began when another call was sent, or later: whose it is cannot be told$`}, nil)
			}
			if v := p.acc[1].View(); len(v.Processes) != 0 {
				t.Errorf("%+v", v.Processes)
			}
			if len(c.over) == 1 {
				p.m.GraceOver(1, p.now)
				p.over(1)
				matches(t, "the notes", p.notes(1), []string{`^2 processes began when another call was sent, or later: whose each is cannot be told$`}, nil)
			}
			p.wait(5 * time.Second)
			p.calls(3) // alone
			p.wait(time.Second)
			p.begins(13, 10, "sleep 16")
			p.wait(time.Second)
			p.cancels(3)
			p.sample()
			if v := p.acc[3].View(); len(v.Processes) != 1 || v.Processes[0].PID != 13 || v.Shared {
				t.Errorf("%+v", v)
			}
		})
	}
}

// Systems tell to a hundredth of a second when a process began, rounded down. Where that leaves open whether a
// process or the cancel came first, neither is said, and none is taken for one that lived at the cancel.
func TestWhatBeganAtTheCancelIsNotSaidToBeBeforeOrAfterIt(t *testing.T) {
	const ms = time.Millisecond
	const none = `^no process that was seen to begin during this call lives, `
	for _, c := range []struct {
		name  string
		seems time.Duration // to have begun, after the cancel
		many  int           // more of them that end sooner
		first bool          // one began long before
		lives bool
		want  Finding
		says  []string
	}{
		{"before", -10 * ms, 0, false, false, Ended, []string{
			`^"x" \(pid 20\), started during this call, had ended 1 s after the cancel$`, none + `and none was seen to begin since; they may`,
		}},
		{"just before, or after", -9 * ms, 0, false, false, Nothing, []string{`^"x" \(pid 20\), started within 10 ms of the cancel, had ended 1 s after the cancel$`}},
		{"at the cancel, or after", 0, 0, false, false, Nothing, []string{`^"x" \(pid 20\), started within 10 ms of the cancel, had ended 1 s after the cancel$`}},
		{"after", ms, 0, false, false, Nothing, []string{`^"x" \(pid 20\), started after the cancel, had ended 1 s after the cancel$`}},
		{"it lives", -ms, 0, false, true, Left, []string{`^still running 5 s after the cancel: "x" \(pid 20\), started within 10 ms of the cancel, 5 s old$`, `^it may be meant`}},
		{"beside one from before", -ms, 0, true, false, Ended, []string{
			`^"first"`, `^"x" \(pid 20\), started within 10 ms`, none + `nor does the one that was started after the cancel, or within 10 ms of it; they may`,
		}},
		{"beside one from before, and more that are let go", -ms, 30, true, false, Ended, []string{
			`^"first"`, `^"x" \(pid 20\), started within 10 ms`, `^and \d+ more processes that ran at the cancel or later had ended by then; started after the cancel: \d+$`, none + `nor do those that were started after the cancel, or within 10 ms of it; they may`,
		}},
		{"and more that are let go", -ms, 30, false, false, Nothing, []string{`^"x" \(pid 20\), started within 10 ms`, `^and \d+ more processes that ran at the cancel or later had ended by then; started after the cancel: \d+$`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			p.cancelled(func() {
				if c.first {
					p.begins(19, 10, "first")
				}
			}, func() {
				for pid := 20; pid <= 20+c.many; pid++ {
					p.begins(pid, 10, "x")
					p.begun[pid] = p.now.Add(c.seems)
				}
				p.sample()
				p.wait(500 * ms)
				for pid := 21; pid <= 20+c.many; pid++ {
					p.ends(pid)
				}
				p.wait(100 * ms)
				for pid := 70; pid < 70+c.many; pid++ { // in whose place the others are let go
					p.begins(pid, 10, "y")
				}
				p.wait(200 * ms)
				for pid := 70; pid < 70+c.many; pid++ {
					p.ends(pid)
				}
				p.wait(200 * ms)
				if !c.lives {
					p.ends(19)
					p.ends(20)
				}
			})
			if got := p.acc[1].Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			notes := p.notes(1)
			for _, says := range c.says {
				if !slices.ContainsFunc(notes, regexp.MustCompile(says).MatchString) {
					t.Errorf("the notes lack %q: %q", says, notes)
				}
			}
			if text := strings.Join(notes, "\n"); c.seems > -10*ms && !c.first && strings.Contains(text, "during this call") || c.seems <= 0 && strings.Contains(text, "\"x\" (pid 20), started after the cancel") {
				t.Errorf("the notes tell an order: %q", notes)
			}
		})
	}
}

// A process that was seen last before the cancel, and found gone after it, may have ended before: it is not said to have
// ended after the cancel, unless it was seen so shortly before that the system tells no difference.
func TestAnEndThatMayHaveBeenBeforeTheCancel(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		seen time.Duration // the last look before the cancel
		took time.Duration // by that which finds it gone, and begins 1 ms after the cancel, or 2 ms before it
		want Finding
		says string
	}{
		"seen at the cancel":        {5 * ms, 0, Ended, `had ended 1 ms after the cancel`},
		"seen long before":          {100 * ms, 0, Nothing, `was seen last 100 ms before the cancel, and was gone 1 ms after the cancel`},
		"seen very long before":     {900 * ms, 0, Nothing, `was seen last 900 ms before the cancel, and was gone 1 ms after the cancel`},
		"while a sample was taken":  {102 * ms, 5 * ms, Nothing, `was seen last 102 ms before the cancel, and was gone 3 ms after the cancel`},
		"… and seen at the cancel":  {6 * ms, 5 * ms, Ended, `had ended 3 ms after the cancel`},
		"seen a moment too long":    {11 * ms, 0, Nothing, `was seen last 11 ms before the cancel`},
		"seen as long as is enough": {10 * ms, 0, Ended, `had ended 1 ms after the cancel`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlay()
			p.calls(1)
			p.wait(500 * ms)
			p.begins(11, 10, "sleep 14")
			p.wait(50 * ms)
			p.sample()
			p.acc[1] = p.m.Cancelled(1, p.now.Add(c.seen), bound)
			p.ends(11)
			p.now = p.now.Add(c.seen + ms)
			if c.took > 0 {
				p.now = p.now.Add(-3 * ms)
			}
			p.m.Sampled(p.now, Sample{Took: c.took, Processes: []Process{*p.procs[0]}})
			p.wait(grace + 3*ms)
			p.over(1)
			if got := p.acc[1].Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			matches(t, "the notes", p.notes(1), []string{c.says}, nil)
			if v := p.acc[1].View(); v.Processes[0].Unseen != (c.want == Nothing) {
				t.Errorf("%+v", v.Processes[0])
			}
		})
	}
}

// A sample may take long on a busy machine: what begins while it is taken is the call's.
func TestABeginningWhileASampleIsTaken(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.m.Sampled(p.now, Sample{Took: 80 * time.Millisecond, Processes: []Process{*p.procs[0], {PID: 11, Start: 7, Parent: 10, Name: "sleep", Age: -30 * time.Millisecond}}})
	p.cancels(1)
	p.sample()
	if v := p.acc[1].View(); len(v.Processes) != 1 || v.Processes[0].Began != 30*time.Millisecond || v.Before.Processes != 1 {
		t.Errorf("%+v", v)
	}
}

// A server that answers as soon as it runs is as young as the first call, and clocks are rounded: it did
// not begin in that call.
func TestTheServerIsNoProcessOfItsFirstCall(t *testing.T) {
	p := &play{now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), begun: map[int]time.Time{}, busy: map[int]float64{}, acc: map[int]*Account{}}
	p.m.Connected()
	p.m.Ready(p.now)
	p.calls(1)
	p.now = p.now.Add(5 * time.Millisecond)
	p.begins(10, 1, "server")
	p.wait(time.Second)
	p.begins(11, 10, "sleep 60")
	p.wait(time.Second)
	p.cancels(1)
	p.over(1)
	v := p.acc[1].View()
	if len(v.Processes) != 1 || v.Processes[0].PID != 11 || v.Finding != Left {
		t.Errorf("%v: %+v", v.Finding, v.Processes)
	}
}

// The process behind a wrapper is as young as a call that is sent as soon as the server has answered:
// rounded, it seems to have begun with the call. What a call begins at once is the call's, though it
// seems to have begun before.
func TestWhatAServerStartsWithBeganInNoCall(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		what         string
		ready, seems time.Duration // before the call
		is           Finding
	}{
		{"the server behind a wrapper", 4 * ms, 9 * ms, Nothing},
		{"the same, by a clock that does not round", 2 * ms, 3 * ms, Nothing},
		{"it cannot be told", 4 * ms, 5 * ms, Nothing},
		{"a command that the call begins at once", 50 * ms, 8 * ms, Left},
		{"a command that the first call begins", 2 * ms, 0, Left},
	} {
		p := &play{now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC), begun: map[int]time.Time{}, busy: map[int]float64{}, acc: map[int]*Account{}}
		p.begins(10, 1, "wrapper")
		p.m.Connected()
		called := p.now.Add(100 * ms)
		p.now = called.Add(-c.ready)
		p.m.Ready(p.now)
		p.now = called
		p.calls(1)
		p.begins(11, 10, "node server.js")
		p.begun[11] = called.Add(-c.seems)
		p.wait(time.Second)
		p.cancels(1)
		p.wait(grace)
		p.over(1)
		if v := p.acc[1].View(); v.Finding != c.is {
			t.Errorf("%s: %v: %+v", c.what, v.Finding, v.Processes)
		}
	}
}

// With the connection the samples end: nothing is said to follow, or to run still.
func TestTheEndOfTheConnection(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	p.begins(11, 10, "sleep 14")
	p.cancels(1)
	p.wait(grace)
	p.over(1)
	p.sample()
	if v := p.acc[1].View(); !v.Follows || p.acc[1].Finding() != Left {
		t.Fatalf("before the end: %+v", v)
	}
	if news := p.m.Disconnected(false); len(news) != 1 || news[0].Call != 1 {
		t.Errorf("told are %+v", news)
	}
	if v := p.acc[1].View(); v.Follows || p.acc[1].Finding() != Left {
		t.Errorf("after the end: %+v", v)
	}
	if w := p.m.Wish(); w.InFlight || p.last.Before(w.Until) {
		t.Errorf("wanted are %+v", w)
	}
}

// What belongs to a call that was cancelled before is not taken for another's.
func TestTheChildrenOfACallBefore(t *testing.T) {
	p := newPlay()
	p.cancelled(func() { p.begins(11, 10, "sh -c chain") }, func() {})
	p.calls(2)
	p.wait(500 * time.Millisecond)
	p.begins(12, 11, "step 9")
	p.wait(500 * time.Millisecond)
	p.cancels(2)
	p.wait(time.Second)
	p.begins(13, 11, "step 10")
	p.wait(grace - time.Second)
	p.over(2)
	p.wait(time.Second)
	if a := p.acc[2]; a.Finding() != Nothing || len(a.View().Processes) > 0 {
		t.Errorf("%d: %+v", a.Finding(), a.View())
	}
	if n := len(p.acc[1].View().Processes); n != 1 {
		t.Errorf("the first call, which is followed no longer, has %d processes, want 1", n)
	}
	if notes := p.notes(2); len(notes) != 1 || !strings.HasPrefix(notes[0], "2 processes began during this call, below those of an earlier cancelled call: ") {
		t.Errorf("%q", notes)
	}
}

// A call that was answered has no finding, whatever its processes do.
func TestAnAnsweredCallIsNotJudged(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(time.Second)
	p.begins(11, 10, "x")
	p.busy[11] = 1
	p.cancels(1)
	p.wait(300 * time.Millisecond)
	p.m.Over(1, p.now)
	p.wait(12 * time.Second)
	if a := p.acc[1]; a.Finding() != Nothing || len(a.Notes()) > 0 || a.View().Since < 9*time.Second {
		t.Errorf("%d: %v, %+v", a.Finding(), a.Notes(), a.View())
	}
}

// Of a server that dies within the grace it is told which processes of the call were seen to go on,
// and nothing where belay ended the connection.
func TestWhatADeadServerLeaves(t *testing.T) {
	dies := func(seen, byItself bool) func(p *play) {
		return func(p *play) {
			p.ends(10)
			if seen {
				p.procs[0].Parent = 1
				p.sample()
			}
			p.m.Over(1, p.now)
			p.m.Disconnected(byItself)
		}
	}
	for name, c := range map[string]struct {
		before, then func(p *play)
		want         string
	}{
		"a child goes on":           {nil, dies(true, true), `^still running 300 ms after the cancel, when the server had ended: "sleep 14" \(pid 11\), started during this call, 800 ms old$`},
		"nobody looked since":       {nil, dies(false, true), `^was running [0-9]+ ms after the cancel: "sleep 14" \(pid 11\), started during this call, [0-9]+ ms old$`},
		"belay ends the connection": {nil, dies(true, false), `^$`},
		"the child ended":           {func(p *play) { p.ends(11); p.begins(12, 10, "other") }, func(p *play) { p.ends(12); p.sample(); dies(false, true)(p) }, `^"sleep 14" \(pid 11\), started during this call, had ended [0-9]+ ms after the cancel\n"other" \(pid 12\) was started after the cancel\n"other" .*, had ended 300 ms after the cancel$`},
		"two calls are in flight": {func(p *play) { p.calls(2); p.begins(12, 10, "other") }, dies(true, true), `^still running 300 ms after the cancel, when the server had ended: "sleep 14" \(pid 11\), started during this call, 800 ms old
one process began when another call was sent, or later: whose it is cannot be told$`},
		"it dies behind the grace":   {func(p *play) { p.wait(grace); p.m.GraceOver(1, p.now); p.sample() }, dies(true, true), `^still running 5\.10 s after the cancel: "sleep 14" .*\nit may be meant to stay`},
		"what had begun before goes": {func(p *play) { p.ends(11); p.sample() }, dies(true, true), `^"sleep 14" .* had ended`},
	} {
		p := newPlay()
		p.begins(13, 10, "pool")
		p.sample()
		p.calls(1)
		p.wait(500 * time.Millisecond)
		p.begins(11, 10, "sleep 14")
		p.wait(500 * time.Millisecond)
		p.cancels(1)
		p.wait(100 * time.Millisecond)
		if c.before != nil {
			c.before(p)
		}
		p.wait(200 * time.Millisecond)
		c.then(p)
		if got := strings.Join(p.notes(1), "\n"); !regexp.MustCompile(c.want).MatchString(got) {
			t.Errorf("%s: %q", name, got)
		}
		if f := p.acc[1].Finding(); f != Nothing && name != "it dies behind the grace" {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// A sample that was taken behind the cancel counts as such, also where it is told before the cancel is: on a
// busy machine the server may have died by then.
func TestASampleThatIsToldBeforeItsCancel(t *testing.T) {
	p := newPlay()
	p.sample()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	p.begins(11, 10, "sleep 14")
	p.wait(500 * time.Millisecond)
	written := p.now
	p.now = p.now.Add(20 * time.Millisecond)
	p.ends(10)
	p.procs[0].Parent = 1
	p.sample()
	p.acc[1] = p.m.Cancelled(1, written, bound)
	p.m.Over(1, p.now)
	p.m.Disconnected(true)
	matches(t, "the notes", p.notes(1), []string{`^still running 20 ms after the cancel, when the server had ended: "sleep 14" \(pid 11\), started during this call, 520 ms old$`}, nil)
}

// Without a time in which the server was idle, its use of CPU is told, and nothing follows from it.
func TestWithoutAnIdleTimeCPUSaysNothing(t *testing.T) {
	const unknown = `^between the bound and the end of the grace its processes used 4\.90 s of CPU in 4\.90 s; how much they use idle is not known, as they were not seen idle for 500 ms before the call$`
	for name, c := range map[string]struct {
		busy float64
		says string
	}{"busy": {1, unknown}, "as good as idle": {0.03, `^$`}} {
		p := newPlay()
		p.m.Connected()
		p.sample()
		p.m.Ready(p.now)
		p.wait(200 * time.Millisecond)
		p.cancelled(func() { p.busy[10] = c.busy }, func() {})
		if a := p.acc[1]; a.Finding() != Nothing || a.View() == nil {
			t.Errorf("%s: %d: %+v", name, a.Finding(), a.View())
		}
		matches(t, name+": the notes", p.notes(1), []string{c.says}, nil)
	}
}

// What a server uses to start is not its idle use, also where a sample of before comes late.
func TestWhatAServerUsesToStartIsNotIdleUse(t *testing.T) {
	for _, c := range []struct {
		name string
		idle time.Duration // from when the server is ready to the call
		want Finding
		says string
	}{
		{"idle", time.Second, Working, `its processes used 4\.\d+ s of CPU in 4\.\d+ s; idle before the call they would have used 49 ms`},
		{"called at once", 0, Nothing, `how much they use idle is not known`},
		{"called soon", 300 * time.Millisecond, Nothing, `how much they use idle is not known`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := starting(4)
			was := *p.procs[0]
			p.m.Ready(p.now)
			p.m.Sampled(p.now.Add(-time.Millisecond), Sample{Every: 100 * time.Millisecond, Processes: []Process{was}})
			p.procs[0].CPU += time.Second // what was under way
			p.busy[10] = 0.01
			p.wait(c.idle)
			p.cancelled(func() { p.busy[10] = 0.9 }, func() {})
			if got := p.acc[1].Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			matches(t, "the notes", p.notes(1), []string{c.says}, nil)
		})
	}
}

// A machine that goes on from another takes no sample of before the server was ready either.
func TestAResumedMachineKnowsWhenTheServerWasReady(t *testing.T) {
	p := starting(4)
	p.m.Ready(p.now)
	rest, ok := p.m.Resting(p.now)
	if !ok {
		t.Fatal("nothing is in flight, and it does not rest")
	}
	rest.At, rest.Ready = rest.At.Add(-time.Hour), rest.Ready.Add(-time.Hour)
	p.m.Resume(rest, p.now)
	p.m.Sampled(p.now.Add(-time.Millisecond), Sample{Every: 100 * time.Millisecond, Processes: []Process{*p.procs[0]}})
	p.procs[0].CPU += time.Second
	p.busy[10] = 0.01
	p.wait(time.Second)
	p.cancelled(func() { p.busy[10] = 0.1 }, func() {})
	if got := p.acc[1].Finding(); got != Working {
		t.Errorf("the finding is %d: %q", got, p.notes(1))
	}
}

// CPU time is not lost when a process ends, and not counted twice when its parent has
// waited for it.
func TestTheCPUTimeOfWhatHasEnded(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.begins(11, 10, "a")
	p.begins(12, 10, "b")
	p.busy[10], p.busy[11], p.busy[12] = 0, 1, 1
	p.wait(time.Second)
	p.sample()
	was := p.m.latest.CPU
	p.procs[0].Reaped += p.procs[1].CPU // the parent waited for the one, and nobody for the other
	p.ends(11)
	p.ends(12)
	p.sample()
	if got := p.m.latest.CPU; got != was {
		t.Errorf("after the end of two processes %v of CPU are known, before it %v", got, was)
	}
}

// Samples are wanted while a call is in flight, and until ten seconds after a cancel.
func TestWhenSamplesAreWanted(t *testing.T) {
	p := newPlay()
	idle := p.m.Wish()
	if idle.InFlight || p.last.Before(idle.Until) {
		t.Errorf("idle: %+v", idle)
	}
	p.calls(1)
	begun := p.m.Wish()
	if !begun.InFlight || begun.Looks == idle.Looks {
		t.Errorf("a call begins: %+v", begun)
	}
	p.wait(time.Second)
	at := p.now
	p.cancels(1)
	if w := p.m.Wish(); w.Looks == begun.Looks || !w.Until.Equal(at.Add(Follow)) {
		t.Errorf("a cancel: %+v", w)
	}
	p.wait(grace)
	before := p.m.Wish()
	p.over(1)
	if w := p.m.Wish(); w.InFlight || w.Looks == before.Looks || !w.Until.Equal(at.Add(Follow)) {
		t.Errorf("the end of the grace: %+v", w)
	}
}

// A sample of a recording may hold anything.
func TestNoSampleIsTooMuch(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(100 * time.Millisecond)
	p.cancels(1)
	for i := range 100 {
		s := Sample{Wide: true, Lacks: make([]string, 1000)}
		for n := range 1000 {
			s.Processes = append(s.Processes, Process{PID: i*1000 + n - 5, Parent: 10, Age: time.Duration(-n), CPU: -time.Hour})
			s.Connections = append(s.Connections, Connection{PID: i*1000 + n})
		}
		p.m.Sampled(p.now, s)
	}
	p.over(1)
	p.sample()
	p.now = p.now.Add(100 * time.Millisecond)
	for i := range 10 { // of which all lived when the call was judged
		s := Sample{}
		for n := range MostProcesses {
			s.Processes = append(s.Processes, Process{PID: 1e6 + i*1000 + n, Parent: 10, Age: 200 * time.Millisecond})
		}
		p.m.Sampled(p.now, s)
	}
	if v := p.acc[1].View(); len(v.Processes) > mostLive || !v.MoreOpened || !v.Blind || len(v.Lacks) > mostLacks || len(p.m.procs) > MostProcesses || len(p.m.conns) > MostConnections {
		t.Errorf("kept are %d processes", len(v.Processes))
	}
}

// Until the first sample after the grace has come nothing follows from those before: what lived then
// may have ended since. What was seen last is told, with the time at which it was.
func TestTheFindingStandsOnASampleAfterTheGrace(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(*play) // after the end of the grace, of which no sample has come
		want Finding
		says []string
	}{
		{"none comes", func(*play) {}, Nothing, []string{`^was running 4\.90 s after the cancel: "sleep 14" \(pid 11\), started during this call, 5\.40 s old$`}},
		{"it lives", func(p *play) { p.sample() }, Left, []string{`^still running 5\.02 s after the cancel: "sleep 14" \(pid 11\), started during this call, 5\.52 s old\nit may be meant to stay`}},
		{"it lives long after", func(p *play) { p.now = p.now.Add(2 * time.Second); p.sample() }, Left, []string{`^still running 7\.02 s after the cancel: "sleep 14"`}},
		{"it has ended", func(p *play) { p.ends(11); p.sample() }, Ended, []string{`^"sleep 14" \(pid 11\), started during this call, had ended 5\.02 s after the cancel\nno process`}},
		{"the connection ends before", func(p *play) { p.m.Disconnected(false) }, Left, []string{`^was running 4\.90 s after the cancel: "sleep 14".*\nit may be meant to stay`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			p.calls(1)
			p.wait(500 * time.Millisecond)
			p.begins(11, 10, "sleep 14")
			p.wait(500 * time.Millisecond)
			p.cancels(1)
			p.wait(4920 * time.Millisecond)
			p.now = p.acc[1].cancelled.Add(grace)
			p.m.GraceOver(1, p.now)
			p.m.Over(1, p.now)
			if a := p.acc[1]; !a.Awaits() || !a.View().Awaits || a.Finding() != Nothing {
				t.Errorf("before that sample the finding is %d, awaited is one: %v", a.Finding(), a.Awaits())
			}
			p.now = p.now.Add(20 * time.Millisecond)
			c.then(p)
			a := p.acc[1]
			if a.Finding() != c.want || a.Awaits() != (c.want == Nothing) {
				t.Errorf("the finding is %d, want %d; awaited is another: %v", a.Finding(), c.want, a.Awaits())
			}
			matches(t, "the notes", p.notes(1), c.says, nil)
		})
	}
}

// A finding awaits its sample also where another call is cancelled long after, or the end of the
// connection.
func TestASampleIsAwaitedUntilTheConnectionEnds(t *testing.T) {
	for name, c := range map[string]struct {
		then func(*play)
		want Finding
	}{
		"it comes":            {func(p *play) { p.ends(11); p.sample() }, Ended},
		"the connection ends": {func(p *play) { p.m.Disconnected(false) }, Left},
	} {
		p := newPlay()
		p.calls(1)
		p.wait(500 * time.Millisecond)
		p.begins(11, 10, "sleep 14")
		p.wait(500 * time.Millisecond)
		p.cancels(1)
		p.wait(grace)
		p.m.GraceOver(1, p.now)
		p.m.Over(1, p.now)
		p.now = p.now.Add(2*Follow + time.Second)
		p.calls(2)
		p.cancels(2)
		if !p.acc[1].Awaits() {
			t.Errorf("%s: after twenty seconds no sample is awaited", name)
		}
		c.then(p)
		if a := p.acc[1]; a.Awaits() || a.Finding() != c.want {
			t.Errorf("%s: the finding is %d, want %d; one is awaited: %v", name, a.Finding(), c.want, a.Awaits())
		}
	}
}

// What a server begins at once after a cancel, and what has ended at the end of the grace, may be what
// it heeds the cancel with: no work that goes on. What lives then, or begins later, is.
func TestWhatAServerHeedsACancelWithIsNoWork(t *testing.T) {
	for _, c := range []struct {
		name      string
		after, of time.Duration // from the cancel until one begins, and for how long that lives
		child     bool          // that of the call ends by it; else none lives at the cancel
		grace     time.Duration
		want      Finding
		says      string
	}{
		{"it ends the work", 40 * time.Millisecond, 400 * time.Millisecond, true, grace, Ended, `was started after the cancel\n.* had ended \d+ ms after the cancel\n.* lives, nor does the one that was started after the cancel; they`},
		{"it ends what nobody sees", 40 * time.Millisecond, 400 * time.Millisecond, false, grace, Nothing, `^"helper" \(pid 12\) was started after the cancel\n"helper" \(pid 12\), started after the cancel, had ended \d+ ms after the cancel$`},
		{"it takes most of the grace", 40 * time.Millisecond, 4800 * time.Millisecond, true, grace, Ended, `4\.\d+ s after`},
		{"it takes longer", 40 * time.Millisecond, 6 * time.Second, false, grace, Working, `was started after the cancel\nstill running 5 s after the cancel: "helper"`},
		{"the last of the time for it", prompt - 20*time.Millisecond, 100 * time.Millisecond, true, grace, Ended, `was started after`},
		{"it begins late", prompt, 100 * time.Millisecond, true, grace, Working, `was started after`},
		{"it begins late, and nothing was before", 3 * time.Second, 100 * time.Millisecond, false, grace, Working, `was started after`},
		{"the same in a short grace", 480 * time.Millisecond, 100 * time.Millisecond, true, time.Second, Ended, `was started after`},
		{"late in a short grace", 500 * time.Millisecond, 100 * time.Millisecond, true, time.Second, Working, `was started after`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlay()
			p.calls(1)
			p.wait(500 * time.Millisecond)
			if c.child {
				p.begins(11, 10, "work")
			}
			p.wait(500 * time.Millisecond)
			p.cancels(1)
			at := p.now
			p.wait(c.after)
			p.begins(12, 10, "helper")
			p.wait(min(c.of, at.Add(c.grace).Sub(p.now)))
			if c.of < c.grace {
				p.ends(12)
				p.ends(11)
			}
			p.wait(at.Add(c.grace).Sub(p.now))
			p.over(1)
			if got := p.acc[1].Finding(); got != c.want {
				t.Errorf("the finding is %d, want %d", got, c.want)
			}
			matches(t, "the notes", p.notes(1), []string{c.says}, nil)
		})
	}
}

// Of a chain of commands those that have ended are kept no longer, where many that live take their
// place, also after the grace: the finding stays.
func TestAChainIsWorkAlsoWhereItIsNotKept(t *testing.T) {
	for late, want := range map[time.Duration]Finding{prompt: Working, 100 * time.Millisecond: Left} {
		p := newPlay()
		p.cancelled(func() {
			for pid := 100; pid < 100+mostKept-4; pid++ {
				p.begins(pid, 10, "worker")
			}
		}, func() { p.wait(late); p.short(20, 24) })
		a := p.acc[1]
		for after := range 2 {
			if a.Finding() != want || a.passed().started != 4*after {
				t.Errorf("begun after %v: the finding is %d, want %d; let go are %+v", late, a.Finding(), want, a.passed())
			}
			p.now = a.cancelled.Add(6 * time.Second)
			for pid := range 4 {
				p.begins(200+pid, 10, "worker")
			}
			p.sample()
		}
	}
}
