package session

import (
	"bytes"
	"fmt"

	"belay/session/mcp"
	"belay/session/sentence"
)

// onRequest takes a request of the server's.
func (s *Session) onRequest(f *mcp.Frame) {
	var stopped *call
	if mcp.AsksUser(f.Method) {
		stopped = s.http.asksAfterCancel(f.Method)
	}
	if waiting := s.incoming.open[f.ID]; waiting != nil {
		s.diagnose(mcp.DiagDuplicateRequest, 0, f.ID.String(), fmt.Sprintf("%s, the ID of %s that still waits", f.ID, waiting.method))
		return
	}
	if s.incoming.seen[f.ID] != nil {
		s.diagnose(mcp.DiagReusedRequest, 0, f.ID.String(), f.ID.String())
	}
	in := &serverRequest{
		id: f.ID, idRaw: bytes.Clone(f.IDRaw), method: shown(f.Method),
		arrived: s.now, entry: s.hist.cur, stream: callOf(s.http.via), question: question{note: f.Ask, stopped: stopped},
	}
	switch {
	case f.Kind == mcp.FrameOversize:
		in.refusal = "the request takes " + sentence.Size(f.Size) + ", which is more than belay reads"
	case len(in.idRaw) > maxID:
		in.refusal = fmt.Sprintf("its ID takes %s; belay keeps at most %s", sentence.Size(len(in.idRaw)), sentence.Size(maxID))
		s.diagnose(mcp.DiagPromptFlood, 0, "", sentence.Name(in.method)+": "+in.refusal)
	case f.Ask != nil:
		in.params, in.size = copyPart(f, f.Params), len(f.Params)
	}
	in.size += 2 * len(in.idRaw)
	if s.conn.readyAt.IsZero() && (f.Method != "ping" || s.conn.era.Asked().Modern()) {
		s.incoming.deferUntilInitialized(in)
		return
	}
	s.incoming.serve(in)
}

// onCancelled takes notifications/cancelled. It reaches only the server's own
// requests; from then on nothing is written for that request, neither a result
// nor an error (CXS-01, CXS-04).
func (s *Session) onCancelled(f *mcp.Frame) {
	s.hist.mark(FlagCancel)
	n := f.Cancelled
	if n == nil || n.ID.IsZero() {
		why := "no parameters"
		if n != nil {
			why = n.Why
		}
		s.diagnose(mcp.DiagCancelMalformed, 0, "", why)
		s.logIgnored(CancelMalformed, mcp.ID{}, "", why)
		return
	}
	if !n.Valid {
		s.diagnose(mcp.DiagCancelMalformed, 0, "", n.Why)
	}
	if s.conn.rev.Modern() {
		s.onListenCancelled(n)
		return
	}
	in := s.incoming.open[n.ID] // a server may have used an ID that is not proper
	switch {
	case in != nil:
		s.withdrawPrompt(in, n.Reason)
	case s.incoming.seen[n.ID] != nil:
		in = s.incoming.seen[n.ID]
		s.logIgnored(CancelTooLate, n.ID, n.Reason, in.method)
		if in.state == Withdrawn {
			return // its reason stays the one that withdrew it
		}
		if !in.recanted {
			s.onLateWithdrawal(in, n.Reason)
		}
		in.recanted, in.reason = true, capReason(n.Reason)
	case !n.Valid:
		s.logIgnored(CancelMalformed, n.ID, n.Reason, n.Why)
	default:
		if r := s.outgoing.open[n.ID]; r != nil {
			s.diagnose(mcp.DiagCancelForeign, 0, n.ID.String(), n.ID.String())
		}
		s.logIgnored(CancelUnknown, n.ID, n.Reason, "")
	}
}
