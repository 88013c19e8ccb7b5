package doc

import (
	"context"
	"math"
	"slices"
	"strings"

	"belay/internal/safe"
)

// Quest is what is looked for in a document that is too long to be kept: the lines of
// it in which a text begins, in any case.
type Quest struct {
	Text string
	At   int  // the hit that is wanted is the next one behind this line; -1: the first
	Back bool // … or the last one before it
}

// Found is what came of a quest: a part of the document around a hit.
type Found struct {
	Lines []Line // nil: nothing was found
	First int    // the number of the first of them in the document
	Hit   int    // the number of the line that was wanted
	Nth   int    // how many hits are before it

	Whole bool // the document was looked through to its end, so that these are known:
	Hits  int  // the lines in which the text begins
	All   int  // all lines
}

const (
	// scanned is how many lines a document holds while it is looked through.
	scanned = 256
	// windowLines bounds the lines that are kept around a hit, windowBefore those before it.
	windowLines  = 2_500
	windowBefore = 500
)

// scan looks through lines that are not kept.
type scan struct {
	ctx   context.Context
	quest Quest
	rows  *lookout
	count bool // to the end, for the sake of the numbers
	over  bool // nobody waits, or enough is known

	all, hits int
	before    []Line  // the last lines: those before the next hit
	wanted    *window // around the hit that is wanted
	other     *window // around the one to go on with at the other end
}

// window are the lines around a hit.
type window struct{ found Found }

// IsWhole reports whether the document takes everything, without a bound: it is looked
// through, and not kept.
func (d *Doc) IsWhole() bool { return d.scan != nil }

// count is how many lines were added.
func (d *Doc) count() int { return d.gone + len(d.Lines) }

// Scan writes a document of any length for its width, and keeps of it what the quest is
// for. With count it goes on to the end, so that all numbers are known. It returns false
// when the context has ended.
func Scan(ctx context.Context, width int, q Quest, count bool, write func(d *Doc)) (Found, bool) {
	s := &scan{ctx: ctx, quest: q, count: count}
	s.rows = newLookout(q.Text, s.line)
	d := New(width, math.MaxInt)
	d.scan = s
	write(d)
	d.look(len(d.Lines))
	s.rows.end()
	if ctx.Err() != nil {
		return Found{}, false
	}
	w := s.wanted
	if w == nil {
		w = s.other
	}
	if w == nil {
		return Found{Whole: true, All: s.all}, true
	}
	f := w.found
	if f.Whole = !s.over; f.Whole {
		f.Hits, f.All = s.hits, s.all
	}
	for i, l := range f.Lines { // what is kept must not keep the rest
		f.Lines[i] = slices.Clone(l)
		for j := range f.Lines[i] {
			f.Lines[i][j].Text = safe.Text(strings.Clone(string(l[j].Text)))
		}
	}
	return f, true
}

// look looks through the first n lines, and drops them.
func (d *Doc) look(n int) {
	s := d.scan
	if s == nil {
		return
	}
	for _, l := range d.Lines[:n] {
		s.rows.add(l)
	}
	d.gone += n
	rest := copy(d.Lines, d.Lines[n:])
	clear(d.Lines[rest:])
	d.Lines = d.Lines[:rest]
	s.over = s.over || s.ctx.Err() != nil
}

// line takes the next line, and whether the text begins in it.
func (s *scan) line(l Line, hit bool) {
	if s.over {
		return
	}
	at := s.all
	s.all++
	if hit {
		s.hit(at)
		s.hits++
	}
	for _, w := range []*window{s.wanted, s.other} {
		if w != nil && len(w.found.Lines) < windowLines {
			w.found.Lines = append(w.found.Lines, l)
		}
	}
	if s.wanted != nil && !s.count && (len(s.wanted.found.Lines) >= windowLines) && (!s.quest.Back || at >= s.quest.At) {
		s.over = true
		return
	}
	if len(s.before) >= 2*windowBefore {
		s.before = append(s.before[:0], s.before[len(s.before)-windowBefore:]...)
	}
	s.before = append(s.before, l)
}

// hit takes the number of the next line that holds the text.
func (s *scan) hit(at int) {
	switch {
	case s.quest.Back && at < s.quest.At:
		s.wanted = s.around(s.wanted, at)
	case s.quest.Back && s.wanted == nil:
		s.other = s.around(s.other, at)
	case !s.quest.Back && at > s.quest.At && s.wanted == nil:
		s.wanted = s.around(nil, at)
	case !s.quest.Back && at <= s.quest.At && s.other == nil:
		s.other = s.around(nil, at)
	}
}

// around returns a window around a hit: w itself, if the hit has room in w.
func (s *scan) around(w *window, at int) *window {
	if w != nil && at-w.found.First < windowLines/2 {
		w.found.Hit, w.found.Nth = at, s.hits
		return w
	}
	n := min(len(s.before), windowBefore)
	return &window{found: Found{
		Lines: slices.Clone(s.before[len(s.before)-n:]), First: at - n, Hit: at, Nth: s.hits,
	}}
}
