package form

// Part is what of a node a row shows.
type Part uint8

// The parts.
const (
	Value  Part = iota // the value, or what stands above the nodes in it
	Name               // the name of an extra member
	Adding             // the place of a member that could be added to the whole
)

// Row is something of a form that can have the focus.
type Row struct {
	Node  *Node
	Part  Part
	Depth int // how far it is nested
}

// Rows are the rows of the form in their order. They are to be read only, until
// the form changes.
func (f *Form) Rows() []Row {
	if f.stale {
		f.stale = false
		f.rows = f.rows[:0:0]
		f.inside(f.Root, 0)
		if f.Root.Extends() {
			f.rows = append(f.rows, Row{f.Root, Adding, 0})
		}
	}
	return f.rows
}

func (f *Form) walk(n *Node, depth int) {
	if n.extra {
		f.rows = append(f.rows, Row{n, Name, depth})
		depth++
	}
	f.rows = append(f.rows, Row{n, Value, depth})
	if n.Holds() {
		f.inside(n, depth+1)
	}
}

// inside walks through what is in a node, which has its own row already.
func (f *Form) inside(n *Node, depth int) {
	switch {
	case n.json && n.up == nil:
		f.rows = append(f.rows, Row{n, Value, depth})
	case n.Kind == Variant && n.up == nil:
		f.rows = append(f.rows, Row{n, Value, depth})
		for _, kid := range n.kids {
			f.variant(kid, depth)
		}
	case n.Kind == Variant:
		for _, kid := range n.kids {
			f.variant(kid, depth)
		}
	default:
		for _, kid := range n.kids {
			f.walk(kid, depth)
		}
	}
}

// variant walks through the value of a variant. An object has no row of its own:
// that of the variant stands for it.
func (f *Form) variant(kid *Node, depth int) {
	if kid.Kind == Object && !kid.json && kid.set && !kid.Extends() {
		f.inside(kid, depth)
		return
	}
	f.walk(kid, depth)
}
