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
