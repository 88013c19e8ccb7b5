package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/sentence"
)

// MaxCompletions is how many values a completion may have (SRV-55; server/utilities/completion).
const MaxCompletions = 100

// resultMembers are the members that the result of a method must have, and of
// which JSON kind.
var resultMembers = map[string]struct {
	member mcp.Member
	kind   byte
	name   string
}{
	"tools/call":               {mcp.MemContent, '[', "content"},
	"tools/list":               {mcp.MemTools, '[', "tools"},
	"prompts/list":             {mcp.MemPrompts, '[', "prompts"},
	"prompts/get":              {mcp.MemMessages, '[', "messages"},
	"resources/list":           {mcp.MemResources, '[', "resources"},
	"resources/templates/list": {mcp.MemTemplates, '[', "resourceTemplates"},
	"resources/read":           {mcp.MemContents, '[', "contents"},
	"completion/complete":      {mcp.MemCompletion, '{', "completion"},
}

// checkContent tells what is wrong with what a tool, a prompt or a resource brought. It is shown
// all the same (SRV-06; server/tools).
func (r *results) checkContent(c *call, f *mcp.Frame, schema []byte) {
	for _, p := range f.ContentProblems(r.conn.rev) {
		r.diagnose(p.Code, c.id, p.Detail, p.Detail)
	}
	r.checkStructured(c, f, schema)
}

// checkShape diagnoses a result that is not what its method promises. Schema is that of
// the structured content of a tool; nil: it has none.
func (r *results) checkShape(c *call, f *mcp.Frame, schema []byte) {
	if f.Kind != mcp.FrameResult || r.conn.oddResult(f) != "" {
		return
	}
	if f.Shape.Kind != '{' {
		r.diagnose(mcp.DiagResultShape, c.id, "", "the result is not an object")
		return
	}
	if c.Method == "resources/read" && f.Shape.NoContents {
		r.note(c, "the contents are empty: is the resource missing, or is there nothing in it? an error says that one is missing")
	}
	if c.Method == "completion/complete" && f.Values > MaxCompletions {
		r.diagnose(mcp.DiagCompletions, 0, "", fmt.Sprintf("%d values", f.Values))
	}
	want, ok := resultMembers[c.Method]
	if !ok {
		return
	}
	r.checkContent(c, f, schema)
	if f.Shape.Members[want.member] == want.kind {
		return
	}
	detail := "no " + want.name
	if f.Shape.Members[want.member] != 0 {
		detail = want.name + " is of the wrong type"
	}
	if t := f.Task; t != nil && t.Nested && t.Task.Wrong == "" {
		detail += ", but the handle of task " + sentence.Name(t.Task.ID) + ", which was not asked for"
	}
	r.diagnose(mcp.DiagResultShape, c.id, "", detail)
}
