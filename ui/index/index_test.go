package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"belay/session"
)

var t0 = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)

func row(id int, state session.State, method string) session.Row {
	r := session.Row{ID: session.CallID(id), State: state, Method: method, Created: t0.Add(time.Duration(id) * time.Second)}
	if state.IsTerminal() {
		r.Ended = r.Created.Add(time.Duration(100-id) * time.Second)
	}
	return r
}

func ids(x *Index) []int {
	var out []int
	for i := range x.Len() {
		out = append(out, int(x.At(i)))
	}
	return out
}

func TestFilter(t *testing.T) {
	for _, tt := range []struct {
		filter string
		want   bool
	}{
		{"", true},
		{"tools", true},
		{"TOOLS run", true},
		{"tools !running", false},
		{"!prompts", true},
		{"!", true},
		{"straße", true},
		{"STRASSE", false},
		{"#7", true},
	} {
		if got := ParseFilter(tt.filter).Match("#7", "Tools/call", "running", "STRAßE"); got != tt.want {
			t.Errorf("%q matches: %v, want %v", tt.filter, got, tt.want)
		}
	}
}

func TestOrders(t *testing.T) {
	rows := []session.Row{
		row(1, session.Done, "b"), row(2, session.Running, "a"), row(3, session.Failed, "a"), row(4, session.Queued, "c"),
	}
	for sort, want := range map[Sort][]int{
		Newest: {4, 3, 2, 1}, ByState: {4, 2, 1, 3}, Longest: {1, 2, 3, 4}, ByName: {3, 2, 1, 4},
	} {
		var x Index
		x.Reset(Filter{}, sort)
		for _, r := range rows {
			x.Update(&r, false)
		}
		x.Settle(t0.Add(100 * time.Second))
		if got := ids(&x); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", sort, got, want)
		}
		for i, id := range want {
			if got := x.Pos(session.CallID(id)); got != i {
				t.Errorf("%v: %d is at %d, want %d", sort, id, got, i)
			}
		}
	}
}

func TestAnOrderIsNotRenewedAllTheTime(t *testing.T) {
	var x Index
	x.Reset(Filter{}, ByName)
	b, c := row(1, session.Running, "b"), row(2, session.Running, "c")
	x.Update(&b, false)
	x.Settle(t0)
	x.Update(&c, false)
	if again := x.Settle(t0.Add(time.Millisecond)); again != t0.Add(resort) {
		t.Errorf("wants to be settled at %v, want %v", again, t0.Add(resort))
	}
	if got := ids(&x); !slices.Equal(got, []int{2, 1}) {
		t.Errorf("%v: a new row waits at the top", got)
	}
	x.Settle(t0.Add(resort))
	if got := ids(&x); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v after the pause", got)
	}
}

// The incremental index is the same as one made from scratch, whatever the
// order of the changes, and however often it is folded meanwhile.
func TestIncrementalEqualsFromScratch(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		filter, sort := ParseFilter([]string{"!failed", ""}[seed/20]), Sort(seed%uint64(NumSorts))
		foldable := func(r *session.Row) bool { return r.State == session.Done && r.ID%3 > 0 }
		var x Index
		x.Reset(filter, sort)
		now := map[int]session.Row{}
		first := 1
		for step := range 400 {
			id := first + rnd.IntN(step/3+1)
			r := row(id, session.State(1+rnd.IntN(8)), fmt.Sprint("m", rnd.IntN(4)))
			now[id] = r
			x.Update(&r, foldable(&r), r.State.String())
			if rnd.IntN(20) == 0 {
				x.Unfold(!x.IsUnfolded())
			}
			if rnd.IntN(40) == 0 {
				first += 3
				x.Expire(session.CallID(first))
				for old := range first {
					delete(now, old)
				}
			}
		}
		var y Index
		y.Unfold(x.IsUnfolded())
		y.Reset(filter, sort)
		for id := range first + 400 {
			if r, ok := now[id]; ok {
				y.Update(&r, foldable(&r), r.State.String())
			}
		}
		at := t0.Add(time.Hour)
		x.Settle(at)
		y.Settle(at)
		if got, want := ids(&x), ids(&y); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, from scratch %v", seed, got, want)
		}
		if x.Foldable() != y.Foldable() || x.OldestFoldable() != y.OldestFoldable() {
			t.Fatalf("seed %d: %d can be folded from %d on, from scratch %d from %d on", seed, x.Foldable(), x.OldestFoldable(), y.Foldable(), y.OldestFoldable())
		}
	}
}

// Rows that can be folded away stand in the table while it is unfolded, or a filter
// looks for them.
func TestFold(t *testing.T) {
	for sort := range NumSorts {
		var x Index
		x.Reset(Filter{}, sort)
		see := func(when string, want ...int) {
			t.Helper()
			x.Settle(t0.Add(time.Hour))
			got := ids(&x)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%v, %s: %v, want %v", sort, when, got, want)
			}
		}
		fill := func() {
			for id := 1; id <= 6; id++ {
				r := row(id, session.Done, "m")
				x.Update(&r, id%2 == 1, "m", "done")
			}
		}
		fill()
		see("folded", 2, 4, 6)
		x.Unfold(true)
		see("unfolded", 1, 2, 3, 4, 5, 6)
		r := row(3, session.Done, "m")
		x.Update(&r, false)
		x.Unfold(false)
		see("folded again, and one that cannot be any more", 2, 3, 4, 6)
		x.Reset(ParseFilter("done"), sort)
		fill()
		see("with a filter", 1, 2, 3, 4, 5, 6)
		x.Unfold(true)
		x.Unfold(false)
		see("with a filter, folded", 1, 2, 3, 4, 5, 6)
		x.Expire(3)
		see("without the first", 3, 4, 5, 6)
		if n := x.Foldable(); n != 2 {
			t.Errorf("%v: %d rows can be folded away, want 2", sort, n)
		}
	}
}
