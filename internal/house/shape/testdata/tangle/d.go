package tangle

func grow(h Hub) []int {
	h.rest[0]++
	return h.rest
}

func look(h *Hub) int {
	p := &h.rest
	return len(*p)
}
