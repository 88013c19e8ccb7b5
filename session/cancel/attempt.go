package cancel

import (
	"time"

	"belay/session/witness"
)

// Limits that are rules and no options.
const (
	// UndeliveredAfter is how long a cancel may stay unwritten before it counts as not
	// delivered. Over HTTP its POST has until the end of the grace, and at least this long.
	UndeliveredAfter = 5 * time.Second
	// recentMost is how shortly before the end of a long grace a message may have
	// come for the silence since then to mean nothing.
	recentMost = time.Second
	// stalled is how long a message may rest until its end is listened for no more.
	stalled = 5 * time.Second
	// partMost is how much longer than the grace belay listens for the end of a
	// message that is still coming.
	partMost = 60 * time.Second
	// maxUnreached is how many exchanges that did not reach the server are kept.
	maxUnreached = 8
)

// Spec is what a cancellation is from its beginning.
type Spec struct {
	By     Initiator
	Reason string // as it is sent
	Signal Signal
	Idle   bool          // no request is in flight: nothing is sent
	Ends   bool          // it ends a subscription: an answer says that the server did
	Posts  bool          // it is a POST of its own, which the server accepts or rejects
	Apart  bool          // the server need not read it before what is written later, as over HTTP
	Accept time.Duration // how long the server may take to accept that POST, at least [UndeliveredAfter]
	Grace  time.Duration // how long an answer is awaited after the cancel's last byte
	Wished time.Time     // when it was asked for, if that was before it could be carried out; else zero
}

// IsReadInOrder reports whether a server that answers what was written after the cancel is known to have
// read the cancel, or to live. That an exchange was closed it may see at any time, or never, whatever
// it answers elsewhere.
func (s *Spec) IsReadInOrder() bool { return s.Signal != Abort }

// Attempt is one cancellation of one call: its initiator and reason, the way of its signal,
// and every observation since. Its methods are told what happened and when, in the order of
// time; what they leave open, such as whether the call has ended, is known to the caller.
type Attempt struct {
	Spec

	// Processes are those of the server, as they were seen around the cancel; nil: they
	// were not, or it is a task that is cancelled, which may go on. What is told of them
	// later counts.
	Processes *witness.Account

	// Again says that tasks/cancel is repeated after the verdict of the first one, which stays until
	// this attempt tells more.
	Again bool

	wanted time.Time
	due    time.Time
	former *Attempt // which this one repeats, as it was rejected or brought no answer; nil: none

	sending
	diedAt  time.Time // the server ended by itself, before anything was known
	died    string    // how
	session problem   // over HTTP: the server did not know the session any more, and belay closed what was open in it

	answer   Answer
	messages messages
	held     rare[held]
	part     messagePart
	allStrays
	task
	stream
	working bool // the work goes on: a message came so late, or a question waits for the user

	graceOverAt time.Time
	pause       time.Duration // the pace of its progress, where the silence was no longer than that
	silence     time.Duration
	probed
}

// sending is the progress of the cancel's signal.
type sending struct {
	nothing       bool      // no request was in flight
	handed        bool      // it is with the writer, who will tell of its last byte, or its connection ends
	unprocessedAt time.Time // the server had refused its request before it began, and belay did not send it again
	unprocessed   string    // how it refused
	writtenAt     time.Time // its last byte
	acceptedAt    time.Time // over HTTP: the server's 2xx
	acceptedBy    string    // … its status
	rejectedAt    time.Time
	rejected      string    // why the server did not accept it; empty: it did not reject it
	objection     problem   // an error in the answer to its POST
	gaveUpAt      time.Time // when it began to count as not delivered
	unsent        string    // why it was never sent; empty: nothing kept it from that
	closedAt      time.Time // the exchange was closed, which is the cancel of 2026-07-28 over HTTP
}

