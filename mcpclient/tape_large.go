package mcpclient

import (
	"bytes"

	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
)

// largeResult is the result of a call that is so large that, where room is short, the tape
// keeps only what is concluded from it.
type largeResult struct {
	at   int    // of the records of its reel
	raw  []byte // the message
	left []byte // what is kept of it
	mcp.Hollow
}

// largeOf is a message as a large result; nil: it is none. It walks over the message, and
// is called outside of the lock.
func largeOf(f *mcp.Frame) *largeResult {
	left, hollow, ok := f.Hollowed()
	if !ok {
		return nil
	}
	raw := f.Raw
	if !f.Owned {
		raw = bytes.Clone(raw)
	}
	return &largeResult{raw: raw, left: left, Hollow: hollow}
}

// keep is add for a record whose message may be a large result. That is not copied: of a
// copy the end could not be let go.
func (k *reel) keep(r journal.Record, large *largeResult) {
	in, ok := r.Input.(session.Received)
	if !ok || large == nil {
		k.add(r)
		return
	}
	in.Raw = large.raw
	r.Input = in
	l := *large
	l.at = len(k.records)
	k.records, k.sizes = append(k.records, r), append(k.sizes, 0)
	k.large = append(k.large, l)
	k.more += len(l.raw) + len(l.left)
}

// hollowOldest lets the payload of a reel's oldest large result go.
func (k *reel) hollowOldest() {
	l := k.large[0]
	k.large[0] = largeResult{}
	k.large = k.large[1:]
	in := k.records[l.at].Input.(session.Received)
	in.Raw, in.Hollow = l.left, &l.Hollow
	k.records[l.at].Input = in
	k.more -= len(l.raw)
	k.hollow.Results, k.hollow.Bytes = k.hollow.Results+1, k.hollow.Bytes+l.Size
}
