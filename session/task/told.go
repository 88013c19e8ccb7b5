package task

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// problems are what a message about a task breaks.
type problems []mcp.Problem

func (p *problems) add(code mcp.DiagCode, format string, args ...any) {
	*p = append(*p, mcp.Problem{Code: code, Detail: fmt.Sprintf(format, args...)})
}

// lacks notes what the task itself lacks.
func (p *problems) lacks(t mcp.Task) {
	for _, what := range t.Lacks {
		p.add(mcp.DiagTaskShape, "%s", what)
	}
}

// Told takes what a message says of the task, and returns what is wrong with that. The
// message may be about another task: then only the problem counts.
func (l *Life) Told(now time.Time, by Source, t mcp.Task) []mcp.Problem {
	var found problems
	l.answered(by)
	if t.Wrong != "" || t.ID != l.ID {
		what := t.Wrong
		if what == "" {
			what = "asked of " + sentence.Name(l.ID) + ", told of " + sentence.Name(t.ID)
		}
		found.add(mcp.DiagTaskOther, "%s", what)
		if by == FromGet {
			l.pollOdd(now)
		}
		return found
	}
	found.lacks(t)
	if l.IsOld(by, t) {
		switch by {
		case FromNotice:
			found.add(mcp.DiagTaskNotice, "it is older than what is known: %s", sentence.Name(t.Status))
		case FromGet: // no fault: the answer to a later request overtook the answer to this one
			l.plan(now)
		case FromEarlierGet, FromHandle, FromEarlyNotice, FromCancel:
		}
		return found
	}
	if by == FromGet {
		l.polls++
		l.blind, l.unknown = false, false
		if l.failed = 0; !l.cancel.slow {
			l.backoff = 0
		}
		if l.cancel.polled {
			l.cancel.settled = true
		}
	}
	was := l.status
	l.change(&found, by, t)
	old := l.ttl
	l.read(now, t)
	switch {
	case by == FromGet && ParseStatus(t.Status).IsTerminal():
		l.must, l.confirmed = false, true
	case l.status.IsTerminal() && !was.IsTerminal(), l.isToldAgain(by, t):
		l.must = true
		l.overtaken = l.IsOut(Get)
	case by == FromGet && l.lastTry && l.ttl == old && !l.status.IsTerminal():
		l.endAs(Expired)
	}
	if by == FromGet {
		l.lastTry = false
	}
	if l.status != was {
		l.onStatus(now)
	}
	l.countStuck(&found, by)
	l.judgeAsking(by)
	if by == FromGet && l.sinceResult && !l.status.IsTerminal() {
		if !l.early && ParseStatus(t.Status) != Unknown {
			l.early = true
			found.add(mcp.DiagTaskEarly, "tasks/get says %s after it", l.status)
		}
		if l.doubtful {
			l.fetched, l.sinceResult = false, false
			l.fetchAgain(now)
		}
	}
	l.doubtful = l.doubtful && l.fetched && !l.status.IsTerminal()
	// Of what is not polled for, only the end of the task moves the next poll: a server that says the
	// same often enough would put the poll off for ever.
	if by == FromGet || l.next.IsZero() || l.status.IsTerminal() && !was.IsTerminal() {
		if l.cancel.slow && by == FromGet {
			l.slower()
		}
		l.plan(now)
	}
	return found
}

// IsOld reports whether a message was overtaken: the state of the task in it is older than the
// state that is known. That may be so in a notification (TSK-50; basic/utilities/tasks), in
// the answer to a poll that was sent before the server told the end of the task elsewhere, and in the
// answer to a tasks/get that comes after those of later ones.
func (l *Life) IsOld(by Source, t mcp.Task) bool {
	switch by {
	case FromNotice:
		return !t.Updated.IsZero() && t.Updated.Before(l.updated)
	case FromGet:
		return l.overtaken && !ParseStatus(t.Status).IsTerminal() && !t.Updated.After(l.updated)
	case FromEarlierGet:
		isTold := l.polls > 0 || l.status.IsTerminal()
		return isTold && !ParseStatus(t.Status).IsTerminal() && !t.Updated.After(l.updated)
	case FromHandle, FromEarlyNotice, FromCancel:
	}
	return false
}

// isToldAgain reports whether a notification tells the end of a task that the answer which created the task has told
// already: a poll is to confirm it as any end that a notification tells.
func (l *Life) isToldAgain(by Source, t mcp.Task) bool {
	return (by == FromNotice || by == FromEarlyNotice) && l.by == FromHandle && !l.confirmed && l.status.IsTerminal() && ParseStatus(t.Status).IsTerminal()
}

// answered notes that a request was.
func (l *Life) answered(by Source) {
	switch by {
	case FromGet:
		l.noteIn(Get)
	case FromCancel:
		l.noteIn(Cancel)
	case FromHandle, FromNotice, FromEarlyNotice, FromEarlierGet:
	}
}

