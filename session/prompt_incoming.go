package session

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/timer"
)

// serverRequest is a request of the server's. Those that only the user can answer
// are prompts.
type serverRequest struct {
	id     mcp.ID
	idRaw  []byte // an answer repeats the ID to the letter
	method string
	params []byte
	size   int      // bytes of memory that it keeps
	prompt PromptID // 0: belay answers by itself
	entry  Seq      // the message in the history

	arrived time.Time
	ended   time.Time
	state   PromptState
	reason  string
	out     *pending // the answer, while it may still be in the core
	refusal string   // why it is refused, whatever it asks; empty: it is not
	refused string   // why the server did not take the last answer; empty: it took it, or there was none
	order   uint64   // of the last output that was handed out when it came
	upto    CallID   // the newest call that it may belong to
	alive   int      // how many calls that it may belong to still run
	orphan  bool
	stream  CallID // the call on whose stream it came; 0: it came on no call's
	owner   CallID // the only call that it could belong to when it ended; 0: none

	question
}

// question is what only requests to the user have.
type question struct {
	note        *mcp.AskNote
	epoch       Epoch
	stopped     *call     // the cancelled call that it is evidence of; nil: of none
	unsolicited bool      // no request of belay's was in flight when it came
	turn        int       // sampling: its number among those of its call, from 1
	needed      bool      // no request, but listed in the error that its owner failed with: nothing is written for it
	round       *round    // the round of its owner that it is an input for; nil: it is a request by itself
	key         []byte    // of an input, to the letter
	name        string    // the same, to be read
	answer      []byte    // of an input; nil: none yet
	closed      string    // why an input was closed that was not answered
	recanted    bool      // the server withdrew it when the answer was on its way
	elicitation string    // the ID that a completion notice names
	completed   time.Time // when one came
}

// incoming is the table of the server's requests.
type incoming struct {
	*writer
	timers *timer.List

	open    map[mcp.ID]*serverRequest // no byte of an answer was handed out
	seen    map[mcp.ID]*serverRequest // ended in this epoch, for late cancels and reused IDs
	ring    []mcp.ID
	head    int
	prompts []*serverRequest // all that are kept, oldest first
	nextID  PromptID
	waiting int
	bytes   int // of memory that the prompts keep

	away     uint64 // requests to the user that were refused before the user saw them
	lastAway TurnAway
}

const (
	maxSeen    = 1 << 12
	maxPrompts = 1024 // prompts kept, ended ones included
	maxAnswers = 4096 // answers that wait to be written; requests beyond are not answered

	maxAnswerBytes = 16 << 20 // of those
	maxRemembered  = 1 << 10  // bytes of an ID that is remembered
	maxID          = 4 << 10  // bytes of the ID of a request that is kept until it is answered
)

func (t *incoming) init() {
	t.open = map[mcp.ID]*serverRequest{}
	t.seen = map[mcp.ID]*serverRequest{}
}

// handedOut notes that the bytes of an answer may be on the way: nothing can
// withdraw the request any more.
func (t *incoming) handedOut(in *serverRequest) {
	if t.open[in.id] == in {
		delete(t.open, in.id)
	}
	t.remember(in)
}

func (t *incoming) remember(in *serverRequest) {
	if in.prompt == 0 { // nobody has seen it
		in.lighten()
	}
	if len(in.idRaw) > maxRemembered {
		return
	}
	if _, ok := t.seen[in.id]; !ok {
		t.ring = append(t.ring, in.id)
	}
	t.seen[in.id] = in
	if len(t.ring)-t.head > maxSeen {
		delete(t.seen, t.ring[t.head])
		t.head++
	}
	if t.head > maxSeen {
		t.ring = append([]mcp.ID(nil), t.ring[t.head:]...)
		t.head = 0
	}
}

// forget empties the table at the end of an epoch; prompts stay to be seen.
func (t *incoming) forget() {
	clear(t.open)
	clear(t.seen)
	t.ring, t.head = nil, 0
}

// onRequest takes a request of the server's.
func (s *Session) onRequest(f *mcp.Frame) {
	var stopped *call
	if mcp.AsksUser(f.Method) {
		stopped = s.http.asksAfterCancel(f.Method)
	}
	if waiting := s.incoming.open[f.ID]; waiting != nil {
		s.diagnose(mcp.DiagDuplicateRequest, 0, f.ID.String(), fmt.Sprintf("%s, the ID of %s that still waits", f.ID, waiting.method))
		return
	}
	if s.incoming.seen[f.ID] != nil {
		s.diagnose(mcp.DiagReusedRequest, 0, f.ID.String(), f.ID.String())
	}
	in := &serverRequest{
		id: f.ID, idRaw: bytes.Clone(f.IDRaw), method: shown(f.Method),
		arrived: s.now, entry: s.hist.cur, stream: callOf(s.http.via), question: question{note: f.Ask, stopped: stopped},
	}
	switch {
	case f.Kind == mcp.FrameOversize:
		in.refusal = "the request takes " + sentence.Size(f.Size) + ", which is more than belay reads"
	case len(in.idRaw) > maxID:
		in.refusal = fmt.Sprintf("its ID takes %s; belay keeps at most %s", sentence.Size(len(in.idRaw)), sentence.Size(maxID))
		s.diagnose(mcp.DiagPromptFlood, 0, "", sentence.Name(in.method)+": "+in.refusal)
	case f.Ask != nil:
		in.params, in.size = copyPart(f, f.Params), len(f.Params)
	}
	in.size += 2 * len(in.idRaw)
	if s.conn.readyAt.IsZero() && (f.Method != "ping" || s.conn.era.Asked().Modern()) {
		s.incoming.deferUntilInitialized(in)
		return
	}
	s.incoming.serve(in)
}

