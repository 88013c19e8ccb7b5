package layout

import (
	"image"
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
		{"without the wire", Input{W: 120, H: 15, Wire: Off}, 10, 2, `
			hhhhhhhhhhhh
			111111112222
			111111112222
			111111112222
			111111112222
			111111112222
			111111112222
			ffffffffffff`},
		{"calls over detail", Input{W: 80, H: 24}, 10, 2, `
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
		{"calls over detail over wire", Input{W: 80, H: 24, Wire: On}, 10, 2, `
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

// A sentence at the foot takes its rows from the lowest panes alone, and leaves each
// pane that is shown a line.
func TestTheLowestPanesGiveWay(t *testing.T) {
	for w := MinWidth; w <= 140; w += 20 {
		for h := MinHeight; h <= 40; h++ {
			for focus := range NumPanes {
				l := Compute(Input{W: w, H: h, Focus: focus})
				for rows := range 6 {
					got := l.GivingWay(rows)
					if got.Body.Max.Y != l.Body.Max.Y-rows {
						t.Fatalf("%d×%d: %d rows are given, want %d", w, h, l.Body.Max.Y-got.Body.Max.Y, rows)
					}
					for p, r := range got.Panes {
						was := l.Panes[p]
						low := was.Max.Y == l.Body.Max.Y
						switch {
						case r.Empty() && (was.Empty() || low && was.Dy()-rows < leastPane):
						case low && r.Max.Y == was.Max.Y-rows && r.Dy() >= leastPane, !low && r == was:
						default:
							t.Fatalf("%d×%d, %d rows: %v is %v, and was %v", w, h, rows, Pane(p), r, was)
						}
					}
				}
			}
		}
	}
}

// The detail takes what it is short of from the calls beside it, and nothing that they need:
// no other pane moves.
func TestTheDetailTakesWhatTheCallsDoNotNeed(t *testing.T) {
	for _, tt := range []struct {
		name       string
		in         Input
		need, want int
		calls      int
	}{
		{"what it is short of", Input{W: 130, H: 30}, 50, 60, 70},
		{"as much as the calls can spare", Input{W: 120, H: 30}, 65, 60, 65},
		{"nothing that the calls need", Input{W: 120, H: 30}, 90, 60, 72},
		{"no more than half", Input{W: 120, H: 30}, 20, 90, 60},
		{"it is wide enough", Input{W: 160, H: 30}, 20, 60, 92},
		{"one above the other", Input{W: 100, H: 30}, 20, 60, 100},
		{"the calls alone", Input{W: 140, H: 30, Zoom: Full}, 20, 60, 140},
	} {
		before := Compute(tt.in)
		got := before.Sharing(tt.need, tt.want)
		if w := got.Panes[Calls].Dx(); w != tt.calls {
			t.Errorf("%s: the calls have %d columns, want %d", tt.name, w, tt.calls)
		}
		check(t, tt.in, got)
		before.Panes[Calls], before.Panes[Detail] = got.Panes[Calls], got.Panes[Detail]
		if got != before {
			t.Errorf("%s: %+v, want %+v", tt.name, got, before)
		}
	}
}
