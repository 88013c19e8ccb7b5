package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// round is what a server wants before a call is made again; see [wait].
//
//shape:part of call
type round struct {
	number int // from 1: the first follows the first request
	inputs []*serverRequest
	open   int    // of those that have no answer yet
	asked  bool   // there were inputRequests, perhaps none in them
	state  []byte // to be repeated to the letter; nil: none
	sum    string // of the state

	awaitsRetry   bool          // it waits for the user to go on
	relist        bool          // it waits for the tools to be listed again
	mismatchError *mcp.RPCError // that the head and the body of the request before differed
}

// rounds is what is remembered of the rounds of a call.
//
//shape:part of call
type rounds struct {
	count int // how many there were
	most  int // how many there may be before it is held
	last  [32]byte
	same  int // how often the last one came in a row
	empty int // how many in a row asked for nothing
	bytes int // of memory that it keeps; see [rows.countRound]
}

// next is told what the server wants before the call is made again.
func (r *rounds) next(n *mcp.InputNote) {
	r.count++
	if r.last != n.Digest {
		r.last, r.same = n.Digest, 0
	}
	r.same++
	if r.empty++; len(n.Asks) > 0 {
		r.empty = 0
	}
}

// nextRound counts a round of a call.
func (c *call) nextRound(n *mcp.InputNote) {
	c.rounds.next(n)
	c.touch()
}

// ownRound counts one that belay itself has made, which brings a call no nearer to being held.
func (c *call) ownRound() {
	c.rounds.count++
	c.rounds.most++
	c.touch()
}

// allowRounds lets a call go on that was held for the number of its rounds, and reports
// whether it was.
func (c *call) allowRounds(more int) bool {
	if !c.round().awaitsRetry {
		return false
	}
	c.round().awaitsRetry = false
	c.rounds.most += more
	c.touch()
	return true
}

// inputAnswered takes the answer to one of the requests of a call's round.
func (c *call) inputAnswered(in *serverRequest, answer []byte) {
	in.answer = answer
	in.round.open--
	c.touch()
}

// roundMethods are the requests that may be answered so (MRT-02, MRT-03, X-36; basic/patterns/mrtr).
var roundMethods = map[string]bool{"tools/call": true, "prompts/get": true, "resources/read": true}

// The pause before a call is made again that the server wants no input for: it doubles each time
// in a row (MRT-09; basic/patterns/mrtr).
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

// roundSize is how many bytes a round keeps besides its questions: the state, once
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

// onRoundOver notes that a call keeps nothing of a round any more: it has ended, or its request
// with the state of a server has.
func (r *rows) onRoundOver(c *call) { r.countRound(c, 0) }

// onRoundWaits notes that a call keeps what a server wants while it waits.
func (r *rows) onRoundWaits(c *call, n *mcp.InputNote) { r.countRound(c, roundSize(n)) }

// onRoundMade notes that the next request of a call was handed out, with the state of the
// round.
func (r *rows) onRoundMade(c *call) { r.countRound(c, len(c.round().state)) }

// countRound counts what a call keeps of its rounds.
func (r *rows) countRound(c *call, size int) {
	r.roundBytes += size - c.rounds.bytes
	c.rounds.bytes = size
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
