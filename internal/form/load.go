package form

import (
	"bytes"
	"slices"
)

// take loads a value. If the type cannot show it, the node shows it as JSON.
func (n *Node) take(raw []byte) {
	n.clear()
	n.form.stale = true
	c, err := compact(raw)
	if err != nil {
		c = bytes.Clone(raw)
	}
	n.raw, n.set = c, true
	if n.form.nodes <= nodesMost && n.form.effort.take(1+len(raw)/32) && n.show(c) {
		return
	}
	n.kids, n.loaded, n.picks, n.picked, n.branch = nil, nil, nil, nil, -1
	n.json = true
	n.write(c)
}

// hasRoom reports whether so many more nodes may be made.
func (f *Form) hasRoom(n int) bool {
	return n <= nodesMost-f.nodes && f.effort.take(0) && n*nodeSteps <= f.effort.left
}

// write puts JSON into the field: short JSON on one line.
func (n *Node) write(raw []byte) {
	const short = 60
	if len(raw) <= short {
		n.Input.Set(string(raw))
		n.Input.End()
		return
	}
	n.Input.Set(string(Indent(raw)))
}

// show loads a value that is of the node's type, and says false if it is not.
func (n *Node) show(raw []byte) bool {
	switch n.Kind {
	case Text:
		s, ok := unquote(raw)
		n.Input.Set(s)
		n.Input.End()
		return ok
	case Number, Integer:
		n.Input.Set(string(raw))
		n.Input.End()
		return kindOf(raw) == '0'
	case Choice:
		i := n.option(raw)
		n.cursor = max(0, i)
		n.pickOnly(i)
		return i >= 0
	case Many:
		return n.showMany(raw)
	case List:
		return n.showList(raw)
	case Object:
		return n.showObject(raw)
	case Variant:
		return n.showVariant(raw)
	case JSON:
	}
	return false
}

// option is the option that has the value, or -1.
func (n *Node) option(raw []byte) int {
	if i, ok := n.places[canon(raw)]; ok {
		return i
	}
	return -1
}

func (n *Node) showMany(raw []byte) bool {
	items, err := parseArray(raw)
	if err != nil || !n.form.effort.take(2*len(items)) {
		return false
	}
	n.pickOnly()
	for _, item := range items {
		i := n.option(item)
		if i < 0 || n.picked[i] {
			return false
		}
		n.picks, n.picked[i] = append(n.picks, i), true
	}
	return true
}

func (n *Node) showList(raw []byte) bool {
	items, err := parseArray(raw)
	if err != nil || !n.form.hasRoom(len(items)) {
		return false
	}
	for i, item := range items {
		kid := n.item(i)
		kid.take(item)
		n.kids = append(n.kids, kid)
	}
	return true
}

func (n *Node) showObject(raw []byte) bool {
	members, err := ParseObject(raw)
	if err != nil || kindOf(raw) != '{' || !n.form.hasRoom(len(members)+len(n.Props)) {
		return false
	}
	byName := map[string]*Node{}
	for i := range n.Props {
		kid := n.prop(i)
		kid.clear()
		n.kids = append(n.kids, kid)
		byName[kid.Name] = kid
	}
	for _, m := range members {
		kid := byName[m.Name]
		if kid == nil {
			kid = n.member(m.Name)
			n.kids = append(n.kids, kid)
		}
		kid.take(m.Value)
		n.loaded = append(n.loaded, kid)
	}
	return true
}

func (n *Node) showVariant(raw []byte) bool {
	best, most := -1, 0
	for i := range n.Variants {
		if s := n.Variants[i].lazy.get().likeness(raw, 0, n.form.effort); s > most {
			best, most = i, s
		}
	}
	if best < 0 {
		return false
	}
	n.branch = best
	kid := n.form.node(n.Variants[best].lazy.get(), n)
	kid.Required = true
	kid.take(raw)
	n.kids = []*Node{kid}
	return !kid.json || kid.Kind == JSON
}

// likelyMost is the length of a text, in bytes, that is matched against a pattern
// only to see which variant it is like.
const likelyMost = 200

// sure is the likeness of a value that is of the right kind, and nothing more.
const sure = 100

// likeness is how much a value looks like one of the type; 0: not at all. It looks
// at one level only, so that variants in variants cost no more than they are.
func (t *Type) likeness(raw []byte, depth int, e *effort) int {
	if !e.take(2 + len(raw)/16) {
		return 0
	}
	kind := kindOf(raw)
	is := func(ok bool, points int) int {
		if ok {
			return points
		}
		return 0
	}
	switch t.Kind {
	case JSON:
		return 1
	case Text:
		s, ok := unquote(raw)
		return is(ok, sure+is(t.textProblem(s, len(s) < likelyMost) == "", 10))
	case Number, Integer:
		return is(kind == '0', sure+is(kind == '0' && t.numberProblem(string(raw)) == "", 10+int(t.Kind-Number)))
	case Choice:
		n := Node{Type: t}
		return is(n.option(raw) >= 0, 2*sure)
	case List, Many:
		return is(kind == '[', sure+t.itemLikeness(raw, depth, e))
	case Object:
		return is(kind == '{', t.memberLikeness(raw, e))
	case Variant:
		best := 0
		for i := range t.Variants {
			if depth < 3 {
				best = max(best, t.Variants[i].lazy.get().likeness(raw, depth+1, e))
			}
		}
		return best
	}
	return 0
}

