package report

import (
	"regexp"
	"sync"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// level is a word by which the specification demands something.
var level = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\b`)
})

// ruleOf is what the specification of a connection's revision says to the verdict on a call, or to a status of its
// task that is none.
func ruleOf(d *session.Detail) Rule {
	c := wording.CiteIn(d.Verdict, d.Revision)
	if d.Verdict == cancel.TaskUnseen && d.Task != nil && d.Task.IsOdd {
		c = mcp.DiagTaskStatus.Cite(d.Revision)
	}
	r := Rule{Revision: c.Revision, Page: safe.Line(c.Page), Level: safe.Text(level().FindString(c.Rule)), Text: safe.Line(c.Rule)}
	if c.Page != wording.TasksExtension {
		r.Address = "https://modelcontextprotocol.io/specification/" + string(c.Revision) + "/" + c.Page
	}
	return r
}
