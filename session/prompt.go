package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/sentence"
)

// enqueuePrompt makes a prompt of a request that only the user can answer.
func (t *incoming) enqueuePrompt(in *serverRequest) {
	if t.strict(in) {
		return
	}
	in.size += 2 * len(in.note.ElicitationID)
	if why := t.tooMany(in.size); why != "" {
		t.diagnose(mcp.DiagPromptFlood, 0, "", sentence.Name(in.method))
		t.turnAway(in, mcp.CodeInternal, why)
		return
	}
	t.addPrompt(in)
	in.order = t.out.order
	in.unsolicited = t.rows.idle()
	in.elicitation = in.note.ElicitationID
	var owner *call
	for c := t.rows.oldest; c != nil; c = c.next {
		if !mayOwn(in, c) {
			continue
		}
		owner = c
		in.alive++
		in.upto = c.id
		c.asked++
		if in.method == "sampling/createMessage" {
			c.sampled++
			in.turn = max(in.turn, c.sampled)
		}
		t.pause(t.timers, c)
	}
	if in.alive == 1 {
		t.moment(owner, MomentView{Dir: In, Kind: MomPrompt, Text: in.method, Entry: t.hist.cur})
	}
}

// addPrompt makes a prompt that waits.
func (t *incoming) addPrompt(in *serverRequest) {
	t.nextID++
	in.prompt, in.epoch = t.nextID, t.conn.epoch
	in.state = Waiting
	t.waiting++
	t.prompts = append(t.prompts, in)
	t.bytes += in.size
	t.sweepPrompts()
	t.hist.markPrompt(in.prompt)
	switch {
	case in.needed:
		t.event(t.rows.neededWords(in.owner))
		return
	case in.round != nil:
		t.event(t.rows.inputWords(in))
		return
	}
	t.event("the server asks you: " + sentence.Name(in.method))
}

// mayOwn reports whether a prompt may belong to a call. What came on the stream of
// a call is its own (HTL-19); over one stream for everything nothing tells, so
// it may be any call of the user's whose bytes were out when it came and that
// still runs.
func mayOwn(in *serverRequest, c *call) bool {
	switch {
	case in.round != nil || c.sub.isStanding() || c.isWaiting():
		return false
	case in.stream != 0:
		return c.id == in.stream && c.state == Running
	}
	return c.Origin == FromUser && c.state == Running && c.req.order <= in.order
}

// closePrompt gives a prompt its final state, and returns the calls that wait for one
// prompt less. An answer that has not been handed
// out is not final yet: when the server withdraws its request, or goes, nothing
// was sent, and the row must not say that something was.
func (t *incoming) closePrompt(in *serverRequest, to PromptState) (released []*call) {
	unsent := in.out != nil && !in.out.handed && (to == Withdrawn || to == PromptLost)
	if in.state != Waiting && !unsent {
		t.broken("prompt %d: %v may not become %v", in.prompt, in.state, to)
		return nil
	}
	waited := in.state == Waiting
	in.state = to
	in.ended = t.now
	if !waited {
		return nil
	}
	t.waiting--
	t.hist.markPrompt(in.prompt)
	if in.needed || in.round != nil {
		if c := t.rows.get(in.owner); c != nil {
			t.moment(c, MomentView{Dir: Local, Kind: MomPromptEnd, Text: in.endText()})
		}
	}
	if in.orphan || in.alive == 0 {
		return nil
	}
	for c := t.rows.oldest; c != nil && c.id <= in.upto; c = c.next {
		if !mayOwn(in, c) {
			continue
		}
		if in.alive == 1 {
			in.owner = c.id
			t.moment(c, MomentView{Dir: Local, Kind: MomPromptEnd, Text: in.endText()})
		}
		c.asked--
		released = append(released, c)
	}
	return released
}

// endText says how a prompt ended, and the reason if the server gave one.
func (in *serverRequest) endText() string {
	if in.state == Withdrawn && in.reason != "" {
		return in.state.String() + ": " + sentence.Quoted(in.reason)
	}
	return in.state.String()
}

// endPrompt closes a prompt, and has the clocks go on that stood still for it.
func (s *Session) endPrompt(in *serverRequest, to PromptState) {
	for _, c := range s.incoming.closePrompt(in, to) {
		s.http.resumeClocks(c)
	}
}