// itemLikeness looks at the first item of a list.
func (t *Type) itemLikeness(raw []byte, depth int, e *effort) int {
	items, err := parseArray(raw)
	if err != nil || len(items) == 0 || depth > 3 {
		return 0
	}
	if t.Kind == Many {
		n := Node{Type: t}
		if n.option(items[0]) >= 0 {
			return 2 * sure
		}
		return 0
	}
	return t.itemType(0).likeness(items[0], depth+1, e)
}

// mayBe reports whether a JSON value of a kind can be one of the type.
func (t *Type) mayBe(kind byte, depth int) bool {
	if t.Nullable && kind == 'n' {
		return true
	}
	switch t.Kind {
	case Text:
		return kind == '"'
	case Number, Integer:
		return kind == '0'
	case List, Many:
		return kind == '['
	case Object:
		return kind == '{'
	case Variant:
		return depth > 3 || slices.ContainsFunc(t.Variants, func(b Branch) bool { return b.lazy.get().mayBe(kind, depth+1) })
	case JSON, Choice:
	}
	return true
}

// memberLikeness compares the members of an object with the properties. A
// constant that is another one settles it.
func (t *Type) memberLikeness(raw []byte, e *effort) int {
	members, err := ParseObject(raw)
	if err != nil || !e.take(2*len(members)+len(t.Props)) {
		return 0
	}
	score := 1000
	has := indexOf(members)
	for i := range t.Props {
		p := &t.Props[i]
		at, ok := has[p.Name]
		switch {
		case !ok && p.Required:
			score -= 20
		case ok:
			score += 5
			switch pt := p.Type(); {
			case pt.Kind == Choice:
				n := Node{Type: pt}
				if n.option(members[at].Value) >= 0 {
					score += 10
				} else {
					score -= 200
				}
			case !pt.mayBe(kindOf(members[at].Value), 0):
				score -= 50
			}
			delete(has, p.Name)
		}
	}
	return max(2, score-3*len(has))
}

// item makes the item of a list at i.
func (n *Node) item(i int) *Node {
	kid := n.form.node(n.itemType(i), n)
	kid.Required = true
	return kid
}

// member makes a member that has no property.
func (n *Node) member(name string) *Node {
	t := &Type{}
	if n.other != nil {
		t = n.other.get()
	}
	kid := n.form.node(t, n)
	kid.Name, kid.extra = name, true
	kid.Key.Breaks = true
	kid.Key.Set(name)
	return kid
}

// value is the JSON of the node on one line, and false when it is unset.
func (n *Node) value() ([]byte, bool) {
	switch {
	case !n.IsSet():
		return nil, false
	case n.raw != nil:
		return n.raw, true
	case n.json, n.Kind == Number, n.Kind == Integer:
		text := n.Input.String()
		if c, err := compact([]byte(text)); err == nil {
			return c, true
		}
		return Quote(text), true // firstProblem says what is wrong with it
	}
	switch n.Kind {
	case Text:
		return Quote(n.Input.String()), true
	case Choice:
		if len(n.picks) == 0 {
			return nil, false
		}
		return n.Options[n.picks[0]].Value, true
	case Many:
		var items [][]byte
		for _, i := range n.picks {
			items = append(items, n.Options[i].Value)
		}
		return appendArray(nil, items), true
	case List:
		return n.listValue(), true
	case Variant:
		return n.kids[0].value()
	default:
		return n.objectValue(), true
	}
}

// listValue writes the items that are set; firstProblem reports the missing ones.
// In a tuple (prefixItems) an unset item is written as null, because the items
// after it are known by their position.
func (n *Node) listValue() []byte {
	var items [][]byte
	gaps := 0
	for _, kid := range n.kids {
		v, ok := kid.value()
		if !ok {
			gaps++
			continue
		}
		for ; gaps > 0 && len(n.prefix) > 0; gaps-- {
			items = append(items, []byte("null"))
		}
		items = append(items, v)
	}
	return appendArray(nil, items)
}

// objectValue writes the members in the order in which they came, and then those
// that were set since.
func (n *Node) objectValue() []byte {
	var members []Member
	done := make(map[*Node]bool, len(n.kids))
	for _, kids := range [][]*Node{n.loaded, n.kids} {
		for _, kid := range kids {
			if done[kid] {
				continue
			}
			done[kid] = true
			if v, ok := kid.value(); ok {
				members = append(members, Member{kid.Name, v})
			}
		}
	}
	return AppendObject(nil, members)
}
