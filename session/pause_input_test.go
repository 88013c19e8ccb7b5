package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// The time of day of what comes after a stop has the stop in it, the time of the session
// has not; and the stop is told.
func TestAStopIsToldAndCountsForTheTimeOfDayOnly(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("a")
	r.wait(time.Second)
	first, _ := r.s.HistorySpan()
	for _, d := range []time.Duration{10 * time.Second, 0, -time.Second, time.Minute} {
		r.s.Tell(r.now, Suspended{For: d})
		r.wait(time.Second)
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token(wire))
	_, last := r.s.HistorySpan()
	at := func(q Seq) time.Duration {
		e, ok := r.s.Entry(q)
		if !ok {
			t.Fatalf("no entry %d", q)
		}
		return e.Wall.Sub(e.At)
	}
	if at(first) != 0 || at(last) != 70*time.Second {
		t.Errorf("the time of day is ahead by %v at first, %v at last", at(first), at(last))
	}
	stops := 0
	for q := first; q <= last; q++ {
		if e, _ := r.s.Entry(q); e.Kind == EntEvent && strings.HasPrefix(string(e.Raw), "belay did not run for ") {
			stops++
		}
	}
	if stops != 2 {
		t.Errorf("%d stops were told", stops)
	}
	d, _ := r.s.Detail(id)
	noted := 0
	for _, m := range d.Timeline {
		if m.Kind == MomNote && strings.HasPrefix(m.Text, "belay did not run for ") {
			noted++
		}
	}
	if noted != 2 {
		t.Errorf("the timeline of the call tells of %d stops: %+v", noted, d.Timeline)
	}
	if row, _ := r.s.Row(id); row.Age(r.now) > 6*time.Second {
		t.Errorf("the call is %v old", row.Age(r.now))
	}
}

// What comes at the end of a stop may have come during it: the evidence gives no time after the
// cancel without the stop.
func TestAnAnswerAfterAStop(t *testing.T) {
	for _, tt := range []struct {
		stops time.Duration // before the answer; 0: none
		says  string
	}{
		{0, "it began 300 ms after the cancel: it can"},
		{3 * time.Second, "it began 300 ms after the cancel, not counting 3.00 s in which belay was stopped, and in which it may have come: it can"},
	} {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.call("a")
		r.wait(time.Second)
		r.s.Tell(r.now, Suspended{For: time.Minute}) // before the cancel
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(300 * time.Millisecond)
		r.s.Tell(r.now, Suspended{For: tt.stops})
		r.recv(okAnswer, wire)
		if e := r.evidence(id); !strings.Contains(e, tt.says) {
			t.Errorf("stopped for %v:\n%s", tt.stops, e)
		}
	}
}

// However often belay is stopped, little is kept of it, and the whole of it counts.
func TestManyStops(t *testing.T) {
	var l pauses
	for i := range 3 * pausesMost {
		l.add(time.Duration(i)*time.Second, time.Second)
	}
	if len(l) != pausesMost || l.before(time.Hour*24) != 3*pausesMost*time.Second || l.before(500*time.Millisecond) != time.Second || l.before(-1) != 0 {
		t.Errorf("%d are kept; %v in all", len(l), l.before(time.Hour*24))
	}
}
