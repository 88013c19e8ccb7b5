package mcpclient

import (
	"cmp"
	"errors"
	"time"

	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
)

// keptBound is how much of the journal is kept for a recording that begins later.
const keptBound = 16 << 20

// tape takes the journal of the session, connection by connection. It goes to the
// recorder, if there is one. And the journal of the whole run is kept for a later
// recording, within [keptBound]. Beyond that bound the tape drops records, in
// this order: the text of large results, the first connections, messages that nothing follows from, and
// what came before a moment at which nothing was in flight. The Client's lock guards the tape.
type tape struct {
	rec  *recorder // nil: nothing is recorded
	from time.Time // when its first line was
	seq  uint64    // of its last line
	late bool      // it began while calls were in flight that it cannot have, and goes on when none is

	origin time.Time         // of the records that come
	kept   []*connectionTape // the oldest first
	bound  int               // of their size; 0: keptBound

	stopped time.Duration // for so long belay did not run: only the clock on the wall went on
	run     passingRun

	coming *largeResult // the message that the session is told of now; nil: it is none
	passes passing      // … whether it is one that a recording can do without
}

// attach has the journal come. The session is new, or is about to be told of a
// connection.
func (t *tape) attach(s *session.Session, now time.Time) {
	if len(t.kept) > 0 {
		t.write()
	}
	t.origin, t.stopped = now, s.Status().Begun.Stopped
	if t.rec != nil && !t.rec.status().On { // the disk has failed
		t.rec = nil
	}
	if n := len(t.kept); n > 0 && t.kept[n-1].incomplete {
		t.kept = nil
	}
	t.bound = cmp.Or(t.bound, keptBound)
	t.kept = append(t.kept, newConnectionTape(now, t.bound/16))
	journal.Attach(s, now, func(r journal.Record) { t.take(s, r) })
}

// connecting begins the tape of another connection, unless this is the first connection.
func (t *tape) connecting(s *session.Session, now time.Time) {
	if s.Status().Epoch == 0 {
		return
	}
	if rest, ok := s.Journal().Rest(); ok && t.late {
		t.resume(journal.Record{T: now.Sub(t.origin), Wall: now.UTC().Round(0)}, &rest)
	}
	t.attach(s, now)
}

// resume has a recording that began late go on before a record.
func (t *tape) resume(r journal.Record, rest *session.Rest) {
	t.late = false
	if t.rec != nil {
		t.rec.add(t.numbered(journal.Record{T: r.T, Wall: r.Wall, Input: session.Skipped{Rest: rest}}, t.origin))
	}
}

func (t *tape) take(s *session.Session, r journal.Record) {
	k := t.kept[len(t.kept)-1]
	t.write()
	if in, ok := r.Input.(session.Suspended); ok {
		t.stopped += in.For
	}
	k.take(s, r, t.coming, t.passes)
	if rest := k.parts[len(k.parts)-1].rest; t.late && !k.incomplete && rest != nil {
		t.resume(r, rest)
	}
	_, ends := r.Input.(session.Closed)
	if t.rec != nil && (!t.late || ends) && (r.Config == nil || t.seq == 0) { // else the recording goes on
		t.rec.add(t.numbered(r, t.origin))
	}
	for over := true; over; {
		over = t.size() > t.bound && t.dropOne()
	}
}

// receive tells the session of a message, which may be a large result.
func (t *tape) receive(s *session.Session, now time.Time, x session.ExchangeID, f *mcp.Frame, large *largeResult) {
	t.passes.call, t.passes.is = s.Journal().IsPassing(x, f)
	f.Counted = t.rec == nil && (t.kept[len(t.kept)-1].incomplete || t.passes.is && t.counts(now, x, f))
	t.coming = large
	s.Receive(now, x, f)
	t.coming, t.passes = nil, passing{}
}

// counts only counts a message, if so many like it came that this is enough.
func (t *tape) counts(now time.Time, x session.ExchangeID, f *mcp.Frame) bool {
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
func (t *tape) write() {
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
func (t *tape) dropOne() bool {
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

// end has nothing more go to the recorder, and returns that; nil: there is none.
func (t *tape) end() *recorder {
	r := t.rec
	t.rec, t.late = nil, false
	return r
}

func (t *tape) size() (n int) {
	for _, k := range t.kept {
		n += k.size()
	}
	return n
}

// numbered is a record as it stands in the recording.
func (t *tape) numbered(r journal.Record, origin time.Time) journal.Record {
	t.seq++
	r.Seq, r.T = t.seq, r.T+origin.Sub(t.from)
	return r
}

var (
	errRecords    = errors.New("a recording is under way already")
	errNoRecorder = errors.New("no recording is under way")
	errUnkept     = errors.New("so much came before anything had ended that the beginning of this connection is no longer kept: after :restart, :record FILE begins")
)

// Missing is what of a run a recording does not have that began later.
type Missing struct {
	Connections int // the first ones
	Calls       int // of the first connection that it has, belay's own among them
	Messages    int // that nothing follows from, lines of stderr among them
	Results     int // large ones, of which it says how large they were
	Bytes       int // of those

	Late bool // it has nothing of what is in flight, and goes on when nothing is
}

// begin gives what is kept to a recorder, to write it first. From here on the journal
// goes to the recorder, too.
func (t *tape) begin(r *recorder) (missing Missing) {
	t.write()
	t.rec, t.from, t.seq = r, t.kept[0].origin, 0
	t.late = t.kept[len(t.kept)-1].incomplete
	missing.Late = t.late
	if begun := t.kept[0].parts[0].records[0].Config.Begun; begun != nil {
		missing.Connections = int(begun.Epoch)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
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
