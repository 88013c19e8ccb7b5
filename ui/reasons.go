package ui

import (
	"belay/session"
	"belay/session/mcp"
	"belay/session/task"
	"belay/ui/compose"
	"belay/ui/dialog"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/question"
	"belay/ui/remedy"
	"belay/ui/replay"
	"belay/ui/row"
	"belay/ui/tasks"
)

// The reasons why a key does nothing just now, which the key itself says: "" where it
// does something. Each is a pure function of the situation.

// situation is what decides whether a key does something.
type situation struct {
	status *session.Status
	focus  layout.Pane
	tiny   bool        // there is room for one line only
	over   panel.Panel // what lies uppermost over the panes; nil: nothing does

	target session.Row // the call that the keys act on
	chosen bool        // … if there is one

	calls, messages int  // rows of the table, and of the wire pane
	searching       bool // a text is searched for in the detail

	recorded bool // the screen shows a recording

	marked int  // calls that are marked
	login  bool // a login waits for the user

	// These take a while to be found out, and few keys ask for them.
	markedOn    func() (calls, subs int) // what is marked and can be cancelled still
	hasQuestion func() bool              // a question of the server's can be shown
}

// inRecording is why nothing can be sent, or asked of a server, in a recording.
func inRecording(s situation) string {
	if s.recorded {
		return replay.Refused
	}
	return ""
}

// needsRoom is why something cannot be shown where there is but a line, and else
// what other says.
func needsRoom(other func(situation) string) func(situation) string {
	return func(s situation) string {
		switch {
		case s.tiny:
			return panel.TooSmall
		case other == nil:
			return ""
		}
		return other(s)
	}
}

// notReady is why no call can be made.
func notReady(s situation) string {
	if err := s.status.CheckCall(); err != nil {
		return string(panel.ErrorWords(err))
	}
	return ""
}

func noCall(s situation) string {
	if !s.chosen {
		return "no call is selected"
	}
	return ""
}

// nothingToCancel is why x does nothing. What else the core refuses of a call that is in flight, it says in its own
// words when the key is pressed.
func nothingToCancel(s situation) string {
	switch {
	case !s.chosen:
		return "there is no call to cancel"
	case s.target.WaitsOnly:
		return tasks.WaitsOnly
	case tasks.WhyEnded(s.target) != "":
		return tasks.WhyEnded(s.target)
	case row.MayCancelAgain(s.target) && tasks.LacksCancel(s.status):
		return tasks.LeftOnly
	case row.MayCancelAgain(s.target):
		return ""
	case s.target.UnnamedTask && !s.target.UnusableID && s.target.State == session.Cancelled: // the core knows whether the cancel is still to be sent
		return ""
	case s.target.Task != nil && s.target.Task.CancelsAgain:
		return "the task is being cancelled already: the answer to tasks/cancel is awaited"
	case s.target.Task != nil && s.target.Task.CancelSentBy != "" && !s.target.Task.IsKnownOver():
		return tasks.SentBy(s.target.Task.CancelSentBy)
	case row.IsCancelInPipe(s.target):
		return tasks.InPipe
	case row.IsPolledOn(s.target) && s.target.State == session.Cancelled && s.target.Task.CancelRefused:
		return "the server refused the cancel of the task: d stops waiting for it"
	case row.IsPolledOn(s.target) && s.target.State == session.Cancelled && !s.target.Task.CancelAnswered:
		return "the cancel of the task was delivered, and not answered: it is sent once; d stops waiting for it"
	case row.IsPolledOn(s.target) && s.target.State == session.Cancelled:
		return "the task was cancelled already, and goes on: d stops waiting for it"
	case s.target.Task != nil && s.target.State == session.Cancelled && s.target.Task.End == task.Left && !s.target.Task.IsKnownOver():
		return "the task was cancelled already, and is waited for no more: :poll asks what it does"
	case row.IsCutOff(s.target):
		return "the connection has ended, and the task may go on: :poll asks for it, :tasks lists it"
	case row.IsOver(s.target):
		return "the selected call has ended: there is nothing to cancel"
	}
	return ""
}

// stoppable counts what X cancels when nothing is marked.
func stoppable(s *session.Status) int {
	return s.InFlight - s.Cancelling - s.Handshake - s.WaitsOnly - s.OutcomesOnly
}

func nothingInFlight(s situation) string {
	if s.marked > 0 {
		if calls, subs := s.markedOn(); calls+subs == 0 {
			return "what is marked has ended already, or is being cancelled"
		}
		return ""
	}
	switch is := s.status; {
	case is.InFlight == 0 && is.Subscriptions > is.OwnSubscriptions:
		return "only subscriptions stand: X leaves them, as they are no work; x ends one, space marks more for X"
	case is.InFlight == 0:
		return "nothing is in flight"
	case stoppable(is) == 0 && is.WaitsOnly > 0:
		return tasks.WaitsOnly
	case stoppable(is) == 0 && is.OutcomesOnly > 0:
		return "there is nothing left to cancel: only the outcomes of tasks are waited for; d stops waiting"
	case stoppable(is) == 0 && is.Cancelling > 0:
		return "what is in flight is being cancelled already"
	case stoppable(is) == 0:
		if s.login {
			return "only the handshake is in flight: ! then esc gives its login up"
		}
		return string(remedy.With("only the handshake is in flight: it must not be cancelled", session.Remedy{Kind: session.RemedyLeave}))
	}
	return ""
}

func notRepeatable(s situation) string {
	switch {
	case !s.chosen:
		return "no call is selected"
	case s.target.Origin == session.FromHandshake:
		return "the handshake is made by :restart only"
	}
	return notReady(s)
}

func notConnected(s situation) string {
	if s.status.Phase == session.Disconnected {
		return "not connected"
	}
	return ""
}

func noLogging(s situation) string {
	if why := notReady(s); why != "" {
		return why
	}
	if !s.status.Server.Has.Logging {
		return "the server does not declare the logging capability; :send can ask it anyway"
	}
	return ""
}

func nothingToOpen(s situation) string {
	switch {
	case s.focus == layout.Calls && s.calls == 0:
		return "there is no call to open"
	case s.focus == layout.Wire && s.messages == 0:
		return "there is no message to open"
	case s.focus == layout.Detail && !s.searching:
		return "enter goes to the next place of a search; / begins one"
	}
	return ""
}

func nothingToCopy(s situation) string {
	if s.over != nil || s.focus == layout.Wire && s.messages > 0 {
		return ""
	}
	if s.focus == layout.Wire {
		return "there is no message"
	}
	return noCall(s)
}

// nothingToSave is why a page goes into no file: what it says of belay itself is
// in the documentation.
func nothingToSave(s situation) string {
	if p, ok := s.over.(*dialog.Page); ok && p.Name != "" {
		return ""
	}
	return "the keys are not saved: they are in belay's docs/keys.md; y copies them"
}

// noSubscribing is why no resource can be subscribed to.
func noSubscribing(s situation) string {
	return compose.NoSubscribing(s.status)
}

// noListening is why there is no subscription to changes of lists.
func noListening(s situation) string {
	return compose.WhyNot(s.status.CheckSubscribe(mcp.Filter{Tools: true}))
}

func nothingWaits(s situation) string {
	if s.login {
		return ""
	}
	if s.hasQuestion() {
		return ""
	}
	if s.target.Task != nil && s.target.Task.ReusedKeys > 0 {
		return "the selected task asks for something else under a key that was used: :ask shows it"
	}
	return question.NoQuestion(s.target.Round.AwaitsRetry)
}
