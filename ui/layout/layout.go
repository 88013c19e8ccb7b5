// Package layout says where everything on the screen is: a pure function from
// the size of the terminal and the state of the panes to rectangles. Its tests
// are pictures.
package layout

import "image"

// Pane is one of the three panes, in the order of their number keys.
type Pane uint8

// The panes.
const (
	Calls Pane = iota
	Detail
	Wire
	NumPanes
)

func (p Pane) String() string { return [...]string{"calls", "detail", "wire"}[p] }

// Mode is how much room there is.
type Mode uint8

// The modes.
const (
	Tiny  Mode = iota // one line, which still takes x and q
	Stack             // calls over detail over wire; where that is too low, the detail in the place of the calls
	Three             // calls and detail side by side over wire
)

// Where the modes begin.
const (
	MinWidth   = 60
	MinHeight  = 15
	ThreeWidth = 140 // the least in which the calls say as much as in 100 columns, beside the whole timeline
)

// From which heights on there is room for calls over the detail.
const (
	bothHeight  = 13
	leastDetail = 5 // with its frame
)

// readDetail is the width of a detail beside the calls, with its frame, in which it can
// still be read.
const readDetail = 48

// Zoom is how much of the screen the focused pane takes.
type Zoom uint8

// The zoom steps.
const (
	Normal Zoom = iota
	Large       // most of it
	Full        // all of it
)

// Wish is whether the user wants to see the wire pane.
type Wish uint8

// The wishes.
const (
	WhereRoom Wish = iota // nothing was said: it is shown beside all the others
	On
	Off
)

// In reports whether the wire pane is to be shown on a screen of a width.
func (w Wish) In(width int) bool { return w == On || w == WhereRoom && width >= ThreeWidth }

// Input is what the layout depends on.
type Input struct {
	W, H  int
	Focus Pane
	Wire  Wish
	// Notice is how many rows stand above the calls, and are read before anything else.
	Notice int
	// Rows is how many lines the table has had below its head at most.
	Rows int
	// Names is the least width of the calls with whole names, All the one with METHOD and the
	// usual states beside them, Timeline that of the detail with a whole cancel. These widths
	// have frames, and grow with longer names alone: states move no border.
	Names, All, Timeline int
	Zoom                 Zoom
	// DetailOpen keeps the detail in the place of the calls also while the wire has the
	// focus, where there is no room for both.
	DetailOpen bool
}

// Layout is where everything is. Rectangles that are not shown are empty.
type Layout struct {
	Mode   Mode
	Header image.Rectangle
	Panes  [NumPanes]image.Rectangle
	Footer image.Rectangle // hints, the status line, and lines of input
	Body   image.Rectangle // the panes together; dialogs are drawn over it
}

// Compute lays the screen out.
func Compute(in Input) Layout {
	if in.W < MinWidth || in.H < MinHeight {
		return Layout{Mode: Tiny, Footer: image.Rect(0, 0, max(in.W, 0), min(max(in.H, 0), 1))}
	}
	l := Layout{
		Mode:   Stack,
		Header: image.Rect(0, 0, in.W, 1),
		Body:   image.Rect(0, 1, in.W, in.H-1),
		Footer: image.Rect(0, in.H-1, in.W, in.H),
	}
	if in.W >= ThreeWidth {
		l.Mode = Three
	}
	if in.Zoom == Full {
		l.Panes[in.Focus] = l.Body
		return l
	}
	top := l.Body
	if in.Wire.In(in.W) || in.Focus == Wire {
		top.Max.Y -= wireHeight(in, l.Body.Dy())
		l.Panes[Wire] = image.Rect(0, top.Max.Y, in.W, l.Body.Max.Y)
	}
	switch {
	case l.Mode == Three:
		split := callsWidth(in)
		l.Panes[Calls] = image.Rect(0, top.Min.Y, split, top.Max.Y)
		l.Panes[Detail] = image.Rect(split, top.Min.Y, in.W, top.Max.Y)
	case top.Dy() >= bothHeight && (in.Focus == Detail || top.Dy() >= in.withNotice()+leastDetail):
		split := top.Min.Y + callsHeight(in, top.Dy())
		l.Panes[Calls] = image.Rect(0, top.Min.Y, in.W, split)
		l.Panes[Detail] = image.Rect(0, split, in.W, top.Max.Y)
	case in.Focus == Detail || in.Focus == Wire && in.DetailOpen:
		l.Panes[Detail] = top
	default:
		l.Panes[Calls] = top
	}
	return l
}

