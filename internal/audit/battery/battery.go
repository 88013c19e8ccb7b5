// Package battery makes the calls of an audit, and observes them. One tool of a server is
// called and cancelled in every situation that package audit judges.
//
// There are two connections. On the first the tool is called and left alone: how long it
// takes decides when it is cancelled later, and for how long belay then listens. A server
// that ignores a cancel is to have the time to answer. On the second is everything else.
package battery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"belay/internal/audit"
	"belay/internal/headless"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
)

// Connection is one connection to the server: nobody else drives it.
type Connection struct {
	*headless.Runner

	// Waits begins to say what is waited for until calls can leave, and returns what ends that. It may be nil.
	Waits func(context.Context) (end func())

	of *mcpclient.Client
}

// Driving makes a connection of a client that nobody else drives.
func Driving(c *mcpclient.Client) Connection { return Connection{Runner: headless.New(c), of: c} }

// failure says how belay itself has failed on the connection; empty: it has not.
func (c *Connection) failure() string {
	if crash := c.of.Crash(); crash != nil {
		return crash.String() + "; that is a fault of belay's own, and not of the server's"
	}
	return ""
}

// Plan is what is to be tried.
type Plan struct {
	Tool  string
	Args  json.RawMessage // a JSON object; nil: none
	Yes   bool            // the tool may be called although it is not marked as read-only
	Tries int             // how often each of the situations is tried that concern one call
	Crowd int             // how many calls are cancelled at once
	Wrong string          // why no wrong cancel may be sent; empty: they may

	// Open makes a client that listens for so long after a cancel. It does not connect.
	Open func(grace time.Duration) (Connection, error)
	// Check says what is wrong with the arguments for the tool; nil: nobody looks.
	Check func(mcp.Item) error
	// Tell is told what begins, and how many calls of how many are made. It may be nil.
	Tell func(Progress)
	// Met is told of each connection how it stands when the tool was found on it. It may be nil.
	Met func(*session.Status)
}

// Progress is how far an audit is.
type Progress struct {
	Doing     string
	Made, All int           // calls
	Left      time.Duration // about; 0: it is not known
}

// A battery of fewer tries or calls would not show a leak.
const (
	DefaultTries = 3
	DefaultCrowd = 50
)

// beside is how many calls are in flight at once where one of several is cancelled.
const beside = 3

// pair is how many calls are in flight at once where the server refuses more.
const pair = 2

// Calls are how many calls of the tool the plan makes at most.
func (p *Plan) Calls() int {
	n := 2 + beside + pair + p.Tries*(4+p.Crowd+2) + 1 + (beside + 1) + (1 + 1) + 1 // a control each of the two in brackets
	if p.Wrong == "" {
		n += wrongCalls
	}
	return n
}

// UnknownTool says that the server has no such tool.
type UnknownTool struct {
	Name  string   // foreign text, as are the names
	Names []string // those that it has

	Problem *headless.ListError // why not all of them could be read; nil: all could
}

func (e *UnknownTool) Error() string { return fmt.Sprintf("the server has no tool %q", e.Name) }

// NotReadOnly says that a tool, or another one of its name, is not marked as read-only, and that the user has not
// allowed its calls.
type NotReadOnly struct {
	Tool  string
	Calls int
	Twins int // how many tools have the name; 0: one
}

func (e *NotReadOnly) Error() string {
	if e.Twins > 0 {
		return fmt.Sprintf("the server lists %d tools %q, and does not mark all of them as read-only; an audit calls one of them up to %d times", e.Twins, e.Tool, e.Calls)
	}
	return fmt.Sprintf("the server does not mark %q as read-only, and an audit calls it up to %d times", e.Tool, e.Calls)
}

// NotCallable says that belay may not call a tool, or cannot.
type NotCallable struct {
	Tool string
	Why  error // may hold foreign text
}

func (e *NotCallable) Error() string { return fmt.Sprintf("%q cannot be called: %v", e.Tool, e.Why) }

func (e *NotCallable) Unwrap() error { return e.Why }

