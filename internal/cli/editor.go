package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"belay/ui"
)

const (
	// editedMost is the size of a text that is taken back from an editor.
	editedMost = 32 << 20
	// handOver is how long the last of the screen may take to be written before
	// the editor gets the terminal.
	handOver = 2 * time.Second
)

// Editor is $VISUAL or $EDITOR at work on a file that only the user can read and
// that is gone afterwards. No shell is involved: what stands behind the program's
// name are its arguments.
func (b *backend) Editor(text []byte, ending string) ui.Editor {
	return &editor{command: os.Getenv, text: text, ending: ending}
}

type editor struct {
	command func(name string) string // of the environment
	text    []byte
	ending  string

	in          io.Reader
	out, errOut io.Writer
}

func (e *editor) SetStdin(r io.Reader)  { e.in = r }
func (e *editor) SetStdout(w io.Writer) { e.out = w }
func (e *editor) SetStderr(w io.Writer) { e.errOut = w }
func (e *editor) Text() []byte          { return e.text }

// Run writes the file, runs the editor, and reads what it left.
func (e *editor) Run() error {
	argv, name, err := e.argv()
	if err != nil {
		return err
	}
	path, err := e.write()
	if err != nil {
		return fmt.Errorf("no file for the editor: %w", err)
	}
	defer func() { _ = os.Remove(path) }()
	c := exec.Command(argv[0], append(argv[1:], path)...)
	c.Stdin, c.Stdout, c.Stderr = e.in, e.out, e.errOut
	if s, ok := e.out.(*screen); ok { // an editor wants the terminal itself
		s.wait(handOver)
		c.Stdout = s.File
	}
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s (%s) failed, and nothing is changed: %w", argv[0], name, err)
	}
	return e.read(path)
}

// argv is the command of the editor, and the variable that names it.
func (e *editor) argv() (argv []string, name string, err error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		command := e.command(name)
		argv, err := splitWords(command)
		switch {
		case err != nil:
			return nil, "", fmt.Errorf("$%s cannot be read: %w", name, err)
		case len(argv) == 0:
			continue
		}
		path, err := exec.LookPath(argv[0])
		switch {
		case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
			return nil, "", fmt.Errorf("the editor of $%s is not there: %s", name, argv[0])
		case err != nil:
			return nil, "", fmt.Errorf("the editor of $%s cannot be started: %w", name, err)
		}
		argv[0] = path
		return argv, "$" + name, nil
	}
	return nil, "", errors.New("there is no editor: set $VISUAL or $EDITOR, and start belay again")
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
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("the editor left no file, and nothing is changed: %w", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, editedMost+1))
	if err != nil {
		return fmt.Errorf("the file cannot be read, and nothing is changed: %w", err)
	}
	if len(text) > editedMost {
		return errors.New("what the editor left is too much, and nothing is changed")
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
