package formview

import (
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/ui/keymap"
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

// secret is the place of the focus in a field of a secret: [InSecret] or [InBared]; 0: it is in another field.
func (f *View) secret() keymap.Scope {
	switch n := f.focus.Node; {
	case !n.Writes() || f.focus.Part != form.Value || !f.isSecret(n):
		return 0
	case f.bared == n:
		return InBared
	}
	return InSecret
}

// Bare shows the secret that is typed into the field with the focus, in [InSecret], until the focus
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
