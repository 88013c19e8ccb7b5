//go:build unix

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// An editing stage has an editor that does what a script says, on a file of its
// own directory. The script may say that it is open, and wait until it is told
// to go on.
type editing struct {
	*stage
	dir string // of the files that belay makes for the editor
	own string // of what the editor and the test tell each other
}

const editorHead = `#!/bin/sh
opened() { echo $$ > '$OWN/pid'; mv '$OWN/pid' '$OWN/open'; }
told() { while ! test -e '$OWN/go'; do sleep 0.01; done; }
file=$1
`

// edits starts belay against a dictated peer that asks for a name, types one,
// and opens the editor on it.
func edits(t *testing.T, script string) *editing {
	t.Helper()
	e := &editing{own: t.TempDir(), dir: t.TempDir()}
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte(strings.ReplaceAll(editorHead, "$OWN", e.own)+script), 0o700); err != nil {
		t.Fatal(err)
	}
	log := t.TempDir()
	t.Setenv("TMPDIR", e.dir)
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", editor)
	e.stage = playLogged(t, filepath.Join(log, "peer.jsonl"), 140, 32, "dictated")
	e.See("scripted").call("slow")
	e.serverReads(1, `"tools/call"`)
	e.dictate(questions["form"]).See("asks you to fill in a form", "Your name?", "ctrl+s send")
	e.Type("Ann").See("Ann").Press("ctrl+o")
	return e
}

// isOpen waits until the editor is open, and returns its process.
func (e *editing) isOpen() (pid int) {
	e.t.Helper()
	e.waitFor("the editor did not open", func() bool {
		text, err := os.ReadFile(filepath.Join(e.own, "open"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return pid
}

// tell lets an editor go on that waits for it.
func (e *editing) tell() {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.own, "go"), nil, 0o600); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editing) waitFor(what string, holds func() bool) {
	e.t.Helper()
	for deadline := time.Now().Add(hang); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			e.t.Fatalf("%s\n%s", what, e.Screen().Framed())
		}
	}
}

