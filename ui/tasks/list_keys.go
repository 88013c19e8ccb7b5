package tasks

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/task"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/row"
	"belay/ui/scope"
)

// ListBindings are the keys of the list.
func ListBindings() []keymap.Binding[*List] {
	const group = "In the list of tasks"
	return []keymap.Binding[*List]{
		{
			Name: "take the task", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "look at")),
			Group: group, Where: scope.Tasks, Footer: 1, Shy: true,
			Help: "go to the call of the task; one of another run or connection is picked up: polled until it ends, and its result fetched", Disabled: (*List).empty,
			Run: keymap.Cmd((*List).take),
		},
		{
			Name: "cancel the listed task", Key: key.NewBinding(key.WithKeys("x"), key.WithHelp("", "cancel task")),
			Group: group, Where: scope.Tasks, Footer: 2, Shy: true,
			Help: "cancel the task; one of another run is picked up for that", Disabled: (*List).noCancel, Run: keymap.Cmd((*List).cancel),
		},
		{
			Name: "wait no more for the listed task", Key: key.NewBinding(key.WithKeys("d"), key.WithHelp("", "stop waiting")),
			Group: group, Where: scope.Tasks, Footer: 4, Shy: true,
			Help: "stop waiting for the task, which goes on at the server", Disabled: (*List).noneWaited, Run: keymap.Cmd((*List).detach),
		},
		{
			Name: "forget the listed task", Key: key.NewBinding(key.WithKeys("f"), key.WithHelp("", "forget")),
			Group: group, Where: scope.Tasks, Footer: 6, Shy: true,
			Help: "forget the task: belay asks for it no more, and keeps its ID nowhere; it goes on at the server", Disabled: (*List).noForgetting, Run: keymap.Cmd((*List).forget),
		},
		{
			Name: "more tasks", Key: key.NewBinding(key.WithKeys("m"), key.WithHelp("", "more")), Group: group, Where: scope.Tasks, Footer: 5, Shy: true,
			Help: "load the next page of the server's list", Disabled: (*List).noMore, Run: keymap.Cmd(func(l *List) tea.Cmd { return l.fetch(true) }),
		},
		{
			Name: "tasks anew", Key: key.NewBinding(key.WithKeys("r"), key.WithHelp("", "refresh")), Group: group, Where: scope.Tasks, Footer: 3, Shy: true,
			Help: "ask for the server's list from its first page, and poll the tasks of this run that go on", Disabled: (*List).nothingToRefresh, Run: keymap.Cmd((*List).refresh),
		},
		{
			Name: "task below", Key: key.NewBinding(key.WithKeys("j", "down"), key.WithHelp("j ↓", "")), Group: group, Where: scope.Tasks,
			Help: "one down", Run: keymap.Do(func(l *List) { l.move(1) }),
		},
		{
			Name: "task above", Key: key.NewBinding(key.WithKeys("k", "up"), key.WithHelp("k ↑", "")), Group: group, Where: scope.Tasks,
			Help: "one up", Run: keymap.Do(func(l *List) { l.move(-1) }),
		},
		{
			Name: "top of tasks", Key: key.NewBinding(key.WithKeys("g", "home")), Group: group, Where: scope.Tasks,
			Help: "to the top", Run: keymap.Do(func(l *List) { l.move(-len(l.all)) }),
		},
		{
			Name: "bottom of tasks", Key: key.NewBinding(key.WithKeys("G", "end")), Group: group, Where: scope.Tasks,
			Help: "to the bottom", Run: keymap.Do(func(l *List) { l.move(len(l.all)) }),
		},
		{
			Name: "page of tasks down", Key: key.NewBinding(key.WithKeys("ctrl+d", "pgdown")), Group: group, Where: scope.Tasks,
			Help: "a page down", Run: keymap.Do(func(l *List) { l.move(max(1, l.height-1)) }),
		},
		{
			Name: "page of tasks up", Key: key.NewBinding(key.WithKeys("ctrl+u", "pgup")), Group: group, Where: scope.Tasks,
			Help: "a page up", Run: keymap.Do(func(l *List) { l.move(-max(1, l.height-1)) }),
		},
	}
}

func (l *List) empty() string {
	if _, ok := l.current(); !ok {
		return "there is no task"
	}
	return ""
}

// rowOf is the row of an entry, as it is now.
func (l *List) rowOf(e entry) (r session.Row, ok bool) {
	if e.row != nil {
		l.t.host.View(func(s *session.Session) { r, ok = s.Row(e.row.Call) })
	}
	return r, ok
}

// take goes to the row of the task, or picks up one that has none.
func (l *List) take() tea.Cmd {
	e, _ := l.current()
	l.t.host.Pop(l)
	if r, ok := l.rowOf(e); ok && !e.row.Adrift {
		return l.t.host.Want(panel.Choose{Call: r.ID})
	}
	return l.t.watch(e.id, false)
}

func (l *List) noCancel() string {
	e, ok := l.current()
	switch {
	case !ok:
		return "there is no task"
	case e.goesOnSince():
		return "the server said before that the task is " + e.row.Task.Status.String() + ": :task and its ID follows it anew"
	case e.hasEnded():
		return "the task has ended"
	case e.row != nil && e.row.Task.Unknown && e.listed == nil, e.row == nil && e.listed != nil && isOver(e.listed.End):
		return "the server does not know the task any more"
	case e.row != nil && (e.row.State == session.Cancelling || e.row.Task.CancelsAgain):
		return "the task is being cancelled already"
	case LacksCancel(l.t.host.Screen().Status):
		return WaitsOnly
	case e.row != nil && e.row.Task.CancelSentBy != "":
		return SentBy(e.row.Task.CancelSentBy)
	case e.row != nil && e.row.Task.CancelAnswered:
		return "the server has answered the cancel of the task: it is sent once"
	case e.row != nil && e.row.Task.CancelRead:
		return "the cancel of the task was delivered, and not answered: it is sent once"
	}
	if r, ok := l.rowOf(e); ok && row.IsCancelInPipe(r) {
		return InPipe
	}
	return ""
}

