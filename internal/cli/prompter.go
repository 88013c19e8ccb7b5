package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/guard"
	"belay/internal/safe"
	"belay/mcpclient/config"
	"belay/ui/chooser"
)

// ttyPrompter asks the user on the normal screen, before the program takes it over.
// Everything that it writes has been made safe.
type ttyPrompter struct {
	in     *os.File
	out    io.Writer
	width  int // columns
	height int // lines; 0: nobody knows, and nothing is folded
	ascii  bool

	show func(*chooser.List) error // until it is left
	left *guard.Guard              // that gives the terminal back from the list
}

// The widths that questions are set in.
const (
	leastWidth = 40
	mostWidth  = 120
)

// newTTYPrompter is nil where there is no terminal to ask on.
func newTTYPrompter(s std, look *looks) *ttyPrompter {
	if !term.IsTerminal(s.in.Fd()) {
		return nil
	}
	for _, out := range []*os.File{s.out, s.err} {
		if term.IsTerminal(out.Fd()) {
			width, height, err := term.GetSize(out.Fd())
			if err != nil {
				width, height = 80, 24
			}
			t := &ttyPrompter{in: s.in, out: out, width: min(max(width, leastWidth), mostWidth), height: height, ascii: look.drawsASCII()}
			t.left = guard.New(s.in, out, givenBack)
			t.show = func(l *chooser.List) error { return play(l, s.in, out, t.left) }
			return t
		}
	}
	return nil
}

// say writes a line of belay's own; words of others stand in it quoted.
func (t *ttyPrompter) say(line string) { _, _ = fmt.Fprintln(t.out, string(safe.Line(line))) }

// labelled writes a text behind a label. What does not fit goes on below,
// indented: nothing in the text can come to stand where belay's own words do.
func (t *ttyPrompter) labelled(label string, text safe.Text) {
	for i, line := range safe.Wrap(text, t.width-indent, 0) {
		if i > 0 {
			label = ""
		}
		_, _ = fmt.Fprintf(t.out, "  %-*s%s\n", indent-2, label, line)
	}
}

// errNoAnswer is the end of the input, or a signal, instead of an answer.
var errNoAnswer = declined("there was no answer; nothing was run")

// line reads one line. It takes no byte more: what follows belongs to the
// screen.
func (t *ttyPrompter) line(prompt string) (string, error) {
	_, _ = fmt.Fprint(t.out, prompt)
	line, err := lineOf(t.in)
	if err != nil {
		_, _ = fmt.Fprintln(t.out)
	}
	return line, err
}

// unreported is a line without what a terminal has answered in it: the list before the line may
// have asked, and ended before the answer came. Nobody types an escape.
func unreported(line string) string {
	if !strings.ContainsRune(line, ansi.ESC) {
		return line
	}
	return ansi.Strip(line)
}

// lineOf is the next line of a reader, without its end.
func lineOf(in io.Reader) (string, error) {
	var line []byte
	one := make([]byte, 1)
	for {
		n, err := in.Read(one)
		switch {
		case n == 1 && one[0] == '\n':
			return unreported(strings.TrimSuffix(string(line), "\r")), nil
		case n == 1:
			line = append(line, one[0])
		case err != nil:
			return "", errNoAnswer
		}
	}
}

