package mcp

import "belay/session/rawjson"

// Limits of a batch. All members of one are handled in one hold of the session's lock. Each takes a few
// microseconds there, and a key must not wait for longer than some milliseconds. To handle a batch in parts, with
// the lock free between two of them, would make several messages of one, on the screen and in a recording, and
// no server needs that. Answers come in a batch where the requests came in one (JSON-RPC 2.0, section 6), and
// belay sends each by itself (BASE-20; basic); a server that joins answers all the same has no more of them than calls
// are in flight. Answers have a limit of their own: no flood beside them costs a call its answer. How many members
// are left out is told, and is no silence for a call that is being cancelled.
const (
	batchMost    = 1000 // members that ask or tell something, and as many that answer
	invalidLimit = 100  // members that are no messages
)

// batch decodes the members of an array. Its bytes were validated as a whole.
func (d *Decoder) batch(f *Frame, arr []byte) {
	f.Kind = FrameBatch
	count, room := 0, batchRoom{batchMost, batchMost, invalidLimit}
	for e := rawjson.ElementsOf(arr); ; count++ {
		value, ok := e.Next()
		if !ok {
			break
		}
		if m := d.member(value, &room); m != nil {
			f.Batch = append(f.Batch, m)
		}
	}
	f.Left = count - len(f.Batch)
	switch {
	case count == 0:
		f.AddProblem(DiagBatchEmpty, "[]")
	case f.Left > 0:
		f.AddProblem(DiagOversize, "a batch of %d members, of which %d are shown", count, len(f.Batch))
	}
}

// batchRoom is how many members of each sort may still be taken from a batch.
type batchRoom struct{ others, answers, invalid int }

// member decodes a member of a batch; nil: there is no room for the member.
func (d *Decoder) member(value []byte, room *batchRoom) *Frame {
	var e envelope
	sort, kind := &room.invalid, rawjson.Kind(value)
	if kind == '{' {
		if room.others == 0 && room.answers == 0 {
			return nil
		}
		w := rawjson.Walk(value)
		w.Enter()
		e.read(&w, &d.lead)
		if sort = &room.others; e.method == nil {
			sort = &room.answers
		}
	}
	if *sort == 0 {
		return nil
	}
	m := &Frame{Raw: value, Size: len(value)}
	switch kind {
	case '{':
		d.object(m, &e)
	case '[':
		m.AddProblem(DiagBatchNested, "an array within a batch")
	default:
		m.AddProblem(DiagNotObject, "%s within a batch", rawjson.KindWord(kind))
	}
	if m.Kind == FrameInvalid {
		sort = &room.invalid
	}
	if *sort == 0 {
		return nil
	}
	*sort--
	return m
}
