package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
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

	reader doc.Reader
	height int
}

// Scope is where its keys work.
func (p *Page) Scope() keymap.Scope { return scope.Page }

// Draw draws the part of the document that is seen.
func (p *Page) Draw(f *panel.Frame) *image.Point {
	w := min(panel.PageWidth, f.Layout.Body.Dx()-4)
	in := f.Box(w, f.Layout.Body.Dy()-4, wording.Join(p.Title, p.reader.Title(f.Glyphs.Dots)), f.Styles.FrameFocus)
	g := in.Sub(1, 0, in.W()-2, in.H()-2)
	if p.Doc() == nil || p.Doc().Width() != g.W()-2 {
		d := f.LayOut(p, g.W()-2, p.Build)
		p.reader.Set(d)
		if p.Begin != "" {
			p.reader.Top, _ = d.Following(p.Begin, -1)
			p.Begin = ""
		}
	}
	p.height, p.reader.Moved = g.H(), true
	p.reader.Draw(g, f.Styles.Match)
	f.Thumb(g, p.reader.Top, len(p.Doc().Lines))
	f.Hint(in.Row(in.H()-1), 1, scope.Page)
	return nil
}

// Height is how many lines were seen in the last frame.
func (p *Page) Height() int { return p.height }

// Doc is what is shown of the document, as it was laid out last, or nil.
func (p *Page) Doc() *doc.Doc { return p.reader.Doc() }

// Reader is where one is in the document.
func (p *Page) Reader() *doc.Reader { return &p.reader }

// Redo has the document made again.
func (p *Page) Redo() { p.reader.Forget() }

// LaidOut takes the document when it was laid out whole, if its width is still that
// of the page. A search that found nothing in its beginning goes on in it.
func (p *Page) LaidOut(d *doc.Doc) {
	if p.Doc() != nil && p.Doc().Width() == d.Width() {
		p.reader.Renew(d)
	}
}

// Scroll moves the document by n lines.
func (p *Page) Scroll(n int) { p.reader.Scroll(n) }

// Find searches the document; an empty text ends the search.
func (p *Page) Find(text string) { p.reader.Find(text) }

// Key takes the keys of a reader. Of one that is for the panes below it says so.
func (p *Page) Key(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	switch {
	case name == "space":
		p.Scroll(p.height - 1)
		return nil
	case p.reader.Text() != "" && (name == "n" || name == "enter"):
		p.reader.Next(1)
		return nil
	case p.reader.Text() != "" && name == "N":
		p.reader.Next(-1)
		return nil
	}
	return p.Host.Want(panel.PaneKey{Key: k})
}

// Paste takes nothing.
func (p *Page) Paste(string) tea.Cmd { return nil }

// Close takes back a search first.
func (p *Page) Close() tea.Cmd {
	if p.reader.Text() != "" {
		p.reader.Find("")
		return nil
	}
	p.Host.Pop(p)
	return nil
}
