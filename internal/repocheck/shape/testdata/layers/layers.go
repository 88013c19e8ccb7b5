// Package layers has one of each way in which machines go against their layers. It is
// looked at by the tests of shape.
package layers

// Hub is the conductor.
//
//shape:conductor
type Hub struct {
	base   base
	left   left
	right  right
	top    top
	made   []speaker
	Shown  Shown
	note   plain
	counts map[string]*count
}

// Shown is what others may name: nothing need be declared of it.
type Shown struct{ N int }

//shape:plain
type plain struct{ n int }

// base is the lowest machine, and holds a machine above it in a map.
//
//shape:machine 1
type base struct {
	n     int
	list  []int
	lefts map[string]*left
}

// note is what every machine may call.
func (b *base) note() { b.n++ }

// set stores what it is given: who calls it has decided that.
func (b *base) set(n int) { b.n = n }

// left holds its sibling, and calls it by way of a part.
//
//shape:machine 2
type left struct {
	*base
	right *right
	shown plain
}

// keeps writes a count, which left keeps, and right does not.
func (l *left) keeps(c *count) { c.n++ }

func (r *right) steals(c *count) { c.n++ }

func (l *left) calls() {
	l.note()
	l.right.half.turn()
}

// right takes its sibling, and calls it through an interface.
//
//shape:machine 2
type right struct {
	half half
	s    speaker
}

//shape:part of right
type half struct{ turned bool }

func (h *half) turn() { h.turned = true }

func (r *right) takes(l *left) { l.shown.n = 1 }

func (r *right) speaks() { r.s.speak() }

// speaker is what left and no other machine implements.
type speaker interface{ speak() }

func (l *left) speak() {}

// top calls a function of the conductor, by a function value, and its siblings by one that belongs
// to the highest machine among its parameters.
//
//shape:machine 3
type top struct {
	base *base
	call func()
}

func (t *top) up() { t.call() }

func between(b *base, r *right) { b.note(); r.half.turn() }

func (t *top) down(r *right) { between(t.base, r) }

// count is a value, and so is other: they may point to each other, and one calls the other.
//
//shape:value 1 of left
type count struct {
	other *other
	n     int
}

//shape:value 2
type other struct{ count *count }

func (o *other) calls() { o.count.add() }

func (c *count) add() { c.other.calls() }

// Route has all of them be called.
func (h *Hub) Route() {
	h.top.call = func() {}
	h.right.s = &h.left
	h.base.n = 1
	h.base.list[0]++
	h.base.set(1)
	p := &h.right.half.turned
	*p = true
	h.note.n++
	h.left.calls()
	h.right.takes(&h.left)
	h.right.speaks()
	h.left.keeps(h.counts[""])
	h.right.steals(h.counts[""])
	h.top.up()
	h.top.down(&h.right)
	h.top.writes()
	h.top.sets()
	h.counts[""].n++
	h.counts[""].other.calls()
	wire := &h.right.half
	wire.turn()
}

func (t *top) writes() { t.base.list = nil }

func (t *top) sets() { t.base.set(0) }

// idle is a struct that nothing leads to, and everyone a variable by which everything could reach a shared.
type idle struct{}

type shared struct{}

var everyone *shared
