package tangle

func grow(h Hub) []int {
	h.rest[0]++
	return h.rest
}

func look(h *Hub) int {
	p := &h.rest
	return len(*p)
}

type back struct{ hubs []*Hub }

func (b back) first() *Hub { return b.hubs[0] }

type called struct{ by func(Hub) }

func (called) nothing() {}

// beyond holds what holds a Hub.
type beyond struct{ at [1]back }

func (beyond) farther() {}

type all map[string]*Hub

func size(of all) int { return len(of) }

var (
	_, _ = beyond{}, called{}
	_    = func(back) {}
)
