package session

import (
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/places"
)

// call is a row and all that is known of it. What stands here by itself is written in this
// file; each of its machines in the one of that machine, and the timeline by the log.
//
//shape:value 2 of rows
type call struct {
	CallSpec
	id    CallID
	epoch Epoch
	state State

	wishesTask  bool // its parameters ask for a task (2025-11-25)
	unnamedTask bool // it ended, and a task of it may go on at the server, whose ID had not come
	fellBack    bool // see [Row]

	target string
	sub    *subscription // of one that subscribes; nil of all others
	about  followUp      // what it asks about another call that goes on at the server; nil: it is a call with a row

	created, sent, ended time.Time
	first                mcp.ID // of its first request
	req                  *request

	waits
	clocks   clocks
	rounds   rounds
	progress progress
	stop     *stop // its cancellation; nil while nobody wants one
	response       // none before its answer
	rowLog

	prev, next *call // the list of those in flight, by ID
}

// rows holds every row that is kept, the list of those in flight, and the list
// of changes, most recent first.
//
//shape:machine 1
type rows struct {
	table    places.Table[CallID, call]
	kept     int
	finished int
	swept    CallID // up to it, no finished row is left

	oldest, newest *call // in flight
	active         int
	byUser         int     // of those, the calls of the user's
	yoursStopping  int     // of those again, the ones that are being cancelled already
	subs           []*call // of those, the ones that subscribe
	standing       int     // of those, the ones that have no end by themselves
	handshake      int     // of those, the requests of the opening, which nobody cancels
	cancelling     int     // of those, the ones that are being cancelled already, and end by themselves
	followUps      int     // of those, the ones that have no row
	atAnswer       int     // of those, the ones that a rule cancels at the moment of their answer

	cancelledLately []*call // of the user's, the ones that ended as cancelled within [askedLater]
	midway          midway
	unaddressed     unaddressed

	tasks    []*call // that are, or were, tasks, oldest first
	unnamed  []*call // that ended, and may have left tasks at the server whose IDs had not come, oldest first
	pickedUp bool    // a call asked for a task by its ID, to follow it
	wished   bool    // a call asked for a task, perhaps of a server that declares none

	changes

	roundBytes int // of the states that calls wait with between rounds
}

// add makes a row, in flight from the start.
func (r *rows) add(c *call) {
	c.id = r.table.Add(c)
	r.kept++
	r.active++
	r.wished = r.wished || c.wishesTask
	r.pickedUp = r.pickedUp || c.Watch
	if c.about != nil {
		r.followUps++ // nothing of it is shown
	} else {
		r.show(c)
	}
	if c.Origin == FromHandshake {
		r.handshake++
	}
	if c.isWork() {
		r.byUser++
	}
	if c.Rules.AtAnswer {
		r.atAnswer++
	}
	if c.sub != nil {
		r.subs = append(r.subs, c)
	}
	if c.sub.isStanding() {
		r.standing++
	}
	c.prev = r.newest
	if r.newest != nil {
		r.newest.next = c
	} else {
		r.oldest = c
	}
	r.newest = c
}

// enter carries out what was decided of a call. One that ends is in flight no longer.
func (r *rows) enter(c *call, o outcome, now time.Time) {
	r.countStopping(c, -1)
	if c.state == Cancelling && c.stop != nil {
		c.stop.EndCount()
		r.unaddressed.outdate()
	}
	c.state, c.unnamedTask, c.lacks = o.to, o.unnamed, o.lacks
	if o.to == Cancelling {
		r.unaddressed.outdate()
	}
	r.countStopping(c, 1)
	if o.says != (rowNote{}) {
		c.remark = o.says
	}
	if o.to.IsTerminal() {
		c.req.out = nil // its bytes are the history's by now, or nobody's
		if c.ended = now; !o.at.IsZero() {
			c.ended = o.at
		}
		r.finish(c)
	}
	if o.unnamed {
		r.onUnnamed(c)
	}
	c.touch()
}

// hasUnnamedTask reports whether a call has ended, and a task of it may go on at the server whose ID
// did not come, or cannot be used.
func (c *call) hasUnnamedTask() bool {
	is := c.unnamedTask && c.req.answer.kind == 0 || c.req.answer.unusableID
	return is && c.task() == nil && c.state.IsTerminal()
}

