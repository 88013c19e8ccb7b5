// Package tangle is measured by the tests of shape.
package tangle

import "time"

// Hub is what everything hangs on.
type Hub struct {
	n    int
	at   time.Time
	rest []int
	in   inner
}

type inner struct{ due time.Time }

type speaker interface{ Speak() }

func (h *Hub) one(s speaker) {
	s.Speak() // through an interface: b.go
	byValue(h.n)
}

// Next takes a time from a field, from a field of a field, and from a method.
func (h *Hub) Next() time.Time {
	t := h.at
	if h.in.due.Before(t) {
		t = h.in.due
	}
	if h.soon().Before(t) {
		t = h.soon()
	}
	return t
}

func (h *Hub) soon() time.Time { return time.Time{} }

func (h *Hub) empty() { clear(h.rest) }
