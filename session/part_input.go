package session

import (
	"time"

	"belay/session/mcp"
)

// The ages of a message whose end has not come. Half of the silence after which a cancelled
// call is quiet is between two reports of one.
const (
	partAfter   = time.Second            // in the timeline from then on, and told of without a wish
	atAnswerAge = 10 * time.Millisecond  // an answer that is written in one piece has its end by then
	PartEvery   = 500 * time.Millisecond // from one report to the next
)

// partAge is short while a call is in flight that a rule cancels with the first bytes of its
// answer.
func (r *rows) partAge() time.Duration {
	if r.atAnswer > 0 {
		return atAnswerAge
	}
	return partAfter
}

// ReceivedPart tells what has come of a message on an exchange, and not its end. On stdio
// all messages share one stream, and nobody knows whose message that is. A Part without
// bytes takes it back: the end has come, or what came was no message. The transport tells
// it at the age of [Wish] and every [PartEvery] from then on, as long as bytes
// come, and before each tick.
// Recordings call it "unfinished".
type ReceivedPart struct {
	never
	ExchangeID
	Part Part `json:"part"`
}

func (in ReceivedPart) apply(s *Session) Reply {
	e := s.http.exchange(in.ExchangeID)
	part := messagePart{size: in.Part.Size, kept: in.Part.Kept, began: s.now.Add(-in.Part.Began), last: s.now.Add(-in.Part.Last)}
	if e == nil {
		if s.cfg.Transport == mcp.Stdio && s.conn.isLive(in.ExchangeID) {
			if part.size == 0 {
				s.rows.onPartEnded(s.part)
			}
			s.part = part
			if c := s.after.soleAsker(); c != nil {
				s.stopByRule(c, c.Rules.byPart(part))
			}
		}
		return Reply{}
	}
	before := e.onPart(part)
	over := part.size > 0 && !part.kept && (before.kept || before.size == 0)
	s.http.watchUnowned(e)
	if e.isUnowned() {
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
		s.stopByRule(c, c.Rules.byPart(part))
	case part.size == 0:
		c.touchStop().PartEnded()
	case part.size > before.size:
		c.touchStop().Grew(part.last, part.began, part.size, s.conn.trips.Bound())
	}
	return Reply{}
}
