// Package timeline draws the history of a call as a sequence of messages between the
// user and the server. The picture explains a cancel by the messages that came after
// it, and the verdict by both.
package timeline

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/row"
	"belay/ui/theme"
)

// timeColumn is the width of the times at the left of the timeline.
const timeColumn = 8

// arrowMost is how many columns of a line belong to the shortest arrow.
const arrowMost = 5

// picture is a timeline that is being drawn.
type picture struct {
	d      *doc.Doc
	c      *session.Detail
	looks  *theme.Looks
	cancel int // the line of the cancel; 0: none was drawn
}

// Write writes the timeline of a call to a document. state is what is said of the
// call elsewhere; where it was cancelled, the verdict and its evidence follow below
// that.
func Write(d *doc.Doc, c *session.Detail, state doc.Span, looks theme.Looks) {
	p := &picture{d: d, c: c, looks: &looks}
	st := &looks.Styles
	who := safe.Text("you")
	if row.IsOwn(c.Row) {
		who = "belay"
	}
	d.Add(0, doc.Span{Text: safe.PadLeft(who, timeColumn+4), Style: st.Strong},
		doc.Span{Text: safe.PadLeft("server", d.Width()-timeColumn-4), Style: st.Strong})
	for _, l := range wording.Sequence(c, wording.Told(c.Timeline)) {
		if l.Folded > 0 {
			p.remark(l.Text)
		} else {
			p.moment(c.Timeline[l.Moment], l.Text)
		}
	}
	if c.State == session.Cancelling || c.State == session.Cancelled {
		p.verdict(state)
	}
}

// remark is a line that no moment stands for.
func (p *picture) remark(text safe.Text) {
	muted := p.looks.Styles.Muted
	p.d.Add(timeColumn+3, doc.Span{Text: safe.PadLeft("", timeColumn) + " " + p.looks.Glyphs.Note + " ", Style: muted},
		doc.Span{Text: text, Style: muted})
}

// moment draws one moment. What a message is takes one line; what was noted of a call is
// told whole.
func (p *picture) moment(mo session.MomentView, text safe.Text) {
	d, c := p.d, p.c
	at := safe.PadLeft(wording.Precise(mo.At.Sub(c.Created)), timeColumn) + " "
	label, style, dashed := p.label(mo, text)
	if p.cancel == 0 && wording.Stops(mo.Kind) {
		p.cancel = len(d.Lines)
	}
	lane := d.Width() - timeColumn - 1
	line := doc.Line{{Text: at, Style: p.looks.Styles.Muted}}
	switch mo.Dir {
	case session.Out:
		d.AddLine(append(line, p.arrow(label, lane, style, true, dashed)...))
	case session.In:
		if mo.Kind == session.MomTask && safe.Width(label) > lane-arrowMost {
			p.wrapped(line[0], label, style)
			return
		}
		d.AddLine(append(line, p.arrow(label, lane, style, false, dashed)...))
	case session.Local:
		d.Add(timeColumn+3, line[0], doc.Span{Text: p.looks.Glyphs.Note + " " + label, Style: style})
	}
}

// wrapped draws what a server told of a task where one line has no room for it: behind the shortest
// arrow, and below.
func (p *picture) wrapped(at doc.Span, label safe.Text, style canvas.Style) {
	thin := p.looks.Styles.Faint
	thin.FG = style.FG
	head := p.looks.Glyphs.HeadIn + safe.Text(strings.Repeat(string(p.looks.Glyphs.Line), 3)) + " "
	p.d.Add(timeColumn+1+safe.Width(head), at, doc.Span{Text: head, Style: thin}, doc.Span{Text: label, Style: style})
}

// WidthFor is the width of a document in which the cancel with a reason stands whole.
func WidthFor(reason string) int {
	label := wording.Moment(nil, session.MomentView{Kind: session.MomCancelSent, Text: reason})
	return timeColumn + 1 + arrowMost + safe.Width(label)
}

// arrow draws a message of w columns, its label in the line: at the sender's
// end when it leaves, at the sender's end when it comes.
func (p *picture) arrow(label safe.Text, w int, style canvas.Style, out, dashed bool) []doc.Span {
	rule := string(p.looks.Glyphs.Line)
	if dashed {
		rule = string(p.looks.Glyphs.Dashed)
	}
	label = safe.Cut(label, w-arrowMost)
	n := max(0, w-safe.Width(label)-arrowMost)
	thin := p.looks.Styles.Faint
	thin.FG = style.FG
	if out {
		return []doc.Span{
			{Text: safe.Text(strings.Repeat(rule, 2)) + " ", Style: thin},
			{Text: label, Style: style},
			{Text: " " + safe.Text(strings.Repeat(rule, n)) + p.looks.Glyphs.HeadOut, Style: thin},
		}
	}
	return []doc.Span{
		{Text: p.looks.Glyphs.HeadIn + safe.Text(strings.Repeat(rule, n+2)) + " ", Style: thin},
		{Text: label, Style: style},
	}
}
