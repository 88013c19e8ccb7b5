package ui

import (
	"belay/internal/safe"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/keymap"
)

// drawFooter shows the status line while there is something to say, and the
// keys otherwise. Lines of input are drawn over it.
func (m *Model) drawFooter(g canvas.Region) {
	if m.toast.text != "" {
		m.drawToast(g)
		return
	}
	if m.modal() == nil { // a dialog has its keys at its foot
		m.drawHints(g, 1, m.scope())
	}
}

// drawHints lists the keys that work here, as far as there is room; the last
// one, which leads to all others, is kept. What is disabled is grey; the key
// itself says why.
func (m *Model) drawHints(g canvas.Region, x int, scope keymap.Scope) {
	hints := m.keys.Footer(scope)
	for len(hints) > 1 && x+hintsWidth(hints) > g.W() {
		hints = append(hints[:len(hints)-2:len(hints)-2], hints[len(hints)-1])
	}
	for _, b := range hints {
		keyStyle, wordStyle := m.styles.KeyName, m.styles.Muted
		if b.Reason(m) != "" {
			keyStyle, wordStyle = m.styles.KeyOff, m.styles.KeyOff
		}
		x = g.Put(x, 0, footerKey(b), keyStyle) + 1
		x = g.Put(x, 0, safe.Text(b.Word), wordStyle) + 2
	}
}

func hintsWidth(hints []*binding) int {
	n := -2
	for _, b := range hints {
		n += safe.Width(footerKey(b)) + 1 + safe.Width(safe.Text(b.Word)) + 2
	}
	return n
}

func footerKey(b *keymap.Binding[*Model]) safe.Text {
	if len(b.Keys) > 0 && b.Shown == "" {
		return safe.Text(b.Keys[0])
	}
	return safe.Text(b.KeyText())
}

// drawTiny is the whole screen where there is no room for one: the selected
// call, how many are in flight, and the keys that still work.
func (m *Model) drawTiny(g canvas.Region) {
	if m.toast.text != "" {
		m.drawToast(g)
		return
	}
	x := g.Put(0, 0, "belay ", m.styles.Brand)
	if r, ok := m.calls.selected(); ok {
		s := m.stateOf(r)
		x = g.Put(x, 0, join("#"+safe.Line(r.Wire.String()), safe.LineN(r.Target, 12))+" ", m.styles.Text)
		x = g.Put(x, 0, s.text(false)+" ", s.style)
		x = g.Put(x, 0, m.timeOf(r)+" ", m.styles.Muted)
	} else if m.snap.status.Phase != session.Ready {
		x = g.Put(x, 0, safe.Text(m.snap.status.Phase.String())+" ", m.styles.Muted)
	}
	flying := thousands(m.snap.status.InFlight)
	for _, p := range [][2]safe.Text{{flying + " in flight  ", "x cancel  q quit"}, {flying + " in flight  ", "x q"}, {"/" + flying + "  ", "x q"}, {"", "x q"}} {
		if m.snap.status.InFlight == 0 {
			p[0] = ""
		}
		if w := safe.Width(p[0] + p[1]); x+w <= g.W() {
			x = g.Put(g.W()-w, 0, p[0], m.styles.Info)
			g.Put(x, 0, p[1], m.styles.Muted)
			return
		}
	}
}

// drawTinyLine is a dialog where there is but a line: what to press, and what
// for.
func (m *Model) drawTinyLine(keys safe.Text, lines []safe.Text, style canvas.Style) {
	g := m.canvas.All().Row(0)
	g.Fill(canvas.Style{})
	x := g.Put(0, 0, keys+"  ", bold(style))
	for _, l := range lines {
		x = g.Put(x, 0, safe.Cut(l, g.W()-x), m.styles.Text) + 1
	}
}

func (m *Model) drawToast(g canvas.Region) {
	style := m.styles.Strong
	switch m.toast.kind {
	case refused:
		style = m.styles.Warn
	case failed:
		style = m.styles.Bad
	case said:
	}
	g.Put(1, 0, safe.Cut(m.toast.text, g.W()-2), style)
}
