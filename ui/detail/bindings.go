package detail

import (
	"charm.land/bubbles/v2/key"

	"belay/ui/keymap"
	"belay/ui/scope"
)

// Bindings are the keys of the pane.
func Bindings() []keymap.Binding[*Pane] {
	const group = "Looking closer"
	return []keymap.Binding[*Pane]{
		{
			Name: "next tab", Key: key.NewBinding(key.WithKeys("l", "right", "]"), key.WithHelp("l → ]", "")), Group: group, Where: scope.Detail,
			Help: "the next tab of the detail", Run: keymap.Do(func(p *Pane) { p.Turn(1) }),
		},
		{
			Name: "previous tab", Key: key.NewBinding(key.WithKeys("h", "left", "["), key.WithHelp("h ← [", "")), Group: group, Where: scope.Detail,
			Help: "the tab before", Run: keymap.Do(func(p *Pane) { p.Turn(-1) }),
		},
		{
			Name: "hit before", Key: key.NewBinding(key.WithKeys("N")), Group: group, Where: scope.Detail,
			Help: "the place before that has what was searched for", Disabled: (*Pane).noSearch, Run: keymap.Do((*Pane).LastHit),
		},
		{
			Name: "parts", Key: key.NewBinding(key.WithKeys("p")), Group: group, Where: scope.Detail | scope.Calls,
			Help: "the links and data of the result: read one, save one", Disabled: (*Pane).noParts, Run: keymap.Do((*Pane).openParts),
		},
	}
}

// noSearch is why there is no place to go to.
func (p *Pane) noSearch() string {
	if !p.IsSearching() {
		return "nothing is searched for: / does"
	}
	return ""
}
