package tangle

import "slices"

// each calls back.
func each(f func(*Hub)) { f(nil) }

// twice is called through a variable only.
func twice(n int) { _ = n }

func spelled(h *Hub) {
	h.set(1)
}

type alias = Hub

// looped calls from a loop over a function.
func looped(h *alias) {
	for range slices.Values(h.rest) {
		grow(*h)
	}
}
