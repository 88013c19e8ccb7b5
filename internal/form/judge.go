package form

import (
	"maps"
	"slices"
	"strconv"
)

// step is a part of the way to a value: the name of a member, or the place of an
// item.
type step struct {
	name string
	item int
}

// fault is what is wrong with a value, and where.
type fault struct {
	at    []step
	why   string
	lacks bool // something is missing, which may still come
	kind  bool // the value is another one altogether
}

// seen is what of a value was looked at: for the rules about the rest.
type seen struct {
	all   bool
	names map[string]bool
	items map[int]bool
}

func (s *seen) add(other seen) {
	s.all = s.all || other.all
	if len(other.names) > 0 && s.names == nil {
		s.names = map[string]bool{}
	}
	maps.Copy(s.names, other.names)
	if len(other.items) > 0 && s.items == nil {
		s.items = map[int]bool{}
	}
	maps.Copy(s.items, other.items)
}

const (
	// judgeDepth bounds how deeply a value and the rules for it are nested: rules
	// may lead to themselves.
	judgeDepth = 500
	// faultsMost is how many faults are told apart.
	faultsMost = 200
)

// judge checks a value.
type judge struct {
	effort *effort
	over   bool // it was too much
	blind  int  // how many rules were met that cannot be checked whole
	tracks bool
}

// look is one rule being looked at for one value.
type look struct {
	*judge
	at    []step
	v     *datum
	out   *[]fault // nil: only whether there are faults is wanted
	ok    bool
	seen  seen
	depth int
}

// check looks at a rule for the value at a place, and reports whether it is kept.
func (j *judge) check(r *rule, v *datum, at []step, depth int, out *[]fault) (bool, seen) {
	l := &look{judge: j, at: at, v: v, out: out, ok: true, depth: depth + 1}
	if r == nil || r.nullable && v.kind == 'n' {
		return true, l.seen
	}
	if !j.take(2+len(v.raw)/32+len(at)/4) || depth > judgeDepth {
		j.over = true
		return true, l.seen
	}
	if r.never {
		l.fail(fault{why: nothingHere(at)})
		return false, l.seen
	}
	if why := r.kindFault(v); why != "" {
		l.fail(fault{why: why, kind: true})
		return false, l.seen
	}
	if r.blind {
		j.blind++
		l.seen.all = true
	}
	for _, part := range []func(*rule){l.scalars, l.logic, l.list, l.object, l.rest} {
		if part(r); !l.ok && out == nil {
			break
		}
	}
	return l.ok, l.seen
}

// take counts n more steps, and reports whether they may be taken.
func (j *judge) take(n int) bool {
	j.over = j.over || !j.effort.take(n)
	return !j.over
}

// fail notes a fault of the value.
func (l *look) fail(f fault) {
	l.ok = false
	if l.out != nil && len(*l.out) < faultsMost {
		f.at = append(slices.Clone(l.at), f.at...)
		*l.out = append(*l.out, f)
	}
}

// same looks at another rule for the same value.
func (l *look) same(r *rule) bool {
	ok, s := l.check(r, l.v, l.at, l.depth, l.out)
	l.ok = l.ok && ok
	if l.tracks && ok {
		l.adds(s)
	}
	return ok
}

// adds takes over what another rule looked at.
func (l *look) adds(s seen) {
	if l.take(len(s.names) + len(s.items)) {
		l.seen.add(s)
	}
}

// fits reports whether a rule is kept by the same value, which is no fault.
func (l *look) fits(r *rule, counts bool) bool {
	ok, s := l.check(r, l.v, l.at, l.depth, nil)
	if l.tracks && ok && counts {
		l.adds(s)
	}
	return ok
}

// inner looks at a rule for a value in this one.
func (l *look) inner(r *rule, v *datum, s step) {
	if r == nil {
		return
	}
	at := append(l.at[:len(l.at):len(l.at)], s)
	if ok, _ := l.check(r, v, at, l.depth, l.out); !ok {
		l.ok = false
	}
}

