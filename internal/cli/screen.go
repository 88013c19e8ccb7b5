package cli

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// screenBound is how many bytes may wait for a terminal that does not read. That is some
	// dozens of ordinary frames. The user sees the effect of a key behind all of them, so that more
	// frames would be worth less than the newest one.
	screenBound = 64 << 10
	// atOnce is how many bytes are written at once.
	atOnce = 4 << 10
	// tryAgain is after which time a write that waits is tried again. The kernel wakes who writes to a
	// terminal when its buffer of 20 KB is almost empty, and has room in it long before.
	tryAgain = 50 * time.Millisecond
	// stoppedAfter is how long a terminal takes nothing when it has stopped.
	stoppedAfter = 2500 * time.Millisecond
)

// screen stands between Bubble Tea and the terminal. A terminal that stops
// reading (ctrl+s, a suspended multiplexer, a dead connection) would otherwise
// hold up whoever draws, and with it the keys and every cancel: writing to it
// blocks. Here only the goroutine of the screen blocks. What is too much for
// the buffer is left out, a whole write at a time, and the screen is drawn anew
// when the terminal has caught up. It then gets the messages that were left out.
type screen struct {
	*os.File // for its descriptor: sizes and modes are asked of it

	out *os.File // the terminal once more, opened so that a write can end early if the system can do that

	mu       sync.Mutex
	cond     *sync.Cond // the buffer, busy or over changed
	buf      []byte
	batch    []byte    // what is being written, from its beginning
	left     []byte    // what is still to be written of it, before buf
	busy     bool      // something is being written
	moved    time.Time // when that began, or the terminal took some of it last
	slowAt   time.Time // when a write had to be tried again, the last time
	over     bool
	lost     bool     // something was left out since the terminal caught up
	states   states   // those that were set by what was left out since then
	messages messages // those that were left out and are to be written yet
	gaps     bool     // something was left out, and is not undone
	muted    bool     // what is drawn is left out
	leaving  bool     // belay needs the terminal no more: what is left out is gone
	lent     bool     // another program has the terminal
	asked    *queries // what the terminal is asked; nil: nobody wants to know
	first    func()   // is called when something was written; nil: it was, or nobody wants to know
	redraw   func()
}

// newScreen begins writing to a terminal. Redraw is called, from a goroutine of
// its own, when something was left out and the terminal reads again.
func newScreen(f *os.File, redraw func()) *screen {
	s := &screen{File: f, out: reopened(f), redraw: redraw}
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
	s.lent = false
	p = s.asked.written(p)
	if waits := len(s.left) + len(s.buf); s.lost || waits > 0 && waits+len(p) > screenBound {
		s.lost, s.gaps = true, true
		s.states.keep(p)
		s.messages.keep(p)
		return all, nil
	}
	s.buf = append(s.messages.take(s.buf), p...)
	s.cond.Broadcast()
	return all, nil
}

// WriteString is Write for io.StringWriter: os.File's own would go past it.
func (s *screen) WriteString(text string) (int, error) { return s.Write([]byte(text)) }

// mute leaves out what is drawn from here on: the terminal is the shell's again.
func (s *screen) mute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.muted, s.leaving = true, true
}

// say writes what belay says after the screen.
func (s *screen) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = append(s.buf, text...)
	s.cond.Broadcast()
}

func (s *screen) run() {
	if s.out != s.File {
		defer func() { _ = s.out.Close() }()
	}
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
		s.batch, s.left, s.busy, s.moved = out, out, true, time.Now()
		for len(s.left) > 0 {
			s.writeNext()
		}
		s.batch, s.busy = nil, false
		if s.lost && len(s.buf) == 0 {
			s.lost = false
			if !s.leaving {
				s.buf = s.messages.take(s.states.take(s.buf))
				go s.redraw()
			}
		}
		s.cond.Broadcast()
	}
}

// writeNext writes the next bytes, outside the lock, or as many of them as the terminal takes by the time
// at which that is to be tried again.
func (s *screen) writeNext() {
	next := s.left[:min(len(s.left), atOnce)]
	s.mu.Unlock()
	n, err := 0, error(syscall.EAGAIN)
	if isWritable(s.File) {
		_ = s.out.SetWriteDeadline(time.Now().Add(tryAgain)) // where there are none, a write ends when all is written
		withoutStop(func() { n, err = s.out.Write(next) })   // the terminal may be another job's by now
	}
	s.mu.Lock()
	if n > 0 {
		s.moved = time.Now()
	}
	if s.left != nil { // it is not left out meanwhile
		s.left = s.left[n:]
	}
	if s.first != nil && n > 0 {
		s.first()
		s.first = nil
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		s.slowAt = time.Now()
	case errors.Is(err, syscall.EAGAIN): // somebody who has the terminal as well does not want to wait for it, or to share it
		s.slowAt = time.Now()
		s.rest()
	case err != nil: // the terminal is gone, or for a moment has none to read it
		s.keepStates()
		s.drop()
		s.lost, s.gaps = true, true
		s.rest()
	}
}

