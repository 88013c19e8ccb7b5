package session

import (
	"strings"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
	"belay/session/task"
)

// taskWish is what the parameters of a call say of a task.
type taskWish struct {
	params Bytes
	wishes bool   // they ask for one
	says   string // what to tell of the change of them; empty: nothing
}

// wishOf returns the parameters of a call with the member task, or without it. The member belongs
// to revision 2025-11-25, to servers that declare such calls and to tools that list their support
// (TSK-02, TSK-07, TSK-08, TSK-10, TEX-53; basic/utilities/tasks, extensions/tasks). Parameters
// written by hand stay as they are.
func (h *handles) wishOf(spec *CallSpec) taskWish {
	wish := taskWish{params: spec.Params}
	has := rawjson.Kind(rawjson.At(spec.Params, "task")) == '{'
	tool := targetOf(spec.Method, spec.Params)
	needs := h.catalog.tasks[tool] && h.conn.takesTaskCalls()
	why := h.conn.noTaskWish()
	if why == "" && h.catalog.forbidsTask(tool) {
		why = "the tool is not listed as one that takes it"
	}
	switch {
	case strings.HasPrefix(spec.Method, "tasks/") && !knownTaskMethods[spec.Method]:
		wish.says = sentence.Name(spec.Method) + " is a method that the extension of tasks reserves: a server need not know it"
	case spec.Method != methodCallTool:
	case spec.Raw && has && why != "":
		wish.wishes, wish.says = true, "sent with the wish to run as a task, as you wrote it, although "+why
	case spec.Raw || !spec.AsTask && !has && !needs:
		wish.wishes = has
	case why != "":
		wish.params = rawjson.Without(spec.Params, "task")
		wish.says = "sent without the wish to run as a task: " + why
	case spec.AsTask || needs && !has:
		params := spec.Params
		if params == nil {
			params = []byte("{}")
		}
		wish.params, wish.wishes = mcp.AppendTask(nil, params, spec.TTL), true
		if !spec.AsTask {
			wish.says = "called as a task, as the tool requires"
		}
	default:
		wish.wishes = has
	}
	return wish
}

// knownTaskMethods are the methods that one of the two protocols has; all others of the name are
// reserved (TEX-58; extensions/tasks).
var knownTaskMethods = map[string]bool{
	task.Get.Method(): true, task.Result.Method(): true, task.Cancel.Method(): true, methodTaskList: true, methodTaskUpdate: true,
}

// takesTaskCalls reports whether the server declares that it runs calls of tools as tasks where
// the client wishes so, which is 2025-11-25 only (TSK-02; basic/utilities/tasks).
func (n *connection) takesTaskCalls() bool {
	return n.rev == mcp.Rev20251125 && n.server.Has.TaskCalls
}

// forbidsTask reports whether the list of the tools has come, and says of none of that name
// that it runs as a task.
func (g *catalog) forbidsTask(tool string) bool {
	_, takes := g.tasks[tool]
	return !takes && !g.lists[mcp.Tools].Fetched.IsZero()
}

// noTaskWish says why no call on the connection may wish to run as a task; empty: it may, or
// the revision is not known yet.
func (n *connection) noTaskWish() string {
	switch {
	case n.rev.IsModern():
		return "this revision has none, the server decides"
	case n.rev != "" && n.rev != mcp.Rev20251125:
		return "revision " + string(n.rev) + " has no tasks"
	case n.phase == Ready && !n.server.Has.TaskCalls:
		return "the server does not declare tasks.requests.tools.call"
	}
	return ""
}

// requiredTaskWords says why the call of a tool that must run as a task could not do so.
func (h *handles) requiredTaskWords() string {
	lacks := "the server declares no tasks"
	if h.conn.server.Has.Tasks {
		lacks = "the server does not declare tasks.requests.tools.call"
	}
	return "the tool is marked as required to run as a task, and " + lacks
}

// refusedTask says what an error may mean for a call of a tool that was made as a task, or was not
// (TSK-11, TSK-12, TSK-13; basic/utilities/tasks); the zero note: nothing of the kind.
func (h *handles) refusedTask(c *call, code int64) rowNote {
	unknown, invalid := code == mcp.CodeMethodNotFound, code == mcp.CodeInvalidRequest
	name := sentence.Name(c.target)
	switch {
	case c.Method != methodCallTool || c.task() != nil || !unknown && !invalid:
	case h.conn.isAugmented(c) && unknown:
		return saying(name + " does not run as a task, by this error; or the server does not know tools/call")
	case h.conn.rev == mcp.Rev20251125 && !h.conn.takesTaskCalls() && unknown && h.catalog.tasks[c.target]:
		return saying(h.requiredTaskWords())
	case c.wishesTask || !h.conn.takesTaskCalls() || h.catalog.forbidsTask(c.target):
	case unknown:
		return advising(name+" must run as a task, by this error; or the server does not know tools/call", Remedy{Kind: RemedyAsTask})
	default:
		return advising("the server may take the call as a task only", Remedy{Kind: RemedyAsTask})
	}
	return rowNote{}
}
