package session

import (
	"bytes"
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// onRequest takes a request of the server's. Stream is the call on whose stream the request came.
// Asker is the cancelled call that asks; a late request is evidence of that call. Perhaps are the
// cancelled calls that may ask, where others may, too.
func (qs *incoming) onRequest(f *mcp.Frame, stream CallID, asker *call, late bool, perhaps []*call) {
	if waiting := qs.open[f.ID]; waiting != nil {
		qs.diagnose(mcp.DiagDuplicateRequest, 0, f.ID.String(), fmt.Sprintf("%s, the ID of %s that still waits", f.ID, waiting.method))
		return
	}
	if qs.seen[f.ID] != nil {
		qs.diagnose(mcp.DiagReusedRequest, 0, f.ID.String(), f.ID.String())
	}
	in := &serverRequest{
		id: f.ID, idRaw: bytes.Clone(f.IDRaw), method: shown(f.Method),
		arrived: qs.now, entry: qs.hist.cur, stream: stream, cancelledBefore: perhaps, question: question{note: f.Ask},
	}
	if asker != nil {
		in.asker = asker.id
	}
	if late {
		in.stopped = asker
	}
	switch {
	case f.Kind == mcp.FrameOversize:
		in.refusal = "the request takes " + sentence.Size(f.Size) + ", which is more than belay reads"
	case len(in.idRaw) > maxID:
		in.refusal = fmt.Sprintf("its ID takes %s; belay keeps at most %s", sentence.Size(len(in.idRaw)), sentence.Size(maxID))
		qs.diagnose(mcp.DiagQuestionFlood, 0, "", sentence.Name(in.method)+": "+in.refusal)
	case f.Ask != nil:
		in.params, in.size = copyPart(f, f.Params), len(f.Params)
	}
	in.size += 2 * len(in.idRaw)
	if qs.conn.readyAt.IsZero() && (f.Method != "ping" || qs.conn.era.Asked().IsModern()) {
		qs.deferUntilInitialized(in)
		return
	}
	qs.serve(in)
}

// readCancel returns what a notifications/cancelled says; nil: it names nothing.
func (qs *incoming) readCancel(f *mcp.Frame) *mcp.CancelledNote {
	qs.hist.mark(FlagCancel)
	n := f.Cancelled
	if n == nil || n.ID.IsZero() {
		why := "no parameters"
		if n != nil {
			why = n.Why
		}
		qs.diagnose(mcp.DiagCancelMalformed, 0, "", why)
		qs.logIgnored(CancelMalformed, mcp.CancelledNote{Why: why}, "")
		return nil
	}
	if !n.Valid {
		qs.diagnose(mcp.DiagCancelMalformed, 0, "", n.Why)
	}
	return n
}

// onCancelled takes what the server cancels, before the modern era. It reaches only the server's
// own requests; from then on nothing is written for that request, neither a result nor an error
// (CXS-01, CXS-04; basic/utilities/cancellation). The calls that the request held are returned.
func (qs *incoming) onCancelled(n *mcp.CancelledNote) (released []*call) {
	in := qs.open[n.ID] // a server may have used an ID that is not proper
	switch {
	case in != nil:
		qs.takeWithdrawal(in, n.Reason)
		return qs.withdraw(in, n.Reason)
	case qs.seen[n.ID] != nil:
		in = qs.seen[n.ID]
		qs.logIgnored(CancelTooLate, *n, in.method)
		if in.state == Withdrawn {
			return nil // its reason stays the one that withdrew it
		}
		if !in.withdrawnLate {
			qs.takeWithdrawal(in, n.Reason)
			qs.onLateWithdrawal(in, n.Reason)
		}
		in.withdrawnLate, in.reason = true, heardReason(n.Reason)
	case !n.Valid:
		qs.logIgnored(CancelMalformed, *n, "")
	default:
		if r := qs.outgoing.open[n.ID]; r != nil {
			qs.diagnose(mcp.DiagCancelForeign, 0, n.ID.String(), n.ID.String())
		}
		qs.logIgnored(CancelUnknown, *n, "")
	}
	return nil
}

// isServerRequest reports whether an ID is that of a request of the server's.
func (qs *incoming) isServerRequest(id mcp.ID) bool { return qs.open[id] != nil || qs.seen[id] != nil }

// withdraw ends a request that the server has taken back, and returns the calls that it
// held.
func (qs *incoming) withdraw(in *serverRequest, reason string) (released []*call) {
	delete(qs.open, in.id)
	qs.remember(in)
	if in.out != nil && !qs.out.withdraw(in.out) {
		qs.broken("request %v is open, but its answer is out", in.id)
	}
	for i, h := range qs.deferred {
		if h == in {
			qs.deferred = append(qs.deferred[:i], qs.deferred[i+1:]...)
			break
		}
	}
	in.reason = heardReason(reason)
	qs.logWithdrawn(in)
	if in.questionID != 0 {
		return qs.closeQuestion(in, Withdrawn)
	}
	in.state = Withdrawn // what is said of it again changes nothing
	return nil
}

// reopen has a question wait again whose answer was not accepted, unless the server has
// withdrawn the question in the meantime, or would take an answer for that to another request.
// It returns the calls that the question holds no more.
func (qs *incoming) reopen(in *serverRequest, why string) (released []*call) {
	in.answerRejected = why
	later := qs.open[in.id]
	if later == nil {
		later = qs.seen[in.id]
	}
	if later != nil && later != in {
		in.answerRejected += ", and the server has used its ID again"
		in.state = QuestionLost
		return nil
	}
	in.state, in.ended, in.out = Waiting, time.Time{}, nil
	qs.waiting++
	if in.task != nil { // it has no ID of its own, and holds no call
		return nil
	}
	qs.open[in.id] = in
	in.orphan = in.orphan || in.alive > 0
	in.alive, in.owner = 0, 0
	var owner *call
	for c := qs.rows.oldest; c != nil && c.id <= in.upto; c = c.next {
		if mayOwn(in, c) {
			in.orphan, owner = false, c
			qs.hold(in, c)
		}
	}
	if in.hasSoleOwner() {
		qs.moment(owner, MomentView{Dir: Local, Kind: MomNote, Text: "the answer was not accepted: " + why})
	}
	if in.withdrawnLate {
		return qs.withdraw(in, in.reason)
	}
	return nil
}

// closeInputs closes what a round still asks, for this reason. No call is held by that.
func (qs *incoming) closeInputs(ro *round, why string) {
	for _, in := range ro.inputs {
		if in.questionID == 0 || in.state != Waiting {
			continue
		}
		in.closed = why
		qs.closeQuestion(in, Dismissed)
	}
}

// abandonWait ends what a call waits for, and closes what its round still asks, for this
// reason.
func (qs *incoming) abandonWait(c *call, why string) {
	if ro := c.round(); ro != nil {
		qs.closeInputs(ro, why)
	}
	qs.endWait(c)
}
