package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// admitAnswer admits another answer where there is a place for it, and reports whether there was. A
// request without one is not answered, and diagnosed.
func (qs *incoming) admitAnswer(in *serverRequest) bool {
	if q := &qs.out.queues[classAnswer]; q.live < maxAnswers && q.bytes <= maxAnswerBytes {
		return true
	}
	delete(qs.open, in.id)
	qs.diagnose(mcp.DiagQuestionFlood, 0, "", sentence.Name(in.method))
	return false
}

// refuseUndeclared refuses a request for something that belay did not declare.
func (qs *incoming) refuseUndeclared(in *serverRequest, code int64, what string) {
	qs.diagnose(mcp.DiagUndeclared, 0, what, what)
	qs.turnAway(in, code, "belay did not declare "+what)
}

// sound diagnoses the faults of a request to the user. A request that cannot be
// shown as the server means it is refused before anybody sees it.
func (qs *incoming) sound(in *serverRequest) bool {
	for _, p := range in.note.Problems(qs.conn.rev) {
		qs.diagnose(p.Code, 0, p.Detail, p.Detail)
		if p.Code.Refuses() {
			qs.turnAway(in, mcp.CodeInvalidParams, p.Detail)
			return false
		}
	}
	return true
}

// strict refuses a request to the user that no request of belay's can have led to, where the user
// wants that (SMP-41; client/sampling).
func (qs *incoming) strict(in *serverRequest) bool {
	if !qs.cfg.StrictAsks || !qs.rows.areIdle() {
		return false
	}
	qs.diagnose(mcp.DiagStrictAsk, 0, in.method, sentence.Name(in.method))
	qs.turnAway(in, mcp.CodeInvalidParams, "no request of the client's is in flight that it could belong to")
	return true
}

// areIdle reports whether no call is in flight that the server has or may have read.
func (r *rows) areIdle() bool {
	for c := r.oldest; c != nil; c = c.next {
		if c.req.order != 0 && c.Origin != FromHandshake && !c.sub.isStanding() {
			return false
		}
	}
	return true
}

// answer queues an answer for a request that is open.
func (qs *incoming) answer(in *serverRequest, data []byte) {
	if in.questionID == 0 { // nobody has seen it, and the answer may wait for long
		in.lighten()
	}
	p := &pending{class: classAnswer, answers: in, method: in.method, kind: EntResult}
	p.Data = data
	in.out, in.answerRejected = qs.out.enqueue(p), ""
}

// turnAway refuses a request in the user's name. A request that was meant for the user is
// counted, so that the user learns of the question.
func (qs *incoming) turnAway(in *serverRequest, code int64, message string) {
	qs.reject(in, code, message)
	if mcp.AsksUser(in.method) {
		qs.away++
		qs.lastAway = TurnAway{Method: in.method, Why: sentence.Clip(message)}
	}
}

func (qs *incoming) reject(in *serverRequest, code int64, message string) {
	qs.answer(in, mcp.AppendError(nil, in.idRaw, code, message, nil))
	in.out.kind = EntError
}

// ignoreRequest is all that happens to a request of the server's in the modern era: only the
// client asks there, so nothing is ever written for it, and nobody is asked (BASE-27, BASE-28;
// basic).
func (qs *incoming) ignoreRequest(in *serverRequest) {
	delete(qs.open, in.id)
	qs.remember(in)
	qs.diagnose(mcp.DiagServerRequest, 0, in.method, sentence.Name(in.method))
}
