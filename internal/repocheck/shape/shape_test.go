package shape

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Figures of a package. Each may only fall: a rise fails the test, and so does a
// fall that is not written down here.
type figures struct {
	functions, literals int // that hang on the object, function literals among them, without the doors; and these alone
	ring                int // files that reach each other by calls
	up                  int // calls from file to file that run back up
}

// writerCounts count what writes a struct. They may only fall, too.
type writerCounts struct {
	functions int // that write
	files     int // in which these stand
	involved  int // these files, and those that call a setter
	callers   int // files that call one of the functions
}

// ratchet is what is measured of a package and of the object that it is about.
type ratchet struct {
	path, object string
	door         string // the interface by which the object is told something: a new input brings two functions with a Session, its check and its apply
	most         int    // functions with the object, doors among them; 0: no bound
	want         figures
	beside       map[string]int          // other objects to the functions with one
	writers      map[string]writerCounts // a struct, or a field of one, to who writes it
	deadlines    int                     // sources of the next deadline
	kinds        map[string]int          // how the names of the files of a kind of thing begin, to the other files that name something of it
	holders      []string                // structs that hold the object
}

var ratchets = []ratchet{
	{
		path: "belay/session", object: "Session", door: "Input", most: 250, // more than anybody keeps in mind: nats.go has 140 on its Conn
		want:      figures{functions: 173, literals: 0, ring: 1, up: 0},
		beside:    map[string]int{"exchanges": 82, "tasks": 79, "incoming": 53, "catalog": 37, "log": 67, "call": 337},
		kinds:     map[string]int{"task_": 41, "sub": 34, "process_sample": 5, "round": 22, "question": 21, "wrong": 10},
		deadlines: 1,
		writers: map[string]writerCounts{
			"call":         {45, 8, 8, 43},
			"call.-rowLog": {37, 7, 7, 28},
			"call.rowLog":  {9, 2, 2, 28},
			"rowLog.rev":   {1, 1, 1, 17},
			"call.state":   {1, 1, 1, 1},
			"response":     {8, 1, 1, 2},
			"clocks":       {5, 1, 1, 6},
			"stop":         {46, 20, 20, 30},
			"request":      {18, 8, 12, 21},
			"connection":   {17, 4, 4, 17},
			"exchange":     {17, 3, 3, 7},
			"subscription": {10, 2, 3, 8},
		},
	},
	{path: "belay/session/cancel", object: "Attempt", want: figures{functions: 62, literals: 0, ring: 6, up: 4}},
	{
		path: "belay/ui", object: "Model",
		want:    figures{functions: 158, literals: 9, ring: 20, up: 10},
		holders: []string{"binding", "host"},
	},
	{
		path: "belay/mcpclient", object: "Client",
		want:    figures{functions: 146, literals: 0, ring: 24, up: 37},
		holders: []string{"Options", "httpTransport", "inbox", "partReporter", "stdio", "ticker"},
	},
	{path: "belay/ui/question", object: "Panel", want: figures{functions: 89, literals: 12, ring: 8, up: 9}},
}

func TestFiguresOnlyFall(t *testing.T) {
	for _, c := range ratchets {
		t.Run(c.object, func(t *testing.T) {
			t.Parallel()
			p, err := Load("../../..", c.path)
			if err != nil {
				t.Fatal(err)
			}
			var got figures
			declared, literals := p.Methods(c.object)
			all, doors := declared+literals+p.Through(c.object), p.Doors(c.object, c.door)
			if c.most > 0 && all > c.most || c.door != "" && doors == 0 {
				t.Errorf("%d functions have a %s, at most %d may; %d of them are doors", all, c.object, c.most, doors)
			}
			got.functions, got.literals = all-doors, literals
			got.ring = len(p.Ring())
			_, got.up = p.Arrows()
			onlyFalls(t, "functions with a "+c.object, got.functions, c.want.functions)
			onlyFalls(t, "function literals with a "+c.object, got.literals, c.want.literals)
			onlyFalls(t, "files in the ring", got.ring, c.want.ring)
			onlyFalls(t, "calls that run back up", got.up, c.want.up)
			for _, name := range slices.Sorted(maps.Keys(c.beside)) {
				declared, _ := p.Methods(name)
				onlyFalls(t, "functions with a "+name, declared, c.beside[name])
			}
			for _, prefix := range slices.Sorted(maps.Keys(c.kinds)) {
				named := p.Dependents(prefix)
				onlyFalls(t, fmt.Sprintf("files that name something of %s*.go: %v", prefix, named), len(named), c.kinds[prefix])
			}
			for _, name := range slices.Sorted(maps.Keys(c.writers)) {
				owner, field, _ := strings.Cut(name, ".")
				if p.Fields(owner) == 0 {
					t.Errorf("there is no struct %s any more: measure what took its place", owner)
				}
				by, want := p.Writers(owner, field), c.writers[name]
				onlyFalls(t, fmt.Sprintf("functions that write %s: %q", name, by.Functions), len(by.Functions), want.functions)
				onlyFalls(t, fmt.Sprintf("files that write %s: %v", name, by.Files), len(by.Files), want.files)
				onlyFalls(t, fmt.Sprintf("files that write %s, or call one of its setters %q: %v", name, by.Setters, by.Involved), len(by.Involved), want.involved)
				onlyFalls(t, fmt.Sprintf("files that call what writes %s: %v", name, by.Callers), len(by.Callers), want.callers)
			}
			onlyFalls(t, "sources of a deadline", p.Moments(c.object, "Deadline"), c.deadlines)
			if held := p.Holders(c.object); !slices.Equal(held, c.holders) {
				t.Errorf("%v hold a %s, want %v: a machine returns what happened, and never calls up", held, c.object, c.holders)
			}
		})
	}
}

