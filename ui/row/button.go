package row

import (
	"belay/session"
)

// HasButton reports whether a row has a cancel button: what can never be cancelled
// has none, and neither has a task that is being cancelled.
func HasButton(r session.Row) bool {
	return !IsOver(r) && r.Origin != session.FromHandshake && !r.WaitsOnly && !r.OutcomeOnly && !isTaskStopping(r)
}

// isTaskStopping reports whether tasks/cancel is out for a row, or waits for the ID of its task: it is
// sent once.
func isTaskStopping(r session.Row) bool {
	return r.State == session.Cancelling && !r.CancelRejected && (r.Task != nil || r.AwaitsID || r.AwaitsLook)
}

// IsOver reports whether a row has ended for good: it has left no subscription that
// could be ended once more.
func IsOver(r session.Row) bool {
	return r.State.IsTerminal() && r.Sub.Residual == session.ResidualNone
}

// IsCancelKept reports whether a cancel of the row can only leave when the ID of its task comes: x
// does nothing more.
func IsCancelKept(r session.Row) bool {
	return r.AwaitsID || r.UnnamedTask && !r.UnusableID && r.State == session.Cancelled
}

// RefusesCancel reports whether a row is in flight, and x would do nothing but say why: it is being
// cancelled, or must not be.
func RefusesCancel(r session.Row) bool {
	return r.IsInFlight() && (r.Origin == session.FromHandshake || NoCancel(r) != "")
}

// IsStoppable reports whether a row is in flight and can be cancelled, also once more, as the core would say.
func IsStoppable(r session.Row) bool {
	return r.IsInFlight() && r.Origin != session.FromHandshake && !r.WaitsOnly && !r.OutcomeOnly && (r.State != session.Cancelling || r.CancelRejected)
}

// NoCancel is why a row's cancel button is grey; empty when it is not. What is
// refused is decided by the core, which is asked when the key is pressed.
func NoCancel(r session.Row) string {
	switch {
	case IsOver(r):
		return "it has ended"
	case CancelAnswered(r) != "":
		return CancelAnswered(r)
	case r.State == session.Cancelling && !r.CancelRejected:
		return "it is being cancelled already"
	}
	return ""
}

// CancelAnswered says how the server has answered the cancel of a task whose row is in flight still, so
// that the cancel is not sent once more; empty: it has not.
func CancelAnswered(r session.Row) string {
	switch {
	case r.State != session.Cancelling || r.Task == nil || !r.Task.CancelAnswered:
		return ""
	case r.Task.CancelRefused:
		return "the server refused tasks/cancel: a poll is to tell what the task does; d stops waiting"
	}
	return "the server answered tasks/cancel: a poll is to tell what the task does; d stops waiting"
}
