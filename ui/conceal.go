package ui

import (
	"encoding/json"

	"belay/internal/form"
	"belay/session/secret"
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
