package session

import (
	"encoding/json"
	"time"
)

// What comes elsewhere than on the exchange of its request: the oracle of what of
// it is evidence.

// isCancelHandedOut reports whether a cancel of a row was handed out.
func (c *oracleRow) isCancelHandedOut() bool {
	return c != nil && c.cancel != nil && (c.cancel.order != 0 || c.cancel.former != nil)
}

func (c *oracleRow) isStopped() bool {
	return c.cancel != nil && (c.state == Cancelling || c.state == Cancelled)
}

// isEvidence reports whether an answer with this ID is one of a cancelled row, or to a ping
// that waits for it.
func (h *oracle) isEvidence(key string) bool {
	r := h.reqs[key]
	return r != nil && r.begun && (r.row.isCancelHandedOut() || r.row == nil && !r.answered && !r.gone)
}

// ignores notes an answer that came where it is none: if its row is cancelled later,
// it crossed that.
func (h *oracle) ignores(key string) {
	if r := h.reqs[key]; r != nil && r.begun && !r.answered && !r.gone {
		if r.ignored == nil {
			r.ignored = &oracleAnswer{}
			if h.gave.err != "" {
				r.ignored.err = oddError // without what is large in it
			}
		}
	}
}

// answeredElsewhere is a cancel that was written when the answer had come elsewhere.
func (h *oracle) answeredElsewhere(c *oracleRow) {
	k := c.cancel
	if c.req.ignored == nil || k.answered || c.ends || c.stands() {
		return
	}
	h.w.counts.add("race", "cancel of what was answered elsewhere")
	k.answered, k.elsewhere, k.bound = true, true, 0
	c.late = *c.req.ignored
	if c.state == Cancelling && !k.closes {
		h.move(c, Cancelling, Cancelled)
	}
}

// elsewhere reports whether the message at hand came on another exchange than that of
// this request.
func (h *oracle) elsewhere(r *oracleRequest) bool {
	if h.web == nil || h.web.old || h.web.via == nil || h.web.via.req == r {
		return false
	}
	h.w.counts.add("race", "evidence elsewhere")
	return true
}

// countsElsewhere reports whether an answer counts that came elsewhere.
func (h *oracle) countsElsewhere(key string) bool {
	if !h.isEvidence(key) {
		h.ignores(key)
		if e := h.web.via; e.role == roleRequest && e.req.row != nil && h.reqs[key] != nil && h.reqs[key].begun {
			h.w.counts.add("race", "another's answer on the stream of a row")
			h.straysFor(e.req.row)
		}
		return false
	}
	return true
}

// refusedBatch is a batch in a revision that has none: what is for cancelled rows
// counts, and nothing else.
func (h *oracle) refusedBatch(batch []json.RawMessage) {
	for _, b := range batch {
		var m message
		if json.Unmarshal(b, &m) != nil || m == nil {
			h.strays("")
			continue
		}
		var counts bool
		switch key, named := idKey(m["id"]); {
		case m["method"] == nil:
			h.gave = answerOf(m)
			if counts = named && h.isEvidence(key); !counts {
				h.ignores(key)
				switch {
				case !named:
					h.strays("")
				case h.reqs[key] == nil && !h.isIssued(key):
					h.strays(key)
				case h.reqs[key] != nil && h.reqs[key].begun && h.reqs[key].row == nil:
					h.w.counts.add("race", "probe answered in a refused batch")
					h.strays("")
				}
			}
		case m.method() == "notifications/progress":
			var p struct {
				Token    json.RawMessage `json:"progressToken"`
				Progress json.Number     `json:"progress"`
			}
			proper := json.Unmarshal(m["params"], &p) == nil && p.Progress != ""
			key, ok := idKey(p.Token)
			switch {
			case !proper || !ok:
				h.malformedProgress(m["params"])
			case h.bearers[key] == nil:
				h.straysProgress(key)
			default:
				counts = h.progresses(key).isCancelHandedOut()
			}
		}
		if counts {
			h.w.counts.add("race", "evidence in a refused batch")
			h.message(m)
		}
	}
}

// asksAfterCancel is a request of the server's, which is a message for the cancelled row on
// whose stream it comes. A question to the user is one for the row that alone it can be
// about and, unless it may have been on its way, that row waits for the user now.
func (h *oracle) asksAfterCancel(method string) *oracleRow {
	question := method == "sampling/createMessage" || method == "elicitation/create"
	h.perhaps = nil
	var c *oracleRow
	if h.web != nil && h.web.via != nil {
		if c = h.web.via.row; h.web.via.req != nil {
			c = h.web.via.req.row
		}
	}
	if c == nil && question {
		var all []*oracleRow
		for _, o := range h.rows {
			if o.epoch == h.w.epoch && o.origin == FromUser && !o.stands() && h.mayAsk(o) {
				all = append(all, o)
			}
		}
		if len(all) != 1 {
			h.perhaps = h.askPerhaps(all)
			return nil
		}
		c = all[0]
	}
	if c == nil || !c.isStopped() {
		return nil
	}
	if question {
		h.w.counts.add("race", "question after the cancel")
	} else {
		h.w.counts.add("race", "request on the stream of a cancelled row")
	}
	if !question || !c.cancel.atWriter() { // one in that time is told as a question that crossed the cancel
		h.heardAfter(c)
	}
	if k := c.cancel; !question || k.written.IsZero() || h.began.Before(k.written) || h.began.Sub(k.written) <= h.onTheWay()+k.waited {
		return nil
	}
	return c
}

// askPerhaps returns the cancelled ones of the rows that may have asked a question, each of which has
// to tell of it.
func (h *oracle) askPerhaps(all []*oracleRow) (stopped []*oracleRow) {
	for _, c := range all {
		if c.isStopped() {
			h.w.counts.add("race", "question of a cancelled row or another")
			stopped = append(stopped, c)
			if !c.cancel.answered {
				c.cancel.perhaps++
				h.dirty[c.id] = true
			}
		}
	}
	return stopped
}

// asksStill reports whether a row waits for the user to answer a question that it asked
// after its cancel.
func (h *oracle) asksStill(c *oracleRow) bool {
	for _, a := range h.incoming {
		if a.stopped == c && a.state == Waiting {
			h.w.counts.add("race", "question waits when the grace ends")
			return true
		}
	}
	return false
}

// mayAsk reports whether a row is in flight, or was cancelled lately and not answered.
func (h *oracle) mayAsk(c *oracleRow) bool {
	switch c.state {
	case Running, Cancelling:
		return true
	case Cancelled:
		return !c.cancel.answered && h.now.Sub(c.endedAt) <= time.Minute
	default:
		return false
	}
}
