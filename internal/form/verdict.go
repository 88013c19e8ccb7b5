package form

import (
	"strconv"
	"strings"
)

// verdict is what the rules of the schema say about the whole value, beyond what
// each type finds.
type verdict struct {
	of     int  // the version of the form that was looked at
	known  bool // it was looked at
	full   bool // … with the bounds for what is sent
	over   bool // … and it was too much
	faults map[*Node]fault
}

const (
	// liveMost and sentMost are how many rules are looked at after a key, and
	// before a value is sent.
	liveMost = 10_000
	sentMost = 300_000
	// liveSize is the size of a value that is looked at after a key, in bytes.
	liveSize = 16 << 10
)

// judge looks at the whole value, unless that was done since it changed.
func (f *Form) judge(full bool) {
	if f.rules == nil || f.known && f.of == f.version && (f.full || !full) {
		return
	}
	f.verdict = verdict{of: f.version, known: true, full: full}
	raw := f.JSON()
	if !full && len(raw) > liveSize {
		return
	}
	rule := f.rules.get()
	v, err := readDatum(raw)
	if err != nil {
		f.over = true
		return
	}
	j := &judge{left: liveMost, tracks: f.rules.tracks}
	if full {
		j.left = sentMost
	}
	var found []fault
	j.check(rule, v, nil, 0, &found)
	if f.over = j.over && full; j.over {
		return
	}
	f.faults = map[*Node]fault{}
	for _, x := range found {
		n, rest := f.Root.locate(x.at)
		if rest != "" {
			x.why = rest + ": " + x.why
		}
		if _, ok := f.faults[n]; !ok {
			f.faults[n] = x
		}
	}
}

func (f *Form) faultOf(n *Node) fault {
	f.judge(false)
	return f.faults[n]
}

// Whole says what is wrong with the value as a whole, and whether that is only
// that something is missing yet.
func (f *Form) Whole() (why string, lacks bool) {
	x := f.faultOf(f.Root)
	return x.why, x.lacks
}

// Unchecked names what of the schema belay cannot check. The words may quote the
// schema.
func (f *Form) Unchecked() []string {
	if f.rules == nil {
		return nil
	}
	f.rules.get()
	if f.over {
		return append(f.rules.unchecked[:len(f.rules.unchecked):len(f.rules.unchecked)], "a value that is this large, or this deep, against this schema")
	}
	return f.rules.unchecked
}

// locate is the node that shows the value at a place, or the nearest that it is
// in, with the rest of the way in words.
func (n *Node) locate(at []step) (*Node, string) {
	for i, s := range at {
		n = n.inVariant()
		next := n.kidAt(s)
		if next == nil {
			return n.withRow(), stepWords(at[i:])
		}
		n = next
	}
	return n.inVariant().withRow(), ""
}

// withRow is the node, or the Variant that stands for it.
func (n *Node) withRow() *Node {
	for n.up != nil && n.up.Kind == Variant && n.Kind == Object && !n.json && n.set && !n.Extends() {
		n = n.up
	}
	return n
}

// inVariant is what a Variant is now, or the node itself.
func (n *Node) inVariant() *Node {
	for n.Kind == Variant && !n.json && len(n.kids) > 0 {
		n = n.kids[0]
	}
	return n
}

func (n *Node) kidAt(s step) *Node {
	if n.json {
		return nil
	}
	if n.Kind != List {
		for _, kid := range n.kids {
			if kid.Name == s.name {
				return kid
			}
		}
		return nil
	}
	i := 0
	for _, kid := range n.kids {
		if !kid.Set() && len(n.prefix) == 0 { // it is left out
			continue
		}
		if i == s.item {
			return kid
		}
		i++
	}
	return nil
}

func stepWords(at []step) string {
	words := make([]string, len(at))
	for i, s := range at {
		words[i] = quoted(s.name)
		if s.name == "" {
			words[i] = strconv.Itoa(s.item + 1)
		}
	}
	return strings.Join(words, " > ")
}