// change takes the status. Of a task that has ended the first status stays (TSK-25;
// basic/utilities/tasks).
func (l *Life) change(found *problems, by Source, t mcp.Task) {
	to, was := ParseStatus(t.Status), l.saidOdd
	l.readWord(t)
	switch {
	case to == Unknown:
		if was == nil || *was != *l.saidOdd {
			found.add(mcp.DiagTaskStatus, "%s → %s", l.lastWord(was), sentence.Name(t.Status))
		}
		return
	case l.status.IsTerminal() && to != l.status:
		found.add(mcp.DiagTaskFinal, "%s → %s, in %s", l.status, to, by)
		if l.otherwise == (Otherwise{}) {
			l.otherwise = Otherwise{Status: to, By: by, Message: t.Message}
		}
		return
	case l.status.IsTerminal():
		return
	}
	if to == Failed && t.Message == "" {
		found.add(mcp.DiagTaskShape, "it is failed, and statusMessage does not say why")
	}
	l.status, l.by, l.pollsThen = to, by, l.polls
}

// lastWord is what the server said last: what it said in place of a status, where it did, or the status.
func (l *Life) lastWord(odd *string) string {
	switch {
	case odd != nil:
		return sentence.Name(*odd)
	case l.seen.IsZero():
		return "nothing said"
	}
	return l.status.String()
}

// readWord takes the word that stands in the place of the status, where that is no status.
func (l *Life) readWord(t mcp.Task) {
	l.saidOdd = nil
	if ParseStatus(t.Status) == Unknown {
		word := sentence.Clip(t.Status)
		l.saidOdd = &word
	}
}

// read takes everything but the status.
func (l *Life) read(now time.Time, t mcp.Task) {
	l.seen = now
	to := ParseStatus(t.Status)
	if to != Unknown && !to.IsTerminal() {
		l.clock.goneOn = now
	}
	l.clock.reads(now, t.Created)
	l.clock.reads(now, t.Updated)
	if !l.status.IsTerminal() || to == l.status || to == Unknown { // else the message is of a status that is not taken
		l.message = t.Message
	}
	if !t.Updated.IsZero() {
		l.updated = t.Updated
	}
	if !t.Created.IsZero() {
		l.created = t.Created
	}
	if t.TTL.Given || t.TTL.Unlimited {
		l.ttl = t.TTL
	}
	l.interval = t.Interval
}

// onStatus is what a new status asks for: in 2025-11-25 the outcome, and a channel for the
// server's questions, are fetched by tasks/result (TSK-28, TSK-34; basic/utilities/tasks).
func (l *Life) onStatus(now time.Time) {
	l.stuck, l.resultAt = 0, time.Time{}
	if l.Protocol == Core {
		l.wantResult()
	}
	if !l.status.IsTerminal() {
		return
	}
	if l.doubtful { // what the server answers now is the outcome
		l.fetched, l.doubtful = false, false
		l.wantResult()
	}
	l.resultTries = 0
	if l.held = l.held && l.status != Cancelled; l.held {
		l.resultAt = now.Add(heldResult)
	}
}

// wantResult has tasks/result be made where the status asks for it, and none is out.
func (l *Life) wantResult() {
	switch l.status {
	case InputRequired, Completed, Failed:
		l.asksNow = !l.IsOut(Result) && !l.fetched
	case Unknown, Working, Cancelled:
		l.asksNow = false
	}
}

// Answer notes that the server has the answers to all that the task asked for.
func (l *Life) Answer() { l.stuck = 1 }

// Ask notes that the task asks for something that has no answer: it may well say so.
func (l *Life) Ask() { l.stuck = 0 }

// AskAtWork notes that the task asks for something, and that its last status is working. That may
// be of before: the next poll tells.
func (l *Life) AskAtWork() {
	l.Ask()
	l.asks = askingAtWork{asked: true}
}

// IsAskingAtWork reports whether the task said working in answer to a poll that was sent after it
// had asked for something.
func (l *Life) IsAskingAtWork() bool { return l.asks.says }

func (l *Life) judgeAsking(by Source) {
	l.asks.says = by == FromGet && l.asks.polled && l.status == Working
	if l.asks.says || l.status != Working {
		l.asks.asked, l.asks.polled = false, false
	}
}

// countStuck tells of a task that goes on asking although it was answered. In the extension it may
// (TEX-33; extensions/tasks), and tells each time what it asks for.
func (l *Life) countStuck(found *problems, by Source) {
	if l.Protocol != Core || l.stuck == 0 || by != FromGet || l.status != InputRequired {
		return
	}
	if l.stuck++; l.stuck == stuckPolls+1 {
		found.add(mcp.DiagTaskStuck, "it still says input_required in %d polls after its answer", stuckPolls)
	}
}

