package calls

import (
	"charm.land/bubbles/v2/key"

	"belay/ui/keymap"
	"belay/ui/scope"
)

// Group is the heading of the keys that are about calls.
const Group = "Calls"

// Bindings are the keys of the table itself.
func Bindings() []keymap.Binding[*Pane] {
	return []keymap.Binding[*Pane]{
		{
			Name: "mark", Key: key.NewBinding(key.WithKeys("space")), Group: Group, Where: scope.Calls,
			Help: "mark the row for cancelling several", Disabled: (*Pane).noRow, Run: keymap.Do((*Pane).Mark),
		},
		{
			Name: "own requests", Key: key.NewBinding(key.WithKeys("b")), Group: Group, Where: scope.Panes, Command: "own",
			Help: "show what belay asked the server by itself and is over, or fold it into one line", Run: keymap.Do((*Pane).toggleOwn),
		},
	}
}

func (p *Pane) noRow() string {
	if p.idx.Len() == 0 {
		return "no call is selected"
	}
	return ""
}
