package session

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
)

// What comes and answers nothing: the oracle of which cancelled rows it may be meant for,
// which have not met with silence then.

// strays is a message that answers no request that was sent; a key is the ID that it
// names, empty: none that can be one.
func (h *oracle) strays(key string) {
	var e *oracleExchange
	if h.web != nil {
		e = h.web.via
	}
	if e != nil && e.opened && !e.head.isSuccess() {
		return
	}
	if key != "" && key[0] == 's' {
		number, _ := idKey(json.RawMessage(key[1:]))
		if r := h.reqs[number]; r != nil && number[0] == 'n' && r.begun && r.row != nil {
			h.w.counts.add("race", "answer with its ID as a string")
			h.strayed(r.row)
			return
		}
	}
	h.straysOn(e)
}

// straysOn is something on an exchange, or on stdio, that is no message: it may be meant for
// the row of the exchange, or else for any that is being cancelled.
func (h *oracle) straysOn(e *oracleExchange) {
	switch {
	case e != nil && e.opened && !e.head.isSuccess():
		return
	case e != nil && e.req != nil && e.req.row != nil:
		h.strayed(e.req.row)
		return
	case e != nil && e.req == nil && e.row != nil:
		h.strayed(e.row)
		return
	}
	for _, c := range h.half {
		h.w.counts.add("race", "stray after a verdict in its middle")
		h.strayed(c)
	}
	for _, c := range h.rows {
		if c.state == Cancelling {
			h.strayed(c)
		}
	}
}

// leftOver is what has come of a message elsewhere than on the exchange of its row, when
// the row ends or that exchange does, and whose end did not come.
func (h *oracle) leftOver(c *oracleRow, e *oracleExchange) {
	k := c.cancel
	if e.part.size == 0 || e.req != nil && e.req.row != nil || e.row != nil && e.row != c || e.opened && !e.head.isSuccess() || k.answered || e.part.last.Before(k.written) {
		return
	}
	h.w.counts.add("race", "half a message elsewhere")
	k.strays = append(k.strays, e.part.last)
	h.dirty[c.id] = true
}

func (h *oracle) strayed(c *oracleRow) {
	if k := c.cancel; c.isStopped() && !k.answered {
		h.w.counts.add("race", "stray after the cancel")
		k.strays = append(k.strays, h.now)
		h.dirty[c.id] = true
	}
}

// straysFor is something that can be meant for one row only, if that was cancelled.
func (h *oracle) straysFor(c *oracleRow) {
	if h.web != nil && h.web.via != nil && h.web.via.opened && !h.web.via.head.isSuccess() {
		return
	}
	h.strayed(c)
}

// cancelsCall is a cancel of the server's that names a row: it cancels nothing, and is no
// silence.
func (h *oracle) cancelsCall(key string) {
	if h.reqs[key] == nil && key != "" && key[0] == 's' && !h.before.rev.IsModern() {
		key, _ = idKey(json.RawMessage(key[1:]))
	}
	if r := h.reqs[key]; r != nil && r.begun && r.row != nil && r.row.isStopped() {
		h.w.counts.add("race", "cancelled row cancelled by the server")
		h.straysFor(r.row)
	}
}

// leaves notes the questions that a row leaves, which is cancelled while they wait.
func (h *oracle) leaves(c *oracleRow) {
	for _, a := range h.incoming {
		if a.state == Waiting && !a.userSaid && slices.Contains(a.owners, c.req) && h.owns(c.req) {
			a.left = append(a.left, c)
		}
	}
}

// takesBackQuestion is the withdrawal of a question, for the rows that may have asked it: it
// breaks no silence.
func (h *oracle) takesBackQuestion(a *oracleQuestion) {
	rows, several := slices.Concat(a.perhaps, a.left), len(a.owners) > 1 || len(a.perhaps) > 0
	if a.stopped != nil {
		rows, several = []*oracleRow{a.stopped}, false
	}
	for _, c := range rows {
		switch {
		case !c.isStopped() || c.cancel.answered:
		case several:
			h.w.counts.add("race", "question of a cancelled row or another withdrawn")
			c.cancel.perhapsBack = append(c.cancel.perhapsBack, h.now)
			h.dirty[c.id] = true
		default:
			h.w.counts.add("race", "question of a cancelled row withdrawn")
			c.cancel.withdrew = h.now
			h.dirty[c.id] = true
		}
	}
}

