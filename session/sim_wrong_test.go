package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"belay/session/mcp"
)

// Wrong cancels that the user sends on purpose. The oracle knows each of them by its
// epoch and its bytes, once: whatever else of the kind is written is a mistake.

// oracleWrongs are those that were taken and are to be written.
type oracleWrongs map[string]int

func wrongKey(e Epoch, line []byte) string { return fmt.Sprint(e, " ", string(line)) }

// doWrong sends one, of any kind and about any row.
func (w *simulation) doWrong(a, b uint64) {
	in := WrongCancel{Kind: of(a, Wrongs...), Call: w.someRow(b), Reason: fmt.Sprintf("on purpose %d", a)}
	if a%3 == 0 { // of the calls that have ended few are of the connection of now
		in.Kind = WrongAfter
	}
	if a%17 == 0 {
		in.Kind = "rude"
	}
	st := w.s.Status()
	if in.Kind.NeedsCall() && b%5 > 0 {
		for _, id := range w.oracle.ids() {
			if c := w.oracle.rows[id]; w.oracle.mayBeWrong(in, c, st) == 0 {
				in.Call = id
			}
		}
	}
	c := w.oracle.rows[in.Call]
	w.input(func() {
		before := len(w.s.WrongCancels())
		_, err := w.s.Handle(w.now, in)
		if may := w.oracle.mayBeWrong(in, c, st); errors.Is(err, &Refusal{Code: RefuseShared}) != (may == RefuseShared) || err == nil && may != 0 {
			w.fail("the wrong cancel %+v of %+v: %v, must be refused by %d", in, c, err, may)
		}
		if !w.taken(err) {
			return
		}
		w.counts.add("wrong", string(in.Kind))
		all := w.s.WrongCancels()
		v := all[len(all)-1]
		if len(all) != min(before+1, maxWrongs) || v.Kind != in.Kind {
			w.fail("the wrong cancel %+v is kept as %+v", in, v)
			return
		}
		w.oracle.wroteIn = w.epoch
		w.oracle.wrongs[wrongKey(w.exchange().Epoch, w.oracle.wrongLine(in, c, v.ID))]++
	})
}

// mayBeWrong is why one must be refused; 0: it may be taken, though another reason is known
// to the core alone.
func (h *oracle) mayBeWrong(in WrongCancel, c *oracleRow, st Status) RefusalCode {
	overHTTP := h.web != nil
	switch {
	case in.Kind == "rude":
		return RefuseParams
	case st.Phase == Disconnected || st.Phase == Connecting:
		return RefuseNotReady
	case st.Phase == Closing:
		return RefuseQuitting
	case overHTTP && st.Revision.IsModern():
		return RefuseUnsupported
	case overHTTP && !h.w.cfg.WrongCancels:
		return RefuseShared
	case !in.Kind.NeedsCall():
		return 0
	case c == nil:
		return RefuseUnknown
	case c.origin == FromHandshake:
		return RefuseInitialize
	case c.epoch != h.w.epoch:
		return RefuseFinished
	case in.Kind == WrongTwice && (c.cancel == nil || c.cancel.order == 0 && c.cancel.former == nil):
		return RefuseParams
	case in.Kind == WrongAfter && (!c.state.IsTerminal() || c.req == nil || !c.req.answered):
		return RefuseParams
	case in.Kind == WrongType && c.state != Running:
		return RefuseParams
	}
	return 0
}

// wrongLine is what the user has asked for, to the letter.
func (h *oracle) wrongLine(in WrongCancel, c *oracleRow, id string) []byte {
	const head = `{"jsonrpc":"2.0","method":"notifications/cancelled"`
	switch in.Kind {
	case WrongNoParams:
		return []byte(head + `}`)
	case WrongNoID:
		return []byte(head + `,"params":{"reason":"` + in.Reason + `"}}`)
	case WrongObjectID:
		return []byte(head + `,"params":{"requestId":{},"reason":"` + in.Reason + `"}}`)
	case WrongUnknown:
		h.unknown(id)
	case WrongTwice, WrongAfter:
		id = c.last.Latest.String()
		if c.req != nil {
			id = c.req.id
		}
	case WrongType:
		id = `"` + c.req.id + `"`
	}
	return []byte(head + `,"params":{"requestId":` + id + `,"reason":"` + in.Reason + `"}}`)
}

// unknown holds that an ID is of no request, of either side, and notes it: none may have it
// later.
func (h *oracle) unknown(id string) {
	key, ok := idKey(json.RawMessage(id))
	if !ok || strings.HasPrefix(key, "s") || h.reqs[key] != nil || h.incoming[key] != nil || h.ended[key] != nil || h.neverUsed[key] {
		h.w.fail("the unknown ID %s is known", id)
	}
	h.neverUsed[key] = true
}

// wrote takes a wrong cancel that is written, and reports whether it is one.
func (h *oracle) wrote(out Output) bool {
	key := wrongKey(out.X.Epoch, out.Data)
	if h.wrongs[key] == 0 {
		return false
	}
	h.wrongs[key]--
	if h.web != nil {
		h.web.now.wrong = true
	}
	h.cancelsFirst(out)
	if !h.initialized {
		h.w.fail("a wrong cancel before initialized: %s", out.Data)
	}
	if h.w.web != nil && h.w.s.Status().Revision.IsModern() {
		h.w.fail("a cancel over HTTP in the modern era: %s", out.Data)
	}
	var m struct{ Method string }
	if json.Unmarshal(out.Data, &m) != nil || m.Method != "notifications/cancelled" || mcp.Decode(out.Data).Method != m.Method {
		h.w.fail("that is no cancel: %s", out.Data)
	}
	return true
}
