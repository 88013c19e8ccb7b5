package witness

import (
	"slices"
	"testing"
	"time"
)

// What the server uses after a cancel is told until another call is sent: what it uses then may be that one's. That a process
// of the call ends is told all the same.
func TestWhatIsUsedUntilAnotherCall(t *testing.T) {
	for _, soon := range []bool{true, false} {
		p := newPlay()
		p.calls(1)
		p.wait(500 * time.Millisecond)
		p.begins(11, 10, "left")
		p.wait(500 * time.Millisecond)
		p.cancels(1)
		p.wait(grace)
		p.over(1)
		if p.wait(time.Second); !soon {
			p.wait(Follow)
		}
		was := *p.acc[1].View()
		p.calls(2)
		p.busy[10] = 1
		p.begins(12, 10, "of the next")
		p.wait(time.Second)
		p.ends(11)
		p.wait(2 * time.Second)
		v := p.acc[1].View()
		if v.After.CPU != was.After.CPU || v.After.Processes != 2 || v.Since != was.Since || v.Next != soon || v.OpenSince != was.OpenSince {
			t.Errorf("soon %t: %+v since %v, was %+v since %v", soon, v.After, v.Since, was.After, was.Since)
		}
		if ended := v.Processes[0]; ended.Lives {
			t.Errorf("soon %t: %+v", soon, ended)
		}
	}
}

// A process that the look right before the cancel was written found gone had ended before the cancel, also where the look is
// told before the cancel is.
func TestAProcessThatWasGoneWhenTheCancelWasWritten(t *testing.T) {
	for _, first := range []bool{true, false} {
		p := newPlay()
		p.calls(1)
		p.wait(500 * time.Millisecond)
		p.begins(11, 10, "short")
		p.wait(900 * time.Millisecond)
		p.now = p.now.Add(53 * time.Millisecond)
		p.ends(11)
		if first {
			p.sample()
		}
		p.cancels(1)
		if !first {
			p.sample()
			if a := p.acc[1]; !a.procs[0].ended.Before(a.cancelled) { // the line of its end stands above that of the cancel
				t.Errorf("its end is told at %v", a.procs[0].ended)
			}
		}
		p.wait(grace)
		p.over(1)
		v := p.acc[1].View()
		if ended := v.Processes[0]; ended.Lives || ended.Ended >= 0 || ended.Ended < -time.Millisecond || ended.Unseen {
			t.Errorf("first %t: %+v", first, ended)
		}
		for _, n := range p.acc[1].Notes() {
			t.Errorf("first %t: %s", first, n.Text)
		}
	}
}

// Where a command began between two calls, others of the same command that begin in the second one may be of the same chain, which the
// server goes on with by itself: the evidence says that. Another command says nothing of the kind.
func TestAChainThatGoesOnFromCallToCall(t *testing.T) {
	const itself = "the server has also begun a process while no call was in flight: it may have begun by itself what began during this call"
	for command, says := range map[string]bool{"step": true, "worker": false} {
		p := newPlay()
		p.calls(7)
		p.wait(1500 * time.Millisecond)
		p.m.Over(7, p.now)
		p.wait(time.Second)
		p.begins(20, 10, "step")
		p.wait(200 * time.Millisecond)
		p.cancelled(func() { p.begins(21, 10, command) }, func() {})
		if notes := p.notes(1); slices.Contains(notes, itself) != says {
			t.Errorf("%s: %q", command, notes)
		}
	}
}

// Whoever shows a call is told that less is told of it from now on: another one begins.
func TestACallIsShownAnewAsTheNextBegins(t *testing.T) {
	p := newPlay()
	p.cancelled(func() {}, func() {})
	if less := p.m.Begun(2, p.now); less != 1 {
		t.Errorf("call %d is shown anew, want 1", less)
	}
	if less := p.m.Begun(3, p.now); less != 2 {
		t.Errorf("call %d is shown anew, want 2", less)
	}
}

// Beside another call nobody can tell whose a process is that began then, or a connection: the timeline tells of none that it ended.
func TestWhatEndsBesideAnotherCallIsNotTold(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(500 * time.Millisecond)
	p.begins(11, 10, "own")
	p.wait(500 * time.Millisecond)
	p.calls(2)
	p.wait(500 * time.Millisecond)
	p.m.Over(2, p.now)
	p.begins(12, 10, "whose")
	p.conns = []Connection{{PID: 10, Local: "l", Remote: "r"}}
	p.wait(1500 * time.Millisecond)
	p.cancels(1)
	p.wait(500 * time.Millisecond)
	p.ends(11)
	p.ends(12)
	p.conns = nil
	p.wait(1500 * time.Millisecond)
	if !slices.Equal(p.told, []string{`1: "own" (pid 11) ended`}) {
		t.Errorf("%q", p.told)
	}
}

// Where the first sample since the cancel comes when another call has begun, nothing is told of what was used after the cancel.
func TestNoSampleBeforeTheNextCall(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.wait(time.Second)
	p.cancels(1)
	p.m.Over(1, p.now)
	p.m.Begun(2, p.now)
	p.busy[10] = 1
	p.wait(2 * time.Second)
	if v := p.acc[1].View(); v != nil {
		t.Errorf("%+v", v)
	}
}
