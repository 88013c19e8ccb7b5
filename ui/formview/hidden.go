package formview

import (
	"slices"
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/ui/keymap"
)

// Who looks over a shoulder, or at a screen that is shared, reads no secret while it is typed, nor one
// that the server proposes. The raw JSON, the editor and the message that would be sent show it, as they show what goes out.

// isSecret reports whether what is typed into a node is a secret: of its own, or of what it is in.
func (f *View) isSecret(n *form.Node) bool {
	for ; n != nil; n = n.Up() {
		if f.secrets.IsField(n) {
			return true
		}
	}
	return false
}

// holdsSecret reports whether a secret would stand in the row of a node: what is typed there or chosen,
// or the server's default. A truth value is none, whatever it is called.
func (f *View) holdsSecret(n *form.Node) bool {
	isSecret := f.isSecret(n)
	switch {
	case n.Writes():
		return isSecret || (!n.IsSet() || n.IsPreset()) && f.isInDefault(n)
	case n.Kind == form.Choice, n.Kind == form.Many:
		return isSecret && !slices.ContainsFunc(n.Options, isTruth) || !n.IsSet() && f.isInDefault(n)
	}
	return !n.IsSet() && (isSecret && n.Default != nil || f.isInDefault(n))
}

func isTruth(o form.Option) bool { return string(o.Value) == "true" || string(o.Value) == "false" }

// isInDefault reports whether the server's default of a node has a secret in it.
func (f *View) isInDefault(n *form.Node) bool {
	if n.Default == nil {
		return false
	}
	is, known := f.defaults[n.Type]
	if !known {
		is = f.secrets.IsInDefault(n)
		f.defaults[n.Type] = is
	}
	return is
}

// isHidden reports whether what stands in the row of a node is not shown.
func (f *View) isHidden(n *form.Node) bool { return n != f.bared && f.holdsSecret(n) }

// secret is the place of the focus in a field of a secret: [InSecret] or [InBared]; 0: it is in another field.
func (f *View) secret() keymap.Scope {
	switch n := f.focus.Node; {
	case f.focus.Part != form.Value || !f.holdsSecret(n):
		return 0
	case f.bared == n:
		return InBared
	}
	return InSecret
}

// Bare shows the secret that stands in the field with the focus, in [InSecret], until the focus
// leaves it, or [View.Hide].
func (f *View) Bare() {
	if f.Scope()&InSecret != 0 {
		f.bared = f.focus.Node
	}
}

// Hide hides the secret again that [View.Bare] shows, in [InBared], or because the focus has left the
// field with the whole form.
func (f *View) Hide() { f.bared = nil }

// hidden is a line of a text as it stands where it is not shown. The cursor's place in it is the same.
func (f *View) hidden(line safe.Text) safe.Text {
	return safe.Text(strings.Repeat(string(f.looks.Glyphs.Bullet), safe.Width(line)))
}

// hiddenAll is a text in which nothing of it is shown, nor how long it is.
func (f *View) hiddenAll() safe.Text {
	const some = 8
	return safe.Text(strings.Repeat(string(f.looks.Glyphs.Bullet), some))
}
