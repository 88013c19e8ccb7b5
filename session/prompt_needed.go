package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// NeededError is what a [TurnAway] calls the error of a call that lists what the
// user is to visit: there is no request.
const NeededError = "error -32042"

// onNeededURLs makes prompts of the URL elicitations that a call failed for. They
// belong to that call, and nothing is ever written for them: their request was
// answered by the error already, and a new call is the way on.
func (s *Session) onNeededURLs(c *call, f *mcp.Frame) {
	if f.Needed == nil || f.Kind != mcp.FrameError || c.Origin != FromUser || !s.conn.rev.NeedsURLs() {
		return
	}
	if !s.conn.declared.url {
		s.diagnose(mcp.DiagUndeclared, c.id, "elicitation in mode url", "error -32042 for a URL elicitation")
		s.incoming.leaveOut("belay did not declare elicitation in mode url")
		return
	}
	for _, p := range f.Needed.Problems {
		s.diagnose(p.Code, c.id, p.Detail, p.Detail)
		s.incoming.leaveOut(p.Detail)
	}
	for _, e := range f.Needed.Elicitations {
		size := len(e.Raw) + 2*len(e.ID)
		if why := s.tooMany(size); why != "" {
			s.diagnose(mcp.DiagPromptFlood, c.id, "", "elicitations of error -32042: "+why)
			s.incoming.leaveOut(why)
			return
		}
		in := &serverRequest{
			method: "elicitation/create", params: copyPart(f, e.Raw), size: size, arrived: s.now, entry: s.hist.cur,
			owner: c.id, question: question{needed: true, elicitation: e.ID},
		}
		s.addPrompt(in)
		s.moment(c, MomentView{Dir: In, Kind: MomPrompt, Text: in.method, Entry: s.hist.cur})
	}
}

// leaveOut counts what an error lists, and what cannot be shown of it: who has a
// call that failed for want of it must learn why nothing can be visited.
func (t *incoming) leaveOut(why string) {
	t.away++
	t.lastAway = TurnAway{Method: NeededError, Why: sentence.Clip(why)}
}

// neededWords says which call needs the user to visit an address. The server sent
// no elicitation request, and the words must not sound like one.
func (r *rows) neededWords(owner CallID) string {
	if c := r.get(owner); c != nil {
		return "#" + c.wire().String() + " needs you to visit an address"
	}
	return "a call needs you to visit an address"
}

// onComplete takes the notice that what a URL elicitation led to is done. It
// says nothing about the prompt itself: one that waits goes on waiting. Notices
// with an ID that is unknown, not in use any more or complete already are
// ignored (ELI-49).
func (s *Session) onComplete(f *mcp.Frame) {
	n := f.Complete
	switch {
	case !s.conn.rev.NeedsURLs():
		s.diagnose(mcp.DiagUnknownMethod, 0, f.Method, sentence.Name(f.Method))
		return
	case n == nil || !n.Valid:
		s.diagnose(mcp.DiagElicitComplete, 0, "", "elicitationId is missing")
		return
	}
	for i := len(s.incoming.prompts) - 1; i >= 0; i-- {
		in := s.incoming.prompts[i]
		if in.elicitation != n.ID || in.epoch != s.conn.epoch || in.state != Waiting && in.state != Answered || !in.completed.IsZero() {
			continue
		}
		in.completed = s.now
		s.hist.markPrompt(in.prompt)
		s.event("the server says that a URL elicitation is complete")
		if c := s.rows.get(in.owner); c != nil {
			s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: "completed out of band", Entry: s.hist.cur})
			s.rows.touch(c)
		}
		return
	}
}
