package mcpclient

import (
	"bytes"
	"io"
	"sync"
	"time"

	"belay/session"
)

// A message that goes on and on is told of while it does, or nobody would know
// that anything comes. That is told beside the reading, as what was just read may
// hold the end. How soon and how often, the core says.

// partReporter watches the messages of one exchange, or of a server's stdout, grow. What was not told yet is told
// before the core looks at the clock, too: see [clock.due].
type partReporter struct {
	c     *Client
	x     session.ExchangeID
	known bool // the client has it among its own
	waits bool // a tick does not have a message told of before it has the age that the core wants

	mu    sync.Mutex // taken after the client's
	part  partMessage
	told  int // bytes of it
	timer *time.Timer
}

// partMessage is what has come of a message, and not its end.
type partMessage struct {
	size        int // in bytes; 0: there is none
	kept        bool
	began, last time.Time // when its first and its latest bytes came
}

// at notes how many bytes of a message have come, and not its end; 0: there is
// none. A keep-alive is no byte of it.
func (g *partReporter) at(size int, kept bool) {
	g.mu.Lock()
	another := size < g.part.size
	g.mu.Unlock()
	if another && g.reset() {
		g.c.tell(session.ReceivedPart{ExchangeID: g.x})
	}
	if size == 0 {
		return
	}
	if !g.known {
		g.known = true
		g.c.mu.lock()
		g.c.parts[g] = true
		g.c.mu.unlock()
	}
	now := g.c.opt.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.part.size == size:
		return
	case g.part.size > 0:
	case g.timer == nil:
		g.part.began, g.timer = now, time.AfterFunc(g.after(), g.look)
	default:
		g.part.began = now
		g.timer.Reset(g.after())
	}
	g.part.size, g.part.kept, g.part.last = size, kept, now
}

// after returns the age at which the core wants to be told of a message first.
func (g *partReporter) after() time.Duration { return time.Duration(g.c.partAge.Load()) }

// look tells what has come, and looks again later.
func (g *partReporter) look() {
	g.c.locked(g.tell)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.part.size > 0 {
		g.timer.Reset(session.PartEvery)
	}
}

// tell tells what has come, unless that was told. It is called under the client's
// lock.
func (g *partReporter) tell(s *session.Session, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.part.size > g.told && (!g.waits || now.Sub(g.part.began) >= g.after()) {
		g.told = g.part.size
		s.Tell(now, session.ReceivedPart{ExchangeID: g.x, Part: session.Part{
			Size: g.part.size, Kept: g.part.kept, Began: now.Sub(g.part.began), Last: now.Sub(g.part.last),
		}})
	}
}

// tellParts tells what has come of messages, before a silence is judged. It is called under the client's lock.
func tellParts(parts map[*partReporter]bool, s *session.Session, now time.Time) {
	for g := range parts {
		g.tell(s, now)
	}
}

// reset forgets the message whose end has come, and reports whether it was told of.
func (g *partReporter) reset() (told bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	told = g.told > 0
	g.part, g.told = partMessage{}, 0
	if g.timer != nil {
		g.timer.Stop()
	}
	return told
}

// onEnded takes the end of a message, which goes through the inbox. Nothing of it is told
// any more; but the core learns of the end together with the message, as one of many
// megabytes takes a while to decode, and would be neither coming nor there meanwhile.
func (g *partReporter) onEnded(in *inbox) {
	if g.reset() {
		in.partEnded = true
	}
}

// close ends the watch. Of a message that was cut off the last bytes are told.
func (g *partReporter) close() {
	if !g.known {
		return
	}
	g.c.locked(func(s *session.Session, now time.Time) {
		delete(g.c.parts, g)
		g.waits = false
		g.tell(s, now)
	})
	g.mu.Lock()
	defer g.mu.Unlock()
	g.part = partMessage{}
	if g.timer != nil {
		g.timer.Stop()
	}
}

// meteredReader is a body that is one message, and whose growth is watched: from its
// first byte that is no space, as some send those to keep a connection open.
type meteredReader struct {
	firstByte
	g     *partReporter
	limit int // the most bytes that a message may have
	size  int
}

// Read implements io.Reader.
func (w *meteredReader) Read(p []byte) (int, error) {
	n, err := w.firstByte.Read(p)
	w.size += n
	if !w.at.IsZero() {
		w.g.at(w.size, w.size <= w.limit)
	}
	return n, err
}

// firstByte is a body that is one message, and when its first byte was read that
// is no space.
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
