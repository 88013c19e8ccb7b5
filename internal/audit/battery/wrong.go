package battery

import (
	"slices"
	"time"

	"belay/internal/audit"
	"belay/session"
)

// wrong are the cancels that break the rules, each with one call in flight that is to be
// answered all the same.
var wrong = []struct {
	audit.Situation
	kind session.WrongKind
}{
	{audit.Twice, session.WrongTwice},
	{audit.UnknownID, session.WrongUnknown},
	{audit.OtherType, session.WrongType},
	{audit.Malformed, session.WrongNoParams},
	{audit.Malformed, session.WrongNoID},
	{audit.Malformed, session.WrongObjectID},
	{audit.AfterEnd, session.WrongAfter},
}

// wrongCalls is how many calls of the tool the wrong cancels take at most: for each of them a call that
// shows whether the tool works, a witness, and the controls of both; and two calls more, one cancelled and one ended.
var wrongCalls = 4*len(wrong) + 2

// wrong sends the wrong cancels, where they may be sent to this server.
func (r *run) wrong() {
	why := r.Wrong
	if why == "" && r.seen.Closes() {
		why = "in 2026-07-28 over HTTP no cancel is sent: there is none that could be wrong"
	}
	for _, w := range wrong {
		if why != "" {
			r.seen.Trials = append(r.seen.Trials, audit.Trial{Situation: w.Situation, Skipped: why})
			continue
		}
		if r.isOver() {
			return
		}
		r.tell(w.Situation.String())
		stuck := r.whyStuck()
		if r.isOver() {
			return
		}
		if stuck != "" {
			r.seen.Trials = append(r.seen.Trials, audit.Trial{Situation: w.Situation, Skipped: stuck})
			continue
		}
		r.mistake(w.Situation, w.kind)
	}
}

// whyStuck says why another call would show nothing of a wrong cancel: the tool does not answer calls
// that nobody cancels. Empty: the tool has answered a call that was made after the latest right
// cancel. If there was no such call, whyStuck makes one.
func (r *run) whyStuck() string {
	if r.works || r.stuck != "" {
		return r.stuck
	}
	id, err := r.call(0)
	if err != nil {
		return ""
	}
	c := r.await([]session.CallID{id}, r.others())[0]
	if r.ctx.Err() != nil || r.lost() != "" {
		return ""
	}
	if r.works = c.Answer == audit.Result; r.works {
		return ""
	}
	r.stuck = "the tool did not work before this was sent: a call that nobody cancelled, with nothing beside it, was " + c.Ending()
	if c.Answer != audit.NoAnswer && r.isHarmed(c) {
		r.works, r.stuck = true, ""
	}
	return r.stuck
}

// isHarmed has the first call after cancels, which nobody cancelled, judged as those after all cancels are. It reports whether the
// next call, which is left alone, has a result: then the cancels have harmed the first one alone.
func (r *run) isHarmed(c audit.Call) bool {
	t := audit.Trial{Situation: audit.Afterwards, Others: []audit.Call{c}}
	r.after(&t)
	r.control(&t)
	r.add(t, nil)
	return t.Control != nil && t.Control.Answer == audit.Result
}

// mistake sends a wrong cancel while a call is in flight. Where that has ended before, as where belay
// was kept from running, nothing can be seen.
func (r *run) mistake(s audit.Situation, kind session.WrongKind) {
	var about session.CallID
	if kind == session.WrongAfter {
		ended, err := r.call(0)
		if err != nil {
			return
		}
		r.await([]session.CallID{ended}, r.others())
		about = ended
	}
	began := r.now()
	other, err := r.call(0)
	if err != nil {
		return
	}
	if _, ok := r.sent(s, other); !ok {
		return
	}
	var others []session.CallID
	switch kind {
	case session.WrongTwice:
		about, others = r.cancelled(began, other)
	case session.WrongType:
		about = other
	case session.WrongUnknown, session.WrongAfter, session.WrongNoParams, session.WrongNoID, session.WrongObjectID:
	}
	if !r.sleep(r.seen.Took / 3) {
		return
	}
	if kind != session.WrongTwice {
		others = r.inFlight(began, other)
	}
	if len(others) == 0 {
		r.await([]session.CallID{other}, r.others()) // it would be in the way of the next

		if n := len(r.seen.Trials); n == 0 || r.seen.Trials[n-1].Situation != s || r.seen.Trials[n-1].Skipped == "" { // which says why
			r.add(audit.Trial{Situation: s}, nil)
		}
		return
	}
	if _, err := r.c.Do(session.WrongCancel{Kind: kind, Call: about}); err != nil {
		r.seen.Trials = append(r.seen.Trials, audit.Trial{Situation: s, Skipped: "belay does not send it: " + err.Error()})
		return
	}
	t := audit.Trial{Situation: s, Others: r.await(others, r.others())}
	if r.ctx.Err() != nil {
		return
	}
	// A call that was in flight at a right cancel tells nothing of those that are made after it.
	r.works = kind != session.WrongTwice && !slices.ContainsFunc(t.Others, func(c audit.Call) bool { return c.Answer != audit.Result })
	if kind == session.WrongTwice {
		r.verdicts(r.now(), r.c.Now(), about)
	}
	r.after(&t)
	r.control(&t)
	r.add(t, nil)
}

// cancelled makes a call and cancels it, and returns which other calls, made since an instant, were in
// flight then. Its cancel has left. 0: there is none.
func (r *run) cancelled(began instant, others ...session.CallID) (session.CallID, []session.CallID) {
	r.sleep(min(r.seen.Took/20, time.Second))
	id, err := r.call(0)
	if err != nil {
		return 0, nil
	}
	if _, ok := r.sent(audit.Twice, id); !ok || !r.sleep(r.seen.Took/5) {
		return 0, nil
	}
	others = r.inFlight(began, others...)
	if r.c.Cancel(id, "belay audit: "+audit.Twice.String()) != nil {
		return 0, nil
	}
	_ = r.c.Await(r.within(patience), func(s *session.Session) bool {
		row, ok := s.Row(id)
		return !ok || row.State.IsTerminal() || !row.Unsent
	})
	return id, others
}
