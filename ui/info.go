package ui

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/remedy"
	"belay/ui/write"
)

// openInfo shows the server's name, capabilities and lists. Every word of the
// server's stands behind a mark (VER-19).
func (m *Model) openInfo() {
	var c session.CatalogView
	var diags []session.Diagnostic
	known := !m.snap.status.ReadyAt.IsZero()
	m.backend.View(func(s *session.Session) {
		c, diags = s.Catalog(), s.Diagnostics() // as they are; what is old is fetched for the next look
	})
	tell(m.backend, session.Look{})
	m.push(&page{
		title: "Server", name: "server.txt",
		build: func(m *Model, d *write.Writer) {
			m.identityDoc(d, known)
			m.diagnosticsDoc(d, diags)
			if known {
				m.catalogDoc(d, &c)
			}
		},
	})
}

func (m *Model) identityDoc(d *write.Writer, known bool) {
	s, st := &m.snap.status, d.Styles
	argv, dir := m.backend.Command()
	d.Field("name", quotedOrNone(s.Server.Name), st.Text)
	if s.Server.Title != "" {
		d.Field("title", safe.QuotedCut(s.Server.Title, selfMost), st.Text)
	}
	d.Field("version", quotedOrNone(s.Server.Version), st.Text)
	if s.Server.Claimed {
		d.Field("", "as its answers claim; nothing depends on it", st.Muted)
	}
	d.Field("protocol", m.linkWords(true), st.Text)
	how, reached := safe.Text("command"), safe.Text("process")
	if s.Transport == mcp.HTTP {
		how, reached = "address", "connection"
		d.Field("transport", transportName(s), st.Text)
	}
	d.Field(how, orNone(safe.LineN(strings.Join(argv, " "), 2000)), st.Text)
	if dir != "" {
		d.Field("directory", safe.LineN(dir, 1000), st.Text)
	}
	d.Field(reached, orNone(safe.Line(m.backend.ProcessLine())), st.Text)
	if m.snap.unrecorded != "" {
		d.Field("", m.snap.unrecordedWords(), st.Bad)
	}
	m.writeMinds(d)
	d.Field("messages", wording.Thousands(int(s.Received))+" received", st.Text)
	if !s.Unreachable.IsZero() {
		d.Field("unreachable", "since "+wording.Clock(s.Unreachable)+": "+safe.LineN(s.Unreached, 400), st.Bad)
	}
	if s.RoundTrip > 0 {
		d.Field("round trip", wording.Lag(s.RoundTrip)+" at best; up to "+wording.Lag(s.Bound)+" after a cancel an answer may have been on its way", st.Text)
	}
	if s.Server.Instructions != "" {
		d.Heading("instructions, in the server's words")
		d.Quote(s.Server.Instructions)
	}
	d.Heading("capabilities")
	switch {
	case !known:
		d.Add(0, doc.Span{Text: "not known yet: these, and what it offers, come with the connection", Style: st.Muted})
		return
	case s.Server.Unsaid:
		d.Add(0, doc.Span{Text: "the server never said: it does not know server/discover. Its lists are asked for all the same", Style: st.Muted})
		return
	case len(s.Server.Capabilities) == 0:
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
		return
	}
	d.JSON(s.Server.Capabilities)
	if s.Server.Has.Logging && s.Revision.Modern() {
		d.Add(0, doc.Span{Text: "logging is deprecated since " + safe.Text(mcp.Rev20260728) + ": :log is there to test it", Style: st.Warn})
	}
}

// transportName is what the specification calls the transport over HTTP.
func transportName(s *session.Status) safe.Text {
	if s.SSE {
		return "HTTP+SSE, which is deprecated: one stream, and an endpoint for messages"
	}
	return "Streamable HTTP"
}

// selfMost is how many columns of what a server says that it is are shown.
const selfMost = 200

func quotedOrNone(s string) safe.Text {
	if s == "" {
		return "-"
	}
	return safe.QuotedCut(s, selfMost)
}

func orNone(t safe.Text) safe.Text {
	if t == "" {
		return "-"
	}
	return t
}

// diagnosticsDoc lists what the server does wrong, each with its rule.
func (m *Model) diagnosticsDoc(d *write.Writer, diags []session.Diagnostic) {
	if len(diags) == 0 {
		return
	}
	d.Heading("diagnostics")
	for i := range diags {
		diagnosticLines(d, &diags[i])
		m.citation(d, &diags[i])
	}
}

func diagnosticLines(d *write.Writer, g *session.Diagnostic) {
	text := remedy.With(safe.LineN(g.Describe(), 400), g.Remedy())
	if g.Count > 1 {
		text += " · " + wording.Thousands(g.Count) + " times"
	}
	d.Add(2, doc.Span{Text: d.Glyphs.Bullet + " ", Style: d.Styles.Warn}, doc.Span{Text: text, Style: d.Styles.Text})
}

// citation names the rule that a diagnostic rests on.
func (m *Model) citation(d *write.Writer, g *session.Diagnostic) {
	if c := g.Cite(m.snap.status.Revision); c.Page != "" {
		d.Add(4, doc.Span{Text: "  " + safe.LineN(string(c.Revision)+" · "+c.Page+" · "+c.Rule, 300), Style: d.Styles.Muted})
	}
}

