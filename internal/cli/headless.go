package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"belay/internal/guard"
	"belay/internal/headless"
	"belay/internal/safe"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/remedy"
)

// serverFlags are all flags that say which server is spoken to, and how, without a screen.
type serverFlags struct {
	flags
	entry entryFlags
	look  looks
}

func (f *serverFlags) add(cmd *cobra.Command) {
	f.entry.add(cmd.Flags())
	f.flags.add(cmd.Flags())
	f.look.addDrawing(cmd.Flags())
	for _, name := range []string{"watch", "no-memory", "no-mouse"} { // which mean nothing without a screen
		_ = cmd.Flags().MarkHidden(name)
	}
	setCompletions(cmd, &f.entry)
}

// check finds what is wrong with the flags before anything is asked or started.
func (f *serverFlags) check() error {
	if err := f.flags.check(); err != nil {
		return err
	}
	if f.watched != nil {
		return usage("--watch is for the screen")
	}
	return nil
}

// split takes a command line apart: [URL] words… [-- COMMAND ARGS]. Typed is the server
// as it was typed, and words what is left for the command itself.
func (f *serverFlags) split(args []string, dash int) (words, typed []string, typedDash int, err error) {
	words, typed, typedDash = args, nil, -1
	if dash >= 0 {
		words, typed, typedDash = args[:dash], args[dash:], 0
	}
	if len(words) > 0 && isAddress(words[0]) {
		if typedDash == 0 {
			return nil, nil, 0, usage("there are two servers: the address, and the command behind --")
		}
		words, typed = words[1:], words[:1]
	}
	if f.entry.isUsed() && len(typed)+typedDash+1 > 0 {
		return nil, nil, 0, usage("there are two servers: that of -s or -c, and another one")
	}
	return words, typed, typedDash, nil
}

// target is the server that the flags and the words ask for; the user was asked what
// there is to ask.
func (f *serverFlags) target(s std, typed []string, dash int) (server target, err error) {
	defer func() { err = unwanted(err) }()
	if f.entry.isUsed() {
		server, err = f.entry.target(s, &f.flags, &f.look)
	} else {
		server, err = command(typed, dash, func(string) []string { return nil })
	}
	if err != nil {
		return server, err
	}
	if server, err = server.with(&f.flags); err != nil {
		return server, err
	}
	return server, f.entry.warnReadable(s, server, newTTYPrompter(s, &f.look), &f.look)
}

// unwanted has the end of a command that the user did not want to go on with be no success: a script
// asked for something that was not done.
func unwanted(err error) error {
	if exit, ok := errors.AsType[*exitError](err); ok && exit.code == ExitOK {
		return &exitError{code: ExitCancelled, err: exit.err, told: true}
	}
	return err
}

// headlessClient is a server that is spoken to without a screen.
type headlessClient struct {
	*headless.Runner
	client *mcpclient.Client // the one that the runner drives
	std    std
	server target
	left   *guard.Guard
	status session.Status
	ascii  bool // what is drawn is of ASCII

	signals chan os.Signal
	pressed chan int // how often somebody wanted an end: 1, 2, …; never waits
	over    chan struct{}
	once    sync.Once
	insists insistence
}

