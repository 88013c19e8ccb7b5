package session

import (
	"bytes"
	"strings"

	"belay/session/mcp"
	"belay/session/sentence"
)

// subscriptions are what belay remembers of its subscriptions beyond their rows.
//
//shape:machine 3
type subscriptions struct {
	*log
	cfg         *Config
	carried     []carriedSubscriptions // the user's subscriptions that the next connection begins again
	ended       int                    // how many of the user's subscriptions ended by themselves …
	last        CallID                 // … and the latest of them
	ownOver     bool                   // belay's own subscription to the lists ended on this connection; belay begins no other
	residuals   []*call                // rows that have ended and whose subscription may stand on this connection, oldest first
	jitterState uint64                 // of [subscriptions.jittered]
}

// begin forgets what holds on one connection alone.
func (sb *subscriptions) begin() {
	for _, c := range sb.residuals {
		c.touch()
	}
	sb.ownOver, sb.residuals = false, nil
}

// activeSubscriptionFor returns the user's row that already covers everything spec would
// subscribe to, or nil. It keeps one resource from having two rows. In the handshake
// revisions the server knows of a single subscription, so that the end of one row
// would be the end of both; in the modern era every update would come twice.
func (sb *subscriptions) activeSubscriptionFor(spec CallSpec) *call {
	var want mcp.Filter
	switch modern := sb.conn.rev.IsModern(); {
	case spec.Method == methodSubscribe && !modern:
		want.URIs = []string{targetOf(spec.Method, spec.Params)}
	case spec.Method == methodListen && modern && !spec.Raw:
		want = mcp.FilterAt(bytes.TrimSpace(spec.Params))
	}
	if want.Count() == 0 {
		return nil
	}
	for _, c := range sb.rows.subs {
		has := c.sub.asked
		if c.sub.listen && c.sub.active {
			has = c.sub.agreed
		}
		if c.Origin == FromUser && c.state != Cancelling && want.Without(has).Count() == 0 {
			return c
		}
	}
	return nil
}

// onAcknowledgementOverdue notes that the server has not acknowledged a subscription in
// time. The subscription stays, as the acknowledgement may still come.
func (sb *subscriptions) onAcknowledgementOverdue(c *call) {
	sb.note(c, "no acknowledgement after "+ackLimit.String())
}

// onSubscriptionUpdate counts a notification that a subscription has brought.
func (l *log) onSubscriptionUpdate(c *call, f *mcp.Frame) {
	c.sub.onUpdate(l.now, c.state.IsTerminal())
	text := strings.TrimPrefix(f.Method, "notifications/")
	if about := f.Subscription().About(); about != "" {
		text += " " + sentence.Clip(about)
	}
	l.moment(c, MomentView{Dir: In, Kind: MomUpdate, Text: text, Entry: l.hist.cur})
}

// onListenAnswer notes that a server has ended a subscription with its result. An error is no end
// of one, but the answer that there is none (SUB-14, SUB-22; basic/patterns/subscriptions).
func (sb *subscriptions) onListenAnswer(c *call, f *mcp.Frame) {
	if f.Kind != mcp.FrameResult || f.Shape.Kind != '{' {
		return
	}
	sb.endListen(c, "ended by the server, with a result")
	if id := f.OfSub; id != c.req.id {
		sb.diagnose(mcp.DiagSubTag, c.id, "result", tagWords("the final result", id))
	}
}

func (sb *subscriptions) endListen(c *call, words string) {
	words = c.sub.onEnd(words)
	c.say(saying(words))
	sb.moment(c, MomentView{Dir: In, Kind: MomEnded, Text: words, Entry: sb.hist.cur})
}

// hasEndedBefore reports whether an answer to a request is another form of an end that was told already.
func (r *request) hasEndedBefore() bool {
	return r.call.isListen() && r.call.sub.ended && r.answer.kind == 0
}

// tellEndAgain tells of another form of an end.
func (sb *subscriptions) tellEndAgain(c *call) {
	sb.hist.setCall(c.id)
	sb.moment(c, MomentView{Dir: In, Kind: MomResult, Entry: sb.hist.cur})
}

// onSubscriptionOver tells that a subscription has ended for good: to begin it again is up to the
// user (SUB-12, SUB-13; basic/patterns/subscriptions).
func (sb *subscriptions) onSubscriptionOver(c *call) {
	if sb.conn.phase != Ready || !c.isListen() {
		return
	}
	if c.Origin != FromBelay {
		if c.stop == nil {
			sb.ended, sb.last = sb.ended+1, c.id
			sb.event(c.name() + " has ended; it is not begun again by itself")
		}
		return
	}
	sb.ownOver = true
	switch u := c.sub; {
	case c.stop != nil:
		sb.eventWith("belay hears of no changed list any more until the server is started again", RemedyReload)
	case !u.active && u.resubscription.times == 0:
		sb.eventWith("the server takes no subscription to its lists", RemedyReload)
	case u.active && u.agreed.Count() == 0:
		sb.eventWith("the server tells of no changed list", RemedyReload)
	default:
		sb.eventWith("belay's subscription to the lists has ended: "+c.remark.text, RemedyReload)
	}
}
