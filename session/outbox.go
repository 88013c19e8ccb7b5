package session

import (
	"time"

	"belay/session/mcp"
)

// class is the order in which outputs leave: the handshake first, then cancels,
// so that they overtake all that is still inside the core, then answers, then
// the rest in the order it was asked for.
type class uint8

const (
	classHandshake class = iota
	classCancel
	classAnswer
	classRequest
	numClasses
)

// pending is an output with what it belongs to.
type pending struct {
	Output
	class   class
	gone    bool // withdrawn before it was handed out
	held    bool // not queued yet: a cancel over HTTP whose call is still being written
	handed  bool
	req     *request       // the request that it is
	cancels *call          // the call that it cancels
	answers *serverRequest // the server's request that it answers
	method  string
	raw     bool
	kind    EntryKind
	entry   Seq // in the history, once it was handed out
}

// outbox keeps what is to be sent, droppable and reorderable until it is
// handed out.
type outbox struct {
	seq     uint64
	order   uint64
	queues  [numClasses]queue
	waiting map[uint64]*pending // handed out, not reported yet
	cancels int                 // cancels that are queued or not reported yet
}

func (o *outbox) init() { o.waiting = map[uint64]*pending{} }

// queue is a first-in-first-out list that forgets withdrawn members lazily.
type queue struct {
	items []*pending
	head  int
	live  int
	bytes int // of the live ones
}

func (q *queue) push(p *pending) {
	q.items = append(q.items, p)
	q.live++
	q.bytes += len(p.Data)
}

func (q *queue) pop() *pending {
	for q.head < len(q.items) {
		p := q.items[q.head]
		q.items[q.head] = nil
		q.head++
		if 2*q.head >= len(q.items) {
			n := copy(q.items, q.items[q.head:])
			clear(q.items[n:])
			q.items, q.head = q.items[:n], 0
		}
		if !p.gone {
			q.live--
			q.bytes -= len(p.Data)
			return p
		}
	}
	return nil
}

// peek is what pop would return.
func (q *queue) peek() *pending {
	for _, p := range q.items[q.head:] {
		if !p.gone {
			return p
		}
	}
	return nil
}

// tidy forgets withdrawn members when they are most of the queue: a server that
// does not read but asks and withdraws without end must not fill the memory.
func (q *queue) tidy() {
	if len(q.items)-q.head < 2*q.live+64 {
		return
	}
	kept := make([]*pending, 0, q.live)
	for _, p := range q.items[q.head:] {
		if !p.gone {
			kept = append(kept, p)
		}
	}
	q.items, q.head = kept, 0
}

func (s *Session) enqueue(p *pending) *pending {
	s.out.seq++
	p.Seq = s.out.seq
	if p.Op == 0 {
		p.Op, p.X = OpWrite, ExchangeID{Epoch: s.conn.epoch}
	}
	p.Urgent = p.class == classCancel || p.class == classAnswer
	if p.class == classCancel {
		s.out.cancels++
	}
	s.out.queues[p.class].push(p)
	return p
}

// withdraw takes an output back. It says false when its bytes may already be
// on the way.
func (o *outbox) withdraw(p *pending) bool {
	if p == nil || p.handed {
		return false
	}
	if p.held {
		p.gone = true
		return true
	}
	if !p.gone {
		p.gone = true
		q := &o.queues[p.class]
		q.live--
		q.bytes -= len(p.Data)
		q.tidy()
		if p.class == classCancel {
			o.cancels--
		}
	}
	return true
}

// Next hands out the next thing to do, and false when there is nothing to do
// now. A message that was handed out can no longer be taken back: its bytes
// may be on the way.
func (s *Session) Next(now time.Time) (Output, bool) {
	if out, ok := s.nextOp(now); ok {
		return out, true
	}
	if out, ok := s.nextCheck(now); ok {
		return out, true
	}
	if p := s.nextPending(); p != nil {
		s.at(now)
		s.carry(p)
		s.journal.output(s.now, p.Output)
		s.handOut(p)
		return p.Output, true
	}
	if s.conn.phase == Closing && !s.conn.closeSent && (s.cancelsUnaccepted() == 0 || !now.Before(s.timers.At(once(dueClose)))) {
		s.at(now)
		s.conn.closeSent = true
		s.timers.Stop(once(dueClose))
		out := Output{Op: OpClose, X: ExchangeID{Epoch: s.conn.epoch}}
		if s.http.session != "" {
			out.Header = s.sessionHeaders()
		}
		s.journal.output(s.now, out)
		return out, true
	}
	return Output{}, false
}

