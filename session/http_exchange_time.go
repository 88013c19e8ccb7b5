package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
)

// What happens to exchanges by themselves, and when.

// onResumeDue takes the stream of a request up again.
func (xs *exchanges) onResumeDue(order uint64) {
	for _, r := range xs.waits {
		if r.order == order {
			xs.resumeNow(r)
			return
		}
	}
}

// onCloseOverdue closes an exchange that should have ended by itself.
func (s *Session) onCloseOverdue(e *exchange) {
	if c := e.owner(); c != nil && c.state == Cancelled && c.ownExchange() == e && !e.closing && c.stop.Signal == cancel.Notify {
		if s.http.keepsOpen(c) {
			return
		}
		switch {
		case e.part.size > 0:
			s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "belay closed its stream: " + e.part.words()})
		case e.isHeadOnly():
			s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "belay closed its exchange: the head of an answer had come, and nothing of the answer"})
		}
	}
	if e.answered {
		s.diagnose(mcp.DiagLinger, callOf(e), "", lingerLimit.String())
	}
	if (e.role == roleAnswer || e.role == roleNotice) && !e.opened {
		s.onUnacknowledged(e, "no answer within "+takeLimit.String())
	}
	s.http.abort(e)
}
