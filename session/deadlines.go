package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/timer"
)

// The deadlines of a session. Of two that are due at once, the one that is listed first
// fires first.
const (
	dueAck              timer.Kind = iota + 1 // a subscription of a call is not acknowledged
	dueRule                                   // a call's rule stops it
	dueMax                                    // a call has taken as long as it may
	dueIdle                                   // nothing was heard of a call for as long as may be
	dueWait                                   // a call that waits between two requests goes on
	dueStop                                   // the next thing in a call's cancellation
	dueFollow                                 // what a call goes on as is looked at
	dueNegotiation                            // one answer of the opening has waited long enough for the other
	dueEndpoint                               // HTTP+SSE is tried, and the server has named no endpoint
	dueRefresh                                // lists that changed are fetched again
	duePage                                   // the next page of a list is fetched
	dueShow                                   // the pages of a list that came are shown without the rest
	duePingLate                               // the periodic ping that is out counts as missed
	duePing                                   // the next periodic ping is sent
	dueRoots                                  // the roots are looked at
	dueExchange                               // an exchange should have ended by itself
	dueResume                                 // the stream of a request is taken up again
	dueServerStreamWait                       // the user's calls wait no longer for the server's own stream
	dueServerStream                           // the server's own stream is opened again
	dueClose                                  // the cancels of a connection that closes have had their time
)

// ofConnection are the deadlines that end with their connection.
var ofConnection = []timer.Kind{
	dueStop, dueFollow, dueNegotiation, dueEndpoint, dueRefresh, duePage, dueShow, duePingLate, duePing, dueRoots, dueExchange, dueResume, dueServerStreamWait, dueServerStream, dueClose,
}

// Tick fires what is due. After a jump of time (a machine that slept) nothing
// is: the clocks go on from where they stood, and the jump is told (TMO-17).
type Tick struct{ never }

func (Tick) apply(s *Session) Reply {
	closeAt, closes := s.timers.At(once(dueClose)), false
	for {
		due, ok := s.timers.Expired(s.now)
		switch {
		case !ok:
			if closes {
				if closeAt.IsZero() {
					closeAt = s.now
				}
				s.timers.Set(once(dueClose), closeAt) // until it is handed out
			}
			return Reply{}
		case due.Kind == dueClose:
			closes = true
		case due.Kind <= dueFollow:
			s.onCallDue(s.rows.get(CallID(due.ID)), due.Kind)
		default:
			s.onDue(due)
		}
	}
}

// onCallDue carries out what is due of a call.
func (s *Session) onCallDue(c *call, k timer.Kind) {
	switch k {
	case dueAck:
		s.subs.onAcknowledgementOverdue(c)
	case dueRule, dueMax, dueIdle:
		s.onClockOver(c, k)
	case dueWait:
		s.onWaitOver(c)
	case dueStop:
		s.onStopDue(c)
	case dueFollow:
		s.followers.of(c.goesOn.kind()).onDue(c)
	}
}

// onClockOver stops a call by its rule, because the call took too long, or because nothing
// was heard of it for too long. If a late Tick finds several of these due, they count in
// that order.
func (s *Session) onClockOver(c *call, over timer.Kind) {
	for _, k := range clockKinds {
		if at := s.timers.At(c.due(k)); !at.IsZero() && !at.After(s.now) {
			over = min(over, k)
		}
	}
	switch {
	case over == dueRule:
		s.stopByRule(c, s.rows.byClock(c, s.conn.trips.Best()))
	case c.Origin == FromHandshake:
		s.handshakeTimeout(c)
	case over == dueMax:
		s.stopCall(c, cancel.ByTimeout, timeoutReason("no end after", c.Max))
	default:
		s.stopCall(c, cancel.ByTimeout, timeoutReason("silent for", c.Idle))
	}
}

// onDue carries out what is due of a connection.
func (s *Session) onDue(due timer.Owner) {
	switch due.Kind {
	case dueNegotiation:
		if s.conn.phase == Connecting {
			s.follow(nil, s.conn.era.OnTick(s.now), s.http.overdueDiscoverWords())
		}
	case dueEndpoint:
		s.link.onEndpointOverdue(s.http.noOlderServer(s.cfg.Endpoint, s.http.missingEndpointWords()))
	case dueRefresh:
		s.refreshLists()
	case duePage:
		s.onPageDue(mcp.ListKind(due.ID))
	case dueShow:
		s.catalog.showPages(mcp.ListKind(due.ID))
	case duePingLate:
		s.pings.onPingLate()
	case duePing:
		s.pings.onPingDue()
	case dueRoots:
		s.incoming.onRootsDue()
	case dueExchange:
		s.onCloseOverdue(s.http.open[due.ID])
	case dueResume:
		s.http.onResumeDue(due.ID)
	case dueServerStreamWait:
		s.http.serverStream.isAwaited = false
	case dueServerStream:
		s.http.openServerStream()
	}
}
