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

// progressLine is the line on which a call is watched: one line of stderr that is written
// again and again, where that is a terminal. It is told from several goroutines.
type progressLine struct {
	out   *os.File // nil: nobody is told
	width int
	dots  safe.Text

	mu    sync.Mutex
	shown safe.Text
	last  time.Time
	began time.Time
}

// progressPause is the shortest time between two states of the line.
const progressPause = 100 * time.Millisecond

func newProgressLine(s std, look *looks) *progressLine {
	p := &progressLine{dots: "…", began: time.Now()}
	width, _, err := term.GetSize(s.err.Fd())
	if err != nil || !term.IsTerminal(s.err.Fd()) || look.noMotion || os.Getenv("TERM") == "dumb" {
		return p
	}
	if look.drawsASCII() {
		p.dots = "..."
	}
	p.out, p.width = s.err, max(width, 20)
	return p
}

// show writes how the call stands, unless the line was written a moment ago.
func (p *progressLine) show(r session.Row) {
	if p.out == nil || r.State.IsTerminal() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	text := wording.NameIn(r.Target, 40) + ": " + wording.StateOf(r, p.dots).Wide
	if m := r.Progress.Message; m != "" && r.State == session.Running {
		text += " " + safe.QuotedCut(m, 60)
	}
	text = safe.Cut(text, p.width-1)
	if text == p.shown || now.Sub(p.last) < progressPause {
		return
	}
	p.shown, p.last = text, now
	_, _ = fmt.Fprint(p.out, "\r\x1b[K"+string(text))
}

// clear takes the line away: something else is to be written there.
func (p *progressLine) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown != "" {
		_, _ = fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = ""
	}
}
