package form

import (
	"strings"
	"testing"
)

// of makes a form of a schema for arguments.
func of(schema string) *Form { return New(ParseSchema([]byte(schema))) }

// props makes a form of an object with these properties, of which some are
// required.
func props(properties string, required ...string) *Form {
	quoted := make([]string, len(required))
	for i, r := range required {
		quoted[i] = string(Quote(r))
	}
	return of(`{"type":"object","properties":{` + properties + `},"required":[` + strings.Join(quoted, ",") + `]}`)
}

// at is the node at a path of names and places ("who.name", "tags.0").
func (f *Form) at(t *testing.T, path string) *Node {
	t.Helper()
	n := f.Root
	for part := range strings.SplitSeq(path, ".") {
		if n.Kind == Variant && len(n.kids) > 0 {
			n = n.kids[0]
		}
		var next *Node
		for i, kid := range n.kids {
			if n.Kind == List && string(rune('0'+i)) == part || n.Kind != List && kid.Name == part {
				next = kid
			}
		}
		if next == nil {
			t.Fatalf("there is no %q in %q; the form is %s", part, path, f.JSON())
		}
		n = next
	}
	return n
}

// write types a text over what is in a node.
func (n *Node) typeIn(text string) *Node {
	n.Input.Set(text)
	n.Typed()
	return n
}

func (f *Form) load(t *testing.T, raw string) *Form {
	t.Helper()
	if err := f.SetJSON([]byte(raw)); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return f
}

func (f *Form) means(t *testing.T, want string) {
	t.Helper()
	if got := string(f.JSON()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func each(n *Node, do func(*Node)) {
	do(n)
	for _, kid := range n.kids {
		each(kid, do)
	}
}

// forget makes every node forget what it was loaded from, as if all of it had
// been typed.
func (f *Form) forget() {
	each(f.Root, func(n *Node) { n.raw = nil })
	f.version++
}

// exact writes a value so that two texts are equal when the values are, with the
// order of members and the digits of numbers.
func exact(t *testing.T, raw []byte) string {
	t.Helper()
	c, err := compact(raw)
	if err != nil {
		t.Fatalf("%q is no JSON", raw)
	}
	switch kindOf(c) {
	case '{':
		members, err := ParseObject(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range members {
			members[i].Value = []byte(exact(t, members[i].Value))
		}
		return string(AppendObject(nil, members))
	case '[':
		items, err := parseArray(c)
		if err != nil {
			t.Fatal(err)
		}
		for i := range items {
			items[i] = []byte(exact(t, items[i]))
		}
		return string(appendArray(nil, items))
	case '"':
		s, _ := unquote(c)
		return string(Quote(s))
	}
	return string(c)
}
