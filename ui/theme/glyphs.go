package theme

import (
	"slices"

	"charm.land/bubbles/v2/spinner"

	"belay/internal/safe"
	"belay/ui/canvas"
)

// Glyphs are the signs that stand beside the words. Each is one column wide.
type Glyphs struct {
	Border canvas.Border
	Spin   spinner.Spinner

	Queued, Asks, Cancelling, Cancelled, Done, Failed, Dropped, Lost safe.Text
	Live, Dead, Bar, Mark, Note, Bullet, Play                        safe.Text
	Dots                                                             safe.Text // what follows a word that goes on

	Out, In                         safe.Text // the wire pane's arrows
	Line, Dashed, HeadOut, HeadIn   safe.Text // the timeline's arrows
	Rule, Full, Empty, Up, Down     safe.Text
	Quote, ThumbOn, ThumbOff, Other safe.Text
}

// Still is the spinner where nothing moves: its first frame.
func (g *Glyphs) Still() safe.Text { return safe.Line(g.Spin.Frames[0]) }

// begunAt is a spinner that begins with another of its frames.
func begunAt(first int, s spinner.Spinner) spinner.Spinner {
	s.Frames = slices.Concat(s.Frames[first:], s.Frames[:first])
	return s
}

// Unicode are the glyphs for terminals that draw them.
var Unicode = Glyphs{
	Border: canvas.Round,
	Spin:   begunAt(2, spinner.MiniDot),
	Queued: ".", Asks: "?", Cancelling: "⊘", Cancelled: "⊘", Done: "✓", Failed: "✗", Dropped: "∅", Lost: "◇",
	Live: "●", Dead: "○", Bar: "▌", Mark: "▪", Note: "·", Bullet: "•", Play: "▶", Dots: "…",
	Out: "→", In: "←", Line: "─", Dashed: "┄", HeadOut: "►", HeadIn: "◄",
	Rule: "─", Full: "█", Empty: "░", Up: "↑", Down: "↓",
	Quote: "┃", ThumbOn: "┃", ThumbOff: "│", Other: "⋯",
}

// ASCII are the glyphs for all others.
var ASCII = Glyphs{
	Border: canvas.Plain,
	Spin:   spinner.Line,
	Queued: ".", Asks: "?", Cancelling: "x", Cancelled: "x", Done: "+", Failed: "!", Dropped: "0", Lost: "#",
	Live: "*", Dead: "o", Bar: ">", Mark: "*", Note: "-", Bullet: "*", Play: ">", Dots: "...",
	Out: ">", In: "<", Line: "-", Dashed: ".", HeadOut: ">", HeadIn: "<",
	Rule: "-", Full: "#", Empty: ".", Up: "^", Down: "v",
	Quote: "|", ThumbOn: "#", ThumbOff: "|", Other: "~",
}
