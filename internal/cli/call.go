package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"belay/internal/answers"
	"belay/internal/arguments"
	"belay/internal/form"
	"belay/internal/headless"
	"belay/internal/nearest"
	"belay/internal/outcome"
	"belay/internal/safe"
	"belay/internal/secretfield"
	"belay/internal/wording"
	"belay/mcpclient/address"
	"belay/session"
	"belay/session/mcp"
	"belay/session/task"
)

// callFlags are those of a call.
type callFlags struct {
	serverFlags
	out         format
	args        []string
	json        string
	unchecked   bool
	asTask      bool
	ttl         time.Duration
	noProgress  bool
	meta        string
	cancelAfter time.Duration
	cancelAt    string
	answer      string

	wrong []string

	rules     session.Rules
	whole     []byte
	questions *answers.Rules
}

const callAbout = "Calls one tool of a server, without a screen, and writes what it returned to stdout. Progress, questions and all that " +
	"belay has to say go to stderr.\n\n" +
	"An argument is typed by the input schema of the tool: --arg n=3 is a number where the tool wants one, and lists and objects are " +
	"JSON. What is wrong with the arguments is named, and then nothing is sent.\n\n" +
	"ctrl+c cancels the call on the wire, with a reason, waits for what the server does about it, and says that; pressed once more, " +
	"belay leaves at once. What the server asks meanwhile is answered from --answer FILE, or declined.\n\n" +
	"It ends with 0 for a result; 1 for an error of the server's, also of the tool's, and for structured content that breaks its " +
	"schema; 2 for a wrong command line, tool or argument; 3 if the server could not be reached, or was lost; 4 if the call was cancelled; 7 if stdout could not be written."

