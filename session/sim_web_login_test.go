package session

import (
	"strings"
	"time"
)

// Logins and sessions over HTTP: what they have a row wait for, and what begins
// anew.

// shadeLogin is what the shadow knows of a row and logins.
type shadeLogin struct {
	waits  bool // for a login
	goes   bool // its request is to be made again
	logins int
}

// wantsLogin says whether a login could help against a refusal.
func wantsLogin(head Head) bool {
	all := strings.Join(head.Challenge, " ")
	return head.Status == 401 && (all == "" || strings.HasPrefix(all, "Bearer")) || head.Status == 403 && strings.Contains(all, "insufficient_scope")
}

// parks says whether a refusal has its row wait for a login.
func (h *shadow) parks(e *shadeX) bool {
	c := e.req.row
	return wantsLogin(e.head) && e.role == roleRequest && e.opened && h.w.s.cfg.Login && c.state == Running && c.logins < 3 && (h.before.phase == Connecting || h.before.phase == Ready)
}

// loggedIn is the end of a login.
func (h *shadow) loggedIn(seq uint64, failure string) {
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

// madeAgain is a request that was made before: it was refused for want of a
// login, or of the other transport. No other is ever made twice.
func (h *shadow) madeAgain(c *shadeRow, out Output) {
	if c.state != Running {
		h.w.fail("row %d is %v, and is made again: %s", c.id, c.state, out.Data)
	}
	if h.now.Before(c.later) {
		h.w.fail("row %d is begun again at %v, it was to be at %v", c.id, h.now, c.later)
	}
	c.goes, c.waits, c.acked, c.later = false, false, false, time.Time{}
	h.dirty[c.id] = true
}

// sessionOver is 404 to what named the session: a new connection begins, without
// a transport's doing, unless that happens too often.
func (h *shadow) sessionOver() {
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
	h.closing(false)
	h.w.rootLook, h.former = 0, h.theirs
	h.w.epoch++
	h.connected(false)
}
