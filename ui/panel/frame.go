package panel

import (
	"fmt"
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/write"
)

// Frame is what one frame is drawn with.
type Frame struct {
	Screen
	Canvas *canvas.Canvas
	Kept   int // rows at the foot of the screen that no box takes from the status line

	// Hint lists the keys that work in a place.
	Hint func(g canvas.Region, x int, where keymap.Scope)
	// Keys are the keys that do something in a place, with their words.
	Keys func(where keymap.Scope) safe.Text
	// LayOut makes a document, or its beginning when that takes long: the rest
	// follows. Of is what the document is called.
	LayOut func(of any, width int, build Build) *doc.Doc

	areas []Area
	boxes []image.Rectangle // that were drawn, the uppermost last
	panes []image.Rectangle // that are seen beside the boxes
}

// Build writes a document. It may be called beside the screen, and reads nothing
// that changes.
type Build func(w *write.Writer, s Screen)

// Area is a place of a frame that can be clicked.
type Area struct {
	At image.Rectangle
	Do func() tea.Cmd
}

// Areas are the places that can be clicked, beside the panes.
func (f *Frame) Areas() []Area { return f.areas }

// Cover takes the places away that can be clicked: what is drawn from now on covers
// them.
func (f *Frame) Cover() { f.areas = nil }

// OnClick makes a place one that can be clicked.
func (f *Frame) OnClick(at image.Rectangle, do func() tea.Cmd) {
	f.areas = append(f.areas, Area{at, do})
}

// leastAbove is the height from which on a pane that is cut off above a box still says
// something: the names of the columns, and a row of a table.
const leastAbove = 4

// mostAside is how many rows a box makes way for the title of a pane.
const mostAside = 2

// Box is a frame for a dialog in the middle of the screen, and the region
// inside it.
func (f *Frame) Box(w, h int, title safe.Text, style canvas.Style) canvas.Region {
	var r image.Rectangle
	if f.IsTiny() {
		r = image.Rect(0, 0, f.W, f.H)
	} else {
		r = f.aside(f.aboveStatus(f.Layout.Center(w+2, h+2)))
		f.coverPanes(r)
	}
	return f.box(r, title, style)
}

// BoxAt is such a frame in a place of its own.
func (f *Frame) BoxAt(r image.Rectangle, title safe.Text, style canvas.Style) canvas.Region {
	f.coverPanes(r)
	return f.box(r, title, style)
}

func (f *Frame) box(r image.Rectangle, title safe.Text, style canvas.Style) canvas.Region {
	g := f.Canvas.Region(r)
	g.Fill(canvas.Style{})
	in := g.Frame(f.Glyphs.Border, style)
	bold := style
	bold.Attr |= canvas.Bold
	g.Title(1, title, bold)
	return in
}

// Foot is how many rows of the screen lie below the uppermost box; all of them where
// there is none.
func (f *Frame) Foot() int {
	if len(f.boxes) == 0 {
		return f.H
	}
	return f.H - f.boxes[len(f.boxes)-1].Max.Y
}

// aboveStatus is the place of a box that leaves its rows to the status line: higher up, and
// where the box is as high as the screen it gives way.
func (f *Frame) aboveStatus(box image.Rectangle) image.Rectangle {
	if over := box.Max.Y - (f.H - f.Kept); over > 0 {
		box = box.Sub(image.Pt(0, min(over, box.Min.Y-f.Layout.Body.Min.Y)))
		box.Max.Y = min(box.Max.Y, f.H-f.Kept)
	}
	return box
}

// aside is the place of a box that makes way for the title of a pane, which would lie just
// under the foot of the box, and for the foot of the pane above that.
func (f *Frame) aside(box image.Rectangle) image.Rectangle {
	top := f.Layout.Body.Min.Y
	for _, pane := range f.Layout.Panes {
		covered := box.Max.Y - pane.Min.Y
		if pane.Min.Y > top && 0 <= covered && covered <= mostAside && box.Min.Y-covered-1 >= top+leastAbove {
			return box.Sub(image.Pt(0, covered+1))
		}
	}
	return box
}

