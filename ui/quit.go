package ui

import (
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/dialog"
	"belay/ui/panel"
)

// leave is how far quitting has come.
type leave struct {
	closing bool
	over    bool
}

// parting is what is told when the program has ended. It can be asked for while
// the loop of the screen is stuck.
type parting struct {
	keepsTasks atomic.Bool // the user has them not be cancelled

	ready  atomic.Bool // there was a connection at some time
	logout atomic.Bool // what became of a token that was forgotten is not known yet

	// Under the lock of the session.
	noted bool
	calls []session.CallID // the work that quitting cancelled
	total int              // how many those were
}

// farewellMost bounds the calls that are listed on the normal screen.
const farewellMost = 20

// quitListed bounds the calls that are looked at for the list.
const quitListed = 10_000

// quit asks once when there is work, and closes the connection in order. To be
// asked and to press the key again is a yes.
func (m *Model) quit() tea.Cmd {
	if m.replay.IsRecorded() {
		return m.end()
	}
	s := m.snap.status
	m.backend.View(func(core *session.Session) { *s = core.Status() }) // what is drawn may be a frame old
	if !endsWork(s) {
		return m.startQuit()
	}
	for _, d := range m.stack {
		if c, ok := d.(*dialog.Confirm); ok && c.Quitting {
			return m.startQuit() // the second press is the answer
		}
	}
	m.push(&dialog.Confirm{
		Host: m.host, Title: "Quit", Lines: func() []safe.Text { return m.workLines(true) }, Yes: m.startQuit, Quitting: true, Leave: m.quitLeavingTasks,
		Tasks: func() int { return leavable(m.tasks.Running(), m.snap.status) },
	})
	return nil
}

// leavable counts those of the running tasks, and of those that are asked for, that quitting would
// cancel: only of these it makes a difference that they are left.
func leavable(running int, s *session.Status) int {
	if s.WaitsOnly > 0 { // the server lets none be cancelled
		return 0
	}
	return max(0, running+s.PickUps-s.OutcomesOnly)
}

// endsWork reports whether the end of the connection ends something of the user's: a task that
// was cancelled and goes on is followed as one in flight is, and of one that was cancelled and has no ID
// the ID is awaited.
func endsWork(s *session.Status) bool {
	return s.UserCalls > 0 || s.Waiting > 0 || s.PolledOn > 0 || s.KeptCancels > 0
}

// workLines say what leaving ends, as of now: calls go on while it asks. Who does not quit has
// no way to leave tasks that can be cancelled.
func (m *Model) workLines(quits bool) []safe.Text {
	s := m.snap.status
	var lines []safe.Text
	endsServer := s.Transport == mcp.Stdio
	there := safe.Text(" at the server")
	if endsServer {
		there = ""
	}
	calls := s.UserCalls - s.UserCancelling - s.WaitsOnly - s.OutcomesOnly
	if calls > 0 {
		lines = append(lines, wording.Count(calls, "call")+" in flight: belay cancels "+them(calls)+" first.")
	}
	switch n := s.UserCancelling - s.StopsPickUps; { // which have a line of their own
	case n == 1:
		lines = append(lines, "1 call is being cancelled already; belay does not await the outcome.")
	case n > 1:
		lines = append(lines, wording.Count(n, "call")+" are being cancelled already; belay does not await the outcome.")
	}
	switch n := s.LackIDs; {
	case n == 1:
		lines = append(lines, "1 of these has no task ID yet: it is cancelled if that comes within 1 s.")
	case n > 1:
		lines = append(lines, wording.Thousands(n)+" of these have no task ID yet: cancelled if that comes within 1 s.")
	}
	switch n := s.StopsPickUps; {
	case n == 1:
		lines = append(lines, "1 task is looked at first, and cancelled within 1 s.")
	case n > 1:
		lines = append(lines, wording.Thousands(n)+" tasks are looked at first, and cancelled within 1 s.")
	}
	switch n := s.KeptCancels; {
	case n == 1:
		lines = append(lines, "1 cancelled call has no task ID yet: belay waits 1 s for it at most.")
	case n > 1:
		lines = append(lines, wording.Thousands(n)+" cancelled calls have no task ID yet: belay waits 1 s at most.")
	}
	switch n := s.OutcomesOnly; {
	case n == 1:
		lines = append(lines, "1 task has ended, or its cancel was sent: its outcome is not awaited.")
	case n > 1:
		lines = append(lines, wording.Count(n, "task")+" have ended, or their cancel was sent: no outcome is awaited.")
	}
	if n := s.WaitsOnly; n > 0 {
		lines = append(lines, wording.Count(n, "task")+" can only be waited for: belay leaves "+them(n)+there+".")
	}
	if n := leavable(m.tasks.Running(), s); quits && n > 0 {
		ids := safe.Text("its ID")
		if n > 1 {
			ids = "their IDs"
		}
		tasks := wording.Count(n, "task") + " among them"
		switch {
		case n == calls && n == 1:
			tasks = "It runs as a task"
		case n == calls:
			tasks = "All of them are tasks"
		}
		lines = append(lines, tasks+": l leaves "+them(n)+there+", and prints "+ids+".")
	}
	if n := s.PolledOn; n > 0 {
		goesOn := safe.Text(" may go on: belay asks for it no more.")
		if n > 1 {
			goesOn = " may go on: belay asks for them no more."
		}
		lines = append(lines, wording.Count(n, "cancelled task")+goesOn)
	}
	left, undelivered := 0, 0
	m.backend.View(func(s *session.Session) { left, undelivered = leftBefore(s), cancelsUndelivered(s) })
	switch {
	case undelivered == 1:
		lines = append(lines, "1 cancel is not known to be delivered: esc, then x on it sends it again.")
	case undelivered > 1:
		lines = append(lines, wording.Thousands(undelivered)+" cancels are not known to be delivered: esc, then x sends one again.")
	}
	if left > 0 {
		lines = append(lines, wording.Count(left, "more task")+" may go on: belay tells of "+them(left)+" at the end.")
	}
	if endsServer && s.WaitsOnly+s.PolledOn+s.PickUps+s.StopsPickUps+m.tasks.Running() > 0 {
		lines = append(lines, "belay ends the server: what becomes of a task then is up to the server.")
	}
	if n := s.Waiting; n > 0 {
		lines = append(lines, wording.Count(n, "question")+" of the server's will not be answered.")
	}
	if len(lines) == 0 {
		lines = append(lines, "Nothing is in flight any more.")
	}
	return lines
}

