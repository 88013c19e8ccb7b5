package mcpclient

import (
	"errors"
	"slices"
	"time"

	"belay/session"
	"belay/session/journal"
)

// keptBound is how much of the journal is kept for a recording that begins later.
const keptBound = 16 << 20

// tape takes the journal of the session, connection by connection. It goes to the
// recorder, if there is one. And the journal of the whole run is kept for a later
// recording, within [keptBound]: beyond that large results are kept hollow, the oldest
// first, and then only the last connections are kept. The Client's lock guards the tape.
type tape struct {
	rec  *recorder // nil: nothing is recorded
	from time.Time // when its first line was
	seq  uint64    // of its last line

	origin time.Time // of the records that come
	kept   []reel    // the oldest first

	coming *largeResult // the message that the session is told of now; nil: it is none
}

// reel is the journal of one connection, or of the time before the first.
type reel struct {
	origin time.Time
	batch
	large  []largeResult // that can be hollow, the oldest first
	hollow Missing
}

// attach has the journal come. The session is new, or is about to be told of a
// connection.
func (t *tape) attach(s *session.Session, now time.Time) {
	t.origin = now
	if t.rec != nil && !t.rec.status().On { // the disk has failed
		t.rec = nil
	}
	t.kept = append(t.kept, reel{origin: now})
	journal.Attach(s, now, func(r journal.Record) { t.take(s, r) })
}

// connecting begins another reel, unless this is the first connection.
func (t *tape) connecting(s *session.Session, now time.Time) {
	if s.Status().Epoch > 0 {
		t.attach(s, now)
	}
}

func (t *tape) take(s *session.Session, r journal.Record) {
	if t.rec != nil && (r.Config == nil || t.seq == 0) { // else the recording goes on
		t.rec.add(t.numbered(r, t.origin))
	}
	if len(t.kept) > 0 {
		t.kept[len(t.kept)-1].keep(r, t.coming)
	}
	for i := range t.kept {
		for k := &t.kept[i]; len(k.large) > 0 && t.size() > keptBound; {
			k.hollowOldest()
		}
	}
	for t.size() > keptBound && len(t.kept) > 1 {
		t.kept = append([]reel(nil), t.kept[1:]...)
	}
	if t.size() > keptBound {
		t.kept = nil
	}
	t.rest(s)
}

// rest has no journal made that nobody takes.
func (t *tape) rest(s *session.Session) {
	if t.rec == nil && len(t.kept) == 0 {
		s.SetJournal(nil)
	}
}

// end has nothing more go to the recorder, and returns that; nil: there is none.
func (t *tape) end(s *session.Session) *recorder {
	r := t.rec
	t.rec = nil
	t.rest(s)
	return r
}

func (t *tape) size() (n int) {
	for i := range t.kept {
		n += t.kept[i].size()
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
	errUnkept     = errors.New("so much came on this connection that its beginning is no longer kept; after :restart, :record FILE records the new one, and belay --record FILE all of a run")
)

// Missing is what of a run a recording does not have that began later.
type Missing struct {
	Connections int // the first ones
	Results     int // large ones, of which it says how large they were
	Bytes       int // of those
}

// begin gives what is kept to a recorder, to write it first. From here on the journal
// goes to the recorder, too.
func (t *tape) begin(r *recorder) (missing Missing) {
	t.rec, t.from, t.seq = r, t.kept[0].origin, 0
	if begun := t.kept[0].records[0].Config.Begun; begun != nil {
		missing.Connections = int(begun.Epoch)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range t.kept {
		k := &t.kept[i]
		missing.Results, missing.Bytes = missing.Results+k.hollow.Results, missing.Bytes+k.hollow.Bytes
		b := batch{records: slices.Clone(k.records), sizes: k.sizes[:len(k.sizes):len(k.sizes)], bytes: k.bytes[:len(k.bytes):len(k.bytes)]}
		if i > 0 { // its configuration: the recording goes on
			b.records, b.sizes = b.records[1:], b.sizes[1:]
		}
		for n := range b.records {
			b.records[n] = t.numbered(b.records[n], k.origin)
		}
		r.begun = append(r.begun, b)
	}
	return missing
}
