package form

import "slices"

// Adds is the nearest list or open object that n is, or is in: what Add adds to.
// Nil: there is none.
func (n *Node) Adds() *Node {
	for p := n; p != nil; p = p.up {
		if !p.json && (p.Kind == List || p.Extends()) {
			return p
		}
	}
	return nil
}

// Removable is the nearest item or extra member that n is, or is in. Nil: there
// is none.
func (n *Node) Removable() *Node {
	for p := n; p != nil; p = p.up {
		if p.extra || p.IsMovable() {
			return p
		}
	}
	return nil
}

// IsMovable reports whether n is an item of a list.
func (n *Node) IsMovable() bool { return n.up != nil && n.up.Kind == List && !n.up.json }

// Add adds an item to a list or a member to an open object, behind the one that
// the node at is in; at the end when it is in none. It returns what was added.
func (n *Node) Add(at *Node) *Node {
	if !n.set {
		n.touch()
		n.open()
	}
	n.set = true
	n.touch()
	n.form.stale = true
	i := len(n.kids)
	for p := at; p != nil && p != n; p = p.up {
		if p.up == n && (n.Kind == List || p.extra) {
			i = slices.Index(n.kids, p) + 1
		}
	}
	var kid *Node
	if n.Kind == List {
		kid = n.item(i)
	} else {
		kid = n.member("")
		kid.Required = true
	}
	kid.prefill()
	n.kids = slices.Insert(slices.Clone(n.kids), i, kid)
	return kid
}

// Remove takes n out of the list or the object that it is in.
func (n *Node) Remove() { n.up.remove(n) }

// Move moves an item by d places in its list, as far as it goes.
func (n *Node) Move(d int) bool {
	kids := n.up.kids
	i := slices.Index(kids, n)
	to := i + d
	if i < 0 || to < 0 || to >= len(kids) || len(n.up.prefix) > 0 {
		return false
	}
	kids = slices.Delete(slices.Clone(kids), i, i+1)
	n.up.kids = slices.Insert(kids, to, n)
	n.up.touch()
	n.form.stale = true
	return true
}

// Index is the place of an item in its list, from 0.
func (n *Node) Index() int {
	kids := n.up.kids
	if n.place >= len(kids) || kids[n.place] != n {
		for i, kid := range kids {
			kid.place = i
		}
	}
	return n.place
}

// Branch is the variant that is chosen, or -1.
func (n *Node) Branch() int { return n.branch }

// Turn chooses the option or the variant that is d further. Before the first and
// behind the last is "unset", unless the node is required.
func (n *Node) Turn(d int) {
	switch n.Kind {
	case Choice:
		n.turnChoice(d)
	case Many:
		n.cursor = n.along(n.cursor, d, false)
	case Variant:
		at := n.branch + d
		if n.branch < 0 && d < 0 {
			at = len(n.Variants) - 1
		}
		n.choose(at)
	case JSON, Text, Number, Integer, List, Object:
	}
}

// choose makes the node the variant at i. What was in another stays for coming
// back.
func (n *Node) choose(i int) {
	if len(n.others) == 0 {
		n.others = make([]*Node, len(n.Variants))
	}
	if n.branch >= 0 && len(n.kids) > 0 {
		n.others[n.branch] = n.kids[0]
	}
	n.form.stale = true
	n.touch()
	if i < 0 || i >= len(n.Variants) {
		if !n.Required {
			n.branch, n.kids, n.set = -1, nil, false
			return
		}
		i = (i + len(n.Variants)) % len(n.Variants)
	}
	n.branch, n.set = i, true
	kid := n.others[i]
	if kid == nil {
		kid = n.form.node(n.Variants[i].lazy.get(), n)
		kid.Required = true
		kid.prefill()
	}
	n.kids = []*Node{kid}
}

func (n *Node) turnChoice(d int) {
	at := -1
	if len(n.picks) > 0 {
		at = n.picks[0]
	}
	at = n.along(at, d, !n.Required)
	if at < 0 {
		n.Unset()
		return
	}
	n.pick(at)
}

func (n *Node) pick(i int) {
	n.touch()
	n.set, n.cursor = true, i
	n.pickOnly(i)
}

// along is the option d places on from at among those that are found. With unset,
// -1 lies before the first and behind the last.
func (n *Node) along(at, d int, unset bool) int {
	found := n.Found()
	if len(found) == 0 {
		return at
	}
	i := slices.Index(found, at)
	if i < 0 && d < 0 {
		i = len(found)
	}
	i += d
	if i >= 0 && i < len(found) {
		return found[i]
	}
	if unset {
		return -1
	}
	return found[(i+len(found))%len(found)]
}

// Toggle takes the option at the cursor in, or out.
func (n *Node) Toggle() {
	n.touch()
	n.set = true
	if i := slices.Index(n.picks, n.cursor); i >= 0 {
		n.pickOnly(slices.Delete(slices.Clone(n.picks), i, i+1)...)
		return
	}
	if n.cursor < len(n.Options) {
		n.pickOnly(append(slices.Clone(n.picks), n.cursor)...)
	}
}

// pickOnly chooses these options.
func (n *Node) pickOnly(picks ...int) {
	n.picks, n.picked = picks, make(map[int]bool, len(picks))
	for _, i := range picks {
		n.picked[i] = true
	}
}

// IsPicked reports whether the option at i is chosen.
func (n *Node) IsPicked(i int) bool { return n.set && n.picked[i] }

// Picks are the options that are chosen, in the order in which they were.
func (n *Node) Picks() []int { return n.picks }

// Choose takes the option or the variant at i; -1 takes the value away, as far as
// the node may be without one.
func (n *Node) Choose(i int) {
	switch {
	case i < 0 && n.Required:
	case n.Kind == Variant:
		n.choose(i)
	case n.Kind != Choice:
	case i >= 0:
		n.pick(i)
	default:
		n.Unset()
	}
}

// Mark puts the mark among the options on the one at i.
func (n *Node) Mark(i int) { n.cursor = i }

// Cursor is the option that the keys are on.
func (n *Node) Cursor() int { return n.cursor }

// Choice is the option of a Choice that is chosen, or -1.
func (n *Node) Choice() int {
	if len(n.picks) == 0 {
		return -1
	}
	return n.picks[0]
}
