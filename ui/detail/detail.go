// Package detail is the pane of one call: what was asked for, what came back, the
// sequence of its messages, and the parts of its result.
//
// The bar of a call's progress is drawn by hand. The one of Bubbles (progress) moves
// to each value by an animation, a message for each of its frames, and shows for a
// while what no server has said; without the animation (ViewAs) it is a styled
// string, and the canvas takes cells.
package detail

import (
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/row"
	"belay/ui/timeline"
	"belay/ui/wire"
	"belay/ui/write"
)

// Tab is a side of the detail pane.
type Tab uint8

// The tabs.
const (
	tabAuto Tab = iota // what fits the state of the call
	tabCall
	tabResult
	tabTimeline
	tabWire
	tabEnd
)

var tabNames = [...]safe.Text{tabCall: "call", tabResult: "result", tabTimeline: "timeline", tabWire: "wire"}

// entriesMost is how many messages of a call the wire tab lists.
const entriesMost = 1000

// Pane shows one call. Make one with [New].
type Pane struct {
	host panel.Host

	open    bool // in the place of the calls, where there is no room for both
	chosen  Tab
	call    session.CallID
	rev     uint64
	d       session.Detail
	known   bool
	entries []session.Entry
	asks    []session.QuestionID // the questions that may be for its sake

	reader  doc.Reader
	built   Key
	height  int // of the last frame
	reading reading
}

// Key is what the document depends on: when it changes, it is built anew.
type Key struct {
	call   session.CallID
	rev    uint64
	tab    Tab
	width  int
	asks   session.QuestionID // the sum of them
	silent bool               // long enough to say so
	anew   int                // counts the sessions

	poll, expiry safe.Text // of its task
}

// base is the key of the same document in any revision of the call.
func (k Key) base() Key {
	return Key{call: k.call, tab: k.tab, width: k.width, anew: k.anew}
}

// Pull copies what the pane shows of the selected call, if it changed.
func (p *Pane) Pull(s *session.Session, sel session.CallID) {
	if sel != p.call {
		p.call, p.rev = sel, 0
		p.reader.Reset()
		p.entries = p.entries[:0]
	}
	p.asks = s.QuestionsOf(sel)
	r, ok := s.Row(sel)
	if !ok {
		p.known = false
		return
	}
	if p.known && r.Rev == p.rev {
		return
	}
	p.d, p.known = s.Detail(sel)
	p.rev = r.Rev
	if p.Tab() == tabWire {
		p.entries = s.CallEntries(p.entries[:0], sel, entriesMost)
	}
}

// Anew forgets what was kept of the call: its session is another one.
func (p *Pane) Anew() {
	p.known, p.rev, p.entries, p.reading = false, 0, nil, reading{}
	p.reader.Forget()
	p.built = Key{anew: p.built.anew + 1}
}

// Tab returns the tab to show: the chosen tab, or else the fitting one.
func (p *Pane) Tab() Tab {
	if p.chosen != tabAuto {
		return p.chosen
	}
	switch p.d.State {
	case session.Done, session.Failed:
		if p.d.State == session.Done && row.IsOwn(p.d.Row) { // belay has read the answer
			return tabTimeline
		}
		return tabResult
	case session.Running, session.Cancelling, session.Cancelled, session.Lost:
		return tabTimeline
	case session.Queued, session.Dropped:
	}
	return tabCall
}

// choose shows a tab from now on.
func (p *Pane) choose(t Tab) {
	p.chosen, p.rev = t, 0
	p.reader.Top, p.reader.Moved = 0, false
}

// Turn goes n tabs to the right.
func (p *Pane) Turn(n int) {
	p.choose(Tab(min(max(int(p.Tab())+n, int(tabCall)), int(tabEnd)-1)))
}

// IsMoving reports whether what is shown changes with time alone.
func (p *Pane) IsMoving() bool {
	return p.known && p.height > 0 && p.d.IsInFlight() && !p.d.IsStanding()
}

// detailTarget is what a call calls, in quotes whatever it is: in a title it stands
// alone.
func detailTarget(r session.Row, width int) safe.Text {
	switch {
	case r.Follows && r.Tool != "":
		return "task " + safe.QuotedCut(r.Tool, width-5)
	case r.Follows:
		return "task " + safe.QuotedCut(r.Target, width-5)
	case r.Target != "":
		return safe.QuotedCut(r.Target, width)
	}
	return wording.NameIn(r.Method, width)
}