// coverPanes cuts each pane that a box would tear off above the box, with its lower border:
// what is seen of a pane is a whole frame around whole lines. Of a pane of which too little
// is left nothing is seen.
func (f *Frame) coverPanes(box image.Rectangle) {
	f.hideBelow(box)
	f.boxes = append(f.boxes, box)
	if len(f.boxes) > 1 {
		return // a box is empty that another one lies in
	}
	if f.panes == nil {
		f.panes = f.Layout.Panes[:]
	}
	left := make([]image.Rectangle, 0, len(f.panes))
	for _, pane := range f.panes {
		if !pane.Overlaps(box) {
			left = append(left, pane)
			continue
		}
		cut := pane
		cut.Max.Y = box.Min.Y
		if cut.Dy() < leastAbove {
			cut.Max.Y = pane.Min.Y
		}
		f.Canvas.Region(image.Rect(pane.Min.X, cut.Max.Y, pane.Max.X, pane.Max.Y)).Fill(canvas.Style{})
		if !cut.Empty() {
			f.lowerBorder(cut)
			left = append(left, cut)
		}
	}
	f.panes = left
}

// lowerBorder draws the lower border of a pane.
func (f *Frame) lowerBorder(pane image.Rectangle) {
	g := f.Canvas.Region(image.Rect(pane.Min.X, pane.Max.Y-1, pane.Max.X, pane.Max.Y))
	b, style := f.Glyphs.Border, f.Styles.Frame
	g.Repeat(0, 0, g.W(), b.Horizontal, style)
	g.Repeat(0, 0, 1, b.BottomLeft, style)
	g.Repeat(g.W()-1, 0, 1, b.BottomRight, style)
	g.Tint(f.Styles.Behind)
}

// hideBelow empties the boxes that a box lies in: a form says nothing in halves. Those that
// it does not lie in would be torn, and are taken away.
func (f *Frame) hideBelow(box image.Rectangle) {
	kept := f.boxes[:0]
	for _, b := range f.boxes {
		if inside := b.Inset(1); box.In(inside) {
			f.Canvas.Region(inside).Fill(canvas.Style{})
			f.Canvas.Region(b).Tint(f.Styles.Behind)
			kept = append(kept, b)
			continue
		}
		f.Canvas.Region(b).Fill(canvas.Style{})
	}
	f.boxes = kept
}

// TinyLine is a dialog where there is but a line: what to press, and what for.
func (f *Frame) TinyLine(keys safe.Text, lines []safe.Text, style canvas.Style) {
	g := f.Canvas.All().Row(0)
	g.Fill(canvas.Style{})
	x := g.Put(0, 0, keys+"  ", style.Bold())
	for _, l := range lines {
		x = g.Put(x, 0, safe.Cut(l, g.W()-x), f.Styles.Text) + 1
	}
}

// Thumb shows at the right edge which part of n lines is seen.
func (f *Frame) Thumb(g canvas.Region, top, n int) {
	g.Thumb(top, n, f.Glyphs.ThumbOn, f.Styles.Faint)
}

// Select marks the row that the keys act on, or would if its pane had the focus. The bar
// marks it where a background cannot: with few colors, or none.
func (f *Frame) Select(g canvas.Region, focused bool) {
	look, bar := f.Styles.Selected, f.Styles.Accent
	if !focused {
		look, bar = f.Styles.SelectedDim, f.Styles.Muted
	}
	g.Tint(look)
	bar.BG = look.BG
	g.Put(0, 0, f.Glyphs.Bar, bar)
}

// Form draws a form, whose fields can be clicked then, and returns where the
// cursor is.
func (f *Frame) Form(v *formview.View, g canvas.Region) *image.Point {
	cursor, spots := v.Draw(g)
	for _, s := range spots {
		f.OnClick(s.At, func() tea.Cmd {
			s.Do()
			return nil
		})
	}
	return cursor
}

// PageWidth is what a page is at most wide: longer lines are hard to read.
const PageWidth = 110

// Segment is a text with its style.
type Segment struct {
	Text  safe.Text
	Style canvas.Style
}

// Draw draws the segment in the first row and returns the column behind it.
func (s Segment) Draw(g canvas.Region, x int) int { return g.Put(x, 0, s.Text, s.Style) }

// SegmentsWidth is how many columns segments take.
func SegmentsWidth(segments []Segment) int {
	n := 0
	for _, s := range segments {
		n += safe.Width(s.Text)
	}
	return n
}

// LeastSize is that of a terminal with more than a line.
var LeastSize = safe.Text(fmt.Sprintf("%d×%d", layout.MinWidth, layout.MinHeight))

// TooSmall is why something cannot be shown where there is but a line.
var TooSmall = "the terminal is too small: " + string(LeastSize) + " is the least"

// NeedsWords say how large the terminal has to be for more than a line.
func NeedsWords() safe.Text { return "needs " + LeastSize }
