package doc

import (
	"bytes"
	"strings"

	"belay/internal/safe"
	"belay/ui/canvas"
)

// Find returns the lines that hold the text in any case, from top to bottom.
func (d *Doc) Find(text string) []int {
	if text == "" {
		return nil
	}
	text = strings.ToLower(text)
	var hits []int
	for i, l := range d.Lines {
		if strings.Contains(strings.ToLower(l.String()), text) {
			hits = append(hits, i)
		}
	}
	return hits
}

// Highlight marks where the text stands in the lines that are drawn, as
// [Doc.Draw] drew them.
func (d *Doc) Highlight(g canvas.Region, top int, text string, style canvas.Style) {
	if text == "" {
		return
	}
	text = strings.ToLower(text)
	for y := range g.H() {
		i := top + y
		if i < 0 || i >= len(d.Lines) {
			continue
		}
		line := d.Lines[i].String()
		low := strings.ToLower(line)
		if len(low) != len(line) { // a letter whose cases differ in length
			low = line
		}
		for from := 0; ; {
			at := strings.Index(low[from:], text)
			if at < 0 {
				break
			}
			at += from
			from = at + len(text)
			x := safe.Width(safe.Text(line[:at]))
			g.Sub(x, y, safe.Width(safe.Text(line[at:from])), 1).Tint(style)
		}
	}
}

// Following is the first line behind another that has the text, or the first
// of all.
func (d *Doc) Following(text string, line int) (int, bool) {
	hits := d.Find(text)
	if len(hits) == 0 {
		return 0, false
	}
	for _, h := range hits {
		if h > line {
			return h, true
		}
	}
	return hits[0], true
}

// Plain is the document without its styles.
func (d *Doc) Plain() []byte {
	var b bytes.Buffer
	for _, l := range d.Lines {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.Bytes()
}