// drawTabs writes the tabs and underlines the one that is shown.
func (p *Pane) drawTabs(f *panel.Frame, g canvas.Region) {
	tabPlaces(func(t Tab, x int) {
		style := f.Styles.Tab
		if t == p.Tab() {
			style = f.Styles.TabOn
		}
		g.Put(x, 0, tabNames[t], style)
	})
}

// tabPlaces calls f with the column at which each tab begins.
func tabPlaces(f func(t Tab, x int)) {
	x := 1
	for t := tabCall; t < tabEnd; t++ {
		f(t, x)
		x += safe.Width(tabNames[t]) + 2
	}
}

// drawState is the state of the call, its progress, its time, and the button
// that stops it, which a recording has not.
func (p *Pane) drawState(f *panel.Frame, w row.Words, g canvas.Region) {
	r := p.d.Row
	s := w.State(r)
	right := g.W() - 1
	if !f.Recorded && row.HasButton(r) {
		style := f.Styles.Button
		if row.NoCancel(r) != "" {
			style = f.Styles.KeyOff
		}
		label := buttonWords(r)
		right -= safe.Width(label)
		g.Put(right, 0, label, style)
		right -= 2
	}
	wide, _, upTo := s.Widths()
	x := max(g.Put(1, 0, s.Text(true), s.Style), 1+max(wide, upTo)) + 2
	if x+8 < right {
		x = g.Put(x, 0, w.Time(r), f.Styles.Muted) + 2
	}
	if part, ok := r.Progress.Fraction(); ok && r.IsInFlight() && right-x > 12 {
		x = drawBar(f, g, x, min(20, right-x), part) + 2
	}
	if t := w.NextPoll(r); t != "" && r.State == session.Running && x+safe.Width(t) < right {
		x = g.Put(x, 0, t, f.Styles.Muted) + 2
	}
	if r.AfterCount > 0 {
		if t := wording.Thousands(r.AfterCount) + " after cancel"; x+safe.Width(t) < right {
			g.Put(x, 0, t, f.Styles.Warn)
		}
	}
}

// buttonWords are on the button that stops a call.
func buttonWords(r session.Row) safe.Text {
	if row.IsTask(r) {
		return "[x] cancel task"
	}
	return "[x] cancel"
}

// drawBar draws a progress bar of w columns.
func drawBar(f *panel.Frame, g canvas.Region, x, w int, part float64) int {
	full := int(part * float64(w))
	g.Repeat(x, 0, full, string(f.Glyphs.Full), f.Styles.Info)
	g.Repeat(x+full, 0, w-full, string(f.Glyphs.Empty), f.Styles.Faint)
	return x + w
}

// drawDocument draws the document of the pane, and builds the document if another
// was built last.
func (p *Pane) drawDocument(f *panel.Frame, g canvas.Region, on Outside) {
	p.height = g.H()
	if g.Empty() {
		return
	}
	c := p.content(f, on)
	key := Key{call: p.call, rev: p.rev, tab: p.Tab(), width: g.W() - 2, silent: c.silent(), anew: p.built.anew}
	key.poll, key.expiry = c.taskTimes()
	for _, id := range p.asks {
		key.asks += id
	}
	if p.Doc() == nil || key != p.built {
		d := f.LayOut(key, key.width, func(w *write.Writer, _ panel.Screen) { c.write(w) })
		switch {
		case p.Doc() == nil || key.base() != p.built.base():
			p.reader.Set(d)
		case !d.IsCut():
			p.reader.Renew(d)
		default: // what was laid out before stays until all of this is
		}
		p.built = key
	}
	p.reader.Draw(g, f.Styles.Match)
	f.Thumb(g, p.reader.Top, len(p.Doc().Lines))
}

func (p *Pane) content(f *panel.Frame, on Outside) *content {
	return &content{
		call: p.d, tab: p.Tab(), entries: slices.Clone(p.entries), asks: p.asks, questions: on.Questions, reading: p.reading,
		words: on.Words, status: f.Status, view: p.host.View, line: on.Line,
	}
}

