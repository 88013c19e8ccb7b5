package cancel

import (
	"fmt"
	"time"

	"belay/session/sentence"
)

// TaskFate is what was observed of a task.
type TaskFate uint8

// The fates.
const (
	TaskGoesOn TaskFate = iota + 1
	TaskIsCancelled
	TaskIsCompleted
	TaskHasFailed
	TaskIsUnknown // the server does not know it, or not any more
	TaskIsUntold  // the message was to tell of it, and does not

	// What tells nothing of how the task stands, and is evidence all the same.

	TaskIsUnpolled  // nothing is polled any more that would tell
	TaskIsPursued   // tasks/cancel was written for it, after another cancel of its call
	TaskIsFetched   // the answer to tasks/result brings its outcome
	TaskDisagrees   // the status in which it has ended does not go with its outcome
	TaskIsUndecided // an answer about the task that decides nothing
)

// Sight is one observation of a task after its cancel was wanted: a message about the task, or a step
// of belay's.
type Sight struct {
	At, Began time.Time
	Bound     time.Duration // [RoundTrips.Bound] at that time
	Fate      TaskFate
	By        string // what told it, in words: "tasks/get"
	Said      string // its status, in a word of the specification, or quoted; of TaskIsUntold: what was told instead; of TaskIsUnpolled: why; of TaskDisagrees: how; of TaskIsUndecided: the whole sentence
	Message   string // statusMessage; foreign text
	Dated     time.Time
	Earliest  time.Time // the task had not ended before that, by the server's dates; zero: they do not tell
	Latest    time.Time // … and had ended by then
	GoneOn    time.Time // when a message told last that the task goes on; zero: none did
	Polled    bool      // it answers a poll that was sent after the acknowledgement, or came after such an answer
	Answers   bool      // it is the answer to tasks/cancel
	Apart     bool      // … over HTTP: what came before it may have been said after it
}

// EndOrder is how the end of a task stands to its cancel.
type EndOrder uint8

// The orders. The first is that of a task which was not told to have ended by itself.
const (
	NoEnd           EndOrder = iota
	EndToldBefore            // the server had told it before the cancel was written
	EndBeforeCancel          // by the server's dates, before the cancel was written
	EndInDoubt               // nothing tells whether before the server can have read the cancel
	EndAfterCancel           // by the dates, or what was told before, when the server can have read it
)

// task is what was observed of a task whose cancel was wanted, where the call is one.
type task struct{ rare[taskNotes] }

// taskNotes are the observations of a task.
type taskNotes struct {
	awaited    time.Time // tasks/cancel was wanted, and there was no ID yet
	unnamed    problem   // … and it cannot come any more, and why
	handleAt   time.Time // the handle came, after the cancel
	endedFirst string    // … and how the task had ended by then, before the cancel could leave
	over       problem   // the task had ended before the cancel left, and how; when that was told
	sentAt     time.Time // tasks/cancel was written for it, after the cancel that the call had before
	acked      time.Time // the server answered tasks/cancel
	refused    problem   // … with an error
	odd        problem   // … or with something that no answer to it may be
	missed     problem   // … or not at all
	end        Sight     // the first that tells the end of the task; zero: none did
	on         Sight     // tells that it goes on: the first of a poll after the acknowledgement, before that the latest
	still      Sight     // … and the latest of those that tell the same later
	again      Sight     // one that tells the same end once more, by something else
	fetched    time.Time // its outcome came before anything had told its end
	differs    problem   // its status and its outcome disagree, and how
	asked      problem   // the latest answer about it that decides nothing
	contrary   Sight     // the first that tells otherwise than the end: another one, or that the task goes on
	otherwise  Sight     // … and the latest that tells something else again
	untold     problem   // the last poll after the acknowledgement was answered, and not by the task
	vain       problem   // the last poll after the acknowledgement that brought no answer
	unpolled   problem   // no poll is made any more, and why
	lostAt     time.Time // the polls after the acknowledgement brought nothing
	silent     time.Time // tasks/cancel was not answered while the grace lasted
	cutAt      time.Time // the connection ended, not by the server, while what the cancel did was awaited
	cutByUs    bool      // … belay ended it
}

// TaskHasNoID notes that the task has no ID yet: tasks/cancel leaves when it comes, and if it does
// not come, nothing may (CXL-07; basic/utilities/cancellation).
func (t *task) TaskHasNoID(now time.Time) { t.note().awaited = now }