func newCall(s std) *cobra.Command {
	var f callFlags
	cmd := &cobra.Command{
		Use:   "call TOOL",
		Short: "Call a tool without a screen, for scripts",
		Long:  callAbout,
		Example: "belay call echo --arg text=hello\n" +
			"belay call https://example.com/mcp search --arg query=belay --arg limit=5 -o json | jq .result\n" +
			"belay call -s files read_file --json '{\"path\": \"README.md\"}' --yes\n" +
			"belay call slow --cancel-after 2s --reason 'a test' -- ./my-server",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	}
	set := cmd.Flags()
	f.out.add(cmd)
	set.StringArrayVar(&f.args, "arg", nil, "an argument of the tool: `NAME=VALUE`, typed by its schema (repeatable)")
	set.StringVar(&f.json, "json", "", "the arguments as a JSON `object`; - reads it from stdin, @FILE from a file; --arg takes the place of a member")
	set.BoolVar(&f.unchecked, "unchecked", false, "send the arguments also where they break the schema of the tool")
	set.BoolVar(&f.asTask, "task", false, "have the server run the call as a task (2025-11-25)")
	durationVar(set, &f.ttl, "ttl", 0, "have the server keep the task of --task for so long")
	set.BoolVar(&f.noProgress, "no-progress", false, "ask for no progress")
	set.StringVar(&f.meta, "meta", "", "the _meta of the request, a JSON `object`")
	durationVar(set, &f.cancelAfter, "cancel-after", 0, "cancel the call this long after it was sent")
	set.StringVar(&f.cancelAt, "cancel-at", "", "cancel the call at this `moment`: 50% or 3 of its progress, message (its first), or answer (as it comes)")
	set.StringVar(&f.answer, "answer", "", "answer what the server asks from this `file`; without one it is declined")
	set.StringArrayVar(&f.wrong, "wrong-cancel", nil, "send a cancel that is wrong on purpose, of this `kind`: "+strings.Join(wrongKinds(), ", ")+" (repeatable)")
	f.add(cmd)
	f.says = s.says
	_ = cmd.RegisterFlagCompletionFunc("wrong-cancel", cobra.FixedCompletions(wrongKinds(), cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"arg", "json", "meta", "ttl", "cancel-after", "cancel-at"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// check finds what is wrong with the flags, and reads the files that they name.
func (f *callFlags) check(in io.Reader) (err error) {
	if err := f.out.check(); err != nil {
		return err
	}
	if err := f.serverFlags.check(); err != nil {
		return err
	}
	if f.cancelAfter < 0 || f.cancelAfter == 0 && f.set.Changed("cancel-after") {
		return usage("--cancel-after %v: it takes at least a moment, such as 100ms", f.cancelAfter)
	}
	switch {
	case f.ttl > 0 && !f.asTask:
		return usage("--ttl is about a task: --task asks for one")
	case f.ttl < time.Millisecond && f.set.Changed("ttl"):
		return usage("--ttl %v: it takes at least a moment, such as 30s", f.ttl)
	}
	if f.set.Changed("meta") {
		if _, err := mcp.CheckMeta("", []byte(f.meta)); err != nil {
			return usage("--meta: %s", err)
		}
	}
	f.rules = session.Rules{After: f.cancelAfter}
	f.reasonLater()
	if f.cancelAt != "" {
		if err := wording.ParseCancelAt(f.cancelAt, &f.rules); err != nil {
			return usage("--cancel-at %q: %s", f.cancelAt, err)
		}
	}
	if f.noProgress && (f.rules.AtFraction > 0 || f.rules.AtProgress > 0) {
		return usage("--cancel-at %s never comes with --no-progress: it stands for progress of the call", f.cancelAt)
	}
	for _, kind := range f.wrong {
		if !slices.Contains(wrongKinds(), kind) {
			return usage("--wrong-cancel %q: %s", kind, strings.Join(wrongKinds(), ", "))
		}
	}
	if f.whole, err = readJSON(f.json, in); err != nil {
		return err
	}
	if _, err := form.ParseObject(f.whole); err != nil {
		return usage("--json: %s", err)
	}
	if f.answer != "" {
		raw, err := readBounded(f.answer)
		if err != nil {
			return usage("--answer %s: %s", f.answer, plain(err))
		}
		if f.questions, err = answers.Parse(raw); err != nil {
			return &exitError{code: ExitUsage, err: fmt.Errorf("--answer %s: %w", f.answer, err), told: true}
		}
	}
	return nil
}

// reasonLater has the reason go with the cancel, and not with the configuration, in which a
// recording begins: which arguments are secret is not known then, and a reason may repeat one.
func (f *callFlags) reasonLater() {
	if f.set.Changed("reason") {
		f.rules.Reason, f.reason = f.reason, session.DefaultReason
	}
}

// fileMost bounds a file of arguments or answers, in bytes.
const fileMost = 16 << 20

func readBounded(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readAll(file)
}

func readAll(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, fileMost+1))
	if err == nil && len(raw) > fileMost {
		err = errors.New("it is longer than 16 MiB")
	}
	return raw, err
}

// readJSON is the value of --json, which may name stdin or a file.
func readJSON(value string, in io.Reader) (raw []byte, err error) {
	switch name, isFile := strings.CutPrefix(value, "@"); {
	case value == "-":
		raw, err = readAll(in)
	case isFile:
		raw, err = readBounded(name)
	default:
		return []byte(value), nil
	}
	if err != nil {
		return nil, usage("--json %s: %s", value, plain(err))
	}
	return raw, nil
}

func (f *callFlags) run(cmd *cobra.Command, s std, args []string) error {
	if err := f.check(s.in); err != nil {
		return err
	}
	words, typed, dash, err := f.split(args, cmd.ArgsLenAtDash())
	switch {
	case err != nil:
		return err
	case len(words) == 0:
		return usage("which tool? belay call [ADDRESS] TOOL; belay ls lists the tools")
	case len(words) > 1 && isAddress(words[1]):
		return usage("the address stands before the tool: belay call %s %s", address.Shown(words[1]), safe.Quoted(words[0]))
	case len(words) > 1:
		return usage("there is more behind the tool: %q; its arguments are given with --arg NAME=VALUE or --json", words[1])
	}
	server, err := f.target(s, typed, dash)
	if err != nil {
		return err
	}
	defer tune()()
	t, err := f.dial(cmd.Context(), s, server)
	if err != nil {
		return f.uncalled(s, server.of(), words[0], err)
	}
	defer t.end()
	c := &caller{
		headlessClient: t, f: f, tool: words[0], told: newProgressLine(s, &f.look),
		asked: map[session.QuestionID]*outcome.Question{}, wrong: slices.Clone(f.wrong),
	}
	return c.call(cmd.Context())
}

// uncalled has a call that was not made be one document all the same, where JSON is wanted.
func (f *callFlags) uncalled(s std, server outcome.Server, tool string, err error) error {
	exit, ok := errors.AsType[*exitError](err)
	if f.out != "json" || !ok {
		return err
	}
	if unwritten := s.write(outcome.Uncalled(server, tool, exit.code, exit.Error())); unwritten != nil {
		return &exitError{code: exit.code, err: errors.Join(exit.err, unwritten), told: exit.told}
	}
	return err
}

// caller makes one call.
type caller struct {
	*headlessClient
	f         *callFlags
	tool      string
	arguments []byte
	told      progressLine

	asked map[session.QuestionID]*outcome.Question
	order []session.QuestionID

	making making

	written   bool  // the result is on stdout, as text
	unwritten error // … or why it is not

	wrong  []string // the wrong cancels that are still to be sent
	unsent []outcome.Unsent

	saidDue bool // that the verdict is not due soon
}

func (c *caller) say(format string, args ...any) {
	c.told.clear()
	_, _ = fmt.Fprintln(c.std.err, safe.Inert(safe.Text(fmt.Sprintf("belay: "+format, args...))))
}

func (c *caller) call(ctx context.Context) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	over := make(chan struct{})
	defer close(over)
	go c.heed(over, leave)

	id, err := c.begin(ctx)
	if err != nil {
		return c.f.uncalled(c.std, outcome.ServerOf(&c.status), c.tool, err)
	}
	call, _ := c.Watch(ctx, id, c.heard)
	c.told.clear()
	c.awaitID(ctx, &call)
	c.awaitTask(ctx, &call)
	c.awaitStatus(ctx, &call)
	c.writeEarly(&call)
	c.awaitConfirmed(ctx, &call)
	c.endWrong(ctx, id)
	if !call.State.IsTerminal() || call.KeepsCancel { // somebody left: the way out cancels it, and waits a moment for the ID of a task
		c.close()
		call, _ = c.Detail(id)
	}
	return c.finish(&call)
}

