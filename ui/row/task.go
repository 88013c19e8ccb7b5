package row

import (
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/task"
)

// IsTask reports whether a row is in flight and runs as a task: x cancels that.
func IsTask(r session.Row) bool { return r.Task != nil && r.IsInFlight() }

// IsPolledOn reports whether the row of a task has ended, as when the task was cancelled, and
// the task goes on all the same.
func IsPolledOn(r session.Row) bool { return r.Task != nil && r.Task.GoesOn && r.State.IsTerminal() }

// MayCancelAgain reports whether the row of a task has ended, the task goes on, and no cancel of
// it is known to have been read, also as nobody waits for it. Unless the core sends it from the same
// row, the next one is sent from a row of its own.
func MayCancelAgain(r session.Row) bool {
	if r.Task == nil || r.Task.CancelRead || r.Task.CancelsAgain || r.Task.CancelSentBy != "" {
		return false
	}
	return r.Task.MayCancelAgain || IsPolledOn(r) && r.State != session.Cancelled || r.Task.OutlivesItsTime() || isLeft(r)
}

// IsCancelInPipe reports whether the row of a task was cancelled, the task goes on, and the server is
// not known to have read tasks/cancel, which a second one would not overtake.
func IsCancelInPipe(r session.Row) bool {
	return IsPolledOn(r) && r.State == session.Cancelled && !r.Task.CancelRead && !r.Task.CancelsAgain && !r.Task.MayCancelAgain
}

// isLeft reports whether the user waits no more for a task that has not ended, as far as is known.
func isLeft(r session.Row) bool {
	t := r.Task
	return t != nil && (r.State == session.Lost && t.End == task.Left && !t.Status.IsTerminal() || t.LeftUncancelled)
}

// IsCutOff reports whether the row of a task has ended with its connection, and the task has not, as far
// as is known.
func IsCutOff(r session.Row) bool {
	t := r.Task
	return t != nil && (r.State == session.Lost || r.State == session.Cancelled) && t.End == task.Alive && !t.GoesOn && !t.Status.IsTerminal()
}

// NextPoll says when a task is polled next, or how often if that is several times a second;
// empty: no poll is planned.
func (w Words) NextPoll(r session.Row) safe.Text {
	t := r.Task
	if t == nil {
		return ""
	}
	word := safe.Text("next poll")
	if t.Blind {
		word = "a last poll" // when the time of the task is over
	}
	switch {
	case !t.Blind && r.IsInFlight() && t.GoesOn && t.Pause < time.Second:
		return "polled every " + Span(t.Pause)
	case t.NextPoll.IsZero():
		return ""
	case !r.IsInFlight():
		return word + " at " + safe.Text(t.NextPoll.Format(time.TimeOnly))
	}
	if left := t.NextPoll.Sub(w.Now); left > 0 {
		return word + " in " + countdown(left)
	}
	return word + " is due"
}

// Pause says how often a task is polled, and what the server asks for where that is something
// else.
func Pause(t *session.TaskView) safe.Text {
	switch often := "every " + fraction(t.Pause); {
	case t.Interval == 0:
		return often + ", belay's own interval"
	case t.Interval != t.Pause:
		return often + ", the server asks for " + fraction(t.Interval)
	default:
		return often
	}
}

// fraction is [Span] with two decimals where the time is short: "1.25 s".
func fraction(d time.Duration) safe.Text {
	if d > time.Second && d < time.Minute && d%time.Second != 0 {
		return safe.Text(strconv.FormatFloat(d.Seconds(), 'f', 2, 64)) + " s"
	}
	return Span(d)
}

// Expiry says how long a task is kept, as the server gave it.
func (w Words) Expiry(r session.Row) safe.Text {
	t := r.Task
	granted, says := safe.Text("nothing"), safe.Text("the server does not say")
	switch {
	case t.Unlimited:
		granted, says = "no expiry", "no expiry"
	case t.Expires.IsZero():
	case !t.Expires.After(w.Now):
		granted, says = Span(t.TTL), "may be gone"
	case r.IsInFlight():
		granted, says = Span(t.TTL), "expires in "+countdown(t.Expires.Sub(w.Now))
	default:
		granted, says = Span(t.TTL), "expires at "+safe.Text(t.Expires.Format(time.DateTime))
	}
	if t.Asked > 0 && (t.Expires.IsZero() || t.Asked != t.TTL) {
		says += " · asked " + Span(t.Asked) + ", got " + granted
	}
	return says
}

// countdown is a time that is left: it changes once a second at most.
func countdown(d time.Duration) safe.Text { return Span((d + time.Second - 1).Truncate(time.Second)) }

// Span writes a time that passes, or is to pass, in whole units of which a part counts as
// one: "42 s", "5 min".
func Span(d time.Duration) safe.Text {
	unit, word := time.Second, " s"
	switch {
	case d <= 0:
		return "0 s"
	case d < time.Second:
		unit, word = time.Millisecond, " ms"
	case d > 48*time.Hour:
		unit, word = 24*time.Hour, " days"
	case d > 2*time.Hour:
		unit, word = time.Hour, " h"
	case d > 2*time.Minute:
		unit, word = time.Minute, " min"
	}
	return safe.Text(strconv.FormatInt(int64((d+unit-1)/unit), 10) + word)
}
