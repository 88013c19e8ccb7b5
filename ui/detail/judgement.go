package detail

import (
	"slices"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/write"
)

// wrongMost is how many things are told at once that are wrong with a result.
const wrongMost = 6

// judgementDoc says above a result what is wrong with it, and whether its
// structured content keeps to the schema of the tool.
func (c *content) judgementDoc(d *write.Writer) {
	before := len(d.Lines)
	var wrong []session.Diagnostic
	answer := c.answer()
	c.view(func(s *session.Session) { wrong = s.DiagnosticsOf(answer) })
	var schema *session.Diagnostic // which is told in its own lines
	if i := slices.IndexFunc(wrong, func(g session.Diagnostic) bool { return g.Code == mcp.DiagOutputSchema }); i >= 0 {
		one := wrong[i]
		schema, wrong = &one, slices.Delete(wrong, i, i+1)
	}
	more := len(wrong) - wrongMost
	wrong = wrong[:min(len(wrong), wrongMost)]
	for i := range wrong {
		g := &wrong[i]
		d.Diagnostic(g)
		if i+1 == len(wrong) || wrong[i+1].Code != g.Code {
			d.Citation(g, c.status.Revision)
		}
	}
	if more > 0 {
		d.Add(2, doc.Span{Text: "  and " + wording.Thousands(more) + " more, which i lists", Style: d.Styles.Muted})
	}
	c.schemaLines(d)
	if schema != nil {
		d.Citation(schema, c.status.Revision)
	}
	if len(d.Lines) > before {
		d.Blank()
	}
}

// answer is the message that brought the result, 0 when that is not known.
func (c *content) answer() session.Seq {
	for i := len(c.call.Timeline) - 1; i >= 0; i-- {
		if c.call.Timeline[i].Kind == session.MomResult {
			return c.call.Timeline[i].Entry
		}
	}
	return 0
}

// schemaLines say what came of checking the structured content (SRV-11; server/tools).
func (c *content) schemaLines(d *write.Writer) {
	st, r := d.Styles, &c.call.Schema
	switch c.call.Conformity {
	case session.NoSchema:
		return
	case session.Unjudged:
		d.Add(0, doc.Span{Text: "schema is being checked" + d.Glyphs.Dots, Style: st.Muted})
	case session.Uncheckable:
		d.Add(2, doc.Span{Text: "schema not checked: " + safe.LineN(r.NotChecked, 300), Style: st.Warn})
	case session.Conforms:
		d.Add(0, doc.Span{Text: "schema ok", Style: st.OK}, doc.Span{Text: " · by the tool's outputSchema", Style: st.Muted})
	case session.Breaks:
		n := wording.Count(len(r.Faults), "error")
		if r.More {
			n = "more than " + n
		}
		d.Add(0, doc.Span{Text: "schema " + n, Style: st.Bad}, doc.Span{Text: " · by the tool's outputSchema", Style: st.Muted})
		for _, f := range r.Faults {
			where := safe.LineN(f.Where, 200) // whose names are quoted
			if where == "" {
				where = "the whole"
			}
			d.Add(4, doc.Span{Text: "  " + where + ": ", Style: st.JSONKey}, doc.Span{Text: safe.LineN(f.Why, 300), Style: st.Text})
		}
	}
	for _, what := range r.Blind {
		d.Add(4, doc.Span{Text: "  not checked: " + safe.LineN(what, 200), Style: st.Muted})
	}
}
