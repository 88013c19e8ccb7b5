package timer

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func in(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

// expired is all that a list says is due by a time, in its order.
func expired(l *List, by time.Time) (due []Owner) {
	for {
		o, ok := l.Expired(by)
		if !ok {
			return due
		}
		due = append(due, o)
	}
}

func TestDeadlinesExpireInTheirOrder(t *testing.T) {
	var l List
	a, b, c, d := Owner{2, 7}, Owner{1, 9}, Owner{1, 3}, Owner{3, 0}
	l.Set(a, in(5))
	l.Set(b, in(5))
	l.Set(c, in(5))
	l.Set(d, in(1))
	if got := expired(&l, in(0)); got != nil {
		t.Errorf("%v expired before anything was due", got)
	}
	if at, ok := l.Next(); !ok || at != in(1) {
		t.Errorf("next %v %v", at, ok)
	}
	if got, want := expired(&l, in(5)), []Owner{d, c, b, a}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v: by time, kind and number", got, want)
	}
	if _, ok := l.Next(); ok || l.Len() != 0 {
		t.Error("something is left")
	}
}

func TestADeadlineIsSetAnew(t *testing.T) {
	var l List
	a, b := Owner{1, 1}, Owner{1, 2}
	l.Set(a, in(5))
	l.Set(b, in(6))
	l.Set(a, in(9)) // put off
	if got, want := expired(&l, in(8)), []Owner{b}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if l.At(a) != in(9) {
		t.Errorf("at %v", l.At(a))
	}
	l.Set(a, in(8)) // and brought forward
	if got, want := expired(&l, in(8)), []Owner{a}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !l.At(a).IsZero() {
		t.Error("what has expired has a deadline")
	}
	l.Set(a, in(9))
	l.Set(b, in(9))
	l.Set(a, time.Time{})
	l.Stop(b)
	l.Stop(b)
	if l.Len() != 0 {
		t.Errorf("%d left of what was taken away", l.Len())
	}
}

func TestAllOfAKindIsTakenAway(t *testing.T) {
	var l List
	for i := range uint64(20) {
		l.Set(Owner{Kind(i % 3), i}, in(int(i)))
	}
	l.StopAll(0, 2)
	for _, o := range expired(&l, in(30)) {
		if o.Kind != 1 {
			t.Errorf("%v is left", o)
		}
	}
}

// A list does what a table does that is sorted each time, whatever is done to it.
func TestAListIsASortedTable(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var l List
		table, now := map[Owner]time.Time{}, start
		for range 300 {
			o := Owner{Kind(rnd.IntN(3)), rnd.Uint64N(8)}
			switch rnd.IntN(6) {
			case 0, 1, 2:
				table[o] = now.Add(time.Duration(rnd.IntN(10)) * time.Second)
				l.Set(o, table[o])
			case 3:
				delete(table, o)
				l.Stop(o)
			case 4:
				d := time.Duration(rnd.IntN(100)) * time.Second
				now = now.Add(d)
				for o := range table {
					table[o] = table[o].Add(d)
				}
				l.Shift(d)
			default:
				now = now.Add(time.Duration(rnd.IntN(4)) * time.Second)
				var want []Owner
				for o, at := range table {
					if !at.After(now) {
						want = append(want, o)
					}
				}
				slices.SortFunc(want, func(a, b Owner) int {
					return cmp.Or(table[a].Compare(table[b]), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
				})
				if got := expired(&l, now); !slices.Equal(got, want) {
					t.Fatalf("seed %d: %v expired, want %v", seed, got, want)
				}
				for _, o := range want {
					delete(table, o)
				}
			}
			var first time.Time
			for o, at := range table {
				if l.At(o) != at {
					t.Fatalf("seed %d: %v is due %v, want %v", seed, o, l.At(o), at)
				}
				if first.IsZero() || at.Before(first) {
					first = at
				}
			}
			if rnd.IntN(4) == 0 { // what it puts in order is not in order in the other turns
				if at, ok := l.First(); ok != (len(table) > 0) || at != first {
					t.Fatalf("seed %d: first %v %v, want %v", seed, at, ok, first)
				}
			}
			if at, ok := l.Next(); ok != (len(table) > 0) || at.After(first) {
				t.Fatalf("seed %d: next %v %v, want %v at the latest", seed, at, ok, first)
			}
		}
	}
}

func BenchmarkPutOff(b *testing.B) {
	var l List
	for i := range uint64(10_000) {
		l.Set(Owner{1, i}, in(int(i)))
	}
	for i := 0; b.Loop(); i++ {
		l.Set(Owner{1, uint64(i) % 10_000}, in(20_000+i))
	}
}