// begin makes the call, when all is ready for it.
func (c *caller) begin(ctx context.Context) (id session.CallID, err error) {
	if err := c.prepare(ctx); err != nil {
		return 0, err
	}
	if err := c.awaitIdle(ctx); err != nil {
		return 0, err
	}
	if _, err := c.Ready(ctx); ctx.Err() != nil {
		return 0, givenUp()
	} else if err != nil { // the server has ended since its tools were listed
		return 0, c.unconnected(err)
	}
	return c.making.made(func() (session.CallID, error) {
		id, err := c.Call(session.CallSpec{
			Method: "tools/call", Params: callParams(c.tool, c.arguments, c.f.meta), Rules: c.f.rules, AsTask: c.f.asTask, TTL: c.f.ttl, NoProgress: c.f.noProgress,
		})
		if err != nil {
			return 0, &exitError{code: ExitUsage, err: fmt.Errorf("nothing was sent: %w", err), told: true}
		}
		return id, nil
	})
}

// idleMost is how long a server is left alone before a call that is to be cancelled.
const idleMost = 2 * time.Second

// awaitIdle leaves a server alone until it is known what it uses idle, where the call is to be
// cancelled: only beside that its use of CPU after the cancel says anything.
func (c *caller) awaitIdle(ctx context.Context) error {
	if c.status.Transport != mcp.Stdio || c.f.noWitness || c.f.cancelAfter == 0 && c.f.cancelAt == "" {
		return nil
	}
	looks := time.NewTicker(idleMost / 40)
	defer looks.Stop()
	for began := time.Now(); time.Since(began) < idleMost; {
		st := c.Status()
		if !st.IdleKnownAt.IsZero() && !c.Now().Before(st.IdleKnownAt) || st.Phase == session.Disconnected && !st.StartAgain {
			return nil
		}
		select {
		case <-ctx.Done():
			return givenUp()
		case <-looks.C:
		}
	}
	return nil
}

