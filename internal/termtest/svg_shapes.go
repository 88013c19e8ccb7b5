package termtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// box is a filled rectangle within a cell, in pixels from its top left corner.
type box struct{ x, y, w, h int }

// crispFrom is how thick a box is whose edges are drawn crisp, in pixels. In a picture that is
// shown at a part of its size a thinner box with crisp edges can fall between two rows of pixels
// and is then not drawn at all; a thicker one needs them to join its neighbour without a seam.
const crispFrom = 3

// isThin reports whether the edges of the box are to be smooth.
func (b box) isThin() bool { return min(b.w, b.h) < crispFrom }

// The middle of a cell. A light line is one pixel thick and begins here.
const (
	midX = cellWidth / 2
	midY = cellHeight / 2
)

// isShape reports whether a cluster is drawn as a shape rather than as text.
func isShape(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == len(text) && (r >= 0x2500 && r <= 0x259F || r >= 0x2800 && r <= 0x28FF)
}

// shapes draws box-drawing, block and braille characters, as few elements as
// the colours allow.
func (d *drawing) shapes(y int) {
	var boxes []box
	var strokes strings.Builder
	var color Color
	flush := func() {
		d.boxes(boxes, d.fill(color))
		if strokes.Len() > 0 {
			d.printf(`<path d="%s" fill="none" stroke="%s"/>`+"\n", strokes.String(), color)
		}
		boxes = boxes[:0]
		strokes.Reset()
	}
	for x := range d.screen.Cols {
		text, k := d.screen.Cell(x, y).Text, d.ink(x, y)
		if k.hidden || !isShape(text) || d.isTurning(x, y) {
			continue
		}
		if k.fg != color {
			flush()
			color = k.fg
		}
		r, _ := utf8.DecodeRuneInString(text)
		left, top := x*cellWidth, y*cellHeight
		if shade, ok := shades[r]; ok {
			d.rect(left, top, cellWidth, cellHeight, k.fg.mix(k.bg, shade))
			continue
		}
		if path, ok := curves[r]; ok {
			fmt.Fprintf(&strokes, "M%d %d%s", left, top, path)
			continue
		}
		for _, b := range shapeBoxes(r) {
			boxes = appendBox(boxes, box{left + b.x, top + b.y, b.w, b.h})
		}
	}
	flush()
}

// boxes draws boxes with attributes: the thin ones together, and so the others.
func (d *drawing) boxes(boxes []box, attrs string) {
	for _, thin := range []bool{true, false} {
		edges := ` shape-rendering="crispEdges"`
		if thin {
			edges = ""
		}
		if path := boxPath(boxes, thin); path != "" {
			d.printf(`<path d="%s"%s%s/>`+"\n", path, attrs, edges)
		}
	}
}

// appendBox adds a box, and joins it to the box that ends where it begins: a
// border is a single box, not a box for each cell.
func appendBox(boxes []box, b box) []box {
	for i := len(boxes) - 1; i >= 0; i-- {
		if last := &boxes[i]; last.y == b.y && last.h == b.h && last.x <= b.x && b.x <= last.x+last.w {
			last.w = max(last.w, b.x+b.w-last.x)
			return boxes
		}
	}
	return append(boxes, b)
}

// boxPath is the path along the boxes that are thin, or along those that are not.
func boxPath(boxes []box, thin bool) string {
	var path strings.Builder
	for _, b := range boxes {
		if b.isThin() != thin {
			continue
		}
		fmt.Fprintf(&path, "M%d %dh%dv%dh-%dz", b.x, b.y, b.w, b.h, b.w)
	}
	return path.String()
}

// shapeBoxes is what a character without curves and shades consists of.
func shapeBoxes(r rune) []box {
	switch {
	case r >= 0x2800:
		return brailleBoxes(r)
	case r >= 0x2580:
		return blockBoxes(r)
	default:
		if dashed, ok := dashes[r]; ok {
			return dashed.boxes()
		}
		return lineBoxes(lineArms[r])
	}
}

// curves are the characters that are stroked, as paths from the top left corner
// of the cell. They end in the middle of the cell's sides, where the light lines
// of the neighbours begin.
var curves = map[rune]string{
	'╭': "m9 10.5a4.5 4.5 0 0 0 -4.5 4.5v5",
	'╮': "m0 10.5a4.5 4.5 0 0 1 4.5 4.5v5",
	'╯': "m4.5 0v6a4.5 4.5 0 0 1 -4.5 4.5",
	'╰': "m4.5 0v6a4.5 4.5 0 0 0 4.5 4.5",
	'╱': "m9 0l-9 20",
	'╲': "l9 20",
	'╳': "l9 20m0 -20l-9 20",
}

// shades are how much of the foreground, in percent, the shade blocks show.
var shades = map[rune]int{'░': 25, '▒': 50, '▓': 75}

// blockBoxes draws the block elements, which fill eighths or quadrants.
func blockBoxes(r rune) []box {
	const w, h = cellWidth, cellHeight
	halfW, halfH := (w+1)/2, h/2
	eighth := func(n, of int) int { return (n*of + 4) / 8 }
	switch {
	case r == '▀':
		return []box{{0, 0, w, halfH}}
	case r >= '▁' && r <= '█':
		n := eighth(int(r-'▁')+1, h)
		return []box{{0, h - n, w, n}}
	case r >= '▉' && r <= '▏':
		return []box{{0, 0, max(1, eighth(7-int(r-'▉'), w)), h}}
	case r == '▐':
		return []box{{halfW, 0, w - halfW, h}}
	case r == '▔':
		return []box{{0, 0, w, eighth(1, h)}}
	case r == '▕':
		return []box{{w - 1, 0, 1, h}}
	}
	quadrants := [4]box{
		{0, 0, halfW, halfH},
		{halfW, 0, w - halfW, halfH},
		{0, halfH, halfW, h - halfH},
		{halfW, halfH, w - halfW, h - halfH},
	}
	// Upper left, upper right, lower left, lower right, of ▖ ▗ ▘ ▙ ▚ ▛ ▜ ▝ ▞ ▟.
	filled := []string{"0010", "0001", "1000", "1011", "1001", "1110", "1101", "0100", "0110", "0111"}
	var boxes []box
	for i, on := range filled[r-'▖'] {
		if on == '1' {
			boxes = append(boxes, quadrants[i])
		}
	}
	return boxes
}

// brailleBoxes draws the dots of a braille pattern, whose bits number them down
// the left column, then down the right one, the lowest pair last.
func brailleBoxes(r rune) []box {
	places := [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	var boxes []box
	for bit, at := range places {
		if r&(1<<bit) != 0 {
			boxes = append(boxes, box{2 + 4*at[0], 3 + 4*at[1], 2, 2})
		}
	}
	return boxes
}
