package form

import (
	"bytes"
	"slices"

	"belay/internal/form/edit"
)

// Node is one value of a form: a field, or an object, a list or a variant with
// others in it. What it holds changes through its methods only; Input and Key
// are edited in place, and Typed tells of that.
type Node struct {
	*Type
	Name     string // of a member; foreign. Empty: an item, a variant or the whole
	Required bool

	Input edit.Area // of texts, numbers and JSON
	Key   edit.Line // the name of a member that has no property

	Filter edit.Line // what is typed to find an option

	form   *Form
	up     *Node
	set    bool
	json   bool   // it is shown and edited as JSON
	raw    []byte // as it was loaded, while nothing in it was touched
	preset bool   // it is the schema's default, untouched

	picks  []int        // the options that are chosen, in the order in which they were
	picked map[int]bool // the same
	cursor int          // the option that the keys are on
	found  []int        // the options that the filter finds; nil: all
	kids   []*Node
	loaded []*Node // kids in the order of the members as they came
	branch int     // of a Variant: which; -1: none
	others []*Node // of a Variant: what was in the other branches
	extra  bool    // a member without a property
	place  int     // the last place that was known of an item in its list
	within overview

	judged bool   // own is what the type finds wrong with the value, until that changes
	own    string //
	long   bool   // the text was too long to be matched
}

// IsSet reports whether the node has a value. Unset is not empty: it is left out.
func (n *Node) IsSet() bool {
	if n.Kind == Variant && !n.json {
		return n.set && n.branch >= 0 && len(n.kids) > 0 && n.kids[0].IsSet()
	}
	return n.set
}

// AsJSON reports whether the node is shown and edited as JSON: because its type is
// not known, because its value is not of its type, or because the user wants it.
func (n *Node) AsJSON() bool { return n.json }

// IsPreset reports whether the value is the schema's, untouched.
func (n *Node) IsPreset() bool { return n.preset }

// Up is the node that this one is in; nil for the whole.
func (n *Node) Up() *Node { return n.up }

// Kids are the nodes in this one.
func (n *Node) Kids() []*Node { return n.kids }

// IsExtra reports whether the node is a member that has no property: it can be
// renamed and removed.
func (n *Node) IsExtra() bool { return n.extra }

// Writes reports whether text is typed into the node.
func (n *Node) Writes() bool {
	return n.json || n.Kind == Text || n.Kind == Number || n.Kind == Integer
}

// Breaks reports whether the text may have several lines.
func (n *Node) Breaks() bool { return n.json || n.Kind == Text }

// Holds reports whether the node is one with others in it.
func (n *Node) Holds() bool {
	return !n.json && (n.Kind == Object || n.Kind == List || n.Kind == Variant)
}

// touch marks the value of the node as changed: the JSON from which the node and
// the nodes around it were loaded no longer holds.
func (n *Node) touch() {
	n.form.effort.refill()
	n.form.version++
	for p := n; p != nil; p = p.up {
		p.raw, p.preset, p.judged = nil, false, false
	}
}

// Typed tells that the text was changed. A number without a digit is none, and left out.
func (n *Node) Typed() {
	if n.Input.Empty() && !n.json && (n.Kind == Number || n.Kind == Integer) {
		n.Unset()
		return
	}
	n.touch()
	n.set = true
}

// Renamed tells that the name of an extra member was changed.
func (n *Node) Renamed() {
	n.Name = n.Key.String()
	n.up.touch()
}

// Unset takes the value away.
func (n *Node) Unset() {
	n.clear()
	n.touch()
	n.form.stale = true
}

// clear makes the node what it was before anything was typed, without a default.
func (n *Node) clear() {
	n.form.version++
	n.judged = false
	n.set, n.json, n.raw, n.preset = false, n.Kind == JSON, nil, false
	n.picks, n.picked, n.kids, n.loaded, n.others, n.branch = nil, nil, nil, nil, nil, -1
	n.Input.Set("")
	n.Filter.Set("")
	n.found, n.cursor = nil, 0
}

// prefill gives a new node its default, and opens what is required.
func (n *Node) prefill() {
	n.clear()
	if n.defaults() {
		return
	}
	switch {
	case !n.Required:
	case n.Kind == Object && n.depth() < deepMost && n.form.nodes < opensMost:
		n.open()
	case n.Fixed && n.form.use == Arguments:
		n.set = true
		n.pickOnly(0)
	case n.Kind == Variant && n.up == nil:
		n.set = true
	}
}

