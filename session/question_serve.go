package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// serve answers a request, refuses it, or makes a question of it.
func (qs *incoming) serve(in *serverRequest) {
	if qs.conn.rev.IsModern() {
		qs.ignoreRequest(in)
		return
	}
	if !qs.admitAnswer(in) {
		return
	}
	qs.open[in.id] = in
	if in.refusal != "" {
		qs.turnAway(in, mcp.CodeInternal, in.refusal)
		return
	}
	switch in.method {
	case "ping":
		qs.answer(in, mcp.AppendResult(nil, in.idRaw, []byte("{}")))
	case "roots/list":
		qs.serveRoots(in)
	case "sampling/createMessage":
		qs.serveSampling(in)
	case "elicitation/create":
		qs.serveElicitation(in)
	default:
		qs.diagnose(mcp.DiagUnknownMethod, 0, in.method, sentence.Name(in.method))
		qs.reject(in, mcp.CodeMethodNotFound, "Method not found: "+in.method)
	}
}

func (qs *incoming) serveSampling(in *serverRequest) {
	switch {
	case !qs.declared.sampling:
		qs.refuseUndeclared(in, mcp.CodeMethodNotFound, "sampling")
	case in.note.Tools && !qs.declared.tools && qs.conn.rev >= mcp.Rev20251125:
		qs.refuseUndeclared(in, mcp.CodeInvalidParams, "tools in sampling (sampling.tools)")
	case !qs.sound(in):
	default:
		if c := in.note.Context; c != "" && c != "none" && qs.conn.rev >= mcp.Rev20251125 {
			qs.diagnose(mcp.DiagSamplingContext, 0, c, sentence.Name(c))
		}
		qs.enqueueQuestion(in)
	}
}

func (qs *incoming) serveElicitation(in *serverRequest) {
	has, mode := qs.declared, in.note.Mode
	form, url := has.form && qs.conn.rev.Elicits(), has.url && qs.conn.rev.ElicitsURL()
	switch {
	case !form && !url:
		qs.refuseUndeclared(in, mcp.CodeMethodNotFound, "elicitation")
	case mode == mcp.ElicitForm && !form, mode == mcp.ElicitURL && !url, mode != mcp.ElicitForm && mode != mcp.ElicitURL:
		qs.refuseUndeclared(in, mcp.CodeInvalidParams, "elicitation in mode "+shown(string(mode)))
	case qs.sound(in):
		qs.enqueueQuestion(in)
	}
}