// stream is the call's stream after the cancel: when the call could be heard, and when not.
type stream struct {
	lost           Lost          // the stream of the call, when the grace ended
	unreached      []problem     // exchanges that were to tell more and did not reach the server, the latest
	backAt         time.Time     // the stream, which had been away since the cancel or before, was taken up again
	waited         time.Duration // … so long after the cancel's last byte
	endedAt        time.Time     // the exchange of the call ended for good, without an answer
	ended          string        // how
	endedEarly     bool          // the grace ended before its time, with the exchange that was to bring the answer
	unawaited      bool          // … or with the row, as the cancel was not known to be written
	disconnectedAt time.Time     // belay ended the connection while the effect of the cancel was awaited
}

// HasEndedEarly reports whether the grace ended before its time, with the exchange that was to
// bring the answer: that of the call, or of the request that ends the call.
func (s *stream) HasEndedEarly() bool { return s.endedEarly }

// probed is the evidence that the server reads what was written after the cancel.
type probed struct {
	probeLimit  time.Duration // how long the probe may stay unanswered
	probeLateAt time.Time
	talks       bool      // … although the server said something, which cannot have been on its way
	readAt      time.Time // the server answered something that was written after the cancel
	readBy      string    // … that was the probe, with this HTTP status; empty: with a message
}

// problem is something that went wrong, in words, and when.
type problem struct {
	at   time.Time
	text string
}

// messages are those that came for the call after the cancel, its answer aside.
type messages struct {
	count    int
	more     bool      // there may have been others before those that are counted
	last     time.Time // when the last one came
	text     string    // what it said
	lastLate time.Time // when the last one came that began after the bound

	onWay   time.Duration // how long after the cancel's last byte the last one began that is within it
	late    int           // how many began after the bound
	lateLag time.Duration // how long after the cancel's last byte the last one of those began
}

// messagePart is a message whose end has not come.
type messagePart struct {
	at   time.Time // when its last bytes came
	size int       // in bytes; 0: the head of an answer came, over HTTP, and nothing behind it
	late bool      // its first byte came after the bound
	any  bool      // it came where all messages do: it may be another call's
}

// isThere reports whether something has come.
func (p *messagePart) isThere() bool { return !p.at.IsZero() }

// Lost is a stream on which a call could be heard, and was not any more. Its zero
// value is a stream that is there.
type Lost struct {
	At  time.Time     // since then nothing could be heard
	For time.Duration // until the stream would have been resumed; zero: it would not be
}

// New returns the attempt of a cancellation that is wanted now. Unless the cancel is written, the
// attempt is due after [UndeliveredAfter].
func New(now time.Time, spec Spec) Attempt {
	return Attempt{Spec: spec, wanted: now, due: now.Add(UndeliveredAfter), sending: sending{nothing: spec.Idle}}
}

// BeginAgain returns the attempt that repeats this one, whose cancel was rejected or brought no answer,
// and ends the count of strays here. After says that the call has its verdict, and its task gets a second
// tasks/cancel: the verdict stays until more is known.
func (a *Attempt) BeginAgain(now time.Time, by Initiator, reason string, after bool) Attempt {
	spec := a.Spec
	spec.By, spec.Reason = by, reason
	a.EndCount()
	again := New(now, spec)
	again.former = a
	if after {
		again.Signal, again.Posts, again.Again = CancelTask, false, true
	}
	return again
}

// Due is when the next thing happens by itself: the cancel counts as not
// delivered, the grace ends, or the probe is late.
func (a *Attempt) Due() time.Time { return a.due }

// Shift moves what is due after a jump of the clock.
func (a *Attempt) Shift(d time.Duration) { a.due = a.due.Add(d) }

// NoRequest notes that no request was in flight, so that nothing is sent.
func (s *sending) NoRequest() { s.nothing = true }

// NotProcessed notes that the server had refused the request of the call before it began with
// it, and that the request was not sent again.
func (s *sending) NotProcessed(at time.Time, how string) {
	s.nothing, s.unprocessedAt, s.unprocessed = true, at, how
}

// HasNoRequest reports whether no request was in flight.
func (s *sending) HasNoRequest() bool { return s.nothing }

// HandedOut notes that the cancel is with the writer.
func (s *sending) HandedOut() { s.handed = true }

