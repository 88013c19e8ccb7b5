// Package item has the words about what a server offers: tools, prompts, resources
// and templates. What a server claims of them proves nothing, and is shown as claimed.
package item

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/write"
)

// Task says how a tool runs as a task on this connection, and whether the server contradicts
// itself there: a tool's word counts only where the server takes calls as tasks (TSK-07;
// basic/utilities/tasks). Since 2026-07-28 tools say nothing of it, and it is empty.
func Task(it *mcp.Item, s *session.Status) (words safe.Text, odd bool) {
	words = "may run as a task"
	if it.NeedsTask {
		words = "runs as a task only"
	}
	switch {
	case !it.TakesTask || s.Revision != mcp.Rev20251125:
		return "", false
	case !s.TakesTaskCalls():
		return "says that it " + words + ", but the server takes no calls as tasks", true
	case !it.NeedsTask:
		words += " · ctrl+t in its form"
	}
	return words, false
}

// Fault returns the fault of a listed tool, or "".
func Fault(it *mcp.Item) safe.Text {
	is := BrokenSchema(it)
	switch {
	case is != "":
	case it.NameFault != "":
		is = "! its name " + safe.Text(it.NameFault)
	}
	return is
}

// Twins tell tools of one name apart.
func Twins(it *mcp.Item) safe.Text {
	if it.Twins == 0 {
		return ""
	}
	return wording.Thousands(it.Twin) + " of " + wording.Thousands(it.Twins) + " of this name · "
}

// Names are all display names of a tool, beside the name in its calls; none of them proves what
// the tool does (SRV-21; server/tools).
func Names(it *mcp.Item) safe.Text {
	if it.Title == "" || it.Title == it.Name && it.AnnTitle == "" {
		return ""
	}
	t := "title " + safe.QuotedCut(it.Title, 40)
	if it.AnnTitle != "" {
		t += " · in its annotations " + safe.QuotedCut(it.AnnTitle, 40)
	}
	return t
}

// BrokenSchema says what is wrong with the schema of a tool, or "".
func BrokenSchema(it *mcp.Item) safe.Text {
	is := it.BrokenSchema()
	if is == "" {
		return ""
	}
	return "! broken: its inputSchema is " + safe.Text(is)
}

// Kind is what things of a list are called.
func Kind(k mcp.ListKind) safe.Text {
	return [...]safe.Text{mcp.Tools: "tool", mcp.Prompts: "prompt", mcp.Resources: "resource", mcp.Templates: "template"}[k]
}

// Claims say what a server claims of a tool, and what holds by default where
// it claims nothing. Nothing of it is belay's own knowledge.
func Claims(tool *mcp.Item) safe.Text {
	h := tool.Hints()
	var said, unsaid []string
	for _, c := range []struct {
		hint     mcp.Hint
		on, off  string
		ofWrites bool // it means nothing of a tool that only reads (SRV-10; server/tools)
	}{
		{h.ReadOnly, "read-only", "writes", false},
		{h.Destructive, "destructive", "not destructive", true},
		{h.Idempotent, "idempotent", "not idempotent", true},
		{h.OpenWorld, "open world", "closed world", false},
	} {
		if c.ofWrites && h.ReadOnly.On {
			continue
		}
		word := c.off
		if c.hint.On {
			word = c.on
		}
		if c.hint.Said {
			said = append(said, word)
		} else {
			unsaid = append(unsaid, word)
		}
	}
	t := safe.Text("claims: nothing")
	if len(said) > 0 {
		t = "claims: " + safe.Text(strings.Join(said, ", "))
	}
	if len(unsaid) > 0 {
		t += " · default: " + safe.Text(strings.Join(unsaid, ", "))
	}
	return t
}

// Write writes all that a server says of a thing that it offers.
func Write(d *write.Writer, it *mcp.Item, s *session.Status) {
	st := d.Styles
	name := doc.Span{Text: wording.NameIn(it.Name, 200), Style: st.Strong}
	if it.Kind == mcp.Tools {
		d.Add(2, name)
		writeTool(d, it, s)
	} else {
		d.Add(2, name, doc.Span{Text: title(it), Style: st.Muted})
	}
	if it.URI != "" {
		d.Add(4, doc.Span{Text: "  " + wording.NameIn(it.URI, 600), Style: st.Info}, doc.Span{Text: " " + wording.NameIn(it.MIME, 60), Style: st.Muted})
	}
	if it.Description != "" {
		d.Quote(it.Description)
	}
	for _, a := range it.Args {
		if d.IsCut() {
			return
		}
		star := safe.Text("")
		if a.Required {
			star = "*"
		}
		about := safe.Text("")
		if a.Description != "" {
			about = " " + safe.QuotedCut(safe.Unbroken(a.Description, 1200), 300)
		}
		d.Add(4, doc.Span{Text: "  " + wording.NameIn(a.Name, 100) + star, Style: st.JSONKey}, doc.Span{Text: about, Style: st.Muted})
	}
	if it.Kind != mcp.Tools && len(it.Annotations) > 0 {
		d.Add(4, doc.Span{Text: "  annotations, which are hints only: ", Style: st.Muted}, doc.Span{Text: safe.BytesN(it.Annotations, 600), Style: st.Text})
	}
	if is := BrokenSchema(it); is != "" {
		d.Add(4, doc.Span{Text: "  " + is + ", which is no schema; it can be called with JSON", Style: st.Warn})
	}
	if len(it.InputSchema) > 0 {
		d.JSON(it.InputSchema)
	}
	if len(it.OutputSchema) > 0 {
		d.Add(4, doc.Span{Text: "  its structured results, as the outputSchema says:", Style: st.Muted})
		d.JSON(it.OutputSchema)
	}
	d.Blank()
}

// writeTool writes what else a tool is called and claimed to be, and what is wrong with
// its name.
func writeTool(d *write.Writer, it *mcp.Item, s *session.Status) {
	note := func(t safe.Text, style canvas.Style) {
		if t != "" {
			d.Add(4, doc.Span{Text: "  " + t, Style: style})
		}
	}
	note(Names(it), d.Styles.Muted)
	note(Claims(it), d.Styles.Muted)
	words, odd := Task(it, s)
	style := d.Styles.Muted
	if odd {
		style = d.Styles.Warn
	}
	note(words, style)
	if it.Twins > 0 {
		note(Twins(it)+"which of them a call reaches is up to the server", d.Styles.Warn)
	}
	if it.NameFault != "" {
		note("its name "+safe.Text(it.NameFault), d.Styles.Warn)
	}
}

func title(it *mcp.Item) safe.Text {
	if it.Title == "" || it.Title == it.Name {
		return ""
	}
	return " · " + safe.QuotedCut(it.Title, 200)
}