// rest waits, outside the lock, until a write may be tried again.
func (s *screen) rest() {
	s.mu.Unlock()
	time.Sleep(tryAgain)
	s.mu.Lock()
}

// drop leaves out what waits, under the lock. The messages in it are written when the terminal takes something again,
// before those that were left out later: nothing else would bring them once more.
func (s *screen) drop() {
	if !s.leaving {
		later := s.messages.take(nil)
		s.messages.keepRest(s.batch, len(s.batch)-len(s.left))
		s.messages.keep(s.buf)
		s.messages.keep(later)
	}
	s.batch, s.left, s.buf = nil, nil, s.buf[:0]
}

// keepStates has what was set on the terminal by what waits set anew, under the lock.
func (s *screen) keepStates() {
	if s.leaving {
		return
	}
	later := s.states.take(nil)
	for _, text := range [][]byte{s.batch, s.buf, later} {
		s.states.keep(text)
	}
}

// handOver gets the terminal ready for another program, which has it until something is drawn again.
func (s *screen) handOver() {
	all := s.writeOrSkip(lastWords, givenBack) && s.wait(slowly)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent = true
	if !all { // the other program's screen is no place for it
		s.drop()
		s.lost, s.gaps, s.states = false, true, states{} // all is set and drawn anew when belay has the terminal again
		_ = s.out.SetWriteDeadline(time.Now())
	}
}

// undoScreen writes what undoes a screen, and returns true. In the background it writes nothing, and returns false, on a
// terminal for whose program that was done already, or on one to which belay may not write. What waits is left out there.
func (s *screen) undoScreen() bool {
	s.mu.Lock()
	isLent := s.lent
	s.mu.Unlock()
	switch {
	case !isWritable(s.File):
		s.mu.Lock()
		defer s.mu.Unlock()
		s.drop()
		s.gaps = true
		return false
	case isLent && !isForeground(s.File):
		return false
	}
	s.say(givenBack)
	return true
}

// drainOrSkip is writeOrSkip, behind which what was left out stays left out.
func (s *screen) drainOrSkip(limit time.Duration, undo string) bool {
	s.drawNoMore()
	return s.writeOrSkip(limit, undo)
}

// writeOrSkip is wait where what is drawn is worth little. What the terminal has not taken within
// the limit is left out. Wherever something was left out, undo is written in its place. The result
// is false for a terminal that has stopped and gets nothing more.
func (s *screen) writeOrSkip(limit time.Duration, undo string) bool {
	all := s.wait(limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case all && !s.gaps:
		return true
	case !all && !s.discard() && s.hasStopped():
		return false
	}
	s.undo(undo)
	return true
}

// hasStopped reports whether the terminal has taken nothing for longer than a slow one does.
func (s *screen) hasStopped() bool {
	return s.busy && time.Since(s.moved) >= stoppedAfter
}

// skip leaves out what waits, in favor of what undoes it.
func (s *screen) skip(undo string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.discard()
	s.undo(undo)
}

// discard has the system forget what the terminal has not read, and reports whether it did, so that the
// terminal takes something again.
func (s *screen) discard() bool {
	return s.out != s.File && isForeground(s.File) && discardOutput(s.out)
}

// undo puts what undoes the rest in the place of what waits, under the lock. The terminal has its time for
// that anew.
func (s *screen) undo(undo string) {
	s.drop()
	s.buf = append(s.buf, cutOff+undo...)
	s.gaps, s.moved = false, time.Now()
	_ = s.out.SetWriteDeadline(s.moved) // of what is being written, nothing more
	s.cond.Broadcast()
}

// cutOff cancels a sequence that was cut off, of whatever kind, and ends it where a
// terminal does not know how to cancel it.
const cutOff = "\x18\x1b\\"

// drain is wait, behind which what was left out stays left out.
func (s *screen) drain(limit time.Duration) bool {
	s.drawNoMore()
	return s.wait(limit)
}

// drawNoMore sees to it that what was left out is not drawn anew.
func (s *screen) drawNoMore() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost, s.leaving = false, true
}

// wait waits until all is written or the terminal has stopped, at most as long as limit, and
// reports whether all is written.
func (s *screen) wait(limit time.Duration) bool {
	end := time.Now().Add(limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.buf) > 0 || s.busy {
		rest := min(time.Until(end), stoppedAfter) // a write may begin meanwhile
		if s.busy {
			rest = min(rest, time.Until(s.moved.Add(stoppedAfter)))
		}
		if rest <= 0 {
			return false
		}
		timer := time.AfterFunc(rest, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.cond.Broadcast()
		})
		s.cond.Wait()
		timer.Stop()
	}
	return true
}

// isSlow reports whether a write had to be tried again a short while ago.
func (s *screen) isSlow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.slowAt.IsZero() && time.Since(s.slowAt) < slowly
}

// end stops the goroutine, unless the terminal holds it.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.cond.Broadcast()
}
