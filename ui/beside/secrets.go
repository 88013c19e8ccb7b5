package beside

import (
	"belay/internal/form"
	"belay/session/secret"
)

// Secrets remembers of names and titles whether they are those of secrets: lists
// hold the same fields many times over, and a form is looked at in each frame.
type Secrets map[string]bool

// IsField reports whether a field is a secret: by its name, its title, or what the
// schema says of it.
func (s Secrets) IsField(n *form.Node) bool { return n.Secret || s.has(n.Name) || s.has(n.Title) }

func (s Secrets) has(text string) bool {
	const most = 200 // nobody reads on in a name
	text = text[:min(len(text), most)]
	is, known := s[text]
	if !known {
		is = secret.Named(text)
		s[text] = is
	}
	return is
}

// SecretFields are the names of the fields below n that are secrets. Each is named
// once.
func SecretFields(n *form.Node) []string {
	var names []string
	judged := Secrets{}
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
		for _, kid := range n.Kids() {
			below(kid, name)
		}
	}
	below(n, "")
	return names
}
