package session

import (
	"maps"
	"strings"
	"time"
)

// Logins and sessions over HTTP: what they have a row wait for, and what begins
// anew.

// oracleLogin is what the oracle knows of a row and logins.
type oracleLogin struct {
	waits  bool // for a login
	goes   bool // its request is to be made again
	logins int
}

// wantsLogin reports whether a login could help against a refusal.
func wantsLogin(head Head) bool {
	all := strings.Join(head.Challenge, " ")
	return head.Status == 401 && (all == "" || strings.HasPrefix(all, "Bearer")) || head.Status == 403 && strings.Contains(all, "insufficient_scope")
}

// parks reports whether a refusal has its row wait for a login.
func (h *oracle) parks(e *oracleExchange) bool {
	return e.role == roleRequest && h.mayWait(e)
}

// hearsLater reports whether a refusal has the stream of a row, which runs at the
// server, wait for a login.
func (h *oracle) hearsLater(e *oracleExchange) bool { return e.role == roleResume && h.mayWait(e) }

func (h *oracle) mayWait(e *oracleExchange) bool {
	c := e.req.row
	return wantsLogin(e.head) && e.opened && h.w.s.cfg.Login && c.state == Running && c.logins < 3 && (h.before.phase == Connecting || h.before.phase == Ready)
}

// loggedIn is the end of a login.
func (h *oracle) loggedIn(seq uint64, failure string) {
	if seq != h.web.login {
		return
	}
	h.taken()
	h.web.login = 0
	if failure == "" && h.web.listenLogin {
		h.web.listenOff, h.web.listenLogin = false, false
	}
	for _, id := range h.ids() {
		switch c := h.rows[id]; {
		case c.epoch == h.w.epoch && c.deaf():
			h.heardOn(c, failure == "")
		case !c.waits || c.goes || c.epoch != h.w.epoch:
		case failure == "":
			h.w.counts.add("race", "row is made again after a login")
			c.goes = true
			h.initOut = h.initOut && c.req.method != "initialize"
		default:
			h.w.counts.add("race", "no login")
			c.waits = false
			h.move(c, Running, Failed)
		}
	}
}

// deaf reports whether the stream of a row waits for a login.
func (c *oracleRow) deaf() bool { return c.req != nil && c.req.again != nil && c.req.again.login }

// heardOn is the end of a login for which the stream of a row waited.
func (h *oracle) heardOn(c *oracleRow, yes bool) {
	if a := c.req.again; yes {
		h.w.counts.add("race", "stream is taken up again after a login")
		a.login, a.at, a.due = false, h.now, true
		h.dirty[c.id] = true
	} else {
		h.w.counts.add("race", "no login to hear more")
		c.req.again = nil
		if c.state == Running {
			c.req.gone = true
			h.move(c, Running, Lost)
		}
	}
}

// madeAgain is a request that was made before: it was refused for want of a
// login, or of the other transport. No other is ever made twice.
func (h *oracle) madeAgain(c *oracleRow, out Output) {
	if c.state != Running {
		h.w.fail("row %d is %v, and is made again: %s", c.id, c.state, out.Data)
	}
	if h.now.Before(c.later) {
		h.w.fail("row %d is begun again at %v, it was to be at %v", c.id, h.now, c.later)
	}
	c.goes, c.waits, c.acked, c.later = false, false, false, time.Time{}
	h.dirty[c.id] = true
}

// isGone reports whether the server does not know the session that an exchange named.
func (e *oracleExchange) isGone() bool {
	return e.session && e.opened && (e.head.Status == 404 && !e.unrouted || e.unknown)
}

// losesSession takes a message that says, with HTTP 400, that the server does not
// know the session. What awaits an answer ends with its exchange; anything else ends
// the session at once, but for the end of the handshake, from which that is new.
func (h *oracle) losesSession(line []byte) bool {
	if h.web == nil || h.web.via == nil {
		return false
	}
	e := h.web.via
	if !e.session || !e.opened || e.head.Status != 400 || string(line) != lostAnswer || e.ends {
		return false
	}
	h.w.counts.add("race", "session lost, by 400")
	e.unknown = true
	if e.role == roleCancel {
		h.cancelAccepted(e)
	}
	if e.role != roleRequest && e.role != roleResume {
		h.sessionOver()
	}
	return true
}

// probeDenied is a probe that hears that the session is over: the server lives, whoever
// it is now, and those that waited for it heard nothing until then.
func (h *oracle) probeDenied(p *oracleProbe) {
	h.answers = true
	for _, c := range h.rows {
		if c.state == Cancelling && c.cancel.probe == p {
			c.cancel.read = true
			h.dirty[c.id] = true
		}
	}
}

// sessionOver is 404 to what named the session: a new connection begins, without
// a transport's doing, unless that happens too often.
func (h *oracle) sessionOver() {
	if h.before.phase == Closing || !h.live {
		return
	}
	b := h.web
	for len(b.ended) > 0 && h.now.Sub(b.ended[0]) > time.Minute {
		b.ended = b.ended[1:]
	}
	if b.ended = append(b.ended, h.now); len(b.ended) > 3 {
		h.w.counts.add("race", "too many sessions")
		return
	}
	h.w.counts.add("race", "session expired")
	h.renews = true
	h.closing(false)
	h.renews = false
	if h.former == nil {
		h.former = map[string]*oracleQuestion{}
	}
	maps.Copy(h.former, h.incoming) // several sessions may expire before somebody looks
	h.w.rootLook = 0
	h.w.epoch++
	h.connected(false)
}
