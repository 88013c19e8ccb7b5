package cli

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// leavesWithin is how long a command without a screen that was told to end may take before its server is closed
// beside it, and then once more until belay ends without what the command would still have written.
const leavesWithin = 2 * time.Second

// insistence ends belay where a command was told to end and does not, as what reads stdout, or the terminal behind
// stderr, takes nothing any more: whoever writes there waits without end.
type insistence struct {
	once sync.Once
	code atomic.Int64
}

// wouldEnd says with which exit code belay ends. A success whose output was not written to its end is none.
func (i *insistence) wouldEnd(code int, written bool) {
	if code == ExitOK && !written {
		code = ExitScreen
	}
	i.code.Store(int64(code))
}

// begin gives the command its time, closes its server, in order, by shut, and ends belay. It does not wait. A command
// that ends in time ends belay before that.
func (i *insistence) begin(shut func()) {
	i.once.Do(func() {
		go func() {
			time.Sleep(leavesWithin)
			shut()
			time.Sleep(leavesWithin)
			os.Exit(int(i.code.Load()))
		}()
	})
}