// TaskNeverNamed notes that the ID of the task cannot come any more, and why: tasks/cancel is not sent.
func (t *task) TaskNeverNamed(now time.Time, why string) {
	n := t.note()
	if n.unnamed.at.IsZero() && n.handleAt.IsZero() {
		n.unnamed = problem{now, why}
	}
}

// TaskHandle notes that the handle of the task came after the cancel was wanted. Over says how the task
// had ended by then, with the cancel not left, and what told that: nothing is sent any more. It is empty
// of any other task.
func (t *task) TaskHandle(now time.Time, over string) {
	n := t.note()
	n.handleAt, n.endedFirst = now, over
}

// IsTaskOver reports whether the task had ended before its cancel left: nothing is sent any more, and
// its outcome is awaited.
func (t *task) IsTaskOver() bool { return t.isNoted() && !t.value().over.at.IsZero() }

// TaskAcknowledged notes the answer to tasks/cancel that is no error. It is no proof.
func (a *Attempt) TaskAcknowledged(now time.Time) {
	a.task.note().acked, a.readAt, a.due = now, now, now.Add(taskPolledWithin)
}

// TaskCancelRefused notes the error that answers tasks/cancel.
func (a *Attempt) TaskCancelRefused(now time.Time, words string) {
	a.task.note().refused, a.readAt, a.due = problem{now, words}, now, now.Add(taskPolledWithin)
}

// TaskOdd notes a malformed answer to tasks/cancel, and the fault of it. The server had read the
// cancel, and acknowledged nothing.
func (a *Attempt) TaskOdd(now time.Time, what string) {
	a.task.note().odd, a.readAt, a.due = problem{now, what}, now, now.Add(taskPolledWithin)
}

// TaskUnanswered notes that tasks/cancel brought no answer, and why.
func (t *task) TaskUnanswered(now time.Time, why string) { t.note().missed = problem{now, why} }

// IsTaskMissed reports whether tasks/cancel brought no answer, so that it is not known to be delivered.
func (t *task) IsTaskMissed() bool { return t.isNoted() && !t.value().missed.at.IsZero() }

// TaskSilent notes that tasks/cancel was not answered while the grace lasted.
func (t *task) TaskSilent(now time.Time) { t.note().silent = now }

// TaskLost notes that no poll after the acknowledgement brought an answer in time.
func (t *task) TaskLost(now time.Time) { t.note().lostAt = now }

// TaskVain notes that a poll after the acknowledgement brought no answer, and why.
func (t *task) TaskVain(now time.Time, why string) { t.note().vain = problem{now, why} }

// isTold reports whether a message has told what the task did after the acknowledgement.
func (t *task) isTold() bool {
	n := t.value()
	return n.end.Fate != 0 || t.IsTaskAtWork() || !n.untold.at.IsZero()
}

// IsTaskUntold reports whether the last poll after the acknowledgement was answered, and not by what
// tells what the task does.
func (t *task) IsTaskUntold() bool { return !t.value().untold.at.IsZero() }

// TaskCutOff notes the end of the connection, which the server did not cause, before a poll told the
// effect of the cancel. ByUs says that belay ended the connection.
func (t *task) TaskCutOff(now time.Time, byUs bool) {
	n := t.note()
	n.cutAt, n.cutByUs = now, byUs
}

// IsTaskCutByUs reports whether belay ended the connection before a poll told the effect of the cancel.
func (t *task) IsTaskCutByUs() bool { return t.value().cutByUs }

// IsTaskCutOff reports whether the connection ended in this way, and nothing else is known of the
// task or its cancel.
func (t *task) IsTaskCutOff() bool {
	n := t.value()
	return !n.cutAt.IsZero() && !t.isTold() && n.refused.at.IsZero() && n.odd.at.IsZero() && n.silent.IsZero()
}

// IsTaskAnswered reports whether the server answered tasks/cancel, by what it may be.
func (t *task) IsTaskAnswered() bool {
	if !t.isNoted() {
		return false
	}
	n := t.value()
	return !n.acked.IsZero() || !n.refused.at.IsZero() || !n.odd.at.IsZero()
}

