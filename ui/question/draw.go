package question

import (
	"image"
	"slices"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/server"
	"belay/ui/write"
)

// Draw draws the panel: the asking server and its call, the question, the fields,
// and the keys.
func (p *Panel) Draw(frame *panel.Frame) *image.Point {
	if frame.IsTiny() {
		p.question.drawTiny(frame)
		return nil
	}
	a, body := p.question, frame.Layout.Body
	w := min(panel.PageWidth, body.Dx()-2)
	lines := p.text(frame, w-4).Lines
	head := p.head(w - 2)
	fields, fillable := a.fields()
	rows := 0
	if fillable && !a.isLocked() {
		rows = fields.height(frame.Screen, w-2)
	}
	h := len(head) + 1 + len(lines) + 2
	if rows > 0 {
		h += 1 + rows
	}
	place := p.place()
	titled := w - 3 // a blank on either side of the title, and a piece of the border
	if place != "" {
		titled -= safe.Width(place) + 6 // and the same of the place
	}
	g := frame.Box(w, min(h, body.Dy()-2), p.panelTitle(a, titled), p.frameStyle(a))
	if place != "" {
		border := frame.Canvas.Region(g.Bounds().Inset(-1))
		border.Title(border.W()-safe.Width(place)-4, place, frame.Styles.Warn.Bold())
	}
	foot := g.Row(g.H() - 1)
	g = g.Sub(1, 0, g.W()-2, g.H()-1)
	head, lines = p.overflow(head, lines, g)
	for y, l := range head {
		l.Draw(g, 0, y)
	}
	y := len(head) + 1
	room := g.H() - y
	textH := min(len(lines), room)
	if rows > 0 {
		textH = min(textH, max(room-rows-1, room/3))
	}
	p.drawText(frame, g.Sub(0, y, g.W(), textH), lines)
	p.drawFoot(frame, foot) // behind the text: what can be scrolled is known now
	if a.isLocked() || !fillable {
		return nil
	}
	y += textH
	if textH > 0 && rows > 0 {
		y++
	}
	at := fields.draw(frame, g.Sub(0, y, g.W(), g.H()-y))
	if p.IsGuarded() || !a.waits() {
		return nil
	}
	return at
}

// overflow moves the lines of the head that have no room to the text that scrolls,
// in front of it: what warns must be within reach on any screen.
func (p *Panel) overflow(head, text []doc.Line, g canvas.Region) (stays, scrolls []doc.Line) {
	most := max(3, g.H()-6)
	if p.question.isLocked() { // what was typed is what there is to read
		most = max(3, g.H()/2)
	}
	if p.overflowed = 0; len(head) <= most {
		return head, text
	}
	head = p.head(g.W() - 2) // the thumb is to cover none of it
	more := doc.Line{{Text: "and more: pgdown shows it", Style: p.host.Screen().Styles.Warn}}
	p.overflowed = len(head) - (most - 1)
	scrolls = append(slices.Clone(head[most-1:]), doc.Line{})
	return append(head[:most-1:most-1], more), append(scrolls, text...)
}

// panelTitle is in the frame, beside what else is there: the name of the server is
// what gives way to it.
func (p *Panel) panelTitle(a *question, room int) safe.Text {
	words := safe.Text(" asks you ") + a.body.title()
	switch a.view.State {
	case session.Withdrawn, session.QuestionLost:
		words = " asked you " + a.body.title()
		if a.wasTakenBack() {
			words = " took back its question"
		}
	case session.Waiting, session.Answered, session.Declined, session.Dismissed:
	}
	return p.backend.Command().Name(p.host.Screen().Status.Transport, max(4, room-safe.Width(words))) + words
}

func (p *Panel) frameStyle(a *question) canvas.Style {
	if a.isLocked() {
		return p.host.Screen().Styles.Stop
	}
	return p.host.Screen().Styles.Warn
}

// place says which of several questions this is; empty: it is the only one.
func (p *Panel) place() safe.Text {
	at, n := 0, 0
	for _, a := range p.queue() {
		if a.waits() {
			n++
			if a == p.question {
				at = n
			}
		}
	}
	switch {
	case at == 0 && n > 0:
		return wording.Thousands(n) + " more"
	case n > 1:
		return wording.Thousands(at) + " of " + wording.Thousands(n) + " · ctrl+n"
	}
	return ""
}

const (
	headLines = 80
	maxReason = 4000 // columns of a server's reason that are shown
)

// head are the lines that never scroll away: who asks, for which call, and what
// must be known before anything is done.
func (p *Panel) head(width int) []doc.Line {
	a, st := p.question, p.host.Screen().Styles
	d := write.To(doc.New(width, headLines), p.host.Screen().Looks, nil)
	var who []doc.Span
	words, orphan := p.ownerWords(a)
	if name := server.Claimed(p.host.Screen().Status); name != "" {
		self := "it calls itself " + safe.QuotedCut(name, 40)
		if words != "" {
			self += " · "
		}
		who = append(who, doc.Span{Text: self, Style: st.Muted})
	}
	style := st.Text
	if orphan {
		style = st.Warn
	}
	d.Add(2, append(who, doc.Span{Text: words, Style: style})...)
	p.question.endLines(d)
	lines := d.Lines
	for _, l := range a.body.pinned(p.host.Screen()) {
		d := doc.New(width, 4)
		d.Add(2, l...)
		lines = append(lines, d.Lines...)
	}
	return lines
}

