package mcpclient

import (
	"fmt"
	"strings"
	"time"

	"belay/mcpclient/process"
	"belay/session"
)

// shutdown waits until the connection ends, for whatever reason, sees to it that
// nothing of the server is left, and tells the core. Stdin is closed,
// then SIGTERM is sent, then SIGKILL, to the whole group (STD-14 … STD-18; basic/transports),
// while stdout and stderr are read to their end (STD-25).
func (p *stdio) shutdown() {
	defer close(p.over)
	why, told := p.ending(), false
	p.mu.Lock()
	p.shut = shutWords(why)
	p.mu.Unlock()
	if why.Status == closedOutput {
		// All that it will ever say has been said: calls need not wait for the
		// shutdown to learn that they are lost.
		p.closeStdin()
		<-p.writeEnded
		p.tell(why, true)
		told = true
	}
	p.escalate()
	if !why.ByUs && isClosed(p.exited) {
		p.await(p.looked, lastLookMost)
	}
	p.killGroup()
	if isClosed(p.exited) {
		p.c.opt.Group(p.Group.Number(), false)
	}
	p.closeStdin() // of a server that ended by itself
	<-p.writeEnded
	<-p.watchEnded
	p.steps.end(p.c.opt.Now(), p.status())
	if !told {
		p.tell(why, false)
	}
	p.c.signal()
}

// lastLookMost is how long the end of a server is held back for the look at what it has left, which a busy machine may
// delay: belay ends those processes then, and nobody could tell any more that they had gone on.
const lastLookMost = 2 * time.Second

// Words of Close.Status and of the log of shutdown.
const (
	closedOutput = "closed its output"
	closedInput  = "closed its input"
)

// shutWords say why a message was not written that waited when stdin was closed.
func shutWords(why session.Close) string {
	switch {
	case why.ByUs:
		return "belay closed the server's stdin first"
	case why.Status == closedOutput:
		return "the server closed its stdout first"
	case why.Status == closedInput:
		return brokenPipe
	}
	return "the server ended first"
}

// ending waits for the first sign of an end and says what it was.
func (p *stdio) ending() (why session.Close) {
	select {
	case <-p.exited:
		return why
	case <-p.outEnded:
		why.Status = closedOutput
	case <-p.readerGone:
		why.Status = closedInput
	case <-p.wantClose:
		why.ByUs = true
	case <-p.wantKill:
		why.ByUs = true
	}
	if why.ByUs {
		return why
	}
	// A process that exits closes its pipes first, so wait a moment for the exit.
	// A panic of the reader ends its stream too, and is no doing of the server's.
	switch p.await(p.exited, p.c.opt.Shutdown.Settle) {
	case happened:
		why.Status = ""
	case killed:
		why.Status, why.ByUs = "", true
	case timedOut: // it lives
	}
	if p.failed() != "" {
		why.Status, why.ByUs = "", true
	}
	return why
}

func (p *stdio) failed() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failure
}

// waited is how a wait of the shutdown ended.
type waited uint8

const (
	happened waited = iota
	timedOut
	killed
)

// await waits for ch, for d at most, and not at all after Kill.
func (p *stdio) await(ch <-chan struct{}, d time.Duration) waited {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ch:
		return happened
	default:
	}
	select {
	case <-ch:
		return happened
	case <-p.wantKill:
		return killed
	case <-t.C:
	}
	select {
	case <-ch: // on a busy machine both may have come
		return happened
	default:
		return timedOut
	}
}

