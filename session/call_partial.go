package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Part is what has come of a message on an exchange, and its end has not.
type Part struct {
	Size  int       // in bytes so far; 0: there is none
	Kept  bool      // it is not over the limit yet
	Began time.Time // when its first byte came
	Last  time.Time // when its latest bytes came
}

// partialMessage is such a message, as the core knows it.
type partialMessage struct {
	Part
	told bool // it stands in the timeline
}

// partAfter is from which age on an unfinished message stands in the timeline.
const partAfter = time.Second

// Unfinished tells what has come of a message on x, and not its end. No part takes
// that back: the end has come, or what came was no message. The transport tells it
// now and then, as long as bytes come, and before each tick.
func (s *Session) Unfinished(now time.Time, x ExchangeID, part Part) {
	s.at(now)
	s.journal.unfinished(s.now, x, part)
	e := s.exchange(x)
	if e == nil {
		return
	}
	before := e.part
	e.part = partialMessage{part, before.told && before.Size > 0 && part.Size > 0}
	over := part.Size > 0 && !part.Kept && (before.Kept || before.Size == 0)
	if e.req == nil || e.req.call == nil {
		if over {
			s.event("on a stream of the server's: " + e.part.words())
		}
		return
	}
	c := e.req.call
	if over || part.Size > 0 && !e.part.told && s.now.Sub(part.Began) >= partAfter {
		e.part.told = true
		s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: e.part.words()})
	}
	switch {
	case c.stop == nil:
	case part.Size == 0:
		c.stop.PartEnded()
	case part.Size > before.Size:
		c.stop.Grew(part.Last, part.Began, part.Size, s.conn.trips.Bound())
	}
	s.rows.touch(c)
}

func (u partialMessage) words() string {
	switch {
	case u.Size == 0:
		return ""
	case u.Kept:
		return sentence.Size(u.Size) + " of a message have come, and not its end"
	}
	return sentence.Size(u.Size) + " came without the end of a message; belay keeps none of it"
}

// where says where a stream ended that brought no answer.
func (u partialMessage) where() string {
	if u.Size == 0 {
		return "without a response"
	}
	return "in the middle of a message, after " + sentence.Size(u.Size) + " of it"
}

// remarkOf is what is known of a call in words: first what holds at the moment.
func (s *Session) remarkOf(c *call) string {
	switch {
	case c.state.Terminal(), c.state == Cancelling && c.stop.IsRejected():
	case c.req != nil && c.req.x != nil && c.req.x.part.Size > 0:
		return c.req.x.part.words()
	case c.state == Queued && s.http.barrier != nil:
		return "waits until the server has taken " + notifyInitialized
	case s.awaitsLoginToResume(c):
		return "it runs at the server: waiting for a login to hear more"
	case c.req != nil && s.http.isResuming(c.req):
		return "its stream is down, and belay takes it up again"
	case s.noteStreamAway(c):
		return "nothing can come for it: the server's own stream is away, and belay opens it again"
	}
	return c.note
}

// tellCutOff tells of a message over the limit whose end never came.
func (s *Session) tellCutOff(e *exchange) {
	if e.part.Size > 0 && !e.part.Kept {
		s.diagnose(mcp.DiagOversize, callOf(e), "", fmt.Sprintf("%s came without the end of a message", sentence.Size(e.part.Size)))
	}
}
