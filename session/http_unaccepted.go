package session

import (
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Over HTTP an answer or a notification has arrived when the server takes it, with
// a status of success. One that was not taken is not posted again by itself.

// onRejected tells that the server refused a notification or an answer.
func (s *Session) onRejected(e *exchange) {
	if e.role == roleCancel {
		return // the row of its call says so
	}
	why := statusWords(e.head, End{})
	if e.isSessionOver() && s.http.barrier != e {
		why = "the server has " + e.sessionWords()
		s.goOnUnaccepted(e, why)
		s.onSessionEnded(e)
		return
	}
	s.hist.cur = e.p.entry // what follows is about that message
	s.diagnose(mcp.DiagNotTaken, 0, e.p.method, sentence.Name(e.p.method)+": "+why)
	s.goOnUnaccepted(e, why)
}

// onUnacknowledged tells that nobody knows whether the server took one: its exchange
// broke, or was given up for this reason.
func (s *Session) onUnacknowledged(e *exchange, why string) {
	if e.started {
		why += "; whether the server has read it is not known"
		if e.p.method == notifyInitialized { // which others have waited for
			s.hist.cur = e.p.entry
			s.diagnose(mcp.DiagNotTaken, 0, e.p.method, sentence.Name(e.p.method)+": "+why)
		}
	}
	s.goOnUnaccepted(e, why)
}

// goOnUnaccepted goes on without it. The prompt that it was to answer waits again.
func (s *Session) goOnUnaccepted(e *exchange, why string) {
	in := e.p.answers
	e.p.answers = nil // what else is heard of its exchange changes nothing
	what := sentence.Name(e.p.method)
	if in != nil {
		what += ": the answer"
	}
	s.event(what + " was not accepted: " + why)
	if in != nil && slices.Contains(s.incoming.prompts, in) {
		s.reopenPrompt(in, why)
	}
}

// reopenPrompt has a prompt wait again, unless the server has withdrawn it in the
// meantime, or would take an answer for that to another request.
func (s *Session) reopenPrompt(in *serverRequest, why string) {
	in.refused = why
	later := s.incoming.open[in.id]
	if later == nil {
		later = s.incoming.seen[in.id]
	}
	if later != nil && later != in {
		in.refused += ", and the server has used its ID again"
		in.state = PromptLost
		return
	}
	in.state, in.ended, in.out = Waiting, time.Time{}, nil
	s.incoming.waiting++
	s.incoming.open[in.id] = in
	in.orphan = in.orphan || in.alive > 0
	in.alive, in.owner = 0, 0
	var owner *call
	for c := s.rows.oldest; c != nil && c.id <= in.upto; c = c.next {
		if mayOwn(in, c) {
			in.orphan, owner = false, c
			s.incoming.hold(in, c)
			s.rows.touch(c)
		}
	}
	if in.alive == 1 {
		s.moment(owner, MomentView{Dir: Local, Kind: MomNote, Text: "the answer was not accepted: " + why})
	}
	if in.recanted {
		s.withdrawPrompt(in, in.reason)
	}
}
