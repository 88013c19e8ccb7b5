package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script writes a program for a test and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my editor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// edit runs an editor on a text; $EDITOR is the command. Kept is what is left in
// the file that the error names.
func edit(t *testing.T, env map[string]string, text string) (got, kept string, err error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	e := &editor{command: func(name string) string { return env[name] }, text: []byte(text), ending: ".json", editing: &editorSession{}}
	err = e.Run()
	left, globErr := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
	if globErr != nil || len(left) != len(e.editing.kept) {
		t.Errorf("files are left: %v, %v; kept: %v", left, globErr, e.editing.kept)
	}
	for _, path := range e.editing.kept {
		raw, readErr := os.ReadFile(path)
		if err == nil || readErr != nil || !strings.HasSuffix(err.Error(), " · what it left is kept in "+path) {
			t.Errorf("%s is kept: %v, %v", path, err, readErr)
		}
		kept = string(raw)
	}
	return string(e.Text()), kept, err
}

func TestTheEditorChangesTheText(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	path := script(t, `
for last; do :; done
{ ls -l "$last" | cut -c1-10; echo "$1|$2|$#"; echo "$last"; cat "$last"; } > '`+seen+`'
printf changed > "$last"`)
	got, _, err := edit(t, map[string]string{"EDITOR": "'" + path + `' --wait "two words"`}, "before")
	if err != nil || got != "changed" {
		t.Fatalf("%q, %v", got, err)
	}
	raw, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	if lines[0] != "-rw-------" || lines[1] != "--wait|two words|3" || !strings.HasSuffix(lines[2], ".json") || lines[3] != "before" {
		t.Errorf("the editor saw %q", lines)
	}
}

func TestVISUALComesFirst(t *testing.T) {
	visual := script(t, `printf visual > "$1"`)
	got, _, err := edit(t, map[string]string{"VISUAL": "'" + visual + "'", "EDITOR": "/does/not/exist"}, "")
	if err != nil || got != "visual" {
		t.Errorf("%q, %v", got, err)
	}
}

// An editor that is missing, fails, or leaves what cannot be a text is told in
// plain words. What was there before is still there, and so is what it left.
func TestAnEditorThatFails(t *testing.T) {
	ed := func(text string) string { return "'" + script(t, text) + "'" }
	for _, tt := range []struct{ command, want, kept string }{
		{command: "", want: "there is no editor: set $VISUAL or $EDITOR"},
		{command: "no-such-editor-here -w", want: "the editor of $EDITOR is not there: no-such-editor-here"},
		{command: `"not closed`, want: "$EDITOR cannot be read: a quote is not closed"},
		{command: ed(`exit 3`), want: "my editor failed, and nothing is changed: exit status 3"},
		{command: ed(`printf half > "$1"; exit 3`), want: "failed, and nothing is changed: exit status 3", kept: "half"},
		{command: ed(`printf BEFORE > "$1"; kill -KILL $$`), want: "failed, and nothing is changed: signal: killed", kept: "BEFORE"},
		{command: ed(`: > "$1"; exit 3`), want: "failed, and nothing is changed: exit status 3"},
		{command: ed(`rm "$1"`), want: "the editor left no file, and nothing is changed"},
		{command: ed(`rm "$1"; mkdir "$1"`), want: "the editor left something that is no file, and nothing is changed"},
		{command: ed(`rm "$1"; mkfifo "$1"`), want: "the editor left something that is no file, and nothing is changed"},
		{command: ed(`printf 'caf\351' > "$1"`), want: "what the editor left is not UTF-8, and nothing is changed", kept: "caf\xe9"},
		{
			command: ed(`dd if=/dev/zero of="$1" bs=1048576 count=50 2>/dev/null`),
			want:    "what the editor left is more than 8 MiB, and nothing is changed", kept: strings.Repeat("\x00", 50<<20),
		},
	} {
		got, kept, err := edit(t, map[string]string{"EDITOR": tt.command}, "before")
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want …%s…", tt.command, err, tt.want)
		}
		if got != "before" || kept != tt.kept {
			t.Errorf("%q: the text is %q, and %.40q is kept", tt.command, got, kept)
		}
	}
}

// Once belay ends, no editor gets the terminal any more.
func TestNoEditorIsBegunAtTheEnd(t *testing.T) {
	e := &editor{editing: &editorSession{}, text: []byte("before")}
	ran := filepath.Join(t.TempDir(), "ran")
	e.command = func(string) string { return "touch '" + ran + "'" }
	e.editing.end(os.Interrupt)
	if err := e.Run(); err == nil {
		t.Error("it was begun")
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("it ran")
	}
}

func TestSplitWords(t *testing.T) {
	for in, want := range map[string][]string{
		"":                        nil,
		"  vi  ":                  {"vi"},
		"code --wait":             {"code", "--wait"},
		`'/a b/c' "x y" z\ z`:     {"/a b/c", "x y", "z z"},
		`emacsclient -a '' -c`:    {"emacsclient", "-a", "", "-c"},
		`a"b c"d '$HOME' "\"" \\`: {"ab cd", "$HOME", `"`, `\`},
	} {
		got, err := splitWords(in)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{`'a`, `"a`, `a\`} {
		if got, err := splitWords(in); err == nil {
			t.Errorf("%q: %q", in, got)
		}
	}
}
