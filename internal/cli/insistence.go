package cli

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// leavesWithin is how long a command without a screen that was told to end may take before its server is closed
// beside it, and then once more until belay ends without what the command would still have written. A reader that has
// taken something within both is only slow, and gets all of it.
const leavesWithin = 2 * time.Second

// insistence ends belay where a command was told to end and does not, as what reads stdout, or the terminal behind
// stderr, takes nothing any more: whoever writes there waits without end.
type insistence struct {
	code atomic.Int64
	exit func(code int) // nil: belay ends

	mu       sync.Mutex
	wishes   lastSignal
	began    time.Time // when the command was told to end; zero: it was not
	hurried  bool      // the command was told once more: a slow reader is waited for no longer
	isTaking bool      // stdout is being written
	moved    time.Time // when stdout took something, the last time
}

// wouldEnd says with which exit code belay ends. A success whose output was not written to its end is none.
func (i *insistence) wouldEnd(code int, written bool) {
	if code == ExitOK && !written {
		code = ExitScreen
	}
	i.code.Store(int64(code))
}

// write writes to stdout, a piece at a time, and notes whenever stdout has taken one.
func (i *insistence) write(s std, text []byte) error {
	i.note(true)
	defer i.note(false)
	for piece := range slices.Chunk(text, atOnce) {
		if err := s.write(piece); err != nil {
			return err
		}
		i.note(true)
	}
	return nil
}

func (i *insistence) note(isTaking bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.isTaking, i.moved = isTaking, time.Now()
}

// begin gives the command its time, closes its server, in order, by shut, and ends belay when nothing moves. It does not
// wait. A command that ends in time ends belay before that.
func (i *insistence) begin(s std, shut func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch repeated := i.wishes.isRepeated(); {
	case i.began.IsZero():
		i.began = time.Now()
		go i.insist(s, shut)
	case !repeated:
		i.hurried = true
	}
}

func (i *insistence) insist(s std, shut func()) {
	time.Sleep(leavesWithin)
	shut()
	time.Sleep(leavesWithin)
	for i.isMoving() {
		time.Sleep(tryAgain)
	}
	i.mu.Lock()
	unwritten := i.isTaking
	i.mu.Unlock()
	if unwritten && isWritable(s.err) { // which may be what takes nothing
		within(heardWithin, func() (none struct{}) {
			s.says("stdout is not read any more: the rest was not written")
			return none
		})
	}
	if i.exit == nil {
		i.exit = os.Exit
	}
	i.exit(int(i.code.Load()))
}

// isMoving reports whether stdout has taken something a short while ago, or may still do so.
func (i *insistence) isMoving() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	since := i.began
	if i.moved.After(since) && !i.hurried {
		since = i.moved
	}
	return time.Since(since) < 2*leavesWithin
}
