package tangle

var _ = assigns

func calls(r *row) { reads(r); judges(r, 1) }
