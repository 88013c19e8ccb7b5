package layout

import (
	"image"
	"slices"
	"strings"
	"testing"
)

func TestPictures(t *testing.T) {
	for _, tt := range []struct {
		name       string
		in         Input
		cols, rows int
		want       string
	}{
		{"three panes", Input{W: 140, H: 20, Wire: On}, 10, 1, `
			hhhhhhhhhhhhhh
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			33333333333333
			33333333333333
			33333333333333
			33333333333333
			33333333333333
			ffffffffffffff`},
		{"without the wire", Input{W: 140, H: 15, Wire: Off}, 10, 2, `
			hhhhhhhhhhhhhh
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			11111111122222
			ffffffffffffff`},
		{"not wide enough for both side by side", Input{W: 139, H: 20, Rows: 20}, 10, 2, `
			hhhhhhhhhhhhhh
			11111111111111
			11111111111111
			11111111111111
			22222222222222
			22222222222222
			22222222222222
			22222222222222
			22222222222222
			22222222222222`},
		{"calls over detail", Input{W: 80, H: 24, Rows: 20}, 10, 2, `
			hhhhhhhh
			11111111
			11111111
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222`},
		{"few calls over detail", Input{W: 80, H: 24, Rows: 1}, 10, 2, `
			hhhhhhhh
			11111111
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222`},
		{"the detail is read", Input{W: 80, H: 24, Focus: Detail}, 10, 2, `
			hhhhhhhh
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222
			22222222`},
		{"calls over detail over wire", Input{W: 80, H: 24, Wire: On, Rows: 20}, 10, 2, `
			hhhhhhhh
			11111111
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222
			22222222
			33333333
			33333333
			33333333`},
		{"too low for both: calls over wire", Input{W: 80, H: 16, Wire: On}, 10, 3, `
			hhhhhhhh
			11111111
			11111111
			11111111
			33333333
			ffffffff`},
		{"too low for both: the detail in the place of the calls", Input{W: 80, H: 16, Focus: Detail, Wire: On}, 10, 3, `
			hhhhhhhh
			22222222
			22222222
			22222222
			33333333
			ffffffff`},
		{"large calls over detail", Input{W: 80, H: 24, Zoom: Large}, 10, 4, `
			hhhhhhhh
			11111111
			11111111
			11111111
			11111111
			22222222`},
		{"large detail below calls", Input{W: 80, H: 24, Focus: Detail, Zoom: Large}, 10, 4, `
			hhhhhhhh
			11111111
			22222222
			22222222
			22222222
			22222222`},
		{"a notice above the calls", Input{W: 80, H: 24, Notice: 8}, 10, 2, `
			hhhhhhhh
			11111111
			11111111
			11111111
			11111111
			11111111
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222`},
		{"a notice above many calls", Input{W: 80, H: 30, Notice: 6, Rows: 5}, 10, 3, `
			hhhhhhhh
			11111111
			11111111
			11111111
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222`},
		{"a notice above too many calls", Input{W: 80, H: 30, Notice: 6, Rows: 50}, 10, 3, `
			hhhhhhhh
			11111111
			11111111
			11111111
			11111111
			11111111
			22222222
			22222222
			22222222
			22222222`},
		{"a notice that leaves no room", Input{W: 80, H: 24, Notice: 12}, 10, 4, `
			hhhhhhhh
			11111111
			11111111
			11111111
			11111111
			11111111`},
		{"full zoom", Input{W: 140, H: 16, Focus: Wire, Zoom: Full}, 20, 3, `
			hhhhhhh
			3333333
			3333333
			3333333
			3333333
			fffffff`},
		{"large detail", Input{W: 140, H: 16, Focus: Detail, Zoom: Large, Wire: Off}, 10, 5, `
			hhhhhhhhhhhhhh
			11111122222222
			11111122222222
			ffffffffffffff`},
		{"too small", Input{W: 59, H: 40, Wire: On}, 10, 1, `
			ffffff`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := strings.ReplaceAll(strings.TrimPrefix(tt.want, "\n"), "\t", "") + "\n"
			if got := Compute(tt.in).picture(tt.cols, tt.rows); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Whatever the size, the focused pane is shown, nothing overlaps, and every
// cell between header and footer belongs to a pane.
func TestEverySizeIsCovered(t *testing.T) {
	for w := 0; w <= 200; w += 7 {
		for h := 0; h <= 60; h++ {
			for state := range 27 {
				in := Input{W: w, H: h, Focus: Pane(state % 3), Wire: Wish(state / 3 % 3), Zoom: Zoom(state / 9), Notice: (w + h) % 15, Rows: w % 12}
				check(t, in, Compute(in))
			}
		}
	}
}

func check(t *testing.T, in Input, l Layout) {
	t.Helper()
	if l.Mode == Tiny {
		return
	}
	if l.Panes[in.Focus].Empty() {
		t.Fatalf("%+v: the focused pane is not shown", in)
	}
	cells := 0
	all := append(l.Panes[:], l.Header, l.Footer)
	for i, a := range all {
		cells += a.Dx() * a.Dy()
		if !a.Empty() && !a.In(image.Rect(0, 0, in.W, in.H)) {
			t.Fatalf("%+v: %v is off the screen", in, a)
		}
		for _, b := range all[:i] {
			if a.Overlaps(b) {
				t.Fatalf("%+v: %v overlaps %v", in, a, b)
			}
		}
	}
	if cells != in.W*in.H {
		t.Fatalf("%+v: %d of %d cells are covered", in, cells, in.W*in.H)
	}
	for p, r := range l.Panes {
		if !r.Empty() && r.Dy() < 4 {
			t.Fatalf("%+v: pane %d has %d rows", in, p, r.Dy())
		}
	}
}

// A sentence has its place at the foot of a pane that lies on the last line, as far to the
// left as panes begin.
func TestTheFootIsThatOfTheLowestPane(t *testing.T) {
	for w := MinWidth; w <= 160; w += 20 {
		for h := MinHeight; h <= 40; h++ {
			for state := range 27 {
				l := Compute(Input{W: w, H: h, Focus: Pane(state % 3), Wire: Wish(state / 3 % 3), Zoom: Zoom(state / 9)})
				foot := l.Foot()
				if foot.Min.X != 0 || foot.Max.Y != l.Footer.Min.Y || !slices.Contains(l.Panes[:], foot) {
					t.Fatalf("%d×%d, state %d: the foot is %v of %v", w, h, state, foot, l.Panes)
				}
			}
		}
	}
}

// The detail has the room of the timeline, and the calls what they need of the rest. For names
// that would be cut the detail gives more, as long as it can be read.
func TestTheDividerStandsWhereBothHaveTheirNeed(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		w, names, all, timeline int
		calls                   int
	}{
		{"as much as both need", 140, 50, 78, 59, 81},
		{"usual parts of a wide screen", 200, 50, 78, 59, 116},
		{"all that the calls say", 200, 90, 130, 59, 130},
		{"the timeline goes before METHOD and long states", 140, 70, 100, 59, 81},
		{"names go before the timeline", 140, 88, 120, 59, 88},
		{"the detail can be read", 140, 120, 150, 59, 92},
		{"a long reason", 140, 60, 78, 75, 65},
		{"a reason that is too long", 140, 40, 50, 120, 56},
	} {
		in := Input{W: tt.w, H: 30, Names: tt.names, All: tt.all, Timeline: tt.timeline}
		l := Compute(in)
		if w := l.Panes[Calls].Dx(); w != tt.calls {
			t.Errorf("%s: the calls have %d columns, want %d", tt.name, w, tt.calls)
		}
		check(t, in, l)
	}
}
