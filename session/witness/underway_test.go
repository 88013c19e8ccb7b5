package witness

import (
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
