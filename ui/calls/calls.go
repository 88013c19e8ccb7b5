// Package calls is the table of calls: its rows, the selected row, and the rows on
// the screen, in columns that do not jump.
package calls

import (
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/ui/index"
)

const (
	// pullLimit and sweepLimit bound the rows that one frame looks at.
	pullLimit  = 512
	sweepLimit = 2000
)

// Pane is the table of calls.
type Pane struct {
	idx    index.Index
	rev    uint64         // of the session, as of the last Pull
	buf    []session.Row  // rows that changed, for Settle
	sweep  session.CallID // rows below it are still to be looked at; 0: none
	missed bool           // rows changed behind the sweep: another one follows

	sel     session.CallID
	back    session.CallID // what is selected again when the filter changes or goes
	made    session.CallID // by the user, a moment ago: a filter must not hide it
	touched bool           // the user moved the selection; until then it is the top row
	follow  bool
	frozen  bool // a form is filled in: the requests that belay makes meanwhile take no selection
	top     int  // the first row that is shown
	at      int  // the position of the selection, when it was last placed
	marks   map[session.CallID]bool
	own     own

	most      int           // lines that the table has had
	names     names         // that it has shown
	rows      []session.Row // shown, copied
	need      need          // of what was shown lately,
	width     int           // on a screen of this width
	measured  []session.CallID
	unsettled bool // the index has work left for the next frame
}

// New is a table without rows.
func New() *Pane {
	p := &Pane{marks: map[session.CallID]bool{}, own: newOwn()}
	p.idx.Reset(index.Filter{}, index.Newest)
	return p
}

// Chosen is the selected call.
func (p *Pane) Chosen() session.CallID { return p.sel }

// Rows are the rows that are shown, as they were copied for the last frame.
func (p *Pane) Rows() []session.Row { return p.rows }

// Len is how many rows pass the filter.
func (p *Pane) Len() int { return p.idx.Len() }

// Filter is what the rows have to match.
func (p *Pane) Filter() index.Filter { return p.idx.Filter() }

// Sort is the order of the rows.
func (p *Pane) Sort() index.Sort { return p.idx.Sort() }

// Marked are the calls that are marked. The caller that cancels them clears the map.
func (p *Pane) Marked() map[session.CallID]bool { return p.marks }

// Mark marks the selected row, or takes its mark away, and goes on to the next.
func (p *Pane) Mark() {
	if p.marks[p.sel] {
		delete(p.marks, p.sel)
	} else {
		p.marks[p.sel] = true
	}
	p.Move(1)
}

// Follows reports whether the newest row is selected as it comes.
func (p *Pane) Follows() bool { return p.follow }

// Follow has the newest row selected as it comes, or leaves the selection on its row.
func (p *Pane) Follow(on bool) { p.follow = on }

// Touch keeps the selection on its row, as if the user had moved it there.
func (p *Pane) Touch() {
	p.touched = true
	p.keepBack()
}

// WasTouched reports whether the user has moved the selection.
func (p *Pane) WasTouched() bool { return p.touched }

// Freeze keeps the selection on its row while a form is filled in.
func (p *Pane) Freeze(on bool) { p.frozen = on }

// IsUnsettled reports whether there is work left for the next frame.
func (p *Pane) IsUnsettled() bool { return p.unsettled }

// Copied is how many rows were copied for the last frame.
func (p *Pane) Copied() int { return len(p.buf) + len(p.rows) }

// Arrange takes another filter and order. All rows are looked at again, newest
// first, over the next frames. What another filter had selected is let go of.
func (p *Pane) Arrange(f index.Filter, s index.Sort) {
	was := p.idx.Filter()
	if was.Empty() {
		p.back = p.sel
	}
	if f.String() != was.String() {
		p.sel, p.at = p.back, 0
	}
	p.idx.Reset(f, s)
	p.own.reset()
	p.rev, p.sweep, p.missed = 0, 0, false
	p.top = 0
}

// Pull takes over what changed. When more changed than a frame looks at, a
// sweep over all rows makes up for it in the frames that follow; what is on
// the screen is copied fresh for each frame anyway.
func (p *Pane) Pull(s *session.Session, now time.Time) {
	first, last := s.Span()
	var more bool
	p.buf, p.rev, more = s.Changed(p.buf[:0], p.rev, pullLimit)
	if more && p.sweep == 0 {
		p.sweep = last + 1
	} else if more {
		p.missed = true
	}
	for n := 0; p.sweep > 0 && n < sweepLimit; n++ {
		p.sweep = s.RowBefore(p.sweep)
		if r, ok := s.Row(p.sweep); ok {
			p.buf = append(p.buf, r)
		}
	}
	if p.sweep == 0 && p.missed {
		p.sweep, p.missed = last+1, false
	}
	p.idx.Expire(first)
	p.pullOwn(s, now)
}

