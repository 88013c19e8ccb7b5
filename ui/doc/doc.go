// Package doc makes text that is scrolled: lines of styled spans, wrapped to a
// width. A document is built once for what it shows and drawn a screenful at a
// time, so that a result of a hundred thousand lines costs no more to look at
// than one of ten.
//
// A document goes by lines, and so do the lists of belay, with a thumb at the edge
// that says where one is. The paginator of Bubbles was weighed and not taken: it
// goes by pages, on whose borders what a search has found loses the lines around
// it, and a list that grows at its top moves a row to another page while one reads it.
package doc

import (
	"strings"
	"unicode/utf8"

	"belay/internal/safe"
	"belay/ui/canvas"
)

// Span is text of one style.
type Span struct {
	Text  safe.Text
	Style canvas.Style

	joint joint // in the first span of a line
}

// Line is one line of a document.
type Line []Span

// String is the line without its styles.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(string(s.Text))
	}
	return b.String()
}

// Doc is a document that is built for one width. Make one with [New].
type Doc struct {
	Lines []Line
	width int
	max   int  // lines that are kept
	cut   bool // something was not kept

	from, to int // the lines to be seen first

	bounded bool
	left    int // of the bytes that may be read, where that is bounded

	long bool  // see MarkLong
	scan *scan // who looks through the lines, which are not kept then
	gone int   // lines that were looked through
}

// minWidth is what lines are wrapped to in a pane that is narrower still.
const minWidth = 8

// New is an empty document for lines of width columns, of at most so many lines.
func New(width, most int) *Doc { return &Doc{width: width, max: most} }

// Width is the width that lines are wrapped to.
func (d *Doc) Width() int { return d.width }

// AddLine appends a line as it is, which the caller made to fit.
func (d *Doc) AddLine(l Line) { d.push(l) }

// IsFull reports whether the document has no room left, so that further lines are not
// kept.
func (d *Doc) IsFull() bool {
	if d.scan != nil {
		return d.scan.over
	}
	return len(d.Lines) >= d.max || d.bounded && d.left <= 0
}

// MarkLong notes that there may be more to find in what the document is written from
// than the document holds.
func (d *Doc) MarkLong() { d.long = true }

// IsLong reports whether [Doc.MarkLong] was called.
func (d *Doc) IsLong() bool { return d.long }

// Point says which lines are to be seen before anybody scrolls: those from one on, and
// before another.
func (d *Doc) Point(from, to int) { d.from, d.to = from, to }

// Top is the first of h lines that are drawn before anybody scrolls: as far up as the lines
// that are to be seen allow, and the first of these where there are more than h.
func (d *Doc) Top(h int) int { return max(0, min(d.from, d.to-h)) }

// Bound bounds how many bytes of foreign text are read for the document.
func (d *Doc) Bound(n int) { d.bounded, d.left = true, n }

// MarkCut notes that the caller has left something out.
func (d *Doc) MarkCut() { d.cut = true }

// Read takes n bytes of foreign text, and returns how many of them may be read.
func (d *Doc) Read(n int) int {
	if !d.bounded || d.scan != nil {
		return n
	}
	most := max(0, min(n, d.left))
	d.left -= n
	d.cut = d.cut || most < n
	return most
}

// IsCut reports whether something was not kept.
func (d *Doc) IsCut() bool { return d.cut }

// Add appends one line, wrapped. Wrapped lines are indented by hang columns.
func (d *Doc) Add(hang int, spans ...Span) {
	hang = min(hang, max(0, d.width-minWidth))
	var cur Line
	used := 0
	for _, s := range spans {
		for t := s.Text; t != "" && (d.scan == nil || !d.scan.over); {
			if w := width(t, d.width-used); w <= d.width-used {
				cur = append(cur, Span{Text: t, Style: s.Style})
				used += w
				break
			}
			room := d.width - used
			if room < minWidth && used > hang {
				d.push(cur)
				cur, used = indented(hang, glued), hang
				continue
			}
			head, rest, j := split(t, max(room, 1))
			d.push(append(cur, Span{Text: head, Style: s.Style}))
			t = rest
			cur, used = indented(hang, j), hang
		}
	}
	d.push(cur)
}

