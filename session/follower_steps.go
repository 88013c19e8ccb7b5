package session

import "belay/session/cancel"

// followStep is one consequence for calls of an event about something that is followed: the machine
// returns steps, and [Session.driveFollowers] carries them out. It is one of the types below.
type followStep interface{ followStep() }

// The steps.
type (
	// moveStep has a row that has not ended enter an outcome.
	moveStep struct {
		row     *call
		outcome outcome
	}
	// settleStep ends a row that is being cancelled: all is known that is waited for.
	settleStep struct{ row *call }
	// requestStep makes a request about what a call goes on as.
	requestStep struct{ request followUp }
	// beginStep makes a request of belay's own that is about no call.
	beginStep struct{ request ownRequest }
	// cancelStep cancels a call, unless that is refused.
	cancelStep struct {
		call *call
		by   cancel.Initiator
		why  string
	}
	// pickUpStep cancels the task of a call that has picked it up for that.
	pickUpStep struct{ row *call }
	// passStep has a request of belay's own count as one that need not have come to something.
	passStep struct {
		call *call
		why  string
	}
	// questionStep closes a question that waits.
	questionStep struct {
		question *serverRequest
		why      string
	}
)

func (moveStep) followStep()     {}
func (settleStep) followStep()   {}
func (requestStep) followStep()  {}
func (beginStep) followStep()    {}
func (cancelStep) followStep()   {}
func (pickUpStep) followStep()   {}
func (passStep) followStep()     {}
func (questionStep) followStep() {}

// driveFollowers carries out what follows from what was told of the calls that go on.
func (s *Session) driveFollowers() {
	for {
		next := s.taskListens.next()
		if next == nil {
			next = s.followers.next()
		}
		switch step := next.(type) {
		case nil:
			if !s.taskListens.isStale() {
				return
			}
			for _, k := range s.taskListens.follow() {
				s.tasks.touch(k)
			}
		case moveStep:
			if step.row.state.IsTerminal() {
				break
			}
			s.move(step.row, step.outcome)
			if step.outcome.lacks == lackLeft {
				s.retireRequest(step.row)
			}
		case settleStep:
			if step.row.state == Cancelling {
				s.end(step.row)
			}
		case requestStep:
			step.request.onMade(s.newCall(step.request.spec(), step.request))
		case beginStep:
			step.request.onMade(s.newCall(step.request.spec(), nil))
		case cancelStep:
			if s.writer.checkCancel(step.call) == nil {
				s.stopCall(step.call, step.by, step.why)
			}
		case pickUpStep:
			if err := s.writer.checkCancel(step.row); err != nil {
				s.note(step.row, "not cancelled: "+err.Error())
			} else {
				s.stopCall(step.row, step.row.pickUp.by, step.row.pickUp.reason)
			}
		case passStep:
			s.passOver(step.call, step.why)
		case questionStep:
			if step.question.state == Waiting {
				s.http.resumeAll(s.incoming.closeFor(step.question, step.why))
			}
		}
	}
}
