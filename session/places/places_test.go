package places

import (
	"fmt"
	"slices"
	"testing"
)

type number int

// What is kept is found by its number and in its order, whatever was forgotten between it or left out, and
// what is not kept takes no room.
func TestThingsAreFoundBetweenGaps(t *testing.T) {
	var table Table[number, string]
	kept := map[number]string{}
	add := func() number {
		text := fmt.Sprint("thing ", len(kept))
		n := table.Add(&text)
		kept[n] = text
		return n
	}
	check := func() {
		t.Helper()
		var want []number
		for n := range kept {
			want = append(want, n)
		}
		slices.Sort(want)
		for _, from := range []number{0, 1, 2, want[len(want)/2], table.Last(), table.Last() + 1} {
			at, _ := slices.BinarySearch(want, from)
			var on, back []number
			for n, is := range table.From(from) {
				on = append(on, n)
				if *is != kept[n] || *table.Get(n) != kept[n] {
					t.Fatalf("number %d is %q and %q, want %q", n, *is, *table.Get(n), kept[n])
				}
			}
			for n := range table.Before(from) {
				back = append(back, n)
			}
			slices.Reverse(back)
			if !slices.Equal(on, want[at:]) || !slices.Equal(back, want[:at]) {
				t.Fatalf("from %d on there are %v, and before it %v; want %v", from, on, back, want)
			}
		}
		if n := len(table.places); n > len(want)+emptyMost+1 {
			t.Errorf("%d things take %d places", len(want), n)
		}
	}
	stays := add()
	for range 5 * emptyMost {
		n := add()
		for was := range table.From(stays + 1) {
			if was > n-10 {
				break
			}
			table.Forget(was)
			table.Forget(was) // which is no other
			delete(kept, was)
		}
	}
	check()
	if table.Get(2) != nil || table.Get(0) != nil || table.Get(table.Last()+1) != nil {
		t.Error("what is not kept is found")
	}
	last := table.Last()
	table.LeaveOut(last + 1<<40)
	if got := table.Last(); got != last+1<<40 {
		t.Errorf("the last number is %d", got)
	}
	if n := add(); n != last+1<<40+1 {
		t.Errorf("after the gap comes %d", n)
	}
	check()
}

// What is walked through can be left at any time.
func TestAWalkIsLeft(t *testing.T) {
	var table Table[number, string]
	for _, text := range []string{"a", "b", "c"} {
		table.Add(&text)
	}
	for n := range table.From(0) {
		if n > 1 {
			t.Errorf("%d comes", n)
		}
		break
	}
	for n := range table.Before(3) {
		if n != 2 {
			t.Errorf("%d comes", n)
		}
		break
	}
}
