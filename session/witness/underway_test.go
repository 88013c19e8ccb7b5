package witness

import (
	"slices"
	"testing"
	"time"
)

// A sample that was under way when the cancel was written says nothing of the time behind it.
func TestASampleThatWasUnderWayAtTheCancel(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	server := Process{PID: 10, Start: 1, Memory: 1, Threads: 1, Age: time.Minute}
	child := Process{PID: 11, Start: 2, Parent: 10, Memory: 1, Threads: 1}
	var m Machine
	m.Connected()
	m.Ready(now)
	m.Sampled(at(0), Sample{Processes: []Process{server}})
	m.Begun(1, at(100))
	a := m.Cancelled(1, at(300), 20*time.Millisecond)
	m.Sampled(at(250), Sample{Processes: []Process{server}})
	if v := a.View(); v != nil {
		t.Errorf("seen behind the cancel: %+v, %v after it", v.At, v.AtSince)
	}
	child.Age = 210 * time.Millisecond
	m.Sampled(at(350), Sample{Processes: []Process{server, child}})
	if v := a.View(); v == nil || v.At.Processes != 2 || v.AtSince != 50*time.Millisecond {
		t.Errorf("%+v", v)
	}
}

// The figures at the cancel are of the last sample of the call that was complete when it was written,
// so that a process which the server ends at once is among them. Where there is none, or it is
// old, they are of the first one behind it.
func TestTheFiguresAtTheCancelAreOfTheSampleBeforeIt(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	type sample struct {
		ms, took int
		child    bool
	}
	for _, c := range []struct {
		name      string
		samples   []sample // those before the cancel is known to have been written
		cancelled int      // it was written then
		processes int
		since     time.Duration
	}{
		{"it is a tenth of a second old", []sample{{110, 5, false}, {200, 5, true}}, 300, 2, -100 * time.Millisecond},
		{"it has just been taken", []sample{{110, 5, false}, {200, 5, true}}, 206, 2, -6 * time.Millisecond},
		{"it was under way, and the one before is of the call", []sample{{110, 5, false}, {200, 5, true}, {298, 5, false}}, 300, 2, -100 * time.Millisecond},
		{"one came before it was known that the cancel was written", []sample{{110, 5, false}, {200, 5, true}, {301, 5, false}}, 300, 2, -100 * time.Millisecond},
		{"the only one is that before the call", []sample{{110, 5, false}}, 200, 1, 100 * time.Millisecond},
		{"there is none of the call", nil, 300, 1, 100 * time.Millisecond},
		{"it is two seconds old", []sample{{110, 5, false}, {200, 5, true}}, 2200, 2, -2 * time.Second},
		{"it is older", []sample{{110, 5, false}, {200, 5, true}}, 2201, 1, 100 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
			var m Machine
			tell := func(s sample) {
				all := []Process{{PID: 10, Start: 1, Memory: 1, Threads: 1, Age: time.Minute}}
				if s.child {
					all = append(all, Process{PID: 11, Start: 2, Parent: 10, Memory: 1, Threads: 1, Age: 50 * time.Millisecond})
				}
				m.Sampled(at(s.ms), Sample{Took: time.Duration(s.took) * time.Millisecond, Processes: all})
			}
			m.Connected()
			m.Ready(now)
			tell(sample{0, 5, false})
			m.Begun(1, at(100))
			for _, s := range c.samples {
				tell(s)
			}
			a := m.Cancelled(1, at(c.cancelled), 20*time.Millisecond)
			behind := slices.ContainsFunc(c.samples, func(s sample) bool { return s.ms >= c.cancelled })
			if shown := a.View() != nil; shown != behind {
				t.Errorf("shown before the next sample: %v, want %v, as one was taken behind the cancel: %[2]v", shown, behind)
			}
			tell(sample{c.cancelled + 100, 5, false})
			if v := a.View(); v == nil || v.At.Processes != c.processes || v.AtSince != c.since {
				t.Errorf("%+v", v)
			}
		})
	}
}

// The figures before a call are of the last sample that was complete when it began, however long before that
// was: the first sample since is of the call already. Where there is none, they are not known.
func TestTheFiguresBeforeACallAreOfASampleBeforeIt(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	type sample struct{ at, took, files int } // in milliseconds
	for _, c := range []struct {
		name         string
		before, late []sample // those that are known when the call begins, and those that come after that
		files        int      // 0: it is not known
		age          time.Duration
	}{
		{"nobody looked for minutes", []sample{{-240_000, 5, 4}}, []sample{{1, 5, 104}}, 4, 4 * time.Minute},
		{"it has just been taken", []sample{{-240_000, 5, 4}, {-6, 5, 5}}, []sample{{1, 5, 104}}, 5, 6 * time.Millisecond},
		{"one was complete, and comes late", []sample{{-240_000, 5, 4}}, []sample{{-6, 6, 5}, {1, 5, 104}}, 5, 6 * time.Millisecond},
		{"one was under way", []sample{{-240_000, 5, 4}}, []sample{{-6, 7, 104}}, 4, 4 * time.Minute},
		{"none was taken", nil, []sample{{1, 5, 104}}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m Machine
			tell := func(all ...sample) {
				for _, s := range all {
					m.Sampled(now.Add(time.Duration(s.at)*time.Millisecond), Sample{
						Wide: true, Took: time.Duration(s.took) * time.Millisecond,
						Processes: []Process{{PID: 10, Start: 1, Memory: 1, Threads: 1, Files: s.files, Age: time.Hour}},
					})
				}
			}
			m.Connected()
			m.Ready(now.Add(-time.Hour))
			tell(c.before...)
			m.Begun(1, now)
			tell(c.late...)
			a := m.Cancelled(1, now.Add(time.Second), 20*time.Millisecond)
			tell(sample{1100, 5, 104})
			switch v := a.View(); {
			case c.files == 0 && v.Before != nil:
				t.Errorf("without a sample before it there were %d files", v.Before.Files)
			case c.files > 0 && (v.Before == nil || v.Before.Files != c.files || v.BeforeAge != c.age):
				t.Errorf("%+v, %v before the call; want %d files, and %v", v.Before, v.BeforeAge, c.files, c.age)
			}
		})
	}
}