func (s *Session) nextPending() *pending {
	if s.conn.phase == Disconnected || s.conn.closeSent {
		return nil
	}
	for c := range numClasses {
		if !s.mayLeave(c) || !s.http.awaitsServerStream(s.out.queues[c].peek()) {
			continue
		}
		if p := s.out.queues[c].pop(); p != nil {
			return p
		}
	}
	return nil
}

// mayLeave reports whether outputs of a class may be handed out now: no request
// but the handshake before the connection is ready, and nothing new while it
// closes (VER-05). What completes the handshake goes before the last answers.
func (s *Session) mayLeave(c class) bool {
	if !s.mayPost(c) {
		return false
	}
	switch c {
	case classHandshake:
		return s.conn.phase != Closing || !s.conn.readyAt.IsZero()
	case classRequest:
		return s.conn.phase == Ready
	default:
		return true
	}
}

// handOut notes that the bytes of p are out of the core's hands.
func (s *Session) handOut(p *pending) {
	p.handed = true
	s.out.order++
	s.out.waiting[p.Seq] = p
	if p.Op == OpAbort {
		s.onAbortHandedOut(p)
	} else {
		s.logOut(p)
	}
	p.entry = s.hist.cur
	if p.cancels != nil {
		p.cancels.stop.order = s.out.order
	}
	switch {
	case p.req != nil:
		p.req.order, p.req.handed, p.req.warm = s.out.order, s.now, s.conn.answered > 0
		s.outgoing.begin(p.req, s.cfg.Transport == mcp.Stdio)
		switch c := p.req.call; {
		case c == nil:
		case c.state == Queued:
			s.move(c, Running)
			if c.isListen() {
				s.timers.Set(c.due(dueAck), s.now.Add(ackLimit))
			}
			c.startClocks(&s.timers, s.now)
		case c.isWaiting():
			s.onNextHandedOut(c)
		case c.state.Terminal():
			s.outgoing.retire(p.req, s.now) // an unsubscribe that was given up as not written: its answer is evidence
		}
	case p.answers != nil:
		s.incoming.handedOut(p.answers)
	}
}

// Sent tells that the last byte of an output was written, and how long ago that was:
// what came in between may be the server's answer to it, and may have been told
// before.
type Sent struct {
	never
	Seq uint64        `json:"out"`
	Ago time.Duration `json:"ago,omitempty"`
}

func (in Sent) apply(s *Session) Reply {
	at := s.now.Add(-max(0, in.Ago))
	p := s.out.waiting[in.Seq]
	if p == nil {
		return Reply{}
	}
	delete(s.out.waiting, in.Seq)
	if e := s.hist.get(p.entry); e != nil {
		e.flags &^= FlagUnwritten
	}
	switch {
	case p.cancels != nil:
		if p.req != nil {
			p.req.written = at
		}
		s.out.cancels--
		if p == p.cancels.stop.out { // else it was posted once more
			s.onCancelWritten(p.cancels, p.entry, at)
		}
	case p.req != nil:
		p.req.written = at
		if s.cfg.Transport != mcp.HTTP { // there it may have to be compared with what the server saw
			p.req.out = nil
		}
		switch c := p.req.call; {
		case c == nil:
		case c.sent.IsZero():
			c.sent = s.now
			s.moment(c, MomentView{Dir: Out, Kind: MomSent, Text: c.Method, Entry: p.entry})
			s.rows.touch(c)
		default:
			s.moment(c, MomentView{Dir: Out, Kind: MomAgain, Text: p.req.id.String(), Entry: p.entry})
			s.rows.touch(c)
		}
		s.releaseCancel(p.req.call)
	}
	return Reply{}
}

// SendFailed tells that an output could not be written. What follows from it
// comes with [Closed]; a cancel counts as not written.
type SendFailed struct {
	never
	Seq uint64 `json:"out"`
	Why string `json:"why"`
}

func (in SendFailed) apply(s *Session) Reply {
	p, why := s.out.waiting[in.Seq], validText(in.Why)
	if p == nil {
		return Reply{}
	}
	delete(s.out.waiting, in.Seq)
	switch {
	case p.cancels != nil:
		s.out.cancels--
		s.note(p.cancels, "cancel not delivered: "+why)
	case p.req != nil && p.req.call != nil:
		s.note(p.req.call, "could not be written: "+why)
	}
	return Reply{}
}

// clear forgets everything that was not handed out, at the end of an epoch.
func (o *outbox) clear() {
	for i := range o.queues {
		o.queues[i] = queue{}
	}
	clear(o.waiting)
	o.cancels = 0
}