// hasEnded reports whether the task has ended, by what belay was told or by the list. An end that was told of an
// earlier task of the same ID is none of one that belay follows.
func (e *entry) hasEnded() bool {
	isFollowed := e.row != nil && (!e.row.State.IsTerminal() || e.row.Task.GoesOn)
	switch {
	case e.row != nil && e.row.Task.Status.IsTerminal():
		return true
	case e.listed == nil || isFollowed:
		return false
	}
	return e.listed.Past.IsTerminal() || hasEnded(e.listed.Status) && (e.row == nil || e.row.Task.End == task.Left)
}

// goesOnSince reports whether the task goes on by what the server told last, although it had told an end before.
func (e *entry) goesOnSince() bool {
	return e.row != nil && e.row.Task.Status.IsTerminal() && (e.row.Task.GoesOnSince || e.isListedOtherwise() && !hasEnded(e.listed.Status))
}

// isListedOtherwise reports whether the server lists another status than the end that it had told of the task of a row.
func (e *entry) isListedOtherwise() bool {
	t := &e.row.Task
	return e.listed != nil && t.Status.IsTerminal() && task.ParseStatus(e.listed.Status) != t.Status && e.listed.Told.After(t.Seen)
}

// LacksCancel reports whether the server declares no way to cancel a task: in the extension
// there always is one.
func LacksCancel(s *session.Status) bool {
	return s != nil && s.Phase == session.Ready && !s.Revision.IsModern() && !s.Server.Has.TaskCancels
}

// cancel cancels the task of a row that is in flight; any other is picked up for that.
func (l *List) cancel() tea.Cmd {
	e, _ := l.current()
	if r, ok := l.rowOf(e); ok && r.IsInFlight() {
		return l.t.host.Want(panel.Cancel{Row: r})
	}
	l.t.host.Pop(l)
	if r, ok := l.rowOf(e); ok && row.MayCancelAgain(r) {
		return l.t.CancelAgain(r)
	}
	return l.t.watch(e.id, true)
}

func (l *List) noneWaited() string {
	e, _ := l.current()
	if r, ok := l.rowOf(e); !ok || !r.IsInFlight() && !r.Task.GoesOn {
		return "the task is not waited for"
	}
	return ""
}

func (l *List) detach() tea.Cmd {
	e, _ := l.current()
	r, _ := l.rowOf(e)
	return l.t.leave(r)
}

func (l *List) noForgetting() string {
	e, ok := l.current()
	switch {
	case !ok:
		return "there is no task"
	case e.listed != nil && e.row == nil && e.kept == nil:
		return "it is the server that lists the task: belay knows nothing of it"
	}
	return ""
}

// forget has belay know no more of the task than what stands in the rows of the past.
func (l *List) forget() tea.Cmd {
	e, _ := l.current()
	if _, err := l.t.host.Do(session.ForgetTask{ID: e.id}); err != nil {
		return l.t.host.Say(panel.Error(err))
	}
	if e.row != nil && (e.row.Task.Status.IsTerminal() || isOver(e.row.Task.End)) {
		return l.t.host.Say(panel.Said("forgotten: belay asks for the task no more"))
	}
	return l.t.host.Say(panel.Said("forgotten: the task goes on at the server, and belay asks for it no more"))
}

func (l *List) noMore() string {
	s := l.t.host.Screen().Status
	if why := l.noList(s); why != "" {
		return string(why)
	}
	if s.TaskList.Loading {
		return isAsked
	}
	if !s.TaskList.More {
		return "there is no further page"
	}
	return ""
}

// isAsked says that a page of the server's list is out, beside which there is no other.
const isAsked = "tasks/list is asked already"

// nothingToRefresh says why the list is not asked for anew, and no task is polled.
func (l *List) nothingToRefresh() string {
	if s := l.t.host.Screen().Status; l.noList(s) != "" || !s.TaskList.Loading {
		return ""
	}
	for _, e := range l.all {
		if r, ok := l.rowOf(e); ok && (r.IsInFlight() || r.Task.GoesOn) {
			return ""
		}
	}
	return isAsked
}

// refresh asks for the list anew, and for each task of this run that goes on.
func (l *List) refresh() tea.Cmd {
	s := l.t.host.Screen().Status
	polled, waited := 0, 0
	for _, e := range l.all {
		if r, ok := l.rowOf(e); ok && (r.IsInFlight() || r.Task.GoesOn) {
			waited++
			if _, err := l.t.host.Do(session.PollTask{Call: r.ID}); err == nil {
				polled++
			}
		}
	}
	why := l.noList(s)
	switch {
	case why == "" && !s.TaskList.Loading:
		return l.fetch(false)
	case why == "" && polled == 0:
		return l.t.host.Say(panel.Refused(isAsked))
	case waited == 0:
		noList, _, _ := strings.Cut(string(why), ":")
		if len(l.all) > 0 {
			noList += ": enter asks for one"
		}
		return l.t.host.Say(panel.Refused("no task is waited for · " + safe.Text(noList)))
	case polled == 0:
		return l.t.host.Say(panel.Refused("of the tasks that are waited for there is nothing to ask now"))
	}
	return l.t.host.Say(panel.Said(safe.Text("asking for the tasks that go on")))
}