// IsWriteOpen reports whether the cancel is with the writer, and nothing tells yet when its last
// byte was written, or that it counts as not written. An answer that came meanwhile has no verdict
// yet: the server may have read the cancel before the writer tells of it.
func (s *sending) IsWriteOpen() bool {
	return s.handed && s.writtenAt.IsZero() && s.rejected == "" && s.gaveUpAt.IsZero() && s.closedAt.IsZero()
}

// Written notes the last byte of the cancel: the grace begins. An answer that was
// told before it is judged by the order in which the two came about, and so are messages. After an
// answer to tasks/cancel no grace begins: the polls of the task have their minute.
func (a *Attempt) Written(at time.Time) {
	a.writtenAt = at
	if a.readAt.IsZero() { // the answer to the cancel was not told before
		a.due = at.Add(a.Grace)
	}
	a.leftAt(at)
	if a.AwaitsAcceptance() {
		a.due = at.Add(max(a.Grace, a.acceptedWithin()-at.Sub(a.wanted)))
	}
	if u := a.held.value(); len(u.all) > 0 {
		var after []heldMessage
		part := a.part // what began since has not passed
		a.held = rare[held]{}
		after, a.messages.more = u.since(at)
		for _, m := range after {
			a.Heard(m.now, m.began, m.bound, u.text)
		}
		a.part = part
	}
	if a.HasAnswer() {
		a.answer.after, a.answer.late = a.IsAfter(a.answer.Began) && !a.answer.Before, a.Lag(a.answer.Began)
	}
	if until := a.gaveUpAt; at.Before(until) && a.unsent == "" && !a.Posts && a.Signal != CancelTask {
		// The writer had more to write, and told of this too late: the row had ended by then, and with it the grace, if
		// that had not ended by itself.
		over := a.writtenAt.Add(a.Grace)
		if a.unawaited = over.After(until); a.unawaited {
			over = until
		}
		a.due, a.gaveUpAt = over, time.Time{}
		a.GraceOver(over, Pace{}, Lost{})
	}
}

// WrittenAt is when the last byte of the cancel was written; zero: it was not.
func (s *sending) WrittenAt() time.Time { return s.writtenAt }

// Accepted notes the server's 2xx to the POST of the cancel. The grace counts
// from the last byte all the same.
func (a *Attempt) Accepted(now time.Time, status string) {
	a.acceptedAt, a.acceptedBy = now, status
	if !a.writtenAt.IsZero() && a.graceOverAt.IsZero() {
		a.due = a.writtenAt.Add(a.Grace)
	}
}

// Rejected notes why the server did not accept the POST of the cancel, and reports
// whether that is news. The call is heard on until the grace is over, which counts
// from now where the last byte was not written. Over says that the server does not know the
// session any more, which is news also where only the status of the rejection was known.
func (a *Attempt) Rejected(now time.Time, why string, over bool) bool {
	if !a.acceptedAt.IsZero() || a.rejected != "" && !over {
		return false
	}
	a.rejectedAt, a.rejected = now, why
	a.due = a.sentOrRejectedAt().Add(a.Grace)
	return true
}

// IsRejected reports whether the server rejected the POST of the cancel.
func (s *sending) IsRejected() bool { return s.rejected != "" }

// AcceptedAt is when the server's 2xx to the POST of the cancel came; zero: none did, or the cancel is no POST.
func (s *sending) AcceptedAt() time.Time { return s.acceptedAt }

// IsUnaccepted reports whether the cancel is a POST that was not accepted: then an
// answer to something else does not tell that the server has read it.
func (a *Attempt) IsUnaccepted() bool { return a.Posts && a.acceptedAt.IsZero() }

// AwaitsAcceptance reports whether the cancel is a POST that was neither accepted nor rejected.
func (a *Attempt) AwaitsAcceptance() bool { return a.IsUnaccepted() && a.rejected == "" }

// acceptedWithin is how long a POST may stay unaccepted after the cancel was wanted, where the grace is no longer.
func (s *Spec) acceptedWithin() time.Duration { return max(UndeliveredAfter, s.Accept) }

