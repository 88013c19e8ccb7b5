package question

import (
	"bytes"
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/secretfield"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/address"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/theme"
	"belay/ui/write"
)

// formAsk is a question of the server's that a form answers.
type formAsk struct {
	req     mcp.Elicitation
	fields  *formview.View
	begun   []byte   // what it held at first: the server's defaults
	secrets []string // names of fields that sound like secrets
	content []byte   // what it is about to answer
	faults  []string // in what its schema is not the flat one that the revision asks for
	rev     mcp.Revision
}

func newFormAsk(rev mcp.Revision, req mcp.Elicitation, problems []mcp.Problem, looks theme.Looks) *formAsk {
	use := form.Answer
	if !rev.HasElicitDefaults() {
		use = form.AnswerJune2025
	}
	f := &formAsk{req: req, rev: rev, fields: formview.Open(req.Schema, use, looks)}
	if !f.isUnread() {
		f.begin()
	}
	for _, p := range problems {
		if p.Code == mcp.DiagElicitSchema {
			f.faults = append(f.faults, p.Detail)
		}
	}
	return f
}

// isUnread reports whether the fields are not known yet.
func (f *formAsk) isUnread() bool {
	_, _, unread := f.fields.Unread()
	return unread
}

// begin looks at what the fields hold before anybody typed.
func (f *formAsk) begin() {
	f.begun = f.fields.Form().JSON()
	f.secrets = secretfield.Names(f.fields.Form().Root)
}

func (f *formAsk) scope() keymap.Scope { return scope.Elicit | f.fields.Scope() }

func (f *formAsk) title() safe.Text { return "to fill in a form" }

func (f *formAsk) pinned(on panel.Screen) []doc.Line {
	lines := address.LinkNote(f.req.Message, on.Looks)
	if n := len(f.faults); n > 0 {
		words := "! its schema is not flat, as " + safe.Line(string(f.rev)) + " wants: " + safe.LineN(f.faults[0], 80)
		if n > 1 {
			words += ", and " + wording.Thousands(n-1) + " more"
		}
		lines = append(lines, doc.Line{{Text: words, Style: on.Styles.Warn}})
	}
	if len(f.secrets) > 0 {
		lines = append(lines, doc.Line{{
			Text: "! it asks for what looks like a secret: " + nameList(f.secrets) + "; a form must not ask for one", Style: on.Styles.Bad.Bold(),
		}})
	}
	return lines
}

// nameList names some of the fields.
func nameList(names []string) (t safe.Text) {
	const most = 4
	for i, n := range names[:min(most, len(names))] {
		if i > 0 {
			t += ", "
		}
		t += safe.Cut(wording.Name(n), 30)
	}
	if more := len(names) - most; more > 0 {
		t += " and " + wording.Thousands(more) + " more"
	}
	return t
}

func (f *formAsk) write(d *write.Writer) { d.Quote(f.req.Message) }

func (f *formAsk) height(on panel.Screen, width int) int {
	return f.fields.Height(width, on.Layout.Body.Dy())
}

func (f *formAsk) draw(frame *panel.Frame, g canvas.Region) *image.Point {
	return frame.Form(f.fields, g)
}

func (f *formAsk) key(p *Panel, k tea.KeyPressMsg) tea.Cmd {
	return panel.TypeInto(p.host, f.fields, k)
}

func (f *formAsk) paste(text string) { f.fields.Paste(text) }

func (f *formAsk) touched() bool {
	return f.fields.IsRaw() || !bytes.Equal(f.fields.Form().JSON(), f.begun)
}

func (f *formAsk) answer(mcp.Revision) (result []byte, why, ask safe.Text) {
	content, problem, byHand := f.fields.Value()
	if !f.isUnread() {
		f.secrets = secretfield.Names(f.fields.Form().Root) // also those that were added, and of another branch
	}
	switch {
	case problem == "":
	case !byHand:
		return nil, problem, ""
	default:
		ask = "it breaks the schema"
	}
	if len(f.secrets) > 0 {
		if ask != "" {
			ask += "; "
		}
		ask += nameList(f.secrets) + " looks like a secret, which the server must not ask for here"
	}
	f.content = content
	return mcp.ElicitationResult(mcp.ElicitForm, mcp.ElicitAccept, content), "", ask
}

// View is the form in the panel; nil when it has none.
func (p *Panel) View() *formview.View {
	if f, ok := p.question.body.(*formAsk); ok {
		return f.fields
	}
	return nil
}

// Step goes to another field, around the end.
func (p *Panel) Step(n int) {
	p.question.leaving = 0
	if f := p.View(); f != nil && !f.Next(n) {
		f.Edge(n < 0)
	}
}

// Enter goes to the next field. It never sends (ELI-63).
func (p *Panel) Enter() tea.Cmd {
	p.question.leaving = 0
	if f := p.View(); f != nil && !f.Next(1) {
		return p.host.Say(panel.Refused("this is the last field, and enter sends no answer: ctrl+s does"))
	}
	return nil
}
