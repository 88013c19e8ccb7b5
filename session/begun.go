package session

import (
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// Begun is what a session has come to when a connection begins: how far it has counted,
// and how a connection to its server begins best. A session made with it goes on there,
// so that a recording may begin with a later connection than the first.
type Begun struct {
	Epoch     Epoch            `json:"connections"` // so far
	Calls     CallID           `json:"calls"`       // rows, those among them that nobody saw
	Request   int64            `json:"request"`     // the ID of the next one
	Outputs   uint64           `json:"outputs"`
	Questions QuestionID       `json:"prompts"`
	Messages  uint64           `json:"messages"` // received
	Stopped   time.Duration    `json:"-"`        // for so long belay did not run, which the times of day in a recording count
	Known     negotiate.Memory `json:"known"`
}

// mostCounted bounds what a recording may claim to have counted, far beyond any run: with more, numbers
// that count on would begin anew below zero.
const mostCounted = 1 << 48

// Impossible says what of it cannot be, as only a file can say that others wrote; empty: nothing.
func (b *Begun) Impossible() string {
	return impossibleCount(
		count{"calls", int64(b.Calls)}, count{"requests", b.Request}, count{"messages that belay wrote", signed(b.Outputs)},
		count{"questions", int64(b.Questions)}, count{"messages of the server's", signed(b.Messages)},
	)
}

// count is how many of something a recording says that there were.
type count struct {
	of string
	n  int64
}

// signed is a count that has no sign, or more than may be counted.
func signed(n uint64) int64 { return int64(min(n, mostCounted+1)) }

// impossibleCount says which of the counts cannot be; empty: none.
func impossibleCount(counts ...count) string {
	for _, c := range counts {
		switch {
		case c.n < 0:
			return "fewer " + c.of + " came before than none"
		case c.n > mostCounted:
			return "more " + c.of + " came before than any run has"
		}
	}
	return ""
}

// Words say what is missing before a session that begins so.
func (b *Begun) Words() string {
	connections := "connection 1"
	if b.Epoch > 1 {
		connections = "connections 1 to " + mcp.IntID(int64(b.Epoch)).String()
	}
	return "not in this recording: " + connections + ", with " + mcp.IntID(int64(b.Messages)).String() + " messages of the server's"
}
