package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"belay/session/rawjson"
)

// CallRecord is the entry of a call in the log of calls: what was called, and its outcome. The
// arguments are in it as a digest only, as they may be secret (SRV-08; server/tools).
type CallRecord struct {
	Time    time.Time `json:"time"`
	Epoch   Epoch     `json:"connection"` // counts the connections, from 1
	ID      string    `json:"id"`         // of its first request
	Method  string    `json:"method"`
	Target  string    `json:"target,omitempty"` // the tool, prompt or resource; foreign text
	Digest  string    `json:"digest,omitempty"` // SHA-256 of the arguments as they were sent, of all parameters where there are none; in a Line only
	Raw     bool      `json:"raw,omitempty"`    // written by hand
	Outcome string    `json:"outcome"`          // the state: done, failed, cancelled …
	Verdict string    `json:"verdict,omitempty"`
	Reason  string    `json:"reason,omitempty"` // of the cancel
	IsError bool      `json:"isError,omitempty"`
	Code    int64     `json:"code,omitempty"` // of the error that it was answered with
	Note    string    `json:"note,omitempty"`
	Seconds *float64  `json:"seconds,omitempty"` // until it ended; nil while it is in flight

	params []byte // of which Line makes the digest; they never change
}

// callPage is how many rows a page of the log of calls looks at.
const callPage = 500

// CallLog is a page of the log of calls: a record of each call of the user's
// whose row is kept, oldest first, as it is now. It begins behind the row after,
// or with the oldest for 0, and is followed by the one that begins behind next;
// that is 0 at the end. A page may be empty, and others follow.
func (s *Session) CallLog(after CallID) (page []CallRecord, next CallID) {
	looked := 0
	for id, c := range s.rows.table.From(after + 1) {
		if looked == callPage {
			return page, next
		}
		looked, next = looked+1, id
		if c.Origin == FromUser {
			page = append(page, s.callRecord(c))
		}
	}
	return page, 0
}

// Line is the record as a line of JSON, with the digest of the arguments, which
// takes its time where they are long.
func (r *CallRecord) Line() ([]byte, error) {
	full := *r
	full.Digest = digestOf(r.params)
	line, err := json.Marshal(full)
	return append(line, '\n'), err
}

func (s *Session) callRecord(c *call) CallRecord {
	v := s.view(c)
	r := CallRecord{
		Time: v.Created.UTC().Round(0), Epoch: v.Epoch, ID: v.Wire.String(), Method: v.Method, Target: v.Target, Raw: c.Raw,
		Outcome: v.State.String(), Verdict: v.Verdict.String(), IsError: v.ToolError, Note: v.Note,
		params: c.Params,
	}
	if c.stop != nil {
		r.Reason = c.stop.Reason
	}
	if c.err != nil {
		r.Code = c.err.Code
	}
	if !v.Ended.IsZero() {
		took := v.Age(v.Ended).Seconds()
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
