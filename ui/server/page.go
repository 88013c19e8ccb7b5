package server

import (
	"strings"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/item"
	"belay/ui/panel"
	"belay/ui/remedy"
	"belay/ui/write"
)

// Backend is what the page of the server asks beside the session.
type Backend interface {
	Command() Start
	ProcessLine() string
	Unrecorded() string
}

// instructionsMost is how many rows the server's instructions have before what else there
// is to know of it.
const instructionsMost = 20

// page is what the page of the server is written from.
type page struct {
	backend Backend
	minds   []string
	ascii   bool
	on      panel.Screen
	more    int // bytes of the instructions that are left to the end
}

// Open shows the server's name, capabilities and lists. Every word of the server's stands behind a
// mark (VER-19; basic/lifecycle). Minds are what the user must not miss.
func Open(h panel.Host, b Backend, minds []string, ascii bool) {
	var c session.CatalogView
	var diags []session.Diagnostic
	known := !h.Screen().Status.ReadyAt.IsZero()
	h.View(func(s *session.Session) {
		c, diags = s.Catalog(), s.Diagnostics() // as they are; what is old is fetched for the next look
	})
	_, _ = h.Do(session.Look{}) // which is never refused
	link := Link{Status: h.Screen().Status, Entry: b.Command().Entry}
	h.Push(&dialog.Page{
		Host: h, Title: link.Titled("Server", titleMost), Name: "server.txt",
		Build: func(d *write.Writer, on panel.Screen) {
			p := &page{backend: b, minds: minds, ascii: ascii, on: on}
			p.warnings(d, diags)
			p.identity(d, known)
			if known {
				p.catalog(d, &c)
			}
			if p.more > 0 {
				d.Heading("all of the instructions, in the server's words")
				d.Quote(on.Status.Server.Instructions)
			}
		},
	})
}

// Minds writes what the user must not miss.
func Minds(d *write.Writer, minds []string) {
	for _, mind := range minds {
		d.Add(2, doc.Span{Text: "! " + safe.LineN(mind, 400), Style: d.Styles.Bad})
	}
}

func (p *page) identity(d *write.Writer, known bool) {
	s, st := p.on.Status, d.Styles
	start := p.backend.Command()
	if start.Entry != "" {
		d.Field("entry", wording.NameIn(start.Entry, selfMost), st.Text)
	}
	d.Field("name", quotedOrNone(s.Server.Name), st.Text)
	if s.Server.Title != "" {
		d.Field("title", safe.QuotedCut(s.Server.Title, selfMost), st.Text)
	}
	d.Field("version", quotedOrNone(s.Server.Version), st.Text)
	if s.Server.Claimed {
		d.Field("", "as its answers claim; nothing depends on it", st.Muted)
	}
	d.Field("protocol", Link{Status: p.on.Status, Now: p.on.Now, ASCII: p.ascii}.Words(true), st.Text)
	if s.StartsWords != "" {
		d.Field("", safe.LineN(s.StartsWords, 2000), st.Muted)
	}
	how, reached := safe.Text("command"), safe.Text("process")
	if s.Transport == mcp.HTTP {
		how, reached = "address", "connection"
		d.Field("transport", transportName(s), st.Text)
	}
	if p.on.Recorded { // of which the file alone is known: no server runs
		how, reached = "recording", ""
	}
	d.Field(how, write.OrNone(safe.LineN(strings.Join(start.Argv, " "), 2000)), st.Text)
	if start.Dir != "" {
		d.Field("directory", safe.LineN(start.Dir, 1000), st.Text)
	}
	if reached != "" {
		d.Field(reached, write.OrNone(safe.Line(p.backend.ProcessLine())), st.Text)
	}
	if ids := IDs(s); ids != "" {
		d.Field("IDs", "from "+wording.Thousands(int(s.FirstID))+" on: "+ids, st.Text)
	}
	d.Field("messages", wording.Thousands(int(s.Received))+" received", st.Text)
	if s.RoundTrip > 0 {
		d.Field("round trip", wording.Lag(s.RoundTrip)+" at best; up to "+wording.Lag(s.Bound)+" after a cancel an answer may have been on its way", st.Text)
	}
	if s.Server.Instructions != "" {
		d.Heading("instructions, in the server's words")
		if p.more = d.QuoteHead(s.Server.Instructions, instructionsMost); p.more > 0 {
			d.Add(0, doc.Span{Text: wording.Size(p.more) + " more: all of them are at the end of this page", Style: st.Muted})
		}
	}
	d.Heading("capabilities")
	switch {
	case !known:
		words := safe.Text("not known yet: these, and what it offers, come with the connection")
		if p.on.Recorded {
			words = "not known at this place of the recording: the server had not connected"
		}
		d.Add(0, doc.Span{Text: words, Style: st.Muted})
		return
	case s.Server.Unsaid:
		d.Add(0, doc.Span{Text: "the server never said: server/discover brought nothing. Its lists are asked for all the same", Style: st.Muted})
		return
	case len(s.Server.Capabilities) == 0:
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
		return
	}
	d.JSON(s.Server.Capabilities)
	switch has := s.Server.Has; {
	case s.Revision.IsModern() && has.Tasks:
		d.Add(0, doc.Span{Text: "the capability tasks belongs to 2025-11-25 and means nothing in this revision, which has the extension: belay leaves it aside", Style: st.Warn})
	case s.Revision.IsModern() && has.TaskExtension:
		text := safe.Text("tasks: whether a call goes on as one is up to the server")
		if !p.on.Recorded {
			text += "; x then cancels the task"
		}
		d.Add(0, doc.Span{Text: text, Style: st.Muted})
	case s.Revision == mcp.Rev20251125 && has.Tasks && !has.TaskCalls:
		d.Add(0, doc.Span{Text: "tasks, but not for calls of tools: belay makes none as a task", Style: st.Warn})
	}
	if s.Server.Has.Logging && s.Revision.IsModern() {
		text := "logging is deprecated since " + safe.Text(mcp.Rev20260728)
		if !p.on.Recorded {
			text += ": :log is there to test it"
		}
		d.Add(0, doc.Span{Text: text, Style: st.Warn})
	}
}

