package recording

import (
	"time"

	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
)

// Room is how much of the journal is kept for a recording that begins later, in bytes.
type Room struct {
	All  int
	Part int // what a part of it takes, of which the tape keeps or drops records as one
}

// Usual is the room that a tape usually has.
var Usual = Room{All: 16 << 20, Part: 1 << 20}

// Tape takes the journal of a session, connection by connection. The journal goes to the
// recorder, if there is one. And the journal of the whole run is kept for a later
// recording, within a bound. Beyond that bound the tape drops records, in
// this order: the text of large results, the first connections, messages that nothing follows from,
// what lies between the first rest of the connection and a later one, and at last everything but its head,
// until nothing is in flight again. The lock around the session guards
// the tape.
type Tape struct {
	rec  *Recorder // nil: nothing is recorded
	from time.Time // when its first line was
	seq  uint64    // of its last line
	late bool      // it began while calls were in flight that it cannot have, and goes on when none is

	origin time.Time         // of the records that come
	kept   []*connectionTape // the oldest first
	room   Room

	stopped time.Duration // for so long belay did not run: only the clock on the wall went on
	run     passingRun

	coming  *Large  // the message that the session is told of now; nil: it is none
	passes  passing // … whether it is one that a recording can do without
	counted bool    // … whether it is in the run, and its step is for the recorder alone
}

// NewTape makes the tape of a session that was told nothing yet. The tape keeps as much of the
// journal as it has room for, and gives all to rec; nil: nothing is recorded.
func NewTape(s *session.Session, now time.Time, room Room, rec *Recorder) *Tape {
	t := &Tape{rec: rec, from: now, room: room}
	t.attach(s, now)
	return t
}

// attach has the journal come. The session is new, or is about to be told of a
// connection.
func (t *Tape) attach(s *session.Session, now time.Time) {
	if len(t.kept) > 0 {
		t.write()
	}
	t.origin, t.stopped = now, s.Status().Begun.Stopped
	if t.rec != nil && !t.rec.State().On { // the disk has failed
		t.rec = nil
	}
	if n := len(t.kept); n > 0 && t.kept[n-1].incomplete {
		t.kept = nil
	}
	t.kept = append(t.kept, newConnectionTape(now, t.room.Part))
	journal.Attach(s, now, func(r journal.Record) { t.take(s, r) })
}

// Connecting begins the part of another connection, before the session is told of it, unless this is the first connection.
func (t *Tape) Connecting(s *session.Session, now time.Time) {
	if s.Status().Epoch == 0 {
		return
	}
	if rest, ok := s.Journal().Rest(); ok && t.late {
		t.resume(journal.Record{T: now.Sub(t.origin), Wall: now.UTC().Round(0)}, &rest)
	}
	t.attach(s, now)
}

// resume has a recording that began late go on before a record.
func (t *Tape) resume(r journal.Record, rest *session.Rest) {
	t.late = false
	if t.rec != nil {
		t.rec.add(t.numbered(journal.Record{T: r.T, Wall: r.Wall, Input: session.Skipped{Rest: rest}}, t.origin), nil)
	}
}

func (t *Tape) take(s *session.Session, r journal.Record) {
	if !t.counted {
		t.keep(s, r)
	}
	_, ends := r.Input.(session.Closed)
	if t.rec != nil && (!t.late || ends) && (r.Config == nil || t.seq == 0) { // else the recording goes on
		t.rec.add(t.numbered(r, t.origin), t.coming)
	}
	for over := true; over; {
		over = t.size() > t.room.All && t.dropOne()
	}
}

// keep takes a record for a later recording.
func (t *Tape) keep(s *session.Session, r journal.Record) {
	k := t.kept[len(t.kept)-1]
	t.write()
	if in, ok := r.Input.(session.Suspended); ok {
		t.stopped += in.For
	}
	k.take(s, r, t.coming, t.passes)
	if rest := k.parts[len(k.parts)-1].rest; t.late && !k.incomplete && rest != nil {
		t.resume(r, rest)
	}
}

