package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// NeededError is what a [TurnAway] calls the error of a call that lists what the
// user is to visit: there is no request.
const NeededError = "error -32042"

// onNeededURLs makes questions of the URL elicitations that a call failed for. They
// belong to that call, and nothing is ever written for them: their request was
// answered by the error already, and a new call is the way on.
func (qs *incoming) onNeededURLs(c *call, f *mcp.Frame) {
	if f.Needed == nil || f.Kind != mcp.FrameError || c.Origin != FromUser || !qs.conn.rev.NeedsURLs() {
		return
	}
	if !qs.declared.url {
		qs.diagnose(mcp.DiagUndeclared, c.id, "elicitation in mode url", "error -32042 for a URL elicitation")
		qs.countAway(NeededError, "belay did not declare elicitation in mode url")
		return
	}
	for _, p := range f.Needed.Problems {
		qs.diagnose(p.Code, c.id, p.Detail, p.Detail)
		qs.countAway(NeededError, p.Detail)
	}
	for _, e := range f.Needed.Elicitations {
		size := len(e.Raw) + 2*len(e.ID)
		if why := qs.tooMany(size); why != "" {
			qs.diagnose(mcp.DiagQuestionFlood, c.id, "", "elicitations of error -32042: "+why)
			qs.countAway(NeededError, why)
			return
		}
		in := &serverRequest{
			method: "elicitation/create", params: copyPart(f, e.Raw), size: size, arrived: qs.now, entry: qs.hist.cur,
			owner: c.id, question: question{needed: true, elicitation: e.ID},
		}
		qs.addQuestion(in)
		qs.moment(c, MomentView{Dir: In, Kind: MomQuestion, Text: in.method, Entry: qs.hist.cur})
	}
}

// onComplete takes the notice that what a URL elicitation led to is done. It says nothing about
// the question itself: one that waits goes on waiting. Notices with an ID that is unknown, not in
// use any more or complete already are ignored (ELI-49; client/elicitation).
func (qs *incoming) onComplete(f *mcp.Frame) {
	n := f.Complete
	switch {
	case !qs.conn.rev.NeedsURLs():
		qs.diagnose(mcp.DiagUnknownMethod, 0, f.Method, sentence.Name(f.Method))
		return
	case n == nil || !n.Valid:
		qs.diagnose(mcp.DiagElicitComplete, 0, "", "elicitationId is missing")
		return
	}
	for i := len(qs.questions) - 1; i >= 0; i-- {
		in := qs.questions[i]
		if in.elicitation != n.ID || in.epoch != qs.conn.epoch || in.state != Waiting && in.state != Answered || !in.completed.IsZero() {
			continue
		}
		in.completed = qs.now
		qs.hist.markQuestion(in.questionID)
		qs.event("the server says that a URL elicitation is complete")
		if c := qs.rows.get(in.owner); c != nil {
			qs.moment(c, MomentView{Dir: In, Kind: MomNote, Text: "completed out of band", Entry: qs.hist.cur})
		}
		return
	}
}