// TaskSeen notes an observation of the task. Of several ends the first counts. That
// nothing is told is no evidence of what the task does, and counts of a poll that was sent
// after the acknowledgement.
func (t *task) TaskSeen(s Sight) {
	n := t.note()
	switch {
	case s.Apart && s.Fate == TaskIsCancelled && t.hasEndedByItself(): // a task that had ended is not cancelled
		n.contrary, n.end = n.end, s
	case s.Fate == TaskIsPursued:
		n.sentAt = s.At
	case s.Fate == TaskIsFetched && n.end.Fate == 0:
		n.fetched = s.At
	case s.Fate == TaskIsFetched:
	case s.Fate == TaskDisagrees:
		n.differs = problem{s.At, s.Said}
	case s.Fate == TaskIsUndecided:
		n.asked = problem{s.At, s.Said}
	case s.Fate == TaskIsUnpolled:
		n.unpolled = problem{s.At, s.Said}
	case s.Fate == TaskIsUntold && !s.Polled:
	case s.Fate == TaskIsUntold:
		n.untold = problem{s.At, s.Said}
	case n.isDeniedBy(s):
		n.contradict(s)
	case s.Fate == TaskGoesOn && t.IsTaskAtWork():
		n.still = s
	case s.Fate == TaskGoesOn:
		n.on = s
	case n.end.Fate == 0 || n.end.Fate == TaskIsUnknown && s.Fate != TaskIsUnknown:
		n.end = s
	case n.end.Fate != s.Fate && s.Fate != TaskIsUnknown:
		n.contradict(s)
	case n.end.By != s.By && n.again.At.IsZero():
		n.again = s
	}
}

// isDeniedBy reports whether a message tells that the task goes on, which was told to have ended.
func (n *taskNotes) isDeniedBy(s Sight) bool {
	return s.Fate == TaskGoesOn && !s.Apart && n.end.Fate != 0 && n.end.Fate != TaskIsUnknown
}

// contradict takes a message that tells otherwise than the end of the task, which was told before.
func (n *taskNotes) contradict(s Sight) {
	switch last := n.otherwise; {
	case n.contrary.At.IsZero():
		n.contrary = s
	case last.At.IsZero() && s.Said != n.contrary.Said, !last.At.IsZero() && s.Said != last.Said:
		n.otherwise = s
	}
}

// TaskSaidSince is the last status of a task that contradicts the end which the server had told before, and whether
// the task goes on by that status; empty: there is none. It may hold foreign text.
func (t *task) TaskSaidSince() (said string, goesOn bool) {
	n := t.value()
	last := n.contrary
	if !n.otherwise.At.IsZero() {
		last = n.otherwise
	}
	if last.At.IsZero() || last.At.Before(n.end.At) {
		return "", false
	}
	return last.Said, last.Fate == TaskGoesOn
}

// TaskEndAt is when the end of the task was told, or that the server does not know the task;
// zero: neither was.
func (t *task) TaskEndAt() time.Time { return t.value().end.At }

// TaskEnd is when the message began that told how the task ended by itself, and how that end
// stands to the cancel.
func (a *Attempt) TaskEnd() (began time.Time, order EndOrder) {
	n := a.task.value()
	end, on := &n.end, &n.on
	bound := on.Bound
	if !on.Began.After(n.acked) { // a server that takes its time for the answer may have taken it before it read the cancel
		bound = max(bound, boundMost)
	}
	goesOn := on.Fate == TaskGoesOn && (on.Polled || on.Answers || a.IsLate(on.Began, bound))
	switch {
	case !a.task.hasEndedByItself():
		return end.Began, NoEnd
	case a.writtenAt.IsZero():
		return end.Began, EndInDoubt
	case end.Began.Before(a.writtenAt):
		return end.Began, EndToldBefore
	case goesOn, !a.messages.lastLate.IsZero(), a.IsLate(end.Earliest, end.Bound):
		return end.Began, EndAfterCancel
	case !end.Latest.IsZero() && end.Latest.Before(a.writtenAt):
		return end.Began, EndBeforeCancel
	}
	return end.Began, EndInDoubt
}

// hasEndedByItself reports whether the task was told to have ended, and not by a cancel.
func (t *task) hasEndedByItself() bool {
	n := t.value()
	return n.end.Fate == TaskIsCompleted || n.end.Fate == TaskHasFailed
}