// defaults takes the schema's default, where there is one that fits and that the
// use of the form wants to see filled in.
func (n *Node) defaults() bool {
	switch {
	case n.Default == nil, len(n.Default) > n.form.presets, !n.DoesDefaultFit():
		return false
	case n.form.use == Arguments && !n.Required:
		return false
	case n.form.use == AnswerJune2025 && kindOf(n.Default) != 't':
		return false
	}
	n.form.presets -= len(n.Default)
	n.take(n.Default)
	n.preset = true
	return true
}

// IsDefaultTooLong reports whether the schema's default is longer than what belay fills
// in. It is ignored then.
func (n *Node) IsDefaultTooLong() bool { return len(n.Default) > presetMost }

// DoesDefaultFit reports whether the schema's default is a value of the schema. One that
// is not is ignored. False also where there is none.
func (n *Node) DoesDefaultFit() bool {
	if n.Default == nil || n.IsDefaultTooLong() {
		return false
	}
	if !n.tried {
		at, _ := n.OfDefault().firstProblem()
		n.fits, n.tried = at == nil, true
	}
	return n.fits
}

// OfDefault is a node of its own that holds the schema's default, whether that fits or not; nil where
// there is none, or a longer one than belay fills in.
func (n *Node) OfDefault() *Node {
	if n.Default == nil || n.IsDefaultTooLong() {
		return nil
	}
	return n.holding(n.Default)
}

// OfJSON is a node of its own that holds in the shape of the schema what is written as JSON into this
// one; nil where it is not written so, has no other shape, or is no JSON.
func (n *Node) OfJSON() *Node {
	if !n.json || n.Kind == JSON {
		return nil
	}
	raw, err := compact(bytes.TrimSpace([]byte(n.Input.String())))
	if err != nil {
		return nil
	}
	return n.holding(raw)
}

// holding is a node of its own of the same type that holds a value.
func (n *Node) holding(raw []byte) *Node {
	x := n.form.probe(Answer).node(n.Type, nil)
	x.take(raw)
	return x
}

func (n *Node) depth() int {
	d := 0
	for p := n.up; p != nil; p = p.up {
		d++
	}
	return d
}

// open makes an object with its members, or an empty list, and says so.
func (n *Node) open() {
	n.set, n.json = true, false
	if n.Kind != Object {
		return
	}
	for i := range n.Props {
		kid := n.prop(i)
		kid.prefill()
		n.kids = append(n.kids, kid)
	}
}

func (n *Node) prop(i int) *Node {
	p := &n.Props[i]
	kid := n.form.node(p.Type(), n)
	kid.Name, kid.Required = p.Name, p.Required
	return kid
}

// Open gives an object or a list that is unset a value, so that it can be filled.
func (n *Node) Open() {
	if n.set || n.json || n.Kind != Object && n.Kind != List {
		return
	}
	n.touch()
	n.open()
	n.form.stale = true
}

// Flip turns the node into JSON, or back into what its type shows. It says false
// when its type cannot show what is written there.
func (n *Node) Flip() bool {
	if n.Kind == JSON {
		return false
	}
	n.form.stale = true
	if !n.json {
		raw, _ := n.value()
		set, preset, kept := n.set, n.preset, n.raw
		n.clear()
		n.json, n.set, n.preset, n.raw = true, set && raw != nil, preset, kept
		n.write(raw)
		return true
	}
	text := bytes.TrimSpace([]byte(n.Input.String()))
	if len(text) == 0 {
		n.clear()
		n.touch()
		return true
	}
	raw, err := compact(text)
	if err != nil {
		return false
	}
	probe := n.form.node(n.Type, nil)
	if probe.take(raw); probe.json {
		return false
	}
	kept := n.raw
	n.take(raw)
	n.raw = kept
	return true
}

// remove takes a kid out.
func (n *Node) remove(kid *Node) {
	is := func(x *Node) bool { return x == kid }
	n.kids = slices.DeleteFunc(slices.Clone(n.kids), is)
	n.loaded = slices.DeleteFunc(slices.Clone(n.loaded), is)
	n.touch()
	n.form.stale = true
}