// run is an audit that is under way.
type run struct {
	*Plan
	ctx  context.Context
	seen *audit.Observed
	made int

	tool    mcp.Item
	asks    bool // it asked something by a request while it was left alone, …
	rounds  bool // … or by its answer, as in 2026-07-28
	tooFast bool
	wishes  bool // calls ask for a task
	tasks   bool // it ran as a task while it was left alone

	c       Connection       // the one of now
	epoch   session.Epoch    // … and which start of the server it is to
	closed  bool             // it is
	ids     []session.CallID // the calls of the tool on it
	cancels int              // on this connection
	over    time.Time        // when the calls before were over; zero: there were none on this connection
	unheard int              // the latest requests that were to show whether the server answers, and that it did not answer
	kept    []kept
	behind  map[session.CallID]session.CallID // by a call, the request right behind its cancel
	refused error                             // why belay did not make a call: nothing was sent
	works   bool                              // a call that nobody cancelled, made after all cancels, was answered with a result
	stuck   string                            // why the tool does not work any more; empty: it does, or that is not known
	holds   atomic.Bool                       // questions are left open
}

// kept is a cancelled call of which more may become known.
type kept struct {
	id          session.CallID
	trial, call int
}

// Run tries what is planned. The error is one of connecting or of the plan, and nothing was
// tried then. What ends the audit later is in what was observed: the end of ctx, or of the
// server.
func Run(ctx context.Context, p *Plan) (*audit.Observed, error) {
	r := &run{Plan: p, ctx: ctx, seen: &audit.Observed{Tool: p.Tool}}
	if err := r.measure(); err != nil {
		return nil, err
	}
	// A tool that is too fast to be tested is not while it waits for an answer to its question.
	if able := r.seen.Unable == ""; (able || r.tooFast && r.asks) && r.seen.Stopped == "" && ctx.Err() == nil {
		r.tell("connecting again")
		if err := r.connect(r.grace()); err != nil {
			r.seen.Stopped = "the server was not reached again: " + err.Error()
		} else {
			_, _, _, _ = r.find() // what is wrong with the list was told by the first connection
			if able {
				r.all()
			} else {
				r.onlyAsks()
			}
			r.close()
		}
	}
	if ctx.Err() != nil {
		r.seen.Stopped, r.seen.ByUser = "you stopped it", true
	}
	return r.seen, nil
}

// grace is for how long belay listens after a cancel: for longer than the tool takes.
func (r *run) grace() time.Duration { return r.seen.Took + r.seen.Took/4 + time.Second }

func (r *run) connect(grace time.Duration) (err error) {
	r.cancels, r.over, r.kept, r.behind, r.unheard, r.epoch, r.ids, r.closed = 0, time.Time{}, nil, map[session.CallID]session.CallID{}, 0, 0, nil, false
	if r.c, err = r.Open(grace); err != nil {
		return err
	}
	end := func() {}
	if r.c.Waits != nil {
		end = r.c.Waits(r.ctx)
	}
	_, err = r.c.Connect(r.ctx)
	if end(); err != nil {
		r.close()
	}
	return err
}

// close ends the connection; the server has the time that its steps take. What comes of a recording, and what could
// not be kept, is for the maker of the client to ask for.
func (r *run) close() {
	if r.closed {
		return
	}
	r.closed = true
	flying := r.inFlightNow()
	ctx, stop := context.WithTimeout(context.WithoutCancel(r.ctx), 15*time.Second)
	defer stop()
	_ = r.c.Close(ctx)
	r.seen.GoesOn = append(r.seen.GoesOn, r.goOn(flying)...)
	if why := r.c.failure(); why != "" && r.seen.Stopped == "" {
		r.seen.Stopped = why
	}
}

func (r *run) tell(doing string) {
	if r.Tell == nil {
		return
	}
	p := Progress{Doing: doing, Made: r.made, All: r.Calls()}
	if r.seen.Took > 0 {
		p.Left = r.left()
	}
	r.Tell(p)
}

// left is about how long the rest takes.
func (r *run) left() time.Duration {
	one := r.seen.Took/2 + r.grace() + pause
	rounds := float64(max(0, r.Tries*7+3)) * (1 - float64(r.made)/float64(r.Calls()))
	return time.Duration(rounds * float64(one)).Round(time.Second)
}

