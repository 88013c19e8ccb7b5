package doc

import (
	"slices"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
)

// Reader is the place of the user in a document, with the text of a search. A document that is too
// long to be kept is searched beside the screen: see [Reader.Wanted]. The zero value has no
// document.
type Reader struct {
	Top   int
	Moved bool // Top is where the user, or a search, wants it

	begin *Doc // as it was laid out: all of it, or its beginning
	text  string
	hit   int // the number in the document of the line that the search stands at; -1: none

	window *Doc   // a part around a hit, which is shown in the place of the beginning
	part   Found  // … and what it is
	sought *Quest // what is to be found beside the screen
	hits   int    // in all of the document; -1 as long as that is not known
	all    int    // its lines, where hits are known

	counted *Doc // whose places are kept, at so many lines and for a text
	lines   int
	of      string
	places  []int
}

// Search is what is to be searched for in a document beside the screen. Searches are the
// same if they are equal.
type Search struct {
	Of    *Doc
	Quest Quest
	Count bool
}

// Doc is what is shown: the document as it was laid out last, or a part of it around a
// hit; or nil.
func (r *Reader) Doc() *Doc {
	if r.window != nil {
		return r.window
	}
	return r.begin
}

// Forget leaves the document to be made again; nil stands for it until then.
func (r *Reader) Forget() { r.begin, r.window, r.sought = nil, nil, nil }

// Set takes another document, in which the search begins anew.
func (r *Reader) Set(d *Doc) {
	again := r.begin != nil && r.text != ""
	r.Forget()
	r.begin = d
	if r.hits = -1; again && d.IsLong() {
		r.hit, r.sought = -1, &Quest{Text: r.text, At: -1}
	}
}

// Renew takes the same document, laid out anew or further than before. A search that
// found nothing yet goes on in it.
func (r *Reader) Renew(d *Doc) {
	r.begin = d
	if !d.IsLong() {
		r.window, r.sought = nil, nil
	}
	if r.text != "" && r.hit < 0 {
		r.Next(1)
	}
}

// Text is what is searched for; empty: nothing.
func (r *Reader) Text() string { return r.text }

// Find searches for a text; an empty one ends the search.
func (r *Reader) Find(text string) {
	if r.window != nil {
		r.Top = 0
	}
	r.text, r.hit, r.hits, r.window, r.sought = text, -1, -1, nil, nil
	r.Next(1)
	if text != "" && r.begin != nil && r.begin.IsLong() {
		r.sought = &Quest{Text: text, At: -1}
	}
}

// Next goes to the next line that has what is searched for (n = 1), or to the one before
// (n = -1), and from one end to the other.
func (r *Reader) Next(n int) {
	hits := r.found()
	if r.text == "" || r.Doc() == nil {
		return
	}
	long := r.begin.IsLong()
	here := r.hit - r.first()
	if r.hit < 0 {
		here = -1
	}
	i, exact := slices.BinarySearch(hits, here)
	if n < 0 {
		i--
	} else if exact {
		i++
	}
	switch {
	case i >= 0 && i < len(hits):
		r.stand(hits[i])
	case long && r.hit >= 0:
		r.sought = &Quest{Text: r.text, At: r.hit, Back: n < 0}
	case long || len(hits) == 0:
	case i < 0:
		r.stand(hits[len(hits)-1])
	default:
		r.stand(hits[0])
	}
}

// stand goes to a line of what is shown.
func (r *Reader) stand(line int) { r.hit, r.Top, r.Moved = line+r.first(), line, true }

// first is the number in the document of the first line that is shown. A note stands
// above a part.
func (r *Reader) first() int {
	if r.window == nil || r.part.First == 0 {
		return 0
	}
	return r.part.First - 1
}

