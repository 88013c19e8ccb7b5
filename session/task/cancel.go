package task

import "time"

// IsCancelAnswered reports whether the server has answered a cancel of the task.
func (l *Life) IsCancelAnswered() bool { return l.cancel.answered || l.cancel.refused }

// IsCancelOut reports whether tasks/cancel is still to be sent, or awaits its answer.
func (l *Life) IsCancelOut() bool { return l.cancel.wanted || l.IsOut(Cancel) }

// WantCancel has tasks/cancel be sent.
func (l *Life) WantCancel() {
	l.cancel.wanted = true
	if l.end != Gone {
		l.end = Alive
	}
}

// CancelAgain has tasks/cancel be sent once more, beside one that was not answered. Polls that show
// what it does are made as after the first.
func (l *Life) CancelAgain() {
	l.WantCancel()
	l.cancel.again, l.cancel.slow = true, false
}

// TakeCancelBack forgets the wish, where the request was not made.
func (l *Life) TakeCancelBack() { l.cancel.wanted, l.cancel.again = false, false }

// CancelAnswered takes the answer to tasks/cancel that is no error, of any quality. What it
// proves is nothing: the next poll tells. That is due after the server's interval.
func (l *Life) CancelAnswered(now time.Time) {
	l.noteIn(Cancel)
	l.cancel.answered, l.backoff = true, 0
	if !l.status.IsTerminal() || l.must {
		l.must = true
		l.plan(now)
	}
}

// IsSettled reports whether the server answered the cancel, and then a poll that was sent
// after that, or nothing more is to be polled.
func (l *Life) IsSettled() bool {
	return l.IsCancelAnswered() && (l.cancel.settled || l.blind || l.status.IsTerminal() || l.end != Alive)
}

// awaitsSight reports whether a poll is still to show what the cancel did.
func (l *Life) awaitsSight() bool { return l.IsCancelAnswered() && !l.IsSettled() && !l.cancel.slow }

// IsPolledAfterCancel reports whether the poll that is out, or was answered last, was sent
// after the server had answered the cancel.
func (l *Life) IsPolledAfterCancel() bool { return l.cancel.polled }

// AwaitsConfirmation reports whether the end of the task was told by something else than a poll, and
// the one poll that follows has brought nothing yet.
func (l *Life) AwaitsConfirmation() bool {
	return l.status.IsTerminal() && l.end == Alive && !l.confirmed && (l.must || l.IsOut(Get))
}

// IsUnconfirmed reports whether the end of the task was told by something else than a poll, and no answer to a
// poll has told of the task since: the one that follows is still to come, or brought nothing.
func (l *Life) IsUnconfirmed() bool {
	return l.status.IsTerminal() && l.by > FromGet && l.polls == l.pollsThen && !l.unknown && !l.blind
}

// GraceOver has the polls go on more slowly: the row of the task has ended.
func (l *Life) GraceOver() { l.cancel.slow = true }

func (l *Life) settle() {
	if l.IsCancelAnswered() {
		l.cancel.settled = true
	}
}
