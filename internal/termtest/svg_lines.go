package termtest

import (
	"fmt"
	"strings"
)

// rule is the line under or through a cell.
type rule struct {
	kind    Underline
	through bool
	color   Color // of the underline
	fg      Color // of the strikethrough
}

func (d *drawing) rule(x, y int) rule {
	style, k := d.screen.Cell(x, y).Style, d.ink(x, y)
	if k.hidden {
		return rule{}
	}
	r := rule{kind: style.Underline, through: style.Has(Strikethrough)}
	if r.kind != UnderlineNone {
		r.color = d.screen.Theme.resolve(style.UnderlineColor, k.fg)
	}
	if r.through {
		r.fg = k.fg
	}
	return r
}

// lines draws underlines and strikethroughs, each as long as its run.
func (d *drawing) lines(y int) {
	for x := 0; x < d.screen.Cols; {
		r, start := d.rule(x, y), x
		for x < d.screen.Cols && d.rule(x, y) == r {
			x++
		}
		left, width, top := start*cellWidth, (x-start)*cellWidth, y*cellHeight
		d.underline(r, left, width, top+baseline+2)
		if r.through {
			d.rect(left, top+baseline-5, width, 1, r.fg)
		}
	}
}

func (d *drawing) underline(r rule, left, width, top int) {
	switch r.kind {
	case UnderlineNone:
	case UnderlineSingle:
		d.rect(left, top, width, 1, r.color)
	case UnderlineDouble:
		d.rect(left, top, width, 1, r.color)
		d.rect(left, top+2, width, 1, r.color)
	case UnderlineDotted:
		d.strokes(left, width, top, 1, 3, r.color)
	case UnderlineDashed:
		d.strokes(left, width, top, 5, 9, r.color)
	case UnderlineCurly:
		var wave strings.Builder
		fmt.Fprintf(&wave, "M%d %dq1.5 -3 3 0", left, top+1)
		for x := 3; x < width; x += 3 {
			wave.WriteString("t3 0")
		}
		d.printf(`<path d="%s" fill="none" stroke="%s"/>`+"\n", wave.String(), r.color)
	}
}

// strokes draws a broken line: length pixels of every step.
func (d *drawing) strokes(left, width, top, length, step int, c Color) {
	var path strings.Builder
	for x := 0; x < width; x += step {
		fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", left+x, top, length, length)
	}
	d.printf(`<path d="%s"%s/>`+"\n", path.String(), d.fill(c))
}
