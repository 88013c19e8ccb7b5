package calls

import (
	"slices"

	"belay/session"
	"belay/ui/row"
)

// columns are the widths of the table's columns; 0 leaves one out.
type columns struct {
	id, method, target, state, time, button int

	wide bool // the STATE column has its long form
}

// Widths of columns.
const (
	gap          = 2
	timeWidth    = 8
	buttonWidth  = 3
	stateWide    = 28
	stateNarrow  = 16
	roomy        = 88 // columns of a table that has room for the long form
	methodWidth  = 16
	methodLeast  = 10
	targetLeast  = 8
	targetWanted = 14
)

const buttonText = "[x]"

// stateNeed is the room that the rows of a table need in its STATE and ID columns.
type stateNeed struct {
	wide, narrow int // planned widths of both forms
	id           int
}

// needOf is the room that these rows need.
func needOf(w row.Words, rows []session.Row) stateNeed {
	n := stateNeed{id: 3}
	for _, r := range rows {
		s := w.State(r)
		n.wide, n.narrow = max(n.wide, s.Planned(true)), max(n.narrow, s.Planned(false))
		n.id = max(n.id, len(r.Wire.String()))
	}
	return n
}

// Measure takes over what the rows that are shown want. While they are the same
// rows, columns only grow: columns that jump to and fro cannot be read.
func (p *Pane) Measure(w row.Words) {
	n := needOf(w, p.rows)
	same := slices.EqualFunc(p.rows, p.measured, func(r session.Row, id session.CallID) bool { return r.ID == id })
	if same {
		n = stateNeed{max(n.wide, p.need.wide), max(n.narrow, p.need.narrow), max(n.id, p.need.id)}
	}
	p.need, p.measured = n, p.measured[:0]
	for _, r := range p.rows {
		p.measured = append(p.measured, r.ID)
	}
}

func (p *Pane) columns(w int) columns { return tableColumns(w, p.need) }

// tableColumns divides w columns. STATE is never cut: METHOD gives way first,
// then TARGET, then the button and the time.
func tableColumns(w int, need stateNeed) columns {
	c := columns{id: min(need.id, 12), time: timeWidth, button: buttonWidth, wide: w >= roomy}
	fixed := 1 + c.id + gap + gap + c.time + 1 + c.button + 1
	c.state = max(stateWide, need.wide)
	if !c.wide || w-fixed-c.state < methodLeast+gap+targetWanted+gap {
		c.state, c.wide = max(stateNarrow, need.narrow), false
	}
	rest := w - fixed - c.state
	if rest < targetLeast+gap {
		rest += c.button + 1
		c.button = 0
	}
	if rest < targetLeast+gap {
		rest += c.time + gap
		c.time = 0
	}
	if rest < targetLeast+gap {
		return c
	}
	c.target = rest - gap
	if c.target >= targetLeast+gap+methodLeast {
		c.method = min(methodWidth, max(methodLeast, c.target-targetWanted-gap))
		c.target -= c.method + gap
	}
	return c
}

// borrow makes STATE as wide as one row needs it for the moment, at the cost of
// that row's own TARGET and METHOD: the other rows stay where they are.
func (c columns) borrow(state int) columns {
	want := state - c.state
	if want <= 0 {
		return c
	}
	c.state = state
	if c.target > want {
		c.target -= want
		return c
	}
	room := c.target + c.method
	if c.method > 0 {
		room += gap
	}
	c.method, c.target = 0, max(0, room-want)
	return c
}

// cells calls f for each column that is shown with the place it starts at.
func (c columns) cells(f func(x, width int, column string)) {
	x := 1
	f(x, c.id, "ID")
	x += c.id + gap
	if c.method > 0 {
		f(x, c.method, "METHOD")
		x += c.method + gap
	}
	if c.target > 0 {
		f(x, c.target, "TARGET")
		x += c.target + gap
	}
	f(x, c.state, "STATE")
	x += c.state + gap
	if c.time > 0 {
		f(x, c.time, "TIME")
		x += c.time + 1
	}
	if c.button > 0 {
		f(x, c.button, "")
	}
}
