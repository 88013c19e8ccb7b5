package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/sentence"
)

// Bytes of a message whose end has not come may be the answer to a cancelled call wherever
// they come. On the call's own exchange the attempt is told of them as they come; this is
// for the others: the server's own stream, the one of HTTP+SSE, those that answer a probe
// or a cancel. Their messages end no call, so nobody waits for them.

// onUnownedEnded takes the end of an exchange. A message that began on it has no end.
func (xs *exchanges) onUnownedEnded(e *exchange) {
	i := slices.Index(xs.unowned, e)
	if i < 0 {
		return
	}
	xs.unowned = slices.Delete(xs.unowned, i, i+1)
	for c := xs.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling {
			xs.noteUnowned(c, e)
		}
	}
}

// tellUnowned takes, at the end of a cancelled call, what has come of messages, and not their
// ends.
func (xs *exchanges) tellUnowned(c *call) {
	for _, e := range xs.unowned {
		xs.noteUnowned(c, e)
	}
}

func (xs *exchanges) noteUnowned(c *call, e *exchange) {
	last := e.part.last
	if owner := e.owner(); owner != nil && owner != c || last.Before(c.stop.WrittenAt()) || e.isErrorStatus() {
		return
	}
	what := "bytes of a message, " + sentence.Size(e.part.size) + " in all and not its end,"
	if c.touchStop().Strayed(last, last, cancel.Stray{What: what}) {
		xs.moment(c, MomentView{Dir: In, Kind: MomNote, Text: what + " came"})
	}
}

// keepsOpen reports whether the exchange of a cancelled call, which ends, is not closed yet:
// a message is coming on it that may be the answer. Its end makes the verdict grow; the
// exchange is closed when no bytes come any more, and a minute after the grace at most.
func (xs *exchanges) keepsOpen(c *call) bool {
	e := c.ownExchange()
	if e == nil || e.closing || e.part.size == 0 && !e.isHeadOnly() || c.stop.Signal != cancel.Notify || xs.conn.phase == Closing || xs.conn.phase == Disconnected {
		return false
	}
	c.notePart(e.part, xs.conn.trips.Bound())
	until, still := c.stop.AwaitsRest(xs.now)
	if still {
		xs.timers.Set(e.due(), until)
	}
	return still
}

// ownExchange is the exchange of the latest request of a call; nil: it is over.
func (c *call) ownExchange() *exchange {
	if c.req == nil {
		return nil
	}
	return c.req.x
}