// measure calls the tool and leaves it alone.
func (r *run) measure() error {
	r.tell("connecting")
	if err := r.connect(time.Second); err != nil {
		return err
	}
	defer r.close()
	tool, names, ok, err := r.find()
	st := r.c.Status() // now that the tools are listed: an answer that comes late may begin the server again until then
	r.seen.Server, r.seen.Transport, r.seen.Revision = serverName(&st), st.Transport, st.Revision
	var problem *headless.ListError
	switch {
	case errors.As(err, &problem) && ok:
		r.seen.Notes = append(r.seen.Notes, problem.Error())
	case errors.As(err, &problem) && problem.Partial, err == nil && !ok:
		return &UnknownTool{r.Tool, names, problem}
	case err != nil:
		return err
	}
	if !r.Yes && (!tool.Hints().ReadOnly.On || slices.ContainsFunc(r.c.Twins(r.Tool), func(it mcp.Item) bool { return !it.Hints().ReadOnly.On })) {
		return &NotReadOnly{r.Tool, r.Calls(), tool.Twins}
	}
	if r.Check != nil {
		if err := r.Check(tool); err != nil {
			return err
		}
	}
	r.tool = tool
	if tool.Twins > 0 {
		r.seen.Notes = append(r.seen.Notes, fmt.Sprintf("the server lists %d tools of this name; which of them is audited is up to it", tool.Twins))
	}
	stop := r.decline()
	defer stop()
	defer r.learn()
	defer r.noteUnstructured()
	r.tell("the tool is left alone")
	first := r.c.Now()
	if !r.once() {
		return r.whyUncallable()
	}
	over := r.c.Now()
	if r.seen.Alone[0].Ran >= audit.LongEnough { // else nothing is tried with it
		r.tell("several are left alone")
		r.seen.Took = r.seen.Alone[0].Ran
		if !r.together(first, over) {
			return nil
		}
		over = r.c.Now()
	}
	r.tell("the tool is left alone")
	if !r.restAlone() || !r.once() {
		return nil
	}
	r.took()
	if r.seen.Took < audit.LongEnough {
		r.tooFast = true
		r.seen.Unable = fmt.Sprintf("the tool took %v, and a cancel needs %v to come in the middle: give it arguments with which it takes longer", r.seen.Took.Round(time.Millisecond), audit.LongEnough)
		return nil
	}
	r.look(first, over)
	return nil
}

// find finds the tool on a connection that has come about.
func (r *run) find() (tool mcp.Item, names []string, ok bool, err error) {
	r.tell("its tools are listed")
	tool, names, ok, err = r.c.Tool(r.ctx, r.Tool)
	st := r.c.Status()
	if r.epoch = st.Epoch; r.Met != nil && st.Phase == session.Ready {
		r.Met(&st)
	}
	return tool, names, ok, err
}

// whyUncallable is the error that no call of the tool may be made; nil: one was, or the connection ended before.
func (r *run) whyUncallable() error {
	if r.refused == nil || len(r.seen.Alone) > 0 || r.lost() != "" || r.ctx.Err() != nil {
		return nil
	}
	return &NotCallable{r.Tool, r.refused}
}

// once calls the tool and leaves it alone, and reports whether more is to be tried with it.
func (r *run) once() bool {
	began := r.now()
	calls := r.leaveAlone(1)
	for i := range calls {
		calls[i].Ran += r.stopped(began) // the server works on meanwhile
	}
	r.seen.Alone = append(r.seen.Alone, calls...)
	if r.ctx.Err() != nil {
		return false
	}
	lost := len(calls) == 0
	if !lost && calls[0].Answer == audit.Result {
		return true
	}
	r.seen.Took = 0
	if !lost {
		r.seen.Unable = "the tool cannot be tested: " + calls[0].Ending()
		lost = calls[0].Answer == audit.NoAnswer
	}
	if why := r.ended(); why != "" && lost {
		r.seen.Stopped = why
		r.seen.Unable = "the tool cannot be tested: " + r.seen.Stopped
	} else if lost && r.refused != nil {
		r.seen.Unable = "the tool cannot be tested: " + r.uncallable()
	}
	return false
}

