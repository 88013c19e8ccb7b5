package session

import (
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// Subscribe wants to hear of what a filter names, by the request that the
// revision has for it. Both limits are those of a [CallSpec]: they end when the
// server agrees. What [Status.CheckSubscribe] refuses and what [StartCall]
// does is refused, and what a row subscribes to already.
type Subscribe struct {
	Filter mcp.Filter    `json:"filter"`
	Idle   time.Duration `json:"idle,omitempty"`
	Max    time.Duration `json:"max,omitempty"`
}

func (in Subscribe) check(s *Session) error {
	st := s.Status()
	if err := st.CheckSubscribe(in.Filter); err != nil {
		return err
	}
	return StartCall{s.conn.subscription(in.Filter)}.check(s)
}

func (in Subscribe) apply(s *Session) Reply {
	spec := s.conn.subscription(in.Filter)
	spec.Idle, spec.Max = in.Idle, in.Max
	return StartCall{spec}.apply(s)
}

func (in Subscribe) masked(m masker) Input {
	in.Filter.URIs = slices.Clone(in.Filter.URIs)
	for i := range in.Filter.URIs {
		in.Filter.URIs[i] = m.written("uri", in.Filter.URIs[i])
	}
	in.Filter.Tasks = slices.Clone(in.Filter.Tasks)
	for i := range in.Filter.Tasks {
		in.Filter.Tasks[i] = m.written("taskId", in.Filter.Tasks[i])
	}
	return in
}

// becomeSubscription turns the call that a server has answered into the subscription that it
// began: it stays in flight, without a clock. It reports whether the call is such a subscription.
func (s *Session) becomeSubscription(c *call, f *mcp.Frame) bool {
	if c.sub == nil || c.sub.listen || s.conn.rev.IsModern() || f.Kind != mcp.FrameResult || f.Shape.Kind != '{' {
		return false
	}
	s.incoming.orphanQuestions(c) // from now on no request of the server's can be its own
	s.subs.dropResidual(c.sub.uri)
	s.rows.stand(c)
	c.sub.onAnswered(c.Idle, c.Max)
	s.http.resumeClocks(c)
	c.dropLimits(&s.timers)
	if s.http.lacksOwnStream() {
		s.note(c, "the server has no stream of its own: its updates have no way to come")
	}
	if c.state == Cancelling { // its cancel was taken back: what stands now is ended
		c.touchStop().BecomesEnd(s.now)
		s.writer.queueUnsubscribe(c)
		c.watchStop(&s.timers)
	}
	return true
}

// ackLimit is how long a server may take to acknowledge a subscription before
// the row says that it has not (TMO-15).
const ackLimit = 10 * time.Second

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

// onUnsubscribeUnanswered is the end of the exchange of that request without an answer.
func (s *Session) onUnsubscribeUnanswered(c *call, end End, words string) {
	if end.Body != "" {
		s.rows.noteStray(c, s.now, s.now, strayBody(end), 0)
	}
	s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: words})
	s.onGraceOver(c)
}
