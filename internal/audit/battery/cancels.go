package battery

import (
	"context"
	"slices"
	"time"

	"belay/internal/audit"
	"belay/session"
	"belay/session/mcp"
	"belay/session/witness"
)

// instant is a time by two clocks: that of the client stands still while belay does not run.
type instant struct{ real, client time.Time }

func (r *run) now() instant { return instant{time.Now(), r.c.Now()} }

// stopped is for how long belay has not run since.
func (r *run) stopped(since instant) time.Duration {
	return max(0, time.Since(since.real)-r.c.Now().Sub(since.client))
}

// single cancels one call at a share of its time, or by its limit.
func (r *run) single(s audit.Situation, share float64, limit time.Duration) {
	if !r.rest() {
		return
	}
	began, over := r.now(), r.over
	id, err := r.call(limit)
	if err != nil {
		return
	}
	sent, ok := r.sent(s, id)
	if !ok {
		return
	}
	due := sent.Add(limit)
	if limit == 0 {
		due = due.Add(time.Duration(share * float64(r.seen.Took)))
		if !r.sleep(due.Sub(r.c.Now())) {
			return
		}
		_ = r.c.Cancel(id, "belay audit: "+s.String()) // refused if it has ended, which is observed
	} else {
		_ = r.c.Await(r.within(due.Sub(r.c.Now())+patience), func(s *session.Session) bool {
			row, _ := s.Row(id)
			return row.State != session.Running
		})
	}
	r.askBehind(id)
	t := audit.Trial{Situation: s, Cancelled: r.verdicts(began, due, id)}
	if r.ctx.Err() != nil {
		if c := t.Cancelled[0]; c.Sent && c.Answer != audit.NoAnswer { // of silence too little was heard
			r.add(t, []session.CallID{id})
		}
		return
	}
	r.keepRest(id, t.Cancelled[0].Sent, over)
	r.after(&t)
	r.add(t, []session.CallID{id})
}

// verdicts waits until all is known of cancelled calls, which were made since an instant. Due is
// when their cancels were to be written, by the clock of the client.
func (r *run) verdicts(began instant, due time.Time, ids ...session.CallID) (calls []audit.Call) {
	limit := 2*r.seen.Took + r.grace() + 20*time.Second
	ctx, stop := context.WithTimeout(r.ctx, limit)
	defer stop()
	for _, id := range ids {
		_, _ = r.c.Watch(ctx, id, nil)
	}
	ended := r.c.Now()
	listened := r.listenOn(ids, ended)
	if len(ids) == 1 { // the sample on which the finding stands is still to come
		_ = r.c.Await(r.within(time.Second), func(s *session.Session) bool {
			d, ok := s.Detail(ids[0])
			return !ok || d.Processes != nil && d.Processes.Finding != witness.Nothing
		})
	}
	bound, stopped := r.c.Status().Bound, r.stopped(began)
	for _, id := range ids {
		d, _ := r.c.Detail(id)
		r.noteEnd(&d)
		c := r.observe(&d, 0, bound)
		if c.Sent || c.Task != nil {
			r.cancels++
		}
		if c.Sent {
			at := momentsOf(&d).cancelled
			c.Heard, c.Late, c.Stopped = ended.Sub(at), max(0, at.Sub(due)), stopped
			if endsUnheard(&d) {
				c.Heard, c.Deaf = listened.Sub(at), deafElsewhere(r.c.Status().OwnStream, at)
			}
		}
		calls = append(calls, c)
	}
	r.leaveBehind(ids)
	return calls
}

// askBehind makes a request right behind the cancels of calls, on stdio, where messages are read in their
// order: its answer shows that the server has read the cancels. Over HTTP their status does.
func (r *run) askBehind(ids ...session.CallID) {
	if r.seen.Transport == mcp.HTTP {
		return
	}
	id, err := r.c.Call(session.CallSpec{Method: r.probe(), Origin: session.FromBelay, Untimed: true, Idle: -1, Max: -1})
	if err != nil {
		return
	}
	for _, of := range ids {
		r.behind[of] = id
	}
}

