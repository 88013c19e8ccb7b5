// Package cli is the command line of belay: commands, flags and exit codes, the terminal on which the screen
// runs, and what is asked before a server is started. What is done with a server lives in the other rooms.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"belay/internal/build"
	"belay/internal/safe"
)

// The exit codes of belay.
const (
	ExitOK        = 0 // the user quit, or did not want the screen to begin; a call brought its result
	ExitError     = 1 // the server answered a call with an error
	ExitUsage     = 2 // the command line is wrong
	ExitConnect   = 3 // the server could not be reached, or was lost
	ExitCancelled = 4 // the call was cancelled, or not wanted
	ExitScreen    = 7 // the screen failed, or stdout or a file could not be written to its end
)

// exitError carries an exit code and what to say on stderr.
type exitError struct {
	code int
	err  error
	told bool // the error says it all; how belay is called would not help
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}
func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{code: ExitUsage, err: fmt.Errorf(format, args...)}
}

// declined is the end of a command line that the user did not want to go on
// with. That is no failure.
func declined(why string) error { return &exitError{code: ExitOK, err: errors.New(why)} }

func cannotConnect(err error) error { return &exitError{code: ExitConnect, err: err} }

// std is where a command reads and writes.
type std struct {
	in       *os.File
	out, err *os.File
}

// Main runs a command line and returns the exit code.
func Main(args []string, in, out, errOut *os.File) int {
	// net/http tells there of servers that answer unasked. It would be written
	// across the screen.
	log.SetOutput(io.Discard)
	root := newRoot(std{in, out, errOut})
	args = nameless(args)
	root.SetArgs(args)
	root.SetIn(in)
	kept := &keptOutput{std: std{out: out}}
	root.SetOut(kept)
	root.SetErr(errOut)
	askShell(root)
	root.Version = build.Here().String()
	root.SilenceErrors, root.SilenceUsage = true, true
	cmd, err := execute(root, args, kept)
	if kept.err != nil {
		err = kept.err
	}
	if err == nil {
		return ExitOK
	}
	bearBackground()
	showError(errOut, cmd, err)
	var e *exitError
	if errors.As(err, &e) {
		return e.code
	}
	return ExitUsage // what cobra itself refuses: unknown flags and commands
}

// keptOutput is stdout as cobra and fang write to it: they forget what could not be written.
type keptOutput struct {
	std
	err error // the first; nil: all was written
}

func (k *keptOutput) Write(p []byte) (int, error) {
	if err := k.std.write(p); err != nil && k.err == nil {
		k.err = err
	}
	return len(p), k.err
}

// execute runs the command, and returns it, which is the root where there is none. Fang draws the help. To do so it asks the terminal for its
// background and waits up to four seconds for the answer. So only the help goes
// through Fang, and it finds no terminal to ask.
func execute(root *cobra.Command, args []string, out *keptOutput) (*cobra.Command, error) {
	if !asksHelp(args) {
		return root.ExecuteContextC(context.Background())
	}
	width := helpWidth(out.out)
	setHelp(root, width)
	root.Use = root.Name() + " " + usesMark
	root.SetOut(usesWriter{out.out, out, width})
	args, err := topic(root, args)
	if err != nil {
		return root, err
	}
	root.SetArgs(args)
	unasked, err := os.Open(os.DevNull)
	if err != nil {
		return root, cannotConnect(err)
	}
	defer func(in *os.File) { os.Stdin = in; _ = unasked.Close() }(os.Stdin)
	os.Stdin = unasked
	return root, fang.Execute(context.Background(), root, fang.WithVersion(root.Version), fang.WithoutManpage(), fang.WithColorSchemeFunc(helpColors),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
}

// asksHelp reports whether a command line is one that fang answers.
func asksHelp(args []string) bool {
	for i, a := range args {
		switch {
		case a == "--":
			return false
		case a == "-h", a == "--help", i == 0 && a == "help":
			return true
		}
	}
	return false
}

// showError says in plain words what is wrong. The text may quote a server or
// the command line, so it is made safe line by line.
func showError(w io.Writer, cmd *cobra.Command, err error) {
	var e *exitError
	if errors.As(err, &e) && e.err == nil {
		return // the command has said it
	}
	for i, line := range safe.Block(err.Error(), 200) {
		prefix := "       "
		if i == 0 {
			prefix = "belay: "
		}
		_, _ = fmt.Fprintln(w, safe.Inert(safe.Text(prefix)+line))
	}
	if !errors.As(err, &e) || e.code == ExitUsage && !e.told {
		_, _ = fmt.Fprintln(w, "       "+cmd.CommandPath()+" --help shows how it is called")
	}
}