// found are the lines of what is shown that have what is searched for.
func (r *Reader) found() []int {
	d := r.Doc()
	if d == nil || r.text == "" {
		return nil
	}
	if d != r.counted || len(d.Lines) != r.lines || r.text != r.of {
		r.counted, r.lines, r.of = d, len(d.Lines), r.text
		r.places = d.Find(r.text)
	}
	return r.places
}

// Wanted is what is to be searched for beside the screen, if anything is.
func (r *Reader) Wanted() (s Search, ok bool) {
	switch {
	case r.begin == nil || r.text == "" || !r.begin.IsLong():
	case r.sought != nil:
		return Search{Of: r.begin, Quest: *r.sought}, true
	case r.hits < 0:
		return Search{Of: r.begin, Quest: Quest{Text: r.text, At: -1}, Count: true}, true
	}
	return s, false
}

// Take takes what came of a search that is still wanted.
func (r *Reader) Take(s Search, f Found, looks func(words safe.Text) Line) {
	if want, ok := r.Wanted(); !ok || want != s {
		return
	}
	if f.Whole {
		r.hits, r.all = f.Hits, f.All
	}
	if s.Count {
		if r.window != nil {
			r.show(looks)
		}
		return
	}
	r.sought = nil
	if len(f.Lines) == 0 {
		return
	}
	r.part = f
	r.show(looks)
	r.hit = f.Hit
	r.Top, r.Moved = f.Hit-r.first(), true
}

// show shows the part that was found, between notes of what is beyond it.
func (r *Reader) show(looks func(words safe.Text) Line) {
	f := &r.part
	d := New(r.begin.Width(), len(f.Lines)+2)
	if f.First > 0 {
		d.AddLast(looks(wording.Count(f.First, "line") + " above: esc goes back"))
	}
	for i, l := range f.Lines {
		if i == 0 { // what it goes on with is above, and not shown
			l = l.begin()
		}
		d.push(l)
	}
	switch below := r.all - f.First - len(f.Lines); {
	case r.hits < 0 && len(f.Lines) >= windowLines:
		d.AddLast(looks("more below: enter goes on"))
	case r.hits >= 0 && below > 0:
		d.AddLast(looks(wording.Count(below, "line") + " below: enter goes on"))
	}
	r.window = d
}

// Title says how many lines have what is searched for.
func (r *Reader) Title(dots safe.Text) safe.Text {
	if r.text == "" || r.begin == nil {
		return ""
	}
	hits, before, all := r.found(), 0, 0
	long := r.begin.IsLong()
	if all = len(hits); long {
		all = r.hits
	}
	if r.window != nil {
		before = r.part.Nth
		for _, h := range hits {
			if h+r.first() < r.part.Hit {
				before--
			}
		}
	}
	i, _ := slices.BinarySearch(hits, r.hit-r.first())
	nth := wording.Thousands(before + min(i+1, len(hits)))
	switch {
	case long && (all < 0 || r.sought != nil) && r.hit < 0:
		return "searching" + dots
	case r.hit < 0 || len(hits) == 0:
		return "not found"
	case long && (all < 0 || r.sought != nil):
		return nth + " of " + dots
	}
	return nth + " of " + wording.Count(all, "line")
}

// Draw draws what is seen, with what is searched for marked by a style.
func (r *Reader) Draw(g canvas.Region, match canvas.Style) {
	d := r.Doc()
	if !r.Moved {
		r.Top = d.Top(g.H())
	}
	r.Top = max(0, min(r.Top, len(d.Lines)-g.H()))
	d.Draw(g, r.Top)
	d.Highlight(g, r.Top, r.text, match)
}

// Scroll moves what is seen by n lines.
func (r *Reader) Scroll(n int) { r.Top, r.Moved = max(0, r.Top+n), true }

// Reset forgets the place and the search.
func (r *Reader) Reset() {
	r.Find("")
	r.Top, r.Moved = 0, false
}

// Hit is the number in the document of the line that the search stands at, or -1.
func (r *Reader) Hit() int { return r.hit }
