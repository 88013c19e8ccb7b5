package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"belay/internal/arguments"
	"belay/internal/audit"
	"belay/internal/audit/battery"
	"belay/internal/guard"
	"belay/internal/safe"
	"belay/internal/secretfield"
	"belay/internal/wording"
	"belay/mcpclient"
	"belay/mcpclient/address"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
	"belay/ui/panel"
)

// auditFlags are those of an audit.
type auditFlags struct {
	serverFlags
	tool, args  string
	out         []string
	failOn      string
	tries       int
	crowd       int
	force       bool
	level       audit.FailOn
	outputs     []auditOutput
	arguments   json.RawMessage
	wrongCancel string // why none may be sent; empty: they may
	insists     insistence
}

// auditOutput is a format, and where the report is written in it; empty: to stdout.
type auditOutput struct {
	format audit.Format
	file   string
}

// unheard are the common flags that mean nothing to an audit, which decides that itself.
var unheard = []string{"grace", "timeout", "max-timeout", "no-probe", "reason", "keep-tasks", "ping-every"}

func newAudit(s std) *cobra.Command {
	var a auditFlags
	cmd := &cobra.Command{
		Use:   "audit --tool TOOL",
		Short: "Test how well a server cancels, by one of its tools",
		Long: "It calls one tool again and again and cancels in every situation: at once, midway, near the end, by timeout, one of several, " +
			"many at once, while it asks, as a task, and wrongly on purpose. Then it says what was seen: whether answers still came, whether work stopped, whether other " +
			"calls were harmed, whether processes were left. What cannot be seen is said to be so, and never passes. docs/audit.md has the table.\n\n" +
			"It ends with 0; with 5 if a check fails at the level of --fail-on or above; with 6 if nothing that matters could be seen; with 4 if " +
			"you stopped it; with 3 if the server could not be reached, or was lost; with 2 for a wrong command line, or a file that cannot be made; with 7 if stdout, or a file, cannot be written to its end.\n\n" +
			"The tool should take a few seconds, and change nothing. Where GitHub's variables are set, it writes a summary of the step, and marks failures.",
		Example: "belay audit --tool countdown --json '{\"from\":10,\"interval_ms\":300}'\n" +
			"belay audit --tool crunch --json '{\"seconds\":5}' -- ./my-server\n" +
			"belay audit --tool crunch -o text -o junit=report.xml http://localhost:8080/mcp\nbelay audit --tool crunch --yes --fail-on must -- ./my-server",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd, s, args) },
	}
	set := cmd.Flags()
	a.serverFlags.add(cmd)
	a.says = s.says
	for _, name := range unheard {
		set.Lookup(name).Hidden = true
	}
	set.Lookup("yes").Usage = "call the tool although the server does not mark it as read-only; and ask nothing about a server of a config file, or about credentials without TLS"
	a.addOwn(set)
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions([]string{"must", "should", "unseen"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(audit.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *auditFlags) addOwn(set *pflag.FlagSet) {
	set.StringVar(&a.tool, "tool", "", "the `name` of the tool that is called")
	set.StringVar(&a.args, "json", "", "the arguments of its calls, a JSON `object`; - reads it from stdin, @FILE from a file")
	set.StringArrayVarP(&a.out, "output", "o", []string{"text"}, "the `format`: "+strings.Join(audit.Formats(), ", ")+"; FORMAT=FILE writes a file (repeatable)")
	set.StringVar(&a.failOn, "fail-on", "should", "the `level` from which on a failure ends with 5: must, should, or unseen, which also has what cannot be seen")
	set.IntVar(&a.tries, "tries", battery.DefaultTries, "how often each situation is tried, at least 1; a leak takes 3 to be seen")
	set.IntVar(&a.crowd, "crowd", battery.DefaultCrowd, "how many calls are cancelled at once, 2 to 200")
	set.BoolVar(&a.force, "force", false, "replace a file of -o if it exists")
}

// check finds what is wrong with the flags, before anything is asked or started.
func (a *auditFlags) check(set *pflag.FlagSet, in io.Reader) error {
	if err := a.serverFlags.check(); err != nil {
		return err
	}
	for _, name := range unheard {
		if set.Changed(name) {
			return usage("--%s means nothing to an audit: it decides that by the time that the tool takes", name)
		}
	}
	if a.tool == "" {
		return usage("--tool is missing: which tool is to be called?")
	}
	if a.args != "" {
		raw, err := readJSON(a.args, in)
		if err != nil {
			return err
		}
		if err := mcp.CheckObject(raw); err != nil {
			return usage("--json is no JSON object: %s", err)
		}
		a.arguments = json.RawMessage(raw)
	}
	var ok bool
	if a.level, ok = audit.FailOnNamed(a.failOn); !ok {
		return usage("--fail-on %q: must, should, or unseen", a.failOn)
	}
	if a.tries < 1 || a.tries > 100 {
		return usage("--tries %d: 1 to 100", a.tries)
	}
	if a.crowd < 2 || a.crowd > 200 {
		return usage("--crowd %d: 2 to 200", a.crowd)
	}
	onStdout := 0
	for _, o := range a.out {
		word, file, to := strings.Cut(o, "=")
		format, ok := audit.FormatNamed(word)
		if !ok || to && file == "" {
			return usage("-o %q: a format is one of %s, and FORMAT=FILE writes a file", o, strings.Join(audit.Formats(), ", "))
		}
		if file == "-" { // as in other commands
			to, file = false, ""
		}
		if !to {
			onStdout++
		}
		a.outputs = append(a.outputs, auditOutput{format, file})
	}
	if onStdout > 1 {
		return usage("-o: one format only can be on stdout; write the others to files, such as -o junit=report.xml")
	}
	return a.checkWritable()
}

// checkWritable says which file is there already that would not be replaced, or cannot come to be:
// after the minutes of an audit that would be too late.
func (a *auditFlags) checkWritable() error {
	isThere := func(name string) bool {
		info, err := os.Stat(name)
		return name != "" && err == nil && info.Mode().IsRegular()
	}
	told := func(err error) error { return &exitError{code: ExitUsage, err: err, told: true} }
	recordings := []string{a.record, a.recordAlone()}
	for _, name := range recordings {
		if isThere(name) {
			return told(fmt.Errorf("cannot record to %q: the file exists already; name another one, or remove it", name))
		}
		if name == "" {
			continue
		}
		if why := noFile(name); why != nil {
			return told(fmt.Errorf("cannot record to %q: %w", name, why))
		}
	}
	var others []string
	for _, o := range a.outputs {
		if o.file == "" {
			continue
		}
		if slices.ContainsFunc(recordings, func(name string) bool { return name != "" && isOneFile(name, o.file) }) {
			return usage("-o: the report would be written to %q, where --record records", o.file)
		}
		if why := noFile(o.file); why != nil {
			return told(fmt.Errorf("cannot write %q: %w", o.file, why))
		}
		if !a.force && isThere(o.file) {
			return told(fmt.Errorf("cannot write %q: %w; --force replaces it", o.file, panel.ErrExists))
		}
		if slices.ContainsFunc(others, func(other string) bool { return isOneFile(other, o.file) }) {
			return usage("-o: two formats would be written to %q", o.file)
		}
		others = append(others, o.file)
	}
	return nil
}

// isOneFile reports whether two names are of one file, which may not be there yet. A device is none: it takes what
// several write.
func isOneFile(one, other string) bool {
	if info, err := os.Stat(one); err == nil {
		of, err := os.Stat(other)
		return err == nil && info.Mode().IsRegular() && os.SameFile(info, of)
	}
	return wholeName(one) == wholeName(other)
}

// wholeName is the whole name of a file, whose directory is no link.
func wholeName(name string) string {
	if full, err := filepath.Abs(name); err == nil {
		name = full
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(dir, filepath.Base(name))
	}
	return name
}

// noFile says why a file cannot come to be; nil: nothing is known to be in its way.
func noFile(name string) error {
	if link := linkToFile(name); link != nil {
		return link
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return errors.New("it is a directory; name a file in it")
	}
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no directory %q", dir)
	}
	return nil
}

// recordAlone is where the first connection is recorded, on which the tool is left alone: beside the
// file of the second. Empty: nowhere, as that is not wanted, or is a device or a pipe.
func (a *auditFlags) recordAlone() string {
	if info, err := os.Stat(a.record); a.record == "" || err == nil && !info.Mode().IsRegular() {
		return ""
	}
	ext := filepath.Ext(a.record)
	return strings.TrimSuffix(a.record, ext) + "-alone" + ext
}

// unrecorded says that the file of --record is not written, where only the connection was made on which
// the tool is left alone; empty: it is, or none was wanted.
func (a *auditFlags) unrecorded(connections int) string {
	if a.record == "" || connections > 1 {
		return ""
	}
	words := string(safe.Line(a.record)) + " is not written: it is of the connection on which calls are cancelled, and the audit did not come to that"
	if alone := a.recordAlone(); alone != "" {
		words += "; " + string(safe.Line(alone)) + " is of the one on which the tool is left alone"
	}
	return words
}

// whyNoMistakes says why no wrong cancel may be sent to a server; empty: they may.
func (a *auditFlags) whyNoMistakes(server target) string {
	if server.http.Endpoint == "" || a.ownServer {
		return ""
	}
	if u, err := url.Parse(server.http.Endpoint); err == nil && address.IsLoopback(u.Hostname()) {
		return ""
	}
	return "over HTTP wrong cancels may hit the calls of others, but at localhost, 127.0.0.1 and ::1: --i-own-this-server sends them to any address"
}

func (a *auditFlags) run(cmd *cobra.Command, s std, args []string) error {
	if err := a.check(cmd.Flags(), s.in); err != nil {
		return err
	}
	words, typed, dash, err := a.split(args, cmd.ArgsLenAtDash())
	switch {
	case err != nil:
		return err
	case len(words) > 0:
		return usage("what is %q to be? The tool is named by --tool, and a command stands behind --", words[0])
	}
	server, err := a.target(s, typed, dash)
	if err != nil {
		return err
	}
	a.wrongCancel = a.whyNoMistakes(server)
	return a.audit(cmd.Context(), s, server)
}

// audit tries what the flags say, and writes what came of it.
func (a *auditFlags) audit(ctx context.Context, s std, server target) error {
	defer tune()()
	bearPipes()
	left := guard.New(s.in, s.out, "")
	left.OnLost(s.says)
	defer left.End()
	var now atomic.Pointer[mcpclient.Client]
	a.insists.wouldEnd(ExitCancelled, false)
	ctx, stop := stopping(ctx, s, &now, &a.insists)
	defer stop()
	told := &told{liveLine: newLiveLine(s, &a.look, 0), s: s}
	defer told.keep()()
	var clients []*mcpclient.Client
	var secrets []secret.Value // among the arguments
	p := &battery.Plan{Tool: a.tool, Args: a.arguments, Yes: a.entry.yes || server.demo, Tries: a.tries, Crowd: a.crowd, Wrong: a.wrongCancel}
	p.Open = func(grace time.Duration) (battery.Connection, error) {
		opts, err := a.options(server, grace, len(clients) == 0)
		if err != nil {
			return battery.Connection{}, err
		}
		opts.Group, opts.Expect = left.Group, guarding(left)
		c := mcpclient.New(opts)
		now.Store(c)
		c.Conceal(secrets...)
		clients = append(clients, c)
		conn := battery.Driving(c)
		w := waiting{changed: conn.Changed, status: conn.Status, now: conn.Now, say: func(words safe.Text) { told.say(string(words)) }}
		conn.Waits = w.tell
		return conn, nil
	}
	p.Check = func(tool mcp.Item) error {
		secrets = secretfield.Of(ctx, tool.InputSchema, a.arguments)
		clients[0].Conceal(secrets...)
		if _, faults := arguments.Build(ctx, tool.InputSchema, nil, a.arguments); len(faults) > 0 {
			return wrongArguments(tool.Name, faults)
		}
		told.say(fmt.Sprintf("%s is called %s; most calls are cancelled", wording.Name(a.tool), times(p.Calls())))
		return nil
	}
	p.Tell = told.progress
	p.Met = told.met
	seen, err := battery.Run(ctx, p)
	told.clear()
	if words := a.unrecorded(len(clients)); words != "" && err == nil {
		told.say(words)
	}
	for _, c := range clients {
		s.tellEnd(c, c.Recording().Err)
	}
	// What is said is for a CI's log and for others, and servers repeat what they are given.
	var masks []*secret.Mask
	for _, c := range clients {
		masks = append(masks, c.Mask())
	}
	hide := func(text string) string {
		for _, m := range masks {
			text = m.RedactText(text)
		}
		return text
	}
	if err != nil {
		return a.unreached(s, server, hiddenIn(auditFailed(ctx, server, &a.look, err), hide))
	}
	seen.Hide(hide)
	for _, words := range seen.GoesOn[:min(len(seen.GoesOn), goesOnMost)] {
		told.say(string(safe.LineN(words, 400)))
	}
	if more := len(seen.GoesOn) - goesOnMost; more > 0 {
		told.say("and so may " + string(wording.Thousands(more)) + " more")
	}
	return a.write(s, audit.Judge(seen))
}

// goesOnMost bounds the lines on what may go on at the server.
const goesOnMost = 20

// wrongArguments names what is wrong with the arguments of a tool, and what else is to be said of that.
func wrongArguments(tool string, faults []arguments.Fault, more ...string) error {
	lines := []string{fmt.Sprintf("the arguments of %s are not right; nothing was sent:", safe.Quoted(tool))}
	for _, f := range faults {
		lines = append(lines, "  "+string(safe.LineN(f.String(), 400)))
	}
	return &exitError{code: ExitUsage, err: errors.New(strings.Join(append(lines, more...), "\n")), told: true}
}

func times(n int) string {
	return "up to " + string(wording.Thousands(n)) + " times"
}

// options are those of one connection, each of which has a recording of its own. On the first the tool
// is left alone.
func (a *auditFlags) options(server target, grace time.Duration, first bool) (mcpclient.Options, error) {
	g := a.flags
	if first {
		g.record = a.recordAlone()
	}
	opts, err := clientOptions(server, &g)
	opts.Session.WrongCancels, opts.Session.Audit = a.wrongCancel == "", true
	opts.Session.Grace = grace // the limits are those of a call: a server may leave any other request unanswered
	return opts, err
}

// auditFailed is an audit of which nothing was tried.
func auditFailed(ctx context.Context, server target, look *looks, err error) error {
	var unknown *battery.UnknownTool
	var notReadOnly *battery.NotReadOnly
	var notCallable *battery.NotCallable
	var exit *exitError
	told := func(code int, err error) error { return &exitError{code: code, err: err, told: true} }
	switch {
	case ctx.Err() != nil:
		return told(ExitCancelled, errors.New("you stopped it before anything was tried"))
	case errors.As(err, &unknown):
		return unknownTool(unknown.Name, unknown.Names, unknown.Problem)
	case errors.As(err, &exit):
		return exit
	case errors.As(err, &notCallable):
		return told(ExitUsage, fmt.Errorf("%s cannot be called: %s; nothing was called, so name another tool", safe.Quoted(notCallable.Tool), safe.LineN(notCallable.Why.Error(), 400)))
	case errors.As(err, &notReadOnly):
		return told(ExitUsage, fmt.Errorf("%w; if it may be called so often, say --yes", notReadOnly))
	}
	return unconnected(server, look.drawsASCII(), "", err)
}

// unreached writes the report of an audit that did not come to its server, or was stopped before
// that, where one is wanted; not the text on stdout, as the error that it returns says as much.
func (a *auditFlags) unreached(s std, server target, err error) error {
	exit, ok := errors.AsType[*exitError](err)
	if !ok || exit.code != ExitConnect && exit.code != ExitCancelled {
		return err
	}
	seen := &audit.Observed{Tool: a.tool, Transport: mcp.Stdio, Stopped: exit.Error(), ByUser: exit.code == ExitCancelled}
	if server.http.Endpoint != "" {
		seen.Transport = mcp.HTTP
	}
	r := audit.Judge(seen)
	var failed error
	for _, o := range a.outputs {
		text := r.As(o.format, a.level, 100)
		switch {
		case o.file != "":
			failed = errors.Join(failed, writeFile(o.file, text, a.force))
		case o.format != audit.Text:
			failed = errors.Join(failed, s.write(text))
		}
	}
	if failed = errors.Join(failed, onGitHub(s, r, a.level)); failed != nil {
		return &exitError{code: exit.code, err: errors.Join(exit.err, failed), told: exit.told}
	}
	return err
}

// hiddenIn is an error without what hide takes out of its text.
func hiddenIn(err error, hide func(string) string) error {
	var exit *exitError
	if !errors.As(err, &exit) || exit.err == nil {
		return err
	}
	return &exitError{code: exit.code, err: errors.New(hide(exit.Error())), told: exit.told}
}

// write writes a report where the flags want it, and where GitHub does.
func (a *auditFlags) write(s std, r *audit.Report) error {
	width := 100
	if w, _, err := term.GetSize(s.out.Fd()); err == nil && w > 0 {
		width = w
	}
	var failed error
	shown := false
	a.insists.wouldEnd(r.Exit(a.level), false)
	for _, o := range a.outputs {
		text := r.As(o.format, a.level, width)
		var err error
		if o.file == "" {
			shown = true
			err = a.insists.write(s, text)
		} else {
			err = writeFile(o.file, text, a.force)
		}
		failed = errors.Join(failed, err)
	}
	failed = errors.Join(failed, onGitHub(s, r, a.level))
	if failed != nil && !shown { // what took minutes is told all the same
		failed = errors.Join(failed, a.insists.write(s, r.As(audit.Text, a.level, width)))
	}
	code := r.Exit(a.level)
	switch {
	case failed != nil && code == ExitOK:
		code = ExitUsage // a file, as it could not be written
		if exit, ok := errors.AsType[*exitError](failed); ok {
			code = exit.code
		}
		return &exitError{code: code, err: failed, told: true}
	case failed != nil && code != audit.ExitFailed && r.Observed.Stopped != "":
		return &exitError{code: code, err: errors.Join(failed, errors.New(r.Observed.Stopped)), told: true}
	case failed != nil:
		return &exitError{code: code, err: failed, told: true}
	case r.Observed.ByUser:
		return &exitError{code: code, err: errors.New("you stopped it"), told: true}
	case r.Observed.Stopped != "" && code != audit.ExitFailed:
		return &exitError{code: code, err: errors.New(r.Observed.Stopped), told: true}
	case code != ExitOK:
		return &exitError{code: code}
	}
	return nil
}

// onGitHub adds to the summary of a step, and marks failures, where the variables of GitHub's
// runner are set.
func onGitHub(s std, r *audit.Report, on audit.FailOn) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		_, _ = s.err.Write(r.Annotations(on))
	}
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return nil
	}
	file, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return cannotWrite(summary, err)
	}
	_, err = file.Write(append(r.Markdown(on), '\n'))
	return cannotWrite(summary, errors.Join(err, file.Close()))
}

