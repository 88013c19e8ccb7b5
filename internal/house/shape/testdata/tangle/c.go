package tangle

// each calls back.
func each(f func(*Hub)) { f(nil) }

// twice is called through a variable only.
func twice(n int) { _ = n }

func spelled(h *Hub) {
	h.set(1)
}
