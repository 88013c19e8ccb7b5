package paneltest

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/keymap"
	"belay/ui/panel"
)

// Keys are the keys of a panel: those of its bindings, and those that it takes itself.
type Keys[P panel.Panel] struct {
	Scope func() keymap.Scope // where keys work; that of the panel at first

	host     *Host
	panel    P
	bindings *keymap.Map[P]
}

// KeysOf are the keys of a panel.
func KeysOf[P panel.Panel](h *Host, p P, bindings []keymap.Binding[P]) *Keys[P] {
	h.T.Helper()
	m, err := keymap.New(bindings)
	if err != nil {
		h.T.Fatal(err)
	}
	return &Keys[P]{Scope: p.Scope, host: h, panel: p, bindings: m}
}

// Press presses keys by their names. A key whose binding is disabled says why.
func (k *Keys[P]) Press(names ...string) {
	k.host.T.Helper()
	for _, name := range names {
		k.host.line.Clear()
		if b, ok := k.bindings.Find(k.Scope(), name); ok {
			k.run(b, name)
			continue
		}
		if b, ok := k.bindings.Typed(k.Scope()); ok && Key(name).Text != "" {
			k.run(b, Key(name).Text)
			continue
		}
		k.host.Run(k.panel.Key(Key(name)))
	}
}

func (k *Keys[P]) run(b *keymap.Binding[P], arg string) {
	if why := b.Reason(k.panel); why != "" {
		k.host.Run(k.host.Say(panel.Refused(safe.Text(why))))
		return
	}
	k.host.Run(b.Run(k.panel, arg))
}

// Type types a text.
func (k *Keys[P]) Type(text string) {
	k.host.T.Helper()
	for _, r := range text {
		k.Press(string(r))
	}
}

// Command carries out a command of the palette.
func (k *Keys[P]) Command(text string) {
	k.host.T.Helper()
	name, arg, _ := strings.Cut(text, " ")
	for _, b := range k.bindings.Commands() {
		if b.Command == name {
			k.host.line.Clear()
			k.run(b, arg)
			return
		}
	}
	k.host.T.Fatalf("there is no command %s", name)
}

var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "insert": tea.KeyInsert, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "f1": tea.KeyF1,
}

var modifiers = []struct {
	prefix string
	mod    tea.KeyMod
}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}}

// Key is the key with a name, such as "a", "space" or "ctrl+shift+up".
func Key(name string) (k tea.KeyPressMsg) {
	for again := true; again; {
		again = false
		for _, m := range modifiers {
			if rest, ok := strings.CutPrefix(name, m.prefix); ok && rest != "" {
				name, again = rest, true
				k.Mod |= m.mod
			}
		}
	}
	switch code, ok := codes[name]; {
	case ok:
		k.Code = code
	case name == "space", name == " ":
		k.Code, k.Text = ' ', " "
	default:
		k.Code = []rune(name)[0]
		if k.Mod == 0 {
			k.Text = name
		}
	}
	return k
}
