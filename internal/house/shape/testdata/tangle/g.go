package tangle

func decides(r *row) { sets(r, 1) }
