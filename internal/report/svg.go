package report

import (
	"fmt"
	"html"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
)

// sheet is how wide a drawing is, and where in it things stand.
type sheet struct {
	width, left, right int // of the drawing, and of the two lanes
	columns            int // of text between the lanes
	lines              int // of a label at most
	noteLines          int // … and of a note of belay's: what it tells of a process stands behind a command line, each byte of which may be an escape
}

// The drawings of a call: one for a wide page and one for a narrow one, each with text
// of the same size.
var (
	wide   = sheet{width: 760, left: 92, right: 744, columns: 84, lines: 2, noteLines: 4}
	narrow = sheet{width: 340, left: 68, right: 332, columns: 33, lines: 3, noteLines: 10}
)

const (
	lineHeight = 17
	// pause is a time without a message that is worth a line.
	pause = time.Second
)

// drawing is a picture that is being made. Each text in it goes through text, and
// nothing else of it is anybody's but belay's.
type drawing struct {
	sheet
	b strings.Builder
	y int
}

// svg draws the sequence of a call's messages.
func svg(c *Call, on sheet) string {
	d := &drawing{sheet: on}
	d.strip(c)
	d.text(d.left, d.y+12, "start", "lane", "belay")
	d.text(d.right, d.y+12, "end", "lane", "server")
	d.y += 22
	top, stopped := d.y, 0
	var body strings.Builder
	d.b, body = strings.Builder{}, d.b
	last, folded := time.Duration(0), true // what is folded away took its time
	for i := range c.Steps {
		s := &c.Steps[i]
		if s.At-last >= pause && !folded && s.Folded == 0 {
			d.rest(s.At - last)
		}
		if s.Kind == Stop && stopped == 0 {
			stopped = d.y
		}
		d.step(s)
		last, folded = s.At, s.Folded > 0
	}
	d.y += 6
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="sequence" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`, d.width, d.y+4, d.width, d.y+4, html.EscapeString("The messages of "+string(c.Name())+" in their order"))
	out.WriteString(body.String())
	if stopped > 0 {
		fmt.Fprintf(&out, `<rect class="zone" x="%d" y="%d" width="%d" height="%d" rx="4"/>`, d.left, stopped-2, d.right-d.left, d.y-stopped+2)
	}
	for _, x := range []int{d.left, d.right} {
		fmt.Fprintf(&out, `<path class="life" d="M%d %dV%d"/>`, x, top-4, d.y)
	}
	out.WriteString(d.b.String())
	out.WriteString("</svg>")
	return out.String()
}

// text writes a text in one line.
func (d *drawing) text(x, y int, anchor, class string, t safe.Text) {
	fmt.Fprintf(&d.b, `<text x="%d" y="%d" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class, html.EscapeString(string(t)))
}

// strip draws the time that a cancelled call took, to scale: before the cancel and after
// it.
func (d *drawing) strip(c *Call) {
	if c.Cancel == nil || len(c.Steps) == 0 {
		return
	}
	total := max(c.Duration, c.Steps[len(c.Steps)-1].At, time.Millisecond)
	at := min(c.Cancel.At, total)
	x := d.left + int(float64(d.right-d.left)*float64(at)/float64(total))
	fmt.Fprintf(&d.b, `<rect class="before" x="%d" y="22" width="%d" height="8" rx="2"/>`, d.left, max(x-d.left, 0))
	fmt.Fprintf(&d.b, `<rect class="since" x="%d" y="22" width="%d" height="8" rx="2"/>`, x, max(d.right-x, 0))
	fmt.Fprintf(&d.b, `<path class="mark" d="M%d 17V35"/>`, x)
	anchor := "middle"
	switch half := d.columns * 7 / 6; {
	case x-d.left < half:
		anchor = "start"
	case d.right-x < half:
		anchor = "end"
	}
	d.text(x, 12, anchor, "stop", "cancelled after "+seconds(at))
	d.text(d.left, 47, "start", "time0", "0 s")
	d.text(d.right, 47, "end", "time0", seconds(total))
	d.y = 62
}

// seconds is a time as people say it.
func seconds(t time.Duration) safe.Text {
	return safe.Text(fmt.Sprintf("%.2f s", t.Seconds()))
}

// rest draws that nothing came for a time.
func (d *drawing) rest(t time.Duration) {
	d.y += 4
	d.text((d.left+d.right)/2, d.y+13, "middle", "rest", "⋮ "+seconds(t)+" ⋮")
	d.y += lineHeight + 7
}

var classes = [...]string{
	Plain: "plain", Progress: "progress", Stop: "stop", After: "after", Success: "success", Failure: "failure", Remark: "remark",
}

// step draws a message or a note.
func (d *drawing) step(s *Step) {
	class := classes[s.Kind]
	if s.Folded == 0 {
		d.text(d.left-14, d.y+13, "end", "time", wording.Precise(s.At))
	}
	anchor, x := "start", d.left+12
	if s.Way == In {
		anchor, x = "end", d.right-12
	}
	columns, lines := d.columns-2, d.lines
	if s.Way == Here {
		lines = d.noteLines
		fmt.Fprintf(&d.b, `<circle class="%s" cx="%d" cy="%d" r="3"/>`, class, d.left, d.y+9)
	}
	for _, l := range safe.Wrap(s.Text, columns, lines) {
		d.text(x, d.y+13, anchor, class, l)
		d.y += lineHeight
	}
	if s.Way != Here {
		d.arrow(s.Way, class)
		d.y += 10
	}
	d.y += 6
}

// arrow draws the way of a message between the lanes.
func (d *drawing) arrow(way Way, class string) {
	from, to, back := d.left, d.right, -7
	if way == In {
		from, to, back = d.right, d.left, 7
	}
	y := d.y + 4
	fmt.Fprintf(&d.b, `<path class="arrow %s" d="M%d %dH%d"/>`, class, from, y, to+back)
	fmt.Fprintf(&d.b, `<path class="head %s" d="M%d %dl%d -4v8z"/>`, class, to, y, back)
}
