package recording

import (
	"slices"
	"time"

	"belay/session"
	"belay/session/journal"
	"belay/session/witness"
)

// connectionTape is the journal of one connection, or of the time before the first.
type connectionTape struct {
	origin     time.Time
	room       int           // how large a part becomes, and up to twice that where something is in flight for so long
	parts      []*part       // the oldest first
	heads      int           // how many parts there are up to the first rest; 0: it has not come
	head       *session.Rest // that rest
	incomplete bool          // what is in flight is not kept from its beginning: nothing is, until nothing is in flight

	sampled bool // nothing came since the last sample but what a recording can do without
	hollow  Missing
	calls   int // that were cut
}

// part is a stretch of a connection. None is empty but the last.
type part struct {
	batch
	passes []passing     // of each record
	rest   *session.Rest // what the session had come to before it; nil: something was in flight
	cut    bool          // what came before it, behind the head, is not kept
	thin   bool          // what can be let go of it was
	large  []*Large      // that can be hollow, the oldest first
	passed int           // records that a recording can do without
	gone   int           // messages and lines of it that are not kept
}

// passing says of a record whether a recording can do without it.
type passing struct {
	is   bool
	call session.CallID // that was heard of; 0: none
}

func newConnectionTape(now time.Time, room int) *connectionTape {
	return &connectionTape{origin: now, room: room, parts: []*part{{}}}
}

func (k *connectionTape) size() (n int) {
	for _, p := range k.parts {
		n += p.size()
	}
	return n
}

func (p *part) size() int { return p.batch.size() + len(p.records)*passingCost }

// passingCost is what a record takes beside itself.
const passingCost = 16

// count adds what is missing of the connection.
func (k *connectionTape) count(m *Missing) {
	m.Results, m.Bytes, m.Calls = m.Results+k.hollow.Results, m.Bytes+k.hollow.Bytes, m.Calls+k.calls
	for _, p := range k.parts {
		m.Messages += p.gone
	}
}

// take keeps a record, which the session has not handled yet.
func (k *connectionTape) take(s *session.Session, r journal.Record, large *Large, of passing) {
	k.split(s, r)
	if !k.incomplete {
		k.parts[len(k.parts)-1].keep(r, large, k.classify(s, r, of))
	}
}

// split begins another part before a record, where one is wanted and can begin.
func (k *connectionTape) split(s *session.Session, r journal.Record) {
	full := k.parts[len(k.parts)-1].size()
	if r.Input == nil || r.Config != nil || full < k.room && k.heads > 0 && !k.incomplete {
		return
	}
	rest, ok := s.Journal().Rest()
	switch {
	case ok && k.heads == 0 && !k.incomplete:
		k.heads, k.head = len(k.parts), &rest
	case ok && k.heads > 0 && rest.Leads(k.head):
		if k.incomplete {
			k.calls += int(rest.Calls - k.head.Calls)
		}
	case full >= 2*k.room && !k.incomplete:
		k.parts = append(k.parts, &part{})
		return
	default:
		return
	}
	k.parts = append(k.parts, &part{rest: &rest, cut: k.incomplete})
	k.incomplete = false
}

// classify returns whether a recording can do without a record, and the call of which the record
// tells.
func (k *connectionTape) classify(s *session.Session, r journal.Record, of passing) passing {
	sampled := k.sampled
	switch in := r.Input.(type) {
	case session.ProcessSample:
		k.sampled = true
		// The one that follows something else says what that began with.
		named := slices.ContainsFunc(in.Processes, func(p witness.Process) bool { return p.Command != "" })
		return passing{is: sampled && !named && k.origin.Add(r.T).After(s.Wish().Samples.Until)}
	case session.Stderr:
		return passing{is: true}
	case session.EventReceived:
		return passing{is: in.Event.Odd == "" && in.Event.Name == ""}
	case session.Received:
		k.sampled = sampled && of.is
		return of
	}
	k.sampled = false
	return passing{}
}

// thin lets go of what a recording can do without, in the oldest part where that was not
// done.
func (k *connectionTape) thin() bool {
	for i, p := range k.parts {
		if p.thin || len(p.records) == 0 {
			continue
		}
		if i == len(k.parts)-1 { // it is being written
			k.parts = append(k.parts, &part{})
		}
		k.parts[i] = p.thinned()
		if i > 0 && i != k.heads && k.parts[i-1].joins(k.parts[i], k.room) {
			k.parts = slices.Delete(k.parts, i, i+1)
			if i < k.heads {
				k.heads--
			}
		}
		return true
	}
	return false
}

// cut lets go of all between the head and the next part that begins at rest.
func (k *connectionTape) cut() bool {
	for i := k.heads + 1; k.heads > 0 && i < len(k.parts); i++ {
		if p := k.parts[i]; p.rest != nil {
			k.calls += int(p.rest.Calls - k.parts[k.heads].rest.Calls)
			p.cut = true
			k.parts = slices.Delete(k.parts, k.heads, i)
			return true
		}
	}
	return false
}

// give lets go of all but the head, or of everything where there is none.
func (k *connectionTape) give() bool {
	if k.incomplete {
		return false
	}
	if k.incomplete = true; k.heads == 0 {
		k.parts = []*part{{}}
		return true
	}
	if len(k.parts) > k.heads {
		k.calls -= int(k.parts[k.heads].rest.Calls - k.head.Calls) // counted again with what follows
	}
	k.parts = k.parts[:k.heads]
	return true
}

// keep keeps a record, whose message may be a large one. That is not copied: a copy is made under the
// lock, and its end could not be let go.
func (p *part) keep(r journal.Record, large *Large, of passing) {
	p.passes = append(p.passes, of)
	if of.is {
		p.passed++
	}
	p.add(r, large)
	if _, ok := r.Input.(session.Received); !ok || large == nil || large.left == nil {
		return
	}
	l := *large
	l.at = len(p.records) - 1
	p.large = append(p.large, &l)
	p.more += len(l.left)
}
