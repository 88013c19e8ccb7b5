package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Part is what has come of a message on an exchange, and its end has not.
type Part struct {
	Size  int           `json:"size,omitempty"`  // in bytes so far; 0: there is none
	Kept  bool          `json:"kept,omitempty"`  // it is not over the limit yet
	Began time.Duration `json:"began,omitempty"` // how long ago its first byte came
	Last  time.Duration `json:"last,omitempty"`  // how long ago its latest bytes came
}

// partialMessage is such a message, as the core knows it.
type partialMessage struct {
	size        int
	kept        bool
	began, last time.Time
	told        bool // it stands in the timeline
}

// partAfter is from which age on an unfinished message stands in the timeline.
const partAfter = time.Second

// Unfinished tells what has come of a message on an exchange, and not its end. On stdio
// all messages share one stream, and nobody knows whose message that is. A Part without
// bytes takes it back: the end has come, or what came was no message. The transport tells
// it now and then, as long as bytes come, and before each tick.
type Unfinished struct {
	never
	ExchangeID
	Part Part `json:"part"`
}

func (in Unfinished) apply(s *Session) Reply {
	e := s.http.exchange(in.ExchangeID)
	part := partialMessage{size: in.Part.Size, kept: in.Part.Kept, began: s.now.Add(-in.Part.Began), last: s.now.Add(-in.Part.Last)}
	if e == nil {
		if s.cfg.Transport == mcp.Stdio && s.conn.live(in.ExchangeID) {
			if part.size == 0 {
				s.rows.onPartEnded(s.arriving)
			}
			s.arriving = part
		}
		return Reply{}
	}
	before := e.onPart(part)
	over := part.size > 0 && !part.kept && (before.kept || before.size == 0)
	s.http.watchLoose(e)
	if e.isLoose() {
		if over {
			s.event("on a stream of the server's: " + part.words())
		}
		return Reply{}
	}
	c := e.req.call
	if over || part.size > 0 && !e.part.told && in.Part.Began >= partAfter {
		e.part.told = true
		s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: part.words()})
	}
	switch {
	case c.stop == nil:
	case part.size == 0:
		c.stop.PartEnded()
	case part.size > before.size:
		c.stop.Grew(part.last, part.began, part.size, s.conn.trips.Bound())
	}
	s.rows.touch(c)
	return Reply{}
}

func (u partialMessage) words() string {
	switch {
	case u.size == 0:
		return ""
	case u.kept:
		return sentence.Size(u.size) + " of a message have come, and not its end"
	}
	return sentence.Size(u.size) + " came without the end of a message; belay keeps none of it"
}

// where says where a stream ended that brought no answer.
func (u partialMessage) where() string {
	if u.size == 0 {
		return "without a response"
	}
	return "in the middle of a message, after " + sentence.Size(u.size) + " of it"
}

// remarkOf is what is known of a call in words: first what holds at the moment.
func (w *exchanges) remarkOf(c *call) remark {
	switch {
	case c.state.Terminal(), c.state == Cancelling && c.stop.IsRejected():
	case c.req != nil && c.req.x != nil && c.req.x.part.size > 0:
		return saying(c.req.x.part.words())
	case c.state == Running && c.req != nil && c.req.x != nil && c.req.x.untaken != 0:
		return saying(c.req.x.untaken.String() + "; belay waits before it is sent once more")
	case c.state == Queued && w.barrier != nil:
		return saying("waits until the server has taken " + notifyInitialized)
	case w.awaitsLoginToResume(c):
		return saying("it runs at the server: waiting for a login to hear more")
	case c.req != nil && w.isResuming(c.req):
		return saying("its stream is down, and belay takes it up again")
	case w.noteStreamAway(c):
		return saying("nothing can come for it: the server's own stream is away, and belay opens it again")
	}
	return c.remark
}

// tellCutOff tells of a message over the limit whose end never came.
func (l *log) tellCutOff(e *exchange) {
	if e.part.size > 0 && !e.part.kept {
		l.diagnose(mcp.DiagOversize, callOf(e), "", fmt.Sprintf("%s came without the end of a message", sentence.Size(e.part.size)))
	}
}
