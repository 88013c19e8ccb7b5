package report

import (
	"regexp"
	"sync"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/cancel"
)

// level is a word by which the specification demands something.
var level = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\b`)
})

// ruleOf is what the specification says to a verdict.
func ruleOf(v cancel.Verdict) Rule {
	c := wording.GroundsOf(v).Cite
	r := Rule{Revision: c.Revision, Page: safe.Line(c.Page), Level: safe.Text(level().FindString(c.Rule)), Text: safe.Line(c.Rule)}
	if c.Page != wording.TasksExtension {
		r.Address = "https://modelcontextprotocol.io/specification/" + string(c.Revision) + "/" + c.Page
	}
	return r
}