// LaidOut takes a document that was laid out whole, if it is still the one of the pane. A
// search that found nothing in its beginning goes on in it.
func (p *Pane) LaidOut(k Key, d *doc.Doc) {
	if p.built.base() == k.base() {
		p.reader.Renew(d)
	}
}

// Scroll moves the document by n lines.
func (p *Pane) Scroll(n int) { p.reader.Scroll(n) }

// SearchTitle says how many lines have what is searched for.
func (p *Pane) SearchTitle(dots safe.Text) safe.Text { return p.reader.Title(dots) }

// Outside is what the pane shows that is not of the call itself.
type Outside struct {
	Words     row.Words
	Questions []session.QuestionView
	Line      func(e *session.Entry) wire.Line
}

// New is a pane that shows nothing.
func New(h panel.Host) *Pane { return &Pane{host: h} }

// Call is the call that is shown, and whether it is known.
func (p *Pane) Call() (d *session.Detail, known bool) { return &p.d, p.known }

// Row is the row of a call, if that is the one that is shown.
func (p *Pane) Row(id session.CallID) (r session.Row, ok bool) {
	if !p.known || p.call != id {
		return r, false
	}
	return p.d.Row, true
}

// Show has the pane stand in the place of the calls, where there is no room for both.
func (p *Pane) Show(open bool) { p.open = open }

// IsOpen reports whether the pane stands in the place of the calls.
func (p *Pane) IsOpen() bool { return p.open }

// Fit shows the tab that fits the state of the call.
func (p *Pane) Fit() { p.chosen = tabAuto }

// IsSearching reports whether a text is searched for.
func (p *Pane) IsSearching() bool { return p.reader.Text() != "" }

// Title names the call in at most width columns.
func (p *Pane) Title(width int) safe.Text {
	const around = 9 // corners, the number of the pane, and blanks
	id := "#" + safe.Line(p.d.Wire.String())
	return wording.Join(id, detailTarget(p.d.Row, width-safe.Width(id)-around))
}

// WidthFor is the width of the pane, with its frame, in which the timeline shows the cancel
// with a reason whole.
func WidthFor(reason string) int {
	const around = 6 // the frame, a margin at each side, and the thumb behind a blank
	return timeline.WidthFor(reason) + around
}

// Draw draws the tabs, the state, and the document, below an empty row where there is room
// for that.
func (p *Pane) Draw(f *panel.Frame, in canvas.Region, on Outside) {
	p.drawTabs(f, in.Row(0))
	p.drawState(f, on.Words, in.Row(1))
	above := 3
	if in.H() < roomyHeight {
		above = 2
	}
	p.drawDocument(f, in.Sub(1, above, in.W()-2, in.H()-above), on)
}

// roomyHeight is from which height on an empty row is no loss: the cancel, what came after
// it and the verdict take about so many.
const roomyHeight = 14

// Click chooses a tab, or cancels the call.
func (p *Pane) Click(pt image.Point, w int) tea.Cmd {
	if !p.known {
		return nil
	}
	switch pt.Y {
	case 0:
		tabPlaces(func(t Tab, x int) {
			if pt.X >= x && pt.X < x+len(tabNames[t]) {
				p.choose(t)
			}
		})
	case 1:
		if r := p.d.Row; pt.X >= w-1-safe.Width(buttonWords(r)) && row.HasButton(r) && !p.host.Screen().Recorded {
			return p.host.Want(panel.Cancel{Row: r})
		}
	}
	return nil
}

// IsWhole reports whether the document is laid out at once: it has a few lines of each
// message only, which the wire pane remembers.
func (k Key) IsWhole() bool { return k.tab == tabWire }

// Find searches the document; an empty text ends the search.
func (p *Pane) Find(text string) { p.reader.Find(text) }

// NextHit goes to the next line that has what was searched for, and from the
// last one to the first; LastHit to the one before.
func (p *Pane) NextHit() { p.reader.Next(1) }

// LastHit goes to the line before that has what was searched for.
func (p *Pane) LastHit() { p.reader.Next(-1) }

// Doc is what is shown of the document, as it was laid out last, or nil.
func (p *Pane) Doc() *doc.Doc { return p.reader.Doc() }

// Reader is where one is in the document.
func (p *Pane) Reader() *doc.Reader { return &p.reader }
