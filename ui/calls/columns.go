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
	idUsual     = 3
	idMost      = 12
	timeWidth   = 8
	timeLeast   = len("TIME")
	buttonWidth = 3
	stateWide   = 28
	stateNarrow = 16
	stateLeast  = len("STATE")
	methodMost  = 32
	methodLeast = 10
	targetLeast = 8
	targetPart  = 24 // of a name that is cut; for more of it METHOD stays
	targetMost  = 64 // for which other columns give way
	targetSeen  = 256
)

const buttonText = "[x]"

// need is the room that the rows of a table need in its columns.
type need struct {
	wide, narrow       int // planned widths of both forms of STATE
	id, method, target int
	alone              int // of the method of a row without a target
	time               int
	button             bool

	targets []int // of each row that has one
	methods []int // … and of its METHOD
}

// needOf is the room that these rows need, and the same without room for states and times that
// grow. The method of a row without a target stands in the place of both.
func needOf(w row.Words, rows []session.Row) (n, now need) {
	n = need{id: len("ID"), time: timeLeast}
	nowWide, nowNarrow, nowTime := 0, 0, timeLeast
	for i := range rows {
		r := &rows[i]
		wide, narrow, upTo := w.State(*r).Widths()
		nowWide, nowNarrow = max(nowWide, wide), max(nowNarrow, narrow)
		n.wide, n.narrow = max(n.wide, wide, upTo), max(n.narrow, narrow, upTo)
		time := safe.Width(w.Time(*r))
		nowTime = max(nowTime, time)
		if !r.State.IsTerminal() {
			time = timeWidth // as a time that passes may grow to
		}
		n.time, n.id, n.button = max(n.time, time), max(n.id, len(r.Wire.String())), n.button || row.HasButton(*r)
		if r.Target == "" {
			n.alone = max(n.alone, safe.Width(row.MethodIn(*r, targetSeen)))
			continue
		}
		target := max(len("TARGET"), safe.Width(row.TargetIn(*r, targetSeen)))
		method := safe.Width(row.MethodIn(*r, methodMost))
		n.method, n.methods = max(n.method, method), append(n.methods, method)
		n.target, n.targets = max(n.target, target), append(n.targets, target)
	}
	now = n
	now.wide, now.narrow, now.time = nowWide, nowNarrow, nowTime
	return n, now
}

// or is the room that is enough for both, with the targets and methods of o.
func (n need) or(o need) need {
	return need{
		max(n.wide, o.wide), max(n.narrow, o.narrow),
		max(n.id, o.id), max(n.method, o.method), max(n.target, o.target),
		max(n.alone, o.alone), max(n.time, o.time), n.button || o.button, o.targets, o.methods,
	}
}

// Measure takes over what the rows that are shown want, in a table of a width. While
// they are the same rows, columns only grow: columns that jump to and fro cannot be read.
func (p *Pane) Measure(w row.Words, width int) {
	n, now := needOf(w, p.rows)
	still := n
	if width == p.width && slices.EqualFunc(p.rows, p.measured, func(r session.Row, id session.CallID) bool { return r.ID == id }) {
		still = p.need.or(n)
	}
	p.need, p.width, p.measured = plan(width, still, n, now), width, p.measured[:0]
	for _, r := range p.rows {
		p.measured = append(p.measured, r.ID)
	}
}

// names are the widths of the longest names that a table has shown.
type names struct{ id, method, target, alone int }

// Learn takes over the names of the rows that are shown, and reports whether one is longer
// than all before.
func (p *Pane) Learn() bool {
	was := p.names
	for i := range p.rows {
		r := &p.rows[i]
		p.names.id = max(p.names.id, len(r.Wire.String()))
		if r.Target == "" {
			p.names.alone = max(p.names.alone, safe.Width(row.MethodIn(*r, targetMost)))
			continue
		}
		p.names.method = max(p.names.method, safe.Width(row.MethodIn(*r, methodMost)))
		p.names.target = max(p.names.target, safe.Width(row.TargetIn(*r, targetMost)))
	}
	return p.names != was
}

// Need returns two widths of the table. In the first the longest names so far are whole; in
// the second METHOD, the usual words of states and the button have room beside them. Both
// change with longer names alone.
func (p *Pane) Need() (names, all int) {
	n := p.names
	c := columns{id: max(idUsual, min(n.id, idMost)), state: stateNarrow, time: timeWidth, button: buttonWidth}
	target := min(n.target, targetMost)
	names = max(target, min(n.alone, targetMost)) - c.names(0)
	c.state = stateWide
	all = max(max(methodLeast, n.method)+gap+target, min(n.alone, targetMost)) - c.names(0)
	return names, all
}

func (p *Pane) columns(w int) columns { return tableColumns(w, p.need) }

// plan returns the first of needs that shows as much in w columns as the last of needs. The
// needs with the calmest columns stand first: room for rows that went or may come takes
// nothing from the rows that are there.
func plan(w int, needs ...need) need {
	last := needs[len(needs)-1]
	most := tableColumns(w, last).shows(last)
	for _, n := range needs[:len(needs)-1] {
		n.targets, n.target, n.alone, n.methods = last.targets, last.target, last.alone, last.methods
		if slices.Compare(tableColumns(w, n).shows(last), most) >= 0 {
			return n
		}
	}
	return last
}