// escalate takes the steps of shutdown, one harsher than the other, until the process has
// exited.
func (p *stdio) escalate() {
	l := p.c.opt.Shutdown
	if isClosed(p.exited) {
		return
	}
	p.closeStdin()
	p.step(StepClosed, "closed its stdin")
	since, after, limit := p.c.opt.Now(), "stdin closed", l.Stdin
	how := p.await(p.exited, limit)
	if how == timedOut && process.CanTerminate {
		p.Group.Terminate()
		p.step(StepTerminated, fmt.Sprintf("still running %s after %s: sent SIGTERM to its process group", seconds(limit), after))
		since, after, limit = p.c.opt.Now(), "SIGTERM", l.Term
		how = p.await(p.exited, limit)
	}
	if how != happened {
		kind, reason := StepKilledByAsk, "told to end it at once"
		if how == timedOut {
			kind, reason = StepKilled, fmt.Sprintf("still running %s after %s", seconds(limit), after)
		}
		p.Group.Kill(p.Cmd.Process)
		p.step(kind, reason+": "+process.KilledGroup)
		since, after = p.c.opt.Now(), "being killed"
		t := time.NewTimer(l.Kill)
		defer t.Stop()
		select {
		case <-p.exited:
		case <-t.C:
			p.step(StepOther, "still there "+seconds(l.Kill)+" after being killed: given up")
			return
		}
	}
	p.step(StepExited, fmt.Sprintf("exited %s after %s (%s)", seconds(p.c.opt.Now().Sub(since)), after, p.Cmd.ProcessState))
}

// killGroup ends what is left of the process group, and then the reading of pipes
// that are still held (STD-26). First it gives the readers the time to take in
// what is on its way.
func (p *stdio) killGroup() {
	l := p.c.opt.Shutdown
	drained := make(chan struct{})
	go func() {
		<-p.outEnded
		<-p.errEnded
		close(drained)
	}()
	p.await(drained, l.Settle)
	if p.Group.IsAlive() {
		if process.CanTerminate && !isClosed(p.wantKill) {
			p.Group.Terminate()
			p.step(StepOther, "sent SIGTERM to what was left of its process group")
			p.awaitGroup(l.Rest)
		}
		if p.Group.IsAlive() {
			p.step(StepOther, "killed what was left of its process group")
		}
	}
	p.Group.Kill(p.Cmd.Process)
	p.Group.Release()

	t := time.NewTimer(l.Rest)
	defer t.Stop()
	select {
	case <-drained:
		return
	case <-t.C:
	}
	p.step(StepOther, "a process outside of its group still holds its output: closed it on our side")
	close(p.forced)
	_ = p.Stdout.Close()
	_ = p.Stderr.Close()
	<-drained
}

// awaitGroup waits until nobody is left in the group, for d at most.
func (p *stdio) awaitGroup(d time.Duration) {
	end := time.NewTimer(d)
	defer end.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for p.Group.IsAlive() {
		select {
		case <-end.C:
			return
		case <-p.wantKill:
			return
		case <-look.C:
		}
	}
}

// tell reports the end to the core, after everything that came before it.
func (p *stdio) tell(why session.Close, running bool) {
	defer func() {
		if v := recover(); v != nil {
			p.c.onCrash("the end of the connection", v)
		}
	}()
	switch {
	case running:
	case why.Status == closedInput:
		why.Status += "; belay ended it: " + p.status()
	default:
		why.Status = strings.TrimPrefix(why.Status+"; "+p.status(), "; ")
	}
	p.mu.Lock()
	if p.readErr != nil {
		why.Err = "reading from the server failed: " + p.readErr.Error()
	}
	if p.failure != "" {
		why.Err = p.failure
	}
	p.mu.Unlock()
	why.Stderr, why.Alive = p.tail.String(), running
	var at time.Time
	if !why.ByUs && isClosed(p.exited) {
		at = p.exitedAt
	}
	p.c.onDisconnected(p, p.x.Epoch, why, at)
}

// status is the exit status in words.
func (p *stdio) status() string {
	if !isClosed(p.exited) {
		return "could not be ended"
	}
	return p.Cmd.ProcessState.String()
}

func (p *stdio) step(kind StepKind, text string) {
	p.steps.add(p.c.opt.Now(), kind, text)
	p.c.signal()
}

// seconds writes a duration as people say it.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%.1f s", max(0, d).Seconds())
}
