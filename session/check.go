package session

import (
	"fmt"
	"slices"
)

// Check says which invariant of the core does not hold, or nil. It is meant
// for tests and simulations; it walks every table.
func (s *Session) Check() error {
	if s.fault != nil {
		return s.fault
	}
	for _, check := range []func() error{
		s.rows.checkRows, s.outgoing.checkRequests, s.checkServerRequests, s.checkWaits,
		s.checkRounds, s.checkTimers, s.checkOver, s.writer.checkStoppable,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (r *rows) checkRows() error {
	active, kept, byUser, standing, handshake, cancelling, atAnswer := 0, 0, 0, 0, 0, 0, 0
	for id, c := range r.table.From(0) {
		if c.id != id {
			return fmt.Errorf("call %d has the place of call %d", c.id, id)
		}
		kept++
		if !c.state.IsTerminal() {
			active++
			if c.isWork() {
				byUser++
			}
			if c.sub.isStanding() {
				standing++
			}
			if c.Origin == FromHandshake {
				handshake++
			}
			if c.isStopping() {
				cancelling++
			}
			if c.Rules.AtAnswer {
				atAnswer++
			}
		}
		if c.state.IsTerminal() == c.ended.IsZero() {
			return fmt.Errorf("call %d is %v, but ended is %v", c.id, c.state, c.ended)
		}
		if (c.state == Cancelling || c.state == Cancelled || c.state == Dropped) && c.stop == nil && c.remark.text == "" {
			return fmt.Errorf("call %d is %v, and nobody wanted it", c.id, c.state)
		}
	}
	if active != r.active || kept != r.kept || byUser != r.byUser || standing != r.standing || handshake != r.handshake || cancelling != r.cancelling || atAnswer != r.atAnswer {
		return fmt.Errorf("%d rows, %d in flight; counted %d and %d", r.kept, r.active, kept, active)
	}
	listed := 0
	var last CallID
	for c := r.oldest; c != nil; c = c.next {
		listed++
		if c.state.IsTerminal() || c.id <= last {
			return fmt.Errorf("call %d (%v) is listed as in flight", c.id, c.state)
		}
		last = c.id
	}
	if listed != active {
		return fmt.Errorf("%d calls in flight, %d of them listed", active, listed)
	}
	return nil
}

func (o *outgoing) checkRequests() error {
	for id, r := range o.open {
		switch {
		case id != r.id:
			return fmt.Errorf("request %v is kept under %v", r.id, id)
		case r.call != nil && (r.call.state != Running && r.call.state != Cancelling || r.call.req != r):
			return fmt.Errorf("request %v is open, but its call is %v", id, r.call.state)
		case o.past[id] != nil:
			return fmt.Errorf("request %v is open and past", id)
		}
	}
	for token, r := range o.tokens {
		queued := r.order == 0 && r.call != nil && (r.call.state == Queued || r.call.isWaiting())
		if !queued && o.open[r.id] != r || r.token != token {
			return fmt.Errorf("the token %v outlives its request", token)
		}
	}
	if r := o.heard; r != nil && o.tokens[r.token] != r {
		return fmt.Errorf("the progress of request %v is taken, though its token is gone", r.id)
	}
	return nil
}

func (s *Session) checkServerRequests() error {
	waiting, size := 0, 0
	for _, in := range s.incoming.questions {
		size += in.size
		if in.size < len(in.params)+len(in.key)+len(in.idRaw) {
			return fmt.Errorf("question %d keeps more than the %d bytes that it counts", in.questionID, in.size)
		}
		if in.state != Waiting {
			continue
		}
		waiting++
		if in.needed && in.out == nil && in.alive == 0 {
			continue
		}
		if in.task != nil {
			if c := in.task.row; c.epoch != s.conn.epoch || in.out != nil {
				return fmt.Errorf("question %d waits for task %s of another connection", in.questionID, in.task.ID)
			}
			continue
		}
		if in.round != nil {
			if c := s.rows.get(in.owner); c == nil || c.round() != in.round || in.out != nil {
				return fmt.Errorf("question %d waits, but not in a round of call %d", in.questionID, in.owner)
			}
			continue
		}
		if s.incoming.open[in.id] != in || in.out != nil {
			return fmt.Errorf("question %d waits, but its request %v does not", in.questionID, in.id)
		}
		alive := 0
		for c := s.rows.oldest; c != nil; c = c.next {
			if mayOwn(in, c) {
				alive++
			}
		}
		if alive != in.alive || in.orphan && alive > 0 {
			return fmt.Errorf("question %d may belong to %d calls, counted %d", in.questionID, alive, in.alive)
		}
	}
	if waiting != s.incoming.waiting || size != s.incoming.bytes {
		return fmt.Errorf("%d questions wait, counted %d; %d bytes, counted %d", waiting, s.incoming.waiting, size, s.incoming.bytes)
	}
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.state == Running && s.http.isPaused(c) != c.clocks.isStill() {
			return fmt.Errorf("call %d: %d questions, but paused at %v", c.id, c.asked, c.clocks.stillSince)
		}
	}
	return nil
}

// checkTimers holds that a call has the deadlines of its state, and no others.
func (s *Session) checkTimers() error {
	for _, c := range s.rows.table.From(0) {
		for k := dueAck; k <= dueStop; k++ {
			at := s.timers.At(c.due(k))
			again := c.state == Cancelled && c.stop != nil && c.stop.Again // after its verdict
			switch {
			case k != dueStop && !at.IsZero() && c.state != Running:
				return fmt.Errorf("call %d is %v, and deadline %d of a running call is left", c.id, c.state, k)
			case k == dueStop && at.IsZero() == (c.state == Cancelling) && (c.state != Cancelling || !c.stop.Due().IsZero()) && !again:
				return fmt.Errorf("call %d is %v, and its cancellation is looked at at %v", c.id, c.state, at)
			case k == dueStop && c.state == Cancelling && at.After(c.stop.Due()):
				return fmt.Errorf("the cancellation of call %d is due %v, and looked at at %v", c.id, c.stop.Due(), at)
			case c.state == Running && c.clocks.isStill() && !at.IsZero() && (k == dueRule || k == dueMax || k == dueIdle):
				return fmt.Errorf("the clocks of call %d stand still, and %d is over at %v", c.id, k, at)
			}
		}
	}
	return nil
}

// checkOver holds that nothing is left when there is no connection.
func (s *Session) checkOver() error {
	if s.conn.phase != Disconnected {
		return nil
	}
	counts := []any{
		s.rows.active, len(s.outgoing.open), len(s.outgoing.tokens), len(s.incoming.open),
		s.incoming.waiting, s.timers.Len(), len(s.out.waiting), len(s.http.open),
	}
	if s.pings.probe == nil && !slices.ContainsFunc(counts, func(n any) bool { return n != 0 }) {
		return nil
	}
	return fmt.Errorf("not connected, but left: %d calls, %d requests, %d tokens, %d of theirs, "+
		"%d questions, %d timers, %d outputs, %d exchanges, probe %v", append(counts, s.pings.probe)...)
}

// checkWaits holds that a waiting call has no request in flight and an event that ends the
// wait, and that an ended call waits for nothing.
func (s *Session) checkWaits() error {
	for _, c := range s.rows.table.From(0) {
		w := c.wait
		switch {
		case s.http.awaitsLoginToResume(c) && (w != nil || s.http.login == 0):
			return fmt.Errorf("the stream of call %d (%v) waits for a login that nobody was asked for", c.id, c.state)
		case w == nil:
		case c.state != Running || s.outgoing.open[c.req.id] != nil:
			return fmt.Errorf("call %d (%v) waits, and its request %v is in flight", c.id, c.state, c.req.id)
		case (w.kind == roundWait) != (w.round != nil):
			return fmt.Errorf("call %d waits for %d, and its round is %v", c.id, w.kind, w.round)
		case w.next == nil && w.kind == loginWait && s.http.login == 0:
			return fmt.Errorf("call %d waits for a login that nobody was asked for", c.id)
		case w.kind == pauseWait && w.next == nil && s.timers.At(c.due(dueWait)).IsZero():
			return fmt.Errorf("call %d is to be begun again, and no time is set for it", c.id)
		}
	}
	return nil
}

// checkRounds checks two invariants: a call in a round waits for something, and the
// counts of its open questions are right.
func (s *Session) checkRounds() error {
	size := 0
	for c := s.rows.oldest; c != nil; c = c.next {
		size += c.rounds.bytes
		ro := c.round()
		if ro == nil {
			continue
		}
		if c.rounds.bytes < len(ro.state) {
			return fmt.Errorf("call %d keeps a state of %d bytes, counted %d", c.id, len(ro.state), c.rounds.bytes)
		}
		open, waits := 0, 0
		for _, in := range ro.inputs {
			if in.answer == nil {
				open++
			}
			if in.questionID != 0 && in.state == Waiting {
				waits++
			}
		}
		switch {
		case open != ro.open || waits > open:
			return fmt.Errorf("call %d: %d inputs are missing, counted %d; %d questions wait", c.id, ro.open, open, waits)
		case open == 0 && c.wait.next == nil && s.timers.At(c.due(dueWait)).IsZero() && !ro.awaitsRetry && !ro.relist:
			return fmt.Errorf("call %d waits for nothing, and is not made again", c.id)
		}
	}
	if size != s.rows.roundBytes {
		return fmt.Errorf("%d bytes of rounds, counted %d", size, s.rows.roundBytes)
	}
	return nil
}

// checkStoppable holds the counts of calls in flight against those that [CancelAll] cancels.
func (w *writer) checkStoppable() error {
	n := 0
	for c := w.rows.oldest; c != nil; c = c.next {
		if w.checkCancel(c) == nil && !c.sub.isStanding() && c.about == nil && !c.isLeft() {
			n++
		}
	}
	r := w.rows
	stopped, _ := r.countPickUps()
	if counted := r.active - r.standing - r.followUps - r.cancelling - stopped - r.handshake - w.waitOnly() - w.outcomesOnly(); n != counted {
		return fmt.Errorf("%d calls can be cancelled; counted %d", n, counted)
	}
	return nil
}
