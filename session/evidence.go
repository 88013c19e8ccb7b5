package session

import (
	"fmt"
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// evidence is what was observed about a cancelled call.
type evidence struct {
	notDelivered time.Time // when it was given up as not taken
	takenAt      time.Time // over HTTP: when the server accepted its POST
	takenBy      string    // … with which status
	refused      string    // over HTTP: why it did not; empty: it did not refuse it
	refusedAt    time.Time
	unsent       string    // why it was not sent; empty: nothing kept it from that
	closed       time.Time // the exchange was closed, which is the cancel of 2026-07-28 over HTTP
	died         time.Time // the server ended by itself, before anything was known
	status       string    // how it died
	answerAt     time.Time
	answerLag    time.Duration // since the cancel's last byte; 0 when that was not written yet
	answerBound  time.Duration // the bound of "crossed" at that time
	answerErr    *mcp.RPCError // nil: a result
	answerTool   bool          // a result that says isError
	answerBad    bool          // neither a result nor an error
	answerHTTP   string        // an HTTP error, with its status in words; empty: none
	graceOver    time.Time
	probe        *request
	probeLate    time.Time
	readAt       time.Time     // the server answered something written after the cancel
	readBy       string        // that was the probe, with this status; empty: with a message, or something else
	count        int           // messages for it after the cancel's last byte, answers aside
	last         time.Time     // of those
	sure         time.Time     // the last of those that cannot have been on its way when the cancel came
	awayAt       time.Time     // from then to the end of the grace its stream was away: nothing could be heard
	awayFor      time.Duration // until it would have been taken up again; 0: it would not
	silentAt     time.Time     // its exchange ended for good, without an answer
	silentBy     string        // how
	pause        time.Duration // its beat, when the silence until the end of the grace was no longer than that
	silence      time.Duration
	grew         time.Time // when the last bytes came of a message that has not ended
	grown        int       // how many there were then
	working      bool      // one of those, or some bytes, came late enough to mean that the work goes on
}

func (e *evidence) answered() bool { return !e.answerAt.IsZero() }

// accepted says whether the POST of a cancel was.
func (e *evidence) accepted() bool { return !e.takenAt.IsZero() }

// erred says whether the answer was no result.
func (e *evidence) erred() bool { return e.answerErr != nil || e.answerBad || e.answerHTTP != "" }

// verdict is the first word of the list that the evidence allows. That the
// server read the cancel is noted before the probe, or else after it came late
// (then "a later answer turns this into quiet"): never both (see end).
func (st *stop) verdict() Verdict {
	switch {
	case st.nothing:
		return NothingRunning
	case !st.notDelivered.IsZero():
		return NotDelivered
	case !st.died.IsZero():
		return ServerDied
	case st.answered():
		return st.answerVerdict()
	case !st.closed.IsZero():
		return StreamClosed
	case st.working:
		return StillWorking
	case !st.readAt.IsZero() && st.awayAt.IsZero():
		return Quiet
	case !st.readAt.IsZero():
		return NothingHeard // it reads, but what it said of the call could not be heard
	case !st.probeLate.IsZero():
		return ServerUnresponsive
	}
	return NothingHeard
}

func (st *stop) answerVerdict() Verdict {
	switch {
	case st.standing && st.erred():
		return AnsweredError
	case st.standing:
		return Acknowledged
	case st.answerLag <= st.answerBound:
		return Crossed
	case st.erred():
		return AnsweredError
	}
	return AnsweredLate
}

// lateAnswer takes an answer that came for a call whose cancel was handed out.
func (s *Session) lateAnswer(c *call, f *mcp.Frame) {
	st := c.stop
	if st.answered() {
		return
	}
	s.answerCame(st)
	late := &LateAnswer{At: s.now, After: st.answerLag}
	switch f.Kind {
	case mcp.FrameResult:
		late.Result = s.keepResult(c, f)
		late.ToolError = f.Shape.IsError
		st.answerTool = f.Shape.IsError
	case mcp.FrameError:
		st.answerErr = s.keepError(c, f)
		late.Err = st.answerErr
	default:
		st.answerBad = true
	}
	c.late = late
	s.afterCancelled(c, "an answer")
	s.moment(c, Moment{Dir: In, Kind: MomLate, Entry: s.hist.cur})
	s.hist.mark(FlagLate)
	s.logCancel(c, CancelAnswered)
}

// answerCame notes when the answer came.
func (s *Session) answerCame(st *stop) {
	st.answerAt, st.answerBound = s.now, s.bound()
	if from := st.from(); !from.IsZero() {
		st.answerLag = max(s.began.Sub(from), 0)
	}
}

// from is when a cancel left: with its last byte, or at the latest when it was
// refused.
func (st *stop) from() time.Time {
	if st.written.IsZero() {
		return st.refusedAt
	}
	return st.written
}

// afterCancel counts a message for a cancelled call, its answer aside. It
// never revives the row (PRG-20).
func (s *Session) afterCancel(c *call) {
	st := c.stop
	if st == nil || st.written.IsZero() {
		return
	}
	st.count++
	st.last = s.now
	if s.began.Sub(st.written) > s.bound() {
		st.sure = s.now
	}
	s.hist.mark(FlagAfter)
	s.afterCancelled(c, "a message")
	if !st.graceOver.IsZero() && !st.working {
		st.working = true
	}
	s.rows.touch(c)
}

// list is the evidence in words, in the order in which it came about.
func (st *stop) list() []Evidence {
	var out []Evidence
	if st.repeats != nil {
		out = st.repeats.list()
	}
	add := func(at time.Time, format string, args ...any) {
		if at.IsZero() {
			return
		}
		e := Evidence{At: at, Text: fmt.Sprintf(format, args...)}
		if !st.written.IsZero() && at.After(st.written) {
			e.After = at.Sub(st.written)
		}
		out = append(out, e)
	}
	add(st.wanted, "cancel requested by %s: %s", st.initiator, sentence.Quoted(st.reason))
	if st.nothing {
		add(st.wanted, "no request was in flight: nothing was sent")
	}
	if st.verdict() != StreamClosed { // which says it all
		add(st.written, "%s", st.writtenWords())
		add(st.closed, "the exchange is closed: nothing more can be seen")
	}
	add(st.takenAt, "the server accepted the cancel: %s", st.takenBy)
	add(st.refusedAt, "%s", st.refusal())
	if st.refused == "" || st.refusedAt.After(st.notDelivered) {
		add(st.notDelivered, "%s", st.givenUp())
	}
	switch {
	case st.count == 1:
		add(st.last, "a message for it came after the cancel")
	case st.count > 1:
		add(st.last, "last of %d messages for it after the cancel", st.count)
	}
	add(st.awayAt, "its stream was away from here on%s: what the server said of the call could not be heard", st.awayWords())
	add(st.silentAt, "%s", st.silentBy)
	add(st.grew, "bytes of a message still came on its stream, %s in all, and not its end", sentence.Size(st.grown))
	switch {
	case st.answerHTTP != "":
		add(st.answerAt, "answered with %s", st.answerHTTP)
	case st.answerErr != nil:
		add(st.answerAt, "answered with error %s: %s", st.answerErr.CodeWords(), st.answerErr.Message)
	case st.answerBad:
		add(st.answerAt, "answered with something that is neither a result nor an error")
	case st.answerTool:
		add(st.answerAt, "answered with a result that says isError")
	case st.standing:
		add(st.answerAt, "the server answered that the subscription is ended")
	default:
		add(st.answerAt, "answered with a result")
	}
	add(st.graceOver, "the grace ended without an answer")
	if st.pause > 0 {
		add(st.graceOver, "its progress came up to %v apart before: a silence of %v says little", st.pause.Round(time.Second/10), st.silence.Round(time.Second/10))
	}
	add(st.probeLate, "the probe was not answered within %v", probeLimit)
	if st.readBy != "" {
		add(st.readAt, "the probe was answered with %s: the server lives", st.readBy)
	} else {
		add(st.readAt, "the server answered something that was written after the cancel: it had read it")
	}
	add(st.died, "the server %s", st.status)
	slices.SortStableFunc(out, func(a, b Evidence) int { return a.At.Compare(b.At) })
	return out
}

func (st *stop) writtenWords() string {
	if st.signal == abort {
		return "the exchange was closed, which is the cancel here; the reason stays with belay"
	}
	if st.signal == unsubscribe {
		return "resources/unsubscribe written; the reason stays with belay"
	}
	return "cancel written"
}

func (st *stop) awayWords() string {
	if st.awayFor <= 0 {
		return ""
	}
	return fmt.Sprintf(", to be taken up again after %v", st.awayFor.Round(time.Second/10))
}

// refusal says what was not accepted, and why. The end of a subscription of a
// handshake revision is a request, and no cancel.
func (st *stop) refusal() string {
	if st.signal == unsubscribe {
		return methodUnsubscribe + " was not accepted: " + st.refused
	}
	return "the cancel was not accepted: " + st.refused
}

// undelivered says why a cancel counts as not delivered; empty: it does not.
func (st *stop) undelivered() string {
	switch {
	case st.notDelivered.IsZero():
		return ""
	case st.refused != "":
		return "the server did not accept the cancel: " + st.refused
	}
	return st.givenUp()
}

func (st *stop) givenUp() string {
	switch {
	case st.unsent != "":
		return "the cancel was not sent: " + st.unsent
	case st.written.IsZero() || st.written.After(st.notDelivered):
		return fmt.Sprintf("the cancel could not be written within %v", undeliveredAfter)
	}
	return fmt.Sprintf("the server did not accept the cancel within %v", undeliveredAfter)
}
