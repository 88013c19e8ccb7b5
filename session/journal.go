package session

import (
	"time"

	"belay/session/timer"
)

// Step is one line of a journal: an input that a session handled, or an output that
// it handed out.
type Step struct {
	At     time.Time // the time of the session
	Input  Input     // nil: it is an output
	Output Output
}

// Journal gives away the steps of a session, and says which of them a recording can do
// without: [Journal.IsPassing] of a message, [Journal.Rest] of all that came before.
//
//shape:machine 7
type Journal struct {
	sink func(Step)

	*log
	cfg         *Config
	out         *outbox
	outgoing    *outgoing
	incoming    *incoming
	http        *exchanges
	timers      *timer.List
	pings       *pings
	tasks       *tasks
	taskListens *taskListens
	unconfirmed *unconfirmedCancels
	subs        *subscriptions
	results     *results
	catalog     *catalog
	processes   *processes
	writer      *writer
	link        *link
	wrongs      *wrongs
	part        *messagePart
	received    *uint64
}

// Journal is the journal of the session.
func (s *Session) Journal() *Journal { return &s.journal }

// Hand makes the session hand every step to sink, in order. Refused inputs are
// no steps, nor are messages that are only counted ([mcp.Frame.Counted]). Handling the inputs of all steps in a new session with the same
// configuration gives the same session. The journal must be set before the first
// input, or before a [Connect]: then with what [Status] has of Begun in the configuration.
//
// It is called under the lock: sink must not block. The bytes of a [Received] message
// and of a line of [Stderr] may change after sink returns; whoever keeps them copies
// them.
func (j *Journal) Hand(sink func(Step)) { j.sink = sink }

func (j *Journal) put(now time.Time, in Input) {
	if j.sink == nil {
		return
	}
	if wrong, is := in.(WrongCancel); is {
		in = j.wrongs.noted(wrong)
	}
	j.sink(Step{At: now, Input: in})
}

func (j *Journal) output(now time.Time, out Output) {
	if j.sink != nil {
		j.sink(Step{At: now, Output: out})
	}
}