// stopping ends the context with the first signal, and the server at once with the second. An audit that does not end
// of a signal that is no ctrl+c, or of a second one, is ended with its server.
func stopping(ctx context.Context, s std, now *atomic.Pointer[mcpclient.Client], insists *insistence) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	over := make(chan struct{})
	go func() {
		var heard lastSignal
		for {
			var sig os.Signal
			select {
			case sig = <-signals:
			case <-over:
				return
			}
			same, again := heard.isRepeated(), ctx.Err() != nil
			if sig != os.Interrupt || again && !same {
				insists.begin(s, func() { closeNow(now.Load()) })
			}
			if same {
				continue
			}
			if c := now.Load(); again && c != nil {
				c.Kill()
			}
			cancel()
			if !again { // who is told may not read: the next signal is heard all the same
				go func() {
					_, _ = fmt.Fprintln(s.err, "\nbelay: stopping: what is in flight is cancelled, and the connection closed. Once more ends the server at once")
				}()
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(over)
		cancel()
	}
}

// closeNow closes the server of a client in order; nil: there is none yet.
func closeNow(c *mcpclient.Client) {
	if c == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), closingMost)
	defer stop()
	_ = c.Close(ctx)
}

// told is what is said on stderr while an audit runs.
type told struct {
	*liveLine
	s     std
	doing atomic.Pointer[safe.Text] // the latest progress

	negotiated []safe.Text // what was said of how a connection came about
}

