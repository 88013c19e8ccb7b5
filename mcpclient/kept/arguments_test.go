package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/secret"
)

var countdown = Called{Method: "tools/call", Name: "countdown"}

func keep(t *testing.T, a *Arguments, what Called, at time.Time, arguments string, s Redactor) {
	t.Helper()
	if err := a.Keep(at, what, []byte(arguments), s); err != nil {
		t.Fatal(err)
	}
}

// setsOf are the arguments that are kept of what is called, the newest first.
func setsOf(t *testing.T, a *Arguments, what Called) (all []string) {
	t.Helper()
	sets, err := a.Of(what)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		all = append(all, string(s.Arguments))
	}
	return all
}

// The arguments of a call are there in the next run, in a file for the user alone, whoever belay is
// at the server; another server, another tool and another kind of call have none of them.
func TestArgumentsAreKept(t *testing.T) {
	dir := private(t)
	first := NewArguments(dir, server())
	keep(t, first, countdown, origin, `{ "seconds" : 3 }`, Redactor{})
	keep(t, first, countdown, origin.Add(time.Hour), `{"seconds":4,"label":"a \"b\" <c>"}`, Redactor{})

	again := server()
	again.Identity = nil
	second := NewArguments(dir, again)
	sets, err := second.Of(countdown)
	if err != nil || len(sets) != 2 || string(sets[0].Arguments) != `{"seconds":4,"label":"a \"b\" <c>"}` || string(sets[1].Arguments) != `{"seconds":3}` {
		t.Fatalf("%v: %q", err, setsOf(t, second, countdown))
	}
	if !sets[0].Made.Equal(origin.Add(time.Hour)) || len(sets[0].Without) != 0 {
		t.Errorf("%+v", sets[0])
	}
	for _, other := range []Called{{Method: "tools/call", Name: "count"}, {Method: "prompts/get", Name: "countdown"}} {
		if got := setsOf(t, second, other); len(got) > 0 {
			t.Errorf("%v has %q", other, got)
		}
	}
	elsewhere := server()
	elsewhere.Place[1] += "x"
	if got := setsOf(t, NewArguments(dir, elsewhere), countdown); len(got) > 0 {
		t.Errorf("another server is offered %q", got)
	}
	path := onlyFile(t, dir)
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(path+string(text), "hunter2") {
		t.Errorf("%v: what is secret in the address is in\n%s\n%s", err, path, text)
	}
}

// onlyFile is the path of the file of arguments in a directory.
func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "arguments-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v: %q", err, files)
	}
	return files[0]
}

// Five different sets of each tool are kept; one that comes again is the newest, and kept once.
func TestTheLastFiveSetsAreKept(t *testing.T) {
	a := NewArguments(private(t), server())
	for i := range 7 {
		keep(t, a, countdown, origin, fmt.Sprintf(`{"seconds":%d}`, i), Redactor{})
	}
	keep(t, a, countdown, origin.Add(time.Minute), `{"seconds":4}`, Redactor{})
	want := []string{`{"seconds":4}`, `{"seconds":6}`, `{"seconds":5}`, `{"seconds":3}`, `{"seconds":2}`}
	if got := setsOf(t, a, countdown); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if sets, _ := a.Of(countdown); !sets[0].Made.Equal(origin.Add(time.Minute)) {
		t.Errorf("it is of %v", sets[0].Made)
	}
}

