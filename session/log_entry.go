package session

import "time"

// Seq is the position of a message in the history, from 1.
type Seq uint64

// EntryKind is what an entry of the history is.
type EntryKind uint8

// The kinds of entry.
const (
	EntRequest EntryKind = iota + 1
	EntNotification
	EntResult
	EntError
	EntBatch
	EntInvalid  // no JSON-RPC message
	EntOversize // Raw is its head
	EntStderr   // a line of the server's stderr
	EntEvent    // a note of belay's: connected, cancelled, withdrawn, ended …
)

// Entry is one line of the wire pane, copied. Raw may be shared and is not to
// be changed.
type Entry struct {
	Seq      Seq
	At       time.Time // by the time that the session is handed
	Wall     time.Time // the time of day, which went on while belay was stopped
	Dir      Direction
	Kind     EntryKind
	Epoch    Epoch
	Call     CallID // the call it belongs to; 0 when none
	Question QuestionID
	Flags    EntryFlags
	Method   string // of requests and notifications; foreign text
	Size     int    // bytes on the wire
	Raw      []byte // the message, the stderr line or the text of the event
	Gone     bool   // its bytes are no longer kept
	Remedy   Remedy // of an event: what can be done about it
}

// EntryFlags mark an entry.
type EntryFlags uint16

// The marks of an entry.
const (
	FlagDiag      EntryFlags = 1 << iota // a diagnostic refers to it
	FlagLate                             // an answer after the cancel
	FlagProbe                            // belay's own probe, or its answer
	FlagRaw                              // written by hand with :send
	FlagStale                            // from a connection that was closed
	FlagAfter                            // came for a call after its cancel was written
	FlagCancel                           // a notifications/cancelled, either way
	FlagUnwritten                        // its last byte was not written, at least not yet
	FlagWrong                            // a cancel that is wrong on purpose: see [WrongCancel]
	FlagHollow                           // its bytes are not in the recording that this is
)
