package cancel

import (
	"fmt"
	"time"

	"belay/session/sentence"
)

// TaskFate is what a message says that became of a task.
type TaskFate uint8

// The fates.
const (
	TaskGoesOn TaskFate = iota + 1
	TaskIsCancelled
	TaskIsCompleted
	TaskHasFailed
	TaskIsUnknown  // the server does not know it, or not any more
	TaskIsUntold   // the message was to tell of it, and does not
	TaskIsUnpolled // no message: nothing is polled any more that would tell
	TaskIsPursued  // no message: tasks/cancel was written for it, after another cancel of its call
	TaskIsFetched  // the answer to tasks/result brings its outcome
)

// Sight is one message that tells what became of a task after its cancel was wanted.
type Sight struct {
	At, Began time.Time
	Bound     time.Duration // [RoundTrips.Bound] at that time
	Fate      TaskFate
	By        string // what told it, in words: "tasks/get"
	Said      string // its status, in a word of the specification, or quoted; of TaskIsUntold: what was told instead; of TaskIsUnpolled: why
	Message   string // statusMessage; foreign text
	Dated     time.Time
	Polled    bool // it answers a poll that was sent after the acknowledgement, or came after such an answer
	Apart     bool // it is the answer to tasks/cancel, over HTTP: what came before it may have been said after it
}

// task is what was observed of a task whose cancel was wanted.
type task struct {
	awaited    time.Time // tasks/cancel was wanted, and there was no ID yet
	unnamed    problem   // … and it cannot come any more, and why
	handleAt   time.Time // the handle came, after the cancel
	endedFirst bool      // … and the task had ended by then, before the cancel could leave
	isOver     bool      // … of a task that had ended, and the cancel had not left
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
	contrary   Sight     // one that tells another end than the first
	untold     problem   // the last poll after the acknowledgement was answered, and not by the task
	vain       problem   // the last poll after the acknowledgement that brought no answer
	unpolled   problem   // no poll is made any more, and why
	lostAt     time.Time // the polls after the acknowledgement brought nothing
	silent     time.Time // tasks/cancel was not answered while the grace lasted
	cutAt      time.Time // the connection ended, not by the server, while what the cancel did was awaited
	cutByUs    bool      // … belay ended it
}

// AwaitsTask notes that the task has no ID yet: tasks/cancel leaves when it comes, and if it does
// not come, nothing may (CXL-07; basic/utilities/cancellation).
func (t *task) AwaitsTask(now time.Time) { t.awaited = now }

// TaskNeverNamed notes that the ID of the task cannot come any more, and why: tasks/cancel is not sent.
func (t *task) TaskNeverNamed(now time.Time, why string) {
	if t.unnamed.at.IsZero() && t.handleAt.IsZero() {
		t.unnamed = problem{now, why}
	}
}

// IsTaskNeverNamed reports whether that is so.
func (t *task) IsTaskNeverNamed() bool { return !t.unnamed.at.IsZero() && t.handleAt.IsZero() }

// TaskHandle notes that the handle of the task came after the cancel was wanted. Over says that the task
// had ended by then, and the cancel had not left: nothing is sent any more.
func (t *task) TaskHandle(now time.Time, over bool) { t.handleAt, t.endedFirst = now, over }

// IsTaskOver reports whether the task had ended before its cancel left: nothing is sent any more, and
// its outcome is awaited.
func (t *task) IsTaskOver() bool { return t.isOver }

// TaskAcknowledged notes the answer to tasks/cancel that is no error. It is no proof.
func (a *Attempt) TaskAcknowledged(now time.Time) {
	a.task.acked, a.readAt, a.due = now, now, now.Add(taskPolledWithin)
}

// TaskRefused notes the error that answers tasks/cancel.
func (a *Attempt) TaskRefused(now time.Time, words string) {
	a.task.refused, a.readAt, a.due = problem{now, words}, now, now.Add(taskPolledWithin)
}

// TaskOdd notes a malformed answer to tasks/cancel, and the fault of it. The server had read the
// cancel, and acknowledged nothing.
func (a *Attempt) TaskOdd(now time.Time, what string) {
	a.task.odd, a.readAt, a.due = problem{now, what}, now, now.Add(taskPolledWithin)
}

// TaskUnanswered notes that tasks/cancel brought no answer, and why.
func (t *task) TaskUnanswered(now time.Time, why string) { t.missed = problem{now, why} }

// IsTaskMissed reports whether tasks/cancel brought no answer, so that it is not known to be delivered.
func (t *task) IsTaskMissed() bool { return !t.missed.at.IsZero() }

// TaskSilent notes that tasks/cancel was not answered while the grace lasted.
func (t *task) TaskSilent(now time.Time) { t.silent = now }