func (l *look) scalars(r *rule) {
	why := ""
	switch {
	case r.text != nil && l.v.kind == '"':
		if r.text.re != nil && !l.take(r.text.matchSteps(l.v.text)) {
			return
		}
		why = r.text.textProblem(l.v.text, true)
	case r.number != nil && l.v.kind == '0':
		why = r.number.numberProblem(string(l.v.raw))
	}
	if why != "" {
		l.fail(fault{why: why})
	}
}

func (l *look) logic(r *rule) {
	for _, one := range r.all {
		l.same(one)
	}
	if len(r.anyOf) > 0 {
		l.alternatives(r.anyOf, false)
	}
	if len(r.oneOf) > 0 {
		l.alternatives(r.oneOf, true)
	}
	sure := l.blind // what follows from a rule that is half known is not known
	if r.not != nil && l.fits(r.not, false) && l.blind == sure {
		l.fail(r.not.forbidden())
	}
	if r.cond != nil {
		branch := r.other
		if l.fits(r.cond, true) {
			branch = r.then
		}
		if l.blind == sure {
			l.given(branch)
		}
	}
}

// given looks at a rule that holds because of what else is in the value.
func (l *look) given(r *rule) {
	before := 0
	if l.out != nil {
		before = len(*l.out)
	}
	if l.same(r) || l.out == nil || l.v.kind != '{' {
		return
	}
	for i := before; i < len(*l.out); i++ {
		(*l.out)[i].why += ", given the other members"
	}
}

// alternatives judges a value by anyOf, where at least one rule must hold, or by
// oneOf, where exactly one must.
func (l *look) alternatives(all []*rule, only bool) {
	fit, sure := 0, l.blind
	for _, r := range all {
		if l.fits(r, true) {
			fit++
		}
	}
	switch {
	case fit == 0:
		l.ok = false
		if l.out != nil {
			for _, f := range l.nearest(all) {
				l.fail(fault{at: f.at[len(l.at):], why: f.why, lacks: f.lacks, kind: f.kind})
			}
		}
	case fit > 1 && only && l.blind == sure:
		l.fail(fault{why: tooManyFit(all)})
	}
}

// nearest are the faults by the alternative that the value comes nearest to.
func (l *look) nearest(all []*rule) []fault {
	if why := fillIn(all); why != "" && l.v.kind == '{' {
		return []fault{{at: l.at, why: why, lacks: true}}
	}
	var best []fault
	least, apart := 0, true
	for _, r := range all {
		var found []fault
		l.check(r, l.v, l.at, l.depth, &found)
		score := 1
		for _, f := range found {
			switch here := len(f.at) == len(l.at); {
			case f.kind && here:
				score += 10_000
			case f.kind:
				score += 100
			case f.lacks: // members that are there say more than those that are not
				score += 3
			default:
				score++
			}
		}
		apart = apart && score > 10_000
		if best == nil || score < least {
			best, least = found, score
		}
	}
	if apart {
		return []fault{{at: l.at, why: eitherWords(all), kind: true}}
	}
	return best
}

func (l *look) list(r *rule) {
	if l.v.kind != '[' {
		return
	}
	for i, item := range l.v.items {
		switch {
		case i < len(r.prefix):
			l.inner(r.prefix[i], item, step{item: i})
		case r.items != nil:
			l.inner(r.items, item, step{item: i})
		}
		if l.tracks && (i < len(r.prefix) || r.items != nil) {
			l.seen.add(seen{items: map[int]bool{i: true}})
		}
	}
	if r.contains != nil {
		l.contains(r)
	}
	if r.list == nil {
		return
	}
	if why := r.list.countProblem(len(l.v.items), "item"); why != "" {
		l.fail(fault{why: why, lacks: r.list.MinItems != nil && len(l.v.items) < *r.list.MinItems})
	}
	if r.list.Unique && l.take(2*len(l.v.items)) {
		keys := make([]string, len(l.v.items))
		for i, item := range l.v.items {
			keys[i] = item.same()
		}
		if why := twice(keys); why != "" {
			l.fail(fault{why: why})
		}
	}
}

