package fields

import (
	"charm.land/bubbles/v2/key"

	"belay/ui/formview"
	"belay/ui/keymap"
)

// Group is the heading of the keys of a form.
const Group = "In a form"

// Bindings are the keys that work in the fields of any form.
func Bindings() []keymap.Binding[Focus] {
	return []keymap.Binding[Focus]{
		{
			Name: "next field or send", Key: key.NewBinding(key.WithKeys("enter")), Group: Group, Where: formview.InFields,
			Help: "the next field; on the last one, send", Run: keymap.Cmd(Focus.Enter),
		},
		{
			Name: "next field", Key: key.NewBinding(key.WithKeys("tab"), key.WithHelp("", "next")), Group: Group, Where: formview.InStops, Footer: 3,
			Help: "the next field", Run: keymap.Do(func(f Focus) { f.Step(1) }),
		},
		{
			Name: "field before", Key: key.NewBinding(key.WithKeys("shift+tab")), Group: Group, Where: formview.InStops,
			Help: "the field before", Run: keymap.Do(func(f Focus) { f.Step(-1) }),
		},
		{
			Name: "line down or next field", Key: key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "")), Group: Group, Where: formview.InStops,
			Help: "the next line of a text, or the next field", Run: keymap.Do(func(f Focus) { f.lineOrField(1) }),
		},
		{
			Name: "line up or field before", Key: key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "")), Group: Group, Where: formview.InStops,
			Help: "the line before, or the field before", Run: keymap.Do(func(f Focus) { f.lineOrField(-1) }),
		},
		{
			Name: "line break", Key: key.NewBinding(key.WithKeys("alt+enter", "ctrl+j"), key.WithHelp("", "new line")),
			Group: Group, Where: formview.InLines, Footer: 7,
			Help: "a line break in a text", Run: keymap.Do(func(f Focus) { f.View().BreakLine() }),
		},
		{
			Name: "add an item", Key: key.NewBinding(key.WithKeys("alt+n", "insert"), key.WithHelp("", "add")),
			Group: Group, Where: formview.InGrowing, Footer: 3,
			Help: "add an item to a list, or a member to an object that takes more; space does it on their own line",
			Run:  keymap.Do(func(f Focus) { f.View().Add() }),
		},
		{
			Name: "remove the item", Key: key.NewBinding(key.WithKeys("ctrl+y"), key.WithHelp("", "remove")), Group: Group, Where: formview.InItem, Footer: 4,
			Help: "take the item or the added member out", Run: keymap.Do(func(f Focus) { f.View().Remove() }),
		},
		{
			Name: "item up", Key: key.NewBinding(key.WithKeys("alt+up"), key.WithHelp("alt+↑", "")), Group: Group, Where: formview.InItem,
			Help: "move the item up in its list", Disabled: Focus.noListItem, Run: keymap.Do(func(f Focus) { f.View().Shift(-1) }),
		},
		{
			Name: "item down", Key: key.NewBinding(key.WithKeys("alt+down"), key.WithHelp("alt+↓", "")), Group: Group, Where: formview.InItem,
			Help: "move it down", Disabled: Focus.noListItem, Run: keymap.Do(func(f Focus) { f.View().Shift(1) }),
		},
		{
			Name: "raw JSON", Key: key.NewBinding(key.WithKeys("ctrl+g"), key.WithHelp("", "raw JSON")), Group: Group, Where: formview.InFields, Footer: 5,
			Help: "the whole as raw JSON, and back", Run: keymap.Cmd(Focus.flip),
		},
		{
			Name: "form", Key: key.NewBinding(key.WithKeys("ctrl+g"), key.WithHelp("", "form")), Group: Group, Where: formview.InRaw, Footer: 5,
			Help: "back to the form", Run: keymap.Cmd(Focus.flip),
		},
		{
			Name: "show the secret", Key: key.NewBinding(key.WithKeys("alt+s"), key.WithHelp("", "show")), Group: Group, Where: formview.InSecret, Footer: 2,
			Help: "show what is typed or chosen in a field that is a secret by its name, title or schema, and the server's default, until the focus leaves it",
			Run:  keymap.Do(func(f Focus) { f.View().Bare() }),
		},
		{
			Name: "hide the secret", Key: key.NewBinding(key.WithKeys("alt+s"), key.WithHelp("", "hide")), Group: Group, Where: formview.InBared, Footer: 2,
			Help: "hide it again", Run: keymap.Do(func(f Focus) { f.View().Hide() }),
		},
		{
			Name: "field as JSON", Key: key.NewBinding(key.WithKeys("alt+g")), Group: Group, Where: formview.InFields,
			Help: "this field alone as JSON, and back; for null, or a value of another kind",
			Run:  keymap.Cmd(Focus.flipField),
		},
		{
			Name: "editor", Key: key.NewBinding(key.WithKeys("ctrl+o"), key.WithHelp("", "editor")),
			Group: Group, Where: formview.InFields | formview.InRaw, Footer: 8,
			Help: "a text, or else the whole JSON, in $VISUAL or $EDITOR",
			Run:  keymap.Cmd(Focus.outside),
		},
	}
}