// secret reads one line that is not shown, also what is typed as soon as the
// prompt can be seen. A signal gives the terminal back as it was, and the guard does
// where no handler hears of belay's end. The library's
// ReadPassword is not called: it hides what is typed by itself, and beside this that can
// come after the signal. A job that is ended in the background of the terminal neither reads nor sets the terminal, nor
// writes there where the system would stop the job for that.
func (t *ttyPrompter) secret(prompt string) (string, error) {
	before, err := term.GetState(t.in.Fd())
	if err != nil {
		return "", usage("the terminal cannot hide what is typed: %w", err)
	}
	signals, resumed := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	defer signal.Stop(signals)
	notifyResumed(resumed)
	defer signal.Stop(resumed)
	type result struct {
		text string
		err  error
	}
	read := make(chan result, 1)
	lost, release := t.hides()
	defer release()
	if err := term.SetState(t.in.Fd(), unechoed(*before)); err != nil {
		return "", usage("the terminal cannot hide what is typed: %w", err)
	}
	defer func() {
		if isForeground(t.in) {
			_ = term.Restore(t.in.Fd(), before)
		}
	}()
	_, _ = fmt.Fprint(t.out, prompt)
	var paused atomic.Bool
	go func() {
		text, err := lineOf(ofJob(t.in, t.in, &paused))
		read <- result{text, err}
	}()
	var look <-chan time.Time // whether the terminal is belay's again
	for {
		select {
		case r := <-read:
			t.endLine()
			return r.text, r.err
		case <-signals:
			paused.Store(true)
			t.endLine()
			return "", errNoAnswer
		case <-resumed:
			look = time.After(0)
		case <-look: // the shell has its own modes while belay is stopped
			if look = nil; !isForeground(t.in) {
				look = time.After(tryAgain)
				continue
			}
			_ = term.SetState(t.in.Fd(), unechoed(*before))
			_, _ = fmt.Fprint(t.out, "\n"+prompt)
		case sentence := <-lost:
			_, _ = fmt.Fprintln(t.out)
			t.say("belay: " + sentence)
			_, _ = fmt.Fprint(t.out, prompt)
		}
	}
}

// endLine ends the line of a prompt.
func (t *ttyPrompter) endLine() {
	if isWritable(t.in) {
		_, _ = fmt.Fprintln(t.out)
	}
}

// hides has a guard give the terminal back while what is typed is hidden, until release is
// called. Lost is told when there is no guard.
func (t *ttyPrompter) hides() (lost <-chan string, release func()) {
	sentences := make(chan string, 1)
	left := guard.New(t.in, t.in, "")
	left.OnLost(func(sentence string) { sentences <- sentence })
	left.Hide()
	_ = left.Start() // what fails is told as a guard that is lost
	return sentences, func() {
		left.Release()
		left.End()
	}
}

// longDescription is how much of what a file says of a value is shown, in
// characters: it must not push the question off the terminal.
const longDescription = 200

// input asks for a value that a file leaves to the user.
func (t *ttyPrompter) input(in config.Input) (string, error) {
	if t == nil {
		return "", usage("the config file asks for a value, %q, and there is no terminal to ask on", in.ID)
	}
	about := "the config file asks for " + string(piece{text: in.ID, kind: quoted}.set(longDescription))
	if in.Description != "" {
		about += ": " + string(piece{text: in.Description, kind: quoted}.set(longDescription))
	}
	for _, line := range safe.Wrap(safe.Text(about), t.width, 0) {
		_, _ = fmt.Fprintln(t.out, line)
	}
	switch {
	case len(in.Options) > 0:
		return t.option(in)
	case in.Password:
		prompt := "  (not shown) "
		if in.HasDefault {
			prompt = "  (not shown; enter: " + string(safe.Quoted(in.Default)) + ") "
		}
		text, err := t.secret(prompt)
		return orDefault(text, in), err
	case in.HasDefault:
		text, err := t.line("  (enter: " + string(safe.Quoted(in.Default)) + ") ")
		return orDefault(text, in), err
	}
	return t.line("  ")
}

func orDefault(text string, in config.Input) string {
	if text == "" {
		return in.Default
	}
	return text
}

// option lets the user pick one of the options of an input, by its number or its
// name.
func (t *ttyPrompter) option(in config.Input) (string, error) {
	prompt := "  number or name: "
	for i, o := range in.Options {
		mark := ""
		if in.HasDefault && o.Value == in.Default {
			mark = " (enter)"
			prompt = "  number or name, or enter: "
		}
		words := safe.Quoted(o.Label)
		if o.Value != o.Label {
			words += " = " + safe.Quoted(o.Value)
		}
		t.labelled(fmt.Sprintf("%9d", i+1), words+safe.Text(mark))
	}
	for {
		text, err := t.line(prompt)
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(text)
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(in.Options) {
			return in.Options[n-1].Value, nil
		}
		if i := slices.IndexFunc(in.Options, func(o config.Option) bool { return o.Label == text || o.Value == text }); i >= 0 && text != "" {
			return in.Options[i].Value, nil
		}
		if text == "" && in.HasDefault {
			return in.Default, nil
		}
		t.say(fmt.Sprintf("  a number from 1 to %d, or a name", len(in.Options)))
	}
}