func them(n int) safe.Text {
	if n == 1 {
		return "it"
	}
	return "them"
}

// startQuit cancels the work and closes. The model ends when the connection
// has ended.
func (m *Model) startQuit() tea.Cmd {
	if m.Leave() == session.Disconnected {
		return m.end()
	}
	m.showClosing()
	return nil
}

// quitLeavingTasks does the same, but for tasks: they are not cancelled.
func (m *Model) quitLeavingTasks() tea.Cmd {
	m.parting.keepsTasks.Store(true)
	return m.startQuit()
}

// Leave quits without asking, and remembers what that cancels. It may be called
// from any goroutine, whatever the loop of the screen does.
func (m *Model) Leave() (phase session.Phase) {
	if m.replay.IsRecorded() {
		return session.Disconnected
	}
	m.backend.View(m.parting.note)
	tell(m.backend, session.Quit{LeaveTasks: m.parting.keepsTasks.Load()})
	m.backend.View(func(s *session.Session) { phase = s.Status().Phase })
	return phase
}

// note remembers what quitting cancels, for the lines that tell about it.
func (p *parting) note(s *session.Session) {
	if p.noted {
		return
	}
	p.noted = true
	for _, r := range s.InFlight(nil, quitListed) {
		if r.Origin != session.FromUser || r.IsStanding() { // what only stands is no work
			continue
		}
		p.total++
		if len(p.calls) < farewellMost {
			p.calls = append(p.calls, r.ID)
		}
	}
}

// closingMost is how wide the title is while the connection is being closed.
const closingMost = 50

func (m *Model) showClosing() {
	if !m.leave.closing {
		m.leave.closing = true
		m.stack = []panel.Panel{&dialog.Closing{Title: m.link().Titled("Closing", closingMost), Process: m.backend.ProcessLine}}
		m.login.Hidden()
		m.questions.Hidden()
	}
}

// quitNow ends the server without waiting for it.
func (m *Model) quitNow() tea.Cmd {
	kill := m.backend.Kill
	return tea.Sequence(func() tea.Msg {
		kill()
		return nil
	}, m.end())
}

func (m *Model) end() tea.Cmd {
	m.leave.over = true
	m.Finish()
	return tea.Quit
}

// noticeEnd follows a quit that somebody else began (a signal), and ends the
// model when the connection has ended.
func (m *Model) noticeEnd() tea.Cmd {
	s := m.snap.status
	if !s.ReadyAt.IsZero() {
		m.parting.ready.Store(true)
	}
	if m.leave.over {
		return nil
	}
	if m.hasFailedAtStart() {
		return m.end()
	}
	if !s.Quitting {
		return nil
	}
	if !m.leave.closing {
		m.showClosing()
	}
	if s.Phase == session.Disconnected {
		return m.end()
	}
	return nil
}

// hasFailedAtStart reports whether the server ended before there ever was a connection. Then
// belay shows nothing that the normal screen does not keep better.
func (m *Model) hasFailedAtStart() bool {
	s := m.snap.status
	first := int(s.Epoch) == s.Starts
	return s.Phase == session.Disconnected && first && !s.StartAgain && !m.parting.ready.Load() &&
		s.Failure != nil && s.Failure.Kind == session.FailProcess
}

// suspend stops belay until the shell goes on with it.
func (m *Model) suspend() tea.Cmd {
	return m.exec(m.backend.Suspend(), func(err error) tea.Msg { return panel.Done{Err: err} })
}
