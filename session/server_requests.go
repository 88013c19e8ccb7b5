package session

import (
	"fmt"
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/timer"
)

// isAsking reports whether a question that a call asked after its cancel waits for
// its answer.
func (qs *incoming) isAsking(c *call) bool {
	return slices.ContainsFunc(qs.questions, func(in *serverRequest) bool { return in.stopped == c && in.state == Waiting })
}

// openQuestion finds a question that waits and may become as, or says why there is none.
func (qs *incoming) openQuestion(id QuestionID, as QuestionState) (*serverRequest, error) {
	if as != Answered && as != Declined && as != Dismissed {
		return nil, refuse(RefuseParams, "an answer makes a question answered, declined or dismissed")
	}
	for i := len(qs.questions) - 1; i >= 0; i-- {
		in := qs.questions[i]
		if in.questionID != id {
			continue
		}
		switch in.state {
		case Waiting:
			if qs.conn.closeSent {
				return nil, refuse(RefuseQuitting, "the connection is being closed: nothing can be sent any more")
			}
			return in, nil
		case Withdrawn:
			if in.closed != "" {
				return nil, refuse(RefuseWithdrawn, "too late: %s", in.closed)
			}
			return nil, refuse(RefuseWithdrawn, "too late: the server withdrew this")
		case QuestionLost:
			return nil, refuse(RefuseNotReady, "the connection that asked this is gone")
		default:
			if in.closed != "" {
				return nil, refuse(RefuseFinished, "too late: %s", in.closed)
			}
			return nil, refuse(RefuseAnswered, "this was answered already (%v)", in.state)
		}
	}
	return nil, refuse(RefuseUnknown, "there is no question %d", id)
}

// isInput reports whether a question belongs to a round that is not over: its answer
// is still to be sent.
func (r *rows) isInput(in *serverRequest) bool {
	c := r.get(in.owner)
	return in.round != nil && c != nil && c.round() == in.round
}

// lighten drops the parts of an ended question that nobody needs any more, and
// returns the number of bytes freed.
func (in *serverRequest) lighten() (freed int) {
	kept := 2 * len(in.idRaw)
	freed, in.size = in.size-kept, kept
	in.params, in.note, in.key, in.answer = nil, nil, nil, nil
	in.name = shown(in.name)
	if len(in.elicitation) > maxRemembered {
		in.elicitation = ""
	}
	return freed
}

// noteAnswer notes why the server did not take the last answer, and whether the server may have taken the
// answer all the same. The reason is empty without a refusal.
func (in *serverRequest) noteAnswer(rejected string, unsure bool) {
	in.answerRejected, in.unsure = rejected, unsure
}

// onAnswerLost ends a question whose connection has ended before the server said whether it takes the answer.
func (in *serverRequest) onAnswerLost(why string, unsure bool) {
	in.state = QuestionLost
	in.noteAnswer(why, unsure)
}

// sweepQuestions forgets the oldest questions that have ended.
func (qs *incoming) sweepQuestions() {
	ps := qs.questions
	if len(ps) <= maxQuestions {
		return
	}
	kept := ps[:0]
	spare := len(ps) - maxQuestions/2
	for _, in := range ps {
		if spare > 0 && in.state != Waiting {
			spare--
			qs.bytes -= in.size
			in.lighten() // a late cancel may still name it
			continue
		}
		kept = append(kept, in)
	}
	clear(ps[len(kept):])
	qs.questions = kept
}

// hasOpenQuestion reports whether a waiting question can only belong to this call, or the call
// is held until the user goes on with it.
func (qs *incoming) hasOpenQuestion(c *call) bool {
	if ro := c.round(); ro != nil {
		return ro.awaitsRetry || slices.ContainsFunc(ro.inputs, func(in *serverRequest) bool { return in.questionID != 0 && in.state == Waiting })
	}
	if c.asked == 0 && c.task() == nil {
		return false
	}
	for _, in := range qs.questions {
		if in.state == Waiting && (in.hasSoleOwner() && mayOwn(in, c) || in.task != nil && in.task == c.task()) {
			return true
		}
	}
	return false
}

