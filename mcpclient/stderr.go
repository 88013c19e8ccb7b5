package mcpclient

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"belay/session"
)

// Limits of what is taken in from stderr. The server may write as much as it
// likes: it is read at any rate, and what exceeds these is counted.
const (
	stderrLine   = 4 << 10 // bytes of a line that are kept
	stderrBurst  = 2000    // lines that may come at once
	stderrRate   = 500     // lines a second that are shown in a lasting flood
	tailLines    = 20      // the last lines, for the report of a death
	tailLineSize = 512
)

// readStderr takes the server's stderr to the core. It never changes the state of anything
// (STD-09; basic/transports/stdio).
func (p *stdio) readStderr() {
	defer close(p.errEnded)
	defer func() { _ = p.Stderr.Close() }()
	defer func() {
		if v := recover(); v != nil {
			p.c.onCrash("the reader of stderr", v)
		}
	}()
	e := stderrReader{p: p, tokens: stderrBurst, filled: p.c.opt.Now()}
	chunk := make([]byte, 64<<10)
	for {
		n, err := p.Stderr.Read(chunk)
		e.take(chunk[:n])
		if e.dropped > 0 {
			// A flood that stops is not followed by a line that could bring the note.
			_ = p.Stderr.SetReadDeadline(time.Now().Add(time.Second))
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			e.note()
			e.send()
			_ = p.Stderr.SetReadDeadline(time.Time{})
			continue
		}
		if err != nil {
			break
		}
	}
	e.endLine()
	e.note()
	e.send()
}

// stderrReader cuts the stream into lines and keeps to the limits.
type stderrReader struct {
	p       *stdio
	line    []byte // the line that is not at its end yet, up to the limit
	cut     int    // bytes of it beyond the limit
	open    bool   // a line has begun
	lines   [][]byte
	tokens  float64
	filled  time.Time
	dropped int
}

func (e *stderrReader) take(chunk []byte) {
	now := e.p.c.opt.Now()
	e.tokens = min(stderrBurst, e.tokens+now.Sub(e.filled).Seconds()*stderrRate)
	e.filled = now
	for len(chunk) > 0 {
		head, rest, ended := bytes.Cut(chunk, []byte{'\n'})
		room := min(stderrLine-len(e.line), len(head))
		e.line = append(e.line, head[:room]...)
		e.cut += len(head) - room
		e.open = true
		if ended {
			e.endLine()
		}
		chunk = rest
	}
	e.send()
}

func (e *stderrReader) endLine() {
	if !e.open {
		return
	}
	text := bytes.TrimSuffix(e.line, []byte{'\r'})
	e.p.tail.add(text)
	if e.tokens >= 1 {
		e.tokens--
		e.note()
		text = bytes.Clone(text)
		if e.cut > 0 {
			text = fmt.Appendf(text, "… (%d bytes more)", e.cut)
		}
		e.lines = append(e.lines, text)
	} else {
		e.dropped++
	}
	e.line, e.cut, e.open = e.line[:0], 0, false
}

// note says how many lines were left out before this one.
func (e *stderrReader) note() {
	if e.dropped > 0 {
		e.lines = append(e.lines, fmt.Appendf(nil, "… %d lines not shown", e.dropped))
		e.dropped = 0
	}
}

// send gives the core the lines that were found.
func (e *stderrReader) send() {
	for next := 0; next < len(e.lines); {
		next = e.receive(next)
	}
	if len(e.lines) > 0 {
		clear(e.lines)
		e.lines = e.lines[:0]
		e.p.c.signal()
	}
}

func (e *stderrReader) receive(next int) int {
	c := e.p.c
	c.mu.lockReader()
	defer c.mu.unlock()
	now := c.inputTime()
	for next < len(e.lines) {
		c.s.Tell(now, session.Stderr{Epoch: e.p.x.Epoch, Line: e.lines[next]})
		next++
		if c.mu.isWanted() {
			break
		}
	}
	c.settle(now)
	return next
}

// tail keeps the last lines of stderr, shown or not.
type tail struct {
	mu    sync.Mutex
	lines [tailLines][]byte
	n     int // of lines that were added
}

func (t *tail) add(text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	slot := &t.lines[t.n%tailLines]
	*slot = append((*slot)[:0], text[:min(len(text), tailLineSize)]...)
	if len(text) > tailLineSize {
		*slot = append(*slot, "…"...) // where a mask looks for the beginning of a secret
	}
	t.n++
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	for i := max(0, t.n-tailLines); i < t.n; i++ {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.Write(t.lines[i%tailLines])
	}
	return b.String()
}
