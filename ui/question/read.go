package question

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/write"
)

// bodyMsg are the fields for a question whose parameters were read.
type bodyMsg struct {
	of   *question
	body questionBody
}

// ParamsAtOnce is how much of a question is read between two keys, in bytes.
const ParamsAtOnce = 32 << 10

// Read begins to read the parameters of the question that is shown, where that is
// still to be done.
func (p *Panel) Read(ctx context.Context) tea.Cmd {
	if a := p.shown(); a != nil {
		if _, ok := a.body.(*unreadAsk); ok {
			return p.Reading.Want(ctx, a, a.bodyReader(p.host.Screen()))
		}
	}
	return p.Reading.Want(ctx, nil, nil)
}

// bodyReader reads the parameters of a question.
func (a *question) bodyReader(on panel.Screen) func(context.Context) tea.Msg {
	view, rev, looks := a.view, on.Status.Revision, on.Looks
	return func(ctx context.Context) tea.Msg {
		b := newBody(&view, rev, looks)
		if ctx.Err() != nil {
			return nil
		}
		if f, ok := b.(*formAsk); ok && f.isUnread() {
			schema, use, _ := f.fields.Unread()
			x, err := form.Read(ctx, schema, use, form.Beside)
			if err != nil || f.fields.Read(x) != nil {
				return nil
			}
			f.begin()
		}
		return bodyMsg{a, b}
	}
}

// onBody takes the fields for a question, if it is still the one that is wanted.
func (p *Panel) onBody(msg bodyMsg) {
	if p.Reading.Done(msg.of) {
		msg.of.body, msg.of.doc = msg.body, nil
	}
}

// unreadAsk stands for the fields of a question whose parameters are still being
// read.
type unreadAsk struct{ size int }

func (u *unreadAsk) scope() keymap.Scope { return scope.Elicit }

func (u *unreadAsk) title() safe.Text { return "something" }

func (u *unreadAsk) pinned(on panel.Screen) []doc.Line {
	return []doc.Line{{{Text: "its " + wording.Size(u.size) + " are being read" + on.Glyphs.Dots, Style: on.Styles.Muted}}}
}

func (u *unreadAsk) write(*write.Writer) {}

func (u *unreadAsk) key(p *Panel, k tea.KeyPressMsg) tea.Cmd {
	if k.Text != "" {
		return p.host.Say(panel.Refused("it is still being read · esc dismisses it"))
	}
	return p.host.Want(panel.Unused{Key: k})
}

func (u *unreadAsk) answer(mcp.Revision) (result []byte, why, ask safe.Text) {
	return nil, "it is still being read", ""
}
