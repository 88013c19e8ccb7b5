package detail

import (
	"strings"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
)

// Value is the value that is shown.
func (p *Pane) Value() panel.Value {
	d := &p.d
	name := fileName("call-" + d.Wire.String() + "-" + d.Target)
	switch p.Tab() {
	case tabCall, tabAuto, tabEnd:
		return panel.Value{Data: d.Params, What: "the params", Name: name + "-params.json"}
	case tabResult:
		return p.resultValue(name)
	case tabTimeline:
		return panel.Value{Data: p.Doc().Plain(), What: "the timeline", Name: name + "-timeline.txt"}
	case tabWire:
		return p.Message()
	}
	return panel.Value{}
}

// resultValue is the text of a result that is nothing but text, and the JSON of
// any other.
func (p *Pane) resultValue(name string) panel.Value {
	d := &p.d
	raw, what := d.Result, safe.Text("the result")
	if d.Late != nil {
		raw, what = d.Late.Shown().Result, "the late result"
	}
	if d.Err != nil {
		return panel.Value{Data: []byte(d.Err.Message), What: "the error's message", Name: name + "-error.txt"}
	}
	if parts, ok := p.reading.of(raw); ok && len(parts.Parts) == 1 && parts.Structured == nil {
		switch only := &parts.Parts[0]; {
		case only.HasText:
			return panel.Value{Data: []byte(only.Text), What: "the text of " + what, Name: name + "-result.txt"}
		case only.Sound:
			return panel.Value{Data: only.Data, What: "the " + dataWord(only) + " of " + what, Name: name + "-result" + ending(only.MIME), Coded: true}
		}
	}
	return panel.Value{Data: raw, What: what, Name: name + "-result.json"}
}

// Message is the answer where there is one, and else the request.
func (p *Pane) Message() panel.Value {
	var entries []session.Entry
	p.host.View(func(s *session.Session) { entries = s.CallEntries(nil, p.call, entriesMost) })
	g := panel.Value{What: "the message", Name: fileName("call-"+p.d.Wire.String()) + "-message.json"}
	for _, e := range entries {
		answer := e.Kind == session.EntResult || e.Kind == session.EntError
		if e.Kind == session.EntRequest && e.Dir == session.Out || answer && p.Tab() != tabCall {
			g.Data = e.Raw
		}
	}
	return g
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