// HasObjection reports whether the server accepted the POST of the cancel, and answered it with an error.
func (s *sending) HasObjection() bool { return !s.objection.at.IsZero() }

// Objected notes an error in the answer to the POST of the cancel: whether the
// server took the cancel is open then, whatever the status says.
func (s *sending) Objected(now time.Time, err string) { s.objection = problem{now, err} }

// GiveUp notes that the cancel counts as not delivered. A reason says why it was
// never sent; it is empty where time ran out or the server rejected it.
func (s *sending) GiveUp(now time.Time, unsent string) { s.gaveUpAt, s.unsent = now, unsent }

// Closed notes that the exchange of the call was closed, which is all there is to
// see of such a cancel.
func (s *sending) Closed(now time.Time) { s.closedAt = now }

// Died notes that the server, or its connection, ended by itself, and how. An answer that waited for
// its verdict is what the server did about the cancel.
func (a *Attempt) Died(now time.Time, how string) {
	if !a.answer.held {
		a.diedAt, a.died = now, how
	}
}

// SessionOver notes that the server does not know the session any more, and how it
// said so; empty: by rejecting the cancel. belay closes the exchanges of that session. That is no end
// of the server's, but what it still says of the call cannot be heard.
func (a *Attempt) SessionOver(now time.Time, how string) {
	a.session = problem{now, how}
	if !a.IsGraceOver() && !a.IsStreamLost() {
		a.StreamLost(now)
	}
}

// Disconnected notes that belay ended the connection while the effect of the cancel was awaited: what
// the server did about the cancel was not seen.
func (s *stream) Disconnected(now time.Time) { s.disconnectedAt = now }

// IsDisconnected reports whether belay ended the connection before the verdict was due.
func (s *stream) IsDisconnected() bool { return !s.disconnectedAt.IsZero() }

// sentOrRejectedAt is when the cancel left belay: with its last byte, or at the latest when the
// server rejected it; zero: it has not.
func (s *sending) sentOrRejectedAt() time.Time {
	if s.writtenAt.IsZero() {
		return s.rejectedAt
	}
	return s.writtenAt
}

// IsAfter reports whether a message counts as one after the cancel: its first byte
// did not come before the cancel's last byte was written.
func (s *sending) IsAfter(began time.Time) bool {
	return !s.writtenAt.IsZero() && !began.Before(s.writtenAt)
}

// Lag is how long after the cancel's last byte something began; zero when it
// began before that, or when nothing was written.
func (s *sending) Lag(began time.Time) time.Duration {
	if s.sentOrRejectedAt().IsZero() {
		return 0
	}
	return max(0, began.Sub(s.sentOrRejectedAt()))
}

// Heard notes a message for the call that came after the cancel and is not its
// answer: when its first byte came, the bound of that time, and what it says. While the
// cancel is with the writer a message is kept, and [Attempt.Written] counts it.
func (a *Attempt) Heard(now, began time.Time, bound time.Duration, text string) {
	if a.IsWriteOpen() {
		a.held.note().add(heldMessage{now, began, bound}, text)
		return
	}
	a.Passed()
	m := &a.messages
	m.count++
	m.last, m.text = now, text
	if !a.IsLate(began, bound) {
		m.onWay = max(m.onWay, a.Lag(began))
		return
	}
	m.lastLate, m.late, m.lateLag = now, m.late+1, a.Lag(began)
	a.working = a.working || !a.graceOverAt.IsZero()
}

// After are the messages that came for a call after its cancel, its answer aside.
type After struct {
	All   int
	Late  int           // began too late to have been on their way when the server read the cancel
	Last  time.Duration // how long after the cancel's last byte the last one of these began
	OnWay time.Duration // … and the last one of the others
}

// Count counts the messages after the cancel.
func (a *Attempt) Count() After {
	m := &a.messages
	return After{m.count, m.late, m.lateLag, m.onWay}
}

