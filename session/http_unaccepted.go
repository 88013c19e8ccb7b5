package session

import (
	"slices"

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
	if e.isSessionOver() && s.http.barrier.of != e {
		why = "the server has " + e.sessionWords()
		s.goOnUnaccepted(e, why)
		s.onSessionEnded(e)
		return
	}
	if e.p.wrong != nil {
		return // that is no fault of the server's, and was told
	}
	s.hist.about(e.p.entry)
	s.diagnose(mcp.DiagNotAccepted, 0, e.p.method, sentence.Name(e.p.method)+": "+why)
	s.goOnUnaccepted(e, why)
}

// onUnacknowledged tells that nobody knows whether the server took one: its exchange
// broke, or was given up for this reason.
func (s *Session) onUnacknowledged(e *exchange, why string) {
	if e.started {
		why += "; whether the server has read it is not known"
		if e.p.method == notifyInitialized { // which others have waited for
			s.hist.about(e.p.entry)
			s.diagnose(mcp.DiagNotAccepted, 0, e.p.method, sentence.Name(e.p.method)+": "+why)
		}
	}
	s.goOnUnaccepted(e, why)
}

// goOnUnaccepted goes on without it. The question that it was to answer waits again.
func (s *Session) goOnUnaccepted(e *exchange, why string) {
	in := e.p.answers
	e.p.answers = nil // what else is heard of its exchange changes nothing
	what := sentence.Name(e.p.method)
	if in != nil {
		what += ": the answer"
	}
	s.event(what + " was not accepted: " + why)
	if in != nil && slices.Contains(s.incoming.questions, in) {
		s.http.resumeAll(s.incoming.reopen(in, why))
	}
}