func givenUp() error {
	return &exitError{code: ExitCancelled, err: errors.New("given up before the call was made: nothing was sent")}
}

// heed has the first ctrl+c cancel the call, and the second one leave. Before there is
// a call, and when it has ended, the first one leaves.
func (c *caller) heed(over <-chan struct{}, leave func()) {
	for {
		select {
		case n := <-c.pressed:
			if id := c.making.leftOr(); n > 1 || id == 0 {
				leave()
			} else if words := c.stop(id, leave); words != "" {
				go c.say("%s", words) // who is told may not read: the next ctrl+c is heard all the same
			}
		case <-over:
			return
		}
	}
}

// stop cancels the call, or the wait for the call's task, and returns a sentence on that; empty: there is none.
func (c *caller) stop(id session.CallID, leave func()) safe.Text {
	err := c.Cancel(id, c.f.rules.Reason)
	if err == nil {
		return "cancelling; ctrl+c once more leaves without the verdict"
	}
	switch row, _ := c.Row(id); {
	case row.State == session.Cancelling:
		return "it is being cancelled; ctrl+c once more leaves without the verdict"
	case row.WaitsOnly || row.OutcomeOnly && row.Task.Status.IsTerminal():
		if _, refused := c.Do(session.StopWaiting{Call: id}); refused != nil {
			leave()
		}
		return safe.LineN(err.Error(), 400) + "; stopped waiting"
	}
	leave() // it has ended, and only its task is waited for
	return ""
}

// prepare finds the tool and makes its arguments.
func (c *caller) prepare(ctx context.Context) error {
	tool, names, found, err := c.Tool(ctx, c.tool)
	var problem *headless.ListError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, headless.ErrClosed):
		return givenUp()
	case errors.As(err, &problem) && found:
		c.say("%s", safe.LineN(problem.Error(), 400))
	case errors.As(err, &problem) && problem.Partial:
		return unknownTool(c.tool, names, problem)
	case problem != nil:
		return &exitError{code: ExitError, err: problem, told: true}
	case err != nil:
		return c.unconnected(err)
	case !found:
		return unknownTool(c.tool, names, nil)
	}
	built, faults := arguments.Build(ctx, tool.InputSchema, c.f.args, c.f.whole)
	if tool.Twins > 0 {
		c.say("the server lists %d tools of this name; which of them the call reaches is up to it", tool.Twins)
		for _, twin := range c.Twins(c.tool) { // the arguments may be those of another one
			if b, f := arguments.Build(ctx, twin.InputSchema, c.f.args, c.f.whole); len(faults) > 0 && len(f) == 0 {
				tool, built, faults = twin, b, nil
			}
		}
	}
	if built != nil && c.f.unchecked {
		faults = nil
	}
	if len(faults) > 0 {
		if built != nil {
			return wrongArguments(c.tool, faults, "--unchecked sends them all the same")
		}
		return wrongArguments(c.tool, faults)
	}
	c.arguments = built
	c.client.Conceal(secretfield.Of(ctx, tool.InputSchema, built)...)
	return nil
}

// unknownTool says that a tool is not in the list of the server's, which has these names. Problem
// is why not all of it could be read; nil: all of it could.
func unknownTool(name string, names []string, problem *headless.ListError) error {
	text := fmt.Sprintf("the server has no tool %s", safe.Quoted(name))
	switch near := nearest.Names(name, names); {
	case len(near) > 0:
		for i := range near {
			near[i] = string(safe.QuotedCut(near[i], 80))
		}
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	case len(names) == 0:
		text += ": it lists none"
	default:
		text += "; belay ls lists those that it has"
	}
	if problem != nil {
		text += "\n" + problem.Error()
	}
	return &exitError{code: ExitUsage, err: errors.New(text), told: true}
}

// callParams are the parameters of tools/call.
func callParams(tool string, args []byte, meta string) []byte {
	members := []form.Member{{Name: "name", Value: form.Quote(tool)}}
	if len(args) > 0 {
		members = append(members, form.Member{Name: "arguments", Value: args})
	}
	if meta != "" {
		members = append(members, form.Member{Name: "_meta", Value: []byte(meta)})
	}
	return form.AppendObject(nil, members)
}

