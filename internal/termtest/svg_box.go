package termtest

import "strings"

// The weights of a line.
const (
	none = iota
	light
	heavy
	double
)

// arms is the weight of the line from the middle of a cell to each side.
type arms struct{ left, right, up, down int }

// lineArms is the box-drawing characters that consist of straight arms.
var lineArms = parseArms(`
	─1100 ━2200 │0011 ┃0022
	┌0101 ┍0201 ┎0102 ┏0202 ┐1001 ┑2001 ┒1002 ┓2002
	└0110 ┕0210 ┖0120 ┗0220 ┘1010 ┙2010 ┚1020 ┛2020
	├0111 ┝0211 ┞0121 ┟0112 ┠0122 ┡0221 ┢0212 ┣0222
	┤1011 ┥2011 ┦1021 ┧1012 ┨1022 ┩2021 ┪2012 ┫2022
	┬1101 ┭2101 ┮1201 ┯2201 ┰1102 ┱2102 ┲1202 ┳2202
	┴1110 ┵2110 ┶1210 ┷2210 ┸1120 ┹2120 ┺1220 ┻2220
	┼1111 ┽2111 ┾1211 ┿2211 ╀1121 ╁1112 ╂1122 ╃2121
	╄1221 ╅2112 ╆1212 ╇2221 ╈2212 ╉2122 ╊1222 ╋2222
	═3300 ║0033
	╒0301 ╓0103 ╔0303 ╕3001 ╖1003 ╗3003
	╘0310 ╙0130 ╚0330 ╛3010 ╜1030 ╝3030
	╞0311 ╟0133 ╠0333 ╡3011 ╢1033 ╣3033
	╤3301 ╥1103 ╦3303 ╧3310 ╨1130 ╩3330
	╪3311 ╫1133 ╬3333
	╴1000 ╵0010 ╶0100 ╷0001 ╸2000 ╹0020 ╺0200 ╻0002
	╼1200 ╽0012 ╾2100 ╿0021
`)

// parseArms reads characters followed by the weights of their arms: left,
// right, up, down.
func parseArms(table string) map[rune]arms {
	m := make(map[rune]arms)
	for _, entry := range strings.Fields(table) {
		e := []rune(entry)
		weight := func(i int) int { return int(e[i] - '0') }
		m[e[0]] = arms{weight(1), weight(2), weight(3), weight(4)}
	}
	return m
}

// lineBoxes draws the arms. Horizontal and vertical are the same thing with x
// and y exchanged, so an arm is computed along its own axis and turned.
func lineBoxes(a arms) []box {
	var boxes []box
	horizontal := func(from, to, at, thick int) { boxes = append(boxes, box{from, at, to - from, thick}) }
	vertical := func(from, to, at, thick int) { boxes = append(boxes, box{at, from, thick, to - from}) }
	before(a.left, a.right, a.up, a.down, midX, midY, horizontal)
	after(a.right, a.left, a.up, a.down, midX, midY, cellWidth, horizontal)
	before(a.up, a.down, a.left, a.right, midY, midX, vertical)
	after(a.down, a.up, a.left, a.right, midY, midX, cellHeight, vertical)
	return boxes
}

// gap is how far the strands of a double line are from the middle.
const gap = 2

// before draws an arm from the side at 0 to the middle. opposite is the arm that
// goes on beyond the middle; low and high are the crossing arms on the side of
// the smaller and of the greater coordinate. mid is the middle along the arm,
// across the middle across it.
func before(weight, opposite, low, high, mid, across int, draw func(from, to, at, thick int)) {
	switch weight {
	case light, heavy:
		thick := 2*weight - 1
		draw(0, lineEnd(weight, opposite, low, high, mid, -1), across-thick/2, thick)
	case double:
		draw(0, strandEnd(low, high, mid, -1)+1, across-gap, 1)
		draw(0, strandEnd(high, low, mid, -1)+1, across+gap, 1)
	}
}

// after draws an arm from the middle to the side at end.
func after(weight, opposite, low, high, mid, across, end int, draw func(from, to, at, thick int)) {
	switch weight {
	case light, heavy:
		thick := 2*weight - 1
		draw(lineEnd(weight, opposite, low, high, mid, 1), end, across-thick/2, thick)
	case double:
		draw(strandEnd(low, high, mid, 1), end, across-gap, 1)
		draw(strandEnd(high, low, mid, 1), end, across+gap, 1)
	}
}

// lineEnd is where a single line ends near the middle; toward is -1 when it
// comes from 0, and 1 when it goes to the end.
func lineEnd(weight, opposite, low, high, mid, toward int) int {
	reach := 0 // how far beyond the middle's pixel, so that corners are filled
	switch {
	case low == double && high == double && opposite == none:
		reach = -gap // it ends at the nearer strand
	case low == double || high == double:
		reach = gap // it closes both strands
	case opposite == none || opposite < weight:
		reach = max(low, high, light) - 1
	}
	if toward < 0 {
		return mid + reach + 1
	}
	return mid - reach
}

// strandEnd is the last pixel of one strand of a double line: near is the
// crossing arm on the strand's own side, far the one on the other.
func strandEnd(near, far, mid, toward int) int {
	switch {
	case near == double:
		return mid + toward*gap // it turns into the nearer strand
	case far == double:
		return mid - toward*gap // it is the outside of a corner
	default:
		return mid
	}
}

// dash is a broken line: count strokes of a weight in a cell.
type dash struct {
	count, weight int
	vertical      bool
}

var dashes = map[rune]dash{
	'┄': {3, light, false}, '┅': {3, heavy, false}, '┆': {3, light, true}, '┇': {3, heavy, true},
	'┈': {4, light, false}, '┉': {4, heavy, false}, '┊': {4, light, true}, '┋': {4, heavy, true},
	'╌': {2, light, false}, '╍': {2, heavy, false}, '╎': {2, light, true}, '╏': {2, heavy, true},
}

func (d dash) boxes() []box {
	length, across := cellWidth, midY
	if d.vertical {
		length, across = cellHeight, midX
	}
	thick := 2*d.weight - 1
	var boxes []box
	for i := range d.count {
		from, to := i*length/d.count, (i+1)*length/d.count
		to -= max(1, (to-from)/3) // the pause
		b := box{from, across - thick/2, to - from, thick}
		if d.vertical {
			b = box{b.y, b.x, b.h, b.w}
		}
		boxes = append(boxes, b)
	}
	return boxes
}