// dial starts the server, or connects to it, and waits until it is ready. Whoever presses
// ctrl+c meanwhile ends that. After an error there is no client to close.
func (f *serverFlags) dial(ctx context.Context, s std, server target) (*headlessClient, error) {
	opts, err := clientOptions(server, &f.flags)
	if err != nil {
		return nil, err
	}
	if f.keepTasks {
		if opts.Tasks, err = keptTasks(opts); err != nil {
			_, _ = fmt.Fprintln(s.err, "belay: the IDs of tasks that were kept cannot be read: "+string(safe.LineN(err.Error(), 300)))
		}
	}
	if f.unmasked {
		f.look.mind(s, string(safe.Line(f.record))+" will hold passwords, tokens and all else that is secret as it is (--record-unmasked)")
	}
	t := &headlessClient{std: s, server: server, ascii: f.look.drawsASCII(), left: guard.New(s.in, s.out, ""), pressed: make(chan int, 8), over: make(chan struct{})}
	t.insists.wouldEnd(ExitCancelled, false)
	t.left.OnLost(s.says)
	opts.Group, opts.Expect = t.left.Group, guarding(t.left)
	t.client = mcpclient.New(opts)
	t.Runner = headless.New(t.client)
	t.listen()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	connected := make(chan struct{})
	go func() {
		select {
		case <-t.pressed:
			stop()
		case <-connected:
		}
	}()
	w := waiting{changed: t.Changed, status: t.Status, now: t.Now, say: func(words safe.Text) { _, _ = fmt.Fprintln(s.err, safe.Inert("belay: "+words)) }}
	told := w.tell(ctx)
	t.status, err = t.Connect(ctx)
	told()
	close(connected)
	if err == nil {
		return t, nil
	}
	t.end()
	return nil, t.unconnected(err)
}

// says writes a sentence of belay's own to stderr.
func (s std) says(sentence string) { _, _ = fmt.Fprintln(s.err, "belay: "+string(safe.Line(sentence))) }

// guarding starts the guard before the first process of a server: without a guard, a SIGKILL of
// belay leaves a server that ignores its end.
func guarding(left *guard.Guard) func(stdin *os.File) (settled func()) {
	return func(stdin *os.File) func() {
		settled := left.Expect(stdin)
		_ = left.Start()
		return settled
	}
}

// negotiatedWords are the sentences on how a connection came about: on a server that was started
// more than once, and on a server that did not answer server/discover in time.
func negotiatedWords(st *session.Status) (sentences []safe.Text) {
	if st.StartsWords != "" {
		sentences = append(sentences, safe.LineN(st.StartsWords, 1000))
	}
	if words := undiscoveredWords(st); words != "" {
		sentences = append(sentences, words)
	}
	return sentences
}

// undiscoveredWords say that a server did not answer server/discover in time and may be a modern
// one; empty: nothing is to be said.
func undiscoveredWords(st *session.Status) safe.Text {
	if !st.Undiscovered {
		return ""
	}
	old, modern := safe.Line(string(st.Revision)), safe.Line(string(mcp.Supported()[0]))
	return "the server answered initialize, and nothing that names the request server/discover in time: it is spoken to in " + old +
		". --protocol " + modern + " waits for that answer, --protocol " + old + " does not ask for it"
}

// bearPipes has a write to a pipe that nobody reads any more be an error, in the place of
// a signal that ends belay. The signal is heard and not ignored, as the server would
// inherit that.
func bearPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// listen hears those who want an end.
func (t *headlessClient) listen() {
	bearPipes()
	t.signals = make(chan os.Signal, 4)
	signal.Notify(t.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		n := 0
		var heard lastSignal
		for {
			select {
			case sig := <-t.signals:
				switch again := heard.isRepeated(); {
				case sig != os.Interrupt && n < 2: // who is told to end waits for no verdict
					n = 2
				case again:
					continue
				default:
					n++
				}
				if n > 2 {
					t.Kill()
				}
				select {
				case t.pressed <- n:
				default:
				}
				if n > 1 {
					t.insists.begin(t.std, t.shutBeside)
				}
			case <-t.over:
				return
			}
		}
	}()
}

// closingMost bounds the way out: the last cancels, and the steps of closing a server.
const closingMost = 15 * time.Second

// close closes the server, and says what went wrong beside the work. It may be called more than once.
func (t *headlessClient) close() { t.once.Do(func() { t.std.tellEnd(t.client, t.shut()) }) }

// shut closes the server, and returns how its recording failed. It may be called more than once, also at the same time.
func (t *headlessClient) shut() error {
	ctx, stop := context.WithTimeout(context.Background(), closingMost)
	defer stop()
	return t.Close(ctx)
}

// shutBeside closes the server while the command writes to somebody who does not read.
func (t *headlessClient) shutBeside() {
	_ = t.shut()
	t.left.End()
}

