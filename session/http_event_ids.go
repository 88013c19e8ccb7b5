package session

import "hash/fnv"

// keptIDs is how many event IDs of a session are remembered, to tell when one
// comes twice. Two that only hash alike are told apart no more than that.
const keptIDs = 4096

// eventIDs are the latest event IDs of a session, of all its streams. A stream is
// resumed after an event ID, so each ID must name a single place (HTL-33;
// 2025-11-25, basic/transports: Resumability and Redelivery).
//
//shape:part of exchanges
type eventIDs struct {
	seen map[uint64]bool
	ring []uint64 // oldest at next once it is full
	next int
}

// remember keeps an ID, and reports whether it had come before.
func (e *eventIDs) remember(id string) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	sum := h.Sum64()
	if e.seen[sum] {
		return true
	}
	if e.seen == nil {
		e.seen = map[uint64]bool{}
	}
	e.seen[sum] = true
	if len(e.ring) < keptIDs {
		e.ring = append(e.ring, sum)
		return false
	}
	delete(e.seen, e.ring[e.next])
	e.ring[e.next] = sum
	e.next = (e.next + 1) % keptIDs
	return false
}