// Until when the processes were at work after the cancel: a hundredth of a second of CPU is no work, nor
// is what a server uses when it is idle, and what comes after another call has begun is that call's.
func TestUntilWhenTheProcessesWereBusy(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name string
		cpu  []int // what was used in each tenth of a second after the cancel, in milliseconds
		next int   // another call begins so long after the cancel; 0: none does
		want time.Duration
	}{
		{"at rest", []int{0, 0, 0}, 0, 0},
		{"a hundredth of a second", []int{10, 0, 10}, 0, 0},
		{"at work", []int{100, 90, 60, 0, 10}, 0, 300 * time.Millisecond},
		{"at work again", []int{50, 0, 0, 20, 0}, 0, 400 * time.Millisecond},
		{"another call", []int{50, 0, 0, 100, 100}, 250, 100 * time.Millisecond},
	} {
		var m Machine
		cpu := time.Duration(0)
		sample := func(ms int) {
			m.Sampled(at(ms), Sample{Processes: []Process{{PID: 10, Start: 1, Memory: 1, Threads: 1, Age: time.Minute, CPU: cpu}}})
		}
		m.Connected()
		m.Ready(now)
		sample(0)
		m.Begun(1, at(100))
		sample(110)
		sample(190)
		a := m.Cancelled(1, at(200), 20*time.Millisecond)
		m.Over(1, at(210))
		for i, used := range c.cpu {
			if ms := 200 + 100*i; c.next > 0 && ms >= 200+c.next && ms < 300+c.next {
				m.Begun(2, at(ms))
			}
			cpu += time.Duration(used) * time.Millisecond
			sample(200 + 100*(i+1))
		}
		if got := a.View().Busy; got != c.want {
			t.Errorf("%s: busy until %v, want %v", c.name, got, c.want)
		}
	}
}

// Files and connections are of when they were counted, and each column says for how long they had been: also
// where another machine goes on from this one. A recording of before that was kept does not tell.
func TestWhenFilesAndConnectionsWereCounted(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	type column struct {
		counted bool
		files   int
		ago     time.Duration
	}
	for _, c := range []struct {
		name   string
		rests  func(m *Machine) // before the call
		before column
	}{
		{"it goes on", func(*Machine) {}, column{true, 4, ms(400)}},
		{"another machine goes on", func(m *Machine) {
			rest, _ := m.Resting(at(-60))
			rest.At = rest.At.Add(-time.Hour)
			rest.Latest = rest.Latest.moved(-time.Hour)
			m.Resume(rest, at(-60))
		}, column{true, 4, ms(400)}},
		{"another machine goes on from an older recording", func(m *Machine) {
			rest, _ := m.Resting(at(-60))
			rest.Latest.CountedAt = time.Time{}
			m.Resume(rest, at(-60))
		}, column{false, 4, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m Machine
			tell := func(when, files int, conns ...Connection) {
				m.Sampled(at(when), Sample{
					Wide: files > 0, Took: time.Millisecond, Connections: conns,
					Processes: []Process{{PID: 10, Start: 1, Memory: 1, Threads: 1, Files: files, Age: time.Hour}},
				})
			}
			m.Connected()
			m.Ready(at(-2000))
			tell(-500, 4)
			tell(-100, 0)
			c.rests(&m)
			m.Begun(1, at(0))
			tell(1, 5)
			tell(30, 6, Connection{10, "192.0.2.1:9", "192.0.2.2:80"})
			tell(930, 0)
			a := m.Cancelled(1, at(1000), ms(20))
			tell(1040, 0) // it began before the cancel was known to have been written
			v := a.View()
			if v.Opened != 1 || v.Open != 1 || v.OpenSince != ms(-970) {
				t.Errorf("%d of %d connections were open %v after the cancel", v.Open, v.Opened, v.OpenSince)
			}
			tell(1100, 7)
			tell(2000, 0)
			v = a.View()
			if v.Opened != 1 || v.Open != 0 || v.OpenSince != ms(100) {
				t.Errorf("%d of %d connections were open %v after the cancel", v.Open, v.Opened, v.OpenSince)
			}
			for name, x := range map[string]struct {
				totals *Totals
				want   column
			}{"before": {v.Before, c.before}, "at": {v.At, column{true, 6, ms(900)}}, "after": {v.After, column{true, 7, ms(900)}}} {
				if got := (column{x.totals.Counted, x.totals.Files, x.totals.CountedFor()}); got != x.want {
					t.Errorf("%s: %+v, want %+v", name, got, x.want)
				}
			}
		})
	}
	if (*Totals)(nil).CountedFor() != 0 {
		t.Error("what was not sampled was counted")
	}
}
