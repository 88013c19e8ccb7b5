package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/commands"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/row"
	"belay/ui/scope"
	"belay/ui/server"
	"belay/ui/write"
)

// openHelp shows every binding, also those that are disabled, with the reason. It
// begins with those of what has the focus.
func (m *Model) openHelp() {
	p := &dialog.Page{Host: m.host, Title: "Help", Build: func(d *write.Writer, _ panel.Screen) { m.helpDoc(d) }}
	if hints := m.keys.Footer(m.scope()); m.modal() != nil && len(hints) > 0 {
		p.Begin = hints[0].Group
	}
	m.push(p)
}

func (m *Model) helpDoc(d *write.Writer) {
	const keyWidth = 20
	for _, group := range m.keys.Groups() {
		d.Heading(safe.Text(group))
		for _, b := range m.keys.All() {
			if b.Group != group {
				continue
			}
			keys := safe.Text(b.KeyText())
			if b.Command != "" {
				keys = wording.Join(keys, safe.Text(strings.TrimSpace(":"+b.Command+" "+b.Arg)))
			}
			if safe.Width(keys) >= keyWidth {
				d.Add(0, doc.Span{Text: "  " + keys, Style: d.Styles.KeyName})
				keys = ""
			}
			line := []doc.Span{
				{Text: "  " + safe.Pad(keys, keyWidth), Style: d.Styles.KeyName}, {Text: safe.Text(b.Help), Style: d.Styles.Text},
			}
			if why := m.reasonHere(b); why != "" {
				line = append(line, doc.Span{Text: " (now: " + safe.Text(why) + ")", Style: d.Styles.Muted})
			}
			d.Add(keyWidth+2, line...)
		}
	}
	dialectsDoc(d)
}

// dialectsDoc says by which dialects of JSON Schema values are checked (SRV-49; basic).
func dialectsDoc(d *write.Writer) {
	d.Heading("JSON Schema")
	names := form.Dialects()
	d.Add(2, doc.Span{Text: "  Arguments, answers and structured results are checked by their schemas.", Style: d.Styles.Text})
	dialects := "  Dialects: " + safe.Text(strings.Join(names, ", ")) + ". A schema that names none is one of " + safe.Text(names[0]) + "."
	d.Add(2, doc.Span{Text: dialects, Style: d.Styles.Text})
	d.Add(2, doc.Span{Text: "  What is written in another one can be called with raw JSON, and nothing is checked by it.", Style: d.Styles.Text})
}

// reasonHere is why a binding is disabled, for those that work in the panes.
func (m *Model) reasonHere(b *binding) string {
	if len(b.Key.Keys()) > 0 && !b.In(scope.Panes) {
		return ""
	}
	if r, ok := m.target(); ok && b.Reason(m) == "" && slices.Contains(outs, b.Name) && row.RefusesCancel(r) {
		if r.Origin == session.FromHandshake {
			return "the handshake must not be cancelled"
		}
		return row.NoCancel(r)
	}
	return b.Reason(m)
}

// outs are the names of the keys that cancel the selected call.
var outs = []string{"cancel request", "cancel from a field", "cancel with a reason"}

func (m *Model) openInfo() { server.Open(m.host, m.backend, m.opts.Minds, m.opts.ASCII) }

// editAgain opens the form of the selected call with its arguments in it, or the line
// that sends it by hand.
func (m *Model) editAgain() tea.Cmd {
	d, _ := m.detail.Call()
	if cmd, ok := m.compose.Again(d); ok {
		return cmd
	}
	m.openPalette()
	lying[*commands.Palette](m).Set("send " + d.Method + " " + string(d.Params))
	return nil
}
