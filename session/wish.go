package session

import (
	"time"

	"belay/session/witness"
)

// Wish is what a session wants to be told, beside the messages: samples of the server's processes,
// and messages whose end has not come.
type Wish struct {
	Samples witness.Wish
	// PartAge is the age at which [ReceivedPart] is to tell of a message.
	PartAge time.Duration
}

// Wish is what is wanted now.
func (s *Session) Wish() Wish {
	return Wish{Samples: s.processes.Wish(), PartAge: s.rows.partAge()}
}
