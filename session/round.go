package session

import (
	"bytes"
	"fmt"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// A call that the server cannot carry out without more input is answered by
// input_required (2026-07-28): the request has ended, and the call is made again
// with the inputs and with the server's state, under another ID. Between the two
// nothing is in flight; what the server asks are prompts that nobody can
// withdraw, and to leave it at that is no message at all.

// round is what a server wants before a call is made again; see [wait].
type round struct {
	number int // from 1: the first follows the first request
	inputs []*serverRequest
	open   int    // of those that have no answer yet
	asked  bool   // there were inputRequests, perhaps none in them
	state  []byte // to be repeated to the letter; nil: none
	sum    string // of the state

	held    bool          // it waits for the user to go on
	relist  bool          // it waits for the tools to be listed again
	refused *mcp.RPCError // that the head and the body of the request before differed
}

// roundMethods are the requests that may be answered so (MRT-02, MRT-03, X-36).
var roundMethods = map[string]bool{"tools/call": true, "prompts/get": true, "resources/read": true}

// The pause before a call is made again that the server wants no input for: it
// doubles each time in a row (MRT-09).
const (
	firstPause = 500 * time.Millisecond
	mostPause  = 30 * time.Second
)

func pauseBefore(times int) time.Duration {
	d := firstPause
	for ; times > 1 && d < mostPause; times-- {
		d *= 2
	}
	return min(d, mostPause)
}

// onInputRequired takes an answer that is none yet. What is wrong with it ends
// the call: there is no way to tell the server, so nothing is sent.
func (s *Session) onInputRequired(c *call, f *mcp.Frame) {
	n := f.Inputs
	s.moment(c, MomentView{Dir: In, Kind: MomRound, Text: n.Words(), Entry: s.hist.cur})
	s.rows.countRound(c, 0) // the request with the state before has ended
	if code, why := s.refusal(c, n); why != "" {
		if code != mcp.DiagNone {
			s.diagnose(code, c.id, why, why)
		}
		s.refuseRound(c, f, why)
		return
	}
	c.rounds.count++
	ro := &round{number: c.rounds.count, asked: n.Asked, state: copyPart(f, n.State), sum: n.Sum}
	s.waitFor(c, wait{kind: roundWait, round: ro})
	s.rows.countRound(c, roundSize(n))
	s.lint.repeats(c, n)
	if ro.number > c.rounds.most {
		ro.held = true
		s.note(c, fmt.Sprintf("held after %d rounds: the server asks again and again", c.rounds.most))
	}
	for _, a := range n.Asks {
		s.incoming.addInput(c, f, a)
	}
	for _, in := range ro.inputs { // all of them are known before the first is answered
		if in.prompt == 0 && c.round() == ro {
			s.rootsInput(in)
		}
	}
	if len(n.Asks) > 0 {
		c.rounds.empty = 0
	} else if c.rounds.empty++; !ro.held {
		s.timers.Set(c.due(dueWait), s.now.Add(pauseBefore(c.rounds.empty)))
		s.event(fmt.Sprintf("%s: the server wants it to be made again, and asks for nothing", c.name()))
	}
	s.rows.touch(c)
}

// roundSize is how many bytes a round keeps besides its prompts: the state, once
// more in the parameters of the next request, and once more in that request; and
// the keys of what belay answers by itself.
func roundSize(n *mcp.InputNote) int {
	size := 3 * len(n.State)
	for _, a := range n.Asks {
		if a.Note == nil {
			size += keySize(a)
		}
	}
	return size
}

// keySize is how many bytes the key of an input keeps: to the letter, and to be
// read.
func keySize(a mcp.InputAsk) int { return len(a.Token) + len(a.Key) }

// countRound counts what a call keeps of its rounds: while it waits, and of the
// state in the request that is in flight then.
func (r *rows) countRound(c *call, size int) {
	r.roundBytes += size - c.rounds.bytes
	c.rounds.bytes = size
}

// addInput makes one of the requests of a round: a prompt, unless belay answers
// it by itself.
func (t *incoming) addInput(c *call, f *mcp.Frame, a mcp.InputAsk) {
	in := &serverRequest{
		method: a.Method, params: copyPart(f, a.Params), size: len(a.Params) + keySize(a), arrived: t.now, entry: t.hist.cur, owner: c.id,
		question: question{note: a.Note, round: c.round(), key: copyPart(f, a.Token), name: a.Key},
	}
	in.round.inputs = append(in.round.inputs, in)
	in.round.open++
	if a.Note == nil {
		in.params = nil
		return
	}
	in.size += len(a.Note.ElicitationID)
	if a.Method == "sampling/createMessage" {
		c.sampled++
		in.turn = c.sampled
	}
	t.addPrompt(in)
	t.moment(c, MomentView{Dir: Local, Kind: MomPrompt, Text: in.method, Entry: t.hist.cur})
}

// rootsInput answers the wish for the roots, perhaps after a look at them.
func (s *Session) rootsInput(in *serverRequest) {
	look := &s.conn.roots
	if c := s.rows.get(in.owner); c != nil {
		s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "it asks for the roots: belay answers that itself"})
	}
	switch {
	case !s.cfg.CheckRoots || len(s.cfg.Roots) == 0:
		s.input(in, rootsResult(s.cfg.Roots))
	case len(look.asks) >= maxWaiting:
		s.diagnose(mcp.DiagPromptFlood, in.owner, "", sentence.Name(in.method))
		s.failRound(in, "too many requests for the roots")
	default:
		look.asks = append(look.asks, in)
		look.wanted = look.out == 0
	}
}