// What is too long, empty or no object is not kept, and says nothing; a server with many tools has
// the one that was called longest ago make room, and the file stays short whatever is in it.
func TestArgumentsAreBounded(t *testing.T) {
	dir := private(t)
	a := NewArguments(dir, server())
	for _, odd := range []string{`{}`, ` { } `, `[1]`, `"x"`, `{`, ``, `{"a":"` + strings.Repeat("x", setMost) + `"}`} {
		keep(t, a, countdown, origin, odd, Redactor{})
	}
	keep(t, a, Called{Method: "tools/call", Name: strings.Repeat("x", nameMost)}, origin, `{"a":1}`, Redactor{})
	if entries, _ := filepath.Glob(filepath.Join(dir, "arguments-*")); len(entries) > 0 {
		t.Fatalf("%q were made for nothing", entries)
	}
	tool := func(i int) Called { return Called{Method: "tools/call", Name: fmt.Sprint("tool ", i)} }
	for i := range toolsMost {
		keep(t, a, tool(i), origin, `{"a":1}`, Redactor{})
	}
	keep(t, a, tool(0), origin, `{"a":2}`, Redactor{})
	keep(t, a, tool(toolsMost), origin, `{"a":1}`, Redactor{})
	if got := setsOf(t, a, tool(1)); len(got) > 0 {
		t.Errorf("the one called longest ago has %q", got)
	}
	if got := setsOf(t, a, tool(0)); len(got) != 2 {
		t.Errorf("one called since has %q", got)
	}
	for name, filler := range map[string]string{
		"signs that are escaped": `"` + strings.Repeat("<", setMost-50) + `"`,
		"brackets":               strings.Repeat("[", setMost/2-50) + strings.Repeat("]", setMost/2-50),
	} {
		for i := range 8 {
			keep(t, a, tool(i), origin, fmt.Sprintf(`{"i":%d,"a":%s}`, i, filler), Redactor{})
		}
		info, err := os.Stat(onlyFile(t, dir))
		if err != nil || info.Size() > fileMost {
			t.Errorf("%s: %v, a file of %d bytes", name, err, info.Size())
		}
		if got := setsOf(t, a, tool(7)); len(got) == 0 || !strings.HasPrefix(got[0], `{"i":7`) {
			t.Errorf("%s: the newest was not kept", name)
		}
	}
}

// What has the name of a secret, at any depth, what a form judges to be one, and what a recording
// would mask for its value or its looks is not kept; its name is, so that it can be told.
func TestNoSecretIsKept(t *testing.T) {
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	s := Redactor{
		Names: []string{"pin"},
		Mask:  secret.NewMask("key").With(secret.Value{Name: "DB_HOST", Text: "db.internal"}, secret.Value{Name: "ACCOUNT", Text: "12345678"}),
	}
	a := NewArguments(private(t), server())
	for arguments, want := range map[string]struct {
		kept    string
		without []string
	}{
		`{"user":"ann","password":"hunter2"}`:                     {`{"user":"ann"}`, []string{"password"}},
		`{"user":"ann","pin":[1,2],"x":{"pin":4}}`:                {`{"user":"ann","x":{}}`, []string{"pin"}},
		`{"a":{"b":[{"c":1,"apiKey":{"d":"hunter2"}}]}}`:          {`{"a":{"b":[{"c":1}]}}`, []string{"apiKey"}},
		`{"n":1,"url":"https://db.internal/x"}`:                   {`{"n":1}`, []string{"url"}},
		`{"n":1,"account":12345678}`:                              {`{"n":1}`, []string{"account"}},
		`{"n":1,"note":"` + jwt + `"}`:                            {`{"n":1}`, []string{"note"}},
		`{"n":1,"list":["plain","` + jwt + `"]}`:                  {`{"n":1}`, []string{"list"}},
		`{"n":1,"list":[["` + jwt + `"],[true,null]]}`:            {`{"n":1}`, []string{"list"}},
		`{"n":1,"` + jwt + `":2}`:                                 {`{"n":1}`, []string{"a member"}},
		`{"n":1,"pass\u0077ord":"hunter2"}`:                       {`{"n":1}`, []string{"password"}},
		`{"name":"tools/call","uri":"x","e":1.50e3,"t":"\u0041"}`: {`{"name":"tools/call","uri":"x","e":1.50e3,"t":"\u0041"}`, nil},
		`{"password":"hunter2"}`:                                  {``, nil},
	} {
		what := Called{Method: "tools/call", Name: arguments}
		keep(t, a, what, origin, arguments, s)
		sets, err := a.Of(what)
		switch {
		case err != nil:
			t.Fatal(err)
		case want.kept == "" && len(sets) > 0:
			t.Errorf("%s: kept as %s", arguments, sets[0].Arguments)
		case want.kept == "":
		case len(sets) != 1 || string(sets[0].Arguments) != want.kept || !slices.Equal(sets[0].Without, want.without):
			t.Errorf("%s: kept as %s", arguments, setsOf(t, a, what))
		case !json.Valid(sets[0].Arguments):
			t.Errorf("%s: %s is no JSON", arguments, sets[0].Arguments)
		}
	}
}

