package session

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// CancelStage is what happened in a cancellation.
type CancelStage uint8

// The stages of a cancellation, of a call or of a server's request.
const (
	CancelWanted    CancelStage = iota + 1 // the signal is queued
	CancelDropped                          // nothing had been sent: nothing is
	CancelSent                             // its last byte was written
	CancelTakenBack                        // answered before any byte of it left
	CancelAnswered                         // an answer came all the same
	CancelEnded                            // the row ended; the verdict is in Note
	CancelReceived                         // the server withdrew its request
	CancelUnknown                          // the server cancels an ID nobody knows: ignored
	CancelTooLate                          // … one that has ended: ignored
	CancelMalformed                        // … or names none: ignored
	CancelDeclined                         // the user said no to the server's request
	CancelDismissed                        // … or left it without a choice
	CancelLost                             // the connection went while it waited
	CancelWrong                            // a wrong one, which the user sends on purpose; Note says what is wrong
)

var stageWords = [...]string{
	CancelWanted: "cancel requested", CancelDropped: "dropped before it was sent", CancelSent: "cancel sent",
	CancelTakenBack: "cancel taken back", CancelAnswered: "answered after the cancel", CancelEnded: "cancelled",
	CancelReceived: "withdrawn by the server", CancelUnknown: "cancel ignored: unknown ID",
	CancelTooLate: "cancel ignored: already completed", CancelMalformed: "cancel ignored: malformed",
	CancelDeclined: "declined by the user", CancelDismissed: "dismissed by the user", CancelLost: "connection lost",
	CancelWrong: "wrong cancel, on purpose",
}

func (c CancelStage) String() string { return stageWords[c] }

// CancelEvent is one entry of the log of cancellations (CXL-25, CXS-10, SD0-17, SD0-18;
// basic/utilities/cancellation).
type CancelEvent struct {
	Number    int // from 1
	At        time.Time
	Stage     CancelStage
	Direction Direction // of the request: Out for ours, In for the server's
	ID        mcp.ID
	Method    string
	Server    string
	Revision  mcp.Revision
	Initiator cancel.Initiator
	Reason    string
	InFlight  int
	Age       time.Duration // of the request
	Note      string
}

// Level is how loud the event is: what the server may do at will is told at
// debug level only (SD0-08).
func (e CancelEvent) Level() slog.Level {
	switch e.Stage {
	case CancelUnknown, CancelTooLate:
		return slog.LevelDebug
	case CancelMalformed:
		return slog.LevelError
	default:
		return slog.LevelInfo
	}
}

// LogValue is the event as attributes.
func (e CancelEvent) LogValue() slog.Value {
	idType, id := "number", e.ID.String()
	if text, is := e.ID.Text(); is {
		id = text
	}
	switch {
	case e.ID.IsZero():
		idType = ""
	case e.ID.IsString():
		idType = "string"
	}
	direction := "outgoing"
	if e.Direction == In {
		direction = "incoming"
	}
	return slog.GroupValue(
		slog.String("request_id", id),
		slog.String("id_type", idType),
		slog.String("reason", e.Reason),
		slog.String("initiator", e.Initiator.String()),
		slog.String("time", e.At.UTC().Format(time.RFC3339Nano)),
		slog.Int("in_flight", e.InFlight),
		slog.String("server", e.Server),
		slog.String("method", e.Method),
		slog.String("revision", string(e.Revision)),
		slog.String("direction", direction),
		slog.Duration("age", e.Age),
	)
}

// events is a bounded log of cancellations.
//
//shape:part of log
type events struct {
	ring      []CancelEvent
	total     int
	unsampled []*call // that have ended, and whose end is to be logged; at most maxUnsampled
}

const maxEvents = 2000

// maxUnsampled bounds the ends that wait for a sample. Of so many calls most were in flight beside
// others, where no verdict stands on a sample.
const maxUnsampled = 256

// addEvent completes an entry, and adds it.
func (l *log) addEvent(e CancelEvent) {
	e.At, e.Server, e.Revision, e.InFlight = l.now, l.conn.server.Name, l.conn.rev, l.rows.active
	e.ID, e.Method, e.Reason, e.Note = e.ID.Brief(), shown(e.Method), heardReason(e.Reason), sentence.Clip(e.Note)
	e.Number = l.events.total + 1
	if len(l.events.ring) < maxEvents {
		l.events.ring = append(l.events.ring, e)
	} else {
		l.events.ring[l.events.total%maxEvents] = e
	}
	l.events.total++
}

// CancelEvents are the latest entries of the log of cancellations, 2,000 at most, oldest
// first.
func (l *log) CancelEvents() []CancelEvent {
	out := make([]CancelEvent, 0, len(l.events.ring))
	for i := range l.events.ring {
		out = append(out, l.events.ring[(max(0, l.events.total-len(l.events.ring))+i)%maxEvents])
	}
	return out
}