// Receive tells the session of a message that came in an exchange; large is what [LargeOf] made
// of it.
func (t *Tape) Receive(s *session.Session, now time.Time, x session.ExchangeID, f *mcp.Frame, large *Large) {
	t.passes.call, t.passes.is = s.Journal().IsPassing(x, f)
	incomplete := t.kept[len(t.kept)-1].incomplete
	t.counted = !incomplete && t.passes.is && t.counts(now, x, f)
	f.Counted = t.rec == nil && (incomplete || t.counted)
	t.coming = large
	s.Receive(now, x, f)
	t.coming, t.passes, t.counted = nil, passing{}, false
}

// counts reports whether a message is counted in the run, and no record is kept of it: once so many of the part
// are kept that a recording can do without.
func (t *Tape) counts(now time.Time, x session.ExchangeID, f *mcp.Frame) bool {
	k := t.kept[len(t.kept)-1]
	if k.parts[len(k.parts)-1].passed < floodFrom {
		return false
	}
	if !t.run.add(now, x, f, t.passes.call) {
		t.write()
		t.run.add(now, x, f, t.passes.call)
	}
	return true
}

// write writes a run that has been counted.
func (t *Tape) write() {
	if t.run.n == 0 && t.run.gone.Messages == 0 {
		return
	}
	k := t.kept[len(t.kept)-1]
	t.run.write(k.parts[len(k.parts)-1], func(at time.Time, in session.Input) journal.Record {
		return journal.Record{T: at.Sub(t.origin), Wall: at.Add(t.stopped).UTC().Round(0), Input: in}
	})
}

// dropOne drops the records that a recording can best do without, and reports whether there
// were any to drop.
func (t *Tape) dropOne() bool {
	for _, k := range t.kept {
		if k.hollowOldest() {
			return true
		}
	}
	last := t.kept[len(t.kept)-1]
	switch {
	case len(t.kept) > 1:
		t.kept = append([]*connectionTape(nil), t.kept[1:]...)
		return true
	case last.thin() || last.cut():
		return true
	}
	return last.give()
}

// End has nothing more go to the recorder, and returns that; nil: there is none.
func (t *Tape) End() *Recorder {
	r := t.rec
	t.rec, t.late = nil, false
	return r
}

// Drop has nothing more go to r, where the journal goes to it.
func (t *Tape) Drop(r *Recorder) {
	if t.rec == r {
		t.End()
	}
}

// HasBeginning reports whether a recording can begin with what is kept.
func (t *Tape) HasBeginning() bool { return len(t.kept[0].parts[0].records) > 0 }

func (t *Tape) size() (n int) {
	for _, k := range t.kept {
		n += k.size()
	}
	return n
}

// numbered is a record as it stands in the recording.
func (t *Tape) numbered(r journal.Record, origin time.Time) journal.Record {
	t.seq++
	r.Seq, r.T = t.seq, r.T+origin.Sub(t.from)
	return r
}

// Missing is what of a run a recording does not have that began later.
type Missing struct {
	Connections int // the first ones
	Calls       int // of the first connection that it has, belay's own among them
	Messages    int // that nothing follows from, lines of stderr among them
	Results     int // large ones, of which it says how large they were
	Bytes       int // of those

	Late bool // it has nothing of what is in flight, and goes on when nothing is
}

// Begin gives what is kept to a new recorder, which writes it first, when [Recorder.Try] is called.
// From here on the journal goes to that recorder. before is the recorder before it, or nil: why that
// stopped is the state of the new one until the disk has taken something.
func (t *Tape) Begin(r, before *Recorder) (missing Missing) {
	t.write()
	t.rec, t.from, t.seq = r, t.kept[0].origin, 0
	t.late = t.kept[len(t.kept)-1].incomplete
	missing.Late = t.late
	if begun := t.kept[0].parts[0].records[0].Config.Begun; begun != nil {
		missing.Connections = int(begun.Epoch)
	}
	r.follows(before)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trial = true // nothing has woken flush
	for i, k := range t.kept {
		k.count(&missing)
		for n, p := range k.parts {
			b := p.shared()
			if i > 0 && n == 0 { // its configuration: the recording goes on
				b.records, b.sizes = b.records[1:], b.sizes[1:]
			}
			if p.cut {
				b.prepend(journal.Record{T: p.records[0].T, Wall: p.records[0].Wall, Input: session.Skipped{Rest: p.rest}})
			}
			for n := range b.records {
				b.records[n] = t.numbered(b.records[n], k.origin)
			}
			r.begun = append(r.begun, b)
		}
	}
	return missing
}
