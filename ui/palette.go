package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
)

// paletteRows bounds the commands that are listed over the line.
const paletteRows = 20

// openPalette is the line behind ":", with the commands that fit above it. A
// command that is disabled stays listed, with its reason.
func (m *Model) openPalette() {
	l := &lineInput{
		label: ":", placeholder: "a command; tab completes", history: &m.input.commands,
		enter: (*Model).command,
		popup: (*Model).drawCommands,
	}
	l.special = func(m *Model, key string) (bool, tea.Cmd) {
		if key != "tab" {
			return false, nil
		}
		if found := m.matching(l.text.String()); len(found) > 0 && !strings.Contains(l.text.String(), " ") {
			l.text.Set(found[0].Command + " ")
		}
		return true, nil
	}
	m.push(l)
}

// matching returns the commands that begin with the typed text, the usable ones
// first.
func (m *Model) matching(text string) []*binding {
	name, _, hasArg := strings.Cut(strings.TrimLeft(text, " "), " ")
	var out []*binding
	for _, b := range m.keys.Commands() {
		if b.Command == name || !hasArg && strings.HasPrefix(b.Command, name) {
			out = append(out, b)
		}
	}
	usable := func(b *binding) int {
		if b.Reason(m) != "" {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b *binding) int { return usable(a) - usable(b) })
	return out
}

// command carries out a line of the palette: a command, or the only one that
// begins so.
func (m *Model) command(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	name, arg, _ := strings.Cut(text, " ")
	found := m.matching(name)
	for _, b := range found {
		if b.Command == name {
			found = []*binding{b}
			break
		}
	}
	switch len(found) {
	case 0:
		return m.say("there is no command "+safe.QuotedCut(name, 30)+"; : and tab list them", refused)
	case 1:
		return m.run(found[0], strings.TrimSpace(arg))
	}
	return m.say("several commands begin with "+safe.QuotedCut(name, 30), refused)
}

func (m *Model) drawCommands(l *lineInput) {
	found := m.matching(l.text.String())
	n := min(len(found), paletteRows, m.lay.Body.Dy()-2)
	if n < 1 {
		return
	}
	w := min(m.w, 90)
	g := m.canvas.Region(m.lay.Body).Sub(0, m.lay.Body.Dy()-n-2, w, n+2)
	g.Fill(canvas.Style{})
	in := g.Frame(m.glyphs.Border, m.styles.FrameFocus)
	if n < len(found) {
		more := wording.Thousands(n) + " of " + wording.Thousands(len(found))
		g.Title(g.W()-safe.Width(more)-4, more, m.styles.Title)
	}
	for i, b := range found[:n] {
		name := safe.Text(strings.TrimSpace(b.Command + " " + b.Arg))
		style, text, help := m.styles.KeyName, m.styles.Text, safe.Text(b.Help)
		if why := b.Reason(m); why != "" {
			style, text, help = m.styles.KeyOff, m.styles.Muted, safe.Text(why)
		}
		in.Put(1, i, safe.Cut(name, 28), style)
		in.Put(30, i, safe.Cut(help, in.W()-31), text)
	}
}
