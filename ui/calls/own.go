package calls

import (
	"cmp"
	"slices"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/ui/row"
)

// patience is how long a request of belay's own may take before it stands among those of
// the user's. It is less than what a person calls waiting.
const patience = 300 * time.Millisecond

// own is what is known of the rows that belay made by itself and that are folded away:
// they tell nothing that the user has to know.
type own struct {
	young []young // in flight for less than patience, the first to be too old first
	known map[session.CallID]bool
	held  map[session.CallID]bool // stand in the table for the selection or a mark alone
	line  bool                    // the table has a line for those that are folded away
}

// young is a row that is in flight, and too old for the fold from then on.
type young struct {
	id    session.CallID
	until time.Time
}

func newOwn() own {
	return own{known: map[session.CallID]bool{}, held: map[session.CallID]bool{}}
}

// reset forgets the rows: all are looked at again.
func (o *own) reset() {
	o.young = nil
	clear(o.known)
	clear(o.held)
}

// isOwn reports whether belay made a call by itself.
func isOwn(r *session.Row) bool { return row.IsOwn(*r) }

// isTidy reports whether a row of belay's own tells nothing: it was answered, or belay itself
// had no need of the answer any more, or it is a subscription that stands as it ought to. What
// the header counts as in flight is never tidy, also what belay has given up: the server may be
// at work on it still.
func isTidy(r *session.Row) bool {
	if r.IsCounted() {
		return false
	}
	switch r.State {
	case session.Running:
		return r.IsStanding() && r.Sub.Active
	case session.Done, session.Dropped:
		return true
	case session.Cancelling:
		return r.Initiator == cancel.BySuperseded
	case session.Failed:
		return r.FellBack
	case session.Cancelled:
		return r.Initiator != cancel.ByUser && r.Initiator != cancel.ByTimeout && r.Initiator != cancel.ByRule && r.Initiator != cancel.ByAudit
	default:
		return false
	}
}

// isSpent reports whether a row is of no use once it is over: what a completion brought
// stood below the field that it was for.
func isSpent(r *session.Row) bool {
	return isOwn(r) && r.Method == "completion/complete" && row.IsOver(*r)
}

// standing decides on the place of a row: among the rows that can be folded away, or, where
// ok is false, outside the table. A row that the user has selected or marked stays.
func (p *Pane) standing(r *session.Row, now time.Time) (foldable, ok bool) {
	if !isOwn(r) {
		return false, true
	}
	p.own.grown(r.ID)
	over, spent := row.IsOver(*r), isSpent(r)
	fresh := !over && r.Age(now) <= patience
	switch {
	case r.AsksYou, r.Login, !fresh && !spent && !isTidy(r):
		return false, true
	case p.keeps(r.ID):
		p.own.held[r.ID] = true
		return false, true
	case fresh:
		p.own.wait(r.ID, r.Created.Add(patience))
	}
	return true, !spent
}

// IsAmiss reports whether the selected row is one of belay's own that is worth a look without
// having been chosen: it failed, or was cancelled other than by belay itself.
func (p *Pane) IsAmiss() bool {
	r, ok := p.Selected()
	return ok && isOwn(&r) && r.State > session.Running && r.Initiator != cancel.BySuperseded && !isTidy(&r) && !isSpent(&r)
}

// keeps reports whether a row stays in the table for the user's sake.
func (p *Pane) keeps(id session.CallID) bool { return id == p.sel && p.touched || p.marks[id] }

// wait has a row looked at again when it is too old for the fold.
func (o *own) wait(id session.CallID, until time.Time) {
	y := young{id, until}
	i, _ := slices.BinarySearchFunc(o.young, y, func(a, b young) int { return cmp.Or(a.until.Compare(b.until), cmp.Compare(a.id, b.id)) })
	o.young = slices.Insert(o.young, i, y)
	o.known[id] = true
}

// grown forgets that a row was to be looked at again.
func (o *own) grown(id session.CallID) {
	if !o.known[id] {
		return
	}
	delete(o.known, id)
	o.young = slices.DeleteFunc(o.young, func(y young) bool { return y.id == id })
}

// Due is when a row of belay's own comes into the table by the passing of time alone;
// zero: none does.
func (p *Pane) Due() time.Time {
	if len(p.own.young) == 0 {
		return time.Time{}
	}
	return p.own.young[0].until.Add(time.Nanosecond)
}

// pullOwn copies the rows that belong elsewhere now although nothing happened to them: they
// have been in flight for too long, or the user has let go of them. It forgets rows that
// the history has forgotten, the oldest first, as the history does.
func (p *Pane) pullOwn(s *session.Session, now time.Time) {
	again := func(id session.CallID) {
		if r, ok := s.Row(id); ok {
			p.buf = append(p.buf, r)
			return
		}
		p.own.grown(id)
		p.idx.Remove(id)
	}
	for _, y := range slices.Clone(p.own.young[:min(len(p.own.young), pullLimit)]) {
		if !y.until.Before(now) {
			break
		}
		again(y.id)
	}
	for id := range p.own.held {
		if !p.keeps(id) {
			delete(p.own.held, id)
			again(id)
		}
	}
	for range pullLimit {
		id := p.idx.OldestFoldable()
		if id == 0 {
			break
		}
		if _, kept := s.Row(id); kept {
			break
		}
		p.own.grown(id)
		p.idx.Remove(id)
	}
}

// Folded is how many rows of belay's own are over and folded away.
func (p *Pane) Folded() int {
	if p.idx.IsOpen() {
		return 0
	}
	return p.idx.Foldable() - len(p.own.young)
}

// IsUnfolded reports whether the user has belay's own rows shown.
func (p *Pane) IsUnfolded() bool { return p.idx.IsUnfolded() }

// folds reports whether a row is folded away where there is no filter, once the user lets go
// of it.
func (p *Pane) folds(id session.CallID) bool {
	return !p.IsUnfolded() && (p.idx.IsFoldable(id) || p.own.held[id])
}

// toggleOwn shows belay's own rows, or folds them away, also the selected row.
func (p *Pane) toggleOwn() {
	p.idx.Unfold(!p.IsUnfolded())
	if p.idx.IsOpen() || !p.folds(p.sel) || p.marks[p.sel] {
		return
	}
	pos, n := p.idx.Pos(p.sel), p.idx.Len()
	if pos < 0 { // folded already
		return
	}
	for d := 1; d < n; d++ { // the nearest row that stays
		for _, i := range []int{pos + d, pos - d} {
			if i >= 0 && i < n && (!p.folds(p.idx.At(i)) || p.marks[p.idx.At(i)]) {
				p.sel = p.idx.At(i)
				return
			}
		}
	}
	p.sel, p.touched = 0, false
}

// leastFolded is the height from which on a table keeps a line for the fold, though a row
// could stand there.
const leastFolded = 3

// foldLines is how many of h lines tell of what is folded away.
func (p *Pane) foldLines(h int) int {
	rows := p.idx.Len()
	p.own.line = p.Folded() > 0 && (h >= leastFolded || rows < h)
	if p.own.line {
		return 1
	}
	return 0
}
