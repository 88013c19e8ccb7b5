package session

import "belay/session/cancel"

// The words of a cancellation as the views of a session use them.
type (
	// Verdict is a [cancel.Verdict].
	Verdict = cancel.Verdict
	// Evidence is a [cancel.Evidence].
	Evidence = cancel.Evidence
	// Initiator is a [cancel.Initiator].
	Initiator = cancel.Initiator
)

// The verdicts; see [cancel.Verdict].
const (
	NoVerdict          = cancel.NoVerdict
	NothingRunning     = cancel.NothingRunning
	NotDelivered       = cancel.NotDelivered
	ServerDied         = cancel.ServerDied
	SaysCancelled      = cancel.SaysCancelled
	Crossed            = cancel.Crossed
	AnsweredError      = cancel.AnsweredError
	AnsweredLate       = cancel.AnsweredLate
	Acknowledged       = cancel.Acknowledged
	StreamClosed       = cancel.StreamClosed
	StillWorking       = cancel.StillWorking
	ServerUnresponsive = cancel.ServerUnresponsive
	Quiet              = cancel.Quiet
	NothingHeard       = cancel.NothingHeard
)

// The initiators; see [cancel.Initiator].
const (
	ByUser       = cancel.ByUser
	ByTimeout    = cancel.ByTimeout
	ByQuit       = cancel.ByQuit
	ByDisconnect = cancel.ByDisconnect
	ByRule       = cancel.ByRule
	BySuperseded = cancel.BySuperseded
	ByServer     = cancel.ByServer
)
