package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/detail"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/theme"
	"belay/ui/write"
)

// What of a document is laid out between two keys. The rest is laid out beside the
// screen.
const (
	linesAtOnce = 500
	bytesAtOnce = 16 << 10
)

// unlaid is a document of which only the beginning was laid out.
type unlaid struct {
	of    any // a detail.Key, a page or a question
	width int
	build panel.Build
	on    panel.Screen

	reader *doc.Reader // where one is in it; nil: it cannot be searched
}

// laidOutMsg is a document that was laid out whole.
type laidOutMsg struct {
	of  any
	doc *doc.Doc
}

// layOut makes a document, or its beginning, when that takes long: the rest follows.
// Build reads nothing that changes.
func (m *Model) layOut(of any, width int, build panel.Build) *doc.Doc {
	d := doc.New(width, linesAtOnce)
	d.Bound(bytesAtOnce)
	if k, ok := of.(detail.Key); ok && k.IsWhole() {
		d = doc.New(width, write.MaxLines)
	}
	on := m.screen()
	build(write.To(d, on.Looks, m.printed), on)
	if !d.IsCut() {
		m.beside.rest[slotOf(of)], m.beside.long[slotOf(of)] = unlaid{}, unlaid{}
		return d
	}
	d.MarkLong()
	m.beside.long[slotOf(of)] = unlaid{of, width, build, on, readerOf(of, m.detail)}
	d.AddLast(doc.Line{{Text: "the rest is being laid out" + m.glyphs.Dots, Style: m.styles.Muted}})
	m.beside.rest[slotOf(of)] = unlaid{of: of, width: width, build: build, on: on}
	return d
}

// readerOf is where one is in a document, if it can be searched.
func readerOf(of any, pane *detail.Pane) *doc.Reader {
	switch of := of.(type) {
	case detail.Key:
		return pane.Reader()
	case interface{ Reader() *doc.Reader }:
		return of.Reader()
	}
	return nil
}

// The documents that may be on the screen at once.
const (
	ofPane     = iota
	ofQuestion // over the panes, …
	ofPage     // … and a page over all of them
	numDocuments
)

// slotOf is the place of a document among those.
func slotOf(of any) int {
	switch of.(type) {
	case detail.Key:
		return ofPane
	case interface{ Reader() *doc.Reader }:
		return ofPage
	}
	return ofQuestion
}

// layOutRest begins to lay out what was begun in a frame, each document after the
// one before it.
func (m *Model) layOutRest() tea.Cmd {
	var cmds []tea.Cmd
	for i := range m.beside.rest {
		l := m.beside.rest[i]
		if l.of == nil || m.beside.laying[i] {
			continue
		}
		m.beside.laying[i] = true
		first := m.beside.first
		cmds = append(cmds, func() tea.Msg {
			if first != nil {
				first()
			}
			d := doc.New(l.width, write.MaxLines)
			d.Bound(restBytes)
			d.MarkLong()
			l.build(write.To(d, l.on.Looks, write.Printed{}), l.on)
			if d.IsCut() {
				d.AddLast(cutLine(l.of, l.on.Looks))
			}
			return laidOutMsg{l.of, d}
		})
	}
	return tea.Batch(cmds...)
}

// restBytes bounds what is read for a whole document, in bytes.
const restBytes = 2 * write.MaxBytes

// cutLine says where the rest of a document is that is too long to be shown.
func cutLine(of any, looks theme.Looks) doc.Line {
	words := safe.Text("there is more: o saves all of it")
	if e, ok := of.(interface{ Elsewhere() safe.Text }); ok {
		words = e.Elsewhere()
	}
	return doc.Line{{Text: words, Style: looks.Styles.Warn}}
}

// onLaidOut takes a document that was laid out, if it is still the one on the screen.
func (m *Model) onLaidOut(msg laidOutMsg) {
	i := slotOf(msg.of)
	m.beside.laying[i] = false
	if m.beside.rest[i].of == msg.of {
		m.beside.rest[i] = unlaid{}
	}
	switch of := msg.of.(type) {
	case detail.Key:
		m.detail.LaidOut(of, msg.doc)
	case interface{ LaidOut(d *doc.Doc) }:
		of.LaidOut(msg.doc)
	}
}
