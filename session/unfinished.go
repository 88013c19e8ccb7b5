package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// unfinished is a message of which something has come on an exchange, and its
// end has not.
type unfinished struct {
	size int  // in bytes so far; 0: there is none
	kept bool // it is not over the limit yet
}

// Unfinished tells that size bytes of a message have come on x, and not its end;
// kept is false once they are more than a message may have. Zero takes that back:
// what came was no message. The transport tells it now and then, as long as bytes
// come.
func (s *Session) Unfinished(now time.Time, x Exchange, size int, kept bool) {
	s.at(now)
	s.journal.unfinished(s.now, x, size, kept)
	e := s.exchange(x)
	if e == nil {
		return
	}
	before := e.part
	e.part = unfinished{size, kept}
	began, over := size > 0 && before.size == 0, size > 0 && !kept && (before.kept || before.size == 0)
	if e.req == nil || e.req.call == nil {
		if over {
			s.event("on a stream of the server's: " + e.part.words())
		}
		return
	}
	c := e.req.call
	if began || over {
		s.moment(c, Moment{Dir: In, Kind: MomNote, Text: e.part.words()})
	}
	if c.stop != nil && size > before.size {
		c.stop.Grew(s.now, size, s.conn.trips.Bound())
	}
	s.rows.touch(c)
}

func (u unfinished) words() string {
	switch {
	case u.size == 0:
		return ""
	case u.kept:
		return sentence.Size(u.size) + " of a message have come, and not its end"
	}
	return sentence.Size(u.size) + " came without the end of a message; belay keeps none of it"
}

// where says where a stream ended that brought no answer.
func (u unfinished) where() string {
	if u.size == 0 {
		return "without a response"
	}
	return "in the middle of a message, after " + sentence.Size(u.size) + " of it"
}

// remark is what is known of a call in words: first what holds at the moment.
func (s *Session) remark(c *call) string {
	switch {
	case c.state.Terminal(), c.state == Cancelling && c.stop.IsRejected():
	case c.req != nil && c.req.x != nil && c.req.x.part.size > 0:
		return c.req.x.part.words()
	case c.state == Queued && s.web.barrier != nil:
		return "waits until the server has taken " + notifyInitialized
	case s.hearsLater(c):
		return "it runs at the server: waiting for a login to hear more"
	case c.req != nil && s.resuming(c.req):
		return "its stream is down, and belay takes it up again"
	case s.unheard(c):
		return "nothing can come for it: the server's own stream is away, and belay opens it again"
	}
	return c.note
}

// cutOff tells of a message over the limit whose end never came.
func (s *Session) cutOff(e *exchange) {
	if e.part.size > 0 && !e.part.kept {
		s.diagnose(mcp.DiagOversize, s.callOf(e), "", fmt.Sprintf("%s came without the end of a message", sentence.Size(e.part.size)))
	}
}
