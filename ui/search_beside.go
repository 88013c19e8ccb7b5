package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/detail"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/write"
)

// soughtMsg is what came of a search in a document that is too long to be kept.
type soughtMsg struct {
	slot   int
	search doc.Search
	found  doc.Found
}

// reader is where one is in the document of a slot, if that is on the screen and can be
// searched.
func (m *Model) reader(slot int) *doc.Reader {
	switch of := m.beside.long[slot].of.(type) {
	case detail.Key:
		return m.detail.Reader()
	case *dialog.Page:
		if slices.Contains(m.stack, panel.Panel(of)) {
			return of.Reader()
		}
	}
	return nil
}

// seek begins the searches that are wanted beside the screen, and ends those that are
// not any more. A document is written once more for each, line by line, and dropped.
func (m *Model) seek() tea.Cmd {
	var cmds [2]tea.Cmd
	b := &m.beside
	for i, l := range b.long {
		var of any
		var search doc.Search
		if r := m.reader(i); r != nil {
			if s, ok := r.Wanted(); ok {
				of, search = s, s
			}
		}
		b.seek[i].First = b.first
		cmds[i] = b.seek[i].Want(b.ctx, of, func(ctx context.Context) tea.Msg {
			found, ok := doc.Scan(ctx, search.Of.Width(), search.Quest, search.Count, func(d *doc.Doc) {
				l.build(write.To(d, l.on.Looks, nil), l.on)
			})
			if !ok { // nobody waits
				return nil
			}
			return soughtMsg{i, search, found}
		})
	}
	return tea.Batch(cmds[:]...)
}

// wasSought takes what came of a search, if it is still wanted.
func (m *Model) wasSought(msg soughtMsg) {
	if r := m.reader(msg.slot); m.beside.seek[msg.slot].Done(msg.search) && r != nil {
		m.dirty = true
		style := m.styles.Warn
		r.Take(msg.search, msg.found, func(words safe.Text) doc.Line { return doc.Line{{Text: words, Style: style}} })
	}
}
