package witness

import (
	"fmt"
	"testing"
	"time"
)

// The processes that live at the latest sample are known by number, command and age, the server's own
// first, and whether they are all.
func TestWhatLivesIsTold(t *testing.T) {
	if c := (&Machine{}).Census(); c.All || !c.At.IsZero() || len(c.Living) > 0 {
		t.Errorf("before a sample: %+v", c)
	}
	p := newPlay()
	began := p.now
	p.begins(12, 10, "browser --headless")
	p.begins(11, 10, "job")
	p.sample()
	p.now = p.now.Add(time.Second)
	p.ends(11)
	p.procs[1].Command = "" // which is told once
	p.sample()
	c := p.m.Census()
	if got := fmt.Sprintln(len(c.Living), c.Living[0].PID, c.Living[1].PID, c.Living[1].Name); got != "2 10 12 browser --headless\n" || !c.All {
		t.Errorf("%s, all: %v", got, c.All)
	}
	if c.Totals.Processes != 2 || !c.Totals.At.Equal(p.now) {
		t.Errorf("used: %+v", c.Totals)
	}
	if !c.At.Equal(p.now) || !c.Living[1].Began.Equal(began) {
		t.Errorf("at %v, and it began at %v", c.At, c.Living[1].Began)
	}
	p.more = 1
	p.sample()
	if p.m.Census().All {
		t.Error("there are more than belay looks at")
	}
	p.m.Connected()
	if c := p.m.Census(); len(c.Living) > 0 {
		t.Errorf("of another connection: %+v", c)
	}
}
