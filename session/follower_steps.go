package session

import "belay/session/cancel"

// followStep is one consequence for calls of an event about something that is followed: the machine
// returns steps, and [Session.driveFollowers] carries them out.
//
//shape:plain
type followStep struct {
	row     *call            // enters the outcome, unless it has ended
	outcome outcome          //
	settled *call            // a cancelled row, of which all is known that is waited for
	makes   followUp         // a request about a task
	begins  ownRequest       // a request of belay's own that is about no call
	ends    *call            // … one that is over, …
	closes  *serverRequest   // a question of a task's, …
	passes  *call            // a request of belay's own that need not have come to something, …
	cancels *call            // a follow-up that nobody waits for any more, …
	why     string           // … for this reason
	by      cancel.Initiator // … of what is cancelled: who did it
	stops   *call            // a task that was picked up to be cancelled
}

// driveFollowers carries out what follows from what was told of the calls that go on.
func (s *Session) driveFollowers() {
	for {
		step, ok := s.taskListens.next()
		if !ok {
			step, ok = s.followers.next()
		}
		switch {
		case !ok && s.taskListens.isStale():
			for _, k := range s.taskListens.follow() {
				s.tasks.touch(k)
			}
		case !ok:
			return
		case step.makes != nil:
			step.makes.onMade(s.newCall(step.makes.spec(), step.makes))
		case step.begins != nil:
			step.begins.onMade(s.newCall(step.begins.spec(), nil))
		case step.ends != nil:
			if s.writer.checkCancel(step.ends) == nil {
				s.stopCall(step.ends, cancel.BySuperseded, step.why)
			}
		case step.closes != nil:
			if step.closes.state == Waiting {
				s.http.resumeAll(s.incoming.closeFor(step.closes, step.why))
			}
		case step.passes != nil:
			s.passOver(step.passes, step.why)
		case step.cancels != nil:
			if s.writer.checkCancel(step.cancels) == nil {
				s.stopCall(step.cancels, step.by, step.why)
			}
		case step.stops != nil:
			if err := s.writer.checkCancel(step.stops); err != nil {
				s.note(step.stops, "not cancelled: "+err.Error())
			} else {
				s.stopCall(step.stops, step.stops.pickUp.by, step.stops.pickUp.reason)
			}
		case step.settled != nil:
			if step.settled.state == Cancelling {
				s.end(step.settled)
			}
		case !step.row.state.IsTerminal():
			s.move(step.row, step.outcome)
			if step.outcome.left {
				s.retireRequest(step.row)
			}
		}
	}
}
