package cancel

import "belay/session/witness"

// Verdict is the word for what was seen of the server after a cancel: the first of the
// list below that the evidence allows, but for tasks, which have an order of their
// own. It may change as long as evidence comes, also after the call has ended.
type Verdict uint8

// The verdicts, in the order in which they are weighed. The words of a task are weighed
// before [ServerDied] and in the order of [Attempt.taskVerdict]: a refusal before
// [Crossed], and a malformed answer to tasks/cancel before [TaskWorking]. README and
// internal/wording have the same list in the same order; tests hold that.
const (
	NoVerdict          Verdict = iota
	NothingRunning             // no request was in flight, or the server had not begun with it
	NotDelivered               // the cancel was not written within 5 s, was never sent, or over HTTP was rejected or not accepted
	ServerDied                 // the process or the connection ended by itself before an answer
	SaysCancelled              // an error, or a result with isError, says that the call was cancelled
	Crossed                    // the answer may have been on its way already
	AnsweredError              // an error, or a result with isError, that began too late to have been on its way; of a subscription, any
	AnsweredLate               // a result, or a malformed answer, that began too late to have been on its way
	Acknowledged               // of a subscription: the server took its end
	TaskRefused                // the server answered tasks/cancel with an error, and no poll since says that the task goes on
	TaskCancelled              // the task is cancelled
	TaskCompleted              // the server had answered tasks/cancel, and the task was completed all the same
	TaskFailed                 // … and the task failed
	TaskWorking                // a poll after the answer to tasks/cancel, be that an error, says that the task goes on
	TaskUnseen                 // the server answered tasks/cancel, and no poll since told of the task
	TaskUnacknowledged         // tasks/cancel was not answered, or by something malformed, whether the task ended by itself or not
	StreamClosed               // 2026-07-28 over HTTP: nothing more can be seen
	StillWorking               // messages for the call went on to the end of the grace, or the server's processes worked on
	LeftProcess                // silence, and a process that began after the call was sent lives
	ServerUnresponsive         // silence, and the probe was not answered in time
	EndedAfter                 // silence, and no process that began during the call lives
	Quiet                      // silence when the grace ended, and the server had read the cancel
	NothingHeard               // silence, and no way to ask; or what came is no silence, and no answer
	numVerdicts
)

var verdictWords = [numVerdicts]string{
	NothingRunning:     "nothing running",
	NotDelivered:       "not delivered",
	ServerDied:         "server died",
	SaysCancelled:      "says cancelled",
	Crossed:            "crossed",
	AnsweredError:      "answered with error",
	AnsweredLate:       "answered late",
	Acknowledged:       "acknowledged",
	TaskRefused:        "task cancel refused",
	TaskCancelled:      "task cancelled",
	TaskCompleted:      "task completed",
	TaskFailed:         "task failed",
	TaskWorking:        "task still working",
	TaskUnseen:         "task not seen again",
	TaskUnacknowledged: "task cancel not acknowledged",
	StreamClosed:       "stream closed",
	StillWorking:       "still working",
	LeftProcess:        "left a process",
	ServerUnresponsive: "server unresponsive",
	EndedAfter:         "ended after the cancel",
	Quiet:              "quiet",
	NothingHeard:       "nothing heard",
}

// String is the word that the STATE column shows behind "cancelled ·".
func (v Verdict) String() string {
	if v < numVerdicts {
		return verdictWords[v]
	}
	return ""
}

// Verdicts are all of them in the order in which they are weighed, [NoVerdict]
// left out.
func Verdicts() []Verdict {
	var all []Verdict
	for v := NoVerdict + 1; v < numVerdicts; v++ {
		all = append(all, v)
	}
	return all
}

// Verdict is the first word of the list that the evidence allows; of a task, the first
// of its own order after [NotDelivered].
func (a *Attempt) Verdict() Verdict {
	switch {
	case a.isRepeatOpen():
		return a.former.Verdict()
	case a.nothing && !a.HasAnswer():
		return NothingRunning
	case a.AwaitsWrite():
		return NoVerdict
	case a.isUndelivered():
		return NotDelivered
	case a.isOfTask() && a.taskVerdict() != NoVerdict && (a.diedAt.IsZero() || a.hasSeenTask()):
		return a.taskVerdict()
	case !a.diedAt.IsZero():
		return ServerDied
	case a.HasAnswer():
		return a.answerVerdict()
	case !a.closedAt.IsZero():
		return StreamClosed
	case a.working, a.Processes.Finding() == witness.Working:
		return StillWorking
	case a.HasStrayed(), a.part.isThere() && a.Lag(a.part.at) > 0:
		return NothingHeard // strays, or a message whose end has not come, are no silence, and do not tell what the server did
	case a.Processes.Finding() == witness.Left:
		return LeftProcess
	case a.readAt.IsZero() && !a.probeLateAt.IsZero():
		return ServerUnresponsive
	case a.Processes.Finding() == witness.Ended:
		return EndedAfter
	case !a.readAt.IsZero() && !a.task.isReadOpen(a.Spec, a.HasAnswer()) && a.lost.At.IsZero() && (!a.IsDisconnected() || a.IsGraceOver()):
		return Quiet
	}
	return NothingHeard // it may be that the server reads, and that belay could not hear what it said of the call
}

func (a *Attempt) answerVerdict() Verdict {
	switch {
	case a.Ends && a.answer.isError():
		return AnsweredError
	case a.Ends:
		return Acknowledged
	case a.answer.after && a.answer.claimsCancelled(a.Reason):
		return SaysCancelled
	case a.answer.mayBeOnItsWay():
		return Crossed
	case a.answer.isError() && !a.answer.Odd:
		return AnsweredError
	}
	return AnsweredLate
}

// AwaitsWrite reports whether the call, or its tasks/cancel, was answered while the writer still has the
// cancel: the verdict waits for the time of the cancel's last byte.
func (a *Attempt) AwaitsWrite() bool {
	return (a.HasAnswer() || a.IsTaskAnswered()) && !a.Ends && a.IsWriteOpen()
}

// isUndelivered reports whether the cancel counts as not delivered: the server
// rejected it, whatever else it did; or it was given up as not written or not
// accepted, the call was not answered before that, and nothing since shows that the server has
// read it after all.
func (a *Attempt) isUndelivered() bool {
	switch {
	case a.rejected != "":
		return true
	case a.gaveUpAt.IsZero(), a.answer.held, a.IsTaskAnswered():
		return false
	}
	return a.writtenAt.IsZero() || a.IsUnaccepted() || !a.HasAnswer() && (a.readAt.IsZero() || a.task.isReadOpen(a.Spec, a.HasAnswer())) && !a.working && a.task.value().end.Fate == 0
}
