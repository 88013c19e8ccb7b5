package cli

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
)

// liveLine is one line of stderr that is written again and again, where that is a terminal. It is told from several
// goroutines.
type liveLine struct {
	out   *os.File // nil: nobody is told
	width int
	pause time.Duration // the shortest time between two states of the line

	mu    sync.Mutex
	shown safe.Text
	last  time.Time
}

func newLiveLine(s std, look *looks, pause time.Duration) *liveLine {
	l := &liveLine{pause: pause}
	width, _, err := term.GetSize(s.err.Fd())
	if err != nil || !term.IsTerminal(s.err.Fd()) || look.noMotion || os.Getenv("TERM") == "dumb" {
		return l
	}
	l.out, l.width = s.err, max(width, 20)
	return l
}

// set writes the line, as much of it as there is room for, unless it was written a moment ago.
func (l *liveLine) set(text safe.Text) {
	if l.out == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if text = safe.Cut(text, l.width-1); text == l.shown || now.Sub(l.last) < l.pause {
		return
	}
	l.shown, l.last = text, now
	_, _ = fmt.Fprint(l.out, "\r\x1b[K"+string(text))
}

// clear takes the line away: something else is to be written there.
func (l *liveLine) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown != "" {
		_, _ = fmt.Fprint(l.out, "\r\x1b[K")
		l.shown = ""
	}
}

// progressLine is the line on which a call is watched.
type progressLine struct {
	*liveLine
	dots safe.Text
}

func newProgressLine(s std, look *looks) progressLine {
	p := progressLine{newLiveLine(s, look, 100*time.Millisecond), "…"}
	if look.drawsASCII() {
		p.dots = "..."
	}
	return p
}

// show writes how the call stands.
func (p progressLine) show(r session.Row) {
	if p.out == nil || r.State.IsTerminal() {
		return
	}
	text := wording.NameIn(r.Target, 40) + ": " + wording.StateOf(r, p.dots).Wide
	if m := r.Progress.Message; m != "" && r.State == session.Running {
		text += " " + safe.QuotedCut(m, 60)
	}
	p.set(text)
}
