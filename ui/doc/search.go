package doc

import (
	"bytes"
	"strings"

	"belay/internal/safe"
	"belay/ui/canvas"
)

// Find returns the lines in which the text begins, in any case, from top to bottom. Lines
// that were wrapped are searched as the one that they were.
func (d *Doc) Find(text string) []int {
	if text == "" {
		return nil
	}
	var hits []int
	i := 0
	o := newLookout(text, func(_ Line, hit bool) {
		if hit {
			hits = append(hits, i)
		}
		i++
	})
	for _, l := range d.Lines {
		o.add(l)
	}
	o.end()
	return hits
}

// Highlight marks where the text stands in the lines that are drawn, as
// [Doc.Draw] drew them.
func (d *Doc) Highlight(g canvas.Region, top int, text string, style canvas.Style) {
	if text == "" {
		return
	}
	look := appendLower(nil, text)
	end := min(top+g.H(), len(d.Lines))
	for i := max(0, top); i < end; {
		var t unwrapped
		i = t.read(d.Lines, i, end, len(look))
		for from := 0; ; {
			at := bytes.Index(t.low[from:], look)
			if at < 0 {
				break
			}
			at += from
			from = at + len(look)
			t.tint(g, top, at, from, style)
		}
	}
}

// unwrapped is a text in small letters, as it was before it was wrapped, with the place
// on the screen of each of its bytes.
type unwrapped struct {
	low   []byte
	line  []int // the number of the line; -1: the space at its end, which is not shown
	at    []int // where in that line the byte is
	shown map[int]string
}

// read reads the text of which a line is a part, from so many bytes before that line to as
// many behind the end of what is drawn, and returns the next line that is no part of it.
func (t *unwrapped) read(lines []Line, i, end, around int) int {
	from := i
	for room := around; from > 0 && room > 0 && lines[from].goesOn(); {
		from--
		room -= len(lines[from].String())
	}
	t.shown = map[int]string{}
	for behind := 0; ; {
		t.add(lines, from)
		if from >= end {
			behind += len(t.shown[from])
		}
		from++
		if from == len(lines) || !lines[from].goesOn() || behind >= around {
			return from
		}
	}
}

// add adds a line.
func (t *unwrapped) add(lines []Line, i int) {
	l := lines[i]
	t.shown[i] = l.String()
	if l.joint() == aside {
		return
	}
	if l.joint() == spaced && len(t.low) > 0 {
		t.put(" ", -1, 0)
	}
	skip := len(t.shown[i]) - len(l.words().String())
	for at, r := range t.shown[i][skip:] {
		t.put(strings.ToLower(string(r)), i, skip+at)
	}
}

// put adds a letter that stands at a place of a line.
func (t *unwrapped) put(low string, line, at int) {
	for i := range len(low) {
		t.low, t.line, t.at = append(t.low, low[i]), append(t.line, line), append(t.at, at)
	}
}

// tint marks the part of the text between two of its bytes in each of its lines.
func (t *unwrapped) tint(g canvas.Region, top, from, to int, style canvas.Style) {
	for from < to {
		line, begin := t.line[from], t.at[from]
		for from < to && t.line[from] == line {
			from++
		}
		if line < 0 {
			continue
		}
		shown := t.shown[line]
		end := len(shown)
		if from < len(t.line) && t.line[from] == line {
			end = t.at[from]
		}
		x := safe.Width(safe.Text(shown[:begin]))
		g.Sub(x, line-top, safe.Width(safe.Text(shown[begin:end])), 1).Tint(style)
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
