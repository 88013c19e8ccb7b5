package witness

import (
	"slices"
	"testing"
	"time"
)

// A process that an answered call has left, as a browser or a shell, serves the calls that come: what it begins during
// one that is in flight alone is of that call.
func TestWhatAnAnsweredCallLeftServesTheNext(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	p.begins(11, 10, "browser")
	p.wait(500 * time.Millisecond)
	p.m.Over(1, p.now)
	p.wait(time.Minute)
	p.calls(2)
	p.wait(500 * time.Millisecond)
	p.begins(12, 11, "page")
	p.wait(500 * time.Millisecond)
	p.cancels(2)
	p.wait(grace)
	p.over(2)
	p.wait(6 * time.Second)
	a := p.acc[2]
	if v := a.View(); a.Finding() != Left || len(v.Processes) != 1 || v.Processes[0].PID != 12 {
		t.Errorf("%d: %+v", a.Finding(), v.Processes)
	}
}

// Of what begins below a process of an earlier cancelled call while another call is in flight nobody can tell whose it is:
// that is said, also of what such a process begins in turn, and nothing is found of it.
func TestBelowAnEarlierCancelledCall(t *testing.T) {
	p := newPlay()
	p.cancelled(func() { p.begins(11, 10, "browser") }, func() {})
	p.wait(time.Minute)
	p.begins(16, 11, "at rest")
	p.wait(10 * time.Second)
	p.calls(2)
	p.wait(500 * time.Millisecond)
	p.begins(12, 11, "page")
	p.begins(14, 10, "own")
	p.wait(200 * time.Millisecond)
	p.begins(13, 12, "child of the page")
	p.wait(300 * time.Millisecond)
	p.cancels(2)
	p.wait(500 * time.Millisecond)
	p.ends(14)
	p.wait(grace - 500*time.Millisecond)
	p.over(2)
	p.begins(15, 11, "later") // what begins after the grace is judged no more
	p.wait(6 * time.Second)
	const want = "2 processes began during this call, below those of an earlier cancelled call: whose each is cannot be told"
	a := p.acc[2]
	if a.Finding() != Nothing || !slices.Contains(p.notes(2), want) {
		t.Errorf("%d: %q", a.Finding(), p.notes(2))
	}
	if v := p.acc[1].View(); len(v.Processes) != 1 {
		t.Errorf("a call that is followed no longer grows: %+v", v.Processes)
	}
	for _, told := range p.told {
		if told[0] == '1' {
			t.Errorf("told of the earlier call: %q", told)
		}
	}
}

// While the earlier call is followed, what its processes begin during another one is neither's.
func TestBelowACallThatIsFollowed(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	p.begins(11, 10, "chain")
	p.wait(500 * time.Millisecond)
	p.cancels(1)
	p.wait(grace)
	p.over(1)
	p.calls(2)
	p.wait(500 * time.Millisecond)
	p.begins(12, 11, "step")
	p.cancels(2)
	p.wait(grace)
	p.over(2)
	p.wait(time.Second)
	if v := p.acc[1].View(); len(v.Processes) != 1 {
		t.Errorf("%+v", v.Processes)
	}
	const want = "one process began during this call, below those of an earlier cancelled call: whose it is cannot be told"
	if a := p.acc[2]; a.Finding() != Nothing || !slices.Contains(p.notes(2), want) {
		t.Errorf("%d: %q", a.Finding(), p.notes(2))
	}
}