// What docs/internals.md tells of who writes what is what was measured.
func TestThePageHasTheFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "internals.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, of := strings.Join(strings.Fields(string(text)), " "), ratchets[0].writers
	call, logged, stop := of["call.-rowLog"], of["call"], of["stop"]
	request, connection := of["request"], of["connection"]
	for _, sentence := range []string{
		fmt.Sprintf("%d functions in %d files write a field of it,", call.functions, call.files),
		fmt.Sprintf("%d files call any of the %d.", call.callers, call.functions),
		fmt.Sprintf("With what the log has of the row it is %d functions in %d files, and %d that call.", logged.functions, logged.files, logged.callers),
		fmt.Sprintf("Of a request it is %d functions in %d files, called from %d;", request.functions, request.files, request.callers),
		fmt.Sprintf("of the connection %d in %d, called from %d.", connection.functions, connection.files, connection.callers),
		fmt.Sprintf("%d functions in %d files write it (`stop`)", stop.functions, stop.files),
		fmt.Sprintf("`touch` is called from %d files", of["rowLog.rev"].callers),
	} {
		if !strings.Contains(page, sentence) {
			t.Errorf("docs/internals.md does not say %q: that is what the ratchets hold", sentence)
		}
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
	if p.Files() != 7 {
		t.Fatalf("%d files, want 7", p.Files())
	}
	if declared, literals := p.Methods("Hub"); declared != 11 || literals != 1 {
		t.Errorf("methods %d and literals %d, want 11 and 1: parameters count, and aliases", declared, literals)
	}
	if n := p.Doors("Hub", "door"); n != 1 {
		t.Errorf("%d doors of a Hub, want the one method that takes it", n)
	}
	if n := p.Through("Hub"); n != 4 {
		t.Errorf("%d functions have what holds a Hub, want 4: a method, a parameter, a literal, and by way of another struct", n)
	}
	want := map[string][]string{
		"a.go": {"b.go", "c.go"}, // an interface; a function value
		"b.go": {"c.go"},
		"c.go": {"b.go", "d.go"}, // a callback, a method; a loop over a function
		"d.go": nil,
		"e.go": nil,
		"f.go": {"e.go"},
		"g.go": {"e.go"},
	}
	for file, to := range want {
		if got := slices.Sorted(maps.Keys(p.calls[file])); !slices.Equal(got, to) {
			t.Errorf("%s calls into %v, want %v", file, got, to)
		}
	}
	if got := p.Ring(); !slices.Equal(got, []string{"b.go", "c.go"}) {
		t.Errorf("ring %v", got)
	}
	if all, up := p.Arrows(); all != 7 || up != 1 {
		t.Errorf("%d arrows, %d run up, want 7 and 1", all, up)
	}
	if got := p.Dependents("e"); !slices.Equal(got, []string{"f.go", "g.go"}) {
		t.Errorf("%v name something of e.go", got)
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

func TestWritersAreSeen(t *testing.T) {
	p, err := Load(".", "./testdata/tangle")
	if err != nil {
		t.Fatal(err)
	}
	names := func(of []string) (all []string) {
		for _, f := range of {
			all = append(all, f[len("func "):strings.IndexByte(f, '(')])
		}
		return all
	}
	row := p.Writers("row", "")
	want := []string{
		"adds", "aliasWinds", "aliased", "asValue", "assigns", "assignsAll", "assignsPart", "byMethod", "byPromoted", "copies", "element", "given",
		"judges", "makesOf", "promoted", "sets", "setsOther", "setsPart", "takes",
	}
	if got := names(row.Functions); !slices.Equal(got, want) {
		t.Errorf("%v write a row, want %v", got, want)
	}
	if want := []string{"adds", "hands", "makesOf", "sets", "setsPart"}; !slices.Equal(names(row.Setters), want) {
		t.Errorf("%v are setters, want %v", names(row.Setters), want)
	}
	if !slices.Equal(row.Files, []string{"e.go"}) || !slices.Equal(row.Involved, []string{"e.go", "g.go"}) || !slices.Equal(row.Callers, []string{"e.go", "f.go", "g.go"}) {
		t.Errorf("in %v, set from %v, called from %v", row.Files, row.Involved, row.Callers)
	}
	of := []string{"assigns", "assignsAll", "copies", "judges", "sets", "setsOther", "takes"}
	if got := names(p.Writers("row", "state").Functions); !slices.Equal(got, of) {
		t.Errorf("%v write the state of a row", got)
	}
	others := slices.DeleteFunc(want, func(f string) bool { return f != "assignsAll" && slices.Contains(of, f) })
	if got := names(p.Writers("row", "-state").Functions); !slices.Equal(got, others) {
		t.Errorf("%v write a row but for its state, want %v", got, others)
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
