package termtest

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/runenames"
)

// namedArms reads the arms of a box-drawing character from its Unicode name,
// such as "BOX DRAWINGS DOWN HEAVY AND RIGHT UP LIGHT".
func namedArms(r rune) (a arms, straight bool) {
	name := strings.TrimPrefix(runenames.Name(r), "BOX DRAWINGS ")
	for _, odd := range []string{"DASH", "ARC", "DIAGONAL"} {
		if strings.Contains(name, odd) {
			return arms{}, false
		}
	}
	weights := map[string]int{"LIGHT": light, "SINGLE": light, "HEAVY": heavy, "DOUBLE": double}
	words := strings.Fields(name)
	_, leads := weights[words[0]] // "LIGHT UP AND HEAVY DOWN", against "UP LIGHT AND DOWN HEAVY"
	if !leads {
		slices.Reverse(words)
	}
	weight := none
	for _, w := range words {
		if n, ok := weights[w]; ok {
			weight = n
		}
		switch w {
		case "LEFT":
			a.left = weight
		case "RIGHT":
			a.right = weight
		case "UP":
			a.up = weight
		case "DOWN":
			a.down = weight
		case "HORIZONTAL":
			a.left, a.right = weight, weight
		case "VERTICAL":
			a.up, a.down = weight, weight
		}
	}
	return a, true
}

func TestArmsAreThoseOfTheUnicodeNames(t *testing.T) {
	for r := rune(0x2500); r <= 0x257F; r++ {
		want, straight := namedArms(r)
		if got, ok := lineArms[r]; ok != straight || got != want {
			t.Errorf("%c is %+v (%v), its name says %+v (%v)", r, got, ok, want, straight)
		}
		_, dashed := dashes[r]
		_, curved := curves[r]
		if !straight && !dashed && !curved {
			t.Errorf("%c is not drawn", r)
		}
	}
}

// raster is which pixels of a cell are inked.
func raster(boxes []box) (ink [cellHeight][cellWidth]bool, inside bool) {
	inside = true
	for _, b := range boxes {
		for y := b.y; y < b.y+b.h; y++ {
			for x := b.x; x < b.x+b.w; x++ {
				if x < 0 || y < 0 || x >= cellWidth || y >= cellHeight {
					inside = false
					continue
				}
				ink[y][x] = true
			}
		}
	}
	return ink, inside
}

// Lines must meet those of the neighbouring cells: what reaches a side depends
// on the weight of that arm alone. And within the cell the arms must meet.
func TestLinesJoin(t *testing.T) {
	straight := map[int]rune{light: '─', heavy: '━', double: '═'}
	upright := map[int]rune{light: '│', heavy: '┃', double: '║'}
	for r, a := range lineArms {
		got, inside := raster(lineBoxes(a))
		if !inside {
			t.Errorf("%c leaves its cell", r)
		}
		across, _ := raster(lineBoxes(lineArms[straight[max(a.left, light)]]))
		for y := range cellHeight {
			if want := a.left != none && across[y][0]; got[y][0] != want {
				t.Errorf("%c at its left side, row %d: %v", r, y, got[y][0])
			}
		}
		across, _ = raster(lineBoxes(lineArms[straight[max(a.right, light)]]))
		for y := range cellHeight {
			if want := a.right != none && across[y][0]; got[y][cellWidth-1] != want {
				t.Errorf("%c at its right side, row %d: %v", r, y, got[y][cellWidth-1])
			}
		}
		along, _ := raster(lineBoxes(lineArms[upright[max(a.up, light)]]))
		for x := range cellWidth {
			if want := a.up != none && along[0][x]; got[0][x] != want {
				t.Errorf("%c at its top, column %d: %v", r, x, got[0][x])
			}
		}
		along, _ = raster(lineBoxes(lineArms[upright[max(a.down, light)]]))
		for x := range cellWidth {
			if want := a.down != none && along[0][x]; got[cellHeight-1][x] != want {
				t.Errorf("%c at its bottom, column %d: %v", r, x, got[cellHeight-1][x])
			}
		}
		if parts, most := pieces(got), wantPieces(a); parts != most {
			t.Errorf("%c consists of %d pieces, want %d", r, parts, most)
		}
	}
}

// wantPieces is how many connected pieces a character has: one, except that
// double lines are two strands and their crossings part them further.
func wantPieces(a arms) int {
	doubles := 0
	for _, w := range []int{a.left, a.right, a.up, a.down} {
		if w == double {
			doubles++
		}
	}
	horizontal, vertical := a.left == double || a.right == double, a.up == double || a.down == double
	crossed := a.up != none || a.down != none
	if !horizontal {
		crossed = a.left != none || a.right != none
	}
	switch {
	case horizontal && vertical:
		return doubles // ╔ 2, ╦ 3, ╬ 4
	case doubles == 2 && !crossed:
		return 2 // ═ ║
	case doubles == 2 && (a.up == none) != (a.down == none):
		return 2 // ╤ ╧: the single line touches the nearer strand
	case doubles == 2 && (a.left == none) != (a.right == none):
		return 2 // ╟ ╢
	default:
		return 1
	}
}

// pieces counts the connected pieces of ink, corners touching or not.
func pieces(ink [cellHeight][cellWidth]bool) int {
	n := 0
	var erase func(x, y int)
	erase = func(x, y int) {
		if x < 0 || y < 0 || x >= cellWidth || y >= cellHeight || !ink[y][x] {
			return
		}
		ink[y][x] = false
		erase(x-1, y)
		erase(x+1, y)
		erase(x, y-1)
		erase(x, y+1)
	}
	for y := range cellHeight {
		for x := range cellWidth {
			if ink[y][x] {
				n++
				erase(x, y)
			}
		}
	}
	return n
}

func TestBlocksStayInTheirCell(t *testing.T) {
	for r := rune(0x2580); r <= 0x259F; r++ {
		if _, shade := shades[r]; shade {
			continue
		}
		boxes := blockBoxes(r)
		if _, inside := raster(boxes); !inside || len(boxes) == 0 {
			t.Errorf("%c is %v", r, boxes)
		}
	}
	full, _ := raster(blockBoxes('█'))
	for _, halves := range [][2]rune{{'▀', '▄'}, {'▌', '▐'}, {'▞', '▚'}, {'▘', '▟'}, {'▝', '▙'}, {'▖', '▜'}, {'▗', '▛'}} {
		both, _ := raster(append(blockBoxes(halves[0]), blockBoxes(halves[1])...))
		if both != full {
			t.Errorf("%c and %c do not fill a cell", halves[0], halves[1])
		}
	}
}

func TestBrailleDots(t *testing.T) {
	for r := rune(0x2800); r <= 0x28FF; r++ {
		ink, inside := raster(brailleBoxes(r))
		dots := 0
		for bit := range 8 {
			dots += int(r>>bit) & 1
		}
		if !inside || pieces(ink) != dots {
			t.Errorf("%c has %d dots, want %d", r, pieces(ink), dots)
		}
	}
	// ⠁ is dot 1, top left; ⢀ is dot 8, bottom right.
	if a, b := brailleBoxes('⠁')[0], brailleBoxes('⢀')[0]; a.x >= midX || a.y >= midY/2 || b.x < midX || b.y < midY {
		t.Errorf("dot 1 is at %v, dot 8 at %v", a, b)
	}
}
