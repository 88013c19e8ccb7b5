package index

import (
	"slices"
	"time"

	"belay/session"
)

// fold are the rows that can be folded away: they match the filter, and stand in the
// table while it is unfolded or there is a filter.
type fold struct {
	open bool
	ids  []session.CallID // ascending
}

// put adds a row to those that can be folded away, or takes it off them.
func (f *fold) put(id session.CallID, foldable bool) {
	i, known := slices.BinarySearch(f.ids, id)
	switch {
	case foldable && !known:
		f.ids = slices.Insert(f.ids, i, id)
	case !foldable && known:
		f.ids = slices.Delete(f.ids, i, i+1)
	}
}

func (f *fold) has(id session.CallID) bool {
	_, ok := slices.BinarySearch(f.ids, id)
	return ok
}

// IsOpen reports whether the rows that can be folded away stand in the table: it was
// unfolded, or a filter looks for rows wherever they are.
func (x *Index) IsOpen() bool { return x.fold.open || !x.filter.Empty() }

// IsUnfolded reports whether it was unfolded, whatever the filter.
func (x *Index) IsUnfolded() bool { return x.fold.open }

// IsFoldable reports whether a row can be folded away, whether it is or not.
func (x *Index) IsFoldable(id session.CallID) bool { return x.fold.has(id) }

// Foldable is how many rows can be folded away, whether they are or not.
func (x *Index) Foldable() int { return len(x.fold.ids) }

// OldestFoldable is the first of them, or 0.
func (x *Index) OldestFoldable() session.CallID {
	if len(x.fold.ids) == 0 {
		return 0
	}
	return x.fold.ids[0]
}

// Unfold folds rows away, or shows them. It walks the table, once for each time that
// the user wants it.
func (x *Index) Unfold(open bool) {
	before := x.IsOpen()
	x.fold.open = open
	if x.IsOpen() == before {
		return
	}
	if open {
		x.ids = append(x.ids, x.fold.ids...)
		slices.Sort(x.ids)
		if x.sort != Newest {
			x.order = append(x.order, x.fold.ids...)
		}
		x.stale, x.next = true, time.Time{}
		return
	}
	x.ids = slices.DeleteFunc(x.ids, x.fold.has)
	x.order = slices.DeleteFunc(x.order, x.fold.has)
}
