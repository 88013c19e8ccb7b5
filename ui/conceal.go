package ui

import (
	"bytes"
	"context"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/session/secret"
	"belay/ui/formview"
)

// secretFields are the names of the fields below n that are secrets: by their name,
// their title, or what the schema says of them. Each is named once.
func secretFields(n *form.Node) []string {
	var names []string
	judged := map[string]bool{} // by name: lists hold the same fields many times over
	isSecret := func(text string) bool {
		const most = 200 // nobody reads on in a name
		text = text[:min(len(text), most)]
		is, known := judged[text]
		if !known {
			is = secret.Named(text)
			judged[text] = is
		}
		return is
	}
	added := map[string]bool{}
	var below func(n *form.Node, name string)
	below = func(n *form.Node, name string) {
		if n.Name != "" { // an item and a branch have the name of what they are in
			name = n.Name
		}
		if (n.Secret || isSecret(n.Name) || isSecret(n.Title)) && !added[name] {
			added[name] = true
			names = append(names, name)
		}
		for _, kid := range n.Kids() {
			below(kid, name)
		}
	}
	below(n, "")
	return names
}

// onceConcealed has a recording mask what of content, the object that v is about to
// send, was typed into secret fields, wherever it comes again. Where that takes longer
// than a key may wait it is done beside the screen: then is done afterwards, if v is
// still there. It says false where nothing has to be waited for.
func (m *Model) onceConcealed(v *formview.View, content []byte, names []string, then func(m *Model) tea.Cmd) (tea.Cmd, bool) {
	if m.beside.concealed == v {
		return nil, false
	}
	if len(content) <= contentAtOnce {
		conceal(m.backend, content, names)
		return nil, false
	}
	m.beside.value.stop()
	m.beside.then = then
	b := m.backend
	return tea.Batch(
		m.beside.value.want(m.beside.ctx, v, func(context.Context) tea.Msg {
			conceal(b, content, names)
			return concealedMsg{v, content}
		}),
		m.say("being looked through for secrets"+m.glyphs.Dots, said),
	), true
}

// contentAtOnce is how much of what is sent is looked through between two keys, in
// bytes.
const contentAtOnce = 32 << 10

// concealedMsg is content whose secrets a recording masks by now.
type concealedMsg struct {
	of      *formview.View
	content []byte
}

func (m *Model) wasConcealed(msg concealedMsg) tea.Cmd {
	if !m.beside.value.done(msg.of) {
		return nil
	}
	if content, _, _ := msg.of.Value(); !bytes.Equal(content, msg.content) {
		return m.say("not sent: it was changed while it was looked through for secrets · ctrl+s sends it", refused)
	}
	m.beside.concealed = msg.of
	defer func() { m.beside.concealed = nil }()
	return m.beside.then(m)
}

// conceal has a recording mask the values of the members of content that have one of
// these names, or the name of a secret. It may take as long as content is.
func conceal(b Backend, content []byte, names []string) {
	named := map[string]bool{}
	for _, n := range names {
		named[n] = true
	}
	var value any
	if json.Unmarshal(content, &value) == nil {
		if values := concealed(nil, value, named, ""); len(values) > 0 {
			b.Conceal(values...)
		}
	}
}

// concealed adds the texts, numbers and truth values within the members of these
// names, and of names of secrets: JSON that was written by hand has members that no
// field of the form has. In is the name of the member that value is part of, or "" outside of all.
func concealed(values []secret.Value, value any, names map[string]bool, in string) []secret.Value {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			within := in
			if names[name] || secret.Named(name) {
				within = name
			}
			values = concealed(values, member, names, within)
		}
	case []any:
		for _, item := range v {
			values = concealed(values, item, names, in)
		}
	case nil:
	case string:
		if in != "" {
			values = append(values, secret.Value{Name: in, Text: v})
		}
	default:
		if text, err := json.Marshal(v); in != "" && err == nil {
			values = append(values, secret.Value{Name: in, Text: string(text)})
		}
	}
	return values
}
