package form

import "belay/internal/form/edit"

// Form is a value that is being filled in.
type Form struct {
	Root *Node

	use   Use
	nodes int // how many there are about
	rows  []Row
	stale bool // rows are to be made anew

	rules   *rules
	version int // grows with every change
	verdict
}

const (
	// nodesMost bounds the nodes that a value becomes; what is beyond is held as
	// JSON.
	nodesMost = 20_000
	// opensMost and deepMost bound what is opened by itself: what is required may
	// contain itself without end.
	opensMost = 3000
	deepMost  = 8
)

// New makes a form with the defaults that its use asks for.
func New(s Schema) *Form {
	t := s.root
	if t == nil {
		t = &Type{Kind: Object}
	}
	f := &Form{use: s.use, stale: true, rules: s.rules}
	f.Root = f.node(t, nil)
	f.Root.Required = true
	f.Root.prefill()
	return f
}

// JSON is the object that the form means, on one line.
func (f *Form) JSON() []byte {
	if raw, ok := f.Root.value(); ok {
		return raw
	}
	return []byte("{}")
}

// SetJSON takes an object over. What a type cannot show is kept as it is. What is
// no object, or could not be given back as it was (a member twice), is refused,
// and the form stays as it is.
func (f *Form) SetJSON(raw []byte) error {
	if _, err := ParseObject(raw); err != nil {
		return err
	}
	if kindOf(raw) == 0 {
		raw = []byte("{}")
	}
	t := f.Root.Type
	f.nodes = 0
	f.Root = f.node(t, nil)
	f.Root.Required = true
	f.Root.take(raw)
	return nil
}

// Problem is the first node in the order of the form that has something wrong,
// and what; nil when nothing is. It looks at more of the value than is looked at
// for each key.
func (f *Form) Problem() (*Node, string) {
	f.judge(true)
	if n, why := f.Root.firstProblem(); n != nil {
		return n, why
	}
	if kindOf(f.JSON()) != '{' {
		return f.Root, "the whole must be an object"
	}
	return nil, ""
}

// node makes a node that is unset.
func (f *Form) node(t *Type, up *Node) *Node {
	f.nodes++
	n := &Node{Type: t, form: f, up: up, Input: edit.Area{Wrap: true}}
	n.json = t.Kind == JSON
	return n
}
