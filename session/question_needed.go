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
func (t *incoming) onNeededURLs(c *call, f *mcp.Frame) {
	if f.Needed == nil || f.Kind != mcp.FrameError || c.Origin != FromUser || !t.conn.rev.NeedsURLs() {
		return
	}
	if !t.declared.url {
		t.diagnose(mcp.DiagUndeclared, c.id, "elicitation in mode url", "error -32042 for a URL elicitation")
		t.countAway(NeededError, "belay did not declare elicitation in mode url")
		return
	}
	for _, p := range f.Needed.Problems {
		t.diagnose(p.Code, c.id, p.Detail, p.Detail)
		t.countAway(NeededError, p.Detail)
	}
	for _, e := range f.Needed.Elicitations {
		size := len(e.Raw) + 2*len(e.ID)
		if why := t.tooMany(size); why != "" {
			t.diagnose(mcp.DiagQuestionFlood, c.id, "", "elicitations of error -32042: "+why)
			t.countAway(NeededError, why)
			return
		}
		in := &serverRequest{
			method: "elicitation/create", params: copyPart(f, e.Raw), size: size, arrived: t.now, entry: t.hist.cur,
			owner: c.id, question: question{needed: true, elicitation: e.ID},
		}
		t.addQuestion(in)
		t.moment(c, MomentView{Dir: In, Kind: MomQuestion, Text: in.method, Entry: t.hist.cur})
	}
}

// onComplete takes the notice that what a URL elicitation led to is done. It says nothing about
// the question itself: one that waits goes on waiting. Notices with an ID that is unknown, not in
// use any more or complete already are ignored (ELI-49; client/elicitation).
func (t *incoming) onComplete(f *mcp.Frame) {
	n := f.Complete
	switch {
	case !t.conn.rev.NeedsURLs():
		t.diagnose(mcp.DiagUnknownMethod, 0, f.Method, sentence.Name(f.Method))
		return
	case n == nil || !n.Valid:
		t.diagnose(mcp.DiagElicitComplete, 0, "", "elicitationId is missing")
		return
	}
	for i := len(t.questions) - 1; i >= 0; i-- {
		in := t.questions[i]
		if in.elicitation != n.ID || in.epoch != t.conn.epoch || in.state != Waiting && in.state != Answered || !in.completed.IsZero() {
			continue
		}
		in.completed = t.now
		t.hist.markQuestion(in.questionID)
		t.event("the server says that a URL elicitation is complete")
		if c := t.rows.get(in.owner); c != nil {
			t.moment(c, MomentView{Dir: In, Kind: MomNote, Text: "completed out of band", Entry: t.hist.cur})
		}
		return
	}
}
