package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/row"
)

// drawFooter shows the keys, unless the status line has something to say or a
// dialog has its keys at its foot. Lines of input are drawn over it.
func (m *Model) drawFooter(g canvas.Region) {
	if m.toast.text == "" && m.modal() == nil {
		m.drawHints(g, 1, m.scope())
	}
}

// drawHints lists the keys that work here, as far as there is room; the last
// one, which leads to all others, is kept. What is disabled is grey; the key
// itself says why. A question of the server's offers only what can be done: the
// room is short, and a server must not get a key pressed that leads nowhere.
func (m *Model) drawHints(g canvas.Region, x int, scope keymap.Scope) {
	hints := m.keys.Footer(scope)
	if scope&(inAsk|inLogin|inPage) != 0 {
		hints = slices.DeleteFunc(hints, func(b *binding) bool { return b.Reason(m) != "" })
	}
	if r, ok := m.target(); ok && row.IsHeld(r) && scope&(inCalls|inDetail) != 0 {
		hints = m.withGoOn(hints)
	}
	for len(hints) > 1 && x+hintsWidth(hints) > g.W() {
		hints = append(hints[:len(hints)-2:len(hints)-2], hints[len(hints)-1])
	}
	for _, b := range hints {
		keyStyle, wordStyle := m.styles.KeyName, m.styles.Muted
		if b.Reason(m) != "" {
			keyStyle, wordStyle = m.styles.KeyOff, m.styles.KeyOff
		}
		from := x
		x = g.Put(x, 0, footerKey(b), keyStyle) + 1
		x = g.Put(x, 0, safe.Text(b.Word), wordStyle) + 2
		if scope&(inAsk|inLogin) == 0 { // a stray click must not answer
			m.onClick(g.Sub(from, 0, x-2-from, 1).Bounds(), func() tea.Cmd { return m.press(b) })
		}
	}
}

// withGoOn puts the key with which a held call goes on in the place of the one
// that cancels it with a reason, which would go nowhere: nothing is in flight.
func (m *Model) withGoOn(hints []*binding) []*binding {
	resend, known := m.keys.Named("resend")
	i := slices.IndexFunc(hints, func(b *binding) bool { return b.Name == "cancel with a reason" })
	if !known || i < 0 {
		return hints
	}
	goOn := *resend
	goOn.Word = "go on"
	hints = slices.Clone(hints)
	hints[i] = &goOn
	return hints
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
// call, how many are in flight, and the keys that still work. The less room
// there is, the less it says of the call.
func (m *Model) drawTiny(g canvas.Region) {
	left, right := m.tinyWords(), []segment{}
	if n := m.snap.status.InFlight; n > 0 {
		right = append(right, segment{wording.Thousands(n) + " in flight  ", m.styles.Info})
	}
	asks := -1
	if n := m.snap.status.Waiting; n > 0 {
		asks = len(right)
		right = append(right, segment{asksWords(n) + " · " + needsWords() + "  ", m.styles.Warn})
	}
	keys := segment{"x cancel  q quit", m.styles.Muted}
	if pieceWidth(left)+pieceWidth(right)+safe.Width(keys.Text) > g.W() {
		keys.Text = "x q"
	}
	right = append(right, keys)
	for _, drop := range []int{tinyBrand, tinyTime, tinyTarget} {
		if pieceWidth(left)+pieceWidth(right) > g.W() {
			left[drop].Text = ""
		}
	}
	if asks >= 0 && pieceWidth(left)+pieceWidth(right) > g.W() {
		right[asks].Text = asksWords(m.snap.status.Waiting) + "  "
		if pieceWidth(left)+pieceWidth(right) > g.W() {
			left = nil
		}
	}
	x := 0
	for _, p := range left {
		x = p.Draw1(g, x)
	}
	if x = g.W() - pieceWidth(right); x < pieceWidth(left) {
		return
	}
	for _, p := range right {
		x = p.Draw1(g, x)
	}
}

// needsWords say how large the terminal has to be for more than a line.
func needsWords() safe.Text {
	return "needs " + wording.Thousands(layout.MinWidth) + "×" + wording.Thousands(layout.MinHeight)
}

// The pieces of the tiny line that make room for others.
const (
	tinyBrand  = 0
	tinyTarget = 2
	tinyTime   = 4
)

// tinyWords are the program's name and the selected call, or the state of the
// connection while there is none.
func (m *Model) tinyWords() []segment {
	words := make([]segment, tinyTime+1)
	words[tinyBrand] = segment{"belay ", m.styles.Brand}
	if r, ok := m.calls.selected(); ok {
		s := m.words().State(r)
		words[1] = segment{"#" + safe.Line(r.Wire.String()) + " ", m.styles.Text}
		if r.Target != "" {
			words[tinyTarget] = segment{wording.NameIn(r.Target, 12) + " ", m.styles.Text}
		}
		words[3] = segment{s.Text(false) + " ", s.Style}
		words[tinyTime] = segment{m.words().Time(r) + " ", m.styles.Muted}
	} else if m.snap.status.Phase != session.Ready {
		words[1] = segment{safe.Text(m.snap.status.Phase.String()) + " ", m.styles.Muted}
	}
	return words
}

func pieceWidth(ps []segment) int {
	n := 0
	for _, p := range ps {
		n += safe.Width(p.Text)
	}
	return n
}

// drawTinyLine is a dialog where there is but a line: what to press, and what
// for.
func (m *Model) drawTinyLine(keys safe.Text, lines []safe.Text, style canvas.Style) {
	g := m.canvas.All().Row(0)
	g.Fill(canvas.Style{})
	x := g.Put(0, 0, keys+"  ", style.Bold())
	for _, l := range lines {
		x = g.Put(x, 0, safe.Cut(l, g.W()-x), m.styles.Text) + 1
	}
}

// toastLines is how many lines the status line may take: what names the way on
// must not be cut, and below a dialog there is but the frame.
const toastLines = 2

// drawToast draws the status line over what is below it, but not over what is
// being typed or asked on a line of its own.
func (m *Model) drawToast() {
	switch m.modal().(type) {
	case *lineInput:
		return
	case nil, *promptPanel:
	default:
		if m.lay.Mode == layout.Tiny {
			return
		}
	}
	if m.toast.text == "" {
		return
	}
	style := m.styles.Strong
	switch m.toast.kind {
	case refused:
		style = m.styles.Warn
	case failed:
		style = m.styles.Bad
	case said:
	}
	tiny := m.lay.Mode == layout.Tiny
	most := toastLines
	if tiny { // the other lines are empty
		most = m.h
	}
	lines := safe.Wrap(m.toast.text, max(1, m.w-2), most)
	g := m.canvas.All().Sub(0, m.h-len(lines), m.w, len(lines))
	if tiny {
		g = m.canvas.All().Sub(0, 0, m.w, len(lines))
	}
	g.Fill(canvas.Style{})
	for y, l := range lines {
		g.Put(1, y, l, style)
	}
}
