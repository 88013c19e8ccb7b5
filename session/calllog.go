package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"belay/session/rawjson"
)

// CallRecord is what the log of calls keeps of one: what was called, and what
// became of it. The arguments are in it as a digest only, as they may be secret
// (SRV-08).
type CallRecord struct {
	Time    time.Time `json:"time"`
	Epoch   Epoch     `json:"connection"` // counts the connections, from 1
	ID      string    `json:"id"`         // of its first request
	Method  string    `json:"method"`
	Target  string    `json:"target,omitempty"` // the tool, prompt or resource; foreign text
	Digest  string    `json:"digest,omitempty"` // SHA-256 of the arguments as they were sent, of all parameters where there are none
	Raw     bool      `json:"raw,omitempty"`    // written by hand
	Outcome string    `json:"outcome"`          // the state: done, failed, cancelled …
	Verdict string    `json:"verdict,omitempty"`
	Reason  string    `json:"reason,omitempty"` // of the cancel
	IsError bool      `json:"isError,omitempty"`
	Code    int64     `json:"code,omitempty"` // of the error that it was answered with
	Note    string    `json:"note,omitempty"`
	Seconds *float64  `json:"seconds,omitempty"` // until it ended; nil while it is in flight
}

// CallLog is a record of each call of the user's whose row is kept, oldest
// first, and how many there are: JSON Lines.
func (s *Session) CallLog() (lines []byte, n int) {
	for _, c := range s.rows.list {
		if c == nil || c.Origin != FromUser {
			continue
		}
		line, err := json.Marshal(s.callRecord(c))
		if err != nil {
			continue // it holds nothing that JSON cannot say
		}
		lines = append(append(lines, line...), '\n')
		n++
	}
	return lines, n
}

func (s *Session) callRecord(c *call) CallRecord {
	v := s.view(c)
	r := CallRecord{
		Time: v.Created.UTC().Round(0), Epoch: v.Epoch, ID: v.Wire.String(), Method: v.Method, Target: v.Target, Raw: c.Raw,
		Digest: digestOf(c.Params), Outcome: v.State.String(), Verdict: v.Verdict.String(), IsError: v.ToolError, Note: v.Note,
	}
	if c.stop != nil {
		r.Reason = c.stop.reason
	}
	if c.err != nil {
		r.Code = c.err.Code
	}
	if !v.Ended.IsZero() {
		took := v.Ended.Sub(v.Created).Seconds()
		r.Seconds = &took
	}
	return r
}

// digestOf is a digest of the arguments in parameters, or of all of them where
// they have none; empty when there is nothing.
func digestOf(params []byte) string {
	if arguments, ok := rawjson.Lookup(params, "arguments"); ok {
		params = arguments
	}
	if len(params) == 0 {
		return ""
	}
	sum := sha256.Sum256(params)
	return "sha256:" + hex.EncodeToString(sum[:])
}