// onUnnamed remembers a row that has ended so.
func (r *rows) onUnnamed(c *call) {
	r.unnamed = slices.DeleteFunc(r.unnamed, func(other *call) bool { return !other.hasUnnamedTask() })
	if len(r.unnamed) == maxTaskRows {
		r.unnamed = slices.Delete(r.unnamed, 0, 1)
	}
	r.unnamed = append(r.unnamed, c)
}

// onRequest notes the request that is to be answered for a call now.
func (r *rows) onRequest(c *call, q *request) {
	if c.req = q; c.first.IsZero() {
		c.first = q.id
	}
	c.touch()
}

// passOver notes that belay goes on without a request of its own.
func (c *call) passOver() {
	c.fellBack = true
	c.touch()
}

// onSent notes the last byte of a request of a call, and reports whether it is the first one.
func (r *rows) onSent(c *call, now time.Time) (first bool) {
	if first = c.sent.IsZero(); first {
		c.sent = now
		c.touch()
	}
	return first
}

// finish takes a row off the list of those in flight.
func (r *rows) finish(c *call) {
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		r.oldest = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		r.newest = c.prev
	}
	c.prev, c.next = nil, nil
	r.active--
	if c.Origin == FromHandshake {
		r.handshake--
	}
	if c.isWork() {
		r.byUser--
	}
	if c.Rules.AtAnswer {
		r.atAnswer--
	}
	if c.sub != nil {
		r.subs = slices.DeleteFunc(r.subs, func(other *call) bool { return other == c })
	}
	if c.sub.isStanding() {
		r.standing--
	}
	if c.about != nil {
		r.followUps--
		r.kept--
		r.table.Forget(c.id)
		return
	}
	r.finished++
}

// isStopping reports whether a call is being cancelled, and is one that ends.
func (c *call) isStopping() bool {
	return c.state == Cancelling && !c.sub.isStanding() && c.about == nil
}

// countStopping counts a call that is being cancelled, or counts it no longer.
func (r *rows) countStopping(c *call, by int) {
	if !c.isStopping() {
		return
	}
	r.cancelling += by
	if c.isWork() {
		r.yoursStopping += by
	}
}

// isWork reports whether a call is the user's, and one that ends.
func (c *call) isWork() bool { return c.Origin == FromUser && !c.sub.isStanding() }

// stand counts a call in flight that is about to be a subscription that stands.
func (r *rows) stand(c *call) {
	r.countStopping(c, -1)
	if c.isWork() {
		r.byUser--
	}
	r.standing++
}

// touchQueued has the rows shown anew that have not been sent: why they wait is
// another reason now.
func (r *rows) touchQueued() {
	for c := r.oldest; c != nil; c = c.next {
		if c.state == Queued {
			c.touch()
		}
	}
}

// touchTasks has the rows of tasks shown anew: nothing more is asked about them.
func (r *rows) touchTasks() {
	for _, c := range r.tasks {
		c.touch()
	}
}

// shift moves what is due of the cancellations in flight by d. The deadlines of all rows move.
func (r *rows) shift(d time.Duration) {
	for c := r.oldest; c != nil; c = c.next {
		c.touch()
		if c.stop != nil {
			c.stop.Shift(d)
		}
	}
}

// sweep forgets the oldest finished rows beyond limit.
func (r *rows) sweep(limit int) {
	if r.finished <= limit {
		return
	}
	for id, c := range r.table.From(r.swept + 1) {
		if r.finished <= limit {
			return
		}
		if c.state.IsTerminal() {
			c.sweep()
			r.table.Forget(id)
			r.finished--
			r.kept--
		}
		r.swept = id
	}
	r.swept = 0 // those in flight when it passed may have finished since
}

// sweep drops what only a row shows. The call itself stays known for a while,
// to tell a late answer from an unknown one.
func (c *call) sweep() {
	c.hide()
	c.forgetResult(0)
	c.Params, c.progress.message = nil, nil
}

// named finds the call in flight that a wire ID belongs to.
func (r *rows) named(id mcp.ID) *call {
	for c := r.oldest; c != nil; c = c.next {
		if c.req.id == id {
			return c
		}
	}
	return nil
}

func (r *rows) get(id CallID) *call {
	if id == 0 { // of what is about no call, as most of a flood
		return nil
	}
	return r.table.Get(id)
}