// isReadOpen reports whether an answer to something that was written later does not tell that the server has read the
// cancel, which is a request that was not answered: over HTTP each POST stands for itself. Ended says that the request
// to end a subscription was.
func (t *task) isReadOpen(of Spec, ended bool) bool {
	switch {
	case !of.Apart:
		return false
	case of.Signal == CancelTask:
		return !t.IsTaskAnswered()
	default:
		return of.Signal == Unsubscribe && !ended
	}
}

// isOfTask reports whether the attempt is about a task whose ID is known, or was waited for.
func (a *Attempt) isOfTask() bool {
	return a.Signal == CancelTask || a.task.isNoted() && !a.task.value().handleAt.IsZero()
}

// taskVerdict is what became of the task; [NoVerdict]: nothing of that is known.
func (a *Attempt) taskVerdict() Verdict {
	t := &a.task
	n := t.value()
	answered := a.IsTaskAnswered()
	_, order := a.TaskEnd()
	switch {
	case !n.refused.at.IsZero() && !t.IsTaskAtWork():
		return TaskRefused
	case t.hasEndedByItself() && !a.writtenAt.IsZero() && !a.IsLate(n.end.Began, n.end.Bound): // it may have ended before
		return Crossed
	case n.end.Fate == TaskIsCancelled:
		return TaskCancelled
	case !n.missed.at.IsZero() && a.writtenAt.IsZero() && !answered: // as of a connection that is refused
		return NotDelivered
	case !n.odd.at.IsZero(), t.hasEndedByItself() && !answered:
		return TaskUnacknowledged
	case order == EndToldBefore, order == EndBeforeCancel, order == EndInDoubt:
		return Crossed
	case n.end.Fate == TaskIsCompleted:
		return TaskCompleted
	case n.end.Fate == TaskHasFailed:
		return TaskFailed
	case answered && t.IsTaskAtWork():
		return TaskWorking
	case answered && n.end.Fate != TaskIsUnknown && !a.messages.lastLate.IsZero():
		return TaskWorking
	case answered:
		return TaskUnseen
	case !n.silent.IsZero() && (a.probeLateAt.IsZero() || a.IsRead()):
		return TaskUnacknowledged
	case n.missed.at.IsZero():
		return NoVerdict
	}
	return TaskUnacknowledged
}

// isRepeatOpen reports whether this is the second tasks/cancel for a task, after the verdict of the
// first, and nothing tells yet what became of the second.
func (a *Attempt) isRepeatOpen() bool {
	if !a.Again {
		return false
	}
	t := &a.task
	if t.IsTaskAnswered() && a.IsWriteOpen() {
		return true
	}
	n, v := t.value(), a.taskVerdict()
	awaitsPoll := v == TaskUnseen && n.end.Fate != TaskIsUnknown && n.untold.at.IsZero() && n.lostAt.IsZero()
	return v == NoVerdict || awaitsPoll
}

// IsTaskAtWork reports whether the task was at work when the server had answered tasks/cancel. What a
// poll from before that brings may come after the answer, over HTTP.
func (t *task) IsTaskAtWork() bool {
	n := t.value()
	return n.on.Fate == TaskGoesOn && n.on.Polled
}

// hasSeenTask reports whether something is known of the task besides that its cancel was
// answered or was not: a server that has died explains the silence about it.
func (a *Attempt) hasSeenTask() bool {
	switch v := a.taskVerdict(); {
	case v == TaskUnseen:
		return a.task.value().end.Fate == TaskIsUnknown
	case v == TaskUnacknowledged:
		return !a.task.value().odd.at.IsZero() || a.task.hasEndedByItself()
	}
	return true
}

