package form

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// corpus are the schemas in testdata/schemas, named by their paths there.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	const root = "testdata/schemas"
	out := map[string][]byte{}
	for _, pattern := range []string{"listed/*/*.json", "made/*.json"} {
		files, err := filepath.Glob(root + "/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d schemas, %v", pattern, len(files), err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimPrefix(filepath.ToSlash(f), root+"/")
			out[strings.TrimSuffix(name, ".json")] = raw
		}
	}
	return out
}

// The table in the README tells where each schema was taken from, and there are
// enough of them to stand for what is in use.
func TestTheCorpusIsTakenFromServers(t *testing.T) {
	files := map[string]int{}
	all, servers := 0, map[string]bool{}
	for name := range corpus(t) {
		if dir, _, ok := strings.Cut(strings.TrimPrefix(name, "listed/"), "/"); ok && path.Dir(name) != "made" {
			files[dir]++
			all++
		}
	}
	readme, err := os.ReadFile("testdata/schemas/README.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| ([a-z0-9-]+) \\| (?:npm|Go) `[^`]+` \\| ([0-9.]+) \\| \\d{4}-\\d\\d-\\d\\d \\| (\\d+) \\|$")
	for _, m := range row.FindAllStringSubmatch(string(readme), -1) {
		dir := m[1] + "-" + m[2]
		if n, _ := strconv.Atoi(m[3]); n == 0 || n != files[dir] {
			t.Errorf("the table says that there are %s schemas of %s; there are %d", m[3], dir, files[dir])
		}
		servers[m[1]] = true
		delete(files, dir)
	}
	for dir := range files {
		t.Errorf("the table does not tell of %s", dir)
	}
	if all < 50 || len(servers) < 15 {
		t.Errorf("%d schemas of %d servers", all, len(servers))
	}
}

// The parts of a schema that belay shows as JSON are those that say nothing of
// what they are.
func TestNoFormOfTheCorpusIsRaw(t *testing.T) {
	for name, raw := range corpus(t) {
		f := New(ParseSchema(raw))
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		if f.Root.Note != "" || f.Root.AsJSON() {
			t.Errorf("%s: %q", name, f.Root.Note)
		}
		if rows := f.Rows(); len(rows) < len(schema.Properties) {
			t.Errorf("%s: %d rows for %d properties", name, len(rows), len(schema.Properties))
		}
		for _, kid := range f.Root.kids {
			if kid.Kind == JSON && !silent(schema.Properties[kid.Name]) {
				t.Errorf("%s: %s is shown as JSON: %s", name, kid.Name, kid.Note)
			}
		}
		if got := string(f.JSON()); strings.Contains(got, "null") {
			t.Errorf("%s: something is null that nobody wrote: %s", name, got)
		}
	}
}

// silent reports whether a schema has no word but texts for people.
func silent(schema any) bool {
	words, object := schema.(map[string]any)
	for word := range words {
		if word != "description" && word != "title" {
			return false
		}
	}
	return object || schema == true
}

// Values of every schema, and values that break it, go through the form and come
// back as they were: untouched, and also when every node writes its own part.
func TestTheCorpusGoesRound(t *testing.T) {
	values := 30
	if raceDetector {
		values = 6
	}
	for name, raw := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, uint64(len(raw))))
			for i := range values {
				g := generator{rnd: rnd, doc: newDocument(raw, &effort{left: Beside}), broken: i%3 == 2}
				roundTrip(t, ParseSchema(raw), g.value(raw, 0), !g.broken)
			}
		})
	}
}

// roundTrip loads a value and compares what comes back. A value that keeps to the
// schema must also be shown in its fields, with nothing wrong.
func roundTrip(t *testing.T, s Schema, value []byte, valid bool) {
	t.Helper()
	f := New(s)
	if err := f.SetJSON(value); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	if got := string(f.JSON()); got != string(value) {
		t.Errorf("untouched: %s came back as %s", value, got)
	}
	if n, why := f.Problem(); n != nil && valid {
		t.Errorf("%s: %q %s", value, n.Name, why)
	}
	each(f.Root, func(n *Node) {
		if valid && n.json && n.Kind != JSON && string(n.raw) != "null" {
			t.Errorf("%s: %q is shown as JSON: %s", value, n.Name, n.raw)
		}
	})
	f.forget()
	if got, want := exact(t, f.JSON()), exact(t, value); got != want {
		t.Errorf("written anew: %s, want %s", got, want)
	}
	again := New(s)
	if err := again.SetJSON(f.JSON()); err != nil {
		t.Fatalf("%s is not taken back: %v", f.JSON(), err)
	}
}
