// Package statusline has the status line: one sentence at the foot of the screen,
// which ends after a few seconds, with the next key, or when it is not true any more.
package statusline

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/panel"
	"belay/ui/row"
)

// Lasts is how long a sentence stands.
const Lasts = 6 * time.Second

// How many lines a sentence may take: what names the way on must not be cut. Of a low
// screen it takes a part, as a dialog is to be read beside it.
const (
	most   = 5
	partOf = 5
	least  = 2
)

// Line is the status line. Its zero value says nothing.
type Line struct {
	Frozen bool // no sentence ends by time, as in pictures
	Hints  int  // columns of the hints at the foot, which a sentence beside them leaves whole

	notice panel.Notice
	number int // counts the sentences, so that an old timer ends no new one
}

// over says that the time of a sentence is over.
type over int

// Notice is the sentence that stands there; its Text is empty where there is none.
func (l *Line) Notice() panel.Notice { return l.notice }

// Number tells the sentences apart.
func (l *Line) Number() int { return l.number }

// Say shows a sentence, and returns the command that ends it. A notice without a
// text changes nothing.
func (l *Line) Say(n panel.Notice) tea.Cmd {
	switch {
	case n.Clears:
		l.Clear()
		return nil
	case n.Text == "":
		return nil
	case n.Stays:
		l.notice.Text = n.Text
		return nil
	}
	l.notice = n
	l.number++
	if l.Frozen {
		return nil
	}
	is := over(l.number)
	return tea.Tick(Lasts, func(time.Time) tea.Msg { return is })
}

// Clear ends the sentence that is there.
func (l *Line) Clear() { l.notice = panel.Notice{} }

// Update takes the end of a sentence's time.
func (l *Line) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	n, ok := msg.(over)
	if ok && int(n) == l.number {
		l.Clear()
	}
	return nil, ok
}

// Refresh ends a sentence that the session has made untrue, and says what takes its place.
// A verdict may grow, so the new sentence is followed in the same way. View reads the session.
func (l *Line) Refresh(view func(func(*session.Session))) tea.Cmd {
	until := l.notice.Until
	if until == nil {
		return nil
	}
	var instead safe.Text
	var ended bool
	view(func(s *session.Session) { instead, ended = until(s) })
	if !ended || instead == l.notice.Text {
		return nil
	}
	l.Clear()
	return l.Say(panel.Said(instead).While(until))
}

// Draw draws the sentence at the foot, over what is there. On a tiny screen it takes
// what it needs, from the top: the other lines are empty.
func (l *Line) Draw(f *panel.Frame, tiny bool) {
	if l.notice.Text == "" {
		return
	}
	room := max(f.Kept, min(most, f.Foot()))
	if tiny {
		room = f.H
	}
	lines := safe.Wrap(l.notice.Text, max(1, f.W-2), room)
	y := f.H - len(lines)
	if tiny {
		y = 0
	}
	g := f.Canvas.All().Sub(0, y, f.W, len(lines))
	g.Fill(canvas.Style{})
	if tiny && len(lines) > 1 { // else the rest of the words that stand from the second row on is seen
		f.Canvas.All().Fill(canvas.Style{})
	}
	for i, text := range lines {
		g.Put(1, i, text, l.style(f))
	}
}

// Below is how many rows at the foot of a screen a dialog leaves to the sentence.
func (l *Line) Below(w, h int) int {
	if l.notice.Text == "" {
		return 0
	}
	return len(safe.Wrap(l.notice.Text, max(1, w-2), min(most, max(least, h/partOf))))
}

func (l *Line) style(f *panel.Frame) canvas.Style {
	switch l.notice.Kind {
	case panel.IsRefused:
		return f.Styles.Warn
	case panel.IsFailed:
		return f.Styles.Bad
	case panel.IsSaid:
	}
	return f.Styles.Strong
}

// gap is how many columns are empty between the hints and a sentence beside them.
const gap = 3

// isBeside reports whether the sentence fits in one line of so many columns beside
// the hints.
func (l *Line) isBeside(width int) bool {
	return l.Hints+gap+safe.Width(l.notice.Text)+1 <= width
}

// Beside is what of the last line is left for the hints: all of it, where the sentence
// stands at the foot of a pane, or there is none.
func (l *Line) Beside(g canvas.Region) canvas.Region {
	if l.notice.Text == "" || !l.isBeside(g.W()) {
		return g
	}
	return g.Sub(0, 0, g.W()-safe.Width(l.notice.Text)-1-gap, g.H())
}

// DrawBeside draws the sentence where it hides no key and moves no pane: at the right end
// of the last line, or where that has no room for both, in the border at the foot of the
// lowest pane. Lines that the border has no room for stand above it, in the pane.
func (l *Line) DrawBeside(f *panel.Frame) {
	if l.notice.Text == "" {
		return
	}
	if l.isBeside(f.W) {
		f.Canvas.All().Row(f.H-1).Put(f.W-safe.Width(l.notice.Text)-1, 0, l.notice.Text, l.style(f))
		return
	}
	foot := f.Layout.Foot()
	lines := safe.Wrap(l.notice.Text, max(1, foot.Dx()-2), most)
	if len(lines) > 1 { // as what else is in a pane stands beside its border
		lines = safe.Wrap(l.notice.Text, max(1, foot.Dx()-4), most)
	}
	g := f.Canvas.All().Sub(foot.Min.X+1, foot.Max.Y-len(lines), foot.Dx()-2, len(lines))
	for i, text := range lines {
		if i < len(lines)-1 {
			g.Row(i).Fill(canvas.Style{})
		}
		if safe.Width(text)+2 <= g.W() {
			text = " " + text + " "
		}
		g.Put(0, i, text, l.style(f))
	}
}

// UntilEnded ends a sentence about a call with what became of the call, in the words
// of rows.
func UntilEnded(id session.CallID, words row.Words) func(*session.Session) (instead safe.Text, over bool) {
	return func(s *session.Session) (safe.Text, bool) {
		r, ok := s.Row(id)
		if !ok {
			return "", true
		}
		if r.IsInFlight() {
			return "", false
		}
		return wording.Join("#"+safe.Line(r.Wire.String())+" "+words.State(r).Wide, words.TrailingNote(r)), true
	}
}

// UntilAllEnded ends a sentence about several calls without another one.
func UntilAllEnded(ids []session.CallID) func(*session.Session) (instead safe.Text, over bool) {
	return func(s *session.Session) (safe.Text, bool) {
		for _, id := range ids {
			if r, ok := s.Row(id); ok && r.IsInFlight() {
				return "", false
			}
		}
		return "", true
	}
}
