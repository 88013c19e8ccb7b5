package session

import (
	"container/heap"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// clocks are the two limits of a running call, and its rule. They stand still
// while a human answers a prompt that may belong to it (TMO-13).
type clocks struct {
	idleAt, maxAt, ruleAt time.Time // zero: none
	pausedAt              time.Time // zero: they run
}

func (k *clocks) shift(d time.Duration) {
	for _, t := range []*time.Time{&k.idleAt, &k.maxAt, &k.ruleAt} {
		if !t.IsZero() {
			*t = t.Add(d)
		}
	}
}

// next is the nearest limit; zero when there is none.
func (k *clocks) next() time.Time {
	var n time.Time
	if !k.pausedAt.IsZero() {
		return n
	}
	for _, t := range []time.Time{k.idleAt, k.maxAt, k.ruleAt} {
		n = earlier(n, t)
	}
	return n
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// startClocks begins both clocks: they run from when the bytes were handed
// out, so that a server that does not read cannot hold a call for ever.
func (s *Session) startClocks(c *call) {
	after := func(d time.Duration) time.Time {
		if d <= 0 {
			return time.Time{}
		}
		return s.now.Add(d)
	}
	paused := c.clocks.pausedAt
	c.clocks = clocks{idleAt: after(c.Idle), maxAt: after(c.Max), ruleAt: after(c.Rules.After)}
	if !paused.IsZero() {
		c.clocks.pausedAt = s.now
	}
	s.arm(c)
}

// renewClocks begins both clocks of a call anew. Its rule stays as it was.
func (s *Session) renewClocks(c *call) {
	rule := c.clocks.ruleAt
	if since := c.clocks.pausedAt; !rule.IsZero() && !since.IsZero() {
		rule = rule.Add(s.now.Sub(since))
	}
	s.startClocks(c)
	c.clocks.ruleAt = rule
	s.arm(c)
}

// resetIdle resets the idle clock: there was progress (TMO-07).
func (c *call) resetIdle(now time.Time) {
	if c.Idle > 0 && c.state == Running {
		base := now
		if !c.clocks.pausedAt.IsZero() {
			base = c.clocks.pausedAt
		}
		c.clocks.idleAt = base.Add(c.Idle) // the heap learns of it when the old time comes
	}
}

// pause stops the clocks of a call; resume lets them go on where they stood.
func (s *Session) pause(c *call) {
	if c.clocks.pausedAt.IsZero() {
		c.clocks.pausedAt = s.now
		s.rows.touch(c)
	}
}

func (s *Session) resume(c *call) {
	if c.clocks.pausedAt.IsZero() {
		return
	}
	c.clocks.shift(s.now.Sub(c.clocks.pausedAt))
	c.clocks.pausedAt = time.Time{}
	s.arm(c)
	s.rows.touch(c)
}

// due is when the next thing happens to a call by itself; zero: never.
func due(c *call) time.Time {
	switch c.state {
	case Running:
		if c.isWaiting() {
			return c.wait.endsAt()
		}
		if c.sub != nil {
			return earlier(c.clocks.next(), c.sub.ackAt)
		}
		return c.clocks.next()
	case Cancelling:
		return c.stop.Due()
	default:
		return time.Time{}
	}
}

// fire carries out what is due.
func (s *Session) fire(c *call) {
	switch {
	case c.state == Cancelling:
		s.onStopDue(c)
		return
	case c.isWaiting():
		s.onWaitOver(c)
		return
	}
	k := c.clocks
	switch now := s.now; {
	case c.sub != nil && !c.sub.ackAt.IsZero() && !c.sub.ackAt.After(now):
		s.onAcknowledgementOverdue(c)
	case !k.ruleAt.IsZero() && !k.ruleAt.After(now):
		c.clocks.ruleAt = time.Time{}
		s.stopCall(c, cancel.ByRule, c.Rules.Reason)
	case c.Origin == FromHandshake:
		s.handshakeTimeout(c)
	case !k.maxAt.IsZero() && !k.maxAt.After(now):
		s.stopCall(c, cancel.ByTimeout, timeoutReason("no end after", c.Max))
	default:
		s.stopCall(c, cancel.ByTimeout, timeoutReason("silent for", c.Idle))
	}
}

// Deadline is when Tick is next needed, and false when nothing is due ever. It
// may be early: Tick then does nothing and Deadline says more.
func (s *Session) Deadline() (time.Time, bool) {
	var t time.Time
	if len(s.timers.heap) > 0 {
		t = s.timers.heap[0].at
	}
	if s.conn.phase == Closing && !s.conn.closeSent {
		t = earlier(t, s.conn.closeAt)
	}
	t = earlier(earlier(earlier(earlier(t, s.catalog.refreshAt), s.conn.pingDue()), s.conn.rootsDue()), s.http.due())
	t = earlier(earlier(t, s.catalog.nextPage()), s.conn.negotiationDue())
	return t, !t.IsZero()
}

// Tick fires what is due. After a jump of time (a machine that slept) nothing
// is: the clocks go on from where they stood, and the jump is told (TMO-17).
type Tick struct{ never }

func (Tick) apply(s *Session) Reply {
	for {
		c := s.timers.pop(s.now)
		if c == nil {
			break
		}
		if d := due(c); d.IsZero() || d.After(s.now) {
			s.arm(c)
			continue
		}
		s.fire(c)
	}
	s.goOnNegotiating()
	s.refreshLists()
	s.fetchNext()
	s.showPages()
	s.sendDuePings()
	s.watchRoots()
	s.tickExchanges()
	return Reply{}
}

// overdue is for how long something has been due that no Tick has fired yet. A
// connection that is being closed is not spared: it was to end anyway.
func (s *Session) overdue(now time.Time) time.Duration {
	due, ok := s.Deadline()
	if !ok || s.conn.phase == Closing {
		return 0
	}
	return now.Sub(due)
}

// jump moves every clock by d.
func (s *Session) jump(d time.Duration) {
	for c := s.rows.oldest; c != nil; c = c.next {
		c.clocks.shift(d)
		if !c.clocks.pausedAt.IsZero() {
			c.clocks.pausedAt = c.clocks.pausedAt.Add(d)
		}
		if c.stop != nil {
			c.stop.Shift(d)
		}
		if c.sub != nil && !c.sub.ackAt.IsZero() {
			c.sub.ackAt = c.sub.ackAt.Add(d)
		}
		if c.isWaiting() {
			c.wait.shift(d)
		}
		s.arm(c)
	}
	if s.probe != nil {
		s.probe.since = s.probe.since.Add(d)
	}
	for _, t := range []*time.Time{&s.catalog.refreshAt, &s.conn.health.nextAt, &s.conn.health.lateAt, &s.conn.roots.nextAt} {
		if !t.IsZero() {
			*t = t.Add(d)
		}
	}
	for k := range s.catalog.lists {
		l := &s.catalog.lists[k]
		for _, t := range []*time.Time{&l.nextAt, &l.showAt} {
			if !t.IsZero() {
				*t = t.Add(d)
			}
		}
	}
	s.http.shift(d)
	s.conn.era.Shift(d)
	text := d.Round(time.Second).String()
	s.diagnose(mcp.DiagClockJump, 0, "", text)
	s.event("the clock jumped by " + text + ": no timeout was fired for it")
}

// timers is a heap of calls by when something happens to them. A time in it may
// be early, never late: clocks that are reset often (progress) cost nothing.
type timers struct{ heap timerHeap }

type timer struct {
	at time.Time
	c  *call
}

// arm sees to it that the call is looked at in time.
func (s *Session) arm(c *call) {
	at := due(c)
	if at.IsZero() {
		s.timers.remove(c)
		return
	}
	if c.timer > 0 {
		i := c.timer - 1
		s.timers.heap[i].at = at
		heap.Fix(&s.timers.heap, i)
		return
	}
	heap.Push(&s.timers.heap, timer{at, c})
}

func (t *timers) remove(c *call) {
	if c.timer > 0 {
		heap.Remove(&t.heap, c.timer-1)
	}
}

// pop takes off a call whose time has come, or returns nil.
func (t *timers) pop(now time.Time) *call {
	if len(t.heap) == 0 || t.heap[0].at.After(now) {
		return nil
	}
	return heap.Pop(&t.heap).(timer).c
}

type timerHeap []timer

func (h timerHeap) Len() int { return len(h) }

// Less orders what is due at the same time by row, so that the order does not
// depend on the history of the heap.
func (h timerHeap) Less(i, j int) bool {
	if d := h[i].at.Compare(h[j].at); d != 0 {
		return d < 0
	}
	return h[i].c.id < h[j].c.id
}

func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].c.timer, h[j].c.timer = i+1, j+1
}

// Push and Pop are for container/heap alone.
func (h *timerHeap) Push(x any) {
	t := x.(timer)
	t.c.timer = len(*h) + 1
	*h = append(*h, t)
}

// Pop is the counterpart of Push.
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = timer{}
	*h = old[:len(old)-1]
	t.c.timer = 0
	return t
}