// indented is the beginning of a line that goes on with the one above.
func indented(hang int, j joint) Line {
	return Line{{Text: safe.Text(strings.Repeat(" ", hang)), joint: j}}
}

// Blank appends an empty line.
func (d *Doc) Blank() { d.push(nil) }

func (d *Doc) push(l Line) {
	if d.IsFull() {
		d.cut = true
		return
	}
	d.Lines = append(d.Lines, l)
	if d.scan != nil && len(d.Lines) > scanned {
		d.look(len(d.Lines) - 1) // a comma may still be added to the last one
	}
}

// Text appends foreign text of several lines, each behind a mark that says
// whose words they are.
func (d *Doc) Text(lines []safe.Text, mark Span, style canvas.Style) {
	for _, l := range lines {
		if d.IsFull() {
			d.cut = true
			return
		}
		rest, mark := l, mark
		for {
			var head safe.Text
			var j joint
			head, rest, j = split(rest, max(d.width-safe.Width(mark.Text), minWidth))
			d.push(Line{mark, {Text: head, Style: style}})
			mark.joint = j
			if rest == "" || d.IsFull() {
				break
			}
		}
	}
}

// Labelled appends a text of any number of lines, each wrapped: the first behind
// its label, the others below the first. Lines are shown as far as they are read.
func (d *Doc) Labelled(label []Span, text string, style canvas.Style) {
	hang := 0
	for _, s := range label {
		hang += safe.Width(s.Text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if d.Read(1 + min(len(line), utf8.UTFMax*maxScalar)); d.IsFull() {
			d.cut = true
			return
		}
		d.Add(hang, append(label[:len(label):len(label)], Span{Text: safe.LineN(line, maxScalar), Style: style})...)
		label = []Span{{Text: safe.Text(strings.Repeat(" ", hang))}}
	}
}

// width is how many columns t takes. A text that takes more than limit is not measured
// whole: its width is then a number above limit.
func width(t safe.Text, limit int) int {
	if len(t) > (limit+1)*40 {
		return limit + 1
	}
	return safe.Width(t)
}

// split takes from t what fits in a line of w columns. The joint says how the rest goes
// on with it.
func split(t safe.Text, w int) (head, rest safe.Text, j joint) {
	prefix := t
	if len(t) > w*40 {
		n := w * 40
		for n > 0 && !utf8.RuneStart(t[n]) {
			n--
		}
		prefix = t[:n]
	}
	first := safe.Wrap(prefix, w, 2)
	if len(first) < 2 {
		return prefix, t[len(prefix):], glued
	}
	head = first[0]
	if !strings.HasPrefix(string(t), string(head)) { // a cluster wider than w
		_, size := utf8.DecodeRuneInString(string(t))
		return head, t[size:], glued
	}
	after, space := strings.CutPrefix(string(t[len(head):]), " ")
	if space {
		return head, safe.Text(after), spaced
	}
	return head, safe.Text(after), glued
}

// Draw draws the lines from top on.
func (d *Doc) Draw(g canvas.Region, top int) {
	for y := range g.H() {
		if i := top + y; i >= 0 && i < len(d.Lines) {
			d.Lines[i].Draw(g, 0, y)
		}
	}
}

// Draw draws the line and returns the column behind it.
func (l Line) Draw(g canvas.Region, x, y int) int {
	for _, s := range l {
		x = g.Put(x, y, s.Text, s.Style)
	}
	return x
}

// Append appends another document of the same width.
func (d *Doc) Append(o *Doc) {
	for _, l := range o.Lines {
		d.push(l)
	}
	d.cut = d.cut || o.cut
}

// AddLast appends a note of belay's, also to a document that is full. No search finds it.
func (d *Doc) AddLast(note Line) { d.Lines = append(d.Lines, note.as(aside)) }