// kept are the contents of the files that are left.
func (e *editing) kept() (texts []string) {
	e.t.Helper()
	names, err := filepath.Glob(filepath.Join(e.dir, "belay-*"))
	if err != nil {
		e.t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			e.t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// over holds that belay ends with this code, that nothing it started is left,
// and that the terminal is as a shell has it.
func (e *editing) over(code int) {
	e.t.Helper()
	e.Exit(code)
	e.serverReads(1, "EOF")
	screen := e.Screen()
	if cooked, err := e.IsCooked(); err != nil || !cooked {
		e.t.Errorf("the terminal is left raw: %v", err)
	}
	for _, mode := range []int{1, 1000, 1002, 1003, 1004, 1006, 2004} {
		if screen.HasMode(mode) {
			e.t.Errorf("mode %d is left on", mode)
		}
	}
	if screen.AltScreen || !screen.Cursor.Visible {
		e.t.Errorf("the screen is not the shell's:\n%s", screen.Framed())
	}
}

// The user's editor gets the terminal, and what it leaves is in the form.
func TestTheEditorOfAForm(t *testing.T) {
	e := edits(t, `
if ! test -t 0 || ! test -t 1; then exit 9; fi
{ cat "$file"; printf ', written in the editor'; } > "$file.new" && mv "$file.new" "$file"
`)
	e.See("Ann, written in the editor").silent()
	e.Press("ctrl+s")
	e.serverReads(1, `"id":"q1"`, `{"name":"Ann, written in the editor"}`)
	e.Press("q", "y")
	e.over(0)
	if left := e.kept(); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

// An editor that comes to a bad end, or leaves what is no text, changes nothing
// and answers nothing. What was typed before is sent as if it had never been
// opened, and what it left is kept.
func TestAnEditorThatComesToABadEnd(t *testing.T) {
	const wild = `stty raw -echo; printf '\033[?1049h\033[?1h\033[?1003h\033[?1004h\033[?1006h\033[?2004h\033[5;9r'; `
	for name, tt := range map[string]struct{ script, says, kept string }{
		"fails":           {`printf half > "$file"; exit 3`, "editor failed, and nothing is changed: exit status 3", "half"},
		"fails untouched": {`exit 3`, "editor failed, and nothing is changed: exit status 3", ""},
		"is killed":       {wild + `printf half > "$file"; kill -KILL $$`, "editor failed, and nothing is changed: signal: killed", "half"},
		"no UTF-8":        {`printf 'caf\351' > "$file"`, "what the editor left is not UTF-8, and nothing is changed", "caf\xe9"},
		"removes":         {`rm "$file"`, "the editor left no file, and nothing is changed", ""},
		"empties":         {`: > "$file"`, "the editor left an empty file, and nothing is changed", ""},
		"a pipe":          {`rm "$file"; mkfifo "$file"`, "the editor left something that is no file, and nothing is changed", ""},
		"50 MB": {
			`head -c 50000000 /dev/zero > "$file"`,
			"what the editor left is more than 8 MiB, and nothing is changed", strings.Repeat("\x00", 50_000_000),
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := edits(t, tt.script)
			e.See(tt.says, "Ann").silent()
			if got := strings.Join(e.kept(), "|"); got != tt.kept {
				t.Errorf("%.40q is kept, want %.40q", got, tt.kept)
			}
			e.Press("ctrl+s")
			e.serverReads(1, `"id":"q1"`).serverReads(1, `"id":"q1"`, `{"name":"Ann"}`)
			e.Press("q", "y")
			e.over(0)
			if named := e.Screen().Contains("what the editor left is kept in " + e.dir); named != (tt.kept != "") {
				t.Errorf("the farewell:\n%s", e.Screen().Framed())
			}
		})
	}
}

// Control characters that an editor leaves are text, and reach the server as
// they are and the terminal never.
func TestAnEditorThatLeavesControlCharacters(t *testing.T) {
	e := edits(t, `printf 'x\033[2J\033]0;owned\007\000y' > "$file"`)
	e.See("x⟨ESC⟩[2J⟨ESC⟩]0;owned").Press("ctrl+s")
	e.serverReads(1, `"id":"q1"`, `"name":"x\u001b[2J\u001b]0;owned\u0007\u0000y"`)
	e.Press("q", "y")
	e.over(0)
	if strings.Contains(string(e.RawOutput()), "\x1b]0;owned") {
		t.Error("they reached the terminal")
	}
}

// What the server does while the editor is open is seen when it is closed. A
// question that was taken back is locked, with what was written in the editor.
func TestAQuestionIsTakenBackWhileTheEditorIsOpen(t *testing.T) {
	e := edits(t, `opened; told; printf 'a long answer' > "$file"`)
	e.isOpen()
	e.dictate(takeBack).silent()
	e.tell()
	e.See("withdrawn by the server · nothing was sent · esc dismisses", "changed my mind", "a long answer")
	e.Press("ctrl+s", "enter", "ctrl+o", "ctrl+r").silent()
	e.Press("esc").Gone("esc dismisses")
	e.silent().Press("q", "y")
	e.over(0)
}

func TestTheServerDiesWhileTheEditorIsOpen(t *testing.T) {
	e := edits(t, `opened; told; printf 'a long answer' > "$file"`)
	editor, server := e.isOpen(), 0
	children := e.children()
	if len(children) != 2 {
		t.Fatalf("children %v", children)
	}
	for _, p := range children {
		if p.PID != editor {
			server = p.PID
		}
	}
	if err := syscall.Kill(server, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := termtest.WaitProcessGone(server, hang); err != nil {
		t.Fatal(err)
	}
	e.tell()
	e.See("connection lost", "a long answer").Press("esc")
	e.See("signal: killed").Press("q").Exit(3)
	if cooked, err := e.IsCooked(); err != nil || !cooked {
		t.Errorf("the terminal is left raw: %v", err)
	}
}

// Whoever ends belay ends the editor with it, however that is written and
// whatever it ignores. Nothing is answered, and what was saved is kept.
func TestBelayIsEndedWhileTheEditorIsOpen(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		sig    syscall.Signal
		twice  bool
		kept   string
	}{
		"SIGTERM":              {`printf half > "$file"; opened; told`, syscall.SIGTERM, false, "half"},
		"SIGHUP":               {`opened; told`, syscall.SIGHUP, false, ""},
		"saves at the end":     {`trap 'printf saved > "$file"; exit 0' TERM; opened; told`, syscall.SIGTERM, false, "saved"},
		"a script's editor":    {`sh -c 'trap "" HUP; while :; do sleep 0.01; done' & opened; wait`, syscall.SIGTERM, false, ""},
		"ignores it":           {`trap '' TERM HUP INT; stty raw -echo; opened; told`, syscall.SIGTERM, false, ""},
		"is stopped":           {`opened; kill -STOP $$`, syscall.SIGTERM, false, ""},
		"ignores it and twice": {`trap '' TERM HUP INT; stty raw -echo; opened; told`, syscall.SIGTERM, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := edits(t, tt.script)
			editor := e.isOpen()
			if err := syscall.Kill(e.PID(), tt.sig); err != nil {
				t.Fatal(err)
			}
			e.serverReads(1, "notifications/cancelled").serverReads(0, `"id":"q1"`)
			if tt.twice {
				e.serverReads(1, "EOF")                                                                 // the second one kills it
				if err := syscall.Kill(e.PID(), tt.sig); err != nil && !errors.Is(err, syscall.ESRCH) { // it has ended by itself meanwhile
					t.Fatal(err)
				}
			}
			e.over(0)
			if err := termtest.WaitProcessGone(editor, hang); err != nil { // what is killed takes a moment to end
				t.Errorf("the editor outlives belay: %v", err)
			}
			e.serverReads(0, `"id":"q1"`)
			if got := strings.Join(e.kept(), "|"); got != tt.kept {
				t.Errorf("%q is kept, want %q", got, tt.kept)
			}
			if named := e.Screen().Contains("what the editor left is kept in " + e.dir); named != (tt.kept != "") {
				t.Errorf("the farewell:\n%s", e.Screen().Framed())
			}
		})
	}
}

// ctrl+c and ctrl+\ at an editor that leaves the terminal as it was are the
// editor's: belay does not end of them, until the editor is closed.
func TestSignalKeysInTheEditor(t *testing.T) {
	e := edits(t, `
ulimit -c 0
trap 'printf interrupted > "$file"; exit 0' INT
trap opened QUIT
opened; told`)
	e.isOpen()
	if err := os.Remove(filepath.Join(e.own, "open")); err != nil {
		t.Fatal(err)
	}
	e.Press(`ctrl+\`)
	e.isOpen()
	e.Press("ctrl+c").See("interrupted", "ctrl+s send")
	e.silent().Press("ctrl+s")
	e.serverReads(1, `"id":"q1"`, `{"name":"interrupted"}`)
	if err := syscall.Kill(e.PID(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	e.over(0)
}
