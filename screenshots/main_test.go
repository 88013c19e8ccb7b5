//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// With this variable set the test binary is the program whose pictures are
// taken. Its value is what the program shows besides what it was given.
const actVariable = "SCREENSHOTS_ACT"

func TestMain(m *testing.M) {
	if word := os.Getenv(actVariable); word != "" {
		wd, _ := os.Getwd()
		fmt.Printf("\x1b[?25l%s %q %s %v\r\n> ", word, os.Args[1:], os.Getenv(clockVariable), wd == os.Getenv("HOME"))
		var key string
		_, _ = fmt.Scanln(&key)
		fmt.Printf("pressed %s\r\n", key)
		_, _ = fmt.Scanln(&key)
		return
	}
	goleak.VerifyTestMain(m)
}

// cast is a scene of that program.
func cast(name string) Scene {
	return Scene{
		Name: name, Title: "a picture of " + name, Cols: 70, Rows: 6, Args: []string{"arg-of-" + name},
		Script: script(see(">"), typed(name+"\n"), see("pressed "+name)),
	}
}

// theatre is a directory for pictures, with a converter that copies.
func theatre(t *testing.T) (dir string) {
	t.Helper()
	t.Setenv(actVariable, "hello")
	bin := t.TempDir()
	converter := "#!/bin/sh\ncat > \"$6\"\n"
	if err := os.WriteFile(filepath.Join(bin, "rsvg-convert"), []byte(converter), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return t.TempDir()
}

func play(scenes []Scene, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(append([]string{"-belay", os.Args[0]}, args...), scenes, &out, &errs)
	return code, out.String(), errs.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPicturesAreTakenAndChecked(t *testing.T) {
	dir := theatre(t)
	scenes := []Scene{cast("one"), cast("two")}
	code, stdout, stderr := play(scenes, "-out", dir)
	if code != exitDone || strings.Count(stdout, "\n") != 2 || stderr != "" {
		t.Fatalf("taking pictures: %d\n%s\n%s", code, stdout, stderr)
	}
	svg := read(t, filepath.Join(dir, "two.svg"))
	for _, want := range []string{"<title>a picture of two</title>", ">hello<", ">motion<", ">2026<", ">true<", ">pressed<", ">two<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %s:\n%s", want, svg)
		}
	}
	if read(t, filepath.Join(dir, "two.png")) != svg {
		t.Error("the converter was given another picture")
	}

	code, stdout, stderr = play(scenes, "-out", dir, "-check")
	if code != exitDone || strings.Count(stdout, "is up to date") != 2 || stderr != "" {
		t.Errorf("checking fresh pictures: %d\n%s\n%s", code, stdout, stderr)
	}

	t.Setenv(actVariable, "changed")
	code, _, stderr = play(scenes, "-out", dir, "-check", "-only", "one")
	if code != exitStale || !strings.Contains(stderr, "one.svg is stale from line") || !strings.Contains(stderr, ">changed<") ||
		!strings.Contains(stderr, "go run ./screenshots -only one") || strings.Contains(stderr, "two.svg") {
		t.Errorf("checking a stale picture: %d\n%s", code, stderr)
	}
	if read(t, filepath.Join(dir, "two.svg")) != svg {
		t.Error("checking wrote a picture")
	}
}

func TestAMissingPictureIsStale(t *testing.T) {
	dir := theatre(t)
	code, _, stderr := play([]Scene{cast("one")}, "-out", dir, "-check")
	if code != exitStale || !strings.Contains(stderr, "one.svg is missing") {
		t.Errorf("%d\n%s", code, stderr)
	}
}

func TestASceneThatFailsDoesNotStopTheOthers(t *testing.T) {
	dir := theatre(t)
	broken := cast("broken")
	broken.Script = script(typed("x\ny\n"), see("what never comes"))
	code, stdout, stderr := play([]Scene{broken, cast("one")}, "-out", dir)
	if code != exitStale || !strings.Contains(stderr, `the scene broken: termtest: waited`) || !strings.Contains(stderr, "what never comes") {
		t.Errorf("%d\n%s", code, stderr)
	}
	if !strings.Contains(stdout, "one.svg") {
		t.Errorf("the other picture was not taken: %s", stdout)
	}
	if _, err := os.Stat(filepath.Join(dir, "broken.svg")); err == nil {
		t.Error("a picture of the broken scene was written")
	}
}

// A machine without the servers of others says which picture it has left as it is; where they
// ought to be and are not, and where nothing else is wanted, that is a failure.
func TestAPictureOfAServerThatIsNotThere(t *testing.T) {
	dir := theatre(t)
	other := cast("other")
	other.Everything = true
	both := []Scene{other, cast("one")}
	t.Setenv(peersVariable, "")
	for _, args := range [][]string{{"-out", dir}, {"-out", dir, "-check"}} {
		code, stdout, stderr := play(both, args...)
		if code != exitDone || !strings.Contains(stderr, "NOT DONE: the picture other ") || strings.Contains(stdout, "other") && len(args) == 2 {
			t.Errorf("%v: %d\n%s%s", args, code, stdout, stderr)
		}
		if len(args) == 2 {
			if err := os.WriteFile(filepath.Join(dir, "other.svg"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code, _, stderr := play(both, "-out", dir, "-only", "other"); code != exitStale || !strings.Contains(stderr, peersVariable) {
		t.Errorf("wanted alone: %d\n%s", code, stderr)
	}
	t.Setenv(peersVariable, dir)
	for _, args := range [][]string{{"-out", dir}, {"-out", dir, "-check"}} {
		if code, _, stderr := play(both, args...); code != exitStale || !strings.Contains(stderr, "server-everything is not in ") {
			t.Errorf("%v, where it ought to be: %d\n%s", args, code, stderr)
		}
	}
}

func TestWrongUse(t *testing.T) {
	theatre(t)
	for name, args := range map[string][]string{
		"a scene that does not exist": {"-only", "three"},
		"an argument":                 {"one"},
		"a flag that does not exist":  {"-nothing"},
	} {
		code, _, stderr := play([]Scene{cast("two"), cast("one")}, args...)
		if code != exitUsage || stderr == "" {
			t.Errorf("%s: %d %s", name, code, stderr)
		}
		if args[0] == "-only" && !strings.Contains(stderr, "there are one, two") {
			t.Errorf("%s: %s", name, stderr)
		}
	}
}

func TestScenesAreComplete(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range scenes {
		if s.Name == "" || s.Title == "" || s.Cols == 0 || s.Rows == 0 || s.Script == nil {
			t.Errorf("the scene %q lacks something", s.Name)
		}
		if seen[s.Name] {
			t.Errorf("there are two scenes %q", s.Name)
		}
		seen[s.Name] = true
	}
}

func TestASceneBehindItsTimesIsPlayedAgain(t *testing.T) {
	dir := theatre(t)
	late := cast("one")
	var begun int
	late.Script = func(on *stage) error {
		if begun++; begun == takes {
			return cast("one").Script(on)
		}
		return at(1.7)(&stage{Terminal: on.Terminal, began: time.Now().Add(-2 * time.Second)})
	}
	if code, _, stderr := play([]Scene{late}, "-out", dir); code != 0 || begun != takes {
		t.Errorf("after %d takes: exit status %d\n%s", begun, code, stderr)
	}
	begun = -1
	if code, _, stderr := play([]Scene{late}, "-out", dir); code == 0 || !strings.Contains(stderr, errOverdue.Error()) {
		t.Errorf("never in time: exit status %d\n%s", code, stderr)
	}
}
