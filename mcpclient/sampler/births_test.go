package sampler

import (
	"testing"
	"time"
)

// What a process seems to have begun with, or a little before, it began after, where it has a higher number
// than any that was given by then.
func TestBirths(t *testing.T) {
	const ms = time.Millisecond
	at := func(d time.Duration) time.Time { return noon.Add(d) }
	var b Births
	b.note(birth{at(0), 100})
	b.note(birth{at(8 * ms), 104})
	b.note(birth{at(40 * ms), 104})
	for _, c := range []struct {
		what        string
		pid         int
		began, want time.Duration
	}{
		{"begun with the first moment, it seems", 101, -3 * ms, 0},
		{"begun before the first", 99, -3 * ms, -3 * ms},
		{"between both", 104, -1 * ms, 0},
		{"after both", 105, -1 * ms, 8 * ms},
		{"after the second alone, as the system says", 105, 2 * ms, 8 * ms},
		{"long after both", 105, 20 * ms, 20 * ms},
		{"after the third", 105, 35 * ms, 40 * ms},
		{"its number is from before the numbers began anew", 30_000, -50 * ms, -50 * ms},
		{"they began anew before it", 7, -1 * ms, -1 * ms},
	} {
		if got := b.since(c.pid, at(c.began)); !got.Equal(at(c.want)) {
			t.Errorf("%s: %v, want %v", c.what, got.Sub(noon), c.want)
		}
	}
	for i := range 3 * mostBirths {
		b.note(birth{at(time.Duration(i) * time.Second), i})
	}
	if n := len(b.notes); n > mostBirths || !b.since(3*mostBirths, at((3*mostBirths-1)*time.Second-ms)).Equal(at((3*mostBirths-1)*time.Second)) {
		t.Errorf("%d moments are kept, and the last is none of them", n)
	}
}

// A process that was begun later by the moments of others has the age that follows in each sample.
func TestAnAgeIsMadeCloser(t *testing.T) {
	s := newSystem(of(10, 1, 10))
	w := s.watch(10)
	w.Look(noon)
	w.births.note(birth{noon.Add(-2 * time.Millisecond), 10})
	command := of(11, 10, 10)
	command.Age = 9 * time.Millisecond
	s.begins(command)
	for range 2 {
		for _, p := range w.Look(noon).Processes {
			if p.PID == 11 && p.Age != 2*time.Millisecond {
				t.Errorf("its age is %v", p.Age)
			}
		}
	}
}
