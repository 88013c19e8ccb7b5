package session

import "belay/session/mcp"

// mostEvidence is how many messages for a cancelled call a recording keeps in any case. More
// of them say no more about it.
const mostEvidence = 1000

// IsPassing reports whether a journal can do without a message that is about to be received on
// x: no state, verdict or output follows from it that the last one of its kind does not bring as well,
// but that the server was heard of. It names the call that was heard of; 0: none.
func (j *Journal) IsPassing(x ExchangeID, f *mcp.Frame) (heard CallID, ok bool) {
	switch {
	case !j.conn.isLive(x):
		return 0, true
	case j.conn.phase != Ready:
		return 0, false
	}
	switch f.Kind {
	case mcp.FrameInvalid:
		return 0, j.http.exchange(x) == nil // on stdio it is noise, and over HTTP evidence
	case mcp.FrameResult, mcp.FrameError, mcp.FrameMalformed:
		return 0, j.http.exchange(x) == nil && !f.ID.IsZero() && j.outgoing.named(f.ID) == nil
	case mcp.FrameNotification:
		if e := j.http.exchange(x); e != nil && e.req != nil && e.req.call != nil && !e.req.call.passes() {
			return 0, false
		}
		return j.passingNotification(f)
	case mcp.FrameRequest, mcp.FrameBatch, mcp.FrameOversize:
	}
	return 0, false
}

func (j *Journal) passingNotification(f *mcp.Frame) (heard CallID, ok bool) {
	switch f.Method {
	case "notifications/progress":
		r, _ := j.outgoing.requestOf(f.Progress.Token)
		if r == nil || r.call == nil {
			return 0, true
		}
		return r.call.id, r.call.passes()
	case "notifications/message":
		return 0, j.rows.cancelling == 0 && len(j.rows.cancelledLately) == 0
	case "notifications/tools/list_changed":
		return 0, j.catalog.lists[mcp.Tools].changed
	case "notifications/prompts/list_changed":
		return 0, j.catalog.lists[mcp.Prompts].changed
	case "notifications/resources/list_changed":
		return 0, j.catalog.lists[mcp.Resources].changed && j.catalog.lists[mcp.Templates].changed
	case "notifications/cancelled", "notifications/subscriptions/acknowledged", "notifications/elicitation/complete",
		"notifications/tasks/status", "notifications/tasks":
		return 0, false
	}
	return 0, true
}

// passes reports whether progress of a call changes nothing but how far the call is: it
// neither stops the call nor is evidence about its cancel.
func (c *call) passes() bool {
	switch {
	case c.stop != nil:
		all := c.stop.Count().All
		return all > mostEvidence
	case c.state.IsTerminal():
		return true
	}
	return c.state == Running && c.Rules == Rules{} && c.goesOn == nil
}