// TaskLost notes that no poll after the acknowledgement brought an answer in time.
func (t *task) TaskLost(now time.Time) { t.lostAt = now }

// TaskVain notes that a poll after the acknowledgement brought no answer, and why.
func (t *task) TaskVain(now time.Time, why string) { t.vain = problem{now, why} }

// isTold reports whether a message has told what the task did after the acknowledgement.
func (t *task) isTold() bool {
	return t.end.Fate != 0 || t.IsTaskAtWork() || !t.untold.at.IsZero()
}

// IsTaskUntold reports whether the last poll after the acknowledgement was answered, and not by what
// tells what the task does.
func (t *task) IsTaskUntold() bool { return !t.untold.at.IsZero() }

// TaskCutOff notes the end of the connection, which the server did not cause, before a poll told the
// effect of the cancel. ByUs says that belay ended the connection.
func (t *task) TaskCutOff(now time.Time, byUs bool) { t.cutAt, t.cutByUs = now, byUs }

// IsTaskCutByUs reports whether belay ended that connection.
func (t *task) IsTaskCutByUs() bool { return t.cutByUs }

// IsTaskCutOff reports whether that is so, and nothing else is known of the task or its cancel.
func (t *task) IsTaskCutOff() bool {
	return !t.cutAt.IsZero() && !t.isTold() && t.refused.at.IsZero() && t.odd.at.IsZero() && t.silent.IsZero()
}

// IsTaskAnswered reports whether the server answered tasks/cancel, by what it may be.
func (t *task) IsTaskAnswered() bool {
	return !t.acked.IsZero() || !t.refused.at.IsZero() || !t.odd.at.IsZero()
}

// TaskSeen notes what a message tells of the task. Of several ends the first counts. That
// nothing is told is no evidence of what the task does, and counts of a poll that was sent
// after the acknowledgement.
func (t *task) TaskSeen(s Sight) {
	switch {
	case s.Apart && s.Fate == TaskIsCancelled && t.hasEndedByItself(): // a task that had ended is not cancelled
		t.contrary, t.end = t.end, s
	case s.Fate == TaskIsPursued:
		t.sentAt = s.At
	case s.Fate == TaskIsFetched && t.end.Fate == 0:
		t.fetched = s.At
	case s.Fate == TaskIsFetched:
	case s.Fate == TaskIsUnpolled:
		t.unpolled = problem{s.At, s.Said}
	case s.Fate == TaskIsUntold && !s.Polled:
	case s.Fate == TaskIsUntold:
		t.untold = problem{s.At, s.Said}
	case s.Fate == TaskGoesOn && t.IsTaskAtWork():
		t.still = s
	case s.Fate == TaskGoesOn:
		t.on = s
	case t.end.Fate == 0 || t.end.Fate == TaskIsUnknown && s.Fate != TaskIsUnknown:
		t.end = s
	case t.end.Fate != s.Fate && s.Fate != TaskIsUnknown:
		t.contrary = s
	case t.end.By != s.By && t.again.At.IsZero():
		t.again = s
	}
}

// TaskEndAt is when the end of the task was told, or that the server does not know the task;
// zero: neither was.
func (t *task) TaskEndAt() time.Time { return t.end.At }

// TaskEndBegan is when the message began that told how the task ended by itself; false: none did.
func (t *task) TaskEndBegan() (began time.Time, ended bool) {
	return t.end.Began, t.hasEndedByItself()
}

// hasEndedByItself reports whether the task was told to have ended, and not by a cancel.
func (t *task) hasEndedByItself() bool {
	return t.end.Fate == TaskIsCompleted || t.end.Fate == TaskHasFailed
}

// isReadOpen reports whether an answer to something that was written later does not tell that the
// server has read tasks/cancel: over HTTP each POST stands for itself.
func (t *task) isReadOpen(of Spec) bool {
	return of.Apart && of.Signal == CancelTask && !t.IsTaskAnswered()
}

// isOfTask reports whether the attempt is about a task whose ID is known, or was waited for.
func (a *Attempt) isOfTask() bool {
	t := &a.task
	return a.Signal == CancelTask || !t.handleAt.IsZero()
}

// taskVerdict is what became of the task; [NoVerdict]: nothing of that is known.
func (a *Attempt) taskVerdict() Verdict {
	t := &a.task
	answered := a.IsTaskAnswered()
	switch {
	case !t.refused.at.IsZero() && !t.IsTaskAtWork():
		return TaskRefused
	case t.hasEndedByItself() && !a.writtenAt.IsZero() && !a.IsLate(t.end.Began, t.end.Bound): // it may have ended before
		return Crossed
	case t.end.Fate == TaskIsCancelled:
		return TaskCancelled
	case !t.odd.at.IsZero(), t.hasEndedByItself() && !answered:
		return TaskUnacknowledged
	case t.end.Fate == TaskIsCompleted:
		return TaskCompleted
	case t.end.Fate == TaskHasFailed:
		return TaskFailed
	case answered && t.end.Fate == TaskIsUnknown:
		return TaskUnseen
	case answered && t.IsTaskAtWork(),
		answered && !a.messages.sure.IsZero():
		return TaskWorking
	case answered:
		return TaskUnseen
	case !t.silent.IsZero() && (a.probeLateAt.IsZero() || a.IsRead()):
		return TaskUnacknowledged
	case t.missed.at.IsZero():
		return NoVerdict
	}
	return TaskUnacknowledged
}

