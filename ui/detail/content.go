package detail

import (
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/row"
	"belay/ui/timeline"
	"belay/ui/wire"
	"belay/ui/write"
)

// content is what the document of a call is written from. Nothing of it changes: the
// rest of a long document is written beside the screen.
type content struct {
	call      session.Detail
	tab       Tab
	entries   []session.Entry
	asks      []session.QuestionID   // the questions that may be for its sake
	questions []session.QuestionView // all of them
	reading   reading
	words     row.Words
	status    *session.Status
	view      func(f func(*session.Session))
	line      func(e *session.Entry) wire.Line
}

// waiting are the questions that wait for the user, oldest first.
func (c *content) waiting() []session.QuestionView {
	var w []session.QuestionView
	for _, p := range c.questions {
		if p.State == session.Waiting {
			w = append(w, p)
		}
	}
	return w
}

// parts are what a result consists of, and false while it is being read.
func (c *content) parts(raw []byte) (mcp.ResultParts, bool) { return c.reading.of(raw) }

// write writes the tab of the call that is shown.
func (c *content) write(d *write.Writer) {
	switch c.tab {
	case tabCall, tabAuto, tabEnd:
		c.callTab(d)
	case tabResult:
		c.resultTab(d)
	case tabTimeline:
		s := c.words.State(c.call.Row)
		timeline.Write(d.Doc, &c.call, doc.Span{Text: s.Text(true), Style: s.Style.Bold()}, d.Looks)
	case tabWire:
		c.wireTab(d)
	}
}