// deferUntilInitialized keeps a request that came too early until the connection is ready, so
// that it is not lost (VER-06). Of what is too much, only enough is kept to
// refuse it then.
func (t *incoming) deferUntilInitialized(in *serverRequest) {
	if in.method != "ping" {
		t.diagnose(mcp.DiagUnsolicited, 0, in.method, sentence.Name(in.method))
	}
	size, refused := in.size, 0
	for _, h := range t.conn.deferred {
		if size += h.size; h.refusal != "" {
			refused += h.size
		}
	}
	if n := len(t.conn.deferred); n >= maxWaiting || n > 0 && size > t.cfg.maxWaitingBytes() || in.refusal != "" {
		if in.refusal == "" {
			t.diagnose(mcp.DiagPromptFlood, 0, "", sentence.Name(in.method))
			in.refusal = "too many requests before the connection was ready"
		}
		in.params, in.note, in.size = nil, nil, 2*len(in.idRaw)
		if n >= maxAnswers || refused+in.size > maxAnswerBytes {
			return
		}
	}
	t.open[in.id] = in
	t.conn.deferred = append(t.conn.deferred, in)
}

// deferPongs takes back the answers to pings that wait in the outbox when
// server/discover follows a refused initialize: a server of the modern era is not
// answered, and any other is answered when the connection is ready.
func (t *incoming) deferPongs() {
	if !t.conn.readyAt.IsZero() {
		return
	}
	q := &t.out.queues[classAnswer]
	for _, p := range slices.Clone(q.items[q.head:]) {
		if p == nil || p.gone || p.answers == nil || !t.out.withdraw(p) {
			continue
		}
		p.answers.out = nil
		t.deferUntilInitialized(p.answers)
	}
}

// onCancelled takes notifications/cancelled. It reaches only the server's own
// requests; from then on nothing is written for that request, neither a result
// nor an error (CXS-01, CXS-04).
func (s *Session) onCancelled(f *mcp.Frame) {
	s.hist.mark(FlagCancel)
	n := f.Cancelled
	if n == nil || n.ID.IsZero() {
		why := "no parameters"
		if n != nil {
			why = n.Why
		}
		s.diagnose(mcp.DiagCancelMalformed, 0, "", why)
		s.logIgnored(CancelMalformed, mcp.ID{}, "", why)
		return
	}
	if !n.Valid {
		s.diagnose(mcp.DiagCancelMalformed, 0, "", n.Why)
	}
	if s.conn.rev.Modern() {
		s.onListenCancelled(n)
		return
	}
	in := s.incoming.open[n.ID] // a server may have used an ID that is not proper
	switch {
	case in != nil:
		s.withdrawPrompt(in, n.Reason)
	case s.incoming.seen[n.ID] != nil:
		in = s.incoming.seen[n.ID]
		s.logIgnored(CancelTooLate, n.ID, n.Reason, in.method)
		if in.state == Withdrawn {
			return // its reason stays the one that withdrew it
		}
		if !in.recanted {
			s.onLateWithdrawal(in, n.Reason)
		}
		in.recanted, in.reason = true, capReason(n.Reason)
	case !n.Valid:
		s.logIgnored(CancelMalformed, n.ID, n.Reason, n.Why)
	default:
		if r := s.outgoing.open[n.ID]; r != nil {
			s.diagnose(mcp.DiagCancelForeign, 0, n.ID.String(), n.ID.String())
		}
		s.logIgnored(CancelUnknown, n.ID, n.Reason, "")
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
		words += ": " + sentence.Quoted(capReason(reason))
	}
	l.event(words)
	if c := l.rows.get(in.owner); c != nil {
		l.moment(c, MomentView{Dir: In, Kind: MomNote, Text: words, Entry: l.hist.cur})
		l.rows.touch(c)
	}
}

// withdrawPrompt ends a request that the server has taken back.
func (s *Session) withdrawPrompt(in *serverRequest, reason string) {
	delete(s.incoming.open, in.id)
	s.incoming.remember(in)
	if in.out != nil && !s.out.withdraw(in.out) {
		s.broken("request %v is open, but its answer is out", in.id)
	}
	for i, h := range s.conn.deferred {
		if h == in {
			s.conn.deferred = append(s.conn.deferred[:i], s.conn.deferred[i+1:]...)
			break
		}
	}
	in.reason = capReason(reason)
	s.logWithdrawn(in)
	if in.prompt != 0 {
		s.endPrompt(in, Withdrawn)
	}
}
