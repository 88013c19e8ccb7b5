package index

import (
	"cmp"
	"slices"
	"time"

	"belay/session"
)

// Sort is an order of the table.
type Sort uint8

// The orders. In all of them the newest row comes first among equals.
const (
	Newest  Sort = iota
	ByState      // in flight first, then as they ended
	Longest      // the longest running or run first
	ByName       // method, then target
	NumSorts
)

func (s Sort) String() string { return [...]string{"newest", "state", "longest", "name"}[s] }

// resort is how often an order other than Newest is renewed while rows change:
// rows that jump about cannot be read.
const resort = 250 * time.Millisecond

// key is what the index keeps of a row.
type key struct {
	id       session.CallID
	rank     uint8
	inFlight bool
	created  time.Time
	lasted   time.Duration
	name     string
}

// Index holds the rows that match the filter, in order. The zero Index has no
// filter, its order is Newest, and it is folded.
type Index struct {
	filter Filter
	sort   Sort
	fold   fold
	keys   map[session.CallID]key
	ids    []session.CallID // that match and are in the table, ascending
	order  []session.CallID // top first; nil when the order is Newest
	stale  bool
	next   time.Time // not sorted again before
}

// Reset forgets all rows and takes another filter and order. It stays folded, or
// unfolded.
func (x *Index) Reset(f Filter, s Sort) {
	*x = Index{filter: f, sort: s, fold: fold{open: x.fold.open}, keys: map[session.CallID]key{}}
}

// Filter is the filter in use.
func (x *Index) Filter() Filter { return x.filter }

// Sort is the order in use.
func (x *Index) Sort() Sort { return x.sort }

// Len is the number of rows in the table.
func (x *Index) Len() int { return len(x.ids) }

// At is the row at a position, 0 at the top.
func (x *Index) At(i int) session.CallID {
	if x.sort == Newest {
		return x.ids[len(x.ids)-1-i]
	}
	return x.order[i]
}

// Pos is the position of a row, or -1 when it is not in the table.
func (x *Index) Pos(id session.CallID) int {
	i, ok := slices.BinarySearch(x.ids, id)
	switch {
	case !ok:
		return -1
	case x.sort == Newest:
		return len(x.ids) - 1 - i
	}
	return slices.Index(x.order, id)
}

// Update files a row under its present state; foldable rows can be folded away, and the filter
// looks at texts.
func (x *Index) Update(r *session.Row, foldable bool, texts ...string) {
	if !x.filter.Match(texts...) {
		x.Remove(r.ID)
		return
	}
	x.fold.put(r.ID, foldable)
	var k key
	if x.sort != Newest {
		k = keyOf(r)
		x.stale = x.stale || x.keys[r.ID] != k
		x.keys[r.ID] = k
	}
	if foldable && !x.IsOpen() {
		x.hide(r.ID)
		return
	}
	i, known := slices.BinarySearch(x.ids, r.ID)
	if known {
		return
	}
	x.ids = slices.Insert(x.ids, i, r.ID)
	if x.sort != Newest {
		x.order = slices.Insert(x.order, 0, r.ID)
		x.stale = true
	}
}

func keyOf(r *session.Row) key {
	k := key{id: r.ID, inFlight: r.IsInFlight(), created: r.Created, name: r.Method + "\x00" + r.Target}
	if !k.inFlight {
		k.rank = uint8(r.State)
		k.lasted = r.Age(r.Ended)
	}
	return k
}

// Remove takes a row out.
func (x *Index) Remove(id session.CallID) {
	x.fold.put(id, false)
	delete(x.keys, id)
	x.hide(id)
}

// hide takes a row out of the table.
func (x *Index) hide(id session.CallID) {
	i, ok := slices.BinarySearch(x.ids, id)
	if !ok {
		return
	}
	x.ids = slices.Delete(x.ids, i, i+1)
	if x.sort == Newest {
		return
	}
	if j := slices.Index(x.order, id); j >= 0 {
		x.order = slices.Delete(x.order, j, j+1)
	}
}

// Expire takes out the rows before first, which the history has forgotten.
func (x *Index) Expire(first session.CallID) {
	x.removeBefore(x.ids, first)
	x.removeBefore(x.fold.ids, first)
}

func (x *Index) removeBefore(ids []session.CallID, first session.CallID) {
	i, _ := slices.BinarySearch(ids, first)
	for _, id := range slices.Clone(ids[:i]) {
		x.Remove(id)
	}
}

// Settle brings the order up to date, unless that was done a moment ago. It
// returns when to call it again, or the zero time when nothing is left to do.
func (x *Index) Settle(now time.Time) time.Time {
	if !x.stale || x.sort == Newest {
		return time.Time{}
	}
	if now.Before(x.next) {
		return x.next
	}
	x.stale, x.next = false, now.Add(resort)
	slices.SortFunc(x.order, func(a, b session.CallID) int {
		return x.compare(x.keys[a], x.keys[b], now)
	})
	return time.Time{}
}

func (x *Index) compare(a, b key, now time.Time) int {
	var c int
	switch x.sort {
	case ByState:
		c = cmp.Compare(a.rank, b.rank)
	case Longest:
		c = cmp.Compare(b.age(now), a.age(now))
	case ByName:
		c = cmp.Compare(a.name, b.name)
	case Newest, NumSorts:
	}
	return cmp.Or(c, cmp.Compare(b.id, a.id))
}

func (k key) age(now time.Time) time.Duration {
	if k.inFlight {
		return now.Sub(k.created)
	}
	return k.lasted
}
