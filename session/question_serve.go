package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// serve answers a request, refuses it, or makes a question of it.
func (t *incoming) serve(in *serverRequest) {
	if t.conn.rev.IsModern() {
		t.ignoreRequest(in)
		return
	}
	if !t.admitAnswer(in) {
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

func (t *incoming) serveSampling(in *serverRequest) {
	switch {
	case !t.declared.sampling:
		t.refuseUndeclared(in, mcp.CodeMethodNotFound, "sampling")
	case in.note.Tools && !t.declared.tools && t.conn.rev >= mcp.Rev20251125:
		t.refuseUndeclared(in, mcp.CodeInvalidParams, "tools in sampling (sampling.tools)")
	case !t.sound(in):
	default:
		if c := in.note.Context; c != "" && c != "none" && t.conn.rev >= mcp.Rev20251125 {
			t.diagnose(mcp.DiagSamplingContext, 0, c, sentence.Name(c))
		}
		t.enqueueQuestion(in)
	}
}

func (t *incoming) serveElicitation(in *serverRequest) {
	has, mode := t.declared, in.note.Mode
	form, url := has.form && t.conn.rev.Elicits(), has.url && t.conn.rev.ElicitsURL()
	switch {
	case !form && !url:
		t.refuseUndeclared(in, mcp.CodeMethodNotFound, "elicitation")
	case mode == mcp.ElicitForm && !form, mode == mcp.ElicitURL && !url, mode != mcp.ElicitForm && mode != mcp.ElicitURL:
		t.refuseUndeclared(in, mcp.CodeInvalidParams, "elicitation in mode "+shown(string(mode)))
	case t.sound(in):
		t.enqueueQuestion(in)
	}
}