// What is kept of a server is forgotten, and no other's.
func TestArgumentsAreForgotten(t *testing.T) {
	dir := private(t)
	a := NewArguments(dir, server())
	keep(t, a, countdown, origin, `{"seconds":3}`, Redactor{})
	keep(t, a, countdown, origin, `{"seconds":4}`, Redactor{})
	keep(t, a, Called{Method: "prompts/get", Name: "review"}, origin, `{"code":"x"}`, Redactor{})
	path := onlyFile(t, dir)
	elsewhere := server()
	elsewhere.Place[1] += "x"
	other := NewArguments(dir, elsewhere)
	keep(t, other, countdown, origin, `{"seconds":5}`, Redactor{})
	if err := os.WriteFile(path+".broken", []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}

	if sets, err := a.Forget(); sets != 3 || err != nil {
		t.Errorf("%d sets, %v", sets, err)
	}
	gone := []string{path, path + ".broken"}
	if runtime.GOOS != "windows" {
		gone = append(gone, filepath.Join(dir, "lock-"+filepath.Base(path)))
	}
	for _, gone := range gone {
		if _, err := os.Stat(gone); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", gone, err)
		}
	}
	if sets, err := a.Forget(); sets != 0 || err != nil {
		t.Errorf("then %d sets, %v", sets, err)
	}
	if got := setsOf(t, other, countdown); len(got) != 1 {
		t.Errorf("of the other server %q is left", got)
	}
}

// A file that is damaged, or holds what no belay has written, offers nothing that is no set of
// arguments; a damaged one is put aside, and what comes next is kept.
func TestADamagedFileOfArguments(t *testing.T) {
	dir := private(t)
	a := NewArguments(dir, server())
	for name, text := range map[string]string{
		"no JSON":     "{",
		"no sets":     `{"tools":[{"method":"tools/call","name":"countdown","sets":[{"arguments":"[1]"},{"arguments":"{"},{"arguments":""}]}]}`,
		"long":        `{"tools":[{"method":"tools/call","name":"countdown","sets":[{"arguments":"{\"a\":\"` + strings.Repeat("x", setMost) + `\"}"}]}]}`,
		"other types": `{"tools":7}`,
	} {
		t.Run(name, func(t *testing.T) {
			keep(t, a, countdown, origin, `{"seconds":3}`, Redactor{})
			if err := os.WriteFile(onlyFile(t, dir), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if sets, _ := a.Of(countdown); len(sets) > 0 {
				t.Errorf("offers %q", sets[0].Arguments)
			}
			keep(t, a, countdown, origin, `{"seconds":4}`, Redactor{})
			if got := setsOf(t, a, countdown); !slices.Equal(got, []string{`{"seconds":4}`}) {
				t.Errorf("then %q", got)
			}
		})
	}
}

// Nothing is read or made before something is asked for, and without a directory nothing is kept.
func TestArgumentsWithoutADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "arguments")
	a := NewArguments(dir, server())
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("a directory was made for nothing")
	}
	if got := setsOf(t, a, countdown); len(got) > 0 {
		t.Errorf("%q", got)
	}
	a = NewArguments("", server())
	keep(t, a, countdown, origin, `{"seconds":3}`, Redactor{})
	if got := setsOf(t, a, countdown); len(got) > 0 {
		t.Errorf("%q is kept somewhere", got)
	}
}

// Of two belays that keep arguments at once, none loses what the other has kept.
func TestTwoBelaysKeepArguments(t *testing.T) {
	dir := private(t)
	done := make(chan error)
	for i := range 2 {
		go func() {
			a := NewArguments(dir, server())
			var err error
			for n := range 2 {
				err = errors.Join(err, a.Keep(origin, countdown, fmt.Appendf(nil, `{"of":%d,"n":%d}`, i, n), Redactor{}))
			}
			done <- err
		}()
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	if got := setsOf(t, NewArguments(dir, server()), countdown); len(got) != 4 {
		t.Errorf("%q are left", got)
	}
}
