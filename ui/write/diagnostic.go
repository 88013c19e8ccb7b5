package write

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/remedy"
)

// Diagnostic writes what a server does wrong.
func (w *Writer) Diagnostic(g *session.Diagnostic) {
	text := remedy.With(safe.LineN(g.Describe(), 400), remedy.Left(g.Remedy(), w.Recorded))
	if g.Count > 1 {
		text += " · " + wording.Thousands(g.Count) + " times"
	}
	if g.Mixed {
		text += ", this one first"
	}
	w.Add(2, doc.Span{Text: w.Glyphs.Bullet + " ", Style: w.Styles.Warn}, doc.Span{Text: text, Style: w.Styles.Text})
}

// Citation names the rule that a diagnostic rests on.
func (w *Writer) Citation(g *session.Diagnostic, rev mcp.Revision) {
	if c := g.Cite(rev); c.Page != "" {
		w.Add(4, doc.Span{Text: "  " + safe.LineN(string(c.Revision)+" · "+c.Page+" · "+c.Rule, 300), Style: w.Styles.Muted})
	}
}
