package session

import (
	"fmt"
	"time"

	"belay/session/cancel"
)

// Connect begins a new epoch: the connection is there, and server/discover or
// initialize waits in Next. Rows of earlier epochs stay as they are. A
// connection that comes after Quit is only closed: nothing is written to it.
type Connect struct{ never }

func (Connect) apply(s *Session) Reply {
	if s.conn.phase != Disconnected {
		s.broken("connect while %v", s.conn.phase)
		s.onDisconnected(Close{ByUs: true, Status: "replaced by a new connection"})
	}
	return Reply{Epoch: s.connect()}
}

// connect begins an epoch.
func (s *Session) connect() Epoch {
	s.conn = connection{epoch: s.conn.epoch + 1, phase: Connecting, started: s.now, era: new(era), trips: new(cancel.RoundTrips)}
	s.out.begin(s.conn.epoch)
	s.subs.begin()
	s.pings.begin()
	s.followers.begin()
	s.taskListens.begin()
	s.unconfirmed.begin()
	s.writer.begin()
	s.http.reset()
	s.processes.Connected()
	if s.cfg.StartIsIdle {
		s.processes.Ready(s.now)
	}
	s.part = messagePart{}
	s.event(fmt.Sprintf("connection %d", s.conn.epoch))
	if s.quitting {
		s.disconnectAll(cancel.ByQuit, "belay is quitting", false)
		return s.conn.epoch
	}
	s.negotiate()
	return s.conn.epoch
}

// Quit cancels everything in flight (CXL-33), gives the cancels a second to be written, and then
// asks for the connection to be closed. No verdict is awaited, and nothing is
// sent for the handshake.
type Quit struct {
	never
	LeaveTasks bool `json:"leaveTasks,omitempty"` // tasks are not cancelled (TSK-75): what becomes of them is up to the server
}

func (in Quit) apply(s *Session) Reply {
	s.quitting = true
	s.disconnectAll(cancel.ByQuit, "belay is quitting", in.LeaveTasks)
	return Reply{}
}

// Disconnect ends the connection in the same way, without ending the program.
// The reason goes to the server with the cancels.
type Disconnect struct {
	never
	Reason string `json:"reason,omitempty"`
}

func (in Disconnect) apply(s *Session) Reply {
	s.disconnectAll(cancel.ByDisconnect, validText(in.Reason), false)
	return Reply{}
}

func (in Disconnect) masked(m masker) Input {
	in.Reason = m.reason(in.Reason)
	return in
}

func (s *Session) disconnectAll(by cancel.Initiator, reason string, leaveTasks bool) {
	if s.conn.reconnect {
		s.dropUnsent()
	}
	if !s.link.onDisconnectWish(s.http.login != 0) {
		return
	}
	s.tasks.leaveAll(leaveTasks)
	s.driveFollowers()
	s.stopAll(by, reason)
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.isStopWished() && c.state == Running { // the ID is all that tasks/cancel takes, if the server does not tell of the task by then
			s.timers.Set(c.due(dueIdle), s.now.Add(quitLimit*3/4))
		}
	}
	s.link.close(quitLimit)
}

// Closed ends the connection of an epoch. Queued messages are dropped, running
// calls are lost, and calls under cancellation end with the verdict that the
// evidence allows. Rows stay, and nothing is written for the questions.
//
// Ago is how long ago the server ended by itself: what is left of its processes is ended before
// that is told. A row ended then, but for what came of the call since.
type Closed struct {
	never
	Epoch Epoch         `json:"epoch"`
	Why   Close         `json:"why"`
	Ago   time.Duration `json:"ago,omitempty"`
}

func (in Closed) apply(s *Session) Reply {
	if in.Epoch == s.conn.epoch && s.conn.phase != Disconnected {
		in.Why.at = s.now.Add(-max(0, in.Ago))
		s.onDisconnected(in.Why)
	}
	return Reply{}
}

