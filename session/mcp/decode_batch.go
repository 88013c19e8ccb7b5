package mcp

import "belay/session/rawjson"

// Limits of a batch. A frame takes some twenty times the memory of the smallest
// message, so that a hostile array could multiply itself in memory.
const (
	batchLimit   = 50_000
	invalidLimit = 100 // members that are no messages
)

// batch decodes the members of an array. Its bytes were validated as a whole.
func (d *Decoder) batch(f *Frame, arr []byte) {
	f.Kind = FrameBatch
	count, invalid := 0, 0
	for e := rawjson.ElementsOf(arr); ; count++ {
		value, ok := e.Next()
		if !ok {
			break
		}
		if len(f.Batch) >= batchLimit || (invalid >= invalidLimit && rawjson.Kind(value) != '{') {
			continue
		}
		m := &Frame{Raw: value, Size: len(value)}
		switch k := rawjson.Kind(value); k {
		case '{':
			var e envelope
			w := rawjson.Walk(value)
			w.Enter()
			e.read(&w, &d.lead)
			d.object(m, &e)
		case '[':
			m.AddProblem(DiagBatchNested, "an array within a batch")
		default:
			m.AddProblem(DiagNotObject, "%s within a batch", rawjson.KindWord(k))
		}
		if m.Kind == FrameInvalid {
			if invalid++; invalid > invalidLimit {
				continue
			}
		}
		f.Batch = append(f.Batch, m)
	}
	switch {
	case count == 0:
		f.AddProblem(DiagBatchEmpty, "[]")
	case count > len(f.Batch):
		f.AddProblem(DiagOversize, "a batch of %d members, of which %d are shown", count, len(f.Batch))
	}
}
