package session

import (
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Received is a message that arrived on an exchange, of any quality. [Session.Receive]
// takes one that is decoded already.
type Received struct {
	never
	ExchangeID
	Ago  time.Duration `json:"ago,omitempty"` // how long ago its first byte came
	Raw  Bytes         `json:"raw"`
	Over *Oversize     `json:"over,omitempty"` // it is over the limit, and Raw is its beginning

	// Hollow says that the payload of a result was not kept, and Raw is what is left of it.
	Hollow *mcp.Hollow `json:"hollow,omitempty"`

	// NoSession says that the message denies the session, in words that may be masked.
	NoSession bool `json:"noSession,omitempty"`
}

// Oversize is what was found in a message over the limit while its bytes were left out.
type Oversize struct {
	ID      string `json:"id,omitempty"`
	Method  string `json:"method,omitempty"`
	Answer  bool   `json:"answer,omitempty"`
	IsError bool   `json:"error,omitempty"`
	Size    int    `json:"size"` // in bytes
}

func (in Received) apply(s *Session) Reply {
	f := in.Frame()
	f.Began = s.now.Add(-in.Ago)
	s.began = s.conn.beginning(f, s.now)
	s.onFrame(in.ExchangeID, f)
	return Reply{}
}

func (in Received) masked(m masker) Input {
	if in.Over == nil {
		in.Raw = m.bytes(in.Raw)
	} else {
		in.Raw = m.mask.RedactCut(in.Raw)
		over := *in.Over
		over.ID, over.Method = m.token("id", over.ID), m.member("method", over.Method)
		in.Over = &over
	}
	return in
}

// Frame decodes the message, which takes as long as the message is.
func (in Received) Frame() *mcp.Frame {
	if in.Over == nil {
		f := mcp.Decode(in.Raw)
		f.NoSession = in.NoSession
		if in.Hollow != nil {
			f.SetHollow(*in.Hollow)
		}
		return f
	}
	f := &mcp.Frame{
		Kind: mcp.FrameOversize, Raw: in.Raw, Size: in.Over.Size, Method: in.Over.Method, Answer: in.Over.Answer, IsError: in.Over.IsError,
		IDRaw: []byte(in.Over.ID),
	}
	f.AddProblem(mcp.DiagOversize, "a message of %s", sentence.Size(in.Over.Size))
	f.ID, _ = mcp.ParseID(f.IDRaw)
	return f
}
