package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/sentence"
)

// What a server may ask for in an answer, and what belay refuses of it.

// checkInputRequired says why a round cannot be taken; empty when it can. Nothing is shown
// to the user then, not even what is right in it: all of it would be in vain.
func (s *Session) checkInputRequired(c *call, n *mcp.InputNote) (mcp.DiagCode, string) {
	switch {
	case !s.conn.rev.IsModern():
		return mcp.DiagRoundPlace, s.conn.tooEarlyForInput()
	case !roundMethods[c.Method]:
		return mcp.DiagRoundPlace, "input_required as the answer to " + sentence.Name(c.Method)
	case n.Wrong != "":
		return mcp.DiagRoundShape, n.Wrong
	}
	size, asks := roundSize(n), 0
	for _, a := range n.Asks {
		if code, why := s.lint.badInput(c, a); why != "" {
			return code, why
		}
		if a.Note != nil {
			asks, size = asks+1, size+len(a.Params)+keySize(a)+len(a.Note.ElicitationID)
		}
	}
	// How often the user is asked needs no limit of its own: no round comes before
	// the last one was answered, and their number is limited.
	switch {
	case asks > 0 && s.incoming.waiting+asks > maxWaiting:
		return mcp.DiagQuestionFlood, fmt.Sprintf("%d requests wait for the user already", s.incoming.waiting)
	case !s.incoming.roomFor(size):
		return mcp.DiagQuestionFlood, s.incoming.noRoom(size)
	}
	return mcp.DiagNone, ""
}

// badInput says why one of the requests of a round is refused.
func (l *lint) badInput(c *call, a mcp.InputAsk) (mcp.DiagCode, string) {
	if what := c.req.declared.undeclaredBy(a); what != "" {
		return mcp.DiagUndeclared, "the server asked for undeclared " + what
	}
	if a.Note == nil {
		return mcp.DiagNone, ""
	}
	for _, p := range a.Note.Problems(l.conn.rev) {
		if p.Code.Refuses() {
			return p.Code, p.Detail
		}
		l.diagnose(p.Code, c.id, p.Detail, p.Detail)
	}
	if ctx := a.Note.Context; ctx != "" && ctx != "none" {
		l.diagnose(mcp.DiagSamplingContext, c.id, ctx, sentence.Name(ctx))
	}
	return mcp.DiagNone, ""
}

// undeclaredBy says what of an input the request did not declare (MRT-07; basic/patterns/mrtr).
func (has declared) undeclaredBy(a mcp.InputAsk) string {
	switch a.Method {
	case "roots/list":
		if !has.roots {
			return "roots"
		}
	case "sampling/createMessage":
		switch {
		case !has.sampling:
			return "sampling"
		case a.Note.Tools && !has.tools:
			return "tools in sampling (sampling.tools)"
		}
	case "elicitation/create":
		switch mode := a.Note.Mode; {
		case !has.form && !has.url:
			return "elicitation"
		case mode == mcp.ElicitForm && !has.form, mode == mcp.ElicitURL && !has.url, mode != mcp.ElicitForm && mode != mcp.ElicitURL:
			return "elicitation in mode " + sentence.Name(string(mode))
		}
	}
	return ""
}

// refuseRound ends a call whose answer asks for what cannot be given.
func (s *Session) refuseRound(c *call, f *mcp.Frame, code mcp.DiagCode, why string) {
	o := s.results.failUnanswerable(c, f, code, why)
	s.incoming.countAway(mcp.ResultInputRequired, why)
	s.move(c, o)
}

// repeats tells of a server that asks the same for the third time.
func (l *lint) repeats(c *call) {
	const most = 3
	if c.rounds.same >= most {
		l.diagnose(mcp.DiagRoundLoop, c.id, "", fmt.Sprintf("%d times in a row", c.rounds.same))
	}
}
