package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Part is what has come of a message on an exchange, and its end has not.
type Part struct {
	Size  int           `json:"size,omitempty"`  // in bytes so far; 0: there is none
	Kept  bool          `json:"kept,omitempty"`  // it is not over the limit yet
	Began time.Duration `json:"began,omitempty"` // how long ago its first byte came
	Last  time.Duration `json:"last,omitempty"`  // how long ago its latest bytes came
}

// messagePart is such a message, as the core knows it.
//
//shape:plain
type messagePart struct {
	size        int
	kept        bool
	began, last time.Time
	told        bool // it stands in the timeline
}

func (u messagePart) words() string {
	switch {
	case u.size == 0:
		return ""
	case u.kept:
		return sentence.Size(u.size) + " of a message have come, and not its end"
	}
	return sentence.Size(u.size) + " came without the end of a message; belay keeps none of it"
}

// where says where a stream ended that brought no answer.
func (u messagePart) where() string {
	if u.size == 0 {
		return "without a response"
	}
	return "in the middle of a message, after " + sentence.Size(u.size) + " of it"
}

// remarkOf is what is known of a call in words: first what holds at the moment.
func (xs *exchanges) remarkOf(c *call) rowNote {
	switch {
	case c.isLateTaskCancelled():
		return saying(c.lateWords())
	case c.state.IsTerminal(), c.state == Cancelling && c.stop.IsRejected():
	case c.req != nil && c.req.x != nil && c.req.x.part.size > 0:
		return saying(c.req.x.part.words())
	case c.state == Running && c.req != nil && c.req.x != nil && c.req.x.unprocessed != 0:
		return saying(c.req.x.unprocessed.String() + "; belay waits before it is sent once more")
	case c.state == Queued && xs.barrier.of != nil:
		return saying("waits until the server has taken " + notifyInitialized)
	case xs.awaitsLoginToResume(c):
		return saying("it runs at the server: waiting for a login to hear more")
	case c.req != nil && xs.isResuming(c.req):
		return saying("its stream is down, and belay takes it up again")
	case xs.isStreamAway(c):
		return saying("nothing can come for it: the server's own stream is away, and belay opens it again")
	}
	return c.remark
}

// tellCutOff tells of a message over the limit whose end never came.
func (l *log) tellCutOff(e *exchange) {
	if e.part.size > 0 && !e.part.kept {
		l.diagnose(mcp.DiagOversize, callOf(e), "", fmt.Sprintf("%s came without the end of a message", sentence.Size(e.part.size)))
	}
}
