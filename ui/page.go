package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/remedy"
	"belay/ui/wire"
	"belay/ui/write"
)

// page is a document over the panes: the help, the server, a whole message.
type page struct {
	title safe.Text
	build func(m *Model, d *write.Writer)
	value []byte // what y copies and o saves; nil: the text of the page
	name  string // of the file that o writes; empty: it writes none
	begin string // the heading that is at the top at first; empty: the first

	doc    *doc.Doc
	top    int
	height int
	search string
	hit    int
}

// pageWidth is what a page is at most wide: longer lines are hard to read.
const pageWidth = 110

func (p *page) scope() keymap.Scope { return inPage }

func (p *page) draw(m *Model) *image.Point {
	w := min(pageWidth, m.lay.Body.Dx()-4)
	in := m.box(w, m.lay.Body.Dy()-4, p.title, m.styles.FrameFocus)
	g := in.Sub(1, 0, in.W()-2, in.H()-2)
	if p.doc == nil || p.doc.Width() != g.W()-2 {
		p.doc = m.layOut(p, g.W()-2, p.build)
		if p.begin != "" {
			p.top, _ = following(p.doc, p.begin, -1)
			p.begin = ""
		}
	}
	p.height = g.H()
	p.top = max(0, min(p.top, len(p.doc.Lines)-g.H()))
	p.doc.Draw(g, p.top)
	p.doc.Highlight(g, p.top, p.search, m.styles.Match)
	m.drawThumb(g, p.top, len(p.doc.Lines))
	m.drawHints(in.Row(in.H()-1), 1, inPage)
	return nil
}

func (p *page) scroll(n int) { p.top = max(0, p.top+n) }

func (p *page) find(text string) {
	p.search, p.hit = text, -1
	p.nextHit()
}

func (p *page) nextHit() {
	if line, ok := following(p.doc, p.search, p.hit); ok {
		p.hit, p.top = line, line
	}
}

// key takes the keys of a reader. Of one that is for the panes below it says so.
func (p *page) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	switch {
	case name == "space":
		p.scroll(p.height - 1)
		return nil
	case p.search != "" && (name == "n" || name == "enter"):
		p.nextHit()
		return nil
	}
	if _, ok := m.keys.Find(inPanes, name); ok {
		return m.say(safe.Text(name)+" is a key of the panes: esc first, which closes this page", refused)
	}
	return nil
}

func (p *page) paste(*Model, string) tea.Cmd { return nil }

// close takes back a search first.
func (p *page) close(m *Model) tea.Cmd {
	if p.search != "" {
		p.search = ""
		return nil
	}
	m.pop(p)
	return nil
}

// openMessage shows a message of the wire pane as it was, indented.
func (m *Model) openMessage(e session.Entry) {
	l := m.wire.Line(&e)
	title := l.Arrow + " " + l.Method
	if l.ID != "" {
		title += " #" + l.ID
	}
	if e.Kind == session.EntEvent {
		title = "a note of belay's"
	}
	m.push(&page{
		title: title,
		value: e.Raw,
		name:  "message-" + string(wording.Thousands(int(e.Seq))) + ".json",
		build: func(m *Model, d *write.Writer) { m.messageDoc(d, e) },
	})
}

func (m *Model) messageDoc(d *write.Writer, e session.Entry) {
	st := d.Styles
	d.Field("time", wording.Clock(e.At), st.Text)
	if e.Kind != session.EntEvent { // which no message stands for
		d.Field("size", wording.Size(e.Size), st.Text)
	}
	for _, word := range wire.Flags(&e) {
		d.Field("marked", safe.Text(word), st.Warn)
	}
	for _, g := range m.diagnosticsOf(e.Seq) {
		d.Field("wrong", g, st.Bad)
	}
	d.Blank()
	switch {
	case e.Gone:
		d.Add(0, doc.Span{Text: "its bytes are no longer kept", Style: st.Warn})
	case e.Remedy != session.Remedy{}:
		d.Quote(string(e.Raw[:min(len(e.Raw), write.MaxBytes)]))
		d.Add(0, doc.Span{Text: remedy.Words(e.Remedy), Style: st.Accent})
	case e.Kind == session.EntEvent || e.Kind == session.EntStderr || e.Kind == session.EntInvalid || e.Kind == session.EntOversize:
		d.Quote(string(e.Raw[:min(len(e.Raw), write.MaxBytes)]))
	default:
		d.JSON(e.Raw)
	}
	if len(e.Raw) > write.MaxBytes {
		d.Miss()
	}
}

// diagnosticsOf is what is wrong with a message, with the rule that says so.
func (m *Model) diagnosticsOf(q session.Seq) []safe.Text {
	var out []safe.Text
	m.backend.View(func(s *session.Session) {
		rev := s.Status().Revision
		for _, g := range s.DiagnosticsOf(q) {
			c := g.Cite(rev)
			text := remedy.With(safe.LineN(g.Describe(), 300), g.Remedy())
			if c.Page != "" {
				text += " (" + safe.LineN(string(c.Revision)+" "+c.Page+": "+c.Rule, 300) + ")"
			}
			out = append(out, text)
		}
	})
	return out
}