// Refused takes an error that answers a request about the task.
func (l *Life) Refused(now time.Time, a Action, code int64) []mcp.Problem {
	var found problems
	first := l.polls == 0 && l.failed == 0
	l.noteIn(a)
	switch {
	case a == Result:
		l.fetched, l.held = l.status.IsTerminal(), false
	case a == Cancel:
		l.cancel.refused = true
		if code == mcp.CodeInvalidParams && !l.confirmed {
			l.must = true
		}
		if l.backoff = 0; !l.status.IsTerminal() || l.must {
			l.plan(now)
		}
	case code == mcp.CodeMethodNotFound && l.lastTry:
		l.endAs(Expired)
	case code == mcp.CodeMethodNotFound:
		if !l.blind {
			found.add(mcp.DiagTaskUnpolled, "%s", sentence.Name(l.ID))
		}
		l.blind, l.failed = true, 0
		l.asksNow = l.Protocol == Core && !l.IsOut(Result) && !l.fetched // which waits for the end
		l.plan(now)
	case code != mcp.CodeInvalidParams:
		l.pollOdd(now)
	case l.endOfLost(now) == Gone && first && !l.retried && l.by == FromHandle && !l.IsCancelAnswered():
		found.add(mcp.DiagTaskGone, "%s is unknown right after it was created", sentence.Name(l.ID))
		l.retried, l.failed = true, 1
		l.next = now.Add(retryUnknown)
	default:
		l.unknown = true
		l.settle()
		l.endAs(l.endOfLost(now))
	}
	return found
}

// Lost takes it that the server does not know the task, which nobody asks for any more.
func (l *Life) Lost(now time.Time) {
	if !l.status.IsTerminal() {
		l.unknown = true
		l.endAs(l.endOfLost(now))
	}
}

// endOfLost is how a task has ended that the server does not know any more: its time is over, or it
// is gone before that.
func (l *Life) endOfLost(now time.Time) End {
	if at := l.Expires(); !at.IsZero() && !now.Before(at) {
		return Expired
	}
	return Gone
}

// Missed takes it that a request about the task brought no answer, or an answer to tasks/result
// that is no outcome of the task.
func (l *Life) Missed(now time.Time, a Action) {
	l.noteIn(a)
	switch {
	case a == Get:
		l.pollMissed(now)
	case a == Cancel && (!l.status.IsTerminal() || l.must):
		l.plan(now)
	case a != Result || l.IsOut(Result):
	default:
		l.fetchAgain(now)
	}
}

// fetchAgain has tasks/result be made once more after a pause that grows, unless it was made in vain
// too often.
func (l *Life) fetchAgain(now time.Time) {
	l.held = false
	if l.resultTries >= resultTries {
		return
	}
	l.wantResult()
	d := resultPause
	for range l.resultTries - 1 {
		d += d / 2
	}
	if l.resultAt = now.Add(d); l.notBefore.After(l.resultAt) {
		l.resultAt = l.notBefore
	}
}

// Odd takes an answer to tasks/get that tells nothing of the task. It is the answer all the
// same, so that nobody waits for it any more.
func (l *Life) Odd(now time.Time) {
	l.noteIn(Get)
	l.pollOdd(now)
}

func (l *Life) pollOdd(now time.Time) {
	if l.cancel.polled {
		l.settle()
	}
	l.pollMissed(now)
}

// pollMissed plans the next poll later than the one that brought nothing. The one poll that must
// be is made once. A poll that was out when the time of the task was over has been the last one.
func (l *Life) pollMissed(now time.Time) {
	l.failed++
	if at := l.Expires(); l.lastTry || !at.IsZero() && !now.Before(at) && !l.status.IsTerminal() {
		l.endAs(Expired)
		return
	}
	l.slower()
	l.plan(now)
}

// Fetched takes the answer to tasks/result that is a result. One that comes before the task
// has ended is followed by the polls: it may be that only belay does not know yet.
func (l *Life) Fetched() {
	l.out[Result], l.asksNow, l.held = 0, false, false
	if l.fetched = true; l.blind && !l.status.IsTerminal() {
		l.endAs(NoPolls)
	}
}

// FetchedError takes an error that answers tasks/result, and reports whether it is in doubt: one that comes
// while the task goes on, as far as is known, may be its outcome, or about tasks/result itself (TSK-42,
// TSK-43; basic/utilities/tasks). So tasks/result is made once more: when a poll says that the task has ended, or
// after a pause.
func (l *Life) FetchedError() (doubtful bool) {
	l.doubtful = l.end == Alive && !l.blind && !l.status.IsTerminal()
	l.Fetched()
	return l.doubtful
}

// IsOutcomeInDoubt reports whether such an error awaits the next poll.
func (l *Life) IsOutcomeInDoubt() bool { return l.doubtful }

// LeaveResult notes that the answer to tasks/result is waited for no more.
func (l *Life) LeaveResult() {
	l.out[Result], l.asksNow, l.held, l.resultAt = 0, false, false, time.Time{}
	l.resultLeft = true
}

// FetchedLeft takes an outcome that came after that.
func (l *Life) FetchedLeft() { l.resultLeft = false }

// IsResultLeft reports whether the answer to tasks/result was waited for no more, and has not come since.
func (l *Life) IsResultLeft() bool { return l.resultLeft }
