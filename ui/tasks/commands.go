// Package tasks is the list of the tasks at the server, with the keys and commands to look
// at a task, pick it up, cancel it, or stop waiting for it.
package tasks

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/row"
	"belay/ui/scope"
)

// Tasks are the tasks as the screen knows them. Make them with [New].
type Tasks struct {
	host    panel.Host
	offered session.Epoch // of the connection in which tasks of before were offered, if there were any
	notKept string        // what was told of it last
	reused  int           // how many keys were told of that a task used again
}

// New are the tasks of the session that the host shows.
func New(h panel.Host) *Tasks { return &Tasks{host: h} }

// Keys are the keys of the row of a task that goes on. They go before those that have the
// same key for other rows, and are listed behind them.
func Keys() []keymap.Binding[*Tasks] {
	const group = "Calls"
	return []keymap.Binding[*Tasks]{
		{
			Name: "cancel task", Key: key.NewBinding(key.WithKeys("x"), key.WithHelp("", "cancel task")),
			Group: group, Where: scope.Task, First: true, Footer: 3, Shy: true,
			Help:     "cancel task: the selected call runs as one, and the server is asked to stop it by tasks/cancel",
			Disabled: (*Tasks).noCancel, Run: keymap.Cmd((*Tasks).cancel),
		},
		{
			Name: "stop waiting", Key: key.NewBinding(key.WithKeys("d"), key.WithHelp("", "stop waiting")),
			Group: group, Where: scope.Panes | scope.Tiny, Footer: 4, Command: "detach",
			Help: "stop waiting for the selected task, which goes on at the server; x cancels it", Disabled: (*Tasks).noneWaited, Run: keymap.Cmd((*Tasks).detach),
		},
	}
}

// Commands are the commands of the palette.
func Commands() []keymap.Binding[*Tasks] {
	const group = "Commands"
	return []keymap.Binding[*Tasks]{
		{
			Name: "tasks", Group: group, Command: "tasks",
			Help:     "the tasks that the server lists (2025-11-25), and those of this run: look at one, pick it up, cancel it, fetch its result",
			Disabled: (*Tasks).nothingToList, Run: keymap.Cmd((*Tasks).open),
		},
		{
			Name: "poll", Group: group, Command: "poll",
			Help: "ask the server now how the selected task stands", Disabled: (*Tasks).notATask, Run: keymap.Cmd((*Tasks).poll),
		},
		{
			Name: "ask anew", Group: group, Command: "ask",
			Help:     "show what the selected task asks for under a key that it used for something else before, which a server must not do",
			Disabled: (*Tasks).nothingAnew, Run: keymap.Cmd((*Tasks).askAnew),
		},
		{
			Name: "hear of tasks", Group: group, Command: "hear",
			Help:     "turn the subscription off, or on again, by which the server tells of tasks (2026-07-28); off, they are polled alone",
			Disabled: (*Tasks).noHearing, Run: keymap.Cmd((*Tasks).toggleHearing),
		},
		{
			Name: "ask undeclared", Group: group, Command: "task-check",
			Help:     "a test of the server: ask for the selected task without declaring the extension of tasks, which the server must refuse",
			Disabled: (*Tasks).noUndeclared, Run: keymap.Cmd((*Tasks).askUndeclared),
		},
		{
			Name: "pick up a task", Group: group, Command: "task", Arg: "ID",
			Help: "follow a task that was begun elsewhere or before, by its ID", Disabled: (*Tasks).none, Run: (*Tasks).pickUp,
		},
	}
}

// target is the row that the keys act on.
func (t *Tasks) target() (r session.Row, ok bool) {
	chosen := t.host.Screen().Chosen
	t.host.View(func(s *session.Session) { r, ok = s.Row(chosen) })
	return r, ok
}

func (t *Tasks) notATask() string {
	switch r, ok := t.target(); {
	case ok && r.Task != nil:
		return ""
	case ok && r.TaskToCome:
		return "the task of the selected call has no ID yet: belay waits for that"
	case ok && IsAskedFor(r):
		return "the server has not told of the selected task yet"
	}
	return "no task is selected"
}

