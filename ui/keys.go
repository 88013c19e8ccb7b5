package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/layout"
)

// The places where keys work, beside those in the fields of a form.
const (
	inCalls keymap.Scope = formview.Free << iota
	inDetail
	inWire
	inTiny   // the one line of a terminal that is too small
	inLine   // a line of input at the bottom
	inPicker // the list of what can be called
	inForm   // the form of its arguments

	inAbout   // a form whose description is longer than what is seen of it
	inPage    // help, server info, a whole message
	inConfirm // a question
	inParts   // the parts of a result

	inConfirmMore // … of which there is more to see
	inConfirmQuit // … that quitting asks

	inElicit   // a question of the server's that a form answers
	inURL      // … that wants an address opened
	inSampling // … that is for a model
	inAnswer   // the JSON beside that
	inOpened   // … whose address was opened
	inVisiting // … and whose call goes on when the user says so
	inLocked   // … that has ended without an answer
	inHeld     // … that has just opened by itself
	inSmall    // … on a terminal that is too small to answer it
	inClosing  // quitting

	inLoginPage  // a login whose page is to be opened
	inLoginEmpty // … and nothing is pasted yet
	inLoginTyped // … or something is
	inLoginWait  // … that goes on by itself
	inLoginOver  // … that has failed

	inPanes = inCalls | inDetail | inWire
	inText  = inLine | inPicker | inForm
	inLists = inPanes | inPage
	inAsk   = inElicit | inURL | inSampling | inAnswer | inOpened | inLocked | inHeld | inSmall
	inLive  = inElicit | inURL | inSampling | inAnswer
	inLogin = inLoginPage | inLoginWait | inLoginOver
	inAny   = inPanes | inTiny | inText | inPage | inParts | inConfirm | inAsk | inClosing | inLogin
)

// modal is something that lies over the panes and takes the keys.
type modal interface {
	// scope is where its keys work.
	scope() keymap.Scope
	// draw draws it on the model's canvas and returns where the cursor is, or nil.
	draw(m *Model) *image.Point
	// key takes a key that no binding took.
	key(m *Model, k tea.KeyPressMsg) tea.Cmd
	// paste takes pasted text. It is text and never a key (SEC-30).
	paste(m *Model, text string) tea.Cmd
	// close is esc.
	close(m *Model) tea.Cmd
}

func (m *Model) push(d modal) { m.stack = append(m.stack, d) }

// pop removes a modal, wherever it is.
func (m *Model) pop(d modal) {
	for i := range m.stack {
		if m.stack[i] == d {
			m.stack = append(m.stack[:i:i], m.stack[i+1:]...)
			return
		}
	}
}

func (m *Model) modal() modal {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}

// scope is where the keys work now.
func (m *Model) scope() keymap.Scope {
	_, asked := m.modal().(*promptPanel)
	switch {
	case asked && m.lay.Mode == layout.Tiny:
		return inSmall
	case len(m.stack) > 0:
		return m.modal().scope()
	case m.lay.Mode == layout.Tiny:
		return inTiny
	}
	return [...]keymap.Scope{layout.Calls: inCalls, layout.Detail: inDetail, layout.Wire: inWire}[m.focus]
}

// key looks for the binding of a key. A binding that is disabled says why.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	m.toast.clear()
	name := k.String()
	if name == "kpenter" {
		name = "enter"
	}
	if b, ok := m.keys.Find(m.scope(), name); ok {
		arg := ""
		if b.Command == "" {
			arg = name
		}
		return m.run(b, arg)
	}
	if b, ok := m.keys.Typed(m.scope()); ok && k.Text != "" {
		return m.run(b, k.Text)
	}
	if d := m.modal(); d != nil {
		return d.key(m, k)
	}
	return nil
}

// fieldKey is a key as the fields take it.
func fieldKey(k tea.KeyPressMsg) edit.Key {
	typed := k.Text
	if k.Mod&(tea.ModCtrl|tea.ModAlt) != 0 {
		typed = ""
	}
	return edit.Key{Name: k.String(), Text: typed}
}

// unused says of a key that does nothing here what it does in other places of
// forms and questions. Of any other key there is nothing to say.
func (m *Model) unused(k tea.KeyPressMsg) tea.Cmd {
	const others = inForm | inElicit | inSampling |
		formview.InFields | formview.InStops | formview.InGrowing | formview.InItem | formview.InLines
	b, ok := m.keys.Find(others, k.String())
	if !ok {
		return nil
	}
	return m.say(safe.Text(k.String()+" does nothing here: it is for \""+b.Name+"\""), refused)
}

// press does what the last of the keys of a binding does.
func (m *Model) press(b *keymap.Binding[*Model]) tea.Cmd {
	arg := ""
	if b.Command == "" {
		arg = b.Keys[len(b.Keys)-1]
	}
	return m.run(b, arg)
}

func (m *Model) run(b *keymap.Binding[*Model], arg string) tea.Cmd {
	if why := b.Reason(m); why != "" {
		return m.say(safe.Text(why), refused)
	}
	return b.Run(m, arg)
}

func (m *Model) paste(text string) tea.Cmd {
	m.toast.clear()
	if d := m.modal(); d != nil {
		return d.paste(m, text)
	}
	return nil
}

func (c *closing) scope() keymap.Scope { return inClosing }

func (c *closing) key(*Model, tea.KeyPressMsg) tea.Cmd { return nil }

func (c *closing) paste(*Model, string) tea.Cmd { return nil }

func (c *closing) close(*Model) tea.Cmd { return nil }
