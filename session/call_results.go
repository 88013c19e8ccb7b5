package session

import (
	"bytes"
	"fmt"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// MaxCompletions is how many values a completion may have (SRV-55).
const MaxCompletions = 100

// results bounds the bytes of the answers that rows keep for the detail pane:
// half of what the history may hold. The oldest go first; their rows then say
// how much is gone.
type results struct {
	*log
	limit int // in bytes
	held  []keptResult
	bytes int

	unjudged []*call // whose structured content is still to be checked
}

// keptResult is an answer of n bytes that is kept. A call has one at most: a result
// or an error, in time or late.
type keptResult struct {
	c *call
	n int
}

// keepResult takes the result of a frame into the keeping of a row.
func (r *results) keepResult(c *call, f *mcp.Frame) []byte {
	raw := copyPart(f, f.Result)
	r.count(c, len(raw))
	return raw
}

// keepError does so with an error.
func (r *results) keepError(c *call, f *mcp.Frame) *mcp.RPCError {
	e := f.Error
	e.CodeRaw = bytes.Clone(e.CodeRaw[:min(len(e.CodeRaw), sentence.Limit)])
	e.Data = copyPart(f, e.Data)
	r.count(c, len(e.Message)+len(e.Data))
	return &e
}

// count counts an answer that is kept, and makes room for it.
func (r *results) count(c *call, n int) {
	r.held = append(r.held, keptResult{c, n})
	r.bytes += n
	for len(r.held) > 1 && (r.held[0].c.swept || r.bytes > r.limit) {
		r.bytes -= r.held[0].n
		r.held[0].c.forgetResult()
		r.unjudge(r.held[0].c, "the result is no longer kept")
		r.held[0] = keptResult{}
		r.held = r.held[1:]
	}
}

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

// checkContent tells what is wrong with what a tool, a prompt or a resource
// brought. It is shown all the same (SRV-06).
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
	if c.Method == "resources/read" && f.Shape.Members[mcp.MemContents] == '[' && rawjson.Count(rawjson.At(f.Result, "contents")) == 0 {
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
	r.diagnose(mcp.DiagResultShape, c.id, "", detail)
}
