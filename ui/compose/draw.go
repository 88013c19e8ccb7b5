package compose

import (
	"image"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/panel"
)

// Draw draws the form, its description above and its options below.
func (f *Form) Draw(frame *panel.Frame) *image.Point {
	w := min(92, frame.Layout.Body.Dx()-4)
	const around = 6 // corners and blanks
	method := wording.NameIn(f.method, 40)
	title := method + " " + safe.QuotedCut(f.name, min(60, w-safe.Width(method)-around))
	h := f.wanted(w)
	g := frame.Box(w, h, title, frame.Styles.FrameFocus)
	g = g.Sub(1, 0, g.W()-2, g.H())
	frame.Hint(g.Row(g.H()-1), 0, f.Scope())
	y := 0
	if g.H() >= min(h, roomyForm) {
		y = f.drawAbout(frame, g)
	}
	body := g.Sub(0, y, g.W(), g.H()-y-1)
	f.room = body.Bounds()
	if !f.optsOn {
		return frame.Form(f.Fields, body)
	}
	rest := max(body.H()-f.optionRows(), min(3, f.Fields.Height(g.W(), body.H())))
	if f.Fields.IsAway() {
		rest = min(rest, max(0, body.H()-f.optionRows()))
	}
	at := frame.Form(f.Fields, body.Sub(0, 0, g.W(), rest))
	if o := f.drawOptions(frame, body.Sub(0, rest, g.W(), body.H()-rest)); o != nil {
		return o
	}
	return at
}

// roomyForm is from which height on a form that has not all the room it wants shows more
// than its fields.
const roomyForm = 10

// suggestHeight is the height of a form in which what the server proposes has room beside
// the field.
const suggestHeight = 10

// wanted is the height that shows everything, as far as there is room. What the fields
// leave is for the description.
func (f *Form) wanted(w int) int {
	all := f.c.host.Screen().Layout.Body.Dy() - 2
	rest, least := 0, 0
	if n := len(f.headNotes()); n > 0 {
		rest += n + 1
	}
	if f.optsOn {
		rest += f.optionRows()
	}
	if f.about.text != "" {
		least = f.about.least(w-4, all) + 1
	}
	h := f.Fields.Height(w-2, max(1, all-rest-least)) + rest + 2
	if f.about.text != "" {
		f.about.fit(w-4, all-h-1, all)
		h += f.about.height()
	}
	if f.suggests() {
		h = max(h, suggestHeight)
	}
	return min(h, all)
}

// optionRows is the height of the options: a heading and a row for each.
func (f *Form) optionRows() int { return 1 + f.optCount() }

// drawOptions draws the options of the call, each with what it takes behind it.
func (f *Form) drawOptions(frame *panel.Frame, g canvas.Region) *image.Point {
	const labels = 14
	var cursor *image.Point
	g.Put(0, 0, "options of the call", frame.Styles.Title)
	for o := range f.optCount() {
		label, style := frame.Styles.Text, frame.Styles.Muted
		on := f.Fields.IsAway() && f.opt == o
		if on {
			label = frame.Styles.TitleOn
		}
		g.Put(0, o+1, optionWords[o].label, label)
		hint := optionWords[o].hint
		if limit, ok := limitsOfTask[o]; ok && f.isTask() {
			hint = limit
		}
		switch {
		case o == optTask && f.task.why != "":
			hint = f.task.why
		case o == optTask && f.opts[optTask].String() == "on":
			hint = "space turns it off: x then cancels the call"
		case f.optWhys[o] != "":
			hint, style = safe.LineN(f.optWhys[o], 200), frame.Styles.Bad
		case f.optOdd[o] != "":
			hint, style = safe.LineN(f.optOdd[o], 200), frame.Styles.Warn
		}
		width := optionWords[o].width
		at := labels + width + 2
		g.Put(at, o+1, safe.Cut(hint, g.W()-at), style)
		field := g.Sub(labels, o+1, width, 1)
		field.Fill(frame.Styles.Input)
		shown, x := f.opts[o].View(field.W() - 2)
		field.Put(1, 0, shown, frame.Styles.Input)
		if on {
			cursor = field.Cursor(1+x, 0)
		}
	}
	return cursor
}
