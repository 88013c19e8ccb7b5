// Package places keeps things by numbers that count on, as long as they are kept: in one table, which
// finds them by their numbers, and leads from one to the next. Numbers of what is no longer kept, or that
// were left out, take neither memory nor time, however many those are.
//
// A slice with a place for each number would be shorter, and a recording may claim to leave out any number of
// them; a map has no order.
package places

import (
	"cmp"
	"iter"
	"slices"
)

// Table holds things by their numbers. The zero value is empty, and its first number is 1.
type Table[N ~int, T any] struct {
	places []place[N, T] // in the order of their numbers
	last   N
	empty  int // of the places
}

// place is that of a thing.
type place[N ~int, T any] struct {
	number N
	is     *T // nil: it is no longer kept
}

// emptyMost bounds the empty places.
const emptyMost = 1024

// Last is the number that was given out, or left out, last; zero: none was.
func (t *Table[N, T]) Last() N { return t.last }

// Add keeps a thing, and returns its number. It is not to be called while the table is walked through.
func (t *Table[N, T]) Add(is *T) N {
	if t.empty > emptyMost {
		t.places = slices.DeleteFunc(t.places, func(p place[N, T]) bool { return p.is == nil })
		t.empty = 0
	}
	t.last++
	t.places = append(t.places, place[N, T]{t.last, is})
	return t.last
}

// LeaveOut gives the numbers up to last to nothing.
func (t *Table[N, T]) LeaveOut(last N) { t.last = max(t.last, last) }

// at is where the first place with a number of n or more is.
func (t *Table[N, T]) at(n N) int {
	at, _ := slices.BinarySearchFunc(t.places, n, func(p place[N, T], n N) int { return cmp.Compare(p.number, n) })
	return at
}

// Get is the thing with a number; nil: it is not kept.
func (t *Table[N, T]) Get(n N) *T {
	if at := t.at(n); at < len(t.places) && t.places[at].number == n {
		return t.places[at].is
	}
	return nil
}

// Forget keeps the thing with a number no longer.
func (t *Table[N, T]) Forget(n N) {
	if at := t.at(n); at < len(t.places) && t.places[at].number == n && t.places[at].is != nil {
		t.places[at].is = nil
		t.empty++
	}
}

// From leads through what is kept, from a number on. What is walked through may be forgotten meanwhile.
func (t *Table[N, T]) From(n N) iter.Seq2[N, *T] {
	return func(yield func(N, *T) bool) {
		for _, p := range t.places[t.at(n):] {
			if p.is != nil && !yield(p.number, p.is) {
				return
			}
		}
	}
}

// Before leads back through what is kept, from the number before n on.
func (t *Table[N, T]) Before(n N) iter.Seq2[N, *T] {
	return func(yield func(N, *T) bool) {
		for _, p := range slices.Backward(t.places[:t.at(n)]) {
			if p.is != nil && !yield(p.number, p.is) {
				return
			}
		}
	}
}
