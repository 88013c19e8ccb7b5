package wording

import (
	"slices"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

// seen says when belay saw the end of a task, which may have come before: a poll finds what is so
// since the poll before.
func seen(c *session.Detail) safe.Text {
	after, polled, fetched := c.TaskEndAfter, c.Task != nil && c.Task.By == task.FromGet, false
	if l := c.Late; l != nil && (after == 0 || l.After < after) { // the outcome came before a poll told that the task had ended
		fetched = c.Task != nil && c.Task.Protocol == task.Core // which has its outcome there
		after, polled = l.After, polled && after == 0
	}
	text := ": first seen " + Lag(after) + " after the cancel"
	switch {
	case fetched:
		text += ", in the answer to tasks/result"
	case polled:
		text += ", at a poll"
	}
	return text
}

// endedByItself says of a task that ended by itself after its cancel when that was seen, and, where
// the verdict does not, how it ended; empty: the task did not.
func endedByItself(c *session.Detail) safe.Text {
	switch {
	case c.Task == nil, c.TaskEndAfter == 0 && (c.Late == nil || c.Late.After == 0):
	case c.Verdict == cancel.TaskCompleted, c.Verdict == cancel.TaskFailed:
		return seen(c)
	case c.Verdict == cancel.TaskUnacknowledged && c.Task.Status == task.Failed:
		return ", which failed" + seen(c)
	case c.Verdict == cancel.TaskUnacknowledged && c.Task.Status == task.Completed && c.TaskEnd != cancel.EndAfterCancel:
		return ", which was completed" + seen(c)
	case c.Verdict == cancel.TaskUnacknowledged && c.Task.Status == task.Completed:
		return ", which was completed all the same" + seen(c)
	}
	return ""
}

// crossedByTask says of a task that may have ended before its cancel what is known of that; empty: it is no
// such task.
func crossedByTask(c *session.Detail) safe.Text {
	switch {
	case c.Verdict != cancel.Crossed || c.Task == nil:
	case c.TaskEnd == cancel.EndToldBefore:
		return "the server had told that the task has ended before the cancel was written"
	case c.TaskEnd == cancel.EndBeforeCancel:
		return "the task had ended before the cancel was written, by the server's dates" + seen(c)
	case c.TaskEnd == cancel.EndInDoubt:
		return "the task may have ended before the server read the cancel" + seen(c)
	}
	return ""
}

// TaskMayGoOn ends what a verdict means where it was not seen what the cancel of a task did.
const TaskMayGoOn = ": the task may go on"

// Verdict says what the verdict on a call means; of a silence when it began and which questions came all
// the same, and of an answer after the cancel which processes of the call still run.
func Verdict(c *session.Detail) safe.Text {
	switch words := spoken(c); c.Verdict {
	case cancel.Quiet, cancel.NothingHeard, cancel.LeftProcess, cancel.EndedAfter, cancel.ServerUnresponsive:
		return words + asked(c)
	case cancel.SaysCancelled, cancel.AnsweredError, cancel.AnsweredLate:
		return words + besideAnswer(c)
	default:
		return words
	}
}

// asked tells of the questions that are no messages after the cancel: a silence is not told without
// them.
func asked(c *session.Detail) (words safe.Text) {
	if n := c.AskedCrossing; n > 0 {
		words = "; " + aQuestion(n) + " of the call crossed the cancel"
	}
	if n := c.MayHaveAsked; n > 0 {
		words += "; " + aQuestion(n) + " came that may have been the call's, or another's"
	}
	if n := c.DoubtfulWithdrawals; n > 0 {
		words += "; the server took back " + aQuestion(n) + " that may have been the call's, or another's"
	}
	return words
}

// aQuestion counts questions.
func aQuestion(n int) safe.Text {
	if n == 1 {
		return "a question"
	}
	return Count(n, "question")
}

// spoken says what the verdict on a call means, questions and processes beside it left out.
func spoken(c *session.Detail) safe.Text {
	if words := subscriptionStands(c); words != "" {
		return words
	}
	if words := byProcesses(c); words != "" {
		return words
	}
	text := Meaning(c.Verdict)
	if c.Verdict == cancel.NotDelivered && c.Undelivered != "" {
		return safe.LineN(c.Undelivered, 400)
	}
	if c.Task != nil && c.Task.LeftCancelling {
		return "you stopped waiting before it was seen what the cancel did" + TaskMayGoOn
	}
	if c.Task != nil && c.Task.CutByUs {
		return "belay ended the connection before it was seen what the cancel did" + TaskMayGoOn
	}
	if c.Task != nil && c.Task.CutOff {
		return "the connection ended before it was seen what the cancel did" + TaskMayGoOn
	}
	if c.Task != nil && c.Task.SaidSince != "" && (c.Verdict == cancel.TaskCancelled || c.Verdict == cancel.TaskCompleted || c.Verdict == cancel.TaskFailed) {
		return "the server said that the task is " + safe.Text(c.Task.Status.String()) + ", and later that it is " + safe.LineN(c.Task.SaidSince, 60)
	}
	if c.Verdict == cancel.ServerDied && c.Task != nil && c.Task.CancelAnswered {
		return "the connection ended after the answer to tasks/cancel, and before tasks/get told what the task did"
	}
	if c.Verdict == cancel.ServerDied {
		return died(c)
	}
	if c.Verdict == cancel.NothingRunning && c.Task != nil && c.Task.Status.IsTerminal() {
		return "the task had ended before the cancel left: there was nothing to stop"
	}
	if c.Verdict == cancel.TaskWorking && c.Task != nil && c.Task.CancelRefused {
		return "the server refused the cancel, and the task goes on"
	}
	if c.Verdict == cancel.TaskUnseen && c.Task != nil && c.Task.IsOdd && c.Task.End == task.Alive {
		words := safe.Text("the server answered the cancel, and tells no status of the task that the specification knows")
		if c.Task.Odd != "" {
			words += ": " + safe.QuotedCut(c.Task.Odd, 60)
		}
		return words
	}
	if c.Verdict == cancel.TaskWorking && c.Task != nil && c.Task.Status == task.InputRequired && !c.Task.CancelRefused {
		return text + ": it waits for input, which a cancelled task is not given"
	}
	if c.Verdict == cancel.TaskRefused && c.Task != nil && c.Task.Unknown && !c.Task.Status.IsTerminal() {
		return "the server does not know the task: it answered tasks/cancel with an error, and tasks/get finds no task"
	}
	if c.Verdict == cancel.TaskRefused && c.Task != nil && c.Task.Status.IsTerminal() {
		return text + safe.Text(", which is "+c.Task.Status.String())
	}
	if c.Verdict == cancel.AnsweredLate && c.Late != nil && c.UnusableID {
		return unusable
	}
	if c.Verdict == cancel.AnsweredLate && c.Late != nil && c.Late.Malformed {
		return malformed
	}
	if c.Verdict == cancel.AnsweredLate && c.Late != nil && c.Late.Handle && c.Task != nil {
		return handle(c.Task.Status)
	}
	if c.Verdict == cancel.AnsweredLate && c.Late != nil && c.Late.Asks {
		return asks
	}
	if c.Verdict == cancel.AnsweredLate && c.Late != nil && c.Late.SaysCancelled {
		return saying
	}
	if words := crossedByTask(c); words != "" {
		return words
	}
	if _, left, _ := lastAfter(c.Timeline); c.Verdict == cancel.Crossed && c.Late != nil && c.Late.At.Before(left) {
		return "the answer had come before the cancel was sent" // elsewhere than where it is taken
	}
	if words := endedByItself(c); words != "" {
		return text + words
	}
	if c.Verdict == cancel.ServerUnresponsive && c.Partial {
		return unended + ", and the probe was not answered"
	}
	if c.Verdict == cancel.ServerUnresponsive && c.Talks {
		return "the probe was not answered, though the server said something after the cancel"
	}
	if c.Verdict == cancel.ServerUnresponsive && !c.Withdrew.IsZero() {
		return "the server took back " + questions(c) + ", and did not answer the probe"
	}
	if c.Verdict != cancel.Quiet && c.Verdict != cancel.NothingHeard {
		return text
	}
	after, left, heard := heardAfter(c)
	after = max(after, withdrew(c, left))
	came, silent := Count(c.AfterCount, "message")+" came after", safe.Text("")
	if still := c.Ended.Sub(left) - after; still > 0 {
		silent = ", then nothing for " + Lag(still)
	}
	if heard && c.Withdrawn > 0 {
		silent = ", and it took back " + questions(c) + silent
	}
	switch {
	case c.Away && c.Partial:
		return "a message for the call had begun, which may be its answer, and its stream ended before its end"
	case c.Verdict == cancel.NothingHeard && c.Strayed:
		return stray
	case c.Away && heard:
		return came + " the cancel, then the call's stream was away: belay could not hear whether the work went on"
	case c.Away:
		return "the call's stream was away: belay could not hear whether the work went on"
	case c.Verdict == cancel.NothingHeard && c.Partial:
		return unended
	case c.Verdict == cancel.NothingHeard && c.Disconnected && heard:
		return came + " the cancel, then " + disconnectedWords
	case c.Verdict == cancel.NothingHeard && c.Disconnected:
		return disconnectedWords
	case c.Verdict == cancel.NothingHeard && heard:
		return came + " the cancel" + silent + ", and there was no way to ask"
	case c.Verdict == cancel.NothingHeard && !c.Withdrew.IsZero():
		return "the server took back " + questions(c) + silent + ", and there was no way to ask"
	case c.Verdict == cancel.NothingHeard:
		return text
	case c.Partial:
		return cutOff
	case heard && c.Kept:
		return "the server read the cancel; " + came + " it, when the call's stream was taken up again, and may have waited for that" + silent
	case heard:
		return "quiet after " + Lag(after) + ": the server read the cancel; " + came + " it" + silent
	case !c.Withdrew.IsZero():
		return "quiet after " + Lag(after) + ": the server read the cancel; it took back " + questions(c) + silent
	case c.EndedEarly:
		return "quiet at once: the server read the cancel, and the call's exchange ended without an answer"
	}
	if c.Objected {
		return "quiet: the server answered the cancel itself with an error, and said nothing more of the call"
	}
	if c.MayHaveAsked+c.DoubtfulWithdrawals > 0 {
		return "quiet at once: the server read the cancel and said nothing more that is known to be of the call"
	}
	return "quiet at once: " + text
}

// died says what is known of a call whose connection ended before its verdict.
func died(c *session.Detail) safe.Text {
	const probed = "the connection ended before the probe was answered"
	isProbed := slices.ContainsFunc(c.Timeline, func(mo session.MomentView) bool { return mo.Kind == session.MomProbe })
	after, _, heard := heardAfter(c)
	came := Count(c.AfterCount, "message") + " came after the cancel, the last one " + Lag(after) + " after it; then "
	switch {
	case heard && isProbed:
		return came + probed
	case heard:
		return came + "the connection ended"
	case isProbed && !c.Strayed && !c.Partial:
		return "the server said nothing more of the call, and " + probed
	case isProbed:
		return probed
	}
	return Meaning(c.Verdict)
}

// disconnectedWords say that belay did not wait for what the server does.
const disconnectedWords safe.Text = "belay ended the connection before it was seen what the server did"

// withdrew is how long after the cancel the server last took back what the call had asked of
// the user; zero: it did not.
func withdrew(c *session.Detail, left time.Time) time.Duration {
	if c.Withdrew.IsZero() {
		return 0
	}
	return c.Withdrew.Sub(left)
}

// questions are those of the call's that the server took back after the cancel.
func questions(c *session.Detail) safe.Text {
	return aQuestion(c.Withdrawn)
}

// cutOff is said where a silence was none.
const cutOff = "the server read the cancel; a message for the call had begun, which may be its answer, and its end did not come"

// unended is said where nothing else is known.
const unended = "a message had begun, which may be the answer, and its end did not come"

// stray is said where something came that is no silence, and no answer either.
const stray = "something came after the cancel that belay cannot take as an answer: what the server did is not known"

// asks is said of an answer that asks for input.
const asks = "the server answered the cancelled call by asking for input: it is not finished, and belay does not make it again"

// saying is said of a result without isError that says in its text that the call was cancelled.
const saying = "the server answered the cancelled call with a result, which says in words that the call was cancelled: no proof, and no error"

// handle is said of an answer that is the handle of a task which has ended in a status. What cancelled a task
// is not told by that.
func handle(status task.Status) safe.Text {
	words := "the server answered the cancelled call with the handle of a task that is " + safe.Text(status.String()) + " already"
	if status == task.Cancelled {
		words += ": by what is not known"
	}
	return words
}

// unusable is said of an answer that is the handle of a task which cannot be followed.
const unusable = "the server answered the cancelled call, with the handle of a task whose ID cannot be used: the task may go on"

// malformed is said of an answer that is no result, or more than that.
const malformed = "the server answered the cancelled call, with something malformed: whether it finished is not known"

// heardAfter is [lastAfter] of a call. A message that came before the writer had told of the cancel is none of those of
// its timeline, and is counted.
func heardAfter(c *session.Detail) (after time.Duration, left time.Time, ok bool) {
	after, left, ok = lastAfter(c.Timeline)
	if !ok && c.AfterCount > 0 {
		return max(c.After.Last, c.After.OnWay), left, true
	}
	return after, left, ok
}

// lastAfter is when the cancel left, and how long after that the last other
// message came.
func lastAfter(all []session.MomentView) (after time.Duration, left time.Time, ok bool) {
	for _, mo := range all {
		switch {
		case mo.Kind == session.MomCancelSent, mo.Kind == session.MomClosing, mo.Kind == session.MomUnsubscribe, mo.Kind == session.MomTaskCancel:
			after, left, ok = 0, mo.At, false
		case mo.Kind == session.MomAfter && !left.IsZero():
			after, ok = mo.At.Sub(left), true
		}
	}
	return after, left, ok
}

// Meaning says in a sentence what a verdict means. None of them claims
// that the server stopped when all that is known is silence.
func Meaning(v cancel.Verdict) safe.Text {
	return meanings[v]
}

var meanings = [...]safe.Text{
	cancel.NoVerdict:          "",
	cancel.NothingRunning:     "no request was in flight: there was nothing to stop",
	cancel.NotDelivered:       "the server did not take the cancel",
	cancel.ServerDied:         "the connection ended before anything was known",
	cancel.SaysCancelled:      "the server answered that the call was cancelled: its own word, and no proof",
	cancel.Crossed:            "the answer may have been on its way when the cancel was sent",
	cancel.AnsweredError:      "the server answered the cancelled call with an error",
	cancel.AnsweredLate:       "the server finished anyway; its answer is ignored",
	cancel.Acknowledged:       "the server answered that the subscription is ended",
	cancel.TaskRefused:        "the server answered tasks/cancel with an error: it refuses to cancel the task",
	cancel.TaskCancelled:      "the server says that the task is cancelled",
	cancel.TaskCompleted:      "the server completed the task all the same",
	cancel.TaskFailed:         "the task failed after its cancel",
	cancel.TaskWorking:        "the server answered the cancel, but the task goes on",
	cancel.TaskUnseen:         "the server answered the cancel, and what became of the task was not seen",
	cancel.TaskUnacknowledged: "the server did not acknowledge the cancel of the task",
	cancel.StreamClosed:       "closing the exchange is the cancel here: the reason stays with belay, and nothing more can be seen",
	cancel.StillWorking:       "messages for the call went on: a server may ignore a cancel",
	cancel.LeftProcess:        "the server said nothing more of the call, and a process that began after it was sent still runs: it may be meant to stay",
	cancel.ServerUnresponsive: "silence, and the probe was not answered either",
	cancel.EndedAfter:         "the server said nothing more of the call, and no process that was seen to begin during it still runs: they may have finished by themselves",
	cancel.Quiet:              "the server read the cancel and said nothing more of the call",
	cancel.NothingHeard:       "nothing was heard of the call, and there was no way to ask",
}
