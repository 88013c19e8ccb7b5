package witness

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// What ends in one sample is told in the order in which it was found, each time: a
// recording plays again as it was.
func TestWhatEndsTogetherIsToldInOrder(t *testing.T) {
	var want []string
	for _, pid := range []int{47, 11, 39, 23, 31, 19, 43, 27} {
		want = append(want, fmt.Sprintf("1: \"sleep %d\" (pid %d) ended", pid, pid))
	}
	for port := range 8 {
		want = append(want, fmt.Sprintf("1: a connection to \"192.0.2.%d:80\" was seen closed", 8-port))
	}
	for range 5 {
		p := newPlay()
		p.calls(1)
		for _, pid := range []int{47, 11, 39, 23, 31, 19, 43, 27} {
			p.begins(pid, 10, fmt.Sprintf("sleep %d", pid))
		}
		for port := range 8 {
			p.conns = append(p.conns, Connection{PID: 10, Local: "192.0.2.100:1", Remote: fmt.Sprintf("192.0.2.%d:80", 8-port)})
		}
		p.wait(2 * time.Second)
		p.cancels(1)
		p.wait(100 * time.Millisecond)
		for pid := range 50 {
			if pid != 10 {
				p.ends(pid)
			}
		}
		p.conns = nil
		p.wait(3 * time.Second)
		var got []string
		for _, line := range p.told {
			if strings.HasSuffix(line, "ended") || strings.HasSuffix(line, "closed") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// Of two processes with one number, which one sample may show, the later one is the parent
// of what begins then.
func TestAParentIsTheLatestOfItsNumber(t *testing.T) {
	for range 20 {
		p := newPlay()
		p.calls(1)
		p.begins(20, 10, "of the call")
		p.wait(500 * time.Millisecond)
		p.cancels(1)
		p.over(1)
		p.wait(Follow + time.Second) // nothing that begins now is of the call, but by its parent
		p.ends(20)
		p.begins(20, 10, "another")
		p.procs = append(p.procs, &Process{PID: 21, Start: 99, Parent: 20, Name: "child"})
		p.begun[21] = p.now
		p.sample()
		for _, q := range p.m.procs {
			if q.PID == 21 && (q.of != nil || q.below != nil) {
				t.Fatalf("the call has the child of another process: %+v", q.Process)
			}
		}
	}
}

// What the system does not tell of a process is counted, and is no zero: no process that runs
// has no memory and no threads.
func TestWhatTheSystemDoesNotTellIsCounted(t *testing.T) {
	p := newPlay()
	p.calls(1)
	p.begins(20, 10, "told")
	p.begins(21, 10, "untold")
	p.procs[2].Memory, p.procs[2].Threads = 0, 0
	p.begins(22, 10, "over")
	p.procs[3].Memory, p.procs[3].Threads, p.procs[3].Ended = 0, 0, true
	p.procs[0].Files, p.procs[1].Files, p.procs[2].Files = 1, 5, 0
	p.procs[2].NoFiles, p.procs[2].NoConnections, p.procs[3].NoFiles = true, true, true
	p.sample()
	if got := p.m.latest; got.Processes != 3 || got.NoMemory != 1 || got.NoThreads != 1 || got.Memory != 2e6 || got.Threads != 2 {
		t.Errorf("%+v", got)
	}
	if got := p.m.latest; got.Files != 6 || got.NoFiles != 1 || got.NoConnections != 1 {
		t.Errorf("%+v", got)
	}
}