// transportName is what the specification calls the transport over HTTP.
func transportName(s *session.Status) safe.Text {
	if s.SSE {
		return "HTTP+SSE, which is deprecated: one stream, and an endpoint for messages"
	}
	return "Streamable HTTP"
}

// titleMost is how wide the title of the page is at most.
const titleMost = 60

// selfMost is how many columns of what a server says that it is are shown.
const selfMost = 200

func quotedOrNone(s string) safe.Text {
	if s == "" {
		return "-"
	}
	return safe.QuotedCut(s, selfMost)
}

// warnings begins the page with what the header points here for: what the user must not miss,
// and what the server does wrong, each with its rule.
func (p *page) warnings(d *write.Writer, diags []session.Diagnostic) {
	s, st := p.on.Status, d.Styles
	if !s.Unreachable.IsZero() {
		d.Field("unreachable", "since "+wording.Clock(s.Unreachable)+": "+safe.LineN(s.Unreached, 400), st.Bad)
	}
	if unrecorded := p.backend.Unrecorded(); unrecorded != "" {
		d.Add(2, doc.Span{Text: safe.LineN(unrecorded, 400), Style: st.Bad})
	}
	Minds(d, p.minds)
	if len(diags) > 0 {
		d.Heading("diagnostics")
	}
	for i := range diags {
		d.Diagnostic(&diags[i])
		d.Citation(&diags[i], p.on.Status.Revision)
	}
	if len(d.Lines) > 0 {
		d.Heading("the server")
	}
}

func (p *page) catalog(d *write.Writer, c *session.CatalogView) {
	for k := range c.Lists {
		l := &c.Lists[k]
		d.Heading(safe.Text(mcp.ListKind(k).String()) + " · " + p.listState(l))
		if l.Problem != "" {
			d.Add(2, doc.Span{Text: remedy.With(safe.LineN(l.Problem, 400), remedy.Left(l.Remedy, p.on.Recorded)), Style: d.Styles.Warn})
		}
		for i := range l.Items {
			if d.IsCut() {
				return
			}
			item.Write(d, &l.Items[i], p.on.Status)
		}
		more := l.More()
		for i := range more {
			item.Write(d, &more[i], p.on.Status)
		}
		excluded(d, l)
	}
}

// excluded lists the tools that must not be called, each with the reason (HTM-34;
// basic/transports/streamable-http).
func excluded(d *write.Writer, l *session.ListView) {
	if len(l.Excluded) == 0 {
		return
	}
	d.Heading("tools that are left out · " + wording.Thousands(len(l.Excluded)))
	for i := range l.Excluded {
		if d.IsCut() {
			return
		}
		it := &l.Excluded[i]
		d.Add(2, doc.Span{Text: wording.NameIn(it.Name, 200), Style: d.Styles.Muted}, doc.Span{Text: " · " + safe.LineN(it.Unfit, 400), Style: d.Styles.Warn})
	}
	d.Blank()
}

func (p *page) listState(l *session.ListView) safe.Text {
	switch {
	case !l.Declared && !l.Loading && !l.Complete && l.Problem == "":
		return "not offered"
	case l.Loading && p.on.Recorded:
		return wording.Thousands(len(l.Coming)) + " had come, the rest was being fetched"
	case l.Loading && len(l.Coming) > 0:
		return wording.Thousands(len(l.Coming)) + " came, the rest is being fetched" + p.on.Glyphs.Dots
	case l.Loading:
		return "being fetched" + p.on.Glyphs.Dots
	}
	t := wording.Thousands(len(l.Items))
	switch {
	case p.on.Recorded && l.Stale:
		t += ", stale: it could not be fetched again"
	case l.Stale:
		t += ", stale: " + wording.Duration(p.on.Now.Sub(l.Fetched)) + " old, and it could not be fetched again"
	case !l.Complete:
		t += ", incomplete"
	case p.on.Recorded: // nothing is fetched: how old it has grown tells nothing
	default:
		t += listAge(p.on.Now, l)
	}
	if !l.Declared {
		t += " · not declared"
	}
	if l.ByHand && !l.Ages && !p.on.Recorded {
		t += " · refreshed by hand: :reload"
	}
	return t
}

// listAge says how old a list is that stays fresh for a time only.
func listAge(now time.Time, l *session.ListView) safe.Text {
	if !l.Ages {
		return ""
	}
	t := " · " + wording.Duration(now.Sub(l.Fetched)) + " old, "
	if l.HasExpired(now) {
		return t + "expired, so it is fetched again"
	}
	return t + "fresh for " + wording.Duration(l.Fetched.Add(l.TTL).Sub(now))
}
