package compose

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/ui/fields"
	"belay/ui/keymap"
	"belay/ui/scope"
)

// PickerBindings are the keys of the list.
func PickerBindings() []keymap.Binding[*Picker] {
	return []keymap.Binding[*Picker]{
		{
			Name: "take", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "call")), Group: PickerGroup, Where: scope.Picker, Footer: 1,
			Help: "call what is chosen; what takes arguments opens its form", Run: keymap.Cmd(func(p *Picker) tea.Cmd { return p.take(false) }),
		},
		{
			Name: "take with the form", Key: key.NewBinding(key.WithKeys("alt+enter"), key.WithHelp("", "form")),
			Group: PickerGroup, Where: scope.Picker, Footer: 2,
			Help: "open the form also of what takes no arguments", Run: keymap.Cmd(func(p *Picker) tea.Cmd { return p.take(true) }),
		},
		{
			Name: "subscribe to what is chosen", Key: key.NewBinding(key.WithKeys("alt+s"), key.WithHelp("", "subscribe")),
			Group: PickerGroup, Where: scope.Picker, Footer: 3, Shy: true,
			Help: "hear of the changes of the chosen resource", Disabled: (*Picker).noResource, Run: keymap.Cmd((*Picker).subscribe),
		},
		{
			Name: "next choice", Key: key.NewBinding(key.WithKeys("down", "ctrl+n", "tab"), key.WithHelp("↓ ctrl+n tab", "")),
			Group: PickerGroup, Where: scope.Picker,
			Help: "one down in the list", Run: keymap.Do(func(p *Picker) { p.move(1) }),
		},
		{
			Name: "choice before", Key: key.NewBinding(key.WithKeys("up", "ctrl+p", "shift+tab"), key.WithHelp("↑ ctrl+p shift+tab", "")),
			Group: PickerGroup, Where: scope.Picker,
			Help: "one up in the list", Run: keymap.Do(func(p *Picker) { p.move(-1) }),
		},
		{
			Name: "page of choices down", Key: key.NewBinding(key.WithKeys("pgdown")), Group: PickerGroup, Where: scope.Picker,
			Help: "read on in a description that is longer than its box; then a page down in the list", Run: keymap.Do(func(p *Picker) { p.page(1) }),
		},
		{
			Name: "page of choices up", Key: key.NewBinding(key.WithKeys("pgup")), Group: PickerGroup, Where: scope.Picker,
			Help: "back in the description; then a page up in the list", Run: keymap.Do(func(p *Picker) { p.page(-1) }),
		},
	}
}

// SendBindings are the keys that send a form.
func SendBindings() []keymap.Binding[*Form] {
	return []keymap.Binding[*Form]{
		{
			Name: "send", Key: key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("", "send")), Group: fields.Group, Where: scope.Form, Footer: 1,
			Help: "send the call; pressed again, also JSON that breaks the schema", Run: keymap.Cmd((*Form).submit),
		},
	}
}

// FormBindings are the keys of a form, beside those of its fields.
func FormBindings() []keymap.Binding[*Form] {
	return []keymap.Binding[*Form]{
		{
			Name: "earlier arguments", Key: key.NewBinding(key.WithKeys("ctrl+r"), key.WithHelp("", "earlier")),
			Group: fields.Group, Where: scope.Form, Footer: 4, Shy: true,
			Help:     "load the arguments of the call before; again those of older calls, up to five, and then what you typed",
			Disabled: (*Form).noneEarlier, Run: keymap.Cmd((*Form).showEarlier),
		},
		{
			Name: "next suggestion", Key: key.NewBinding(key.WithKeys("ctrl+n")), Group: fields.Group, Where: scope.Form,
			Help:     "put the server's next suggestion into the field, for arguments of prompts and variables of templates",
			Disabled: (*Form).noSuggestions, Run: keymap.Do(func(f *Form) { f.pickSuggestion(1) }),
		},
		{
			Name: "suggestion before", Key: key.NewBinding(key.WithKeys("ctrl+p")), Group: fields.Group, Where: scope.Form,
			Help: "the suggestion before", Disabled: (*Form).noSuggestions, Run: keymap.Do(func(f *Form) { f.pickSuggestion(-1) }),
		},
		{
			Name: "scroll the description down", Key: key.NewBinding(key.WithKeys("pgdown")), Group: fields.Group, Where: scope.About,
			Help: "more of the description, unless a text of several lines has the focus", Run: keymap.Do(func(f *Form) { f.about.page(1) }),
		},
		{
			Name: "scroll the description up", Key: key.NewBinding(key.WithKeys("pgup")), Group: fields.Group, Where: scope.About,
			Help: "back in the description", Run: keymap.Do(func(f *Form) { f.about.page(-1) }),
		},
		{
			Name: "options", Key: key.NewBinding(key.WithKeys("ctrl+t"), key.WithHelp("", "options")), Group: fields.Group, Where: scope.Form, Footer: 6,
			Help: "timeouts of the call, when it cancels itself, its _meta, no progress, and whether it runs as a task", Run: keymap.Do(func(f *Form) { f.toggleOptions() }),
		},
		{
			Name: "preview", Key: key.NewBinding(key.WithKeys("alt+p")), Group: fields.Group, Where: scope.Form,
			Help: "see the message that would be sent, set out in lines, and over HTTP what goes in the head", Run: keymap.Cmd((*Form).preview),
		},
	}
}