// serverRequest is a request of the server's. Those that only the user can answer
// are questions.
//
//shape:value 5 of incoming
type serverRequest struct {
	id         mcp.ID
	idRaw      []byte // an answer repeats the ID to the letter
	method     string
	params     []byte
	size       int        // bytes of memory that it keeps
	questionID QuestionID // 0: belay answers by itself
	entry      Seq        // the message in the history

	arrived         time.Time
	ended           time.Time
	state           QuestionState
	reason          string
	out             *pending // the answer, while it may still be in the core
	refusal         string   // why it is refused, whatever it asks; empty: it is not
	answerRejected  string   // why the server did not take the last answer; empty: it took it, or there was none
	unsure          bool     // … or may have taken it: nothing tells
	order           uint64   // of the last output that was handed out when it came
	upto            CallID   // the newest call that it may belong to
	alive           int      // how many calls that it may belong to still run
	orphan          bool
	stream          CallID  // the call on whose stream it came; 0: it came on no call's
	owner           CallID  // the only call that it could belong to when it ended; 0: none
	cancelledBefore []*call // that were cancelled before it came, and may have asked it, as others may; the first ones
	cancelledOwners []*call // that were cancelled while it waited, and may have asked it; the first ones
	several         bool    // it came when more than one running call may have asked it

	question
}

// question is what only requests to the user have.
//
//shape:part of serverRequest
type question struct {
	note          *mcp.AskNote
	epoch         Epoch
	stopped       *call        // the cancelled call that it is evidence of; nil: of none
	asker         CallID       // the cancelled call that asks it, as far as is known; 0: none
	unsolicited   bool         // no request of belay's was in flight when it came
	afterCancel   bool         // it came for a task that was being cancelled, or had been
	turn          int          // sampling: its number among those of its call, from 1
	nameless      bool         // it names no task, and none but calls that run as tasks can have asked it
	told          bool         // … and the user was told of that fault
	needed        bool         // no request, but listed in the error that its owner failed with: nothing is written for it
	round         *round       // the round of its owner that it is an input for; nil: it is a request by itself
	task          *runningTask // the task that it is an input for, by tasks/update; nil: it is none
	key           []byte       // of an input, to the letter
	name          string       // the same, to be read
	answer        []byte       // of an input; nil: none yet
	closed        string       // why an input was closed that was not answered
	withdrawnLate bool         // the server withdrew it when the answer was on its way
	elicitation   string       // the ID that a completion notice names
	completed     time.Time    // when one came
}

// incoming is the table of the server's requests.
//
//shape:machine 4
type incoming struct {
	*writer
	timers *timer.List

	open      map[mcp.ID]*serverRequest // no byte of an answer was handed out
	seen      map[mcp.ID]*serverRequest // ended in this epoch, for late cancels and reused IDs
	ring      []mcp.ID
	head      int
	questions []*serverRequest // all that are kept, oldest first
	nextID    QuestionID
	waiting   int
	bytes     int // of memory that the questions keep

	deferred []*serverRequest // requests that came before initialized (VER-06; basic/lifecycle)
	roots    rootCheck

	away     uint64 // requests to the user that were refused before the user saw them
	lastAway TurnAway
}

const (
	maxSeen      = 1 << 12
	maxQuestions = 1024 // questions kept, ended ones included
	maxAnswers   = 4096 // answers that wait to be written; requests beyond are not answered

	maxAnswerBytes = 16 << 20 // of those
	maxRemembered  = 1 << 10  // bytes of an ID that is remembered
	maxID          = 4 << 10  // bytes of the ID of a request that is kept until it is answered
)

func (qs *incoming) init() {
	qs.open = map[mcp.ID]*serverRequest{}
	qs.seen = map[mcp.ID]*serverRequest{}
}

// handedOut notes that the bytes of an answer may be on the way: nothing can
// withdraw the request any more.
func (qs *incoming) handedOut(in *serverRequest) {
	if qs.open[in.id] == in {
		delete(qs.open, in.id)
	}
	qs.remember(in)
}

func (qs *incoming) remember(in *serverRequest) {
	if in.questionID == 0 { // nobody has seen it
		in.lighten()
	}
	if len(in.idRaw) > maxRemembered {
		return
	}
	if _, ok := qs.seen[in.id]; !ok {
		qs.ring = append(qs.ring, in.id)
	}
	qs.seen[in.id] = in
	if len(qs.ring)-qs.head > maxSeen {
		delete(qs.seen, qs.ring[qs.head])
		qs.head++
	}
	if qs.head > maxSeen {
		qs.ring = append([]mcp.ID(nil), qs.ring[qs.head:]...)
		qs.head = 0
	}
}

// forget empties the table at the end of an epoch; questions stay to be seen.
func (qs *incoming) forget() {
	clear(qs.open)
	clear(qs.seen)
	qs.ring, qs.head = nil, 0
	qs.deferred, qs.roots = nil, rootCheck{}
}

