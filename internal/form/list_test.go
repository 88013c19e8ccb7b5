package form

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestItemsAreAddedRemovedAndMoved(t *testing.T) {
	f := props(`"l":{"type":"array","items":{"type":"string"},"minItems":1,"uniqueItems":true}`, "l")
	l := f.at(t, "l")
	f.means(t, `{}`)
	a := l.Add(l)
	a.typeIn("a")
	c := l.Add(l)
	c.typeIn("c")
	l.Add(a).typeIn("b") // behind the item where the focus is
	f.means(t, `{"l":["a","b","c"]}`)
	if !c.Move(-2) || c.Move(-1) || !a.Move(1) {
		t.Error("an item moved where it cannot, or did not move")
	}
	f.means(t, `{"l":["c","b","a"]}`)
	a.typeIn("c")
	if got := l.Problem(); got != "each item once: 1 and 3 are the same" {
		t.Errorf("problem %q", got)
	}
	a.Remove()
	c.Remove()
	l.Kids()[0].Remove()
	f.means(t, `{"l":[]}`) // empty is not unset
	if got := l.Problem(); got != "at least 1 item; this has 0" {
		t.Errorf("problem %q", got)
	}
	l.Unset()
	f.means(t, `{}`)
	f.load(t, `{"l":["x","y"]}`)
	f.at(t, "l.1").Move(-1)
	f.means(t, `{"l":["y","x"]}`)
}

// A change in one place keeps all the rest to the digit.
func TestAChangeDeepInsideKeepsTheRest(t *testing.T) {
	f := props(`"o":{"type":"object","properties":{"n":{"type":"number"},"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":"number"}}}}}}`)
	f.load(t, `{"z":1.50,"o":{"l":[{"x":1.0,"y":"\u0061"},{"x":2e0}],"n":1E5,"more":[0.10]},"a":-0}`)
	f.at(t, "o.l.1.x").typeIn("3")
	f.means(t, `{"z":1.50,"o":{"l":[{"x":1.0,"y":"\u0061"},{"x":3}],"n":1E5,"more":[0.10]},"a":-0}`)
}

func TestMembersWithoutAProperty(t *testing.T) {
	f := props(`"env":{"type":"object","additionalProperties":{"type":"integer"}},"shut":{"type":"object","properties":{"a":{}},"additionalProperties":false}`)
	env := f.at(t, "env")
	m := env.Add(env)
	m.Key.Set("A")
	m.Renamed()
	m.typeIn("1")
	f.means(t, `{"env":{"A":1}}`)
	n := env.Add(m)
	n.Key.Set("A")
	n.Renamed()
	n.typeIn("x")
	if got := n.NameProblem(); got != "there is another member of this name" {
		t.Errorf("problem %q", got)
	}
	n.Key.Set("B")
	n.Renamed()
	if got := n.Problem(); got != "a whole number, such as 42" {
		t.Errorf("problem %q: the member has not the type of the others", got)
	}
	n.Remove()
	f.means(t, `{"env":{"A":1}}`)
	if f.at(t, "shut").Adds() != nil {
		t.Error("members can be added to an object that takes none")
	}
	f.load(t, `{"env":{"B":2,"A":"text"},"new":{"x":1}}`)
	if b, a := f.at(t, "env.B"), f.at(t, "env.A"); b.AsJSON() || !a.AsJSON() || f.at(t, "new").Kind != JSON {
		t.Error("members without a property are not shown as what they are")
	}
	f.at(t, "env.B").Key.Set("C")
	f.at(t, "env.B").Renamed()
	f.means(t, `{"env":{"C":2,"A":"text"},"new":{"x":1}}`)
}

func TestVariants(t *testing.T) {
	const schema = `{"properties":{"v":{"oneOf":[
		{"title":"by id","type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},
		{"title":"by name","type":"string","minLength":1},
		{"title":"all","const":"*"},
		{"title":"list","type":"array","items":{"type":"string"}}]}}}`
	f := of(schema)
	v := f.at(t, "v")
	f.means(t, `{}`)
	v.Turn(1)
	f.at(t, "v.id").typeIn("7")
	f.means(t, `{"v":{"id":7}}`)
	v.Turn(1)
	v.kids[0].typeIn("ann")
	f.means(t, `{"v":"ann"}`)
	v.Turn(-1)
	f.means(t, `{"v":{"id":7}}`) // what was in a branch waits there
	v.Turn(-1)
	f.means(t, `{}`)
	for value, branch := range map[string]string{
		`{"id":1.0}`: "by id", `{"id":"x"}`: "by id", `"bob"`: "by name", `"*"`: "all", `["a"]`: "list", `[]`: "list",
	} {
		f.load(t, `{"v":`+value+`}`)
		if v := f.at(t, "v"); v.AsJSON() || v.Branch() < 0 || v.Variants[v.Branch()].Name != branch {
			t.Errorf("%s is shown in branch %d", value, v.Branch())
		}
		f.means(t, `{"v":`+value+`}`)
	}
	f.load(t, `{"v":17}`)
	if !f.at(t, "v").AsJSON() {
		t.Error("what no branch can show is not shown as JSON")
	}
}