// tellStage takes the three notes of a stage of the cancellation of a call: its line on the timeline of
// the call, its entry in the log of cancellations, and, of the stages that people look for, its event among
// the messages. A moment without a kind is no line, and one without a time is of now. Of a request that was
// written, reply is the message that has answered it since; 0: none has.
func (l *log) tellStage(c *call, stage CancelStage, m MomentView, reply Seq) {
	switch {
	case m.Kind == 0:
	case m.At.IsZero():
		l.moment(c, m)
	default:
		momentAt(c, m.At, reply, m)
	}
	st := c.stop
	e := CancelEvent{
		Stage: stage, Direction: Out, ID: c.latest(), Method: c.Method, Initiator: st.By,
		Reason: st.Reason, Age: l.now.Sub(c.created),
	}
	if stage == CancelAnswered && c.state == Cancelled { // by which its verdict is another one
		e.Note = st.Verdict().String()
	}
	if stage == CancelEnded {
		switch e.Note = st.Verdict().String(); {
		case c.isLeftEarly():
			e.Note = "stopped waiting"
		case c.isTaskCutOff() && st.IsTaskCutByUs():
			e.Note = "belay left"
		case c.isTaskCutOff():
			e.Note = "connection ended"
		}
		l.event(c.name() + ": cancelled · " + e.Note)
	}
	if stage == CancelWanted {
		l.event(c.name() + ": cancel requested by " + st.By.Asker() + ": " + sentence.Quoted(st.Reason))
	}
	l.addEvent(e)
}

// logEnd logs the end of the row of a cancelled call: with its verdict, and so not before the sample
// has come on which that stands. Where too many ends wait, the oldest is logged with the evidence of now.
func (l *log) logEnd(c *call) {
	if c.stop.Processes.Awaits() {
		if len(l.events.unsampled) >= maxUnsampled {
			l.tellStage(l.events.unsampled[0], CancelEnded, MomentView{}, 0)
			l.events.unsampled = slices.Delete(l.events.unsampled, 0, 1)
		}
		l.events.unsampled = append(l.events.unsampled, c)
		return
	}
	l.tellStage(c, CancelEnded, MomentView{}, 0)
}

// logSampled logs the ends that waited for a sample, and wait no longer.
func (l *log) logSampled() {
	l.events.unsampled = slices.DeleteFunc(l.events.unsampled, func(c *call) bool {
		if c.stop.Processes.Awaits() {
			return false
		}
		l.tellStage(c, CancelEnded, MomentView{}, 0)
		return true
	})
}

// logWithdrawn logs a request that nobody can answer any more: the server took the request
// back, or belay closed the request with its task.
func (l *log) logWithdrawn(in *serverRequest) {
	how := "withdrawn by the server"
	if in.closed != "" {
		how = "closed: " + in.closed
	} else {
		l.addEvent(CancelEvent{
			Stage: CancelReceived, Direction: In, ID: in.id, Method: in.method, Initiator: cancel.ByServer,
			Reason: in.reason, Age: l.now.Sub(in.arrived),
		})
	}
	text := fmt.Sprintf("%s %s %s", sentence.Name(in.method), in.id, how)
	if in.reason != "" {
		text += ": " + sentence.Quoted(in.reason)
	}
	l.event(text)
}

// logAnswered logs a question that the user has ended without what was asked for. What was asked and
// answered is in no log (SMP-37, SMP-42; client/sampling).
func (l *log) logAnswered(in *serverRequest) {
	stage := CancelDeclined
	switch in.state {
	case Declined:
	case Dismissed:
		stage = CancelDismissed
	default:
		return
	}
	l.logQuestion(in, stage, cancel.ByUser)
}

// logLost logs a question that the connection has taken with it.
func (l *log) logLost(in *serverRequest) { l.logQuestion(in, CancelLost, 0) }

func (l *log) logQuestion(in *serverRequest, stage CancelStage, by cancel.Initiator) {
	l.addEvent(CancelEvent{Stage: stage, Direction: In, ID: in.id, Method: in.method, Initiator: by, Age: l.now.Sub(in.arrived)})
	what := sentence.Name(in.method)
	if in.needed {
		what = "the address of a failed call"
	}
	l.event(what + " " + stage.String())
}

func (l *log) logIgnored(stage CancelStage, n mcp.CancelledNote, method string) {
	e := CancelEvent{Stage: stage, Direction: In, ID: n.ID, Method: method, Initiator: cancel.ByServer, Reason: n.Reason}
	if stage == CancelMalformed {
		e.Note = n.Why
	}
	l.addEvent(e)
}
