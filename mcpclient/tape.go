package mcpclient

import (
	"errors"
	"time"

	"belay/session"
	"belay/session/journal"
)

// keptBound is how much of the journal is kept for a recording that begins later.
const keptBound = 16 << 20

// tape takes the journal of the session, connection by connection. The journal goes to
// the recorder. While there is no recorder, the journal of the whole run is kept for a
// later recording, or else the journals of the last connections, within [keptBound]. The
// Client's lock guards the tape.
type tape struct {
	rec  *recorder // nil: nothing is recorded
	from time.Time // when its first line was
	seq  uint64    // of its last line

	origin time.Time // of the records that come
	kept   []reel    // the oldest first
}

// reel is the journal of one connection, or of the time before the first.
type reel struct {
	origin time.Time
	batch
}

// attach has the journal come. The session is new, or is about to be told of a
// connection.
func (t *tape) attach(s *session.Session, now time.Time) {
	t.origin = now
	if t.rec != nil && !t.rec.status().On { // the disk has failed
		t.rec = nil
	}
	if t.rec == nil {
		t.kept = append(t.kept, reel{origin: now})
	}
	journal.Attach(s, now, func(r journal.Record) { t.take(s, r) })
}

// connecting begins another reel, unless this is the first connection.
func (t *tape) connecting(s *session.Session, now time.Time) {
	if s.Status().Epoch > 0 {
		t.attach(s, now)
	}
}

func (t *tape) take(s *session.Session, r journal.Record) {
	if t.rec != nil {
		if r.Config != nil && t.seq > 0 {
			return // the recording goes on
		}
		t.rec.add(t.numbered(r, t.origin))
		return
	}
	if len(t.kept) == 0 {
		return
	}
	t.kept[len(t.kept)-1].add(r)
	for t.size() > keptBound && len(t.kept) > 1 {
		t.kept = append([]reel(nil), t.kept[1:]...)
	}
	if t.size() > keptBound {
		t.kept = nil
		s.SetJournal(nil)
	}
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
	errRecords = errors.New("a recording is under way already")
	errUnkept  = errors.New("so much came on this connection that its beginning is no longer kept; after :restart, :record FILE records the new one, and belay --record FILE all of a run")
)

// begin hands over what is kept, for the recorder to write first. From here on the
// journal goes to the recorder.
func (t *tape) begin(r *recorder) {
	t.rec, t.from, t.seq = r, t.kept[0].origin, 0
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range t.kept {
		k := &t.kept[i]
		skip := 0
		if i > 0 {
			skip = 1 // its configuration: the recording goes on
		}
		k.records, k.sizes = k.records[skip:], k.sizes[skip:]
		for n := range k.records {
			k.records[n] = t.numbered(k.records[n], k.origin)
		}
		r.begun = append(r.begun, k.batch)
	}
	t.kept = nil
}
