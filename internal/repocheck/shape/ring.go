package shape

import (
	"maps"
	"slices"
	"strings"
)

// Ring returns the files of the largest ring: each of them reaches each other
// by calls.
func (p *Package) Ring() []string { return largestRing(p.calls) }

// Arrows returns how many pairs of files there are of which the first calls the
// second, and how many of them run back up when each file is drawn above what it
// calls as far as that is possible.
func (p *Package) Arrows() (all, up int) { return backArrows(p.calls) }

// Dependents returns the files that name something which is declared in files whose names begin
// with prefix, without those files. A change of such a kind of thing may have to change each of
// them, and so may another kind like it.
func (p *Package) Dependents(prefix string) []string {
	found := map[string]bool{}
	for use, o := range p.info.Uses {
		in := p.file(use.Pos())
		if o.Pkg() == p.types && strings.HasPrefix(p.file(o.Pos()), prefix) && !strings.HasPrefix(in, prefix) {
			found[in] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// largestRing returns the largest strongly connected component (Tarjan).
func largestRing(calls map[string]map[string]bool) []string {
	var largest, stack []string
	index, low, open := map[string]int{}, map[string]int{}, map[string]bool{}
	var visit func(v string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, open[v] = append(stack, v), true
		for _, w := range slices.Sorted(maps.Keys(calls[v])) {
			switch {
			case index[w] == 0:
				visit(w)
				low[v] = min(low[v], low[w])
			case open[w]:
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		at := slices.Index(stack, v)
		ring := slices.Clone(stack[at:])
		stack = stack[:at]
		for _, w := range ring {
			open[w] = false
		}
		if len(ring) > len(largest) {
			largest = ring
		}
	}
	for _, v := range slices.Sorted(maps.Keys(calls)) {
		if index[v] == 0 {
			visit(v)
		}
	}
	slices.Sort(largest)
	return largest
}

// backArrows orders the files by the heuristic of Eades, Lin and Smyth, which
// takes sinks to the bottom, sources to the top, and otherwise the file with the
// most calls out above those in. It counts the arrows against that order.
func backArrows(calls map[string]map[string]bool) (all, up int) {
	in, out := map[string]map[string]bool{}, map[string]map[string]bool{}
	for v := range calls {
		in[v], out[v] = map[string]bool{}, map[string]bool{}
	}
	for v, to := range calls {
		for w := range to {
			in[w][v], out[v][w] = true, true
			all++
		}
	}
	var top, bottom []string
	take := func(v string) {
		for w := range out[v] {
			delete(in[w], v)
		}
		for w := range in[v] {
			delete(out[w], v)
		}
		delete(in, v)
		delete(out, v)
	}
	for len(out) > 0 {
		files := slices.Sorted(maps.Keys(out))
		best := files[0]
		for _, v := range files {
			if len(out[v])-len(in[v]) > len(out[best])-len(in[best]) {
				best = v
			}
		}
		sink := slices.IndexFunc(files, func(v string) bool { return len(out[v]) == 0 })
		source := slices.IndexFunc(files, func(v string) bool { return len(in[v]) == 0 })
		switch {
		case sink >= 0:
			bottom = append(bottom, files[sink])
			take(files[sink])
		case source >= 0:
			top = append(top, files[source])
			take(files[source])
		default:
			top = append(top, best)
			take(best)
		}
	}
	slices.Reverse(bottom)
	floor := map[string]int{}
	for i, v := range append(top, bottom...) {
		floor[v] = i
	}
	for v, to := range calls {
		for w := range to {
			if floor[w] < floor[v] {
				up++
			}
		}
	}
	return all, up
}
