// Package secretfield finds what is secret in what was filled into a form: by the name of a field,
// by its title, and by what the schema says of it. A form warns of such fields, and a recording
// holds none of their values.
package secretfield

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"belay/internal/form"
	"belay/session/secret"
)

// Judged remembers of names and titles whether they are those of secrets: lists
// hold the same fields many times over, and a form is looked at in each frame.
type Judged map[string]bool

// IsField reports whether a field is a secret: by its name, its title, or what the
// schema says of it.
func (j Judged) IsField(n *form.Node) bool { return n.Secret || j.has(n.Name) || j.has(n.Title) }

// IsInDefault reports whether the schema's default of a node has something in it that is a secret by
// itself, whatever the node is. It takes as long as the default is.
func (j Judged) IsInDefault(n *form.Node) bool {
	x := n.OfDefault()
	return x != nil && slices.ContainsFunc(Values(n.Default, Names(x)), func(v secret.Value) bool { return v.Text != "true" && v.Text != "false" })
}

func (j Judged) has(text string) bool {
	const most = 200 // nobody reads on in a name
	text = text[:min(len(text), most)]
	is, known := j[text]
	if !known {
		is = secret.IsName(text)
		j[text] = is
	}
	return is
}

// Names are the names of the fields below n that are secrets. Each is named
// once.
func Names(n *form.Node) []string {
	var names []string
	judged := Judged{}
	added := map[string]bool{}
	var below func(n *form.Node, name string)
	below = func(n *form.Node, name string) {
		if n.Name != "" { // an item and a branch have the name of what they are in
			name = n.Name
		}
		if judged.IsField(n) && !added[name] {
			added[name] = true
			names = append(names, name)
		}
		in := n
		if x := n.OfJSON(); x != nil {
			in = x
		}
		for _, kid := range in.Kids() {
			below(kid, name)
		}
	}
	below(n, "")
	return names
}

// Of are the values of content, an object for this schema, that stand in secret fields.
func Of(ctx context.Context, schema, content []byte) []secret.Value {
	var names []string
	if f, err := form.Read(ctx, schema, form.Arguments, form.Beside); err == nil && f.SetJSON(content) == nil {
		names = Names(f.Root)
	}
	return Values(content, names)
}

// Values are the values of the members of content, an object, that have one of these
// names, or the name of a secret. To find them takes as long as content is.
func Values(content []byte, names []string) []secret.Value {
	named := map[string]bool{}
	for _, n := range names {
		named[n] = true
	}
	var value any
	text := json.NewDecoder(bytes.NewReader(content))
	text.UseNumber() // as it was typed: an account number has more digits than a float
	if text.Decode(&value) != nil {
		return nil
	}
	return within(nil, value, named, "")
}

// within adds the texts, numbers and truth values within the members of these
// names, and of names of secrets: JSON that was written by hand has members that no
// field of the form has. In is the name of the member that value is part of, or "" outside of all.
func within(values []secret.Value, value any, names map[string]bool, in string) []secret.Value {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			inside := in
			if names[name] || secret.IsName(name) {
				inside = name
			}
			values = within(values, member, names, inside)
		}
	case []any:
		for _, item := range v {
			values = within(values, item, names, in)
		}
	case nil:
	case string:
		if in != "" {
			values = append(values, secret.Value{Name: in, Text: v})
		}
	default:
		if in != "" {
			values = append(values, secret.Value{Name: in, Text: fmt.Sprint(v)})
		}
	}
	return values
}
