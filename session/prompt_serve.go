package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// mayAnswer reports whether another answer has a place. A request that finds none
// is not answered, and diagnosed.
func (s *Session) mayAnswer(in *serverRequest) bool {
	if q := &s.out.queues[classAnswer]; q.live < maxAnswers && q.bytes <= maxAnswerBytes {
		return true
	}
	delete(s.incoming.open, in.id)
	s.diagnose(mcp.DiagPromptFlood, 0, "", sentence.Name(in.method))
	return false
}

// serve answers a request, refuses it, or makes a prompt of it.
func (s *Session) serve(in *serverRequest) {
	if s.conn.rev.Modern() {
		s.ignoreRequest(in)
		return
	}
	if !s.mayAnswer(in) {
		return
	}
	s.incoming.open[in.id] = in
	if in.refusal != "" {
		s.turnAway(in, mcp.CodeInternal, in.refusal)
		return
	}
	switch in.method {
	case "ping":
		s.answer(in, mcp.AppendResult(nil, in.idRaw, []byte("{}")))
	case "roots/list":
		s.serveRoots(in)
	case "sampling/createMessage":
		s.serveSampling(in)
	case "elicitation/create":
		s.serveElicitation(in)
	default:
		s.diagnose(mcp.DiagUnknownMethod, 0, in.method, sentence.Name(in.method))
		s.reject(in, mcp.CodeMethodNotFound, "Method not found: "+in.method)
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
func (s *Session) undeclared(in *serverRequest, code int64, what string) {
	s.diagnose(mcp.DiagUndeclared, 0, what, what)
	s.turnAway(in, code, "belay did not declare "+what)
}

func (s *Session) serveSampling(in *serverRequest) {
	switch {
	case !s.conn.declared.sampling:
		s.undeclared(in, mcp.CodeMethodNotFound, "sampling")
	case in.note.Tools && !s.conn.declared.tools && s.conn.rev >= mcp.Rev20251125:
		s.undeclared(in, mcp.CodeInvalidParams, "tools in sampling (sampling.tools)")
	case !s.sound(in):
	default:
		if c := in.note.Context; c != "" && c != "none" && s.conn.rev >= mcp.Rev20251125 {
			s.diagnose(mcp.DiagSamplingContext, 0, c, sentence.Name(c))
		}
		s.enqueuePrompt(in)
	}
}

func (s *Session) serveElicitation(in *serverRequest) {
	has, mode := s.conn.declared, in.note.Mode
	form, url := has.form && s.conn.rev.Elicits(), has.url && s.conn.rev.ElicitsURL()
	switch {
	case !form && !url:
		s.undeclared(in, mcp.CodeMethodNotFound, "elicitation")
	case mode == mcp.ElicitForm && !form, mode == mcp.ElicitURL && !url, mode != mcp.ElicitForm && mode != mcp.ElicitURL:
		s.undeclared(in, mcp.CodeInvalidParams, "elicitation in mode "+shown(string(mode)))
	case s.sound(in):
		s.enqueuePrompt(in)
	}
}

// sound diagnoses the faults of a request to the user. A request that cannot be
// shown as the server means it is refused before anybody sees it.
func (s *Session) sound(in *serverRequest) bool {
	for _, p := range in.note.Problems(s.conn.rev) {
		s.diagnose(p.Code, 0, p.Detail, p.Detail)
		if p.Code.Refuses() {
			s.turnAway(in, mcp.CodeInvalidParams, p.Detail)
			return false
		}
	}
	return true
}

// strict refuses a request to the user that no request of belay's can have led
// to, where the user wants that (SMP-41).
func (s *Session) strict(in *serverRequest) bool {
	if !s.cfg.StrictAsks || !s.rows.idle() {
		return false
	}
	s.diagnose(mcp.DiagStrictAsk, 0, in.method, sentence.Name(in.method))
	s.turnAway(in, mcp.CodeInvalidParams, "no request of the client's is in flight that it could belong to")
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
func (s *Session) answer(in *serverRequest, data []byte) {
	if in.prompt == 0 { // nobody has seen it, and the answer may wait for long
		in.lighten()
	}
	p := &pending{class: classAnswer, answers: in, method: in.method, kind: EntResult}
	p.Data = data
	in.out, in.refused = s.out.enqueue(p), ""
}

// turnAway refuses a request in the user's name. One that was meant for the user
// is counted: who is asked must learn that there was a question.
func (s *Session) turnAway(in *serverRequest, code int64, message string) {
	s.reject(in, code, message)
	if mcp.AsksUser(in.method) {
		s.incoming.away++
		s.incoming.lastAway = TurnAway{Method: in.method, Why: sentence.Clip(message)}
	}
}

func (s *Session) reject(in *serverRequest, code int64, message string) {
	s.answer(in, mcp.AppendError(nil, in.idRaw, code, message, nil))
	in.out.kind = EntError
}
