package ui

import (
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
		room := max(1, min(g.H()-len(d.Lines)-gr.nearby.height(g.W()), max(3, g.H()/3)))
		head, more := write.Head(text, welcomeMost, g.W()-safe.Width(mark), room)
		if more > 0 && len(d.Lines)+room+1+gr.nearby.height(g.W()) > g.H() { // a line says what is left out
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

// writeKeys writes the few keys that matter, as many as there are lines for. The last one, which
// leads to all keys, is always among them.
func (gr *greeting) writeKeys(d *write.Writer, lines int) {
	st, last := gr.looks.Styles, len(gr.keys)-1
	for i, b := range gr.keys {
		if i < last && i >= lines-1 {
			continue
		}
		d.Add(7, doc.Span{Text: safe.Pad(footerKey(b), 7), Style: st.KeyName}, doc.Span{Text: safe.Text(b.Help), Style: st.Text})
	}
}

// roomyWelcome is from which height on an empty row at the top is no loss.
const roomyWelcome = 8

// wordsLeast is how many lines must be left for the server's words: an empty one, their
// heading, and one of them.
const wordsLeast = 3

// keysLeast is how many lines must be left for the keys with their heading, fewKeys for some
// without. Else the footer alone has some of them.
const (
	keysLeast = 5
	fewKeys   = 2
)

// welcomeMost is how many bytes of the server's instructions are looked at in each
// frame.
const welcomeMost = 16 << 10
