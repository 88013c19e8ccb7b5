package mcpclient

import (
	"bytes"
	"io"
	"time"

	"belay/session"
)

// A message that goes on and on is told of while it does, or nobody would know
// that anything comes.
const (
	growthAfter = time.Second            // from its first byte
	growthEvery = 500 * time.Millisecond // half of the time at whose end the core calls a cancelled call quiet
)

// growth watches one message of an exchange grow.
type growth struct {
	c     *Client
	x     session.Exchange
	size  int       // of what has come, at the last look
	since time.Time // of the first byte
	told  time.Time // zero: the core was not told of this message
}

// at notes how many bytes of a message have come, and not its end; 0: there is
// none.
func (g *growth) at(size int, kept bool) {
	now := g.c.opt.Now()
	if size < g.size && !g.told.IsZero() {
		g.told = time.Time{}
		g.tell(0, true)
	}
	another, grew := size < g.size || g.size == 0, size > g.size
	g.size = size
	switch {
	case size == 0:
	case another:
		g.since = now
	case grew && now.Sub(g.since) >= growthAfter && now.Sub(g.told) >= growthEvery: // a keep-alive is no byte of it
		g.told = now
		g.tell(size, kept)
	}
}

func (g *growth) tell(size int, kept bool) {
	g.c.Do(func(s *session.Session, now time.Time) { s.Unfinished(now, g.x, size, kept) })
}

// watched is a body that is one message, and whose growth is watched.
type watched struct {
	io.Reader
	g     *growth
	limit int // the most bytes that a message may have
	size  int
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.size += n
	w.g.at(w.size, w.size <= w.limit)
	return n, err
}

// firstByte is a body that is one message, and when its first byte was read that
// is no space: some send that to keep a connection open.
type firstByte struct {
	io.Reader
	now func() time.Time
	at  time.Time // zero: it has not come
}

// Read implements io.Reader.
func (f *firstByte) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if f.at.IsZero() && len(bytes.TrimLeft(p[:n], " \t\r\n")) > 0 {
		f.at = f.now()
	}
	return n, err
}