// met says how a connection came about, where that was not said of the one before.
func (t *told) met(st *session.Status) {
	for _, words := range negotiatedWords(st) {
		if !slices.Contains(t.negotiated, words) {
			t.negotiated = append(t.negotiated, words)
			t.say(string(words))
		}
	}
}

func (t *told) say(sentence string) {
	t.clear()
	_, _ = fmt.Fprintln(t.s.err, safe.Inert(safe.Text("belay: "+sentence)))
}

// tellEvery is how often the progress is told where stderr is no terminal, as in a CI's log.
const tellEvery = time.Minute

// keep tells the progress now and then where it is not to be seen all the time. The function ends that.
func (t *told) keep() (end func()) {
	if t.out != nil {
		return func() {}
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		next := time.NewTicker(tellEvery)
		defer next.Stop()
		for {
			select {
			case <-next.C:
				if doing := t.doing.Load(); doing != nil {
					t.say(string(*doing))
				}
			case <-over:
				return
			}
		}
	}()
	return func() { close(over); <-ended }
}

func (t *told) progress(p battery.Progress) {
	line := fmt.Sprintf("%s · call %d of %d", p.Doing, p.Made, p.All)
	if p.Left > 0 {
		line += " · about " + roughly(p.Left) + " left"
	}
	words := safe.Line(line)
	t.doing.Store(&words)
	t.set(words)
}

// roughly is a time that is estimated: in seconds up to a minute and a half, then in minutes.
func roughly(d time.Duration) string {
	if d < 90*time.Second {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}
