package task

import "time"

// View is what is shown of a task.
type View struct {
	ID             string // foreign text
	Status         Status
	By             Source // of the status
	IsOdd          bool   // the last message about the task named no status: Status is that of before
	Odd            string // … but this word; foreign text; empty: none
	Message        string // foreign text
	End            End
	Since          time.Time // its handle came
	Created        time.Time // by the server's clock; zero: the server does not say
	Seen           time.Time // its status was told last
	NextPoll       time.Time // zero: none is planned
	Polls          int
	Missed         int           // polls in a row that brought nothing
	Blind          bool          // the server does not know tasks/get
	Unknown        bool          // the last poll was answered that the server does not know the task
	Expires        time.Time     // zero: it says no such time
	Unlimited      bool          // it says that it does not expire
	TTL            time.Duration // as the server gives it; 0: it does not
	Asked          time.Duration // the time to live that was wished for; 0: none
	Interval       time.Duration // that the server asks for; 0: none
	Pause          time.Duration // between an answer and the next poll, as things stand
	OutcomeAhead   bool          // the outcome has come, and no poll since has told that the task has ended, or goes on
	CancelAnswered bool          // the server has answered tasks/cancel, be it by an error
	CancelRefused  bool          // … by an error
	Unconfirmed    bool          // its end was told by something else than a poll, and no poll has told of it since
	Otherwise      Otherwise     // what was told first after the end, and does not go with it: Status stays; zero: nothing was
}

// IsTold reports whether the server has told of the task: of one that was asked for by its ID it may not have.
func (v *View) IsTold() bool { return v.Status != Unknown }

// OutlivesItsTime reports whether the last poll, at the end of the task's time, still found it.
func (v *View) OutlivesItsTime() bool {
	return v.End == Expired && v.Polls > 0 && v.Missed == 0 && !v.Unknown
}

// IsKnownOver reports whether the task has ended, as far as is known: the server told its end or its
// outcome, or knows it no more.
func (v *View) IsKnownOver() bool {
	isOver := v.Status.IsTerminal() || v.End == Gone || v.End == Expired || v.End == NoPolls
	return isOver && !v.OutlivesItsTime()
}

// View is what is shown of the task.
func (l *Life) View() View {
	v := View{
		ID: l.ID, Status: l.status, By: l.by, Message: l.message, End: l.end, Since: l.since, Created: l.created, Seen: l.seen,
		NextPoll: l.nextPoll(), Polls: l.polls, Interval: l.interval.D, Pause: l.pause(),
		Missed: l.failed, Blind: l.blind, Unknown: l.unknown,
		TTL: l.ttl.D, Unlimited: l.ttl.Unlimited, Expires: l.Expires(),
		Asked: l.asked, OutcomeAhead: l.IsOutcomeAhead(), CancelAnswered: l.IsCancelAnswered(), CancelRefused: l.cancel.refused,
		Unconfirmed: l.IsUnconfirmed(), Otherwise: l.otherwise,
	}
	if l.saidOdd != nil {
		v.IsOdd, v.Odd = true, *l.saidOdd
	}
	return v
}