// malformedProgress is progress without a number, or without a proper token.
func (h *oracle) malformedProgress(params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"progressToken"`
	}
	_ = json.Unmarshal(params, &p)
	key, _ := idKey(p.Token)
	switch r := h.bearers[key]; {
	case r == nil:
		h.straysProgress(key)
	case r.row != nil && r.row.req == r:
		h.w.counts.add("race", "malformed progress")
		h.straysFor(r.row)
	}
}

// straysProgress is progress with a token of no request of this connection. It may be meant
// for the row whose token or ID has the same digits in the other type of JSON, or whose ID
// is the token; else for any.
func (h *oracle) straysProgress(key string) {
	if r := h.almostNamed(key); r != nil && r.row != nil {
		h.w.counts.add("race", "progress that almost names a row")
		h.straysFor(r.row)
		return
	}
	h.w.counts.add("race", "progress that names nothing")
	h.strays("")
}

func (h *oracle) almostNamed(key string) *oracleRequest {
	if key == "" {
		return nil
	}
	id, alike := key, "s"+key[1:]
	if key[0] == 's' {
		id, _ = idKey(json.RawMessage(key[1:]))
		alike = id
	}
	if r := h.bearers[alike]; r != nil {
		return r
	}
	if r := h.reqs[id]; r != nil && r.begun {
		return r
	}
	return nil
}

// bears notes that the body of a request was begun, with its token.
func (h *oracle) bears(r *oracleRequest) {
	if r.token != "" && r.begun {
		h.bearers[r.token] = r
	}
}

// mayHaveWithdrawn counts the questions that were taken back since the cancel was written, and were the
// row's or another's.
func (k *oracleCancel) mayHaveWithdrawn() (n int) {
	for _, at := range k.perhapsBack {
		if k.written.IsZero() || !at.Before(k.written) {
			n++
		}
	}
	return n
}

// withdrawnAt is when the server last took back, after the cancel, what the row may have asked.
func (k *oracleCancel) withdrawnAt() time.Time {
	if k.written.IsZero() || k.withdrew.Before(k.written) {
		return time.Time{}
	}
	return k.withdrew
}

// isUnclear reports whether bytes came after the cancel that nobody can make sense of.
func (k *oracleCancel) isUnclear() bool {
	for _, at := range k.strays {
		if !k.written.IsZero() && !at.Before(k.written) {
			return true
		}
	}
	return false
}

// straysIfUnknown is an answer, which strays if it names nothing that was sent. An error
// in the answer to a cancel is about the cancel then.
func (h *oracle) straysIfUnknown(key string, named bool, m message) {
	if named && (h.reqs[key] != nil || h.isIssued(key)) {
		return
	}
	odd := !named && m["id"] != nil && string(m["id"]) != "null" // nobody can tell what it answers
	if h.web != nil && h.web.via != nil && h.web.via.wrong && !odd {
		h.w.counts.add("race", "answer to a wrong cancel")
		return
	}
	about := h.web != nil && h.web.via != nil && h.web.via.role == roleCancel && m["error"] != nil && m["result"] == nil
	if !named {
		bare := m["id"] == nil || string(m["id"]) == "null"
		if about = about && bare; !about {
			h.strays("")
		}
		return
	}
	if !about {
		h.strays(key)
	}
}

// isIssued reports whether an ID is kept for a request that waits to be sent.
func (h *oracle) isIssued(key string) bool {
	n, err := strconv.ParseInt(key[1:], 10, 64)
	return err == nil && key[0] == 'n' && n > h.w.s.outgoing.gone && n < h.w.s.outgoing.nextID
}