// wireHeight leaves the panes above at least half of the body, unless the
// wire pane is the one that was enlarged.
func wireHeight(in Input, body int) int {
	switch {
	case in.Zoom == Large && in.Focus == Wire:
		return body * 3 / 4
	case in.Zoom == Large:
		return max(4, body/5)
	case in.Focus == Wire:
		return max(6, body*2/5)
	}
	return max(5, body*3/10)
}

// callsHeight leaves the detail below the calls the greater part, as a call is one line
// there: the more so when it is read, and all that the calls have no lines for.
func callsHeight(in Input, top int) int {
	switch {
	case in.Zoom == Large && in.Focus == Calls:
		return top - max(4, top/4)
	case in.Zoom == Large && in.Focus == Detail:
		return 4
	}
	whole := max(in.Rows, usualRows) + aroundRows
	if in.Notice > 0 {
		whole += in.Notice + 1
	}
	if in.Focus == Detail {
		return max(leastCalls, min(top/4, whole))
	}
	return max(leastCalls, min(top*2/5, whole), in.withNotice(), min(in.withTable(), top-top*2/5))
}

// withNotice is the height of the calls when what stands above them is seen whole, and
// two of them; 0: nothing stands there.
func (in Input) withNotice() int {
	if in.Notice == 0 {
		return 0
	}
	return in.Notice + aroundTable + 2
}

// withTable is the height of the calls when all of them are seen below what stands above
// them; 0: nothing stands there.
func (in Input) withTable() int {
	if in.Notice == 0 {
		return 0
	}
	return in.Notice + aroundTable + in.Rows
}

// What is around the rows of the table: its frame and the names of the columns, and the
// rule below a notice. Two rows are the least; where there is room, a third one tells of what
// is folded away.
const (
	usualRows   = 3
	aroundRows  = 3
	aroundTable = aroundRows + 1
	leastCalls  = aroundRows + 2
)

// callsWidth leaves the detail what the timeline needs, and of the rest at least so much as
// the calls need. For names that would be cut the detail gives more, while it can be read.
func callsWidth(in Input) int {
	switch {
	case in.Zoom == Large && in.Focus == Calls:
		return in.W * 3 / 4
	case in.Zoom == Large && in.Focus == Detail:
		return in.W * 2 / 5
	}
	beside := in.W - max(readDetail, in.Timeline)
	calls := max(min(in.W*29/50, beside), min(in.All, beside), in.Names, in.W*2/5)
	return min(calls, in.W-readDetail)
}

// Foot is the leftmost of the panes that are lowest, at the foot of which a sentence can
// stand.
func (l Layout) Foot() image.Rectangle {
	foot := image.Rectangle{}
	for _, r := range l.Panes {
		if r.Max.Y == l.Body.Max.Y && !r.Empty() && (foot.Empty() || r.Min.X < foot.Min.X) {
			foot = r
		}
	}
	return foot
}

// PaneAt is the pane at a point of the screen.
func (l Layout) PaneAt(at image.Point) (Pane, bool) {
	for p, r := range l.Panes {
		if at.In(r) {
			return Pane(p), true
		}
	}
	return 0, false
}

// Center is the rectangle of at most w × h in the middle of the body.
func (l Layout) Center(w, h int) image.Rectangle {
	w, h = min(w, l.Body.Dx()), min(h, l.Body.Dy())
	x := l.Body.Min.X + (l.Body.Dx()-w)/2
	y := l.Body.Min.Y + (l.Body.Dy()-h)/2
	return image.Rect(x, y, x+w, y+h)
}
