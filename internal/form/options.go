package form

import (
	"slices"
	"strings"
)

// Found are the options that the filter finds, by their place; without a filter
// all of them.
func (n *Node) Found() []int {
	if n.found == nil {
		n.found = make([]int, 0, len(n.Options))
		want := strings.ToLower(n.Filter.String())
		var within []int
		for i := range n.Options {
			switch {
			case strings.HasPrefix(n.Options[i].lower, want):
				n.found = append(n.found, i)
			case strings.Contains(n.Options[i].lower, want):
				within = append(within, i)
			}
		}
		n.found = append(n.found, within...)
	}
	return n.found
}

// Filtered tells that the filter was changed. A Choice takes the first option that
// is found, if the one that it has is not among them.
func (n *Node) Filtered() {
	n.found = nil
	found := n.Found()
	if n.Filter.Empty() || len(found) == 0 {
		return
	}
	if n.Kind == Choice {
		if len(n.picks) == 0 || !slices.Contains(found, n.picks[0]) {
			n.pick(found[0])
		}
		return
	}
	n.cursor = found[0]
}

// Jump goes to the next option that begins with the text: a Choice takes it. It
// is for options that stand in a row. It says false when there is none.
func (n *Node) Jump(text string) bool {
	from, count := n.cursor, len(n.Options)
	text = strings.ToLower(text)
	for i := range count {
		at := (from + i) % count
		if i == 0 && (n.Kind == Many || n.Picked(at)) {
			continue
		}
		if strings.HasPrefix(n.Options[at].lower, text) {
			if n.cursor = at; n.Kind == Choice {
				n.pick(at)
			}
			return true
		}
	}
	return false
}

// Clear empties the filter.
func (n *Node) Clear() {
	if !n.Filter.Empty() {
		n.Filter.Set("")
		n.found = nil
	}
}