// Grew notes bytes of a message on the call's own exchange whose end has not come:
// when the latest of them came and when the first one did, how many there are, and
// the bound of that time. They are no silence, and no sign of work either: no message
// has come, and the one that began may be the answer. With a size of zero the head of an answer
// came, which announces one where it came after the cancel.
func (a *Attempt) Grew(last, began time.Time, size int, bound time.Duration) {
	if a.writtenAt.IsZero() || a.HasAnswer() || size == 0 && (a.part.isThere() || a.Lag(last) == 0) {
		return
	}
	a.part = messagePart{at: last, size: size, late: a.IsLate(began, bound)}
}

// Arrives notes bytes of a message whose end has not come, as [Attempt.Grew] does, where the messages
// of all calls come, as on stdio: the message may be another call's. A size of zero notes that there is none.
func (a *Attempt) Arrives(last, began time.Time, size int, bound time.Duration) {
	if size == 0 {
		a.Passed()
		return
	}
	a.Grew(last, began, size, bound)
	a.part.any = a.part.size > 0
}

// IsMidway reports whether the verdict stands on a message that came where those of all
// calls do, and whose end had not come.
func (a *Attempt) IsMidway() bool { return a.part.any && !a.HasAnswer() }

// PartPassed notes the end of the unfinished message of a shared stream, and that the server, which did not answer the
// probe, has therefore said something.
func (a *Attempt) PartPassed() {
	if !a.IsMidway() {
		return
	}
	a.talks = a.talks || a.IsProbeLate() && a.part.late
	a.PartEnded()
}

// Passed notes a whole message where those of all calls come: what had come of one before
// has ended.
func (a *Attempt) Passed() {
	if a.part.any {
		a.PartEnded()
	}
}

// PartEnded notes the end of an unfinished message, which may have turned out to be none. The
// message itself is told separately.
func (a *Attempt) PartEnded() { a.part = messagePart{} }

// AwaitsRest reports whether a message is still arriving when the verdict is given. The
// message may be the answer, so belay listens for its end until the time returned.
func (a *Attempt) AwaitsRest(now time.Time) (until time.Time, still bool) {
	if !a.part.isThere() || a.HasAnswer() || a.writtenAt.IsZero() {
		return time.Time{}, false
	}
	until = a.writtenAt.Add(min(a.Lag(a.part.at)+stalled, a.Grace+partMost))
	return until, until.After(now)
}

// recently is how shortly before the end of the grace a message may have come for
// the silence since then to mean nothing. At most half of the grace counts as that,
// or all that came after a cancel with a short grace would mean that the work goes on.
func (s *Spec) recently() time.Duration { return min(recentMost, s.Grace/2) }

// QuestionOpened notes that a question of the call's to the user came after the cancel and
// waits for its answer: the silence since then is belay's and not the server's.
func (a *Attempt) QuestionOpened() { a.working = true }

// GraceOver notes that the grace is over without an answer. It judges whether what
// came after the cancel means that the work goes on, and whether a silence means
// anything, beside the pace of the call's progress before.
func (a *Attempt) GraceOver(now time.Time, pace Pace, lost Lost) {
	a.graceOverAt, a.endedEarly = now, now.Before(a.due)
	if !lost.At.IsZero() {
		a.lost = lost
	}
	until := now
	if !a.lost.At.IsZero() {
		until = a.lost.At
	}
	if last := a.messages.lastLate; !last.IsZero() && until.Sub(last) <= max(a.recently(), pace.awaited()) {
		a.working = true
	}
	if silence := now.Sub(pace.last); !pace.last.IsZero() && !a.working && a.lost.At.IsZero() && silence <= pace.awaited() {
		a.pause, a.silence = pace.longest(), silence
	}
}

// IsGraceOver reports whether the grace has ended without an answer.
func (a *Attempt) IsGraceOver() bool { return !a.graceOverAt.IsZero() }

// StreamLost notes that the call's stream was gone before the server had closed it.
func (s *stream) StreamLost(at time.Time) { s.lost.At = at }

// IsStreamLost reports whether the call's stream was away when the grace, or its session, ended.
func (s *stream) IsStreamLost() bool { return !s.lost.At.IsZero() }

