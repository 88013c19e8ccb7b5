package recording

import (
	"bytes"
	"slices"

	"belay/session"
	"belay/session/mcp"
)

// largeFrom is how many bytes a message has at least that the tape and the recorder keep as it is, where it is no
// result that can be hollow, which they keep so from [mcp.HollowFrom] on: they take
// records under the lock of the session, and a copy of a message of 16 MB takes milliseconds.
const largeFrom = 64 << 10

// Large is a message whose bytes stay as they are, so that they need no copy. The result of a call may be
// so large that, where room is short, the tape keeps only what is concluded from it.
type Large struct {
	at   int    // of the records of its part
	raw  []byte // the message
	left []byte // what is kept of it where room is short; nil: all of it, or nothing
	mcp.Hollow
}

// LargeOf is a message as a large one; nil: it is none. It may walk over the message and copy it, and
// is called outside of the lock.
func LargeOf(f *mcp.Frame) *Large {
	left, hollow, ok := f.Hollowed()
	switch {
	case !ok && len(f.Raw) < largeFrom:
		return nil
	case !ok:
		left = nil
	}
	raw := f.Raw
	if !f.Owned {
		raw = bytes.Clone(raw)
	}
	return &Large{raw: raw, left: left, Hollow: hollow}
}

// hollowOldest lets the payload of a connection's oldest large result go, and reports false where
// there is none.
func (k *connectionTape) hollowOldest() bool {
	for _, p := range k.parts {
		if len(p.large) == 0 {
			continue
		}
		l := p.large[0]
		p.large = slices.Delete(p.large, 0, 1) // what is sliced off would keep the message
		in := p.records[l.at].Input.(session.Received)
		in.Raw, in.Hollow = l.left, new(l.Hollow) // its address in l would keep the message
		p.records[l.at].Input = in
		p.more -= len(l.raw)
		k.hollow.Results, k.hollow.Bytes = k.hollow.Results+1, k.hollow.Bytes+l.Size
		return true
	}
	return false
}
