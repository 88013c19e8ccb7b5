package cli

import (
	"bytes"
	"regexp"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// queries are what the terminal was asked, as far as it has not answered. An answer that
// comes when belay has gone is text on the prompt of the shell.
type queries struct {
	mu    sync.Mutex
	open  int
	asked time.Time     // the last time
	none  chan struct{} // closed when nothing is open, or the last answer has come; nil: nobody waits
	left  bool          // the alternate screen was left: nothing is asked any more
	kinds int           // how many of the open questions every terminal answers
}

const (
	// answersWithin bounds how long belay waits for answers when it leaves: far away, or on a
	// busy machine, a terminal takes some tenths of a second. One that is known to be slow has longer.
	answersWithin = time.Second
	// readsWithin bounds how long a terminal may take to read what was written: a terminal that is
	// busy with the last frame reads on when the frame is drawn.
	readsWithin = 500 * time.Millisecond
	// lastQuestion asks what kind of terminal it is. Almost all answer that, in the order
	// in which they were asked: behind its answer none is to come.
	lastQuestion = "\x1b[c"
	// askedLately is after which time no answer is expected any more: many terminals
	// do not know some of the questions.
	askedLately = time.Second
)

// question is a sequence that a terminal answers: it asks for a mode, a color, the state
// of programs, the terminal's name or its keys.
var question = regexp.MustCompile(`\x1b(?:\[\?[0-9]+\$p|\][0-9]+;\?(?:\x07|\x1b\\)|\[>?0?[cq]|\[\?u)`)

// kind is the question for the kind of a terminal.
var kind = regexp.MustCompile(`\x1b\[0?c`)

// alternate enters the alternate screen, or leaves it.
var alternate = regexp.MustCompile(`\x1b\[\?1049[hl]`)

// written takes what is written to the terminal, and returns it without the questions
// that would be asked when the screen was left: Bubble Tea asks late where a program
// ends as soon as it has begun.
func (a *queries) written(p []byte) []byte {
	if a == nil || !asks(p) && !bytes.Contains(p, []byte("\x1b[?1049")) {
		return p
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []byte
	for {
		at := alternate.FindIndex(p)
		end := len(p)
		if at != nil {
			end = at[0]
		}
		part := p[:end]
		if a.left {
			part = question.ReplaceAll(part, nil)
		} else if n := len(question.FindAll(part, -1)); n > 0 {
			a.open += n
			a.kinds += len(kind.FindAll(part, -1))
			a.asked = time.Now()
		}
		out = append(out, part...)
		if at == nil {
			return out
		}
		a.left = p[at[1]-1] == 'l'
		out = append(out, p[at[0]:at[1]]...)
		p = p[at[1]:]
	}
}

// asks is whether there may be a question among the bytes: frames have none.
func asks(p []byte) bool {
	for _, mark := range []string{"$p", ";?", "\x1b[c", "\x1b[>", "\x1b[0c", "\x1b[?u"} {
		if bytes.Contains(p, []byte(mark)) {
			return true
		}
	}
	return false
}

// came takes what the terminal has sent.
func (a *queries) came(ev uv.Event) {
	switch ev.(type) {
	case uv.KeyPressEvent, uv.KeyReleaseEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseWheelEvent, uv.MouseMotionEvent,
		uv.PasteEvent, uv.PasteStartEvent, uv.PasteEndEvent, uv.FocusEvent, uv.BlurEvent, uv.WindowSizeEvent:
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = max(0, a.open-1)
	if _, ok := ev.(uv.PrimaryDeviceAttributesEvent); ok {
		if a.kinds = max(0, a.kinds-1); a.kinds == 0 {
			a.open = 0 // the others will not be answered
		}
	}
	if a.open == 0 && a.none != nil {
		close(a.none)
		a.none = nil
	}
}

// await asks the last question, and waits for the answers that are still to come, at most as long
// as limit, and no longer once somebody is in a hurry.
func (a *queries) await(ask func(question string), limit time.Duration, hurry <-chan struct{}) {
	a.mu.Lock()
	if a.open == 0 {
		a.mu.Unlock()
		return
	}
	a.open++
	a.kinds++
	none := make(chan struct{})
	a.none = none
	a.mu.Unlock()
	ask(lastQuestion) // who writes it may hold a lock of the screen's, under which the screen takes this one
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-none:
	case <-t.C:
	case <-hurry:
	}
}

// areDue reports whether answers may still come.
func (a *queries) areDue() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open > 0 && time.Since(a.asked) <= askedLately
}
