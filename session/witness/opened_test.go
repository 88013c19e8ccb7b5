package witness

import (
	"fmt"
	"testing"
	"time"
)

// Of a connection that the first count in a call finds nobody knows whether it was opened before the call, where that count
// was the first for long. What a sample found that was complete before the call is none of the call's.
func TestWhenConnectionsWereOpened(t *testing.T) {
	conn := func(local string) Connection { return Connection{PID: 10, Local: local, Remote: "r"} }
	for _, c := range []struct {
		what            string
		play            func(p *play)
		opened, earlier int
	}{
		{"at rest", func(p *play) {
			p.wait(time.Minute)
			p.conns = []Connection{conn("at rest")}
			p.wait(time.Minute)
			p.wide = time.Time{}
			p.calls(1)
			p.wait(500 * time.Millisecond)
			p.conns = append(p.conns, conn("in the call"))
		}, 2, 1},
		{"behind another call", func(p *play) {
			p.calls(9)
			p.wait(1500 * time.Millisecond)
			p.m.Over(9, p.now)
			p.wide = time.Time{}
			p.wait(500 * time.Millisecond)
			p.wide = time.Time{}
			p.calls(1)
			p.conns = []Connection{conn("in the call")}
		}, 1, 0},
		{"before the call", func(p *play) {
			p.conns = []Connection{conn("before")}
			at := p.now
			p.now = p.now.Add(time.Second)
			p.calls(1)
			s := Sample{Wide: true, Took: 100 * time.Millisecond, Connections: p.conns}
			for _, q := range p.procs {
				s.Processes = append(s.Processes, *q)
			}
			p.m.Sampled(at, s)
		}, 0, 0},
	} {
		p := newPlay()
		c.play(p)
		p.wait(1500 * time.Millisecond)
		p.cancels(1)
		p.wait(grace)
		p.over(1)
		p.wait(time.Second)
		if v := p.acc[1].View(); v.Opened != c.opened || v.OpenedEarlier != c.earlier {
			t.Errorf("%s: %d opened, of which %d may have been earlier, want %d and %d", c.what, v.Opened, v.OpenedEarlier, c.opened, c.earlier)
		}
	}
}

// A connection that was open before a cancelled call, be it that an answered one opened it, and is closed after the cancel, is told
// with that call. Many at once are counted.
func TestWhatWasOpenBeforeIsClosed(t *testing.T) {
	for answered, was := range map[bool]string{false: "may have been opened", true: "was open"} {
		p := newPlay()
		if answered {
			p.calls(7)
			p.wait(200 * time.Millisecond)
		}
		for n := range mostClosings + 2 {
			p.conns = append(p.conns, Connection{PID: 10, Local: fmt.Sprint("192.0.2.1:", n), Remote: fmt.Sprint("192.0.2.2:", n)})
		}
		p.wait(1500 * time.Millisecond)
		if answered {
			p.m.Over(7, p.now)
		}
		p.wide = time.Time{}
		p.wait(500 * time.Millisecond)
		p.wide = time.Time{}
		p.calls(1)
		p.wait(1500 * time.Millisecond)
		p.cancels(1)
		p.wait(1500 * time.Millisecond)
		p.conns = nil
		p.wait(1500 * time.Millisecond)
		if n := len(p.told); n != mostClosings+1 || p.told[0] != `1: a connection to "192.0.2.2:0", which `+was+` before the call, was seen closed` || p.told[n-1] != "1: and 2 more connections were seen closed" {
			t.Errorf("answered %t: %q", answered, p.told)
		}
	}
}

// While a list of connections is full, nobody knows which of those that it lacks are open: they count as neither open nor closed, and
// only so many are remembered. When the list is not full any more, no closing is told of them.
func TestConnectionsOfAFullList(t *testing.T) {
	p := newPlay()
	list := func(from, n int) {
		p.conns = nil
		for i := range n {
			p.conns = append(p.conns, Connection{PID: 10, Local: "l", Remote: fmt.Sprint(from + i)})
		}
	}
	p.calls(1)
	p.wait(200 * time.Millisecond)
	for round := range 20 {
		list(round*MostConnections, MostConnections)
		p.wait(time.Second)
	}
	if n := len(p.m.conns); n > mostHidden+MostConnections {
		t.Errorf("%d connections are remembered", n)
	}
	p.cancels(1)
	p.wait(1500 * time.Millisecond)
	if v := p.acc[1].View(); v.Open != MostConnections || !v.MoreOpened {
		t.Errorf("%d are open, more: %t", v.Open, v.MoreOpened)
	}
	list(19*MostConnections, 3)
	p.wait(1500 * time.Millisecond)
	if v, n := p.acc[1].View(), len(p.told); v.Open != 3 || n != mostClosings+1 || p.told[n-1] != fmt.Sprintf("1: and %d more connections were seen closed", MostConnections-3-mostClosings) {
		t.Errorf("%d are open: %q", v.Open, p.told)
	}
}
