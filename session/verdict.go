package session

import "time"

// Verdict is what the server really did about a cancel: the first word of the
// list that the evidence allows. It grows with the evidence, also after the
// call has ended (design: Verdicts).
type Verdict uint8

// The verdicts, strongest first. Task statuses come with tasks.
const (
	NoVerdict          Verdict = iota
	NothingRunning             // no request was in flight; nothing was sent
	NotDelivered               // within 5 s the cancel was not written
	ServerDied                 // the process or the connection ended by itself first
	Acknowledged               // of a subscription: the server answered that it is ended
	Crossed                    // the answer may have been on its way already
	AnsweredError              // an error came later than that
	AnsweredLate               // a result came later than that
	StreamClosed               // 2026-07-28 over HTTP: nothing more can be seen
	StillWorking               // messages for it went on
	ServerUnresponsive         // the probe was not answered in time
	Quiet                      // silence, and the server had read the cancel
	NothingHeard               // silence, and no way to ask
)

var verdictWords = [...]string{
	NothingRunning: "nothing running", NotDelivered: "not delivered", ServerDied: "server died",
	Acknowledged: "acknowledged", Crossed: "crossed", AnsweredError: "answered with error", AnsweredLate: "answered late",
	StreamClosed: "stream closed", StillWorking: "still working",
	ServerUnresponsive: "server unresponsive", Quiet: "quiet", NothingHeard: "nothing heard",
}

// String is the word that the STATE column shows behind "cancelled ·".
func (v Verdict) String() string {
	if int(v) < len(verdictWords) {
		return verdictWords[v]
	}
	return ""
}

// Evidence is one thing that was observed about a cancelled call.
type Evidence struct {
	At    time.Time
	After time.Duration // since the cancel's last byte was written; 0 when it was not
	Text  string        // for people; may hold foreign text, unsanitised
}