// ChoiceBindings are the keys that work in fields into which no text is typed.
func ChoiceBindings() []keymap.Binding[Focus] {
	return []keymap.Binding[Focus]{
		{
			Name: "choose", Key: key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("← →", "choose")),
			Group: Group, Where: formview.InChoosing, Footer: 2,
			Help: "the option before or after, in a field with options", Run: Focus.turn,
		},
		{
			Name: "tick", Key: key.NewBinding(key.WithKeys("space"), key.WithHelp("", "tick")), Group: Group, Where: formview.InTicking, Footer: 2,
			Help: "tick the option, where several can be chosen, and take the tick away", Run: keymap.Do(func(f Focus) { f.View().Tick() }),
		},
		{
			Name: "next option", Key: key.NewBinding(key.WithKeys("space")), Group: Group, Where: formview.InTurning,
			Help: "where one can be chosen, the option after", Run: Focus.turn,
		},
		{
			Name: "find an option", Typed: true, Key: key.NewBinding(key.WithHelp("letters", "")), Group: Group, Where: formview.InFinding,
			Help: "find an option by a part of its name, where they are too many to be shown; backspace takes letters back", Run: Focus.find,
		},
		{
			Name: "go to an option", Typed: true, Key: key.NewBinding(key.WithHelp("letter", "")), Group: Group, Where: formview.InJumping,
			Help: "the next option that begins with it, where all are shown", Run: Focus.jump,
		},
		{
			Name: "unset", Key: key.NewBinding(key.WithKeys("backspace", "delete", "ctrl+u")), Group: Group, Where: formview.InUnsetting,
			Help: "leave a field out that is empty or was chosen: unset is not empty", Run: keymap.Do(func(f Focus) { f.View().Unset() }),
		},
		{
			Name: "fill in", Key: key.NewBinding(key.WithKeys("right"), key.WithHelp("→", "fill in")), Group: Group, Where: formview.InOpening, Footer: 2,
			Help: "fill in an object or a list that is unset", Run: keymap.Do(func(f Focus) { f.View().Open() }),
		},
		{
			Name: "fill in by space", Key: key.NewBinding(key.WithKeys("space")), Group: Group, Where: formview.InFilling,
			Help: "fill in an object or a list that is unset", Run: keymap.Do(func(f Focus) { f.View().Open() }),
		},
		{
			Name: "add by space", Key: key.NewBinding(key.WithKeys("space")), Group: Group, Where: formview.InAdding,
			Help: "add an item or a member, on the line of the list or object itself",
			Run:  keymap.Do(func(f Focus) { f.View().Add() }),
		},
	}
}
