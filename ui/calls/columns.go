package calls

import (
	"slices"

	"belay/internal/safe"
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
	gap         = 2
	timeWidth   = 8
	buttonWidth = 3
	stateWide   = 28
	stateNarrow = 16
	stateLeast  = 12
	roomy       = 88 // columns of a table that has room for the long form
	methodMost  = 16
	methodLeast = 10
	targetLeast = 8
	targetMost  = 48 // for which other columns give way
	targetUsual = 14
)

const buttonText = "[x]"

// need is the room that the rows of a table need in its columns.
type need struct {
	wide, narrow       int // planned widths of both forms of STATE
	id, method, target int
}

// needOf is the room that these rows need. The method of a row without a target stands
// in the place of both.
func needOf(w row.Words, rows []session.Row) need {
	n := need{id: 3}
	for _, r := range rows {
		s := w.State(r)
		n = n.or(need{wide: s.Planned(true), narrow: s.Planned(false), id: len(r.Wire.String())})
		if r.Target != "" {
			n = n.or(need{
				method: safe.Width(row.MethodIn(r, methodMost)),
				target: safe.Width(row.TargetIn(r, targetMost)),
			})
		}
	}
	return n
}

// or is the room that is enough for both.
func (n need) or(o need) need {
	return need{
		max(n.wide, o.wide), max(n.narrow, o.narrow),
		max(n.id, o.id), max(n.method, o.method), max(n.target, o.target),
	}
}

// Measure takes over what the rows that are shown want. While they are the same
// rows, columns only grow: columns that jump to and fro cannot be read.
func (p *Pane) Measure(w row.Words) {
	n := needOf(w, p.rows)
	if slices.EqualFunc(p.rows, p.measured, func(r session.Row, id session.CallID) bool { return r.ID == id }) {
		n = n.or(p.need)
	}
	p.need, p.measured = n, p.measured[:0]
	for _, r := range p.rows {
		p.measured = append(p.measured, r.ID)
	}
}

func (p *Pane) columns(w int) columns { return tableColumns(w, p.need) }

// tableColumns divides w columns. No name is cut while another column has room that
// nothing stands in, and STATE is never cut. Where there is too little room the long form
// of STATE gives way first, then METHOD, then TARGET, then the button and the time.
func tableColumns(w int, n need) columns {
	c := columns{id: min(n.id, 12), time: timeWidth, button: buttonWidth, wide: w >= roomy}
	free := w - (1 + c.id + gap + gap + c.time + 1 + c.button + 1)
	wanted := max(targetUsual, n.target) + gap
	c.state = max(stateWide, n.wide)
	if c.wide && free-c.state < methodLeast+gap+wanted {
		c.state = max(stateLeast, n.wide)
	}
	if !c.wide || free-c.state < methodLeast+gap+wanted {
		c.state, c.wide = max(stateNarrow, n.narrow), false
	}
	if free-c.state < methodLeast+gap+wanted {
		c.state = max(stateLeast, n.narrow)
	}
	free -= c.state
	if free < targetLeast+gap {
		free += c.button + 1
		c.button = 0
	}
	if free < targetLeast+gap {
		free += c.time + gap
		c.time = 0
	}
	if free < targetLeast+gap {
		return c
	}
	c.target = free - gap
	if method := min(methodMost, max(methodLeast, min(n.method, c.target-wanted))); c.target >= targetLeast+gap+method {
		c.method = method
		c.target -= method + gap
	}
	if c.method > 0 && c.target < min(n.target, targetMost/2) { // a name that would be cut says more
		c.target += c.method + gap
		c.method = 0
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
