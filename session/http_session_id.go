package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
)

// onSessionID takes the ID of the session from the head of the answer to initialize. It goes with
// every later exchange, and is never shown (HTL-37 … HTL-39; basic/transports).
func (s *Session) onSessionID(e *exchange) {
	id := e.head.Session
	if id == "" || e.p.method != "initialize" || !e.head.isSuccess() || s.conn.phase != Connecting {
		return
	}
	if odd := oddInSession(id); odd != "" {
		s.link.fail(&Failure{
			Kind: FailHandshake,
			Text: fmt.Sprintf("the server's session ID holds a character that it must not hold (0x%02X); only visible ASCII is allowed", odd[0]),
			Hint: "the server has to be mended: the ID could not be sent back to it",
		})
		return
	}
	if e.head.Sessions > 1 {
		s.diagnose(mcp.DiagSessions, callOf(e), "", fmt.Sprintf("%d of them", e.head.Sessions))
	}
	s.http.nameSession(id)
}

const (
	renewWindow = time.Minute
	maxRenewals = 3 // within the window
)

// onSessionEnded is HTTP 404 to an exchange that named the session, or another way to say the
// same: the server has forgotten it. A new one begins, without the ID; what was in flight is lost,
// and no call is repeated behind the user's back (HTL-41, HTL-42; basic/transports).
func (s *Session) onSessionEnded(e *exchange) {
	if s.conn.phase == Disconnected || s.conn.phase == Closing {
		return
	}
	w := &s.http
	for len(w.expired) > 0 && s.now.Sub(w.expired[0]) > renewWindow {
		w.expired = w.expired[1:]
	}
	if w.expired = append(w.expired, s.now); len(w.expired) > maxRenewals {
		s.link.fail(&Failure{
			Kind: FailHTTP, Text: fmt.Sprintf("the server has ended %d sessions within %v (HTTP %d)", len(w.expired), renewWindow, e.head.Status),
			Remedy: Remedy{Kind: RemedyReconnect},
		})
		return
	}
	s.onDisconnected(Close{Status: "the server " + e.sessionWords(), renewed: true})
	s.event("session expired: starting a new one")
	s.http.renewed++
	s.http.renewedFor = e.head.Status
	s.http.resubscribed = len(s.subs.carried)
	s.link.replaces = s.conn.epoch + 1
	s.connect()
}

// onEndpoint takes the address to which everything is posted. It must have the origin of the
// stream (HTL-01; basic/transports).
func (s *Session) onEndpoint(data string) {
	if s.http.postTo != "" {
		s.diagnose(mcp.DiagEventName, 0, "endpoint", "a second endpoint event; it is ignored")
		return
	}
	base := s.cfg.Origin
	if base == "" {
		base = s.cfg.Endpoint
	}
	to, err := sameOrigin(base, data)
	if err != nil {
		s.link.fail(&Failure{
			Kind: FailHTTP, Text: "the server's endpoint event cannot be used: " + err.Error(),
			Hint: "belay sends nothing to another origin",
		})
		return
	}
	s.timers.Stop(once(dueEndpoint))
	s.http.postsTo(to)
}

// endpointLimit is how long a server of 2024-11-05 may take to name its endpoint: it has started, as it
// has refused initialize before.
const endpointLimit = 30 * time.Second

// onEventsEnded is the end of the one stream of 2024-11-05: nothing can be heard
// any more.
func (s *Session) onEventsEnded(e *exchange, end End) {
	if s.conn.phase == Closing || s.conn.phase == Disconnected {
		return
	}
	if s.conn.phase == Connecting {
		stream := "ended: " + end.words()
		if e.opened && !(e.head.isSuccess() && e.head.streams()) {
			stream = "is none: " + statusWords(e.head, end)
		}
		for c := s.rows.oldest; c != nil; {
			next := c.next
			if c.Origin == FromHandshake && c.epoch == s.conn.epoch {
				how := "refused"
				if c.Method == methodDiscover { // which was asked on it, after a refused initialize
					how = "not answered"
				}
				o := outcome{to: Failed, says: saying(how + ", and the event stream of older servers " + stream), told: true}
				if c.state == Queued {
					s.out.withdraw(c.req.out)
					o.to, o.says = Dropped, saying("not sent: the event stream of older servers "+stream)
				}
				s.retireRequest(c)
				s.move(c, o)
			}
			c = next
		}
		s.link.fail(s.http.noOlderServer(s.cfg.Endpoint, stream))
		return
	}
	epoch := s.conn.epoch
	s.onDisconnected(Close{Status: "closed its event stream", Err: end.Err, Alive: true})
	s.http.ops = append(s.http.ops, Output{Op: OpClose, X: ExchangeID{Epoch: epoch}})
}
