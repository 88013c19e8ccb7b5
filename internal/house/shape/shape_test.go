package shape

import (
	"maps"
	"slices"
	"testing"
)

// Figures of a package. Each may only fall: a rise fails the test, and so does a
// fall that is not written down here. An input that is new brings two functions with a
// Session, its check and its apply; the plan of the redesign allows 250.
type figures struct {
	declared, literals int // functions that hang on the object, and function literals
	ring               int // files that reach each other by calls
	up                 int // calls from file to file that run back up
}

func TestFiguresOnlyFall(t *testing.T) {
	for _, c := range []struct {
		path, object string
		want         figures
		writers      map[string]int // struct to the files that write it
		deadlines    int            // sources of the next deadline
		holders      []string       // structs that hold the object
	}{
		{
			path: "belay/session", object: "Session",
			want:      figures{declared: 229, literals: 0, ring: 1, up: 0},
			writers:   map[string]int{"call": 7, "response": 3, "clocks": 1, "stop": 4, "request": 6, "connection": 3, "exchange": 4, "subscription": 2},
			deadlines: 1,
		},
		{
			path: "belay/ui", object: "Model",
			want:    figures{declared: 157, literals: 18, ring: 21, up: 16},
			holders: []string{"binding", "host"},
		},
	} {
		t.Run(c.object, func(t *testing.T) {
			t.Parallel()
			p, err := Load("../../..", c.path)
			if err != nil {
				t.Fatal(err)
			}
			var got figures
			got.declared, got.literals = p.Methods(c.object)
			got.ring = len(p.Ring())
			_, got.up = p.Arrows()
			onlyFalls(t, "functions with a "+c.object, got.declared, c.want.declared)
			onlyFalls(t, "function literals with a "+c.object, got.literals, c.want.literals)
			onlyFalls(t, "files in the ring", got.ring, c.want.ring)
			onlyFalls(t, "calls that run back up", got.up, c.want.up)
			for _, name := range slices.Sorted(maps.Keys(c.writers)) {
				if p.Fields(name) == 0 {
					t.Errorf("there is no struct %s any more: measure what took its place", name)
				}
				onlyFalls(t, "files that write "+name, len(p.Writers(name)), c.writers[name])
			}
			onlyFalls(t, "sources of a deadline", p.Moments(c.object, "Deadline"), c.deadlines)
			if held := p.Holders(c.object); !slices.Equal(held, c.holders) {
				t.Errorf("%v hold a %s, want %v: a machine returns what happened, and never calls up", held, c.object, c.holders)
			}
		})
	}
}

func onlyFalls(t *testing.T, what string, got, was int) {
	t.Helper()
	switch {
	case got > was:
		t.Errorf("%s: %d, were %d: what is new hangs on the object that everything hangs on; give it a room of its own", what, got, was)
	case got < was:
		t.Errorf("%s: %d, were %d: that is better; write the new figure down here, so that it stays", what, got, was)
	}
}

// The fixture has one of each way to hide a tangle.
func TestTanglesAreSeen(t *testing.T) {
	p, err := Load(".", "./testdata/tangle")
	if err != nil {
		t.Fatal(err)
	}
	if p.Files() != 4 {
		t.Fatalf("%d files, want 4", p.Files())
	}
	if declared, literals := p.Methods("Hub"); declared != 9 || literals != 1 {
		t.Errorf("methods %d and literals %d, want 9 and 1: parameters count, and aliases", declared, literals)
	}
	want := map[string][]string{
		"a.go": {"b.go", "c.go"}, // an interface; a function value
		"b.go": {"c.go"},
		"c.go": {"b.go", "d.go"}, // a callback, a method; a loop over a function
		"d.go": nil,
	}
	for file, to := range want {
		if got := slices.Sorted(maps.Keys(p.calls[file])); !slices.Equal(got, to) {
			t.Errorf("%s calls into %v, want %v", file, got, to)
		}
	}
	if got := p.Ring(); !slices.Equal(got, []string{"b.go", "c.go"}) {
		t.Errorf("ring %v", got)
	}
	if all, up := p.Arrows(); all != 5 || up != 1 {
		t.Errorf("%d arrows, %d run up, want 5 and 1", all, up)
	}
	if got := slices.Sorted(maps.Keys(p.Writers("Hub"))); !slices.Equal(got, []string{"a.go", "b.go", "c.go", "d.go"}) {
		t.Errorf("writers %v: a builtin, an assignment, a call of a setter, an element, an address", got)
	}
	if held := p.Holders("Hub"); !slices.Equal(held, []string{"back", "called"}) {
		t.Errorf("%v hold a Hub, want a field of it and a function that takes one", held)
	}
	if n := p.Fields("Hub"); n != 4 {
		t.Errorf("%d fields", n)
	}
	if n := p.Moments("Hub", "Next"); n != 3 {
		t.Errorf("the deadline has %d sources, want 3", n)
	}
}

func TestBackArrows(t *testing.T) {
	for _, c := range []struct {
		name    string
		calls   map[string][]string
		all, up int
		ring    int
	}{
		{"a chain", map[string][]string{"a": {"b"}, "b": {"c"}, "c": nil}, 2, 0, 1},
		{"a diamond", map[string][]string{"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": nil}, 4, 0, 1},
		{"a pair", map[string][]string{"a": {"b"}, "b": {"a"}}, 2, 1, 2},
		{"a ring of three with a tail", map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": nil}, 4, 1, 3},
		{"two rings", map[string][]string{"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}}, 6, 2, 3},
	} {
		calls := map[string]map[string]bool{}
		for v, to := range c.calls {
			calls[v] = map[string]bool{}
			for _, w := range to {
				calls[v][w] = true
			}
		}
		all, up := backArrows(calls)
		if ring := len(largestRing(calls)); all != c.all || up != c.up || ring != c.ring {
			t.Errorf("%s: %d arrows, %d up, a ring of %d; want %d, %d, %d", c.name, all, up, ring, c.all, c.up, c.ring)
		}
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	if _, err := Load("../../..", "belay/nowhere"); err == nil {
		t.Error("a package that is not there was loaded")
	}
}