// endLines say how a question ended that was not answered.
func (a *question) endLines(d *write.Writer) {
	st := d.Styles
	add := func(t safe.Text) { d.Add(2, doc.Span{Text: t, Style: st.Stop.Bold()}) }
	if words := a.rejectedWords(); words != "" {
		add(words)
	}
	switch a.view.State {
	case session.Withdrawn:
		if a.view.Closed != "" && a.view.NotAccepted != "" { // the foot says no more than the latter
			add(safe.Line(a.view.Closed))
		}
		if a.late && a.wasTakenBack() {
			add("too late: the server withdrew this")
		}
		if a.view.Reason != "" {
			add("its reason: " + safe.QuotedCut(a.view.Reason, maxReason))
		}
		if a.opened {
			add("the page you opened may still be live")
		}
	case session.QuestionLost:
		if a.view.NotAccepted == "" {
			add("connection lost: nobody waits for the answer")
		}
	case session.Waiting, session.Answered, session.Declined, session.Dismissed:
	}
}

// text is what the server wants, written for a width.
func (p *Panel) text(frame *panel.Frame, width int) *doc.Doc {
	a := p.question
	if a.doc != nil && a.doc.Width() == width && a.ended == a.isLocked() {
		return a.doc
	}
	if a.ended != a.isLocked() {
		a.top = 0
	}
	body := a.body
	build := func(d *write.Writer, _ panel.Screen) { body.write(d) }
	if a.ended = a.isLocked(); a.ended {
		build = a.writingLocked()
	}
	a.laid++
	a.doc = frame.LayOut(laying{a, a.laid}, width, build)
	return a.doc
}

func (p *Panel) drawText(frame *panel.Frame, g canvas.Region, lines []doc.Line) {
	a := p.question
	p.height, p.lines = g.H(), len(lines)
	a.top = max(0, min(a.top, len(lines)-g.H()))
	(&doc.Doc{Lines: lines}).Draw(g, a.top)
	frame.Thumb(g, a.top, len(lines))
	a.warned = a.warned || a.top+g.H() >= p.overflowed
}

// drawFoot says which keys work, or why few do.
func (p *Panel) drawFoot(frame *panel.Frame, g canvas.Region) {
	words, style := p.footWords(g.W())
	if words == "" {
		frame.Hint(g, 1, p.Scope())
		return
	}
	words = fitted(words, g.W())
	g.Put(min(1, g.W()-safe.Width(words)), 0, words, style)
}

// fitted cuts words to a width. What a key does, at their end, stays: the reason before that gives way.
func fitted(words safe.Text, width int) safe.Text {
	last := strings.LastIndex(string(words), " · ")
	if safe.Width(words) <= width || last < 0 {
		return safe.Cut(words, width)
	}
	key := words[last:]
	return safe.Cut(safe.Cut(words[:last], max(0, width-safe.Width(key)))+key, width)
}

func (p *Panel) footWords(width int) (safe.Text, canvas.Style) {
	a, st := p.question, p.host.Screen().Styles
	switch {
	case p.IsGuarded() && p.back:
		return "this is in view again: no key is taken until you pause", st.Muted
	case p.IsGuarded():
		return "this opened by itself: no key is taken until you pause", st.Muted
	case a.isLocked() && a.view.NotAccepted != "" && a.view.Unsure:
		return "your answer may have arrived, or not · esc dismisses", st.Stop.Bold()
	case a.isLocked() && a.view.NotAccepted != "":
		return "your answer was not accepted · esc dismisses", st.Stop.Bold()
	case a.view.State == session.Withdrawn:
		return a.endedWords() + " · esc dismisses", st.Stop.Bold()
	case a.view.State == session.QuestionLost:
		return "connection lost · nothing was sent · esc dismisses", st.Stop.Bold()
	case a.wasVisited():
		return visitedWords(a), st.OK.Bold()
	case a.leaving != 0:
		return leavingWords(a, width), st.Warn.Bold()
	}
	return "", st.Muted
}

// leavingWords say what esc, or the key that declines, sends when it is pressed again: in fewer words
// where there is little room.
func leavingWords(a *question, width int) safe.Text {
	key, sends, short := safe.Text("esc"), safe.Text("answers cancel without what you typed"), safe.Text("answers cancel")
	if a.leaving == session.Declined {
		key, sends, short = "ctrl+r", "declines without what you typed", "declines"
	}
	switch {
	case a.view.Method == "elicitation/create":
	case a.view.Round != 0:
		sends, short = "rejects the request, which ends the call", "ends the call"
	default:
		sends, short = "rejects the request without what you typed", "rejects this"
	}
	if words := key + " again " + sends + " · ctrl+l keeps it"; safe.Width(words) <= width {
		return words
	}
	return key + " again " + short + " · ctrl+l keeps what you typed"
}

// visitedWords say how far a question is whose address was opened. To accept is to have gone
// there, and no more: when it is done, the server says (ELI-46; client/elicitation).
func visitedWords(a *question) safe.Text {
	switch {
	case a.view.Needed && a.complete:
		return "opened, and done as the server says · r makes the call again · esc closes"
	case a.view.Needed:
		return "opened · when you are done, r makes the call again · esc closes"
	case a.complete:
		return "opened, and done as the server says · esc closes"
	}
	return "opened · waiting for the server · esc closes"
}