// taskEvidence adds what was observed of the task.
func (a *Attempt) taskEvidence(l *list) {
	t := &a.task
	n := t.value()
	if !a.isOfTask() {
		return
	}
	l.add(n.awaited, "the task had no ID yet: tasks/cancel is sent when the ID comes, unless the task has ended by then")
	l.add(n.unnamed.at, "nothing is open any more on which the ID of the task would come, and tasks/cancel is not sent: %s", n.unnamed.text)
	if n.endedFirst != "" {
		l.add(n.handleAt, "the handle of the task came, and the task has ended by then (%s): tasks/cancel is not sent", n.endedFirst)
	} else {
		l.add(n.handleAt, "the handle of the task came after the cancel was wanted")
	}
	written := CancelTask.writtenWords()
	if a.Signal == Notify { // which carried the reason
		written = "tasks/cancel written"
	}
	l.add(n.sentAt, "%s", written)
	l.add(n.acked, "the server answered tasks/cancel: that alone is no proof")
	l.add(n.refused.at, "the server refused tasks/cancel: %s", n.refused.text)
	l.add(n.odd.at, "the server's answer to tasks/cancel is malformed, and acknowledges nothing: %s", n.odd.text)
	l.add(n.missed.at, "tasks/cancel brought no answer: %s", n.missed.text)
	if n.missed.at.IsZero() || n.missed.at.After(n.silent) { // else it is told that nothing can come
		l.add(n.silent, "tasks/cancel was not answered while the grace lasted")
	}
	l.add(n.asked.at, "%s", n.asked.text)
	l.add(n.on.At, "%s", n.on.Words())
	l.add(n.still.At, "last told that it goes on: %s", n.still.Words())
	l.add(n.fetched, "the answer to tasks/result brings the outcome of the task, as only that of a task that has ended does")
	l.add(n.end.At, "%s", n.end.Words())
	_, order := a.TaskEnd()
	words := n.end.orderWords(order, a.writtenAt)
	if words != "" && n.refused.at.IsZero() && !a.writtenAt.IsZero() { // else the server said so, or nothing left
		l.add(n.end.At, "%s", words)
	}
	l.add(n.again.At, "%s", t.againWords())
	if n.contrary.At.Before(n.end.At) { // the end that was told first gave way to that of the cancel
		l.add(n.contrary.At, "%s: over HTTP that may have been said after the answer to tasks/cancel, which counts", n.contrary.Words())
	} else {
		l.add(n.contrary.At, "%s, although the task had ended: the first word stays", n.contrary.Words())
	}
	l.add(n.otherwise.At, "last told otherwise: %s", n.otherwise.Words())
	l.add(n.differs.at, "%s", n.differs.text)
	l.add(n.untold.at, "the answer to a poll that was sent after that tells nothing of the task: %s", n.untold.text)
	switch {
	case !t.IsTaskCutOff():
	case n.cutByUs:
		l.add(n.cutAt, "belay ended the connection before a poll told what the cancel did")
	default:
		l.add(n.cutAt, "the connection ended before a poll told what the cancel did")
	}
	if !t.isTold() {
		l.add(n.vain.at, "a poll that was sent after that brought nothing: %s", n.vain.text)
	}
	if n.end.Fate == 0 {
		l.add(n.unpolled.at, "nothing more is polled: %s", n.unpolled.text)
	}
	l.add(n.lostAt, "no poll after the answer to tasks/cancel was answered within %v", taskPolledWithin)
}

// orderWords say how the end that a message tells stands to the cancel, which was written at a time; empty:
// what was told before says it.
func (s *Sight) orderWords(order EndOrder, written time.Time) string {
	const unknown = "whether the task had ended before the server read the cancel is not known"
	switch on := written.Sub(s.GoneOn); {
	case order == EndToldBefore:
		return "the server told that before the cancel was written"
	case order == EndBeforeCancel:
		return "by the server's dates the task had ended " + precise(written.Sub(s.Latest)) + " before the cancel was written, at the latest"
	case order == EndAfterCancel && s.Earliest.Sub(written) > s.Bound:
		return "by the server's dates the task ended " + precise(s.Earliest.Sub(written)) + " after the cancel, at the earliest"
	case order != EndInDoubt:
		return ""
	case s.GoneOn.IsZero() || on < 0:
		return unknown
	default:
		return unknown + ": it was last told to go on " + precise(on) + " before that was written"
	}
}

// taskPolledWithin is how long after the acknowledgement the answer to a poll is awaited.
const taskPolledWithin = time.Minute

func (t *task) againWords() string {
	n := t.value()
	if n.again.Fate == TaskIsUnknown {
		return n.again.By + " does not find the task any more"
	}
	return n.again.By + " says so as well"
}

// Words are what the message says, in a sentence.
func (s *Sight) Words() string {
	words := fmt.Sprintf("%s says that the task is %s", s.By, s.Said)
	switch {
	case s.Fate == TaskIsUnknown:
		return s.By + " does not find the task any more"
	case s.Fate == TaskGoesOn:
	case !s.Dated.IsZero():
		words += ", since " + s.Dated.UTC().Format("15:04:05.0") + " UTC by the server's clock"
	}
	if s.Message != "" {
		words += ": " + sentence.Quoted(s.Message)
	}
	return words
}
