package task

import (
	"testing"
	"time"

	"belay/session/mcp"
)

// When a task had ended by belay's clock, as the dates of its messages tell. The request that made it is
// written at 0, its handle comes at 0.1 s, and a poll at 1.1 s says that it works. The server's clock is
// five minutes ahead, or behind.
func TestWhenATaskHadEnded(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		created, worked, ended time.Duration // the dates, by a clock that is right
		precision              time.Duration
		told                   time.Duration // when the message comes that tells the end
		earliest, latest       time.Duration
		untold                 bool
	}{
		"to the millisecond":                         {50 * ms, 50 * ms, 1600 * ms, ms, 3 * time.Second, 1548 * ms, 1652 * ms, false},
		"to the second":                              {50 * ms, 50 * ms, 3600 * ms, time.Second, 9 * time.Second, 1000 * ms, 5100 * ms, false},
		"a later date says more of the clock":        {50 * ms, 1090 * ms, 1600 * ms, ms, 3 * time.Second, 1548 * ms, 1612 * ms, false},
		"before it was told to go on":                {50 * ms, 50 * ms, 50 * ms, ms, 3 * time.Second, 0, 0, true},
		"before it was made":                         {50 * ms, 50 * ms, 20 * ms, ms, 3 * time.Second, 0, 0, true},
		"in the time to come":                        {50 * ms, 50 * ms, 9 * time.Second, ms, 3 * time.Second, 0, 0, true},
		"of a clock that was set while the task ran": {50 * ms, time.Hour, time.Hour, ms, 3 * time.Second, 0, 0, true},
	} {
		for _, ahead := range []time.Duration{5 * time.Minute, -5 * time.Minute} {
			says := func(status string, updated time.Duration) mcp.Task {
				date := func(d time.Duration) time.Time { return origin.Add(d + ahead).Truncate(tt.precision) }
				return mcp.Task{ID: "t", Status: status, Created: date(tt.created), Updated: date(updated)}
			}
			l, _ := New(at(0.1), Core, says("working", tt.created), "working", 0)
			l.Written(at(0))
			l.Told(at(1.1), FromGet, says("working", tt.worked))
			end := says("completed", tt.ended)
			l.Told(origin.Add(tt.told), FromGet, end)
			earliest, latest := l.EndedBetween(end)
			switch {
			case tt.untold && (!earliest.IsZero() || !latest.IsZero()):
				t.Errorf("%s, %v: told to be between %v and %v", name, ahead, earliest, latest)
			case !tt.untold && (earliest.Sub(origin) != tt.earliest || latest.Sub(origin) != tt.latest):
				t.Errorf("%s, %v: between %v and %v", name, ahead, earliest.Sub(origin), latest.Sub(origin))
			}
			if !l.GoneOn().Equal(at(1.1)) {
				t.Errorf("%s: told to go on at %v", name, l.GoneOn())
			}
		}
	}

	// Of a task that was picked up by its ID, nothing tells how early.
	l := Sought(at(0), Core, "t")
	working := mcp.Task{ID: "t", Status: "working", Created: at(-50.5), Updated: at(-50.5)}
	l.Told(at(0), FromGet, working)
	end := mcp.Task{ID: "t", Status: "completed", Created: at(-50.5), Updated: at(1.5)}
	l.Told(at(2), FromGet, end)
	if earliest, latest := l.EndedBetween(end); !earliest.IsZero() || latest.Sub(origin) != 2002*ms {
		t.Errorf("picked up: between %v and %v", earliest, latest)
	}
	if earliest, latest := l.EndedBetween(working); !earliest.IsZero() || !latest.IsZero() {
		t.Errorf("it goes on: between %v and %v", earliest, latest)
	}
}
