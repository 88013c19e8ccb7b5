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
	if state.Terminal() {
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
			x.Update(&r)
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
	x.Update(&b)
	x.Settle(t0)
	x.Update(&c)
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
// order of the changes.
func TestIncrementalEqualsFromScratch(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		filter, sort := ParseFilter("!failed"), Sort(seed%uint64(NumSorts))
		var x Index
		x.Reset(filter, sort)
		now := map[int]session.Row{}
		first := 1
		for step := range 400 {
			id := first + rnd.IntN(step/3+1)
			r := row(id, session.State(1+rnd.IntN(8)), fmt.Sprint("m", rnd.IntN(4)))
			now[id] = r
			x.Update(&r, r.State.String())
			if rnd.IntN(40) == 0 {
				first += 3
				x.Expire(session.CallID(first))
				for old := range first {
					delete(now, old)
				}
			}
		}
		var y Index
		y.Reset(filter, sort)
		for id := range first + 400 {
			if r, ok := now[id]; ok {
				y.Update(&r, r.State.String())
			}
		}
		at := t0.Add(time.Hour)
		x.Settle(at)
		y.Settle(at)
		if got, want := ids(&x), ids(&y); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, from scratch %v", seed, got, want)
		}
	}
}
