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

type called struct{ by func(Hub) }

var _, _ = back{}, called{}
