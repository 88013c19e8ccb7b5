package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/dialog"
	"belay/ui/panel"
)

// paletteRows bounds the commands that are listed over the line.
const paletteRows = 20

// openPalette is the line behind ":", with the commands that fit above it. A
// command that is disabled stays listed, with its reason.
func (m *Model) openPalette() {
	l := &dialog.Line{
		Host:  m.host,
		Label: ":", Placeholder: "a command; tab completes", History: &m.input.commands,
		Enter: m.command,
	}
	l.Popup = func(f *panel.Frame) { m.drawCommands(f, l.Text.String()) }
	l.Special = func(key string) (bool, tea.Cmd) {
		if key != "tab" {
			return false, nil
		}
		if found := m.matching(l.Text.String()); len(found) > 0 && !strings.Contains(l.Text.String(), " ") {
			l.Text.Set(found[0].Command + " ")
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
		return m.status.Say(panel.Refused("there is no command " + safe.QuotedCut(name, 30) + "; : and tab list them"))
	case 1:
		return m.run(found[0], strings.TrimSpace(arg))
	}
	return m.status.Say(panel.Refused("several commands begin with " + safe.QuotedCut(name, 30)))
}

func (m *Model) drawCommands(f *panel.Frame, text string) {
	found := m.matching(text)
	n := min(len(found), paletteRows, f.Layout.Body.Dy()-2)
	if n < 1 {
		return
	}
	w := min(f.W, 90)
	g := f.Canvas.Region(f.Layout.Body).Sub(0, f.Layout.Body.Dy()-n-2, w, n+2)
	g.Fill(canvas.Style{})
	in := g.Frame(f.Glyphs.Border, f.Styles.FrameFocus)
	if n < len(found) {
		more := wording.Thousands(n) + " of " + wording.Thousands(len(found))
		g.Title(g.W()-safe.Width(more)-4, more, f.Styles.Title)
	}
	for i, b := range found[:n] {
		name := safe.Text(strings.TrimSpace(b.Command + " " + b.Arg))
		style, textStyle, help := f.Styles.KeyName, f.Styles.Text, safe.Text(b.Help)
		if why := b.Reason(m); why != "" {
			style, textStyle, help = f.Styles.KeyOff, f.Styles.Muted, safe.Text(why)
		}
		in.Put(1, i, safe.Cut(name, 28), style)
		in.Put(30, i, safe.Cut(help, in.W()-31), textStyle)
	}
}
