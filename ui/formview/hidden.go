package formview

import (
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
)

// Who looks over a shoulder, or at a screen that is shared, reads no secret while it is typed. The raw
// JSON, the editor and the message that would be sent show it, as they show what goes out.

// isSecret reports whether what is typed into a node is a secret: of its own, or of what it is in.
func (f *View) isSecret(n *form.Node) bool {
	for ; n != nil; n = n.Up() {
		if f.secrets.IsField(n) {
			return true
		}
	}
	return false
}

// isHidden reports whether what is typed into a node is not shown.
func (f *View) isHidden(n *form.Node) bool { return n != f.bared && n.Writes() && f.isSecret(n) }

// Bare shows the secret that is typed into the field with the focus, in [InSecret], until the focus
// leaves it or the key is pressed again.
func (f *View) Bare() {
	switch {
	case f.Scope()&InSecret == 0:
	case f.bared == f.focus.Node:
		f.Hide()
	default:
		f.bared = f.focus.Node
	}
}

// Hide hides the secret that [View.Bare] shows: the focus has left the field, or the whole form.
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