// Settle brings the index up to date with what was pulled.
func (p *Pane) Settle(now time.Time) {
	plain := p.idx.Filter().Empty()
	for i := range p.buf {
		foldable, ok := p.standing(&p.buf[i], now)
		switch {
		case !ok:
			p.idx.Remove(p.buf[i].ID)
		case plain:
			p.idx.Update(&p.buf[i], foldable)
		default:
			p.idx.Update(&p.buf[i], foldable, filterTexts(&p.buf[i])...)
		}
	}
	p.unsettled = !p.idx.Settle(now).IsZero() || p.sweep > 0
	if p.made != 0 && p.sweep == 0 {
		if p.idx.Pos(p.made) < 0 && !p.idx.Filter().Empty() {
			p.Arrange(index.Filter{}, p.idx.Sort())
			p.unsettled = true
		} else {
			p.made = 0
		}
	}
	p.most = max(p.most, p.idx.Len()+min(1, p.Folded()))
}

// Place places the selection in a table of h lines.
func (p *Pane) Place(h int) { p.place(h - p.foldLines(h)) }

// Most is how many lines the table has had at most below its head: where there is room for
// them, it keeps them.
func (p *Pane) Most() int { return p.most }

// filterTexts are what a filter looks at.
func filterTexts(r *session.Row) []string {
	texts := []string{"#" + r.Wire.String(), r.Method, r.Target, stateForFilter(r), originForFilter(r)}
	if r.Follows {
		texts = append(texts, "task", r.Tool)
	}
	return texts
}

func originForFilter(r *session.Row) string {
	if isOwn(r) {
		return "belay's own"
	}
	return ""
}

func stateForFilter(r *session.Row) string {
	word := r.State.String()
	switch {
	case wording.IsReadyToRetry(*r):
		word += " held"
	case r.AsksYou:
		word += " asks you"
	}
	if r.IsStanding() {
		word += " subscribed"
	}
	if r.Sub.ByServer {
		word += " ended by the server"
	}
	if r.Initiator == cancel.ByTimeout {
		word += " timed out"
	}
	if r.Verdict != cancel.NoVerdict {
		word += " " + r.Verdict.String()
	}
	return word
}

// place keeps the selection on its row, and that row in the same line of the
// screen while others come and go above it.
func (p *Pane) place(h int) {
	n := p.idx.Len()
	if n == 0 {
		p.top, p.at = 0, 0
		if !p.touched || !p.idx.Filter().Empty() && p.sweep == 0 {
			p.sel = 0
		}
		return
	}
	if p.sel == 0 || (!p.touched || p.follow) && !p.frozen {
		p.sel = p.idx.At(0)
	}
	pos := p.idx.Pos(p.sel)
	if pos < 0 {
		if p.sel < p.sweep { // not looked at yet
			return
		}
		pos = min(p.at, n-1)
		p.sel = p.idx.At(pos)
	}
	if p.top > 0 {
		p.top += pos - p.at
	}
	p.at = pos
	p.top = min(max(p.top, pos-h+1), pos)
	p.top = max(0, min(p.top, n-h))
	p.rows = p.rows[:0]
	for i := p.top; i < min(n, p.top+h); i++ {
		p.rows = append(p.rows, session.Row{ID: p.idx.At(i)})
	}
}

// PullRows copies the rows that are shown.
func (p *Pane) PullRows(s *session.Session) {
	if p.idx.Len() == 0 {
		p.rows = p.rows[:0]
	}
	kept := p.rows[:0]
	for _, r := range p.rows {
		row, ok := s.Row(r.ID)
		if !ok {
			p.idx.Remove(r.ID)
			delete(p.marks, r.ID)
			p.unsettled = true
			continue
		}
		kept = append(kept, row)
	}
	p.rows = kept
}

// Move moves the selection by n rows.
func (p *Pane) Move(n int) {
	if p.idx.Len() == 0 {
		return
	}
	pos := max(0, p.idx.Pos(p.sel)) + n
	p.Choose(p.idx.At(min(max(0, pos), p.idx.Len()-1)))
}

// Choose selects a row, and lets go of following.
func (p *Pane) Choose(id session.CallID) {
	p.sel, p.touched, p.follow = id, true, false
	p.keepBack()
}

// keepBack keeps what the user chooses in a filter selected without the filter, unless it is
// folded away there.
func (p *Pane) keepBack() {
	if !p.folds(p.sel) {
		p.back = p.sel
	}
}

// Made selects a row that the user has just made.
func (p *Pane) Made(id session.CallID) {
	p.Choose(id)
	p.made = id
}

// Selected is the selected row, as it was copied for the last frame.
func (p *Pane) Selected() (session.Row, bool) {
	for _, r := range p.rows {
		if r.ID == p.sel {
			return r, true
		}
	}
	return session.Row{}, false
}

// Title is what stands in the frame of the table besides its name.
func (p *Pane) Title() safe.Text {
	var t safe.Text
	if f := p.idx.Filter(); !f.Empty() {
		t = wording.Join(t, "/"+safe.LineN(f.String(), 40))
	}
	if s := p.idx.Sort(); s != index.Newest {
		t = wording.Join(t, "by "+safe.Text(s.String()))
	}
	if p.idx.IsUnfolded() {
		t = wording.Join(t, "with belay's own")
	}
	if p.follow {
		t = wording.Join(t, "follow")
	}
	if n := len(p.marks); n > 0 {
		t = wording.Join(t, safe.Text(strconv.Itoa(n))+" marked")
	}
	return t
}
