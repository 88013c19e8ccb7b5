package question

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/sampling"
	"belay/ui/scope"
	"belay/ui/theme"
)

// samplingAsk is a question of the server's to a model, which the user answers
// in its place.
type samplingAsk struct {
	req    mcp.Sampling
	fields *sampling.View
	turn   int // the how manieth request of its call it is
}

func newSampling(req mcp.Sampling, turn int, looks theme.Looks) *samplingAsk {
	return &samplingAsk{req: req, fields: sampling.New(req, looks), turn: turn}
}

func (s *samplingAsk) scope() keymap.Scope {
	if s.fields.IsRaw() {
		return scope.Answer
	}
	return scope.Sampling
}

func (s *samplingAsk) title() safe.Text { return "to answer for a model" }

func (s *samplingAsk) pinned(on panel.Screen) (lines []doc.Line) {
	warn := func(t safe.Text) {
		lines = append(lines, doc.Line{{Text: "! " + t, Style: on.Styles.Warn}})
	}
	if on.Status.Revision.IsModern() {
		lines = append(lines, doc.Line{{Text: "sampling is deprecated in " + safe.Line(string(on.Status.Revision)), Style: on.Styles.Muted}})
	}
	if s.turn > session.MaxTurns {
		warn("this is request " + wording.Thousands(s.turn) + " to a model within one call: it may be a loop")
	}
	if long := s.fields.TooLong(); long != "" {
		warn(long)
	}
	return lines
}

func (s *samplingAsk) height(on panel.Screen, width int) int {
	return s.fields.Height(width, on.Layout.Body.Dy())
}

func (s *samplingAsk) draw(_ *panel.Frame, g canvas.Region) *image.Point { return s.fields.Draw(g) }

func (s *samplingAsk) key(p *Panel, k tea.KeyPressMsg) tea.Cmd {
	if !s.fields.Key(panel.FieldKey(k)) {
		return p.host.Want(panel.Unused{Key: k})
	}
	return nil
}

func (s *samplingAsk) paste(text string) { s.fields.Paste(text) }

func (s *samplingAsk) touched() bool { return s.fields.WasTouched() }

// flip shows the answer as raw JSON, or the fields again when they can hold what
// the JSON says.
func (s *samplingAsk) flip(p *Panel) tea.Cmd {
	why, err := s.fields.Flip(p.host.Screen().Status.Revision)
	if err != nil {
		return p.host.Say(panel.Error(err))
	}
	return p.host.Say(panel.Refused(why))
}

// openEditor gives the answer, or the JSON beside it, to the user's editor.
func (s *samplingAsk) openEditor(p *Panel) tea.Cmd {
	text, ending, put := s.fields.Outside()
	return p.host.Want(panel.Edit{Text: text, Ending: ending, Take: func(after string) tea.Cmd {
		put(after)
		return nil
	}})
}

func (s *samplingAsk) answer(rev mcp.Revision) (result []byte, why, ask safe.Text) {
	return s.fields.Result(rev)
}
