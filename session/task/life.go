package task

import (
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Times that are rules of the design and no options.
const (
	leastInterval  = 250 * time.Millisecond // between two polls, whatever the server says (TSK-33; basic/utilities/tasks)
	usualInterval  = 2 * time.Second        // where the server says nothing, growing … (TSK-41; basic/utilities/tasks)
	mostInterval   = 15 * time.Second       // … to this
	mostBackoff    = time.Minute            // after errors, and after a cancel whose grace is over
	mostRetryAfter = time.Hour              // that a server may have the next poll wait for
	retryUnknown   = time.Second            // after which a handle that is unknown at once is tried again (TEX-11; extensions/tasks)
	// stuckPolls is how many polls after the last answer of the user's may still say
	// input_required before that is told (TSK-29; basic/utilities/tasks).
	stuckPolls = 10
	// resultTries bounds how often tasks/result is made where it brings no outcome, and
	// resultPause is the pause before the second try, growing.
	resultTries = 4
	resultPause = 2 * time.Second
	// heldResult is how long after the end of a task a tasks/result that was sent before the
	// end may stay unanswered, until another is made: the server held it back, and may have
	// forgotten it.
	heldResult = 5 * time.Second
	// cancelledPause is the longest pause between the answer to a cancel and the first poll that
	// shows what the cancel did, whatever interval the server asks for: the row waits for a minute.
	cancelledPause = 50 * time.Second
	// watchedPause is how many times as long the pauses between the polls of a task are that the
	// server has agreed to tell of (TEX-46; extensions/tasks).
	watchedPause = 5
)

// Action is a request about a task.
type Action uint8

// The actions.
const (
	NoAction Action = iota // nothing is to be done now
	Get                    // tasks/get
	Result                 // tasks/result, of Core only
	Cancel                 // tasks/cancel
)

// Method is the method of the request.
func (a Action) Method() string {
	return [...]string{Get: "tasks/get", Result: "tasks/result", Cancel: "tasks/cancel"}[a]
}

// End is why a task is not polled any more, its terminal status aside.
type End uint8

// The ends.
const (
	Alive   End = iota
	Expired     // its time is over, and a last poll told nothing new
	Gone        // the server does not know its ID (any more)
	NoPolls     // the server does not know tasks/get, and nothing else tells more
	Left        // the user stopped waiting
)

// Life is one task from its handle on. Its methods are told what came, in the order of
// time; [Life.Next] then tells what is to be done.
type Life struct {
	Protocol Protocol
	ID       string

	status  Status
	by      Source    // of the status
	saidOdd *string   // the last word that was said in place of a status; foreign text; nil: the last one was a status
	message string    // foreign text
	since   time.Time // the handle came
	seen    time.Time // when the status was told last
	updated time.Time // lastUpdatedAt, by the server's clock
	created time.Time // createdAt, by the same clock; zero: no message has one
	begins  time.Time // from when its time to live counts, by belay's clock
	ttl     mcp.Millis
	asked   time.Duration // the time to live that was asked for; 0: none
	end     End
	watched bool // the server has agreed to tell of it
	blind   bool // the server does not know tasks/get: no more than its end is polled for

	interval  mcp.Millis
	backoff   time.Duration   // in place of the interval; 0: none
	next      time.Time       // of the next poll; zero: none is planned
	notBefore time.Time       // before which the server wants no further request; zero: it has not said so
	polls     int             // answers to tasks/get
	pollsThen int             // … when the status was told
	failed    int             // polls in a row that brought nothing
	unknown   bool            // the last poll was answered that the server does not know the task
	lastTry   bool            // the poll that is planned, or out, is the one at the end of its time
	retried   bool            // a handle that was unknown at once was tried again
	confirmed bool            // its end was read in an answer to a poll
	must      bool            // exactly one more poll is due: the end was told by something else than a poll
	stuck     int             // polls that said input_required since the user's last answer
	out       [Cancel + 1]int // the requests that await their answers
	asksNow   bool            // Core: tasks/result is wanted, as the server asks for input or has ended
	fetched   bool            // … and was answered
	doubtful  bool            // … with an error, and nothing says yet that the task has ended

	resultAt    time.Time // before which tasks/result is not made; zero: it may be at once
	held        bool      // the tasks/result that is out was sent before the task had ended
	resultLeft  bool      // the answer to it was waited for no more
	resultTries int       // how often it was made in vain, since the status is what it is
	sinceResult bool      // the poll that is out, or was answered last, was sent after that answer
	early       bool      // the task was said to go on after it; told once

	cancel cancelling
	asks   askingAtWork
	clock  serverClock

	overtaken bool      // the poll that is out was sent before the end was told by something else
	otherwise Otherwise // the first that was told otherwise than the end, after it; zero: nothing was
}

// Otherwise is a status that the server told of a task that had ended in another one (TSK-25;
// basic/utilities/tasks).
type Otherwise struct {
	Status  Status
	By      Source
	Message string // foreign text
}

// cancelling is how far the cancel of a task came.
type cancelling struct {
	wanted   bool
	again    bool // … although one is out: that was not answered in time
	made     bool // tasks/cancel was made once
	answered bool // by no error
	refused  bool
	polled   bool // the poll that is out was sent after that answer
	settled  bool // … and one was answered
	slow     bool // the grace is over: polls go on with back-off
}

// askingAtWork is how far it is known whether a task asks while it says working.
type askingAtWork struct {
	asked  bool // it asked when its last status was working, and no poll that was sent since is answered
	polled bool // the poll that is out was sent after that
	says   bool // … and was answered: it still says working
}

// New is the task whose handle came now. First is the first status that the server told of it, in the
// handle or before that came. Asked is the time to live that was wished for.
func New(now time.Time, p Protocol, t mcp.Task, first string, asked time.Duration) (Life, []mcp.Problem) {
	l := Life{Protocol: p, ID: t.ID, since: now, begins: now, asked: asked}
	var found problems
	found.lacks(t)
	switch s := ParseStatus(first); {
	case s == Working:
	case p == Core:
		found.add(mcp.DiagTaskStatus, "it begins as %s, not as working", sentence.Name(first))
	case s == Unknown:
		found.add(mcp.DiagTaskStatus, "it begins as %s", sentence.Name(first))
	}
	l.read(now, t)
	l.readWord(t)
	l.status, l.by = max(ParseStatus(t.Status), Working), FromHandle
	l.onStatus(now)
	l.must = l.status.IsTerminal() && p == Extension // the outcome is in the answer to a poll
	l.plan(now)
	return l, found
}

// Adopt is a task that is known by its ID alone, and whose first poll was answered now.
func Adopt(now time.Time, p Protocol, t mcp.Task) (Life, []mcp.Problem) {
	l := Life{Protocol: p, ID: t.ID, since: now, begins: now, status: Working, by: FromHandle}
	if !t.Created.IsZero() && t.Created.Before(now) {
		l.begins = t.Created
	}
	return l, l.Told(now, FromGet, t)
}

// Sought is a task that is known by its ID alone, and of which the server has told nothing: its status is
// [Unknown].
func Sought(now time.Time, p Protocol, id string) Life {
	l := Life{Protocol: p, ID: id, since: now, begins: now}
	l.plan(now)
	return l
}

// Updated is the date of what is known of it, by the server's clock; zero: no message has one.
func (l *Life) Updated() time.Time { return l.updated }

// Status is the status of the row: the latest, and of an ended task the first terminal one.
func (l *Life) Status() Status { return l.status }

// IsFound reports whether the last poll was answered by the task, which has not ended.
func (l *Life) IsFound() bool {
	return l.polls > 0 && l.failed == 0 && !l.status.IsTerminal() && l.end == Alive
}

// Failures is how many polls in a row brought nothing.
func (l *Life) Failures() int { return l.failed }

// IsAlive reports whether the task goes on, as far as is known.
func (l *Life) IsAlive() bool { return !l.status.IsTerminal() && l.end == Alive }

// IsBlind reports whether the server does not know tasks/get: what the task does is seen by
// other messages only. It can be cancelled for all that.
func (l *Life) IsBlind() bool { return l.blind }

// End is why it is not polled any more; Alive: it is, or its status is terminal.
func (l *Life) End() End { return l.end }

// IsOver reports whether the task needs nothing more of belay's.
func (l *Life) IsOver() bool {
	unread := l.IsOut(Cancel) && !l.confirmed // whose refusal asks for one more poll
	return l.end != Alive || l.status.IsTerminal() && !l.must && !l.WantsResult() && !l.IsOut(Get) && !unread
}

// Expires is when its time to live is over, by belay's clock; zero: it says no such time.
func (l *Life) Expires() time.Time {
	if !l.ttl.Given {
		return time.Time{}
	}
	return l.begins.Add(l.ttl.D)
}

// Due is when [Life.Next] has something to do by itself; zero: only when something comes.
func (l *Life) Due() time.Time {
	at := l.nextPoll()
	if l.end == Alive && (l.asksNow || l.held) && !l.resultAt.IsZero() && (at.IsZero() || l.resultAt.Before(at)) {
		at = l.resultAt
	}
	return at
}

// nextPoll is when the next poll is due; zero: none is planned.
func (l *Life) nextPoll() time.Time {
	if l.end != Alive || l.IsOut(Get) {
		return time.Time{}
	}
	return l.next
}

// Next is what is to be done now.
func (l *Life) Next(now time.Time) Action {
	switch {
	case l.end != Alive:
		return NoAction
	case l.cancel.wanted && (l.cancel.again || !l.IsOut(Cancel)):
		return Cancel
	case l.asksNow && !l.IsOut(Result) && !l.resultAt.After(now):
		return Result
	case l.held && !l.resultAt.IsZero() && !l.resultAt.After(now):
		return Result
	case !l.next.IsZero() && !l.next.After(now) && !l.IsOut(Get):
		return Get
	}
	return NoAction
}

// Made notes that the request was made.
func (l *Life) Made(a Action) {
	l.out[a]++
	switch a {
	case Cancel:
		l.cancel.wanted, l.cancel.again, l.cancel.made = false, false, true
	case Result:
		l.asksNow, l.resultLeft, l.resultAt = false, false, time.Time{}
		l.held = !l.status.IsTerminal()
		l.resultTries++
	case Get:
		l.next, l.must, l.overtaken = time.Time{}, false, false
		l.cancel.polled = l.IsCancelAnswered()
		l.asks.polled = l.asks.asked
		l.sinceResult = l.fetched
	case NoAction:
	}
}

// IsOut reports whether such a request awaits its answer.
func (l *Life) IsOut(a Action) bool { return l.out[a] > 0 }

// noteIn notes that such a request awaits no answer any more.
func (l *Life) noteIn(a Action) { l.out[a] = max(0, l.out[a]-1) }

// WantsResult reports whether tasks/result is to be made, or is out.
func (l *Life) WantsResult() bool { return l.asksNow || l.IsOut(Result) }

// IsOutcomeAhead reports whether the outcome has come while the task went on, as far as is known, and no
// poll that was sent after that has told a status. The task may have ended with it: a server need not tell its
// status by anything else than a poll (TSK-43, TSK-51; basic/utilities/tasks).
func (l *Life) IsOutcomeAhead() bool {
	return l.fetched && !l.doubtful && !l.early && !l.status.IsTerminal() && (l.end == Alive || l.end == Gone)
}

// Poll has it polled now, at the wish of the user, and reports whether that is possible.
func (l *Life) Poll(now time.Time) bool {
	if l.end == Left || l.status.IsTerminal() || l.IsOut(Get) {
		return false
	}
	l.end, l.next, l.lastTry = Alive, now, false
	return true
}

// Leave ends the polls: the user stopped waiting.
func (l *Life) Leave() { l.endAs(Left) }

func (l *Life) endAs(why End) {
	l.end, l.next, l.must, l.asksNow, l.cancel.wanted = why, time.Time{}, false, false, false
}

// Watch takes it whether the server has agreed to tell of the task by notifications, and
// reports whether that is news. The polls go on, more slowly: what is told may be lost.
func (l *Life) Watch(now time.Time, yes bool) bool {
	if l.watched == yes {
		return false
	}
	l.watched = yes
	if d := now.Add(l.pause()); !yes && !l.notBefore.After(d) && !l.blind && l.next.After(d) {
		l.lastTry, l.next = false, d
	}
	return true
}

// Shift moves what is due after a jump of the clock.
func (l *Life) Shift(d time.Duration) {
	for _, at := range []*time.Time{&l.next, &l.resultAt, &l.notBefore} {
		if !at.IsZero() {
			*at = at.Add(d)
		}
	}
}

// plan sets the time of the next poll.
func (l *Life) plan(now time.Time) {
	if l.end != Alive || l.IsOut(Get) || l.status.IsTerminal() && !l.must {
		l.next = time.Time{}
		return
	}
	l.next, l.lastTry = now.Add(l.pause()), false
	if l.notBefore.After(l.next) {
		l.next = l.notBefore
	}
	if latest := now.Add(cancelledPause); l.awaitsSight() && l.next.After(latest) {
		l.next = latest
	}
	if l.blind {
		l.must, l.next = false, l.Expires() // a last poll shows that it is over
		l.lastTry = !l.next.IsZero()
		return
	}
	if at := l.Expires(); !at.IsZero() && at.Before(l.next) && !l.must {
		l.lastTry = true
		if at.After(now) {
			l.next = at
		}
	}
}

// pause is how long after an answer the next poll is due. What the server says is the
// least; it says nothing: the pause grows.
func (l *Life) pause() time.Duration {
	d := usualInterval
	switch {
	case l.interval.Given:
		d = max(l.interval.D, leastInterval)
	default:
		for range min(l.polls, 8) {
			d += d / 2
		}
		d = min(d, mostInterval)
	}
	if l.watched && !l.must && !l.cancel.wanted && !l.cancel.made {
		d = max(d, min(watchedPause*d, mostBackoff))
	}
	if l.backoff > 0 {
		d = max(d, l.backoff)
	}
	return d
}

// RetryAfter takes it that the server wants no request about the task for so long (Retry-After). It is
// told before what the request brought. What it moves is the next poll, and a next tasks/result.
func (l *Life) RetryAfter(now time.Time, d time.Duration) {
	if d > 0 {
		l.notBefore = now.Add(min(d, mostRetryAfter))
	}
}

// slower lengthens the pause after a poll that brought nothing, or when little is to be
// expected.
func (l *Life) slower() {
	l.backoff = min(max(l.pause()*3/2, l.backoff), mostBackoff)
}
