package session

import "time"

// Input is one thing that a session is told: a wish of the user's, or what happened
// outside. It is a value without a clock: it can be kept, written down, sent elsewhere
// and handled again, and the same inputs at the same times give the same session.
//
// Most wishes ([StartCall], [Cancel]) may be refused, and then nothing has happened. What
// happened outside ([Sent], [Closed]) is a [Report], which may not.
type Input interface {
	// check reports why the session refuses the input, as a *Refusal. It changes
	// nothing and moves no time.
	check(*Session) error
	// apply carries the input out, at the time of the session. It was checked.
	apply(*Session) Reply
}

// Reply is what an input came to, apart from what the views show. Each member is of
// the inputs that it names, and zero for the others.
type Reply struct {
	Epoch     Epoch  // Connect: the new connection
	Call      CallID // StartCall, Subscribe, SetLogLevel: the row of the new call; Notify: of the call that it cancels; 0 when there is none
	Cancelled int    // CancelAll: the number of calls
	Told      bool   // SetRoots: the server hears of the change
	News      bool   // ProcessSample: there is something new to show
	Wanted    bool   // Started: the exchange is still wanted
}

// Report is an input that is never refused: what happened outside, and the wishes that always
// hold ([CancelAll], [Disconnect], [Quit]).
type Report interface {
	Input
	neverRefused()
}

// never is the part that all reports have.
type never struct{}

func (never) check(*Session) error { return nil }

func (never) neverRefused() {}

// Handle takes an input. One that is refused has changed nothing; the error says in
// words for the user why.
func (s *Session) Handle(now time.Time, in Input) (Reply, error) {
	if err := in.check(s); err != nil {
		return Reply{}, err
	}
	if _, skips := in.(Skipped); skips {
		s.skipTo(now)
	} else {
		s.at(now)
	}
	s.journal.put(s.now, in)
	reply := in.apply(s)
	s.settle()
	return reply, nil
}

// Tell takes a report.
func (s *Session) Tell(now time.Time, r Report) Reply {
	reply, _ := s.Handle(now, r)
	return reply
}
