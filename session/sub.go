package session

import (
	"bytes"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// The two requests that subscribe. In the handshake revisions one names a
// resource, is answered at once, and what it began goes on; in the modern one
// the request itself stays open for as long as the subscription lasts.
const (
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
	methodListen      = "subscriptions/listen"
)

// CanCall says why no call can be made now: nil, or a [Refusal] that is
// ErrNotReady or ErrQuitting. While connecting, calls wait.
func (st *Status) CanCall() error { return unconnected(st.Phase, st.Transport) }

// CanSubscribe says why there is no subscription to what a filter names: nil,
// or a [Refusal] that is ErrNotReady, ErrNotSupported where the revision has none
// of its kind, ErrUndeclared, or ErrParams.
func (st *Status) CanSubscribe(f mcp.Filter) error {
	if err := st.CanCall(); err != nil {
		return err
	}
	switch lists := f.Tools || f.Prompts || f.Resources; {
	case st.Phase != Ready:
		return refuse(RefuseNotReady, "not connected yet")
	case lists && !st.Revision.Modern():
		return refuse(RefuseUnsupported, "in %s changes of lists come by themselves", st.Revision)
	case len(f.URIs) > 0 && !st.Server.Has.Subscribe:
		return refuse(RefuseUndeclared, "the server does not declare resources.subscribe")
	case len(f.URIs) > 1 && !st.Revision.Modern():
		return refuse(RefuseParams, "in %s each resource has a subscription of its own", st.Revision)
	case !lists && len(f.URIs) == 0:
		return refuse(RefuseParams, "there is nothing to subscribe to")
	}
	return nil
}

// Subscribe wants to hear of what a filter names, by the request that the
// revision has for it. Both limits are those of a [CallSpec]: they end when the
// server agrees. What [Status.CanSubscribe] refuses and what [StartCall]
// does is refused, and what a row subscribes to already.
type Subscribe struct {
	Filter mcp.Filter    `json:"filter"`
	Idle   time.Duration `json:"idle,omitempty"`
	Max    time.Duration `json:"max,omitempty"`
}

func (in Subscribe) check(s *Session) error {
	st := s.Status()
	if err := st.CanSubscribe(in.Filter); err != nil {
		return err
	}
	return StartCall{s.conn.subscription(in.Filter)}.check(s)
}

func (in Subscribe) apply(s *Session) Reply {
	spec := s.conn.subscription(in.Filter)
	spec.Idle, spec.Max = in.Idle, in.Max
	return StartCall{spec}.apply(s)
}

// activeSubscriptionFor returns the user's row that already covers everything spec would
// subscribe to, or nil. It keeps one resource from having two rows. In the handshake
// revisions the server knows of a single subscription, so that the end of one row
// would be the end of both; in the modern era every update would come twice.
func (sb *subscriptions) activeSubscriptionFor(spec CallSpec) *call {
	var want mcp.Filter
	switch modern := sb.conn.rev.Modern(); {
	case spec.Method == methodSubscribe && !modern:
		want.URIs = []string{targetOf(spec.Method, spec.Params)}
	case spec.Method == methodListen && modern && !spec.Raw:
		want = mcp.FilterAt(bytes.TrimSpace(spec.Params))
	}
	if len(want.Words()) == 0 {
		return nil
	}
	for _, c := range sb.rows.subs {
		has := c.sub.asked
		if c.sub.listen && c.sub.active {
			has = c.sub.agreed
		}
		if c.Origin == FromUser && c.state != Cancelling && len(want.Without(has).Words()) == 0 {
			return c
		}
	}
	return nil
}

// becomeSubscription turns the call that a server has answered into the subscription that it
// began: it stays in flight, without a clock. It says false for any other call.
func (s *Session) becomeSubscription(c *call, f *mcp.Frame) bool {
	if c.sub == nil || c.sub.listen || s.conn.rev.Modern() || f.Kind != mcp.FrameResult || f.Shape.Kind != '{' {
		return false
	}
	s.incoming.orphanPrompts(c) // from now on no request of the server's can be its own
	s.subs.dropResidual(c.sub.uri)
	s.rows.stand(c)
	c.sub.agreed = c.sub.asked
	c.sub.idle, c.sub.most = c.Idle, c.Max
	c.Idle, c.Max = -1, -1
	s.http.resumeClocks(c)
	c.stopClocks(&s.timers)
	if s.http.noOwnStream() {
		s.note(c, "the server has no stream of its own: its updates have no way to come")
	}
	if c.state == Cancelling { // its cancel was taken back: what stands now is ended
		c.stop.BecomesEnd(s.now)
		s.writer.queueUnsubscribe(c)
		c.watchStop(&s.timers)
	}
	s.rows.touch(c)
	return true
}

// ackLimit is how long a server may take to acknowledge a subscription before
// the row says that it has not (TMO-15).
const ackLimit = 10 * time.Second

// noOwnStream says that in a handshake revision nothing comes but on the exchanges
// of belay's own requests.
func (w *exchanges) noOwnStream() bool {
	return w.cfg.Transport == mcp.HTTP && w.carrier == streamable && (w.cfg.NoListen || w.listen.off)
}

// onAcknowledgementOverdue tells that it has not. The subscription stays: it may come.
func (l *log) onAcknowledgementOverdue(c *call) {
	l.note(c, "no acknowledgement after "+ackLimit.String())
}

// onUnsubscribeAnswer takes the answer to that, or in the modern era the final result
// of a subscription that was cancelled: it is what the server did about it. Such
// a result is not held against the server, though it comes after a cancel: it is
// also how a subscription is to end.
func (s *Session) onUnsubscribeAnswer(c *call, f *mcp.Frame) {
	st := c.stop
	if st.HasAnswer() {
		return
	}
	var answer cancel.Answer
	kind := MomResult
	switch f.Kind {
	case mcp.FrameResult:
	case mcp.FrameError:
		kind = MomError
		answer.Err = s.results.keepError(c, f)
	default:
		if answer = oddAnswer(f); answer.Odd || answer.Failed {
			kind = MomError
		}
	}
	s.http.noteAnswer(c, answer)
	s.moment(c, MomentView{Dir: In, Kind: kind, Entry: s.hist.cur})
}

// onUnsubscribeEnded is the end of the exchange of that request without an answer.
func (s *Session) onUnsubscribeEnded(c *call, e *exchange, end End) {
	switch {
	case !e.opened:
		s.onCancelRejected(c, end.words())
	case !e.head.ok():
		s.onCancelRejected(c, statusWords(e.head, end))
	case !c.stop.IsGraceOver() && !c.stop.WrittenAt().IsZero():
		if end.Body != "" {
			s.rows.noteStray(c, s.now, s.now, strayBody(end), 0)
		}
		s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: "the server closed the exchange without an answer"})
		s.onGraceOver(c)
	}
}