// heard is told of each change of the call.
func (c *caller) heard(e headless.Event) {
	for _, p := range e.Questions {
		c.question(p, lateWords(p, e.Row.Initiator != 0))
	}
	c.told.show(e.Row)
	if due := verdictDue(&e.Row, c.Now(), c.f.grace); due > 0 && !c.saidDue {
		c.saidDue = true
		c.say("the server has answered tasks/cancel; what became of the task is told by the next tasks/get, which is due in %s by the server's pollInterval, and ctrl+c leaves without that", wording.Duration(due))
	}
	if e.Row.State != session.Queued {
		c.sendWrong(e.Row.ID)
	}
}

// lateWords are why a question is not answered that came after the cancel of its call, or of its task,
// or whose call is cancelled by now: an answer would have that go on. Empty: nothing is cancelled.
func lateWords(p session.QuestionView, cancelled bool) string {
	switch {
	case p.AfterCancel:
		return "it came after the cancel of its task"
	case p.OfCancelled != 0:
		return "it came after the cancel of its call"
	case cancelled && p.Task != "":
		return "its task was cancelled meanwhile"
	case cancelled:
		return "its call was cancelled meanwhile"
	}
	return ""
}

// givable is a decision on a question where it can be given: that an address was visited which a failed call needs is
// not for a file to say, and no answer goes to the server.
func givable(d answers.Decision, needed bool) answers.Decision {
	if needed && d.As == session.Answered {
		return answers.Decision{As: session.Dismissed, Rule: d.Rule, Why: "the call has failed until somebody has been at the address (error -32042), and is to be made again then"}
	}
	return d
}

// question answers a question of the server's, or declines it. What a cancelled call or task asks is
// dismissed, whatever the file of answers says; late says why, and is empty of any other question.
func (c *caller) question(p session.QuestionView, late string) {
	q := c.asked[p.ID]
	if q != nil && q.Answer == p.State.String() {
		return
	}
	rev := c.status.Revision
	words := safe.QuotedCut(answers.Message(rev, p), 200)
	if q == nil {
		q = &outcome.Question{Method: p.Method, Message: answers.Message(rev, p)}
		c.asked[p.ID], c.order = q, append(c.order, p.ID)
	}
	if p.State != session.Waiting {
		if q.Answer = p.State.String(); p.State == session.Withdrawn {
			c.say("the server withdrew its question %s", words)
		}
		return
	}
	q.Answer = p.State.String()
	d := answers.Decision{As: session.Dismissed, Why: late}
	if late == "" {
		d = givable(c.f.questions.Decide(context.Background(), rev, p), p.Needed)
	}
	q.Rule, q.Why = d.Rule, d.Why
	var err error
	switch {
	case d.As == session.Answered:
		c.client.Conceal(d.Secret...)
		err = c.Answer(p.ID, d.Result)
	case d.As == session.Dismissed:
		err = c.Dismiss(p)
	default:
		err = c.Decline(p)
	}
	if err != nil {
		return // the server took it back in the same moment, and the next look says so
	}
	switch {
	case late != "":
		c.say("the server asks %s: dismissed, as %s", words, d.Why)
	case d.Why != "":
		c.say("the server asks %s: dismissed, as answer %d cannot be given: %s", words, d.Rule, safe.LineN(d.Why, 300))
	case d.Rule > 0:
		c.say("the server asks %s: %s by answer %d of %s", words, d.As, d.Rule, safe.Line(c.f.answer))
	case c.f.answer != "":
		c.say("the server asks %s: declined, as no answer of %s fits", words, safe.Line(c.f.answer))
	default:
		c.say("the server asks %s: declined (--answer FILE answers)", words)
	}
}

// writeEarly writes the result of a call, as text, where it is known, and only its task is looked at once more.
func (c *caller) writeEarly(d *session.Detail) {
	if most, _ := confirmedWithin(d, c.Now(), c.f.grace); most > 0 && c.f.out != "json" {
		o := outcome.Outcome{Call: *d}
		c.insists.wouldEnd(exitOf(d), false)
		c.written, c.unwritten = true, c.insists.write(c.std, []byte(o.Result()))
	}
}

