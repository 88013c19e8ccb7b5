package shape

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What of session/ goes against the layers that its structs declare, and the reason.
var sessionExceptions = map[Crossing]string{
	{"call", "taskRequest"}: "a call that asks about a task is shown in the row of that task, and asks by an interface which row it is",
}

// session loads session/, and what its structs declare of the layers.
func session(t *testing.T) *Layered {
	t.Helper()
	p, err := Load("../../..", "belay/session")
	if err != nil {
		t.Fatal(err)
	}
	declared, err := p.Declared()
	if err != nil {
		t.Fatal(err)
	}
	declared.Excepted = sessionExceptions
	v, err := p.Under(declared)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What is written past the machine that it belongs to: fields of machines, or of values, to how many
// functions and fields there are. Who calls a setter writes, too. They may only fall.
var sessionWrites = map[string]int{
	"the conductor, of machines": 65,
	"the conductor, of values":   19,
	"machines, of machines":      40,
	"machines, of values":        67,
}

// A machine of session/ calls none beside it and none above, and holds none.
func TestMachinesCallOnlyDown(t *testing.T) {
	t.Parallel()
	v := session(t)
	against, unused := v.Against(v.Reaches())
	for _, r := range against {
		t.Errorf("%v: it %s %s, which is not below it: let it return what happened, and the conductor route it", r.Crossing, r.Way, r.Where)
	}
	for _, c := range unused {
		t.Errorf("%v is excepted, and nothing needs that any more", c)
	}
	got := map[string]int{}
	all := map[string][]string{}
	for _, w := range v.Writes() {
		kind := v.kind(w)
		got[kind]++
		all[kind] = append(all[kind], w.Field+" in "+w.Function)
	}
	for kind, was := range sessionWrites {
		if got[kind] != was {
			t.Log(strings.Join(all[kind], "\n"))
		}
		onlyFalls(t, "fields written by "+kind, got[kind], was)
	}
	onlyFalls(t, "exceptions", len(sessionExceptions), 1)
}

func (v *Layered) kind(w Write) string {
	by, of := "machines", "machines"
	if w.From == conductor {
		by = conductor
	}
	if v.value[w.To] {
		of = "values"
	}
	return by + ", of " + of
}

// The table of docs/internals.md has each machine of session/ once, beside the number of its layer.
func TestThePageHasTheLayers(t *testing.T) {
	t.Parallel()
	machines := session(t).Machines
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "internals.md"))
	if err != nil {
		t.Fatal(err)
	}
	layer := map[string]int{}
	for i, names := range machines {
		for _, name := range names {
			layer[name] = i + 1
		}
	}
	last, name := 0, regexp.MustCompile("`([A-Za-z]+)`")
	for _, line := range regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \|`).FindAllStringSubmatch(string(text), -1) {
		n, _ := strconv.Atoi(line[1])
		if n < last {
			t.Errorf("%s stands below layer %d: the page begins with the lowest", line[2], last)
		}
		last = n
		for _, m := range name.FindAllStringSubmatch(line[2], -1) {
			if layer[m[1]] != n {
				t.Errorf("the page has %s in layer %d, want %d (0: it is no machine, or stands there twice)", m[1], n, layer[m[1]])
			}
			delete(layer, m[1])
		}
	}
	for _, m := range slices.Sorted(maps.Keys(layer)) {
		t.Errorf("the page has no machine %s, of layer %d", m, layer[m])
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, sentence := range []string{
		fmt.Sprintf("%d layers", len(machines)),
		fmt.Sprintf("%d times the conductor writes a field of a machine", sessionWrites["the conductor, of machines"]),
		fmt.Sprintf("%d times one machine a field of another", sessionWrites["machines, of machines"]),
		fmt.Sprintf("%d times one a field of a value that another keeps", sessionWrites["machines, of values"]),
		fmt.Sprintf("There is %d exception,", len(sessionExceptions)),
	} {
		if !strings.Contains(page, sentence) {
			t.Errorf("docs/internals.md does not say %q: that is what the ratchets hold", sentence)
		}
	}
}

// The fixture has one of each way in which a machine goes against the layers.
func TestWhatGoesAgainstTheLayersIsSeen(t *testing.T) {
	p, err := Load(".", "./testdata/layers")
	if err != nil {
		t.Fatal(err)
	}
	declared, err := p.Declared()
	if err != nil {
		t.Fatal(err)
	}
	written := Layers{
		Conductor: "Hub",
		Values:    [][]string{{"count"}, {"other"}},
		Machines:  [][]string{{"base"}, {"left", "right"}, {"top"}},
		Keepers:   map[string]string{"count": "left"},
		Parts:     map[string][]string{"right": {"half"}},
		Plain:     []string{"plain"},
	}
	if !reflect.DeepEqual(declared, written) {
		t.Fatalf("the structs declare\n%+v, want\n%+v", declared, written)
	}
	declared.Excepted = map[Crossing]string{{"base", "left"}: "to see that it is passed over", {"left", "top"}: "to see that nothing needs it"}
	v, err := p.Under(declared)
	if err != nil {
		t.Fatal(err)
	}
	against, unused := v.Against(v.Reaches())
	var got []string
	for _, r := range against {
		of := strings.Fields(r.Where)
		got = append(got, r.String()+" "+r.Way+" "+of[len(of)-1])
	}
	want := []string{
		"count -> other calls calls",
		"left -> right calls turn",
		"left -> right holds left.right",
		"right -> left calls speak",
		"right -> left holds right.s",
		"right -> left takes takes",
		"top -> the conductor calls Route",
	}
	if !slices.Equal(got, want) {
		t.Errorf("against the layers:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.Equal(unused, []Crossing{{"left", "top"}}) {
		t.Errorf("exceptions that nothing needs: %v", unused)
	}
	got = nil
	for _, w := range v.Writes() {
		got = append(got, v.kind(w)+": "+w.Field+" "+strings.Fields(w.Function)[1])
	}
	slices.SortFunc(got, cmp.Compare[string])
	want = []string{
		"machines, of machines: base.list writes",
		"machines, of machines: base.set() sets",
		"machines, of machines: left.shown takes",
		"machines, of values: count.n steals",
		"the conductor, of machines: base.list Route",
		"the conductor, of machines: base.n Route",
		"the conductor, of machines: base.set() Route",
		"the conductor, of machines: half.turned Route",
		"the conductor, of machines: right.s Route",
		"the conductor, of machines: top.call Route",
		"the conductor, of values: count.n Route",
	}
	if !slices.Equal(got, want) {
		t.Errorf("written past the machine:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	for _, line := range []string{"//shape:", "//shape:machine", "//shape:machine 0", "//shape:machine three", "//shape:value 1 left", "//shape:part left", "//shape:conductor", "//shape:plane"} {
		l := Layers{Conductor: "Hub", Keepers: map[string]string{}, Parts: map[string][]string{}}
		if err := l.declare("half", &ast.CommentGroup{List: []*ast.Comment{{Text: line}}}); err == nil {
			t.Errorf("%s is taken for a declaration", line)
		}
	}
	for name, change := range map[string]func(*Layers){
		"the conductor leads to half, of which nothing is declared": func(l *Layers) { l.Parts = nil },
		"the conductor leads to plain, of which":                    func(l *Layers) { l.Plain = nil },
		"nothing leads to idle":                                     func(l *Layers) { l.Plain = []string{"plain", "idle"} },
		"there is no type gone":                                     func(l *Layers) { l.Machines = append(slices.Clone(l.Machines), []string{"gone"}) },
		"left is declared twice":                                    func(l *Layers) { l.Parts = map[string][]string{"right": {"half", "left"}} },
		"top keeps base, and is no machine, or that no value":       func(l *Layers) { l.Keepers = map[string]string{"base": "top"} },
		"middle has parts, and is no machine":                       func(l *Layers) { l.Parts = map[string][]string{"right": {"half"}, "middle": nil} },
		"the variable everyone leads to a machine":                  func(l *Layers) { l.Values = append(slices.Clone(l.Values), []string{"shared"}) },
	} {
		wrong := declared
		change(&wrong)
		if _, err := p.Under(wrong); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