// isRepeatOpen reports whether this is the second tasks/cancel for a task, after the verdict of the
// first, and nothing tells yet what became of the second.
func (a *Attempt) isRepeatOpen() bool {
	t := &a.task
	switch {
	case !a.Again:
		return false
	case t.IsTaskAnswered() && a.IsWriteOpen():
		return true
	}
	v := a.taskVerdict()
	awaitsPoll := v == TaskUnseen && t.end.Fate != TaskIsUnknown && t.untold.at.IsZero() && t.lostAt.IsZero()
	return v == NoVerdict || awaitsPoll
}

// IsTaskAtWork reports whether the task was at work when the server had answered tasks/cancel. What a
// poll from before that brings may come after the answer, over HTTP.
func (t *task) IsTaskAtWork() bool { return t.on.Fate == TaskGoesOn && t.on.Polled }

// hasSeenTask reports whether something is known of the task besides that its cancel was
// answered or was not: a server that has died explains the silence about it.
func (a *Attempt) hasSeenTask() bool {
	switch v := a.taskVerdict(); {
	case v == TaskUnseen:
		return a.task.end.Fate == TaskIsUnknown
	case v == TaskUnacknowledged:
		return !a.task.odd.at.IsZero() || a.task.hasEndedByItself()
	}
	return true
}

// taskEvidence is what was observed of the task.
func (a *Attempt) taskEvidence(l *list) {
	t := &a.task
	if !a.isOfTask() {
		return
	}
	l.add(t.awaited, "the task had no ID yet: tasks/cancel is sent when the ID comes, unless the task has ended by then")
	l.add(t.unnamed.at, "nothing is open any more on which the ID of the task would come, and tasks/cancel is not sent: %s", t.unnamed.text)
	if t.endedFirst {
		l.add(t.handleAt, "the handle of the task came, and the task has ended by then: tasks/cancel is not sent")
	} else {
		l.add(t.handleAt, "the handle of the task came after the cancel was wanted")
	}
	l.add(t.sentAt, "tasks/cancel written; the reason stays with belay")
	l.add(t.acked, "the server answered tasks/cancel: that alone is no proof")
	l.add(t.refused.at, "the server refused tasks/cancel: %s", t.refused.text)
	l.add(t.odd.at, "the server's answer to tasks/cancel is malformed, and acknowledges nothing: %s", t.odd.text)
	l.add(t.missed.at, "tasks/cancel brought no answer: %s", t.missed.text)
	if t.missed.at.IsZero() || t.missed.at.After(t.silent) { // else it is told that nothing can come
		l.add(t.silent, "tasks/cancel was not answered while the grace lasted")
	}
	l.add(t.on.At, "%s", t.on.words())
	l.add(t.still.At, "last told that it goes on: %s", t.still.words())
	l.add(t.fetched, "the answer to tasks/result brings the outcome of the task, as only that of a task that has ended does")
	l.add(t.end.At, "%s", t.end.words())
	l.add(t.again.At, "%s", t.againWords())
	l.add(t.contrary.At, "%s, although the task had ended: the first word stays", t.contrary.words())
	l.add(t.untold.at, "the answer to a poll that was sent after that tells nothing of the task: %s", t.untold.text)
	switch {
	case !t.IsTaskCutOff():
	case t.cutByUs:
		l.add(t.cutAt, "belay ended the connection before a poll told what the cancel did")
	default:
		l.add(t.cutAt, "the connection ended before a poll told what the cancel did")
	}
	if !t.isTold() {
		l.add(t.vain.at, "a poll that was sent after that brought nothing: %s", t.vain.text)
		l.add(t.unpolled.at, "nothing more is polled: %s", t.unpolled.text)
	}
	l.add(t.lostAt, "no poll after the answer to tasks/cancel was answered within %v", taskPolledWithin)
}

// taskPolledWithin is how long after the acknowledgement the answer to a poll is awaited.
const taskPolledWithin = time.Minute

func (t *task) againWords() string {
	if t.again.Fate == TaskIsUnknown {
		return t.again.By + " does not find the task any more"
	}
	return t.again.By + " says so as well"
}

func (s *Sight) words() string {
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