// together makes several calls at once and leaves them alone, also as many as the server takes. It
// reports whether the audit goes on.
func (r *run) together(first, over time.Time) bool {
	if !r.restAlone() {
		return false
	}
	r.seen.Together = r.leaveAlone(beside)
	r.look(first, over)
	if n := r.seen.AtOnce(); n < beside && n > 0 && r.restAlone() {
		r.seen.Pair = r.leaveAlone(pair)
	}
	return r.ctx.Err() == nil
}

// look notes what lives on after calls that were left alone, of which the first began and the last
// ended at these times. A server may replace it after some calls, so that it does not live
// later: whatever was seen once is kept.
func (r *run) look(first, over time.Time) { r.keep(keeps(r.c.Status().Processes, first, over)) }

func (r *run) keep(kept []audit.Kept) {
	if kept == nil { // it was not seen
		return
	}
	if r.seen.Kept == nil {
		r.seen.Kept = []audit.Kept{}
	}
	for _, k := range kept {
		if !slices.Contains(r.seen.Kept, k) {
			r.seen.Kept = append(r.seen.Kept, k)
		}
	}
}

// took notes how long the tool takes, and whether belay was kept from measuring that exactly.
func (r *run) took() {
	fastest := r.seen.Alone[0]
	if r.seen.Alone[1].Ran < fastest.Ran {
		fastest = r.seen.Alone[1]
	}
	r.seen.Took = fastest.Ran
	if fastest.Starved >= audit.LongEnough/10 {
		r.seen.Notes = append(r.seen.Notes, fmt.Sprintf("belay was kept from running for %v as it called the tool, which is in the time that the tool takes: it is measured from when the call was made", fastest.Starved.Round(time.Millisecond)))
	}
}

// noteUnstructured notes results that lack what the output schema of the tool promises.
func (r *run) noteUnstructured() {
	var found []session.Diagnostic
	r.c.View(func(s *session.Session) { found = s.Diagnostics() })
	if i := slices.IndexFunc(found, func(d session.Diagnostic) bool { return d.Code == mcp.DiagNoStructured }); i >= 0 {
		cite := found[i].Cite(r.seen.Revision)
		r.seen.Notes = append(r.seen.Notes, fmt.Sprintf("a call that is left alone is answered by %s (%s, %s: %s)", found[i].Code.Words(), cite.Revision, cite.Page, cite.Rule))
	}
}

func serverName(st *session.Status) string {
	return strings.TrimSpace(st.Server.Name + " " + st.Server.Version)
}