// leaveBehind takes back the request behind the cancels of calls, if it is not answered.
func (r *run) leaveBehind(ids []session.CallID) {
	for _, of := range ids {
		if row, ok := r.c.Row(r.behind[of]); ok && row.IsInFlight() {
			_ = r.c.Cancel(row.ID, "belay audit: not answered")
		}
	}
}

// observe is what was seen of a call that was to be cancelled, and of the request right behind its cancel.
func (r *run) observe(d *session.Detail, heard, bound time.Duration) audit.Call {
	c := observe(d, heard, bound)
	if behind, ok := r.c.Detail(r.behind[d.ID]); ok && c.Sent {
		noteBehind(&c, momentsOf(d).cancelled, &behind)
	}
	return c
}

// endsUnheard reports whether the server has ended the exchange of a cancelled call in good order and
// without an answer. With that the row has ended: nothing more can come but elsewhere.
func endsUnheard(d *session.Detail) bool { return d.EndedEarly && d.Late == nil && deaf(d) == "" }

// listenOn listens for as long after the cancels as after any, where the exchanges of calls have
// ended before, at the instant told. It returns until when it did.
func (r *run) listenOn(ids []session.CallID, ended time.Time) (until time.Time) {
	until = ended
	for _, id := range ids {
		if d, _ := r.c.Detail(id); endsUnheard(&d) {
			if to := momentsOf(&d).cancelled.Add(r.grace()); to.After(until) {
				until = to
			}
		}
	}
	if until.After(ended) {
		r.sleep(until.Sub(r.c.Now()))
	}
	return r.c.Now()
}

// within is a context that ends soon.
func (r *run) within(d time.Duration) context.Context {
	ctx, stop := context.WithTimeout(r.ctx, d)
	context.AfterFunc(ctx, stop)
	return ctx
}

// patience is how long the server may take to answer what is asked afterwards.
const patience = 10 * time.Second

// probe is the method of what is asked to see whether the server answers.
func (r *run) probe() string {
	if r.seen.Revision.IsModern() {
		return "server/discover"
	}
	return "ping"
}

// ask makes a request, and returns whether the server answered; neither, where the request broke.
func (r *run) ask() audit.Alive {
	id, err := r.c.Call(session.CallSpec{Method: r.probe(), Idle: -1, Max: -1})
	if err != nil {
		return audit.NotAsked
	}
	d, err := r.c.Watch(r.within(patience), id, nil)
	switch {
	case r.ctx.Err() != nil:
	case err != nil:
		_ = r.c.Cancel(id, "belay audit: not answered")
		r.unheard++
		return audit.Silent
	case d.State == session.Done, d.Err != nil:
		r.unheard = 0
		return audit.Answers
	}
	return audit.NotAsked
}

// after asks whether the server answers, and what a trial says of the cancels by that.
func (r *run) after(t *audit.Trial) {
	if t.Lost = r.lost(); t.Lost != "" {
		return
	}
	if t.Alive = r.ask(); t.Alive == audit.NotAsked {
		if r.ctx.Err() == nil {
			t.Lost = r.lost()
		}
		return
	}
	for i := range t.Cancelled {
		// What was written after a cancel was read after it, on stdio. Over HTTP a cancel
		// that was accepted was read.
		if c := &t.Cancelled[i]; t.Alive == audit.Answers && c.Deaf == "" {
			c.Read = true
		}
	}
}

// crowd cancels many calls at once.
func (r *run) crowd() {
	if !r.rest() {
		return
	}
	var ids []session.CallID
	began := r.now()
	for range r.Crowd {
		if id, err := r.call(0); err == nil {
			ids = append(ids, id)
		}
	}
	if _, ok := r.sent(audit.Crowd, ids...); !ok {
		return
	}
	due := r.c.Now().Add(r.seen.Took / 5)
	if !r.sleep(r.seen.Took / 5) {
		return
	}
	for _, id := range ids {
		_ = r.c.Cancel(id, "belay audit: one of many")
	}
	r.askBehind(ids...)
	t := audit.Trial{Situation: audit.Crowd, Cancelled: r.verdicts(began, due, ids...)}
	if r.ctx.Err() != nil {
		return
	}
	r.after(&t)
	r.add(t, ids)
}

