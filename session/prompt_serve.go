package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// mayAnswer reports whether another answer has a place. A request that finds none
// is not answered, and diagnosed.
func (t *incoming) mayAnswer(in *serverRequest) bool {
	if q := &t.out.queues[classAnswer]; q.live < maxAnswers && q.bytes <= maxAnswerBytes {
		return true
	}
	delete(t.open, in.id)
	t.diagnose(mcp.DiagPromptFlood, 0, "", sentence.Name(in.method))
	return false
}

// serve answers a request, refuses it, or makes a prompt of it.
func (t *incoming) serve(in *serverRequest) {
	if t.conn.rev.Modern() {
		t.ignoreRequest(in)
		return
	}
	if !t.mayAnswer(in) {
		return
	}
	t.open[in.id] = in
	if in.refusal != "" {
		t.turnAway(in, mcp.CodeInternal, in.refusal)
		return
	}
	switch in.method {
	case "ping":
		t.answer(in, mcp.AppendResult(nil, in.idRaw, []byte("{}")))
	case "roots/list":
		t.serveRoots(in)
	case "sampling/createMessage":
		t.serveSampling(in)
	case "elicitation/create":
		t.serveElicitation(in)
	default:
		t.diagnose(mcp.DiagUnknownMethod, 0, in.method, sentence.Name(in.method))
		t.reject(in, mcp.CodeMethodNotFound, "Method not found: "+in.method)
	}
}

// declared is what initialize told the server of belay's capabilities, in the
// revision that it offered. What was not declared is refused, whatever the
// configuration says by now.
type declared struct {
	roots    bool
	sampling bool
	tools    bool // within sampling
	form     bool // within elicitation
	url      bool
}

func (c Config) declares(offer mcp.Revision) declared {
	elicits := !c.NoElicitation && offer.Elicits()
	return declared{
		roots:    len(c.Roots) > 0,
		sampling: !c.NoSampling,
		tools:    !c.NoSampling && c.SamplingTools && offer >= mcp.Rev20251125,
		form:     elicits && !c.NoForms,
		url:      elicits && !c.NoURLs && offer.ElicitsURL(),
	}
}

// undeclared refuses a request for something that belay did not declare.
func (t *incoming) undeclared(in *serverRequest, code int64, what string) {
	t.diagnose(mcp.DiagUndeclared, 0, what, what)
	t.turnAway(in, code, "belay did not declare "+what)
}

func (t *incoming) serveSampling(in *serverRequest) {
	switch {
	case !t.conn.declared.sampling:
		t.undeclared(in, mcp.CodeMethodNotFound, "sampling")
	case in.note.Tools && !t.conn.declared.tools && t.conn.rev >= mcp.Rev20251125:
		t.undeclared(in, mcp.CodeInvalidParams, "tools in sampling (sampling.tools)")
	case !t.sound(in):
	default:
		if c := in.note.Context; c != "" && c != "none" && t.conn.rev >= mcp.Rev20251125 {
			t.diagnose(mcp.DiagSamplingContext, 0, c, sentence.Name(c))
		}
		t.enqueuePrompt(in)
	}
}

func (t *incoming) serveElicitation(in *serverRequest) {
	has, mode := t.conn.declared, in.note.Mode
	form, url := has.form && t.conn.rev.Elicits(), has.url && t.conn.rev.ElicitsURL()
	switch {
	case !form && !url:
		t.undeclared(in, mcp.CodeMethodNotFound, "elicitation")
	case mode == mcp.ElicitForm && !form, mode == mcp.ElicitURL && !url, mode != mcp.ElicitForm && mode != mcp.ElicitURL:
		t.undeclared(in, mcp.CodeInvalidParams, "elicitation in mode "+shown(string(mode)))
	case t.sound(in):
		t.enqueuePrompt(in)
	}
}

// sound diagnoses the faults of a request to the user. A request that cannot be
// shown as the server means it is refused before anybody sees it.
func (t *incoming) sound(in *serverRequest) bool {
	for _, p := range in.note.Problems(t.conn.rev) {
		t.diagnose(p.Code, 0, p.Detail, p.Detail)
		if p.Code.Refuses() {
			t.turnAway(in, mcp.CodeInvalidParams, p.Detail)
			return false
		}
	}
	return true
}

// strict refuses a request to the user that no request of belay's can have led
// to, where the user wants that (SMP-41).
func (t *incoming) strict(in *serverRequest) bool {
	if !t.cfg.StrictAsks || !t.rows.idle() {
		return false
	}
	t.diagnose(mcp.DiagStrictAsk, 0, in.method, sentence.Name(in.method))
	t.turnAway(in, mcp.CodeInvalidParams, "no request of the client's is in flight that it could belong to")
	return true
}

// idle reports whether no call is in flight that the server has or may have read.
func (r *rows) idle() bool {
	for c := r.oldest; c != nil; c = c.next {
		if c.req.order != 0 && c.Origin != FromHandshake && !c.sub.isStanding() {
			return false
		}
	}
	return true
}

// answer queues an answer for a request that is open.
func (t *incoming) answer(in *serverRequest, data []byte) {
	if in.prompt == 0 { // nobody has seen it, and the answer may wait for long
		in.lighten()
	}
	p := &pending{class: classAnswer, answers: in, method: in.method, kind: EntResult}
	p.Data = data
	in.out, in.refused = t.out.enqueue(p), ""
}

// turnAway refuses a request in the user's name. One that was meant for the user
// is counted: who is asked must learn that there was a question.
func (t *incoming) turnAway(in *serverRequest, code int64, message string) {
	t.reject(in, code, message)
	if mcp.AsksUser(in.method) {
		t.away++
		t.lastAway = TurnAway{Method: in.method, Why: sentence.Clip(message)}
	}
}

func (t *incoming) reject(in *serverRequest, code int64, message string) {
	t.answer(in, mcp.AppendError(nil, in.idRaw, code, message, nil))
	in.out.kind = EntError
}
