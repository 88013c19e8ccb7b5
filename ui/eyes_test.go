package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
	"belay/ui/canvas"
)

func pasted(text string) tea.PasteMsg { return tea.PasteMsg{Content: text} }

// find is where a text stands on the screen first.
func (w *harness) find(text string) (x, y int) {
	w.t.Helper()
	for y, l := range strings.Split(w.screen(), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			return safe.Width(safe.Text(l[:i])), y
		}
	}
	w.t.Fatalf("the screen lacks %q:\n%s", text, w.screen())
	return 0, 0
}

func wheelDown(x, y int) tea.MouseWheelMsg {
	return tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelDown}
}

func (w *harness) click(x, y int) { w.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }

// styleAt is the escape sequence in force where a text stands first.
func (w *harness) styleAt(text string) string {
	w.t.Helper()
	for l := range strings.SplitSeq(w.m.View().Content, "\n") {
		i := strings.Index(l, text)
		if i < 0 || !strings.Contains(ansi.Strip(l), text) {
			continue
		}
		start := strings.LastIndex(l[:i], "\x1b[")
		end := strings.IndexByte(l[start:], 'm')
		return l[start : start+end+1]
	}
	w.t.Fatalf("no run of the screen is %q", text)
	return ""
}

// sgrOf is the sequence that a style is drawn with on a selected row or a plain
// one: the background of the row is left out.
func sgrOf(w *harness, s canvas.Style) string {
	s.BG = w.m.styles.Selected.BG
	c := canvas.New(w.m.canvas.Palette(), false)
	c.Reset(1, 1)
	c.All().Put(0, 0, "x", s)
	out := c.String()
	return out[:strings.IndexByte(out, 'x')]
}

func resized(w, h int) tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: w, Height: h} }
