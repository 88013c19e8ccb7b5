package session

import (
	"bytes"
	"fmt"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// A call that the server cannot carry out without more input is answered by
// input_required (2026-07-28): the request has ended, and the call is made again
// with the inputs and with the server's state, under another ID. Between the two
// nothing is in flight; what the server asks are questions that nobody can
// withdraw, and to leave it at that is no message at all.

// onInputRequired takes an answer that is none yet. What is wrong with it ends
// the call: there is no way to tell the server, so nothing is sent.
func (s *Session) onInputRequired(c *call, f *mcp.Frame) {
	n := f.Inputs
	s.moment(c, MomentView{Dir: In, Kind: MomRound, Text: n.Words(), Entry: s.hist.cur})
	s.rows.onRoundOver(c) // the request with the state before has ended
	if code, why := s.checkInputRequired(c, n); why != "" {
		s.refuseRound(c, f, code, why)
		return
	}
	c.nextRound(n)
	ro := &round{number: c.rounds.count, asked: n.Asked, state: copyPart(f, n.State), sum: n.Sum}
	s.waitFor(c, wait{kind: roundWait, round: ro})
	s.rows.onRoundWaits(c, n)
	s.lint.repeats(c)
	if ro.number > c.rounds.most {
		ro.awaitsRetry = true
		s.note(c, fmt.Sprintf("held after %d rounds: the server asks again and again", c.rounds.most))
	}
	for _, a := range n.Asks {
		s.incoming.addInput(c, f, a)
	}
	for _, in := range ro.inputs { // all of them are known before the first is answered
		if in.questionID == 0 && c.round() == ro {
			s.rootsInput(in)
		}
	}
	if len(n.Asks) == 0 && !ro.awaitsRetry {
		s.timers.Set(c.due(dueWait), s.now.Add(pauseBefore(c.rounds.empty)))
		s.event(fmt.Sprintf("%s: the server wants it to be made again, and asks for nothing", c.name()))
	}
}

// rootsInput answers the wish for the roots, perhaps after a look at them.
func (s *Session) rootsInput(in *serverRequest) {
	look := &s.incoming.roots
	if c := s.rows.get(in.owner); c != nil {
		s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "it asks for the roots: belay answers that itself"})
	}
	switch {
	case !s.cfg.CheckRoots || len(s.cfg.Roots) == 0:
		s.input(in, rootsResult(s.cfg.Roots))
	case len(look.asks) >= maxWaiting:
		s.diagnose(mcp.DiagQuestionFlood, in.owner, "", sentence.Name(in.method))
		s.failRound(in, "too many requests for the roots")
	default:
		look.ask(in)
	}
}

// input takes the answer to one of the requests of a round. With the last one
// the call is made again.
func (s *Session) input(in *serverRequest, answer []byte) {
	c := s.rows.get(in.owner)
	if c == nil || c.round() != in.round {
		return
	}
	c.inputAnswered(in, bytes.Clone(bytes.TrimSpace(answer)))
	s.sendRound(c)
}

// onAnswerRejected ends a call whose server was refused an answer: nothing can say so
// on the wire, the call is just not made again (MRT-19, SMP-33, X-32; basic/patterns/mrtr, client/sampling).
func (s *Session) onAnswerRejected(in *serverRequest) {
	if c := s.rows.get(in.owner); c != nil && c.round() == in.round {
		why := "you " + in.state.String() + " " + sentence.Name(in.method)
		s.stopWait(c, cancel.ByUser, why, why)
		s.note(c, "not retried: "+why)
	}
}

// failRound ends a call that belay itself has no input for.
func (s *Session) failRound(in *serverRequest, why string) {
	if c := s.rows.get(in.owner); c != nil && c.round() == in.round {
		s.incoming.abandonWait(c, why)
		s.move(c, outcome{to: Failed, says: saying("not retried: " + why), told: true})
	}
}

// Retry makes a call again at once that the server wants to be made again later,
// or goes on with one that was held for the number of its rounds. One that waits
// for an answer of the user's, or for the server, is refused.
type Retry struct {
	Call CallID `json:"call"`
}

func (in Retry) check(s *Session) error {
	c := s.rows.get(in.Call)
	switch {
	case c == nil:
		return refuse(RefuseUnknown, "there is no call %d", in.Call)
	case c.state.IsTerminal():
		return refuse(RefuseFinished, "%s has ended (%v)", c.name(), c.state)
	case !c.isWaitingFor(roundWait) || c.wait.next != nil:
		return refuse(RefuseParams, "%s is in flight: it is the server's turn", c.name())
	case !c.round().awaitsRetry && c.round().open > 0:
		return refuse(RefuseParams, "%s waits for your answer", c.name())
	}
	return nil
}

func (in Retry) apply(s *Session) Reply {
	c := s.rows.get(in.Call)
	if c.allowRounds(s.cfg.MaxRounds) {
		s.note(c, "goes on by your wish")
	}
	s.sendRound(c)
	return Reply{}
}
