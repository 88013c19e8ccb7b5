package session

import (
	"encoding/json"
	"time"
)

// What comes elsewhere than on the exchange of its request: the oracle of what of
// it is evidence.

// cancelLeft says whether a cancel of a row was handed out.
func (c *shadeRow) cancelLeft() bool {
	return c != nil && c.cancel != nil && (c.cancel.order != 0 || c.cancel.former != nil)
}

func (c *shadeRow) isStopped() bool {
	return c.cancel != nil && (c.state == Cancelling || c.state == Cancelled)
}

// isEvidence says whether an answer with this ID is one of a cancelled row.
func (h *shadow) isEvidence(key string) bool {
	r := h.reqs[key]
	return r != nil && r.row.cancelLeft()
}

// elsewhere says whether the message at hand came on another exchange than that of
// this request.
func (h *shadow) elsewhere(r *shadeReq) bool {
	if h.web == nil || h.web.old || h.web.via == nil || h.web.via.req == r {
		return false
	}
	h.w.counts.add("race", "evidence elsewhere")
	return true
}

// refusedBatch is a batch in a revision that has none: what is for cancelled rows
// counts, and nothing else.
func (h *shadow) refusedBatch(batch []json.RawMessage) {
	for _, b := range batch {
		var m message
		if json.Unmarshal(b, &m) != nil || m == nil {
			continue
		}
		var counts bool
		switch key, named := idKey(m["id"]); {
		case m["method"] == nil:
			counts = named && h.isEvidence(key)
		case m.method() == "notifications/progress":
			var p struct {
				Token json.RawMessage `json:"progressToken"`
			}
			_ = json.Unmarshal(m["params"], &p)
			key, _ := idKey(p.Token)
			counts = h.tokens[key].cancelLeft()
		}
		if counts {
			h.w.counts.add("race", "evidence in a refused batch")
			h.message(m)
		}
	}
}

// asksAfterCancel is a question to the user, which is a message for the cancelled
// row that alone it can be about.
func (h *shadow) asksAfterCancel(method string) {
	if method != "sampling/createMessage" && method != "elicitation/create" {
		return
	}
	var c *shadeRow
	if h.web != nil && h.web.via != nil {
		if c = h.web.via.row; h.web.via.req != nil {
			c = h.web.via.req.row
		}
	}
	if c == nil {
		var all []*shadeRow
		for _, o := range h.rows {
			if o.epoch == h.w.epoch && o.origin == FromUser && !o.stands() && h.mayAsk(o) {
				all = append(all, o)
			}
		}
		if len(all) != 1 {
			return
		}
		c = all[0]
	}
	if c.isStopped() {
		h.w.counts.add("race", "question after the cancel")
		h.heardAfter(c)
	}
}

// mayAsk says whether a row is in flight, or was cancelled lately and not answered.
func (h *shadow) mayAsk(c *shadeRow) bool {
	switch c.state {
	case Running, Cancelling:
		return true
	case Cancelled:
		return !c.cancel.answered && h.now.Sub(c.endedAt) <= time.Minute
	default:
		return false
	}
}
