package report

import (
	"regexp"
	"sync"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/cancel"
	"belay/session/mcp"
)

// level is a word by which the specification demands something.
var level = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\b`)
})

// ruleOf is what the specification of a connection's revision says to a verdict.
func ruleOf(v cancel.Verdict, rev mcp.Revision) Rule {
	c := wording.CiteIn(v, rev)
	r := Rule{Revision: c.Revision, Page: safe.Line(c.Page), Level: safe.Text(level().FindString(c.Rule)), Text: safe.Line(c.Rule)}
	if c.Page != wording.TasksExtension {
		r.Address = "https://modelcontextprotocol.io/specification/" + string(c.Revision) + "/" + c.Page
	}
	return r
}
