package cli

import (
	"os"
	"slices"
	"time"
)

// The waits of the way out, from the moment in which belay is told to end.
const (
	// heardWithin is how long the loop of the screen may take to act on a second
	// ctrl+c.
	heardWithin = 500 * time.Millisecond
	// giveBack is when the screen has to give the terminal back.
	giveBack = 2500 * time.Millisecond
	// lastWords bounds how long a terminal may take to read what is drawn before belay says its
	// last words, and how long the screen may take to end when the server is ended at once.
	lastWords = time.Second
	// slowly bounds how long a terminal that has not stopped may take to read the last words: at
	// 2 KB a second it has taken them by then, and what the kernel held before them.
	slowly = 5 * time.Second
)

// wayOut sees to it that belay ends when it is told to, whatever the loop of the
// screen does: it is stuck, an editor has the terminal, or it waits for a server
// that does not end. A signal tells it to, and so does ctrl+c that is pressed
// twice: the loop acts on that as well, unless it is stuck.
type wayOut struct {
	signals chan os.Signal
	twice   chan int        // how often ctrl+c came in a row, from 2 on
	ended   <-chan struct{} // the screen has ended by itself
	over    <-chan struct{} // belay has ended

	quits    func() bool     // belay is on its way out already
	begin    func(os.Signal) // cancels the work and begins to close the server; waits for nothing
	atOnce   func()          // ends the server without patience
	takeBack func()          // takes the terminal from the screen
	fall     func(os.Signal) // ends belay with the signal that it was sent
}

// watch runs until belay has ended.
func (w *wayOut) watch() {
	told, ended := false, w.ended
	var doubt, patience alarm
	var heard lastSignal
	for {
		select {
		case sig := <-w.signals:
			if slices.Contains(fatal, sig) {
				w.fall(sig)
				return
			}
			if heard.isRepeated() {
				continue
			}
			if told || ended == nil { // once more
				w.atOnce()
				patience.within(lastWords)
				continue
			}
			told = true
			w.begin(sig)
			patience.within(giveBack)
		case n := <-w.twice:
			switch {
			case !told:
				doubt.within(heardWithin)
			case n > 2:
				w.atOnce()
				patience.within(lastWords)
			}
		case <-doubt.rings():
			if told || ended == nil {
				continue
			}
			told = true
			if !w.quits() {
				w.begin(os.Interrupt)
			}
			patience.within(giveBack - heardWithin)
		case <-patience.rings():
			if ended != nil {
				w.takeBack()
				ended = nil
			}
		case <-ended:
			ended = nil
		case <-w.over:
			return
		}
	}
}

// alarm rings once.
type alarm struct {
	at time.Time
	t  *time.Timer
}

// within has it ring in d, or earlier if that was wanted before.
func (a *alarm) within(d time.Duration) {
	at := time.Now().Add(d)
	switch {
	case a.t == nil:
		a.t = time.NewTimer(d)
	case at.Before(a.at):
		a.t.Reset(d)
	default:
		return
	}
	a.at = at
}

func (a *alarm) rings() <-chan time.Time {
	if a.t == nil {
		return nil
	}
	return a.t.C
}