// deferUntilInitialized keeps a request that came too early until the connection is ready, so that
// it is not lost (VER-06; basic/lifecycle). Of what is too much, only enough is kept to refuse it
// then.
func (qs *incoming) deferUntilInitialized(in *serverRequest) {
	if in.method != "ping" {
		qs.diagnose(mcp.DiagUnsolicited, 0, in.method, sentence.Name(in.method))
	}
	size, refusals := in.size, 0
	for _, h := range qs.deferred {
		if size += h.size; h.refusal != "" {
			refusals += h.size
		}
	}
	if n := len(qs.deferred); n >= maxWaiting || n > 0 && size > qs.cfg.maxWaitingBytes() || in.refusal != "" {
		if in.refusal == "" {
			qs.diagnose(mcp.DiagQuestionFlood, 0, "", sentence.Name(in.method))
			in.refusal = "too many requests before the connection was ready"
		}
		in.params, in.note, in.size = nil, nil, 2*len(in.idRaw)
		if n >= maxAnswers || refusals+in.size > maxAnswerBytes {
			return
		}
	}
	qs.open[in.id] = in
	qs.deferred = append(qs.deferred, in)
}

// deferPongs takes back the answers to pings that wait in the outbox when it is known of a
// server that it may be one of the modern era: that is not answered, and any other is
// answered when the connection is ready.
func (qs *incoming) deferPongs() {
	if !qs.conn.readyAt.IsZero() {
		return
	}
	q := &qs.out.queues[classAnswer]
	for _, p := range slices.Clone(q.items[q.head:]) {
		if p == nil || p.gone || p.answers == nil || !qs.out.withdraw(p) {
			continue
		}
		p.answers.out = nil
		qs.deferUntilInitialized(p.answers)
	}
}

// onLateWithdrawal tells that the server has taken a question back that the user had
// answered before. That changes nothing, and is in order: the two crossed.
func (l *log) onLateWithdrawal(in *serverRequest, reason string) {
	if in.state != Answered && in.state != Declined && in.state != Dismissed {
		return
	}
	words := fmt.Sprintf("the server withdrew %s after it was %v", sentence.Name(in.method), in.state)
	if reason != "" {
		words += ": " + sentence.Quoted(heardReason(reason))
	}
	l.event(words)
	if c := l.rows.get(in.owner); c != nil {
		l.moment(c, MomentView{Dir: In, Kind: MomNote, Text: words, Entry: l.hist.cur})
	}
}

// countAway counts what was to ask the user and cannot be shown, such as an address of error -32042, so that
// the user learns why a failed call offers nothing.
func (qs *incoming) countAway(method, why string) {
	qs.away++
	qs.lastAway = TurnAway{Method: method, Why: sentence.Clip(why)}
}

// neededWords says which call needs the user to visit an address. The server sent
// no elicitation request, and the words must not sound like one.
func (r *rows) neededWords(owner CallID) string {
	if c := r.get(owner); c != nil {
		return "#" + c.wire().String() + " needs you to visit an address"
	}
	return "a call needs you to visit an address"
}

// inputWords tell of an input that the user is asked for.
func (r *rows) inputWords(in *serverRequest) string {
	name := "a call"
	if c := r.get(in.owner); c != nil {
		name = "#" + c.wire().String()
	}
	if in.task != nil {
		return fmt.Sprintf("the task of %s asks you: %s", name, sentence.Name(in.method))
	}
	return fmt.Sprintf("%s asks you: %s (round %d)", name, sentence.Name(in.method), in.round.number)
}

// roomFor makes room for what is to wait: questions that have ended are no longer
// kept whole, the oldest first. It reports false when what waits already leaves no
// room; a single thing always has a place.
func (qs *incoming) roomFor(size int) bool {
	for _, in := range qs.questions {
		if qs.waitingBytes()+size <= qs.cfg.maxWaitingBytes() {
			return true
		}
		if in.state != Waiting && !qs.rows.isInput(in) {
			qs.bytes -= in.lighten()
		}
	}
	return qs.waiting == 0 && qs.rows.roundBytes == 0 || qs.waitingBytes()+size <= qs.cfg.maxWaitingBytes()
}

// relatedTask is the ID of the task that a request of the server's names in its metadata; empty:
// it names none.
func (in *serverRequest) relatedTask() string {
	if in.note == nil || !in.note.HasTask {
		return ""
	}
	return in.note.Task
}