// end is close, after which nobody is heard any more: the command has written all.
func (t *headlessClient) end() {
	t.close()
	signal.Stop(t.signals)
	close(t.over)
	t.left.End()
}

// tellEnd says what went wrong beside the work of a client that is closed: its recording failed, as Close returned,
// something could not be kept, or belay itself has failed.
func (s std) tellEnd(c *mcpclient.Client, recording error) {
	if recording != nil {
		_, _ = fmt.Fprintln(s.err, "belay: the recording has failed: "+string(safe.LineN(recording.Error(), 300)))
	}
	if err := c.NotKept(); err != nil {
		_, _ = fmt.Fprintln(s.err, "belay: "+string(safe.LineN(err.Error(), 400)))
	}
	if err := c.Login().State.NotKept; err != nil {
		_, _ = fmt.Fprintln(s.err, "belay: the token could not be kept, it was for this run only: "+string(safe.LineN(err.Error(), 400)))
	}
	for _, line := range crashWords(c.Crash()) {
		_, _ = fmt.Fprintln(s.err, safe.Inert(safe.Text(line)))
	}
}

// unconnected is why there is no connection.
func (t *headlessClient) unconnected(err error) error {
	return unconnected(t.server, t.ascii, t.Status().StartsWords, err)
}

// loginOnce says how a server is logged in at that wants a user for it.
func loginOnce(server target) string {
	return "log in once on the screen: belay " + strings.Join(server.shown, " ")
}

// unconnected is why there is no connection to a server, with the starts that this took and what the
// server said last. That stands behind a bar, as a server could otherwise write sentences that look
// like belay's.
func unconnected(server target, ascii bool, starts string, err error) error {
	if errors.Is(err, context.Canceled) {
		return &exitError{code: ExitCancelled, err: errors.New("given up before there was a connection; the screen shows what a server writes meanwhile: belay with the same server, without a command")}
	}
	var failed *headless.ConnectError
	if !errors.As(err, &failed) {
		return cannotConnect(err)
	}
	if failed.Err != nil {
		return cannotConnect(server.hide(failed.Err))
	}
	lines := refusedWords(failed, starts)
	if failed.Login {
		lines = append(lines, loginOnce(server))
	}
	if fl := failed.Failure; fl != nil && !failed.Login {
		if next := nextWords(fl); next != "" {
			lines = append(lines, next)
		}
		bar := "  stderr │ "
		if ascii {
			bar = "  stderr | "
		}
		for _, l := range safe.Block(fl.Stderr, 20) {
			lines = append(lines, bar+string(l))
		}
	}
	return cannotConnect(errors.New(strings.Join(lines, "\n")))
}

// refusedWords are the reason for which there is no connection, and the starts that this took, where
// the reason does not tell them.
func refusedWords(failed *headless.ConnectError, starts string) []string {
	lines := []string{failed.Error()}
	if starts != "" && !strings.Contains(lines[0], starts) {
		lines = append(lines, starts)
	}
	return lines
}

// nextWords say what to do next where a connection has failed. What helps only on a running screen is
// left out.
func nextWords(fl *session.Failure) string {
	if remedy.IsHere(fl.Remedy) {
		return fl.Hint
	}
	return string(remedy.With(safe.LineN(fl.Hint, 600), fl.Remedy))
}

// format is -o of a command that writes for people or programs.
type format string

func (f *format) add(cmd *cobra.Command) {
	*f = "text"
	cmd.Flags().StringVarP((*string)(f), "output", "o", "text", "what is written to stdout: `text` for people, json for programs")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *format) check() error {
	if *f != "text" && *f != "json" {
		return usage("-o %q: text or json", string(*f))
	}
	return nil
}

// write writes to stdout. Who has stopped reading wants no more, and that is no failure. The
// code of the error is for a command that has no other one.
func (s std) write(text []byte) error {
	if _, err := s.out.Write(text); err != nil && !errors.Is(err, syscall.EPIPE) {
		return &exitError{code: ExitScreen, err: cannotWrite("stdout", err), told: true}
	}
	return nil
}