func (m *Model) catalogDoc(d *write.Writer, c *session.CatalogView) {
	for k := range c.Lists {
		l := &c.Lists[k]
		d.Heading(safe.Text(mcp.ListKind(k).String()) + " · " + m.listState(l))
		if l.Problem != "" {
			d.Add(2, doc.Span{Text: remedy.With(safe.LineN(l.Problem, 400), l.Remedy), Style: d.Styles.Warn})
		}
		for i := range l.Items {
			if d.Cut() {
				return
			}
			itemDoc(d, &l.Items[i])
		}
		more := l.More()
		for i := range more {
			itemDoc(d, &more[i])
		}
		excludedDoc(d, l)
	}
}

// excludedDoc lists the tools that must not be called, each with the reason
// (HTM-34).
func excludedDoc(d *write.Writer, l *session.ListView) {
	if len(l.Excluded) == 0 {
		return
	}
	d.Heading("tools that are left out · " + wording.Thousands(len(l.Excluded)))
	for i := range l.Excluded {
		if d.Cut() {
			return
		}
		it := &l.Excluded[i]
		d.Add(2, doc.Span{Text: wording.NameIn(it.Name, 200), Style: d.Styles.Muted}, doc.Span{Text: " · " + safe.LineN(it.Unfit, 400), Style: d.Styles.Warn})
	}
	d.Blank()
}

func (m *Model) listState(l *session.ListView) safe.Text {
	switch {
	case !l.Declared && !l.Loading && !l.Complete && l.Problem == "":
		return "not offered"
	case l.Loading && len(l.Coming) > 0:
		return wording.Thousands(len(l.Coming)) + " came, the rest is being fetched" + m.glyphs.Dots
	case l.Loading:
		return "being fetched" + m.glyphs.Dots
	}
	t := wording.Thousands(len(l.Items))
	switch {
	case l.Stale:
		t += ", stale: " + wording.Duration(m.snap.now.Sub(l.Fetched)) + " old, and it could not be fetched again"
	case !l.Complete:
		t += ", incomplete"
	default:
		t += m.snap.listAge(l)
	}
	if !l.Declared {
		t += " · not declared"
	}
	if l.ByHand && !l.Ages {
		t += " · refreshed by hand: :reload"
	}
	return t
}

// freshWords write how long a result may be kept, and whose cache may hold it.
func freshWords(h *mcp.CacheHint) safe.Text {
	t := safe.Text("not at all")
	if h.TTL > 0 {
		t = "for " + safe.Text(shortDuration(h.TTL))
	}
	if h.Scope != "" {
		t += ", " + wording.NameIn(h.Scope, 40)
	}
	return t + " · in the server's words"
}

// listAge says how old a list is that stays fresh for a time only.
func (s *snapshot) listAge(l *session.ListView) safe.Text {
	if !l.Ages {
		return ""
	}
	now := s.now
	t := " · " + wording.Duration(now.Sub(l.Fetched)) + " old, "
	if l.Expired(now) {
		return t + "expired, so it is fetched again"
	}
	return t + "fresh for " + wording.Duration(l.Fetched.Add(l.TTL).Sub(now))
}

func itemDoc(d *write.Writer, it *mcp.Item) {
	st := d.Styles
	name := doc.Span{Text: wording.NameIn(it.Name, 200), Style: st.Strong}
	if it.Kind == mcp.Tools {
		d.Add(2, name)
		toolDoc(d, it)
	} else {
		d.Add(2, name, doc.Span{Text: titleWords(it), Style: st.Muted})
	}
	if it.URI != "" {
		d.Add(4, doc.Span{Text: "  " + wording.NameIn(it.URI, 600), Style: st.Info}, doc.Span{Text: " " + wording.NameIn(it.MIME, 60), Style: st.Muted})
	}
	if it.Description != "" {
		d.Quote(it.Description)
	}
	for _, a := range it.Args {
		if d.Cut() {
			return
		}
		star := safe.Text("")
		if a.Required {
			star = "*"
		}
		about := safe.Text("")
		if a.Description != "" {
			about = " " + safe.QuotedCut(a.Description, 300)
		}
		d.Add(4, doc.Span{Text: "  " + wording.NameIn(a.Name, 100) + star, Style: st.JSONKey}, doc.Span{Text: about, Style: st.Muted})
	}
	if it.Kind != mcp.Tools && len(it.Annotations) > 0 {
		d.Add(4, doc.Span{Text: "  annotations, which are hints only: ", Style: st.Muted}, doc.Span{Text: safe.BytesN(it.Annotations, 600), Style: st.Text})
	}
	if is := brokenSchema(it); is != "" {
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

// toolDoc is what else a tool is called and claimed to be, and what is wrong with
// its name.
func toolDoc(d *write.Writer, it *mcp.Item) {
	note := func(t safe.Text, style canvas.Style) {
		if t != "" {
			d.Add(4, doc.Span{Text: "  " + t, Style: style})
		}
	}
	note(namesOf(it), d.Styles.Muted)
	note(claimWords(it), d.Styles.Muted)
	if it.Twins > 0 {
		note(twinWords(it)+"which of them a call reaches is up to the server", d.Styles.Warn)
	}
	if it.NameFault != "" {
		note("its name "+safe.Text(it.NameFault), d.Styles.Warn)
	}
}

func titleWords(it *mcp.Item) safe.Text {
	if it.Title == "" || it.Title == it.Name {
		return ""
	}
	return " · " + safe.QuotedCut(it.Title, 200)
}