// StreamResumed notes that the call's stream, which was away since a time, is taken up again,
// and the bound of now. If it was away before the server can have read the cancel, then
// what was said of the call until now may have waited for it.
func (a *Attempt) StreamResumed(now, away time.Time, bound time.Duration) {
	sent := a.sentOrRejectedAt()
	if sent.IsZero() || away.Sub(sent) > bound || !now.After(sent) {
		return
	}
	a.backAt, a.waited = now, now.Sub(sent)
}

// IsLate reports whether what began at a time cannot have been on its way when the
// server read the cancel, by the bound of that time.
func (a *Attempt) IsLate(began time.Time, bound time.Duration) bool {
	return isLate(a.Lag(began), bound+a.waited)
}

// isLate reports whether what began so long after the cancel's last byte cannot have been on its way then, as nothing
// is for longer than the bound.
func isLate(lag, bound time.Duration) bool { return lag > bound }

// IsAllKept reports whether all that came for the call after the cancel, and is no
// answer, may have waited until its stream was taken up again.
func (a *Attempt) IsAllKept() bool {
	return a.messages.count > 0 && a.messages.lastLate.IsZero() && !a.backAt.IsZero()
}

// StreamEnded notes that the call's exchange ended for good, and how.
func (s *stream) StreamEnded(now time.Time, how string) { s.endedAt, s.ended = now, how }

// Unreached notes an exchange that was to tell more of the call, or of the server,
// and brought no answer of any kind: what it was, and why it failed. The latest ones
// are kept.
func (s *stream) Unreached(now time.Time, what, why string) {
	if len(s.unreached) == maxUnreached {
		s.unreached = s.unreached[1:]
	}
	s.unreached = append(s.unreached, problem{now, what + " brought no answer: " + why})
}

// ProbeWanted notes the probe that is to tell whether the server answers at all: when it
// was wanted, which may be before this grace ended, and how long its answer may take.
func (a *Attempt) ProbeWanted(since time.Time, limit time.Duration) {
	a.due, a.probeLimit = since.Add(limit), limit
}

// ProbeAnswered notes the answer to the probe. A status is that of an HTTP answer
// without a message.
func (a *Attempt) ProbeAnswered(now time.Time, status string) {
	a.Passed()
	a.readAt, a.readBy = now, status
}

// ProbeLate notes that the probe was not answered in time, and when the first byte of
// the server's last message came, whatever that was about; zero: there was none.
func (a *Attempt) ProbeLate(now, last time.Time, bound time.Duration) {
	a.probeLateAt, a.talks = now, !last.IsZero() && a.IsLate(last, bound)
}

// HasTalked reports whether the server, which did not answer the probe, said something
// after the cancel all the same.
func (p *probed) HasTalked() bool { return p.talks }

// IsProbeLate reports whether the probe was not answered in time.
func (p *probed) IsProbeLate() bool { return !p.probeLateAt.IsZero() }

// Read notes that the server answered something that was written after the cancel:
// it had therefore read the cancel.
func (p *probed) Read(now time.Time) { p.readAt = now }

// IsRead reports whether the server is known to have read the cancel.
func (p *probed) IsRead() bool { return !p.readAt.IsZero() }

// BecomesTask turns an attempt that has not left into the cancel of the task that its call
// has become meanwhile. Over says how the task has ended by then, and what told that: nothing is to leave
// any more. It is empty where the task goes on.
func (a *Attempt) BecomesTask(now time.Time, over string) {
	a.Signal, a.Posts, a.due = CancelTask, false, now.Add(UndeliveredAfter)
	if over != "" {
		a.task.note().over = problem{now, over}
		a.due, a.nothing = time.Time{}, true
	}
}

// BecomesEnd turns an attempt that has not left into the end of the subscription
// that its call has become meanwhile.
func (a *Attempt) BecomesEnd(now time.Time) {
	a.Signal, a.Ends, a.Posts, a.due = Unsubscribe, true, false, now.Add(UndeliveredAfter)
}
