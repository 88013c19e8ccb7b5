package session

import "time"

// Call is what the user wants from the server.
type Call struct {
	Method string
	Params []byte // a JSON object, or nil
	Origin Origin // FromUser when zero

	// Idle ends the call after this much silence; progress resets it and a
	// waiting human pauses it. Max ends it however lively it is. Zero takes the
	// session's default, a negative value switches the clock off (TMO-03,
	// TMO-06, TMO-08).
	Idle, Max time.Duration

	Rules      Rules
	NoProgress bool // send no progress token (PRG-03)

	// Raw marks a request that the user wrote by hand: it is sent although the
	// revision or the capabilities may not allow it, and marked as such.
	Raw bool
}

// Rules cancel a call by themselves.
type Rules struct {
	After      time.Duration // this long after it was sent; 0: never
	AtFraction float64       // at this share of its progress, 0 < x ≤ 1; 0: never
	Reason     string        // empty: the session's default
}
