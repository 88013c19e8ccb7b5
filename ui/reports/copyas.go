package reports

import (
	"bytes"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/rawjson"
	"belay/ui/panel"
)

// CopyAs is :copy-as: it copies the command line that makes the selected call without a
// screen.
func (r *Reports) CopyAs() tea.Cmd {
	var d session.Detail
	var ok bool
	chosen := r.host.Screen().Chosen
	r.host.View(func(s *session.Session) { d, ok = s.Detail(chosen) })
	switch {
	case !ok:
		return r.host.Say(panel.Refused("no call is selected"))
	case d.Method != "tools/call":
		return r.host.Say(panel.Refused("belay call makes calls of tools: this is none"))
	}
	return func() tea.Msg {
		tool, named := rawjson.TextAt(d.Params, "name")
		if !named {
			return panel.Done{Then: func() tea.Cmd { return r.host.Say(panel.Refused("this call names no tool")) }}
		}
		arguments := bytes.TrimSpace(rawjson.At(d.Params, "arguments"))
		line, hidden, err := r.backend.CommandLine(&d, tool, arguments)
		if err != nil {
			return panel.Done{Err: err}
		}
		what := safe.Text("the command line")
		if hidden {
			what += ", its secrets as asterisks"
		}
		return panel.Done{Then: func() tea.Cmd {
			return r.host.Want(panel.Copy{Value: panel.Value{Data: []byte(line), What: what, Name: "call.sh"}})
		}}
	}
}
