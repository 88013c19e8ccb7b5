//go:build unix

package mcpclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient/process"
	"belay/session"
)

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tc := range []struct {
		name string
		o    Options
		kind process.StartFailure
		says []string
	}{
		{"no command", Options{}, process.NoCommand, []string{"no server", "--"}},
		{"empty command", Options{Command: []string{""}}, process.NoCommand, []string{"no server"}},
		{"not in PATH", Options{Command: []string{"belay-no-such-program"}}, process.NotFound, []string{`"belay-no-such-program"`, "PATH", "installed"}},
		{"a line", Options{Command: []string{"sh -c true"}}, process.NotFound, []string{`"sh -c true"`, "its arguments are words of their own"}},
		{"a line of nothing", Options{Command: []string{"belay-no-such-program -x"}}, process.NotFound, []string{"PATH", "installed"}},
		{"no such file", Options{Command: []string{dir + "/nothing"}}, process.NotFound, []string{dir + "/nothing", "no such file"}},
		{"not executable", Options{Command: []string{file("plain", "#!/bin/sh\n", 0o600)}}, process.NotExecutable, []string{"not an executable", "chmod +x"}},
		{"a directory", Options{Command: []string{dir}}, process.IsDirectory, []string{"it is a directory"}},
		{"no interpreter", Options{Command: []string{file("script", "#!/no/such/shell\n", 0o700)}}, process.NoInterpreter, []string{"#!"}},
		{"no program at all", Options{Command: []string{file("text", "hello", 0o700)}}, process.BadFormat, []string{"#!", "another system"}},
		{"no directory", Options{Command: []string{"sh"}, Dir: dir + "/none"}, process.BadDirectory, []string{dir + "/none", "no such file"}},
		{"directory is a file", Options{Command: []string{"sh"}, Dir: file("notdir", "", 0o600)}, process.BadDirectory, []string{"not a directory"}},
		{"relative to the directory", Options{Command: []string{"./plain"}, Dir: dir}, process.NotExecutable, []string{"./plain"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := New(tc.o)
			defer closeIt(t, c)
			err := c.Start()
			var se *process.StartError
			if !errors.As(err, &se) || se.Kind != tc.kind {
				t.Fatalf("Start: %v (%+v)", err, se)
			}
			for _, word := range tc.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not say %q", err, word)
				}
			}
			if strings.ContainsRune(err.Error(), '\n') {
				t.Errorf("not one line: %q", err)
			}
			c.View(func(s *session.Session) {
				if st := s.Status(); st.Epoch != 0 || st.Phase != session.Disconnected {
					t.Errorf("the session was told: %+v", st)
				}
			})
		})
	}
}

// Every way in which a server is not there to talk to has a text of its own.
func TestServersThatAreNotThere(t *testing.T) {
	requirements.Rows(t, "STD-29")
	texts := map[string]string{}
	for name, command := range map[string][]string{"missing": {"belay-no-such-program"}, "not executable": {os.DevNull}} {
		c := New(Options{Command: command})
		err := c.Start()
		if err == nil {
			t.Fatalf("%s: it runs", name)
		}
		texts[name] = err.Error()
		closeIt(t, c)
	}
	for _, script := range []string{"dies at once", "closes its input"} {
		o := options(t, script)
		if script == "closes its input" {
			o.Shutdown = quick
		}
		c := run(t, o)
		awaitEnd(t, c)
		c.View(func(s *session.Session) {
			if f := s.Status().Failure; f != nil {
				texts[script] = f.Text + " " + f.Hint + "\n" + c.Process().Stderr
			}
		})
	}
	for name, words := range map[string][]string{
		"missing":          {"no such program"},
		"not executable":   {"not an executable file"},
		"dies at once":     {"exit status 1", "no API key"},
		"closes its input": {"closed its input; belay ended it: ", "killed"},
	} {
		for _, w := range words {
			if !strings.Contains(texts[name], w) {
				t.Errorf("%s: %q does not say %q", name, texts[name], w)
			}
		}
	}
}
