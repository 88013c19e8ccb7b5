package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/layout"
)

// copyMost bounds what is given to the terminal's clipboard: terminals drop
// more than that without a word.
const copyMost = 1 << 20

// copySource is what y, Y and o act on.
type copySource struct {
	data []byte
	what safe.Text // "the result"
	name string    // of the file

	coded bool // data is base64; what it stands for is saved
}

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
	if p, ok := m.modal().(*page); ok && p.name != "" {
		return ""
	}
	return "the keys are not saved: they are in belay's docs/keys.md; y copies them"
}

// value is the value that is shown.
func (m *Model) value() copySource {
	if p, ok := m.modal().(*page); ok {
		if p.value != nil {
			return copySource{data: p.value, what: "the message", name: p.name}
		}
		return copySource{data: docText(p.doc), what: "the page", name: p.name}
	}
	if m.focus == layout.Wire {
		e, _ := m.wire.Selected()
		return copySource{data: e.Raw, what: "the message", name: "message.json"}
	}
	d := &m.detail.d
	name := fileName("call-" + d.Wire.String() + "-" + d.Target)
	switch m.detail.tab() {
	case tabCall, tabAuto, tabEnd:
		return copySource{data: d.Params, what: "the params", name: name + "-params.json"}
	case tabResult:
		return m.resultValue(name)
	case tabTimeline:
		return copySource{data: docText(m.detail.doc), what: "the timeline", name: name + "-timeline.txt"}
	case tabWire:
		return m.wholeMessage()
	}
	return copySource{}
}

// resultValue is the text of a result that is nothing but text, and the JSON of
// any other.
func (m *Model) resultValue(name string) copySource {
	d := &m.detail.d
	raw, what := d.Result, safe.Text("the result")
	if d.Late != nil {
		raw, what = d.Late.Result, "the late result"
	}
	if d.Err != nil {
		return copySource{data: []byte(d.Err.Message), what: "the error's message", name: name + "-error.txt"}
	}
	if p, ok := m.partsOf(raw); ok && len(p.Parts) == 1 && p.Structured == nil {
		switch only := &p.Parts[0]; {
		case only.HasText:
			return copySource{data: []byte(only.Text), what: "the text of " + what, name: name + "-result.txt"}
		case only.Sound:
			return copySource{data: only.Data, what: "the " + dataWord(only) + " of " + what, name: name + "-result" + ending(only.MIME), coded: true}
		}
	}
	return copySource{data: raw, what: what, name: name + "-result.json"}
}

// wholeMessage is the message behind the value: the answer where there is one,
// and else the request.
func (m *Model) wholeMessage() copySource {
	if m.modal() != nil || m.focus == layout.Wire {
		return m.value()
	}
	var entries []session.Entry
	m.backend.View(func(s *session.Session) { entries = s.CallEntries(nil, m.detail.call, entriesMost) })
	g := copySource{what: "the message", name: fileName("call-"+m.detail.d.Wire.String()) + "-message.json"}
	for _, e := range entries {
		answer := e.Kind == session.EntResult || e.Kind == session.EntError
		if e.Kind == session.EntRequest && e.Dir == session.Out || answer && m.detail.tab() != tabCall {
			g.data = e.Raw
		}
	}
	return g
}

func (m *Model) copyValue() tea.Cmd { return m.toClipboard(m.value()) }

func (m *Model) copyMessage() tea.Cmd { return m.toClipboard(m.wholeMessage()) }

func (m *Model) toClipboard(g copySource) tea.Cmd {
	switch {
	case len(g.data) == 0:
		return m.say("there is nothing to copy here", refused)
	case len(g.data) > copyMost:
		return m.say(wording.Size(len(g.data))+" is too much for the clipboard; o saves it", refused)
	}
	return tea.Batch(tea.SetClipboard(string(g.data)), m.say("copied "+g.what+" · "+wording.Size(len(g.data)), said))
}

// saveValue writes the value to a file, outside of Update.
func (m *Model) saveValue() tea.Cmd {
	g := m.value()
	if len(g.data) == 0 {
		return m.say("there is nothing to save here", refused)
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