func (t *Tasks) nothingAnew() string {
	if r, ok := t.target(); !ok || r.Task == nil || r.Task.ReusedKeys == 0 {
		return "the selected call is no task that asks for something under a key of before"
	}
	return ""
}

// WaitsOnly is why a task cannot be cancelled whose server declares no tasks.cancel.
const WaitsOnly = LeftOnly + "; d stops waiting"

// LeftOnly is the same of a task that nobody waits for any more.
const LeftOnly = "the server does not declare tasks.cancel: its tasks can only be waited for"

// InPipe is why tasks/cancel is not sent once more on stdio, where the server has not read it.
const InPipe = "tasks/cancel was sent, and the server reads it before anything that is sent later"

// SentBy is why the task of a row is not cancelled whose tasks/cancel was sent by another row.
func SentBy(other string) string {
	return "tasks/cancel was sent for the task by " + other + ", and is sent once"
}

// WhyEnded says why the task of a call in flight is not cancelled: the task has ended, and its
// outcome has not come. Empty: that is not so.
func WhyEnded(r session.Row) string {
	if r.OutcomeOnly && r.Task.Status.IsTerminal() {
		return "the task is " + r.Task.Status.String() + " already: only its outcome is waited for; d stops waiting"
	}
	return ""
}

func (t *Tasks) noCancel() string {
	r, ok := t.target()
	if why := WhyEnded(r); ok && why != "" {
		return why
	}
	switch {
	case ok && r.WaitsOnly:
		return WaitsOnly
	case ok && r.Task != nil && r.Task.CancelSentBy != "":
		return SentBy(r.Task.CancelSentBy)
	case ok && row.MayCancelAgain(r) && LacksCancel(t.host.Screen().Status):
		return LeftOnly
	case ok && row.CancelAnswered(r) != "":
		return row.CancelAnswered(r)
	case ok && (r.State == session.Cancelling && !r.CancelRejected || r.Task != nil && r.Task.CancelsAgain):
		return "the task is being cancelled already"
	}
	return ""
}

func (t *Tasks) noneWaited() string {
	r, _ := t.target()
	switch why := t.notATask(); {
	case r.WaitsOnly && r.Task == nil, IsAskedFor(r): // its ID has not come, or no answer to tasks/get
		return ""
	case why != "":
		return why
	case r.State.IsTerminal() && !r.Task.GoesOn:
		return "the selected task is not waited for any more"
	}
	return ""
}

// IsAskedFor reports whether a row asks for a task by its ID, and has no answer yet.
func IsAskedFor(r session.Row) bool { return r.Follows && r.Task == nil && r.IsInFlight() }

// none says why tasks cannot be asked for.
func (t *Tasks) none() string {
	s := t.host.Screen().Status
	if t.host.Screen().Recorded {
		return "a recording is read: no request can be sent"
	}
	if err := s.CheckCall(); err != nil {
		return string(panel.ErrorWords(err))
	}
	if !s.HasTasks() {
		return "the server declares no tasks; :send tasks/get can ask it anyway"
	}
	return ""
}

// nothingToList says why there is no list of tasks: none was seen in this run, and the
// server has none.
func (t *Tasks) nothingToList() string {
	if t.host.Screen().Status.HasTasks() {
		return ""
	}
	var rows []*session.TaskRow
	t.host.View(func(s *session.Session) { rows = s.TaskRows(nil, 1) })
	switch {
	case len(rows) > 0:
		return ""
	case t.host.Screen().Recorded:
		return "no task up to here in the recording that is read: no request can be sent"
	}
	return t.none()
}

func (t *Tasks) cancel() tea.Cmd {
	r, _ := t.target()
	if row.MayCancelAgain(r) {
		return t.CancelAgain(r)
	}
	return t.host.Want(panel.Cancel{Row: r})
}

