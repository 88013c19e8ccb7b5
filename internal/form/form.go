package form

import (
	"context"
	"errors"

	"belay/internal/form/edit"
)

// Form is a value that is being filled in.
type Form struct {
	Root *Node

	use   Use
	nodes int // how many there are about
	rows  []Row
	stale bool // rows are to be made anew

	rules   *rules
	effort  *effort
	presets int // bytes of defaults that may still be filled in
	version int // grows with every change
	json    []byte
	jsonOf  int // the version that json is of
	verdict
}

const (
	// nodesMost bounds the nodes that a value becomes; what is beyond is held as
	// JSON.
	nodesMost = 10_000
	// opensMost and deepMost bound what is opened by itself: what is required may
	// contain itself without end.
	opensMost = 3000
	deepMost  = 8
	// presetMost bounds the defaults that a form is filled in with, in bytes
	// altogether.
	presetMost = 64 << 10
)

// New makes a form with the defaults that its use asks for.
func New(s Schema) *Form {
	t := s.root
	if t == nil {
		t = &Type{Kind: Object}
	}
	if s.effort == nil {
		s.effort = &effort{left: Beside, turn: Beside}
	}
	f := &Form{use: s.use, stale: true, rules: s.rules, effort: s.effort, presets: presetMost}
	f.Root = f.node(t, nil)
	f.Root.Required = true
	f.Root.prefill()
	return f
}

// nodeSteps is what a node costs.
const nodeSteps = 12

// ErrEffort is returned by [Read] when a schema takes more steps than it may.
var ErrEffort = errors.New("the schema takes too long to be read")

// Read reads the schema of an object into a form, in counted steps. All the work of
// unbounded size is done here, so that the work between two keys is bounded. A
// schema of more than [SchemaMost] is not read: the form says so, and takes the
// whole value as JSON.
func Read(ctx context.Context, raw []byte, u Use, steps int) (*Form, error) {
	e := &effort{left: steps, stop: ctx}
	f := New(parseSchema(raw, e).For(u))
	if f.rules != nil {
		f.rules.get()
	}
	f.judge(false)
	f.Root.firstProblem()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.isOver() && steps < Beside {
		return nil, ErrEffort
	}
	e.stop, e.turn = nil, turnSteps
	e.refill()
	return f, nil
}

// Noun is what the value of the form is called.
func (f *Form) Noun() string {
	if f.use == Arguments {
		return "arguments"
	}
	return "answer"
}

// Turn begins the work for a frame: there is as much of it again as a screen can
// spare. Every change of the value begins one by itself.
func (f *Form) Turn() { f.effort.refill() }

// JSON is the object that the form means, on one line. It is not to be changed.
func (f *Form) JSON() []byte {
	if f.json == nil || f.jsonOf != f.version {
		raw, ok := f.Root.value()
		if !ok {
			raw = []byte("{}")
		}
		f.json, f.jsonOf = raw, f.version
	}
	return f.json
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
	f.effort.refill()
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

// probe is a form for trying whether a type takes a value.
func (f *Form) probe(u Use) *Form { return &Form{use: u, effort: f.effort} }

// node makes a node that is unset.
func (f *Form) node(t *Type, up *Node) *Node {
	f.nodes++
	f.effort.take(nodeSteps)
	n := &Node{Type: t, form: f, up: up, Input: edit.Area{Wrap: true}}
	n.json = t.Kind == JSON
	return n
}