// The branch of a value with a mark in it is the one that the mark names.
func TestTheConstantChoosesTheBranch(t *testing.T) {
	branch := func(kind string) string {
		return `{"type":"object","properties":{"kind":{"const":"` + kind + `"},"n":{"type":"integer"}},"required":["kind"]}`
	}
	f := props(`"v":{"anyOf":[` + branch("a") + `,` + branch("b") + `,` + branch("c") + `]}`)
	for i, kind := range []string{"a", "b", "c"} {
		f.load(t, `{"v":{"n":1,"kind":"`+kind+`"}}`)
		if v := f.at(t, "v"); v.Branch() != i || v.Variants[i].Name != kind {
			t.Errorf("%s is in branch %d, %q", kind, v.Branch(), v.Variants[i].Name)
		}
	}
	// The mark counts for more than members that are known, and so does what is
	// required.
	f = props(`"v":{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{},"m":{}}},{"type":"object","properties":{"kind":{"const":"b"}}}]},
		"w":{"anyOf":[{"type":"object","properties":{"x":{},"n":{},"m":{}},"required":["x"]},{"type":"object","properties":{"n":{}}}]},
		"u":{"anyOf":[{"type":"array","items":{"enum":["a","b"]}},{"type":"integer"}]}`)
	f.load(t, `{"v":{"kind":"b","n":1,"m":2},"w":{"n":1,"m":2},"u":["a","z"]}`)
	for _, name := range []string{"v", "w"} {
		if got := f.at(t, name).Branch(); got != 1 {
			t.Errorf("%s is in branch %d", name, got)
		}
	}
	if !f.at(t, "u").AsJSON() {
		t.Error("what its branch cannot show is not shown as JSON")
	}
}

// Lists are told apart by their items, and objects by what their members are.
func TestTheItemsChooseTheBranch(t *testing.T) {
	branch := func(members string, required ...string) string {
		raw, _ := json.Marshal(required)
		return `{"type":"array","items":{"type":"object","properties":{` + members + `},"required":` + string(raw) + `}}`
	}
	f := props(`"v":{"anyOf":[` + branch(`"op":{"type":"string"},"value":{"anyOf":[{"type":"object"},{"type":"array"}]}`, "op", "value") + `,` +
		branch(`"op":{"type":"string"},"value":{"type":"string"}`, "op", "value") + `,` + branch(`"op":{"type":"string"}`, "op") + `]}`)
	for value, want := range map[string]int{
		`[{"op":"add","value":{}}]`: 0, `[{"op":"add","value":[1]}]`: 0, `[{"op":"set","value":"x"}]`: 1, `[{"op":"drop"}]`: 2,
	} {
		f.load(t, `{"v":`+value+`}`)
		if got := f.at(t, "v").Branch(); got != want {
			t.Errorf("%s is in branch %d, not in %d", value, got, want)
		}
	}
}

// The whole may be one of several kinds of object, and nothing else.
func TestTheWholeAsAVariant(t *testing.T) {
	f := of(`{"type":"object","oneOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}],"properties":{"all":{"type":"string"}}}`)
	f.means(t, `{}`)
	if n, why := f.Problem(); n != f.Root || why != "required: choose one" {
		t.Errorf("problem %q", why)
	}
	f.Root.Turn(1)
	f.at(t, "a").typeIn("1")
	f.at(t, "all").typeIn("x")
	f.means(t, `{"a":1,"all":"x"}`)
	f.load(t, `{"b":"y","all":"z"}`)
	if f.Root.Branch() != 1 || len(f.Rows()) != 3 {
		t.Errorf("branch %d, %d rows", f.Root.Branch(), len(f.Rows()))
	}
	f.Root.Flip()
	f.Root.typeIn("[1]")
	if n, why := f.Problem(); n != f.Root || why != "must be an object" {
		t.Errorf("a list for the whole: %q", why)
	}
	f.Root.typeIn(`{"b":"y"}`)
	f.means(t, `{"b":"y"}`)
}

func TestRowsFollowTheValue(t *testing.T) {
	f := props(`"a":{"type":"string"},"o":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}}},"l":{"type":"array","items":{"type":"object","properties":{"z":{"type":"string"}}}}`)
	rows := func() string {
		var names []string
		for _, r := range f.Rows() {
			names = append(names, strings.Repeat(">", r.Depth)+r.Node.Name+map[Part]string{Name: "?"}[r.Part])
		}
		return strings.Join(names, " ")
	}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "a o l"},
		{f.at(t, "o").Open, "a o >x >y l"},
		{func() { f.at(t, "l").Add(f.at(t, "l")) }, "a o >x >y l > >>z"},
		{func() { f.at(t, "o").Unset() }, "a o l > >>z"},
		{func() { f.at(t, "l").Flip() }, "a o l"},
		{func() { f.load(t, `{"m":1}`) }, "a o l m? >m"},
	} {
		step.do()
		if got := rows(); got != step.want {
			t.Errorf("rows %q, want %q", got, step.want)
		}
	}
}

// An item that is unset is not there; but what is behind it in a tuple keeps its
// place.
func TestItemsThatAreUnset(t *testing.T) {
	for items, want := range map[string][3]string{
		`"items":{"type":"string"}`: {`{"l":["a","b"]}`, "required", "required"},
		`"prefixItems":[{"type":"string"},{"type":"string"},{"type":"string"},{"type":"string"}]`: {
			`{"l":["a",null,"b"]}`, "required, as items behind it have a value; as JSON it is null", "required",
		},
	} {
		f := props(`"l":{"type":"array",` + items + `}`)
		l := f.at(t, "l")
		l.Add(l).typeIn("a")
		if why := l.Add(l).Problem(); why != "required" {
			t.Errorf("an item that is added: %q", why)
		}
		l.Add(l).typeIn("b")
		l.Add(l)
		f.means(t, want[0])
		if n, why := f.Problem(); n != f.at(t, "l.1") || why != want[1] {
			t.Errorf("problem %q", why)
		}
		if why := f.at(t, "l.3").Problem(); why != want[2] {
			t.Errorf("the last item: %q", why)
		}
	}
}