// orphanPrompts notes that a call stops being one that prompts may belong to. A
// prompt without any is an orphan: it still waits and may be answered, but
// stops no clock.
func (t *incoming) orphanPrompts(c *call) {
	if c.asked == 0 {
		return
	}
	for _, in := range t.prompts {
		if in.state != Waiting || in.orphan || !mayOwn(in, c) {
			continue
		}
		c.asked--
		if in.alive--; in.alive == 0 {
			in.orphan = true
		}
	}
	if c.asked != 0 {
		t.broken("call %d: %d prompts hold it that do not know it", c.id, c.asked)
		c.asked = 0
	}
}

// Answer answers a prompt with a result, a JSON object. As is what the row of
// the prompt reads from now on: Answered, Declined or Dismissed. A prompt that
// the server has withdrawn is refused, and nothing is written (CXS-04, CXS-09).
// Nothing is ever written either for a prompt that is only Needed: there the
// answer ends the prompt, and no more. The answer to an input of a round is kept
// until all of them are there; then the call is made again with them.
type Answer struct {
	Prompt PromptID    `json:"prompt"`
	Result Bytes       `json:"result"`
	As     PromptState `json:"as"`
}

func (in Answer) check(s *Session) error {
	if _, err := s.incoming.openPrompt(in.Prompt, in.As); err != nil {
		return err
	}
	if err := mcp.CheckObject(in.Result); err != nil {
		return refuse(RefuseParams, "the answer is no JSON object: %v", err)
	}
	return nil
}

func (in Answer) apply(s *Session) Reply {
	p, _ := s.incoming.openPrompt(in.Prompt, in.As)
	if !p.needed && p.round == nil {
		s.incoming.answer(p, mcp.AppendResult(nil, p.idRaw, in.Result))
	}
	s.endPrompt(p, in.As)
	s.logAnswered(p)
	if p.round != nil {
		s.input(p, in.Result)
	}
	return Reply{}
}

// Refuse answers a prompt with an error; a prompt that is only Needed, as
// [Answer] does. An input of a round has no error for an answer: its call
// ends, and nothing is sent.
type Refuse struct {
	Prompt  PromptID    `json:"prompt"`
	Code    int64       `json:"code"`
	Message string      `json:"message"`
	As      PromptState `json:"as"`
}

func (in Refuse) check(s *Session) error {
	_, err := s.incoming.openPrompt(in.Prompt, in.As)
	return err
}

func (in Refuse) apply(s *Session) Reply {
	p, _ := s.incoming.openPrompt(in.Prompt, in.As)
	if !p.needed && p.round == nil {
		s.incoming.reject(p, in.Code, validText(in.Message))
	}
	s.endPrompt(p, in.As)
	s.logAnswered(p)
	if p.round != nil {
		s.rejected(p)
	}
	return Reply{}
}

// openPrompt finds a prompt that waits and may become as, or says why there is none.
func (t *incoming) openPrompt(id PromptID, as PromptState) (*serverRequest, error) {
	if as != Answered && as != Declined && as != Dismissed {
		return nil, refuse(RefuseParams, "an answer makes a prompt answered, declined or dismissed")
	}
	for i := len(t.prompts) - 1; i >= 0; i-- {
		in := t.prompts[i]
		if in.prompt != id {
			continue
		}
		switch in.state {
		case Waiting:
			if t.conn.closeSent {
				return nil, refuse(RefuseQuitting, "the connection is being closed: nothing can be sent any more")
			}
			return in, nil
		case Withdrawn:
			return nil, refuse(RefuseWithdrawn, "too late: the server withdrew this")
		case PromptLost:
			return nil, refuse(RefuseNotReady, "the connection that asked this is gone")
		default:
			if in.closed != "" {
				return nil, refuse(RefuseFinished, "too late: %s", in.closed)
			}
			return nil, refuse(RefuseAnswered, "this was answered already (%v)", in.state)
		}
	}
	return nil, refuse(RefuseUnknown, "there is no prompt %d", id)
}