// decline says no to whatever the server asks, until the function is called.
func (r *run) decline() (stop func()) {
	ctx, cancel := context.WithCancel(r.ctx)
	over := make(chan struct{})
	c := r.c
	go func() {
		defer close(over)
		for {
			changed := c.Changed()
			for _, p := range c.Waiting() {
				if !p.Orphaned && !r.holds.Load() {
					_ = c.Decline(p)
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { cancel(); <-over }
}

// isOver reports whether nothing more is to be tried, and notes why.
func (r *run) isOver() bool {
	if r.ctx.Err() != nil {
		return true
	}
	if r.seen.Stopped == "" {
		deaf := r.isDeaf()
		if why := r.ended(); why != "" {
			r.seen.Stopped = why
		} else if r.refused != nil {
			r.seen.Stopped = r.uncallable()
		} else if deaf {
			r.seen.Stopped = fmt.Sprintf("the server answered none of %d requests in a row that it is to answer at once, %s, each of which belay awaited for %v", mostUnheard, r.probe(), patience)
		}
	}
	return r.seen.Stopped != "" || r.ctx.Err() != nil
}

// uncallable says that the tool cannot be called any more, and why.
func (r *run) uncallable() string { return "the tool cannot be called any more: " + r.refused.Error() }

// mostUnheard is after how many requests without an answer a server is taken for one that answers no
// more. Each of them has been awaited for long.
const mostUnheard = 3

// isDeaf reports whether the server answers no more. A server that has left a request unanswered is asked
// again: what is tried on a deaf server would fail by no fault of the cancel.
func (r *run) isDeaf() bool {
	for r.unheard > 0 && r.unheard < mostUnheard {
		r.tell(fmt.Sprintf("the server did not answer, it is asked again: %d of %d", r.unheard+1, mostUnheard))
		if r.ask() == audit.NotAsked {
			break
		}
	}
	return r.unheard >= mostUnheard
}

// ended says that the connection has ended, or that nothing more can be seen on it; empty: that is not so.
func (r *run) ended() string {
	if why := r.void(); why != "" {
		return why
	}
	if why := r.lost(); why != "" {
		return "the connection ended: " + why
	}
	return ""
}

// void says why what is seen on the connection now says nothing of the server: belay itself has failed, or has
// begun the server again. Empty: that is not so.
func (r *run) void() string {
	if why := r.c.failure(); why != "" {
		return why
	}
	st := r.c.Status()
	if st.StartAgain || st.Phase == session.Connecting {
		_, _ = r.c.Ready(r.within(patience))
		st = r.c.Status()
	}
	return begunAgain(&st, r.epoch, r.seen.Revision)
}

// begunAgain says that belay speaks to another start of the server than at first, or in another revision. Empty:
// it does not.
func begunAgain(st *session.Status, epoch session.Epoch, rev mcp.Revision) string {
	another := epoch != 0 && st.Epoch != epoch
	switch {
	case st.StartAgain, another && (st.StartedAgain || st.Phase == session.Connecting && !st.Replaces): // a session may be replaced that the server has ended
		return "belay has begun the server again, of its own accord, and what was seen until then is of another start of it: --protocol chooses the revision beforehand"
	case st.Phase == session.Ready && rev != "" && st.Revision != rev:
		return fmt.Sprintf("the server was spoken to in %s first, and is in %s now, and is judged by one revision only: --protocol chooses it", rev, st.Revision)
	}
	return ""
}

// lost is how the connection ended by itself; empty: it did not.
func (r *run) lost() string {
	if why := r.void(); why != "" {
		return why
	}
	st := r.c.Status()
	switch {
	case st.Phase == session.Ready && st.Unreachable.IsZero():
		return ""
	case st.Phase == session.Ready: // the next exchange that is answered shows that it is back
		r.ask()
		if st = r.c.Status(); !st.Unreachable.IsZero() {
			return "the server cannot be reached: " + st.Unreached
		}
		return ""
	case st.Failure != nil:
		return st.Failure.Text
	}
	return "it is " + fmt.Sprint(st.Phase)
}

// all is the battery on one connection.
func (r *run) all() {
	stop := r.decline()
	defer stop()
	defer r.late()
	for try := range r.Tries {
		for _, s := range []struct {
			audit.Situation
			share float64
		}{{audit.AtOnce, 0}, {audit.Early, 0.15}, {audit.Midway, 0.5}, {audit.NearEnd, 0.8}} {
			if r.isOver() {
				return
			}
			r.tell(fmt.Sprintf("%v, %d of %d", s.Situation, try+1, r.Tries))
			r.single(s.Situation, s.share, 0)
		}
		if r.isOver() {
			return
		}
		r.tell(fmt.Sprintf("%v: %d, %d of %d", audit.Crowd, r.Crowd, try+1, r.Tries))
		r.crowd()
	}
	r.repeat(audit.Asking, r.askingWhy(), r.asking)
	r.repeat(audit.AsTask, r.asTaskWhy(), r.asTask)
	for _, step := range []struct {
		audit.Situation
		do func()
	}{
		{audit.ByTimeout, func() { r.single(audit.ByTimeout, 0, r.seen.Took/2) }},
		{audit.OneOfSeveral, r.oneOfSeveral},
		{0, r.wrong},
		{audit.Afterwards, r.afterwards},
		{audit.ConnectionEnds, r.ends},
	} {
		if r.isOver() {
			return
		}
		if step.Situation > 0 {
			r.tell(step.Situation.String())
		}
		step.do()
	}
}

// late looks at the cancelled calls once more: a server may have answered since.
func (r *run) late() {
	for _, k := range r.kept {
		if d, ok := r.c.Detail(k.id); ok {
			c := &r.seen.Trials[k.trial].Cancelled[k.call]
			if again := r.observe(&d, c.Heard, c.Bound); c.Answer == audit.NoAnswer && again.Answer != audit.NoAnswer {
				c.Answer, c.Said, c.Digest = again.Answer, again.Said, again.Digest
				c.After, c.Crossed, c.Unread = again.After, again.Crossed, again.Unread
			}
		}
	}
}

// sleep waits, and reports whether the audit goes on.
func (r *run) sleep(d time.Duration) bool {
	if d <= 0 {
		return r.ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// params are those of a call of the tool.
func (r *run) params() []byte {
	args := r.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	b, _ := json.Marshal(map[string]any{"name": r.Tool, "arguments": args})
	return b
}

// call calls the tool; a limit of 0 is none.
func (r *run) call(limit time.Duration) (session.CallID, error) {
	r.made++
	spec := session.CallSpec{Method: "tools/call", Params: r.params(), Idle: -1, Max: -1, AsTask: r.wishes}
	if limit > 0 {
		spec.Max = limit
	}
	id, err := r.c.Call(spec)
	if err != nil {
		r.refused = err
		r.isOver() // no step may follow that would note it
		return id, err
	}
	r.ids = append(r.ids, id)
	return id, err
}

// sent waits until the requests of calls are written, or the calls have ended, and returns when the last was. Where
// the server does not read for long, the calls are taken back, the situation is skipped, and sent reports false:
// belay would wait for ever. So it does where the user has stopped the audit.
func (r *run) sent(s audit.Situation, ids ...session.CallID) (last time.Time, ok bool) {
	ctx := r.within(patience)
	for _, id := range ids {
		err := r.c.Await(ctx, func(s *session.Session) bool {
			row, _ := s.Row(id)
			if row.Sent.After(last) {
				last = row.Sent
			}
			return !row.Sent.IsZero() || row.State.IsTerminal()
		})
		if err == nil {
			continue
		}
		for _, id := range ids {
			_ = r.c.Cancel(id, "belay audit: it could not be written")
		}
		if r.ctx.Err() == nil {
			r.unheard++
			r.seen.Trials = append(r.seen.Trials, audit.Trial{Situation: s, Skipped: fmt.Sprintf("a call could not be written within %v: the server did not read it", patience)})
		}
		return last, false
	}
	return last, true
}

// leaveAlone makes calls at once, waits for their ends, and keeps what the processes used before them.
func (r *run) leaveAlone(n int) (calls []audit.Call) {
	var ids []session.CallID
	r.keepUnprovoked()
	for range n {
		if id, err := r.call(0); err == nil {
			ids = append(ids, id)
		}
	}
	return r.await(ids, longest)
}

// longest is how long a call may take that is left alone.
const longest = 5 * time.Minute

// await waits for the ends of calls that are not cancelled.
func (r *run) await(ids []session.CallID, limit time.Duration) (calls []audit.Call) {
	ctx, stop := context.WithTimeout(r.ctx, limit)
	defer stop()
	for _, id := range ids {
		d, _ := r.c.Watch(ctx, id, nil)
		r.noteEnd(&d)
		r.tasks = r.tasks || d.Task != nil && !r.wishes
		calls = append(calls, uncancelled(&d, r.c.Now()))
	}
	return calls
}

func (r *run) add(t audit.Trial, ids []session.CallID) {
	if t.Failed = r.void(); t.Failed != "" { // what was seen in it may be no doing of the server's
		clear(t.Cancelled)
		clear(t.Others)
		t.Alive, t.Lost, t.Control, ids = audit.NotAsked, "", nil, nil
	}
	for i, id := range ids {
		r.kept = append(r.kept, kept{id, len(r.seen.Trials), i})
	}
	r.seen.Trials = append(r.seen.Trials, slices.Clip(append([]audit.Trial{}, t))...)
}
