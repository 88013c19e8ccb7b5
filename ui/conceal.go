package ui

import (
	"encoding/json"

	"belay/internal/form"
	"belay/session/secret"
)

// secretFields adds the names of the fields below n that look like secrets, by
// their name, their title or the format password.
func secretFields(names []string, n *form.Node) []string {
	const most = 200 // nobody reads on in a name
	if secret.Named(n.Name[:min(len(n.Name), most)]) || secret.Named(n.Title[:min(len(n.Title), most)]) || n.Format == "password" {
		names = append(names, n.Name)
	}
	for _, kid := range n.Kids() {
		names = secretFields(names, kid)
	}
	return names
}

// conceal has a recording mask what the user typed into fields that look like
// secrets, wherever it comes again. Content is the object that is about to be sent.
func conceal(b Backend, content []byte, names []string) {
	if len(names) == 0 {
		return
	}
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
// names. In is the name of the member that value is part of, or "" outside of all.
func concealed(values []secret.Value, value any, names map[string]bool, in string) []secret.Value {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			within := in
			if names[name] {
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
