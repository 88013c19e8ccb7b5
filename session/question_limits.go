package session

import (
	"fmt"
	"time"

	"belay/session/sentence"
)

// How much a server may ask of a person (SMP-36, ELI-18; client/sampling, client/elicitation). A
// hundred questions at once are all kept, as a server that makes a hundred calls ask is no attack;
// after such a burst twenty a minute are. What is beyond is refused with an error and diagnosed,
// so that nothing is lost without a word.
const (
	maxWaiting       = 100
	questionBurst    = 100
	questionsAMinute = 20
	questionInterval = time.Minute / questionsAMinute
)

// How much memory a server may make belay keep, in bytes. Each is a part of what
// the history may take, and each is counted: what waits for an answer of the
// user's or for the next request of a call, the lists ([catalog.hasListRoom]), the
// answers that rows keep ([results]), the answers that wait to be written
// (maxAnswerBytes), and the IDs of what is kept (maxID).

// maxWaitingBytes bounds what waits: requests to the user, those that have ended
// and can still be read, and the rounds of calls.
func (c Config) maxWaitingBytes() int { return c.HistoryBytes / 4 }

// waitingBytes is how much of that is taken.
func (qs *incoming) waitingBytes() int { return qs.bytes + qs.rows.roundBytes }

// noRoom says that something cannot wait, too.
func (qs *incoming) noRoom(size int) string {
	return fmt.Sprintf("what waits already takes %s of the %s that belay keeps, and this takes %s",
		sentence.Size(qs.waitingBytes()), sentence.Size(qs.cfg.maxWaitingBytes()), sentence.Size(size))
}

// MaxTurns is how many times the server may ask a model within one call before it is suspected of
// a loop: what is beyond must not be answered by a canned answer (SMP-26; client/sampling).
const MaxTurns = 10

// questionRate is the burst and the rate of questions: the time by which all that were
// taken so far would have been asked at the steady rate.
//
//shape:part of connection
type questionRate struct{ until time.Time }

// take counts another question, and reports whether it may come now.
func (p *questionRate) take(now time.Time) bool {
	if p.until.Before(now) {
		p.until = now
	}
	if p.until.Sub(now) > (questionBurst-1)*questionInterval {
		return false
	}
	p.until = p.until.Add(questionInterval)
	return true
}
