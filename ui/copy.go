package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/layout"
	"belay/ui/panel"
)

// copyMost bounds what is given to the terminal's clipboard: terminals drop
// more than that without a word.
const copyMost = 1 << 20

func nothingToCopy(m *Model) string {
	if m.modal() != nil || m.focus == layout.Wire && m.wire.Count() > 0 {
		return ""
	}
	if m.focus == layout.Wire {
		return "there is no message"
	}
	return noCall(m)
}

// nothingToSave is why a page goes into no file: what it says of belay itself is
// in the documentation.
func nothingToSave(m *Model) string {
	if p, ok := m.modal().(*dialog.Page); ok && p.Name != "" {
		return ""
	}
	return "the keys are not saved: they are in belay's docs/keys.md; y copies them"
}

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
	d := &m.detail.d
	name := fileName("call-" + d.Wire.String() + "-" + d.Target)
	switch m.detail.tab() {
	case tabCall, tabAuto, tabEnd:
		return panel.Value{Data: d.Params, What: "the params", Name: name + "-params.json"}
	case tabResult:
		return m.resultValue(name)
	case tabTimeline:
		return panel.Value{Data: m.detail.doc.Plain(), What: "the timeline", Name: name + "-timeline.txt"}
	case tabWire:
		return m.wholeMessage()
	}
	return panel.Value{}
}

// resultValue is the text of a result that is nothing but text, and the JSON of
// any other.
func (m *Model) resultValue(name string) panel.Value {
	d := &m.detail.d
	raw, what := d.Result, safe.Text("the result")
	if d.Late != nil {
		raw, what = d.Late.Result, "the late result"
	}
	if d.Err != nil {
		return panel.Value{Data: []byte(d.Err.Message), What: "the error's message", Name: name + "-error.txt"}
	}
	if p, ok := m.partsOf(raw); ok && len(p.Parts) == 1 && p.Structured == nil {
		switch only := &p.Parts[0]; {
		case only.HasText:
			return panel.Value{Data: []byte(only.Text), What: "the text of " + what, Name: name + "-result.txt"}
		case only.Sound:
			return panel.Value{Data: only.Data, What: "the " + dataWord(only) + " of " + what, Name: name + "-result" + ending(only.MIME), Coded: true}
		}
	}
	return panel.Value{Data: raw, What: what, Name: name + "-result.json"}
}

// wholeMessage is the message behind the value: the answer where there is one,
// and else the request.
func (m *Model) wholeMessage() panel.Value {
	if m.modal() != nil || m.focus == layout.Wire {
		return m.value()
	}
	var entries []session.Entry
	m.backend.View(func(s *session.Session) { entries = s.CallEntries(nil, m.detail.call, entriesMost) })
	g := panel.Value{What: "the message", Name: fileName("call-"+m.detail.d.Wire.String()) + "-message.json"}
	for _, e := range entries {
		answer := e.Kind == session.EntResult || e.Kind == session.EntError
		if e.Kind == session.EntRequest && e.Dir == session.Out || answer && m.detail.tab() != tabCall {
			g.Data = e.Raw
		}
	}
	return g
}

func (m *Model) copyValue() tea.Cmd { return m.toClipboard(m.value()) }

func (m *Model) copyMessage() tea.Cmd { return m.toClipboard(m.wholeMessage()) }

func (m *Model) toClipboard(g panel.Value) tea.Cmd {
	switch {
	case len(g.Data) == 0:
		return m.say(panel.Refused("there is nothing to copy here"))
	case len(g.Data) > copyMost:
		return m.say(panel.Refused(wording.Size(len(g.Data)) + " is too much for the clipboard; o saves it"))
	}
	return tea.Batch(tea.SetClipboard(string(g.Data)), m.say(panel.Said("copied "+g.What+" · "+wording.Size(len(g.Data)))))
}

// saveValue writes the value to a file, outside of Update.
func (m *Model) saveValue() tea.Cmd {
	g := m.value()
	if len(g.Data) == 0 {
		return m.say(panel.Refused("there is nothing to save here"))
	}
	return m.saveData(g)
}

// fileName makes a name of foreign words that is one everywhere.
func fileName(s string) string {
	const most = 60
	out := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, s)
	return strings.Trim(out[:min(len(out), most)], "-")
}