// SubscriptionView is what the table shows of a row that subscribes; its zero value
// is that of any other row.
type SubscriptionView struct {
	Is       bool      // the row is one
	Listens  bool      // of the modern era: the request stays open
	Active   bool      // the server has agreed to it
	ByServer bool      // the server ended it
	Updates  int       // notifications that came for it
	Last     time.Time // of those; zero: none came

	Asked, Agreed int       // how many things it is to bring, and how many of them the server agreed to
	AgainAt       time.Time // it broke off, and is begun again then; zero: neither
	Carried       bool      // it ended with its connection, and the next one begins it again
	Garbled       bool      // the server acknowledged it, but what it agreed to cannot be read
	Unheard       bool      // the stream that would bring its updates is away
	Left          Residual  // … once its row was cancelled
}

func (s *Session) subView(c *call) SubscriptionView {
	u := c.sub
	if u == nil {
		return SubscriptionView{}
	}
	v := SubscriptionView{Is: true, Listens: u.listen, Active: u.active, ByServer: u.ended, Updates: u.updates, Last: u.last, Asked: len(u.asked.Words())}
	v.Agreed = v.Asked - len(u.asked.Without(u.agreed).Words())
	if c.isWaitingFor(pauseWait) {
		v.AgainAt = s.timers.At(c.due(dueWait))
	}
	v.Carried, v.Garbled = u.again.carried, u.garbled
	v.Unheard, v.Left = s.http.noteStreamAway(c), s.conn.residualOf(c)
	return v
}

// noteStreamAway says that a subscription stands, and that the stream which would bring
// its updates is away.
func (w *exchanges) noteStreamAway(c *call) bool {
	u := c.sub
	return u != nil && !u.listen && u.active && c.state == Running && c.epoch == w.conn.epoch && w.listen.isAway()
}
