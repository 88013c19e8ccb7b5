package compose

import (
	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/item"
	"belay/ui/panel"

	tea "charm.land/bubbletea/v2"
)

// taskChoice is whether the call of a form can be made as a task.
type taskChoice struct {
	decides bool      // the server may run any call as a task, unasked
	shown   bool      // there is something to choose, or to say
	forced  bool      // the tool runs as a task only
	why     safe.Text // why the switch does not move; empty: it does
}

// taskChoiceOf is the choice for what is called. A tool that does not run as a task has none, and
// since 2026-07-28 the server decides (TSK-03, TSK-07, TSK-08, TSK-10; basic/utilities/tasks).
func taskChoiceOf(it *mcp.Item, s *session.Status) (t taskChoice) {
	words, odd := item.Task(it, s)
	switch {
	case words == "" && s.Revision.IsModern():
		t.decides = s.HasTasks()
	case words == "":
	case odd:
		t = taskChoice{shown: true, why: "the server takes no calls as tasks"}
	case it.NeedsTask:
		t = taskChoice{shown: true, forced: true, why: "the tool runs as a task only"}
	default:
		t.shown = true
	}
	return t
}

// isTask reports whether the call of the form is made as a task, or may become one.
func (f *Form) isTask() bool {
	return f.task.forced || f.task.decides || f.opts[optTask].String() == "on"
}

// optCount is how many options the form has: those of tasks are the last.
func (f *Form) optCount() int {
	switch {
	case !f.task.shown:
		return optTask
	case f.task.why != "" && !f.task.forced:
		return optTTL
	}
	return numOptions
}

// switchKey takes the keys of the switch, and says false for any other key or option. One
// that does not move says why.
func (f *Form) switchKey(k tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	line := &f.opts[optTask]
	switch {
	case f.opt != optTask:
		return nil, false
	case f.task.why != "":
		return f.c.host.Say(panel.Refused(f.task.why)), true
	case k.String() != "space":
		return nil, false
	case line.String() == "on":
		line.Set("")
	default:
		line.Set("on")
	}
	f.judgeOptions()
	return nil, true
}
