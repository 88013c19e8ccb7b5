package tangle

// row is written in each of the ways that there are.
type row struct {
	state int
	list  []int
	clock clock
	mark
	next *row
}

type clock struct{ at int }

type mark struct{ set bool }

func (c *clock) wind()      { c.again() }
func (c *clock) again()     { c.at++ }
func (c *clock) read() *int { at := c.at; return &at }
func (m *mark) put()        { *m = mark{true} }

func assigns(r *row)        { r.state = 1 }
func assignsPart(r *row)    { r.clock.at = 1 }
func assignsAll(r *row)     { *r = row{} }
func promoted(r *row)       { r.set = true }
func element(r *row)        { clear(r.list[1:]) }
func byMethod(r *row)       { r.clock.wind() }
func byPromoted(r *row)     { r.put() }
func asValue(r *row) func() { return r.clock.wind }
func aliased(r *row)        { c := &r.clock; c.at = 1 }
func aliasWinds(r *row)     { c := &r.clock; c.wind() }
func given(r *row)          { wound(&r.clock) }

func wound(c *clock) { c.wind() }

func reads(r *row)             { c := &r.clock; _ = c.at; _ = r.clock.read() }
func anothers(r *row)          { *r.next.clock.read() = 1 }
func makes() *row              { return &row{state: 1} }
func moves(r, other *row) *row { r = other; return r }

func sets(r *row, n int)       { r.state = n }
func setsPart(r *row, c clock) { r.clock.at, r.set = c.at, true }
func adds(r *row, n int)       { r.list = append(r.list, n) }
func makesOf(r *row, at int)   { r.clock = clock{at: at} }
func takes(r *row, n int)      { r.state = n + 1 }
func copies(r, other *row)     { r.state = other.state }
func judges(r *row, n int) {
	if n > 0 {
		r.state = n
	}
}
func setsOther(r *row, n int) int { r.state = 1; return n }

func hands(r *row, n int)    { sets(r, n) }
func computes(r *row, n int) { sets(r, -n+1) }
