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

// edit runs an editor on a text; $EDITOR is the command.
func edit(t *testing.T, env map[string]string, text string) (string, error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	e := &editor{command: func(name string) string { return env[name] }, text: []byte(text), ending: ".json"}
	err := e.Run()
	left, globErr := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
	if globErr != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, globErr)
	}
	return string(e.Text()), err
}

func TestTheEditorChangesTheText(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	path := script(t, `
for last; do :; done
{ ls -l "$last" | cut -c1-10; echo "$1|$2|$#"; echo "$last"; cat "$last"; } > '`+seen+`'
printf changed > "$last"`)
	got, err := edit(t, map[string]string{"EDITOR": "'" + path + `' --wait "two words"`}, "before")
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
	got, err := edit(t, map[string]string{"VISUAL": "'" + visual + "'", "EDITOR": "/does/not/exist"}, "")
	if err != nil || got != "visual" {
		t.Errorf("%q, %v", got, err)
	}
}

// An editor that is missing or fails is told in plain words, and what was there
// before is still there.
func TestAnEditorThatFails(t *testing.T) {
	fails := script(t, `printf half > "$1"; exit 3`)
	removes := script(t, `rm "$1"`)
	for command, want := range map[string]string{
		"":                       "there is no editor: set $VISUAL or $EDITOR",
		"no-such-editor-here -w": "the editor of $EDITOR is not there: no-such-editor-here",
		`"not closed`:            "$EDITOR cannot be read: a quote is not closed",
		"'" + fails + "'":        "failed, and nothing is changed: exit status 3",
		"'" + removes + "'":      "the editor left no file, and nothing is changed",
	} {
		got, err := edit(t, map[string]string{"EDITOR": command}, "before")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want …%s…", command, err, want)
		}
		if got != "before" {
			t.Errorf("%q: the text is %q", command, got)
		}
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
