package session

import "fmt"

// What a server may ask for in an answer, and what belay refuses of it.

// refusal says why a round cannot be taken; empty when it can. Nothing is shown
// to the user then, not even what is right in it: all of it would be in vain.
func (s *Session) refusal(c *call, n *InputNote) (DiagCode, string) {
	switch {
	case !s.conn.rev.Modern():
		return DiagRoundPlace, fmt.Sprintf("input_required came with %s; this is %s", Rev20260728, s.conn.rev)
	case !roundMethods[c.Method]:
		return DiagRoundPlace, "input_required as the answer to " + named(c.Method)
	case n.wrong != "":
		return DiagRoundShape, n.wrong
	}
	size, asks := 0, 0
	for _, a := range n.Asks {
		if code, why := s.badInput(c, a); why != "" {
			return code, why
		}
		if a.note != nil {
			asks, size = asks+1, size+len(a.Params)
		}
	}
	// How often the user is asked needs no limit of its own: no round comes before
	// the last one was answered, and their number is limited.
	switch {
	case asks > 0 && s.theirs.waiting+asks > maxWaiting:
		return DiagPromptFlood, fmt.Sprintf("%d requests wait for the user already", s.theirs.waiting)
	case asks > 0 && !s.roomFor(size):
		return DiagPromptFlood, "the requests that wait for the user are too large"
	case s.roundBytes > 0 && s.roundBytes+len(n.State) > s.maxParams():
		return DiagPromptFlood, "the states that calls wait with are too large"
	}
	return DiagNone, ""
}

// badInput says why one of the requests of a round is refused.
func (s *Session) badInput(c *call, a InputAsk) (DiagCode, string) {
	if what := c.req.declared.lacks(a); what != "" {
		return DiagUndeclared, "the server asked for undeclared " + what
	}
	if a.note == nil {
		return DiagNone, ""
	}
	for _, p := range a.note.problems.in(s.conn.rev) {
		if refusing[p.Code] {
			return p.Code, p.Detail
		}
		s.diagnose(p.Code, c.id, p.Detail, p.Detail)
	}
	if ctx := a.note.Context; ctx != "" && ctx != "none" {
		s.diagnose(DiagSamplingContext, c.id, ctx, ctx)
	}
	return DiagNone, ""
}

// lacks says what of an input the request did not declare (MRT-07).
func (has declared) lacks(a InputAsk) string {
	switch a.Method {
	case "roots/list":
		if !has.roots {
			return "roots"
		}
	case "sampling/createMessage":
		switch {
		case !has.sampling:
			return "sampling"
		case a.note.Tools && !has.tools:
			return "tools in sampling (sampling.tools)"
		}
	case "elicitation/create":
		switch mode := a.note.Mode; {
		case !has.form && !has.url:
			return "elicitation"
		case mode == ElicitForm && !has.form, mode == ElicitURL && !has.url, mode != ElicitForm && mode != ElicitURL:
			return "elicitation in mode " + named(string(mode))
		}
	}
	return ""
}

// refuseRound ends a call whose answer asks for what cannot be given.
func (s *Session) refuseRound(c *call, f *Frame, why string) {
	c.result = s.keepResult(c, f)
	sent := " · nothing was sent"
	if c.rounds.count > 0 {
		sent = " · nothing more was sent"
	}
	s.note(c, "refused: "+why+sent)
	s.theirs.away++
	s.theirs.lastAway = TurnAway{Method: resultInputRequired, Why: clip(why)}
	s.move(c, Failed)
}

// repeats tells of a server that asks the same for the third time.
func (s *Session) repeats(c *call, n *InputNote) {
	const most = 3
	if c.rounds.last != n.same {
		c.rounds.last, c.rounds.same = n.same, 0
	}
	if c.rounds.same++; c.rounds.same >= most {
		s.diagnose(DiagRoundLoop, c.id, "", fmt.Sprintf("%d times in a row", c.rounds.same))
	}
}
