package ui

import (
	"encoding/base64"
	"errors"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/dialog"
	"belay/ui/layout"
	"belay/ui/panel"
)

// copyMost bounds what is given to the terminal's clipboard: terminals drop
// more than that without a word.
const copyMost = 1 << 20

// value is the value that is shown.
func (m *Model) value() panel.Value {
	if p, ok := m.modal().(*dialog.Page); ok {
		if p.Value != nil {
			return panel.Value{Data: p.Value, What: "the message", Name: p.Name}
		}
		return panel.Value{Data: p.Doc().Plain(), What: "the page", Name: p.Name}
	}
	if m.focus == layout.Wire {
		e, _ := m.wire.Selected()
		return panel.Value{Data: e.Raw, What: "the message", Name: "message.json"}
	}
	return m.detail.Value()
}

// wholeMessage is the message behind the value: the answer where there is one,
// and else the request.
func (m *Model) wholeMessage() panel.Value {
	if m.modal() != nil || m.focus == layout.Wire {
		return m.value()
	}
	return m.detail.Message()
}

func (m *Model) copyValue() tea.Cmd { return m.toClipboard(m.value()) }

func (m *Model) copyMessage() tea.Cmd { return m.toClipboard(m.wholeMessage()) }

func (m *Model) toClipboard(g panel.Value) tea.Cmd {
	switch {
	case len(g.Data) == 0:
		return m.status.Say(panel.Refused("there is nothing to copy here"))
	case len(g.Data) > copyMost:
		return m.status.Say(panel.Refused(wording.Size(len(g.Data)) + " is too much for the clipboard; o saves it"))
	}
	return tea.Batch(tea.SetClipboard(string(g.Data)), m.status.Say(panel.Said("copied "+g.What+" · "+wording.Size(len(g.Data)))))
}

// saveValue writes the value to a file, outside of Update.
func (m *Model) saveValue() tea.Cmd {
	g := m.value()
	if len(g.Data) == 0 {
		return m.status.Say(panel.Refused("there is nothing to save here"))
	}
	return m.saveData(g)
}

var errNotBase64 = errors.New("not saved: the data is not base64")

// saveData writes what was grabbed to a file, outside of Update.
func (m *Model) saveData(g panel.Value) tea.Cmd {
	save := m.backend.Save
	return func() tea.Msg {
		data := g.Data
		if g.Coded {
			data = make([]byte, base64.StdEncoding.DecodedLen(len(g.Data)))
			n, err := base64.StdEncoding.Strict().Decode(data, g.Data)
			if err != nil {
				return panel.Done{Err: errNotBase64}
			}
			data = data[:n]
		}
		path, err := save(g.Name, data)
		return panel.Done{Err: err, Say: "saved " + g.What + " to " + safe.Line(path)}
	}
}