// roomFor makes room for what is to wait: prompts that have ended are no longer
// kept whole, the oldest first. It reports false when what waits already leaves no
// room; a single thing always has a place.
func (t *incoming) roomFor(size int) bool {
	for _, in := range t.prompts {
		if t.waitingBytes()+size <= t.cfg.maxWaitingBytes() {
			return true
		}
		if in.state != Waiting && !t.rows.isInput(in) {
			t.bytes -= in.lighten()
		}
	}
	return t.waiting == 0 && t.rows.roundBytes == 0 || t.waitingBytes()+size <= t.cfg.maxWaitingBytes()
}

// isInput reports whether a prompt belongs to a round that is not over: its answer
// is still to be sent.
func (r *rows) isInput(in *serverRequest) bool {
	c := r.get(in.owner)
	return in.round != nil && c != nil && c.round() == in.round
}

// lighten drops the parts of an ended prompt that nobody needs any more, and
// returns the number of bytes freed.
func (in *serverRequest) lighten() (freed int) {
	left := 2 * len(in.idRaw)
	freed, in.size = in.size-left, left
	in.params, in.note, in.key, in.answer = nil, nil, nil, nil
	in.name = shown(in.name)
	if len(in.elicitation) > maxRemembered {
		in.elicitation = ""
	}
	return freed
}

// sweepPrompts forgets the oldest prompts that have ended.
func (t *incoming) sweepPrompts() {
	ps := t.prompts
	if len(ps) <= maxPrompts {
		return
	}
	kept := ps[:0]
	spare := len(ps) - maxPrompts/2
	for _, in := range ps {
		if spare > 0 && in.state != Waiting {
			spare--
			t.bytes -= in.size
			in.lighten() // a late cancel may still name it
			continue
		}
		kept = append(kept, in)
	}
	clear(ps[len(kept):])
	t.prompts = kept
}

// Prompts are the server's requests to the user that are kept, oldest first.
func (s *Session) Prompts() []PromptView {
	out := make([]PromptView, 0, len(s.incoming.prompts))
	for _, in := range s.incoming.prompts {
		v := PromptView{
			ID: in.prompt, Wire: in.id, Method: in.method, State: in.state, Params: in.params,
			Arrived: in.arrived, Ended: in.ended, Orphaned: in.orphan,
			Unsolicited: in.unsolicited, Turn: in.turn, Needed: in.needed, Completed: in.completed,
			Key: in.name, Closed: in.closed, Refused: in.refused,
		}
		if in.round != nil {
			v.Round = in.round.number
		}
		if in.state == Withdrawn {
			v.Reason = in.reason
		}
		if in.state == Waiting {
			v.Owners, v.Candidates = in.alive, s.rows.owners(in)
		}
		if in.owner != 0 {
			v.Owners, v.Candidates = 1, []CallID{in.owner}
		}
		out = append(out, v)
	}
	return out
}

// MaxCandidates bounds the calls that the view of a prompt names.
const MaxCandidates = 8

// owners are the first of the calls that a waiting prompt may belong to. All of
// them together could be ten thousand, for each of hundreds of prompts.
func (r *rows) owners(in *serverRequest) (ids []CallID) {
	want := min(in.alive, MaxCandidates)
	for c := r.oldest; c != nil && c.id <= in.upto && len(ids) < want; c = c.next {
		if mayOwn(in, c) {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// PromptsOf are the prompts that wait and may belong to a call, oldest first.
func (s *Session) PromptsOf(id CallID) (ids []PromptID) {
	c := s.rows.get(id)
	if c == nil || c.asked == 0 && c.round() == nil {
		return nil
	}
	for _, in := range s.incoming.prompts {
		if in.state == Waiting && (in.round != nil && in.round == c.round() || !in.orphan && mayOwn(in, c)) {
			ids = append(ids, in.prompt)
		}
	}
	return ids
}

// hasOpenPrompt reports whether a waiting prompt can only belong to this call, or the call
// is held until the user goes on with it.
func (t *incoming) hasOpenPrompt(c *call) bool {
	if ro := c.round(); ro != nil {
		return ro.held || slices.ContainsFunc(ro.inputs, func(in *serverRequest) bool { return in.prompt != 0 && in.state == Waiting })
	}
	if c.asked == 0 {
		return false
	}
	for _, in := range t.prompts {
		if in.state == Waiting && in.alive == 1 && mayOwn(in, c) {
			return true
		}
	}
	return false
}
