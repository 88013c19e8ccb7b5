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

// Words say what is missing before a session that begins so.
func (b *Begun) Words() string {
	connections := "connection 1"
	if b.Epoch > 1 {
		connections = "connections 1 to " + mcp.IntID(int64(b.Epoch)).String()
	}
	return "not in this recording: " + connections + ", with " + mcp.IntID(int64(b.Messages)).String() + " messages of the server's"
}