func (in Closed) masked(m masker) Input {
	in.Why.Status, in.Why.Err, in.Why.Stderr = m.text(in.Why.Status), m.text(in.Why.Err), m.text(in.Why.Stderr)
	return in
}

func (s *Session) onDisconnected(why Close) {
	byUs := why.ByUs || s.conn.closeSent
	why.ByUs = byUs
	if byUs || why.at.IsZero() {
		why.at = s.now
	}
	was := s.link.onEnd(why, byUs)
	if s.conn.reconnect {
		s.keepUnsent()
	} else {
		s.dropUnsent()
	}
	s.out.clear()
	for _, c := range s.rows.unnamed {
		s.endWithConnection(c, why, byUs)
	}
	for c := s.rows.oldest; c != nil; {
		next := c.next
		s.endWithConnection(c, why, byUs)
		c = next
	}
	for _, in := range s.incoming.questions {
		if in.state == Waiting || s.incoming.open[in.id] == in {
			s.endQuestion(in, QuestionLost)
			s.logLost(in)
		}
	}
	s.pings.probe, s.unconfirmed.calls = nil, nil
	s.rows.touchTasks()
	s.followers.onDisconnected()
	s.taskListens.begin()
	s.outgoing.forget()
	s.incoming.forget()
	s.catalog.onConnectionEnd()
	s.http.closeExchanges()
	s.rows.onProcesses(s.now, s.processes.Disconnected(!byUs && !why.renewed))
	s.logSampled()
	s.timers.StopAll(ofConnection...)
	s.link.explainEnd(was, why, byUs)
}

// endWithConnection ends a call whose connection is gone. One that has ended, and may have left a task
// without an ID, stays as it is.
func (s *Session) endWithConnection(c *call, why Close, byUs bool) {
	goesOn, at := s.followers.lostNote(c, why.renewed), c.line.notBefore(c.created, why.at)
	ended := "the connection ended"
	if byUs {
		ended = "belay ended the connection"
	}
	switch c.state {
	case Lost, Failed:
	case Cancelled: // its cancel waits for the ID of its task, which would come over this connection
		if c.epoch == s.conn.epoch && s.conn.awaitsTask(c) {
			c.touchStop().TaskNeverNamed(s.now, ended)
		}
	case Queued:
		o := outcome{to: Dropped, says: saying(ended + " before it was sent")}
		if s.conn.reconnect && c.isUnsent() {
			o.says = saying("not sent: the server is begun with once more, and it is made then")
		}
		if c.sub != nil && c.sub.resubscription.goesOnFor != 0 {
			s.subs.carryOver(c)
		}
		s.move(c, o)
	case Cancelling:
		c.notePart(s.part, s.conn.trips.Bound())
		if why.renewed {
			c.touchStop().SessionOver(s.now, why.Status)
		} else if !byUs {
			c.touchStop().Died(at, why.ending(""))
		}
		switch settled := !why.renewed && !byUs || c.stop.WrittenAt().IsZero(); {
		case settled:
		case c.task() != nil:
			c.touchStop().TaskCutOff(s.now, byUs)
		case !why.renewed:
			c.touchStop().Disconnected(s.now)
		}
		switch st := c.touchStop(); {
		case st.IsRejected():
			st.GiveUp(s.now, "")
		case st.WrittenAt().IsZero():
			st.GiveUp(s.now, ended)
		}
		momentAt(c, at, 0, MomentView{Dir: Local, Kind: MomEnd, Text: why.words()})
		if goesOn.text != "" {
			s.note(c, goesOn.text)
		}
		s.end(c)
	default:
		s.incoming.endWait(c) // the questions of a round end with the connection
		momentAt(c, at, 0, MomentView{Dir: Local, Kind: MomEnd, Text: why.words()})
		o := s.subs.lostWith(c, why, byUs)
		o.at = at
		if goesOn.text != "" {
			s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: goesOn.text, Remedy: goesOn.remedy()})
			o.says = advising(o.says.text+"; "+goesOn.text, goesOn.remedy())
		}
		s.move(c, o)
		s.retireRequest(c)
	}
}
