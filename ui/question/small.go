package question

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/panel"
)

// tooSmallWords are why a key does nothing for a question where there is but a
// line: what cannot be read must not be answered.
var tooSmallWords = "too small to answer: " + panel.LeastSize + " is the least · x q"

// drawTiny draws one line with the question, the lack of room for its answer, and
// the keys that still work. In less room it says less.
func (a *question) drawTiny(frame *panel.Frame) {
	what, style := safe.Text("asks you"), frame.Styles.Warn
	switch {
	case a.isLocked() && a.view.Closed != "":
		what, style = "closed", frame.Styles.Stop
	case a.isLocked():
		what, style = safe.Text(a.view.State.String()), frame.Styles.Stop
	case a.wasVisited():
		what, style = "an address was opened", frame.Styles.OK
	}
	needs := panel.LeastSize
	g := frame.Canvas.All().Row(0)
	words, keys := safe.Text(""), safe.Text("")
	for _, try := range [][2]safe.Text{
		{"? " + wording.Name(a.view.Method) + " " + what + " · needs " + needs, "x cancel  q quit"},
		{"? " + wording.Name(a.view.Method) + " " + what + " · needs " + needs, "x q"},
		{"? " + what + " · needs " + needs, "x q"},
		{"? needs " + needs, "x q"},
		{"? " + needs, "x q"},
	} {
		if words, keys = try[0], try[1]; safe.Width(words)+2+safe.Width(keys) <= g.W() {
			break
		}
	}
	g.Fill(frame.Styles.Text)
	g.PutRight(g.W(), 0, keys, frame.Styles.Muted)
	g.Put(0, 0, safe.Cut(words, max(0, g.W()-safe.Width(keys)-1)), style.Bold())
}