// several are how many calls are made where one of them is cancelled: as many as the server takes at
// once, if these are two.
func (r *run) several() int {
	if r.seen.AtOnce() == pair {
		return pair
	}
	return beside
}

// oneOfSeveral cancels one call, and sees what becomes of those beside it.
func (r *run) oneOfSeveral() {
	if !r.rest() {
		return
	}
	var ids []session.CallID
	began := r.now()
	for range r.several() {
		if id, err := r.call(0); err == nil {
			ids = append(ids, id)
			if _, ok := r.sent(audit.OneOfSeveral, ids...); !ok {
				return
			}
			r.sleep(r.seen.Took / 20) // over HTTP calls arrive in any order
		}
	}
	due := r.c.Now().Add(r.seen.Took / 2)
	if len(ids) < r.several() || !r.sleep(r.seen.Took/2) {
		return
	}
	others := r.inFlight(began, slices.Concat(ids[:1], ids[2:])...)
	if r.c.Cancel(ids[1], "belay audit: "+audit.OneOfSeveral.String()) != nil {
		others = nil // nothing was sent that could harm them
	}
	r.askBehind(ids[1])
	t := audit.Trial{Situation: audit.OneOfSeveral, Others: r.await(others, r.others()), Cancelled: r.verdicts(began, due, ids[1])}
	if r.ctx.Err() != nil {
		return
	}
	r.after(&t)
	r.control(&t)
	r.add(t, ids[1:2])
}

// inFlight are those of calls, made since an instant, that have not ended and are not about to, which
// alone a cancel that is sent now can harm.
func (r *run) inFlight(began instant, ids ...session.CallID) []session.CallID {
	most := r.seen.Took - audit.LongEnough/10 - r.stopped(began)
	return slices.DeleteFunc(ids, func(id session.CallID) bool {
		row, ok := r.c.Row(id)
		return !ok || !row.IsInFlight() || r.c.Now().Sub(row.Sent) > most
	})
}

// others is how long other calls are awaited: a server may make one after the other.
func (r *run) others() time.Duration { return (beside+1)*r.seen.Took + 2*time.Second }

// control leaves one more call alone where those that were not cancelled ended otherwise than such calls do, and the
// server still answers.
func (r *run) control(t *audit.Trial) {
	if t.Alive != audit.Answers || !r.seen.NeedsControl(t) || !r.rest() {
		return
	}
	id, err := r.call(0)
	if err != nil {
		return
	}
	if c := r.await([]session.CallID{id}, r.others())[0]; r.ctx.Err() == nil {
		t.Control = &c
	}
}

// afterwards leaves a call alone, when all has been cancelled.
func (r *run) afterwards() {
	if !r.rest() {
		return
	}
	id, err := r.call(0)
	if err != nil {
		return
	}
	t := audit.Trial{Situation: audit.Afterwards, Others: r.await([]session.CallID{id}, r.others())}
	if r.ctx.Err() != nil {
		return
	}
	r.after(&t)
	r.control(&t)
	r.add(t, nil)
}

// ends closes the connection while a call is in flight.
func (r *run) ends() {
	if r.seen.Transport == mcp.HTTP {
		return
	}
	id, err := r.call(0)
	if err != nil {
		return
	}
	if _, ok := r.sent(audit.ConnectionEnds, id); !ok || !r.sleep(r.seen.Took/2) {
		return
	}
	if r.isOver() { // it has ended in a call that nobody had cancelled
		return
	}
	r.late()
	r.kept = nil
	began := r.now()
	r.close()
	if r.seen.Ending = ending(r.c.of.Process()); r.seen.Ending != nil {
		r.seen.Ending.Stopped = r.stopped(began)
	}
}
