package theme

import (
	"charm.land/bubbles/v2/spinner"

	"belay/internal/safe"
	"belay/ui/canvas"
)

// Glyphs are the signs that stand beside the words. Each is one column wide.
type Glyphs struct {
	Border canvas.Border
	Spin   []safe.Text // the frames of the spinner

	Queued, Asks, Cancelling, Cancelled, Done, Failed, Dropped, Lost safe.Text
	Live, Dead, Bar, Mark, Note, Bullet, Play                        safe.Text
	Dots                                                             safe.Text // what follows a word that goes on

	Out, In                         safe.Text // the wire pane's arrows
	Line, Dashed, HeadOut, HeadIn   safe.Text // the timeline's arrows
	Rule, Full, Empty, Up, Down     safe.Text
	Quote, ThumbOn, ThumbOff, Other safe.Text
}

// frames are those of a spinner, from the first on.
func frames(s spinner.Spinner, first int) []safe.Text {
	out := make([]safe.Text, len(s.Frames))
	for i := range out {
		out[i] = safe.Line(s.Frames[(first+i)%len(s.Frames)])
	}
	return out
}

// Unicode are the glyphs for terminals that draw them.
var Unicode = Glyphs{
	Border: canvas.Round,
	Spin:   frames(spinner.MiniDot, 2),
	Queued: ".", Asks: "?", Cancelling: "⊘", Cancelled: "⊘", Done: "✓", Failed: "✗", Dropped: "∅", Lost: "◇",
	Live: "●", Dead: "○", Bar: "▌", Mark: "▪", Note: "·", Bullet: "•", Play: "▶", Dots: "…",
	Out: "→", In: "←", Line: "─", Dashed: "┄", HeadOut: "►", HeadIn: "◄",
	Rule: "─", Full: "█", Empty: "░", Up: "↑", Down: "↓",
	Quote: "┃", ThumbOn: "┃", ThumbOff: "│", Other: "⋯",
}

// ASCII are the glyphs for all others.
var ASCII = Glyphs{
	Border: canvas.Plain,
	Spin:   frames(spinner.Line, 0),
	Queued: ".", Asks: "?", Cancelling: "x", Cancelled: "x", Done: "+", Failed: "!", Dropped: "0", Lost: "#",
	Live: "*", Dead: "o", Bar: ">", Mark: "*", Note: "-", Bullet: "*", Play: ">", Dots: "...",
	Out: ">", In: "<", Line: "-", Dashed: ".", HeadOut: ">", HeadIn: "<",
	Rule: "-", Full: "#", Empty: ".", Up: "^", Down: "v",
	Quote: "|", ThumbOn: "#", ThumbOff: "|", Other: "~",
}
