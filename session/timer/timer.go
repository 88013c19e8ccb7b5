// Package timer keeps the deadlines of a session in one list, which knows when the
// next deadline is due. It has no clock. A time is handed in, and nothing fires
// here: whoever owns the list asks what has expired, and carries it out.
//
// The runtime's timers and their kind call back when a clock of theirs says so.
// A session has no clock, must give the same answer when a recording is played
// again, and must let all deadlines stand still while the machine slept: hence
// a list that is asked.
package timer

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// Kind is what is due; the owner of the list says which kinds there are.
type Kind uint8

// Owner is whose deadline it is: a kind, and the number of the thing that the
// deadline is set for, where a kind has many. An owner has at most one deadline.
type Owner struct {
	Kind Kind
	ID   uint64
}

func (o Owner) compare(other Owner) int {
	return cmp.Or(cmp.Compare(o.Kind, other.Kind), cmp.Compare(o.ID, other.ID))
}

// List is a set of deadlines. The zero value is empty and ready.
type List struct {
	index map[Owner]int32 // of the slot of each
	slots []deadline
	free  []int32
	heap  []int32 // the slots by place
	kinds []int32 // how many deadlines there are of each kind: most owners never have one of some

	latest int32 // 1 + the slot that was set last: a flood sets one clock anew; 0: none
}

// deadline is one of the list. A deadline that is put off keeps its place in the
// heap until its old time has come: clocks that every message sets anew cost
// nothing.
type deadline struct {
	Owner
	at    time.Time
	place time.Time // by which the heap is ordered; never after at
	pos   int32     // in the heap
}

// Set gives an owner its deadline, in the place of the one that it had; the zero
// time takes that away.
func (l *List) Set(o Owner, at time.Time) {
	if at.IsZero() {
		l.Stop(o)
		return
	}
	if i, ok := l.slot(o); ok {
		d := &l.slots[i]
		l.latest = i + 1
		if d.at = at; at.Before(d.place) {
			d.place = at
			heap.Fix((*byPlace)(l), int(d.pos))
		}
		return
	}
	if l.index == nil {
		l.index = map[Owner]int32{}
	}
	i := int32(len(l.slots))
	if n := len(l.free) - 1; n >= 0 {
		i, l.free = l.free[n], l.free[:n]
	} else {
		l.slots = append(l.slots, deadline{})
	}
	l.slots[i] = deadline{Owner: o, at: at, place: at, pos: int32(len(l.heap))}
	l.index[o] = i
	for int(o.Kind) >= len(l.kinds) {
		l.kinds = append(l.kinds, 0)
	}
	l.kinds[o.Kind]++
	l.heap = append(l.heap, i)
	heap.Fix((*byPlace)(l), len(l.heap)-1)
}

// slot is that of an owner's deadline.
func (l *List) slot(o Owner) (i int32, ok bool) {
	if l.latest > 0 && l.slots[l.latest-1].Owner == o {
		return l.latest - 1, true
	}
	i, ok = l.index[o]
	return i, ok
}

// Stop takes the deadline of an owner away.
func (l *List) Stop(o Owner) {
	if int(o.Kind) >= len(l.kinds) || l.kinds[o.Kind] == 0 {
		return
	}
	if i, ok := l.index[o]; ok {
		delete(l.index, o)
		l.kinds[o.Kind]--
		l.latest = 0
		pos, last := int(l.slots[i].pos), len(l.heap)-1
		(*byPlace)(l).Swap(pos, last)
		if l.heap = l.heap[:last]; pos < last {
			heap.Fix((*byPlace)(l), pos)
		}
		l.free = append(l.free, i)
	}
}

// StopAll takes away every deadline of these kinds.
func (l *List) StopAll(kinds ...Kind) {
	for o := range l.index {
		if slices.Contains(kinds, o.Kind) {
			l.Stop(o)
		}
	}
}

// At is the deadline of an owner; zero: it has none.
func (l *List) At(o Owner) time.Time {
	if i, ok := l.index[o]; ok {
		return l.slots[i].at
	}
	return time.Time{}
}

// Len is how many deadlines there are.
func (l *List) Len() int { return len(l.heap) }

// Next is when [List.Expired] is to be asked, and false when there is no deadline.
// It may be early, never late.
func (l *List) Next() (time.Time, bool) {
	if len(l.heap) == 0 {
		return time.Time{}, false
	}
	return l.slots[l.heap[0]].place, true
}

// First is the earliest deadline, and false when there is none.
func (l *List) First() (time.Time, bool) {
	for len(l.heap) > 0 {
		d := &l.slots[l.heap[0]]
		if !d.at.After(d.place) {
			return d.at, true
		}
		d.place = d.at
		heap.Fix((*byPlace)(l), 0)
	}
	return time.Time{}, false
}

// Expired takes the earliest deadline that is not after now off the list, and
// returns its owner; false when there is none. Deadlines of the same time expire in
// the order of their kinds, and of the numbers within a kind.
func (l *List) Expired(now time.Time) (Owner, bool) {
	for len(l.heap) > 0 {
		d := &l.slots[l.heap[0]]
		switch {
		case d.place.After(now):
			return Owner{}, false
		case d.at.After(d.place):
			d.place = d.at
			heap.Fix((*byPlace)(l), 0)
		default:
			o := d.Owner
			l.Stop(o)
			return o, true
		}
	}
	return Owner{}, false
}

// Shift moves every deadline by d: the time for which a machine slept is not held
// against anybody.
func (l *List) Shift(d time.Duration) {
	for _, i := range l.heap { // all by the same, so that their order stays
		t := &l.slots[i]
		t.at, t.place = t.at.Add(d), t.place.Add(d)
	}
}

// byPlace is a list as container/heap sees it.
type byPlace List

func (h *byPlace) Len() int { return len(h.heap) }

func (h *byPlace) Less(i, j int) bool {
	a, b := &h.slots[h.heap[i]], &h.slots[h.heap[j]]
	if order := a.place.Compare(b.place); order != 0 {
		return order < 0
	}
	return a.compare(b.Owner) < 0
}

func (h *byPlace) Swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.slots[h.heap[i]].pos, h.slots[h.heap[j]].pos = int32(i), int32(j)
}

// Push and Pop are what container/heap wants to see. They are not called: an element
// that goes through them is put into an interface, which allocates.
func (h *byPlace) Push(any) { panic("timer: not called") }

// Pop is the counterpart of Push.
func (h *byPlace) Pop() any { panic("timer: not called") }
