package session

import "time"

// class is the order in which outputs leave: the handshake first, then cancels,
// so that they overtake all that is still inside the core, then answers and probes, which
// the verdicts wait for, then the rest in the order it was asked for.
type class uint8

const (
	classHandshake class = iota
	classCancel
	classAnswer
	classRequest
	numClasses
)

// pending is an output with what it belongs to.
//
//shape:value 1 of outbox
type pending struct {
	Output
	class    class
	gone     bool // withdrawn before it was handed out
	deferred bool // not queued yet: a cancel over HTTP whose call is still being written
	handed   bool
	req      *request       // the request that it is
	cancels  *call          // the call that it cancels
	answers  *serverRequest // the server's request that it answers
	wrong    *wrong         // the wrong cancel that it is
	method   string
	raw      bool
	kind     EntryKind
	entry    Seq // in the history, once it was handed out
}

// outbox keeps what is to be sent, droppable and reorderable until it is
// handed out.
//
//shape:machine 1
type outbox struct {
	epoch   Epoch // of the connection that all of it is for
	seq     uint64
	order   uint64
	queues  [numClasses]queue
	waiting map[uint64]*pending // handed out, not reported yet
	cancels int                 // cancels that are queued or not reported yet
}

func (o *outbox) init() { o.waiting = map[uint64]*pending{} }

// begin has what is queued from now on be for another connection.
func (o *outbox) begin(e Epoch) { o.epoch = e }

// number returns the number of another output.
func (o *outbox) number() uint64 {
	o.seq++
	return o.seq
}

// queue is a first-in-first-out list that forgets withdrawn members lazily.
//
//shape:part of outbox
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

// enqueue adds an output at the end of its class.
func (o *outbox) enqueue(p *pending) *pending {
	p.Seq = o.number()
	if p.Op == 0 {
		p.Op, p.X = OpWrite, ExchangeID{Epoch: o.epoch}
	}
	p.IsCancel = p.class == classCancel
	p.Urgent = p.IsCancel || p.class == classAnswer
	if p.IsCancel {
		o.cancels++
	}
	o.queues[p.class].push(p)
	return p
}

// withdraw takes an output back, and reports whether it could: bytes that were handed out
// may already be on the way.
func (o *outbox) withdraw(p *pending) bool {
	if p == nil || p.handed {
		return false
	}
	if p.deferred {
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

// take takes the next output of the first class that is open and has one; nil: there
// is none.
func (o *outbox) take(open [numClasses]bool) *pending {
	for c := range numClasses {
		if !open[c] {
			continue
		}
		if p := o.queues[c].pop(); p != nil {
			return p
		}
	}
	return nil
}

// handOut gives an output its place in the order of all that was handed out. It cannot
// be withdrawn any more. Warm says that the server has answered something before.
func (o *outbox) handOut(p *pending, now time.Time, warm bool) {
	p.handed = true
	o.order++
	o.waiting[p.Seq] = p
	if p.cancels != nil {
		p.cancels.stop.order = o.order
		p.cancels.stop.HandedOut()
	}
	if r := p.req; r != nil {
		r.order, r.handed, r.warm = o.order, now, warm
	}
}

// settle returns the output that was handed out and is reported now; nil: there is none.
func (o *outbox) settle(seq uint64) *pending {
	p := o.waiting[seq]
	if p == nil {
		return nil
	}
	delete(o.waiting, seq)
	if p.cancels != nil {
		o.cancels--
	}
	return p
}

// written settles an output whose last byte was written. Kept says that the bytes of a
// request may have to be compared with those that the server saw.
func (o *outbox) written(seq uint64, at time.Time, kept bool) *pending {
	p := o.settle(seq)
	if p == nil || p.req == nil {
		return p
	}
	p.req.written = at
	if p.cancels == nil && !kept {
		p.req.out = nil
	}
	return p
}

// clear forgets everything that was not handed out, at the end of an epoch.
func (o *outbox) clear() {
	for i := range o.queues {
		o.queues[i] = queue{}
	}
	clear(o.waiting)
	o.cancels = 0
}

// onNeverSent forgets an output that was handed out and whose last byte was not
// reported.
func (o *outbox) onNeverSent(e *exchange) {
	if e.p == nil || o.waiting[e.p.Seq] == nil {
		return
	}
	delete(o.waiting, e.p.Seq)
	if e.p.cancels != nil {
		o.cancels--
	}
}
