package form

import (
	"context"
	"strconv"
	"strings"
)

// verdict is what the rules of the schema say about the whole value, beyond what
// each type finds.
type verdict struct {
	of     int  // the version of the form that was looked at
	known  bool // it was looked at
	whole  bool // … all of it, by all rules
	full   bool // … with the bounds for what is sent
	over   bool // … and it was too much
	faults map[*Node]fault
}

const (
	// liveSteps and sentSteps are what it takes at most to look at a value after a
	// key, and before it is sent.
	liveSteps = turnSteps
	sentSteps = Beside
	// liveSize is the size of a value that is looked at after a key, in bytes.
	liveSize = 16 << 10
)

// Judgement is what the rules say about a value, by itself.
type Judgement struct {
	of    int
	found []fault
	over  bool
}

// Judging is the work of judging the whole value, to be done where no key waits for
// it; Judged takes what came of it. It ends when nobody waits any more.
func (f *Form) Judging() func(context.Context) Judgement {
	raw, of, rules := f.JSON(), f.version, f.rules
	return func(ctx context.Context) Judgement {
		j := rules.judge(raw, &effort{left: sentSteps, stop: ctx})
		j.of = of
		return j
	}
}

// Judged takes a judgement over. It says false when the value is another one by now.
func (f *Form) Judged(j Judgement) bool {
	if j.of != f.version {
		return false
	}
	f.takeJudgement(j, true)
	return true
}

// IsUnjudged reports whether judging the whole value takes longer than a key may wait,
// and that it was not done since it changed: see [Form.Judging].
func (f *Form) IsUnjudged() bool {
	f.judge(false)
	return f.rules != nil && !f.whole && !f.full
}

// judge looks at the whole value, unless that was done since it changed.
func (f *Form) judge(full bool) {
	if f.rules == nil || f.known && f.of == f.version && (f.whole || f.full || !full) {
		return
	}
	raw := f.JSON()
	switch {
	case full:
		f.takeJudgement(f.rules.judge(raw, &effort{left: sentSteps}), true)
	case len(raw) > liveSize:
		f.verdict = verdict{of: f.version, known: true}
	default:
		f.takeJudgement(f.rules.judge(raw, &effort{left: liveSteps}), false)
	}
}

// judge looks at a value.
func (s *rules) judge(raw []byte, e *effort) Judgement {
	rule := s.get()
	v, err := readDatum(raw)
	if err != nil {
		return Judgement{over: true}
	}
	j := &judge{effort: e, tracks: s.tracks}
	var found []fault
	j.check(rule, v, nil, 0, &found)
	return Judgement{found: found, over: j.over}
}

func (f *Form) takeJudgement(j Judgement, full bool) {
	f.verdict = verdict{of: f.version, known: true, full: full, whole: !j.over, over: j.over && full}
	if j.over {
		return
	}
	f.faults = map[*Node]fault{}
	places := locator{}
	for _, x := range j.found {
		n, rest := places.locate(f.Root, x.at)
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

// locator finds nodes by the places of their values. It remembers where the nodes
// are in others.
type locator map[*Node]map[step]*Node

// locate is the node that shows the value at a place, or the nearest that it is
// in, with the rest of the way in words.
func (l locator) locate(n *Node, at []step) (*Node, string) {
	for i, s := range at {
		n = n.inVariant()
		next := l.kidAt(n, s)
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

func (l locator) kidAt(n *Node, s step) *Node {
	if n.json {
		return nil
	}
	kids, ok := l[n]
	if !ok {
		kids = make(map[step]*Node, len(n.kids))
		i := 0
		for _, kid := range n.kids {
			at := step{name: kid.Name}
			if n.Kind == List {
				if !kid.IsSet() && len(n.prefix) == 0 { // it is left out
					continue
				}
				at = step{item: i}
				i++
			}
			if kids[at] == nil {
				kids[at] = kid
			}
		}
		l[n] = kids
	}
	return kids[s]
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
