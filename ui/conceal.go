package ui

import (
	"encoding/json"

	"belay/internal/form"
	"belay/session/secret"
)

// secretNames remembers of names and titles whether they are those of secrets: lists
// hold the same fields many times over, and a form is looked at in each frame.
type secretNames map[string]bool

// isField reports whether a field is a secret: by its name, its title, or what the
// schema says of it.
func (s secretNames) isField(n *form.Node) bool { return n.Secret || s.has(n.Name) || s.has(n.Title) }

func (s secretNames) has(text string) bool {
	const most = 200 // nobody reads on in a name
	text = text[:min(len(text), most)]
	is, known := s[text]
	if !known {
		is = secret.Named(text)
		s[text] = is
	}
	return is
}

// secretFields are the names of the fields below n that are secrets. Each is named
// once.
func secretFields(n *form.Node) []string {
	var names []string
	judged := secretNames{}
	added := map[string]bool{}
	var below func(n *form.Node, name string)
	below = func(n *form.Node, name string) {
		if n.Name != "" { // an item and a branch have the name of what they are in
			name = n.Name
		}
		if judged.isField(n) && !added[name] {
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
