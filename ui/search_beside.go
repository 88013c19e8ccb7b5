package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/write"
)

// soughtMsg is what came of a search in a document that is too long to be kept.
type soughtMsg struct {
	slot   int
	search doc.Search
	found  doc.Found
}

// search begins the searches that are wanted beside the screen, and ends those that are
// not any more. A document is written once more for each, line by line, and dropped.
func (b *backgroundWork) search() tea.Cmd {
	var cmds [numDocuments]tea.Cmd
	for i, l := range b.long {
		var of any
		var search doc.Search
		if r := l.reader; r != nil {
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

// onSought takes what came of a search, if it is still wanted.
func (b *backgroundWork) onSought(msg soughtMsg, style canvas.Style) {
	if r := b.long[msg.slot].reader; b.seek[msg.slot].Done(msg.search) && r != nil {
		r.Take(msg.search, msg.found, func(words safe.Text) doc.Line { return doc.Line{{Text: words, Style: style}} })
	}
}
