package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Page is a document over the panes: the help, the server, a whole message.
type Page struct {
	Host  panel.Host
	Title safe.Text
	Build panel.Build
	Value []byte // what y copies and o saves; nil: the text of the page
	Name  string // of the file that o writes; empty: it writes none
	Begin string // the heading that is at the top at first; empty: the first

	doc    *doc.Doc
	top    int
	height int
	search string
	hit    int
}

// Scope is where its keys work.
func (p *Page) Scope() keymap.Scope { return scope.Page }

// Draw draws the part of the document that is seen.
func (p *Page) Draw(f *panel.Frame) *image.Point {
	w := min(panel.PageWidth, f.Layout.Body.Dx()-4)
	in := f.Box(w, f.Layout.Body.Dy()-4, p.Title, f.Styles.FrameFocus)
	g := in.Sub(1, 0, in.W()-2, in.H()-2)
	if p.doc == nil || p.doc.Width() != g.W()-2 {
		p.doc = f.LayOut(p, g.W()-2, p.Build)
		if p.Begin != "" {
			p.top, _ = p.doc.Following(p.Begin, -1)
			p.Begin = ""
		}
	}
	p.height = g.H()
	p.top = max(0, min(p.top, len(p.doc.Lines)-g.H()))
	p.doc.Draw(g, p.top)
	p.doc.Highlight(g, p.top, p.search, f.Styles.Match)
	f.Thumb(g, p.top, len(p.doc.Lines))
	f.Hint(in.Row(in.H()-1), 1, scope.Page)
	return nil
}

// Height is how many lines were seen in the last frame.
func (p *Page) Height() int { return p.height }

// Doc is the document as it was laid out last, or nil.
func (p *Page) Doc() *doc.Doc { return p.doc }

// Redo has the document made again.
func (p *Page) Redo() { p.doc = nil }

// LaidOut takes the document when it was laid out whole, if its width is still that
// of the page. A search that found nothing in its beginning goes on in it.
func (p *Page) LaidOut(d *doc.Doc) {
	if p.doc != nil && p.doc.Width() == d.Width() {
		p.doc = d
		if p.search != "" && p.hit < 0 {
			p.nextHit()
		}
	}
}

// Scroll moves the document by n lines.
func (p *Page) Scroll(n int) { p.top = max(0, p.top+n) }

// Find searches the document; an empty text ends the search.
func (p *Page) Find(text string) {
	p.search, p.hit = text, -1
	p.nextHit()
}

func (p *Page) nextHit() {
	if p.doc == nil {
		return
	}
	if line, ok := p.doc.Following(p.search, p.hit); ok {
		p.hit, p.top = line, line
	}
}

// Key takes the keys of a reader. Of one that is for the panes below it says so.
func (p *Page) Key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	switch {
	case name == "space":
		p.Scroll(p.height - 1)
		return nil
	case p.search != "" && (name == "n" || name == "enter"):
		p.nextHit()
		return nil
	}
	return p.Host.Want(panel.PaneKey{Key: k})
}

// Paste takes nothing.
func (p *Page) Paste(string) tea.Cmd { return nil }

// Close takes back a search first.
func (p *Page) Close() tea.Cmd {
	if p.search != "" {
		p.search = ""
		return nil
	}
	p.Host.Pop(p)
	return nil
}