// finish writes what became of the call, and returns the exit code for it.
func (c *caller) finish(d *session.Detail) error {
	for _, p := range c.Questions() { // how the last of them ended
		if c.asked[p.ID] != nil {
			c.asked[p.ID].Answer = p.State.String()
		}
	}
	missed := c.missed(d)
	c.insists.wouldEnd(exitOf(d), c.written && c.unwritten == nil)
	o := outcome.Outcome{Call: *d, Status: c.Status(), Tool: c.tool, Arguments: c.arguments, Unsent: c.unsent, Exit: exitOf(d)}
	if o.Status.Revision == "" {
		o.Status.Server, o.Status.Revision = c.status.Server, c.status.Revision
	}
	c.View(func(s *session.Session) {
		o.Wrong = s.WrongCancels()
		for _, found := range s.Diagnostics() {
			if found.Code == mcp.DiagNoStructured && found.Call == d.ID {
				o.Unstructured = &found
			}
		}
	})
	for _, id := range c.order {
		o.Questions = append(o.Questions, *c.asked[id])
	}
	var text []byte
	if c.f.out == "json" {
		text = o.JSON()
	} else {
		text = []byte(o.Result())
		for _, line := range o.Remarks() {
			_, _ = fmt.Fprintln(c.std.err, safe.Inert(safe.Text("belay: "+line)))
		}
	}
	if missed != "" {
		c.say("%s", missed)
	}
	for _, words := range negotiatedWords(&o.Status) {
		c.say("%s", words)
	}
	unwritten := c.unwritten
	if !c.written {
		unwritten = c.insists.write(c.std, text)
	}
	if o.Exit != ExitOK && c.HasWantedLogin() {
		c.say("%s; %s", (&headless.ConnectError{Login: true}).Error(), loginOnce(c.server))
	}
	if o.Exit == ExitOK {
		return unwritten
	}
	return &exitError{code: o.Exit, err: unwritten, told: true}
}

// missed says that nothing was cancelled, as the moment of --cancel-at or --cancel-after did not come; empty: it
// did, or there is none. It takes out of the note of the call what is so in a session only.
func (c *caller) missed(d *session.Detail) string {
	d.Note = strings.TrimSuffix(d.Note, session.NextIsTimed)
	r := c.f.rules
	switch {
	case c.f.cancelAt == "" && r.After == 0 || d.Initiator != 0 || d.Left || !d.State.IsTerminal() || d.Sent.IsZero():
		return ""
	case r.AtAnswer && d.State == session.Done:
		took := d.Ended.Sub(d.Sent)
		return fmt.Sprintf("nothing was cancelled: when the answer would come was not known, and no part of it came before its end; it was whole after %s; "+
			"--cancel-after %v may come as it does", wording.Precise(took), max(time.Millisecond, took.Round(time.Millisecond)))
	}
	if c.f.cancelAt == "" {
		took := d.Ended.Sub(d.Sent)
		if took >= r.After {
			return fmt.Sprintf("nothing was cancelled: the call had ended after %s, before the cancel of --cancel-after %v could be sent", wording.Precise(took), r.After)
		}
		return fmt.Sprintf("nothing was cancelled: the call ended after %s, and --cancel-after is %v", wording.Precise(took), r.After)
	}
	return fmt.Sprintf("nothing was cancelled: the call ended before the moment of --cancel-at %s came", safe.Line(c.f.cancelAt))
}

// exitOf is the exit code of a call as it stands.
func exitOf(d *session.Detail) int {
	switch d.Shown() {
	case session.Done:
		if d.ToolError || d.Conformity == session.Breaks || d.Task != nil && d.Task.Status == task.Failed {
			return ExitError
		}
		return ExitOK
	case session.Failed:
		if d.Unanswered {
			return ExitConnect
		}
		return ExitError
	case session.Lost:
		if !d.Left {
			return ExitConnect
		}
	case session.Queued, session.Running, session.Cancelling, session.Cancelled, session.Dropped:
	}
	return ExitCancelled
}
