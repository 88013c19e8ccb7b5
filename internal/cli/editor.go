package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"belay/ui"
)

// editedMost is the size of a text that is taken back from an editor. A field
// that holds much more answers its keys late.
const editedMost = 8 << 20

// Editor is $VISUAL or $EDITOR at work on a file that only the user can read and
// that is gone afterwards, unless it holds what is not taken over. No shell is
// involved: what stands behind the program's name are its arguments.
func (d *desktop) Editor(text []byte, ending string) ui.Editor {
	return &editor{command: os.Getenv, text: text, ending: ending, editing: &d.editing}
}

type editor struct {
	command func(name string) string // of the environment
	text    []byte
	ending  string
	editing *editorSession

	in          io.Reader
	out, errOut io.Writer
}

func (e *editor) SetStdin(r io.Reader)  { e.in = r }
func (e *editor) SetStdout(w io.Writer) { e.out = w }
func (e *editor) SetStderr(w io.Writer) { e.errOut = w }
func (e *editor) Text() []byte          { return e.text }

// Run writes the file, runs the editor, and reads what it left. What it left and
// is not taken over is kept, and the error says where.
func (e *editor) Run() (err error) {
	defer e.editing.enter()()
	argv, err := e.argv()
	if err != nil {
		return err
	}
	path, err := e.write()
	if err != nil {
		return fmt.Errorf("no file for the editor: %w", err)
	}
	defer func() {
		if err != nil && e.hasChanged(path) {
			e.editing.keep(path)
			err = fmt.Errorf("%w · what it left is kept in %s", err, path)
			return
		}
		_ = os.Remove(path)
	}()
	c := exec.Command(argv[0], append(argv[1:], path)...)
	c.Stdin, c.Stdout, c.Stderr = e.in, e.out, e.errOut
	if k, ok := e.in.(*keyboard); ok { // an editor wants the terminal itself
		c.Stdin = k.tty
	}
	if s, ok := e.out.(*screen); ok {
		s.handOver()
		c.Stdout = s.File
	}
	err = e.editing.run(c)
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || !exit.Exited()) && e.out != nil {
		_, _ = io.WriteString(e.out, tidied)
	}
	if err != nil {
		return fmt.Errorf("%s failed, and nothing is changed: %w", filepath.Base(argv[0]), err)
	}
	return e.read(path)
}

// tidied undoes what an editor that had no time for it leaves on a terminal: its
// margins, its own screen, its cursor keys, its mouse, its bracketed paste.
const tidied = "\x1b[!p" + ansi.ResetModeAltScreenSaveCursor + ansi.ResetModeCursorKeys + ansi.ResetModeMouseNormal +
	ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr + ansi.ResetModeFocusEvent +
	ansi.ResetModeBracketedPaste

// noTitle takes the title of the window back, as Bubble Tea does.
const noTitle = "\x1b]2;\a"

// givenBack undoes what a screen has done to a terminal, whatever of it that was.
const givenBack = ansi.ResetModeSynchronizedOutput + ansi.ResetModifyOtherKeys + "\x1b[<u" + tidied + ansi.ResetModeUnicodeCore +
	ansi.ResetStyle + ansi.ShowCursor + noTitle

// hasChanged reports whether the file holds something else than the editor was given.
func (e *editor) hasChanged(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	if info.Size() != int64(len(e.text)) {
		return true
	}
	text, err := os.ReadFile(path)
	return err == nil && !bytes.Equal(text, e.text)
}

// argv is the command of the editor.
func (e *editor) argv() (argv []string, err error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		command := e.command(name)
		argv, err := splitWords(command)
		switch {
		case err != nil:
			return nil, fmt.Errorf("$%s cannot be read: %w", name, err)
		case len(argv) == 0:
			continue
		}
		path, err := exec.LookPath(argv[0])
		switch {
		case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
			return nil, fmt.Errorf("the editor of $%s is not there: %s", name, argv[0])
		case err != nil:
			return nil, fmt.Errorf("the editor of $%s cannot be started: %w", name, err)
		}
		argv[0] = path
		return argv, nil
	}
	return nil, errors.New("there is no editor: set $VISUAL or $EDITOR, and start belay again")
}

// write makes a file that only the user can read.
func (e *editor) write() (path string, err error) {
	f, err := os.CreateTemp("", "belay-*"+e.ending)
	if err != nil {
		return "", err
	}
	_, err = f.Write(e.text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func (e *editor) read(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("the editor left no file, and nothing is changed: %w", err)
	case !info.Mode().IsRegular():
		return errors.New("the editor left something that is no file, and nothing is changed")
	case info.Size() > editedMost:
		return fmt.Errorf("what the editor left is more than %d MiB, and nothing is changed", editedMost>>20)
	}
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return fmt.Errorf("the file cannot be read, and nothing is changed: %w", err)
	case !utf8.Valid(text):
		return errors.New("what the editor left is not UTF-8, and nothing is changed")
	}
	e.text = text
	return nil
}

// splitWords splits a command as a shell does as far as quotes go: blanks in
// single or double quotes belong to the word, and so does what a backslash stands
// before. Nothing is expanded.
func splitWords(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, begun, escaped := rune(0), false, false
	for _, r := range s {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			begun, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			begun, quote = true, r
		case r == ' ' || r == '\t' || r == '\n':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote is not closed")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}
