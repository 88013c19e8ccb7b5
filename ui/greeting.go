package ui

import (
	"cmp"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/server"
	"belay/ui/theme"
	"belay/ui/write"
)

// greeting is what the detail pane shows while no call is chosen: the server's name and
// instructions, and the few keys that matter.
type greeting struct {
	looks  theme.Looks
	link   server.Link
	offers safe.Text // what the server has
	minds  []string
	nearby *nearby
	keys   []*binding
}

// draw draws the greeting in a region. The keys come before the empty row at the top.
func (gr *greeting) draw(g canvas.Region) {
	d := gr.write(g, g.H() >= roomyWelcome)
	if g.H()-len(d.Lines) < keysLeast {
		d = gr.write(g, false)
	}
	switch left := g.H() - len(d.Lines); {
	case left >= keysLeast:
		d.Heading("keys")
		gr.writeKeys(d, left-2)
	case left >= fewKeys:
		d.Blank()
		gr.writeKeys(d, left-1)
	case left > 0:
		gr.writeKeys(d, left)
	}
	d.Draw(g, 0)
}

// write writes what the greeting says of the server, and of others nearby.
func (gr *greeting) write(g canvas.Region, roomy bool) *write.Writer {
	d := write.To(doc.New(g.W(), g.H()), gr.looks, nil)
	st, status := gr.looks.Styles, gr.link.Status
	if roomy {
		d.Blank()
	}
	d.Add(0, doc.Span{Text: gr.link.Self(g.W()), Style: st.Strong})
	d.Add(0, doc.Span{Text: gr.link.Words(true), Style: st.Muted})
	if gr.offers != "" {
		d.Add(0, doc.Span{Text: gr.offers, Style: st.Muted})
	}
	if server.IDs(status) != "" {
		d.Add(0, doc.Span{Text: server.ShortIDs, Style: st.Muted})
	}
	server.Minds(d, gr.minds)
	if text := status.Server.Instructions; text != "" && g.H()-len(d.Lines) >= wordsLeast {
		d.Heading("in the server's words")
		mark := gr.looks.Glyphs.Quote + " "
		room := max(1, min(g.H()-len(d.Lines)-gr.nearby.height(g.W())-fewKeys, max(3, g.H()/3)))
		head, more := write.Head(text, welcomeMost, g.W()-safe.Width(mark), room)
		if more > 0 && len(d.Lines)+room+1+gr.nearby.height(g.W()) > g.H()-fewKeys { // a line says what is left out
			head, more = write.Head(text, welcomeMost, g.W()-safe.Width(mark), max(1, room-1))
		}
		d.Text(head, doc.Span{Text: mark, Style: st.Faint}, st.Text)
		if more > 0 {
			d.Add(0, doc.Span{Text: wording.Size(more) + " more in the server info", Style: st.Muted})
		}
	}
	gr.nearby.write(d)
	return d
}

// writeKeys writes the few keys that matter, in full as many as there are lines for. A line
// has the others in short. The last one, which leads to all keys, has a line of its own where
// there are two.
func (gr *greeting) writeKeys(d *write.Writer, lines int) {
	full, short := gr.keys, []*binding(nil)
	var last []*binding
	if n := len(gr.keys); lines < n {
		own := min(1, lines-1) // of the last key
		last = gr.keys[n-own:]
		full, short = gr.keys[:max(0, lines-2)], gr.keys[max(0, lines-2):n-own]
	}
	gr.writeFull(d, full)
	if len(short) > 0 {
		gr.writeShort(d, short)
	}
	gr.writeFull(d, last)
}

func (gr *greeting) writeFull(d *write.Writer, keys []*binding) {
	st := gr.looks.Styles
	for _, b := range keys {
		d.Add(7, doc.Span{Text: safe.Pad(footerKey(b), 7), Style: st.KeyName}, doc.Span{Text: safe.Text(b.Help), Style: st.Text})
	}
}

// writeShort writes keys in one line, with a word each. Where they are too many for it, the
// last stays.
func (gr *greeting) writeShort(d *write.Writer, keys []*binding) {
	const apart = 2
	words := func(b *binding) safe.Text {
		return safe.Text(cmp.Or(b.Key.Help().Desc, b.Name))
	}
	width := func(keys []*binding) (n int) {
		for _, b := range keys {
			n += safe.Width(footerKey(b)) + 1 + safe.Width(words(b)) + apart
		}
		return n - apart
	}
	for len(keys) > 1 && width(keys) > d.Width() {
		keys = append(keys[:len(keys)-2:len(keys)-2], keys[len(keys)-1])
	}
	var line []doc.Span
	for i, b := range keys {
		if i > 0 {
			line = append(line, doc.Span{Text: "  "})
		}
		line = append(line, doc.Span{Text: footerKey(b), Style: gr.looks.Styles.KeyName}, doc.Span{Text: " " + words(b), Style: gr.looks.Styles.Text})
	}
	d.Add(0, line...)
}

// roomyWelcome is from which height on an empty row at the top is no loss.
const roomyWelcome = 8

// wordsLeast is how many lines must be left for the server's words: an empty one, their
// heading, and one of them.
const wordsLeast = 3

// keysLeast is how many lines must be left for the keys with their heading, fewKeys for some
// below an empty line. In one line they stand without that.
const (
	keysLeast = 5
	fewKeys   = 2
)

// welcomeMost is how many bytes of the server's instructions are looked at in each
// frame.
const welcomeMost = 16 << 10