func (l *look) contains(r *rule) {
	n, sure := 0, l.blind
	for i, item := range l.v.items {
		if ok, _ := l.check(r.contains, item, l.at, l.depth, nil); ok {
			n++
			if l.tracks {
				l.seen.add(seen{items: map[int]bool{i: true}})
			}
		}
	}
	switch words := r.contains.asItem(); {
	case n < r.least:
		l.fail(fault{why: "at least " + plural(r.least, "item") + " must be " + words + "; this has " + strconv.Itoa(n), lacks: true})
	case r.most != nil && n > *r.most && l.blind == sure:
		l.fail(fault{why: "at most " + plural(*r.most, "item") + " may be " + words + "; this has " + strconv.Itoa(n)})
	}
}

func (l *look) object(r *rule) {
	if l.v.kind != '{' {
		return
	}
	for i, name := range l.v.names {
		item, at, known := l.v.items[i], step{name: name}, false
		if p, ok := r.props[name]; ok {
			known = true
			l.inner(p, item, at)
		}
		for _, p := range r.patterns {
			if !l.take(p.steps(name)) {
				return
			}
			if p.re.MatchString(name) {
				known = true
				l.inner(p.rule, item, at)
			}
		}
		if !known && r.rest != nil {
			known = true
			l.inner(r.rest, item, at)
		}
		if l.tracks && known {
			l.seen.add(seen{names: map[string]bool{name: true}})
		}
		l.name(r.names, name)
	}
	l.members(r)
}

// name looks at the rule for the names of members.
func (l *look) name(r *rule, name string) {
	if r == nil {
		return
	}
	var found []fault
	v := &datum{kind: '"', raw: Quote(name), text: name}
	if ok, _ := l.check(r, v, nil, l.depth, &found); !ok && len(found) > 0 {
		l.fail(fault{at: []step{{name: name}}, why: "its name: " + found[0].why})
	}
}

// members looks at which members there are.
func (l *look) members(r *rule) {
	lack := func(name, why string) {
		if l.v.member(name) == nil {
			l.fail(fault{at: []step{{name: name}}, why: why, lacks: true})
		}
	}
	if !l.take(len(r.required) + len(r.needs)) {
		return
	}
	for _, name := range r.required {
		lack(name, "required")
	}
	for _, d := range r.needs {
		if l.v.member(d.name) == nil || !l.take(len(d.names)) {
			continue
		}
		for _, name := range d.names {
			lack(name, "required, as "+quoted(d.name)+" is filled in")
		}
		l.given(d.rule)
	}
	switch n := len(l.v.names); {
	case r.minMembers != nil && n < *r.minMembers:
		l.fail(fault{why: "at least " + plural(*r.minMembers, "member") + "; this has " + strconv.Itoa(n), lacks: true})
	case r.maxMembers != nil && n > *r.maxMembers:
		l.fail(fault{why: "at most " + plural(*r.maxMembers, "member") + "; this has " + strconv.Itoa(n)})
	}
}

// rest looks at what no other rule looked at.
func (l *look) rest(r *rule) {
	if r.restItems != nil && l.v.kind == '[' && !l.seen.all {
		for i, item := range l.v.items {
			if !l.seen.items[i] {
				l.inner(r.restItems, item, step{item: i})
			}
		}
		l.seen.all = true
	}
	if r.restProps != nil && l.v.kind == '{' && !l.seen.all {
		for i, name := range l.v.names {
			if !l.seen.names[name] {
				l.inner(r.restProps, l.v.items[i], step{name: name})
			}
		}
		l.seen.all = true
	}
}
