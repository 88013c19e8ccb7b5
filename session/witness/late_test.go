package witness

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A process that was there before there was room to look at it has used CPU time of its whole life: what it used until it
// is found is work of no call, and what it uses from then on is.
func TestAProcessThatIsFoundLate(t *testing.T) {
	for _, works := range []bool{false, true} {
		p := newPlay()
		p.more = 6
		p.calls(1)
		p.wait(time.Second)
		p.cancels(1)
		p.wait(time.Second)
		p.more = 0
		p.begins(11, 10, "old")
		p.begun[11], p.procs[1].CPU, p.procs[1].Reaped = p.now.Add(-time.Hour), 40*time.Second, 3*time.Second
		if works {
			p.busy[11] = 1
		}
		p.wait(grace - time.Second)
		p.over(1)
		p.wait(time.Second)
		a := p.acc[1]
		if got := a.Finding() == Working; got != works {
			t.Errorf("it works: %t, want %t: %q", got, works, p.notes(1))
		}
		if used, _, _ := a.work(); used < 0 || used > grace {
			t.Errorf("CPU time of %v was used in the grace", used)
		}
		if p.busy[11] = 0; works { // the other lives on
			p.ends(11)
		}
		p.wait(6 * time.Second)
		p.m.Resume(mustRest(t, p), p.now)
		was := p.m.latest.CPU
		p.sample()
		if got := p.m.latest.CPU; got < was || got > was+time.Second {
			t.Errorf("resumed with %v of CPU, was %v", got, was)
		}
	}
}

func mustRest(t *testing.T, p *play) Resting {
	t.Helper()
	rest, ok := p.m.Resting(p.now)
	if !ok || rest.Impossible() != "" {
		p.wait(20 * time.Second)
		if rest, ok = p.m.Resting(p.now); !ok || rest.Impossible() != "" {
			t.Fatalf("%t, %s: %+v", ok, rest.Impossible(), rest)
		}
	}
	return rest
}

// The sample on which a finding stands may come when the next call is at work already: the CPU time until the last sample
// before that counts, and no more.
func TestTheNextCallIsAtWorkWhenTheLastSampleComes(t *testing.T) {
	for _, works := range []bool{false, true} {
		p := newPlay()
		p.calls(1)
		p.wait(time.Second)
		p.cancels(1)
		if works {
			p.busy[10] = 1
		}
		p.wait(grace)
		p.m.GraceOver(1, p.now)
		p.m.Over(1, p.now)
		p.now = p.now.Add(500 * time.Millisecond)
		p.m.Begun(2, p.now)
		p.procs[0].CPU += 2 * time.Second // of the next call
		p.now = p.now.Add(2 * time.Second)
		p.sample()
		a := p.acc[1]
		if got := a.Finding() == Working; got != works || a.Awaits() {
			t.Errorf("it works: %t, want %t: %q", got, works, p.notes(1))
		}
		if said := slices.ContainsFunc(p.notes(1), func(n string) bool {
			return strings.HasPrefix(n, "between the bound and the last sample before another call its processes used ")
		}); said != works {
			t.Errorf("%q", p.notes(1))
		}
	}
}

// A list of connections that is full tells of none that it was closed, unless its process has ended.
func TestAFullListTellsOfNoClosing(t *testing.T) {
	full := func(p *play, from int) {
		p.conns = nil
		for i := range MostConnections {
			p.conns = append(p.conns, Connection{PID: 10, Local: "l", Remote: string(rune('A' + from + i))})
		}
	}
	p := newPlay()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	full(p, 0)
	p.wait(1500 * time.Millisecond)
	p.cancels(1)
	p.wait(time.Second)
	full(p, 1)
	p.wait(1500 * time.Millisecond)
	if len(p.told) > 0 {
		t.Errorf("%q", p.told)
	}
	p.conns = p.conns[:3]
	p.wait(1500 * time.Millisecond)
	if len(p.told) != mostClosings+1 || p.told[mostClosings] != fmt.Sprintf("1: and %d more connections were seen closed", MostConnections-3-mostClosings) {
		t.Errorf("%d closings are told: %q", len(p.told), p.told)
	}
}
