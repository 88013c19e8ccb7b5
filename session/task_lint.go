package session

import (
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
	"belay/session/task"
)

// checkTaskAnswer tells what the handle of a task, or the answer to a request about one, lacks or
// has too much of in the modern era (TEX-08, TEX-09, TEX-22; extensions/tasks).
func (l *lint) checkTaskAnswer(c *call, f *mcp.Frame) {
	if l.conn.taskProtocol() != task.Extension {
		return
	}
	if c.about != nil && f.Shape.ResultType == mcp.ResultTask {
		l.diagnose(mcp.DiagResultType, c.shownAs(), c.Method, "resultType task in the answer to "+sentence.Name(c.Method)+", which is read as complete")
		return
	}
	if f.Shape.ResultType == mcp.ResultTask {
		return
	}
	if c.Method == task.Cancel.Method() || c.Method == methodTaskUpdate {
		l.checkAcknowledgement(c.shownAs(), c.Method, f)
	}
	l.checkModern(c, f)
}

// checkAcknowledgement tells what the answer to tasks/cancel or tasks/update holds, which should be empty
// (TEX-33, TEX-38; extensions/tasks).
func (l *lint) checkAcknowledgement(row CallID, method string, f *mcp.Frame) {
	if f.Kind != mcp.FrameResult || f.Shape.Kind != '{' {
		return
	}
	if f.Extra != nil {
		member := rawjson.Name(f.Extra[:min(len(f.Extra), 2*sentence.LongestName)])
		l.diagnose(mcp.DiagTaskAck, row, method, "the answer to "+sentence.Name(method)+" has "+sentence.Name(member))
	}
}

// judgeUndeclared says of an answer whether the server refuses a request about a task for want of
// the extension, which is the duty of servers (TEX-49; extensions/tasks).
func (t *tasks) judgeUndeclared(c *call, f *mcp.Frame) rowNote {
	if t.conn.taskProtocol() != task.Extension {
		return rowNote{}
	}
	if f.Kind == mcp.FrameError && f.Error.Code == mcp.CodeMissingCapability {
		return saying("as it must be: the request did not declare the extension of tasks, and is refused")
	}
	did := "it was served"
	if f.Kind == mcp.FrameError {
		did = "error " + f.Error.CodeWords()
	}
	t.diagnose(mcp.DiagTaskLax, c.id, c.Method, c.Method+": "+did)
	return saying("the request did not declare the extension of tasks, and had to be refused with -32021: " + did)
}

// taskProblems tells what is wrong with what a message says of a task.
func (l *lint) taskProblems(k *runningTask, found []mcp.Problem) {
	for _, p := range found {
		l.diagnose(p.Code, k.row.id, p.Detail, p.Detail)
	}
}