// CancelAgain cancels a task once more whose first cancel got no answer. A task that nobody waits for,
// or that was never cancelled, is cancelled in a row of its own: the one before polls no more.
func (t *Tasks) CancelAgain(r session.Row) tea.Cmd {
	if r.Task.MayCancelAgain {
		if _, err := t.host.Do(session.Cancel{Call: r.ID}); err != nil {
			return t.host.Say(panel.Error(err))
		}
		return t.host.Say(panel.Said("cancelling " + row.TaskName(r) + " once more").While(untilAnswered(r.ID)))
	}
	if !r.Task.GoesOn { // nobody waits for it
		return t.watch(r.Task.ID, true)
	}
	if _, err := t.host.Do(session.StopWaiting{Call: r.ID}); err != nil {
		return t.host.Say(panel.Error(err))
	}
	return t.watch(r.Task.ID, true)
}

// detach stops waiting for the task of the selected row.
func (t *Tasks) detach() tea.Cmd {
	r, _ := t.target()
	return t.leave(r)
}

func (t *Tasks) leave(r session.Row) tea.Cmd {
	if _, err := t.host.Do(session.StopWaiting{Call: r.ID}); err != nil {
		return t.host.Say(panel.Error(err))
	}
	goesOn := safe.Text(" goes on at the server")
	switch {
	case t.isDropped(r.ID):
		return t.host.Say(panel.Said("no longer waiting for " + row.Name(r) + ": nothing was sent"))
	case r.AwaitsLook: // what was promised is sent
		goesOn = " gets tasks/cancel, by its ID alone"
	case r.Follows && r.Task == nil: // the server has not told of it
		goesOn = " may go on at the server"
	case r.Task == nil:
		goesOn = " may go on at the server, and its ID has not come"
	case r.Task.Status.IsTerminal():
		goesOn = " has ended as " + safe.Text(r.Task.Status.String()) + ", and its outcome is left"
	case r.State != session.Running:
		goesOn = " may go on at the server"
	}
	return t.host.Say(panel.Said("no longer waiting for " + row.Name(r) + ": its task" + goesOn))
}

// isDropped reports whether nothing of a call was sent.
func (t *Tasks) isDropped(id session.CallID) (dropped bool) {
	t.host.View(func(s *session.Session) {
		r, ok := s.Row(id)
		dropped = ok && r.State == session.Dropped
	})
	return dropped
}

// poll asks how the task of the selected row stands.
func (t *Tasks) poll() tea.Cmd {
	r, _ := t.target()
	reply, err := t.host.Do(session.PollTask{Call: r.ID})
	if err != nil {
		return t.host.Say(panel.Error(err))
	}
	if reply.Call != 0 { // its row had ended
		said := panel.Said("waiting again for " + row.TaskName(r)).While(untilTold(reply.Call))
		return tea.Batch(t.host.Want(panel.Choose{Call: reply.Call}), t.host.Say(said))
	}
	return t.host.Say(panel.Said("asking for " + row.TaskName(r)))
}

// askAnew has what the task of the selected row asks for under keys of before be shown.
func (t *Tasks) askAnew() tea.Cmd {
	r, _ := t.target()
	if _, err := t.host.Do(session.PollTask{Call: r.ID, Anew: true}); err != nil {
		return t.host.Say(panel.Error(err))
	}
	return t.host.Say(panel.Said("asking for what " + row.TaskName(r) + " wants now"))
}

// pickUp follows a task that is known by its ID.
func (t *Tasks) pickUp(id string) tea.Cmd {
	id, why := idOf(id)
	if why != "" {
		return t.host.Say(panel.Refused(why))
	}
	return t.watch(id, false)
}

