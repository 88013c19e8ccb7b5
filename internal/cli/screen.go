package cli

import (
	"os"
	"sync"
	"time"
)

const (
	// screenBound is how many bytes may wait for a terminal that does not read. That is some
	// dozens of ordinary frames. The user sees the effect of a key behind all of them, so that more
	// frames would be worth less than the newest one.
	screenBound = 64 << 10
	// atOnce is how many bytes are written at once. A slow terminal takes them within a
	// second. A terminal that takes nothing for a second has stopped.
	atOnce = 4 << 10
)

// screen stands between Bubble Tea and the terminal. A terminal that stops
// reading (ctrl+s, a suspended multiplexer, a dead connection) would otherwise
// hold up whoever draws, and with it the keys and every cancel: writing to it
// blocks. Here only the goroutine of the screen blocks. What is too much for
// the buffer is left out, a whole write at a time, and the screen is drawn anew
// when the terminal has caught up.
type screen struct {
	*os.File // for its descriptor: sizes and modes are asked of it

	mu     sync.Mutex
	cond   *sync.Cond // the buffer, busy or over changed
	buf    []byte
	left   []byte // what is still to be written before buf
	busy   bool   // a write is under way
	taken  int64  // by the terminal, in bytes
	over   bool
	lost   bool     // something was left out since the terminal caught up
	gaps   bool     // something was left out, and is not undone
	muted  bool     // what is drawn is left out
	asked  *queries // what the terminal is asked; nil: nobody wants to know
	first  func()   // is called when something was written; nil: it was, or nobody wants to know
	redraw func()
}

// newScreen begins writing to a terminal. Redraw is called, from a goroutine of
// its own, when something was left out and the terminal reads again.
func newScreen(f *os.File, redraw func()) *screen {
	s := &screen{File: f, redraw: redraw}
	s.cond = sync.NewCond(&s.mu)
	go s.run()
	return s
}

// Write takes all of p, or leaves all of it out. It never blocks and never
// fails: what becomes of the terminal is noticed by whoever reads from it.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := len(p)
	if s.muted {
		return all, nil
	}
	p = s.asked.written(p)
	if waits := len(s.left) + len(s.buf); s.lost || waits > 0 && waits+len(p) > screenBound {
		s.lost, s.gaps = true, true
		return all, nil
	}
	s.buf = append(s.buf, p...)
	s.cond.Broadcast()
	return all, nil
}

// WriteString is Write for io.StringWriter: os.File's own would go past it.
func (s *screen) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// mute leaves out what is drawn from here on: the terminal is the shell's again.
func (s *screen) mute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.muted = true
}

// say writes what belay says after the screen.
func (s *screen) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = append(s.buf, text...)
	s.cond.Broadcast()
}

func (s *screen) run() {
	var out []byte
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.buf) == 0 && !s.over {
			s.cond.Wait()
		}
		if len(s.buf) == 0 {
			return
		}
		out, s.buf = s.buf, out[:0]
		s.left, s.busy = out, true
		for len(s.left) > 0 {
			s.writeNext()
		}
		s.busy = false
		if s.lost && len(s.buf) == 0 {
			s.lost = false
			go s.redraw()
		}
		s.cond.Broadcast()
	}
}

// writeNext writes the next bytes, outside the lock.
func (s *screen) writeNext() {
	next := s.left[:min(len(s.left), atOnce)]
	s.left = s.left[len(next):]
	s.mu.Unlock()
	n, err := s.File.Write(next)
	s.mu.Lock()
	s.taken += int64(n)
	if s.first != nil {
		s.first()
		s.first = nil
	}
	if err != nil { // the terminal is gone
		s.left, s.buf = nil, s.buf[:0]
	}
}

// drainOrSkip is drain where what is drawn is worth little. If the terminal takes a part of it
// within the limit, and not all, the rest is left out. Wherever something was left out, undo is
// written in its place. It reports whether the terminal reads.
func (s *screen) drainOrSkip(limit time.Duration, undo string) bool {
	s.mu.Lock()
	before := s.taken
	s.mu.Unlock()
	s.drain(limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch all := len(s.left)+len(s.buf) == 0 && !s.busy; {
	case all && !s.gaps:
		return true
	case !all && s.taken == before:
		return false
	}
	s.undo(undo)
	return true
}

// handOver waits until all is written, at most as long as limit: another program gets the
// terminal. If something was left out, undo is written behind it.
func (s *screen) handOver(limit time.Duration, undo string) {
	s.mu.Lock()
	if s.gaps {
		s.buf = append(s.buf, cutOff+undo...)
		s.gaps = false
		s.cond.Broadcast()
	}
	s.mu.Unlock()
	s.wait(limit)
}

// skip leaves out what waits, in favor of what undoes it.
func (s *screen) skip(undo string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.undo(undo)
}

// undo is skip under the lock.
func (s *screen) undo(undo string) {
	s.left, s.buf = nil, append(s.buf[:0], cutOff+undo...)
	s.gaps = false
	s.cond.Broadcast()
}

// cutOff cancels a sequence that was cut off, of whatever kind, and ends it where a
// terminal does not know how to cancel it.
const cutOff = "\x18\x1b\\"

// drain waits until all is written, at most as long as limit, and reports whether
// it is. Afterwards what was left out stays left out.
func (s *screen) drain(limit time.Duration) bool {
	s.mu.Lock()
	s.lost = false
	s.redraw = func() {}
	s.mu.Unlock()
	return s.wait(limit)
}

// wait waits until all is written, at most as long as limit, and reports whether it
// is.
func (s *screen) wait(limit time.Duration) bool {
	late := false
	timer := time.AfterFunc(limit, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		late = true
		s.cond.Broadcast()
	})
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for (len(s.buf) > 0 || s.busy) && !late {
		s.cond.Wait()
	}
	return len(s.buf) == 0 && !s.busy
}

// end stops the goroutine, unless the terminal holds it.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.cond.Broadcast()
}
