package form

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// firstProblem is the first node in n that has something wrong, and what.
func (n *Node) firstProblem() (*Node, string) {
	if why := n.NameProblem(); why != "" {
		return n, why
	}
	if why := n.Problem(); why != "" && n.Kind != List && n.Kind != Object {
		return n, why
	}
	if !n.IsSet() && (n.Kind != Variant || n.branch < 0) {
		if why := n.Problem(); why != "" {
			return n, why
		}
		return nil, ""
	}
	for _, kid := range n.kids {
		if at, why := kid.firstProblem(); at != nil {
			return at, why
		}
	}
	if why := n.Problem(); why != "" {
		return n, why
	}
	return nil, ""
}

// Problem says in plain words what is wrong with the value of the node itself, or
// "". The words may quote the schema.
func (n *Node) Problem() string {
	if !n.judged || !n.set { // what is unset may be missed because of others
		n.own, n.judged = n.ownProblem(), true
	}
	if n.own != "" {
		return n.own
	}
	return n.form.faultOf(n).why
}

// IsByHand reports whether the node was written as JSON although its type can be shown
// in another way, or is in one that was.
func (n *Node) IsByHand() bool {
	for p := n; p != nil; p = p.up {
		if p.json && p.Kind != JSON {
			return true
		}
	}
	return false
}

// ownProblem is what the type of the node finds wrong.
func (n *Node) ownProblem() string {
	if n.json {
		return n.jsonProblem()
	}
	if n.never && n.set {
		return neverWords
	}
	if n.Kind == Variant {
		if n.branch < 0 && n.Required {
			return "required: choose one"
		}
		return ""
	}
	if !n.set {
		return n.missing()
	}
	var text string
	if n.Writes() {
		text = n.Input.String()
	}
	switch n.Kind {
	case Text:
		n.long = n.re != nil && !n.form.effort.take(n.matchSteps(text))
		return n.textProblem(text, !n.long)
	case Number, Integer:
		return n.numberProblem(text)
	case Many:
		return n.countProblem(len(n.picks), "option")
	case List:
		return n.listProblem()
	case Choice, Object, Variant, JSON:
	}
	return ""
}

func (n *Node) missing() string {
	switch {
	case !n.Required:
		return ""
	case n.IsMovable() && len(n.up.prefix) > 0 && n.up.isSetBehind(n):
		return "required, as items behind it have a value; as JSON it is null"
	}
	return "required"
}

// isSetBehind reports whether an item behind this one has a value.
func (n *Node) isSetBehind(kid *Node) bool { return kid.Index() < n.overview().last }

// overview is what is known of the nodes in one, as long as the value stays.
type overview struct {
	of     int              // the version of the form, and one more
	firsts map[string]*Node // the first member of each name
	last   int              // the place of the last that is set, or -1
}

// overview looks at the nodes in n once for each version.
func (n *Node) overview() *overview {
	o := &n.within
	if o.of == n.form.version+1 {
		return o
	}
	*o = overview{of: n.form.version + 1, firsts: make(map[string]*Node, len(n.kids)), last: -1}
	for i, kid := range n.kids {
		set := kid.IsSet()
		if set {
			o.last = i
		}
		if o.firsts[kid.Name] == nil && (kid.extra || set) {
			o.firsts[kid.Name] = kid
		}
	}
	return o
}

// NameProblem says what is wrong with the name of an extra member, or "".
func (n *Node) NameProblem() string {
	if !n.extra || n.up == nil {
		return ""
	}
	if first := n.up.overview().firsts[n.Name]; first != nil && first != n {
		return "there is another member of this name"
	}
	return ""
}

// jsonProblem judges what is written as JSON. A value of another kind than the
// type's passes for arguments: whoever writes it wants it.
func (n *Node) jsonProblem() string {
	if !n.set {
		return n.missing()
	}
	raw, err := compact([]byte(n.Input.String()))
	switch {
	case err != nil:
		return "this is no JSON; text stands in double quotes"
	case n.Kind == JSON, n.form.use == Arguments:
		return ""
	case n.Nullable && kindOf(raw) == 'n':
		return ""
	}
	probe := n.form.probe(n.form.use).node(n.Type, nil)
	if probe.take(raw); probe.json {
		return "must be " + strings.TrimPrefix(n.Words(), "always ")
	}
	_, why := probe.firstProblem()
	return why
}

func (n *Node) listProblem() string {
	if why := n.countProblem(len(n.kids), "item"); why != "" {
		return why
	}
	if !n.Unique {
		return ""
	}
	keys := make([]string, len(n.kids))
	for i, kid := range n.kids {
		if v, ok := kid.value(); ok {
			keys[i] = sameText(v)
		}
	}
	return twice(keys)
}

func (t *Type) countProblem(n int, word string) string {
	switch {
	case t.MinItems != nil && n < *t.MinItems:
		return fmt.Sprintf("at least %s; this has %d", plural(*t.MinItems, word), n)
	case t.MaxItems != nil && n > *t.MaxItems:
		return fmt.Sprintf("at most %s; this has %d", plural(*t.MaxItems, word), n)
	}
	return ""
}

// textProblem is what is wrong with a text. match has it matched against the pattern.
func (t *Type) textProblem(s string, match bool) string {
	n := utf8.RuneCountInString(s)
	switch {
	case t.MinLength != nil && n < *t.MinLength:
		return fmt.Sprintf("at least %s; this has %d", plural(*t.MinLength, "character"), n)
	case t.MaxLength != nil && n > *t.MaxLength:
		return fmt.Sprintf("at most %s; this has %d", plural(*t.MaxLength, "character"), n)
	case match && t.re != nil && !t.re.MatchString(s):
		return "does not match the pattern " + patternWords(t.Pattern, shownMost)
	}
	if f, ok := formats[t.Format]; ok && !f.fits(s) {
		return f.words
	}
	return ""
}

func (t *Type) numberProblem(s string) string {
	if _, err := compact([]byte(s)); err != nil || kindOf([]byte(s)) != '0' {
		if t.Kind == Integer {
			return "a whole number, such as 42"
		}
		return "a number, such as 4.2"
	}
	v := parseDecimal(s)
	switch {
	case t.Kind == Integer && !v.isWhole():
		return "a whole number, such as 42"
	case t.Min != nil && v.cmp(*t.Min) < 0:
		return "at least " + t.Min.String()
	case t.AboveMin != nil && v.cmp(*t.AboveMin) <= 0:
		return "more than " + t.AboveMin.String()
	case t.Max != nil && v.cmp(*t.Max) > 0:
		return "at most " + t.Max.String()
	case t.BelowMax != nil && v.cmp(*t.BelowMax) >= 0:
		return "less than " + t.BelowMax.String()
	case t.Multiple != nil && !v.isMultipleOf(*t.Multiple):
		return "a multiple of " + t.Multiple.String()
	}
	return ""
}

// plural writes a number of things.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