// watch follows a task in a row of its own, or with stop cancels it there. One that has such
// a row is shown.
func (t *Tasks) watch(id string, stop bool) tea.Cmd {
	var rows []*session.TaskRow
	t.host.View(func(s *session.Session) { rows = s.TaskRows(nil, rowsMost) })
	for _, r := range rows {
		if r.Task.ID == id && r.Task.GoesOn && !stop {
			return tea.Batch(t.host.Want(panel.Choose{Call: r.Call}), t.host.Say(panel.Said("the task is followed already, here")))
		}
	}
	var asked session.Row
	t.host.View(func(s *session.Session) {
		if call, ok := s.PickUp(id); ok {
			asked, _ = s.Row(call)
		}
	})
	switch {
	case asked.ID != 0 && stop:
		return tea.Batch(t.host.Want(panel.Choose{Call: asked.ID}), t.host.Want(panel.Cancel{Row: asked}))
	case asked.ID != 0:
		return tea.Batch(t.host.Want(panel.Choose{Call: asked.ID}), t.host.Say(panel.Said("the task is asked for already, here")))
	}
	spec := session.CallSpec{Method: "tasks/get", Params: mcp.TaskParams(id), Watch: true, Stop: stop}
	reply, err := t.host.Do(session.StartCall{Spec: spec})
	if err != nil {
		return t.host.Say(panel.Error(err))
	}
	said := panel.Said("asking for the task")
	if stop {
		said = panel.Said("asking for the task, to cancel it if it goes on")
	}
	return tea.Batch(t.host.Want(panel.Choose{Call: reply.Call}), t.host.Say(said.While(untilTold(reply.Call))))
}

// untilTold ends a sentence about asking for a task when the server has told of it, or the row is
// over: the row says what it told.
func untilTold(id session.CallID) func(*session.Session) (instead safe.Text, over bool) {
	return func(s *session.Session) (safe.Text, bool) {
		r, ok := s.Row(id)
		return "", !ok || !r.IsInFlight() || r.Task != nil && r.Task.Polls > 0
	}
}

// untilAnswered ends a sentence about a second cancel of a task when something tells what became of
// the cancel: the row says that.
func untilAnswered(id session.CallID) func(*session.Session) (instead safe.Text, over bool) {
	return func(s *session.Session) (safe.Text, bool) {
		r, ok := s.Row(id)
		if ok && r.Task != nil && r.Task.MayCancelAgain {
			return "tasks/cancel brought no answer this time either", true
		}
		return "", !ok || r.Task == nil || !r.Task.CancelsAgain
	}
}

// ofExtension says why the server has no tasks of the extension.
func (t *Tasks) ofExtension() string {
	s := t.host.Screen().Status
	if why := t.none(); why != "" {
		return why
	}
	if !s.Revision.IsModern() {
		return "only in 2026-07-28, where tasks are an extension"
	}
	return ""
}

func (t *Tasks) noHearing() string { return t.ofExtension() }

// toggleHearing turns belay's own subscription to tasks off, or on again.
func (t *Tasks) toggleHearing() tea.Cmd {
	off := t.host.Screen().Status.SubscribesToTasks
	if _, err := t.host.Do(session.SubscribeToTasks{Off: off}); err != nil {
		return t.host.Say(panel.Error(err))
	}
	if off {
		return t.host.Say(panel.Said("tasks are polled alone · :hear has the server tell of them again"))
	}
	return t.host.Say(panel.Said("the server is asked to tell of tasks, beside the polls").While(untilRefused))
}

// untilRefused ends a sentence about asking for the subscription to tasks when the server refuses it.
func untilRefused(s *session.Session) (instead safe.Text, over bool) {
	st := s.Status()
	if st.TasksUntold == "" {
		return "", !st.SubscribesToTasks
	}
	return "the server takes no subscription to its tasks: belay polls them · " + safe.LineN(st.TasksUntold, 300), true
}

func (t *Tasks) noUndeclared() string {
	if why := t.notATask(); why != "" {
		return why
	}
	return t.ofExtension()
}

// askUndeclared makes the requests about the selected task that change nothing, without the
// declaration that each of them needs.
func (t *Tasks) askUndeclared() tea.Cmd {
	r, _ := t.target()
	get := mcp.TaskParams(r.Task.ID)
	update := slices.Concat(get[:len(get)-1], []byte(`,"inputResponses":{}}`))
	for _, ask := range []struct {
		method string
		params []byte
	}{{"tasks/get", get}, {"tasks/update", update}} {
		if _, err := t.host.Do(session.StartCall{Spec: session.CallSpec{Method: ask.method, Params: ask.params, Undeclared: true}}); err != nil {
			return t.host.Say(panel.Error(err))
		}
	}
	return t.host.Say(panel.Said("asking without the declaration: the server must refuse both requests"))
}