// shows is how much columns show of rows, what matters more before the rest: how many
// names are whole, how much room names and methods have where a name is cut, and the long
// form of STATE, or METHOD in its place. For METHOD alone no column moves.
func (c columns) shows(n need) []int {
	whole, room, words := 0, 0, 0
	for _, target := range n.targets {
		if target <= c.target {
			whole++
		}
	}
	if whole < len(n.targets) {
		room = c.target
		if c.method > 0 {
			room += gap + c.method
		}
	}
	switch {
	case c.wide || n.wide <= n.narrow:
		words = 2
	case c.method > 0:
		words = 1
	}
	return []int{whole, room, words}
}

// tableColumns divides w columns. No name is cut while another column has room that
// nothing stands in, and STATE is never cut. Where there is too little room the long form
// of STATE gives way first, then METHOD, then TARGET, then the button and the time; a METHOD
// that is longer than those of most rows gives way before the form of STATE does. Room
// to spare goes to the columns whose cells change most, so that they stand still, and
// what is left to TARGET.
func tableColumns(w int, n need) columns {
	c := columns{id: min(n.id, idMost), time: n.time, state: max(stateLeast, n.narrow)}
	if n.button {
		c.button = buttonWidth
	}
	if c.names(w) < targetLeast {
		c.button = 0
	}
	if c.names(w) < targetLeast {
		c.time = 0
	}
	room := c.names(w)
	if room < targetLeast {
		return c
	}
	c.method = min(max(n.method, len("METHOD")), max(methodLeast, room-gap-min(n.target, targetMost)))
	if c.cutsByMethod(room-gap-c.method, n) {
		c.method = 0
	}
	return c.spare(w, n)
}

// cutsByMethod reports whether METHOD leaves too little room to names, which say more: a
// name would be whole without it, or little of a name would be seen.
func (c columns) cutsByMethod(room int, n need) bool {
	for _, target := range n.targets {
		if room < target && target <= room+gap+c.method {
			return true
		}
	}
	return room < min(n.target, targetPart)
}

// names is the room that w columns leave for METHOD and TARGET together.
func (c columns) names(w int) int {
	w -= 1 + c.id + gap + gap + c.state + 1
	if c.time > 0 {
		w -= gap + c.time
	}
	if c.button > 0 {
		w -= 1 + c.button
	}
	return w
}

// left is the room that names of these widths leave, of w columns: of a target beside
// METHOD, and of a method that stands in the place of both.
func (c columns) left(w, target, alone int) int {
	if c.method > 0 {
		target += c.method + gap
	}
	return c.names(w) - max(target, alone)
}

// cutsMethods reports whether a METHOD of that width is cut in half of the rows, or more.
func (n need) cutsMethods(width int) bool {
	cut := 0
	for _, method := range n.methods {
		if method > width {
			cut++
		}
	}
	return 2*cut >= len(n.methods)
}

// spare gives away what the names leave, of w columns: to the long form of STATE, to the
// usual widths, to TARGET.
func (c columns) spare(w int, n need) columns {
	missing := max(n.wide-c.state, 0) - c.left(w, min(n.target, targetMost), min(n.alone, targetMost))
	if missing > 0 && c.method-missing >= methodLeast && !n.cutsMethods(c.method-missing) && c.method+gap+n.target-missing >= n.alone {
		c.method -= missing
		missing = 0
	}
	if missing <= 0 {
		c.state, c.wide = max(c.state, n.wide), true
	}
	left := c.left(w, n.target, n.alone)
	give := func(column *int, usual int) {
		if more := min(left, usual-*column); more > 0 {
			*column += more
			left -= more
		}
	}
	give(&c.id, max(idUsual, n.id))
	if c.time > 0 {
		give(&c.time, timeWidth)
		if c.button == 0 && left > buttonWidth {
			give(&c.button, buttonWidth)
			left--
		}
	}
	if c.wide {
		give(&c.state, stateWide)
	} else {
		give(&c.state, stateNarrow)
	}
	c.target = c.names(w)
	if c.method > 0 {
		give(&c.method, methodLeast)
		c.target -= c.method + gap
	}
	if c.method > 0 && n.target == 0 && c.target < len("TARGET") { // no row has one, and its head would be cut
		c.method, c.target = c.method+gap+c.target, 0
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

// fit makes room for the state of one row, as [columns.borrow] does, and returns the state in the
// words that are drawn: brief ones where the others would cut the name of the row, of that width, to
// less than tells the name. METHOD gives way to the name before that is cut to a few letters.
func (c columns) fit(s row.State, name int) (columns, row.State) {
	own := c.borrow(s.Width(c.wide))
	if s.Brief != "" && own.target < min(name, targetPart) {
		s.Passing = s.Brief
		own = c.borrow(s.Width(c.wide))
	}
	if own.method > 0 && own.target < min(name, targetLeast) {
		own.method, own.target = 0, own.method+gap+own.target
	}
	return own, s
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
