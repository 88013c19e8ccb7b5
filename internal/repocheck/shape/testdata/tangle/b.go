package tangle

var byValue = func(int) {}

type loud struct{}

var _ = []speaker{loud{}}

// Speak is called through an interface only.
func (loud) Speak() {
	each(func(h *Hub) { _ = h })
}

func init() { byValue = twice }

func (h *Hub) set(n int) { h.n = n }
