package session

import "time"

// Step is one line of a journal: an input that a session handled, or an output that
// it handed out.
type Step struct {
	At     time.Time // the time of the session
	Input  Input     // nil: it is an output
	Output Output
}

// journal gives away the steps of the session.
type journal struct{ sink func(Step) }

// SetJournal makes the session hand every step to sink, in order. Refused inputs are
// no steps. Handling the inputs of all steps in a new session with the same
// configuration gives the same session. The journal must be set before the first
// input, or before a [Connect]: then with what [Status] has of Begun in the configuration.
//
// It is called under the lock: sink must not block. The bytes of a [Received] message
// and of a line of [Stderr] may change after sink returns; whoever keeps them copies
// them.
func (s *Session) SetJournal(sink func(Step)) { s.journal.sink = sink }

func (j *journal) put(now time.Time, in Input) {
	if j.sink != nil {
		j.sink(Step{At: now, Input: in})
	}
}

func (j *journal) output(now time.Time, out Output) {
	if j.sink != nil {
		j.sink(Step{At: now, Output: out})
	}
}