// input takes the answer to one of the requests of a round. With the last one
// the call is made again.
func (s *Session) input(in *serverRequest, answer []byte) {
	c := s.rows.get(in.owner)
	if c == nil || c.round() != in.round {
		return
	}
	in.answer = bytes.Clone(bytes.TrimSpace(answer))
	in.round.open--
	s.sendRound(c)
	s.rows.touch(c)
}

// rejected ends a call whose server was refused an answer: nothing can say so
// on the wire, the call is just not made again (MRT-19, X-32, SMP-33).
func (s *Session) rejected(in *serverRequest) {
	if c := s.rows.get(in.owner); c != nil && c.round() == in.round {
		why := "you " + in.state.String() + " " + sentence.Name(in.method)
		s.stopWait(c, cancel.ByUser, why, why)
		s.note(c, "not retried: "+why)
	}
}

// failRound ends a call that belay itself has no input for.
func (s *Session) failRound(in *serverRequest, why string) {
	if c := s.rows.get(in.owner); c != nil && c.round() == in.round {
		s.abandonWait(c, why)
		s.note(c, "not retried: "+why)
		s.move(c, Failed)
	}
}

// sendRound makes the call again, once there is all that it waits for.
func (s *Session) sendRound(c *call) {
	w, ro := c.wait, c.round()
	if ro.held || ro.open > 0 || w.next != nil {
		return
	}
	ro.relist = false
	w.params = ro.params(c.Params)
	s.queueNextRequest(c)
}

func stoppedWords(by cancel.Initiator) string {
	switch by {
	case cancel.ByUser:
		return "you cancelled the call"
	case cancel.ByQuit, cancel.ByDisconnect:
		return "belay left"
	default:
		return "the call was cancelled"
	}
}

// closeInputs closes what a round still asks, for this reason.
func (s *Session) closeInputs(ro *round, why string) {
	for _, in := range ro.inputs {
		if in.prompt == 0 || in.state != Waiting {
			continue
		}
		in.closed = why
		s.endPrompt(in, Dismissed)
	}
}

// Retry makes a call again at once that the server wants to be made again later,
// or goes on with one that was held for the number of its rounds. One that waits
// for an answer of the user's, or for the server, is refused.
type Retry struct {
	Call CallID `json:"call"`
}

func (in Retry) check(s *Session) error {
	c := s.rows.get(in.Call)
	switch {
	case c == nil:
		return refuse(RefuseUnknown, "there is no call %d", in.Call)
	case c.state.Terminal():
		return refuse(RefuseFinished, "%s has ended (%v)", c.name(), c.state)
	case !c.isWaitingFor(roundWait) || c.wait.next != nil:
		return refuse(RefuseParams, "%s is in flight: it is the server's turn", c.name())
	case !c.round().held && c.round().open > 0:
		return refuse(RefuseParams, "%s waits for your answer", c.name())
	}
	return nil
}

func (in Retry) apply(s *Session) Reply {
	c := s.rows.get(in.Call)
	if ro := c.round(); ro.held {
		ro.held = false
		c.rounds.most += s.cfg.MaxRounds
		s.note(c, "goes on by your wish")
	}
	s.sendRound(c)
	return Reply{}
}

// inputWords tell of an input that the user is asked for.
func (r *rows) inputWords(in *serverRequest) string {
	name := "a call"
	if c := r.get(in.owner); c != nil {
		name = "#" + c.wire().String()
	}
	return fmt.Sprintf("%s asks you: %s (round %d)", name, sentence.Name(in.method), in.round.number)
}

// checkRounds checks two invariants: a call in a round waits for something, and the
// counts of its open questions are right.
func (s *Session) checkRounds() error {
	size := 0
	for c := s.rows.oldest; c != nil; c = c.next {
		size += c.rounds.bytes
		ro := c.round()
		if ro == nil {
			continue
		}
		if c.rounds.bytes < len(ro.state) {
			return fmt.Errorf("call %d keeps a state of %d bytes, counted %d", c.id, len(ro.state), c.rounds.bytes)
		}
		open, waits := 0, 0
		for _, in := range ro.inputs {
			if in.answer == nil {
				open++
			}
			if in.prompt != 0 && in.state == Waiting {
				waits++
			}
		}
		switch {
		case open != ro.open || waits > open:
			return fmt.Errorf("call %d: %d inputs are missing, counted %d; %d prompts wait", c.id, ro.open, open, waits)
		case open == 0 && c.wait.next == nil && s.timers.At(c.due(dueWait)).IsZero() && !ro.held && !ro.relist:
			return fmt.Errorf("call %d waits for nothing, and is not made again", c.id)
		}
	}
	if size != s.rows.roundBytes {
		return fmt.Errorf("%d bytes of rounds, counted %d", size, s.rows.roundBytes)
	}
	return nil
}
