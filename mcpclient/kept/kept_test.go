package kept

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/task"
)

var origin = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

func server() Server {
	return Server{Shown: "https://example.com/mcp", Place: []string{"http", "https://example.com/mcp?key=hunter2"}, Identity: []string{"Authorization", "Bearer hunter2"}}
}

// private is a directory that nobody else may write to.
func private(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tasks")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func opened(t *testing.T, dir string, s Server) *Tasks {
	t.Helper()
	k, err := Open(dir, s, origin)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func made(id string) session.KeptChange {
	return session.KeptChange{Task: session.KeptTask{ID: id, Tool: "render", Protocol: task.Core, Made: origin}}
}

func gone(id string) session.KeptChange {
	return session.KeptChange{Task: session.KeptTask{ID: id}, Gone: true}
}

func change(t *testing.T, k *Tasks, changes ...session.KeptChange) {
	t.Helper()
	if err := k.Change(origin, changes); err != nil {
		t.Fatal(err)
	}
}

func ids(k *Tasks) string {
	var all []string
	for _, one := range k.Before() {
		all = append(all, one.ID)
	}
	return strings.Join(all, " ")
}

// What is kept is there at the next start, for the user alone to read, without a secret; and
// when nothing is left there is no file.
func TestTasksAreKept(t *testing.T) {
	requirements.Rows(t, "TEX-16", "TSK-72")
	dir := private(t)
	first := opened(t, dir, server())
	change(t, first, made("a"), made("b"), made("c"), gone("b"))
	change(t, first, gone("never"))
	again := opened(t, dir, server())
	if got := ids(again); got != "a c" {
		t.Errorf("kept: %s", got)
	}
	if got := again.Before()[0]; got != made("a").Task {
		t.Errorf("%+v", got)
	}
	info, err := os.Stat(again.Path())
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(again.Path())
	if err != nil || strings.Contains(string(text)+again.Path(), "hunter2") || !strings.Contains(string(text), "example.com") {
		t.Errorf("%v: %s", err, text)
	}
	change(t, again, gone("a"), gone("c"))
	if _, err := os.Stat(again.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty file is left: %v", err)
	}
}

// A task is never offered to another server, nor to the same one in another user's name.
func TestTasksAreBoundToServerAndIdentity(t *testing.T) {
	requirements.Rows(t, "TSK-68", "TSK-78")
	dir := private(t)
	change(t, opened(t, dir, server()), made("a"))
	for name, edit := range map[string]func(*Server){
		"another address":              func(s *Server) { s.Place[1] += "x" },
		"another transport":            func(s *Server) { s.Place[0] = "stdio" },
		"another token":                func(s *Server) { s.Identity[1] = "Bearer other" },
		"no identity":                  func(s *Server) { s.Identity = nil },
		"the same words, cut elsewise": func(s *Server) { s.Place, s.Identity = append(s.Place, s.Identity...), nil },
	} {
		other := server()
		edit(&other)
		k := opened(t, dir, other)
		if got := ids(k); got != "" {
			t.Errorf("%s: %s is offered", name, got)
		}
		change(t, k, gone("a"))
	}
	if got := ids(opened(t, dir, server())); got != "a" {
		t.Errorf("%q is left of it", got)
	}
}

// A task whose time is over is offered no more, and leaves the file with the next change.
func TestKeptTasksExpire(t *testing.T) {
	dir := private(t)
	k := opened(t, dir, server())
	short := made("short")
	short.Task.Expires = origin.Add(time.Minute)
	change(t, k, short, made("long"))
	late, err := Open(dir, server(), origin.Add(time.Minute))
	if err != nil || ids(late) != "long" {
		t.Errorf("%v: %s", err, ids(late))
	}
	if err := late.Change(origin.Add(time.Hour), []session.KeptChange{gone("long")}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(k.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

// A damaged file is named and put aside, never lost, and what comes next is kept.
func TestADamagedFileIsPutAside(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "{", "too long": `{"server":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := private(t)
			path := opened(t, dir, server()).Path()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			k, err := Open(dir, server(), origin)
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Fatalf("%v: the file is not named", err)
			}
			change(t, k, made("a"))
			if got := ids(opened(t, dir, server())); got != "a" {
				t.Errorf("then %q is kept", got)
			}
			if aside, err := os.ReadFile(path + ".broken"); err != nil || string(aside) != text {
				t.Errorf("%v: what was there is lost", err)
			}
		})
	}
}

// Two belays that keep tasks of one server at once lose none of each other's: one waits while
// the other changes the file.
func TestTwoBelaysKeepTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := private(t)
		one, other := opened(t, dir, server()), opened(t, dir, server())
		change(t, one, made("before"))
		unlock := one.files.Lock(t.Context(), "lock-"+one.file, nil)
		all, err := one.read()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() { done <- other.Change(origin, []session.KeptChange{made("other")}) }()
		synctest.Wait()
		if err := one.files.Write(one.file, contents{Server: one.server.Shown, Tasks: append(all, made("one").Task)}); err != nil {
			t.Fatal(err)
		}
		unlock()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if got := ids(opened(t, dir, server())); got != "before one other" {
			t.Errorf("%q are kept", got)
		}
	})
}

// A file that is full makes room for what is new.
func TestTheOldestMakeRoom(t *testing.T) {
	dir := private(t)
	k := opened(t, dir, server())
	var many []session.KeptChange
	for i := range most + 5 {
		many = append(many, made(fmt.Sprint(i)))
	}
	change(t, k, many...)
	if got := opened(t, dir, server()).Before(); len(got) != most || got[0].ID != "5" {
		t.Errorf("%d, the first is %s", len(got), got[0].ID)
	}
}

// Without a directory for settings nothing is kept, and nothing fails.
func TestNowhereToKeepTasks(t *testing.T) {
	k := opened(t, "", server())
	change(t, k, made("a"))
	if ids(k) != "" {
		t.Error("it is kept somewhere")
	}
}
