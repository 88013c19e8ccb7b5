package beside

import (
	"bytes"
	"context"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/secretfield"
	"belay/session/secret"
	"belay/ui/formview"
	"belay/ui/panel"
)

// Backend is what the values are told to.
type Backend interface {
	// Conceal has a recording mask these values in what is written from now on. It
	// does not block, however long they are.
	Conceal(values ...secret.Value)
}

// Values are what was filled into forms and is about to be sent: each is judged by all
// rules of its schema, and its secrets are concealed. Make one with [NewValues].
type Values struct {
	Work
	host    panel.Host
	backend Backend
	ctx     context.Context // ends with the model
	then    func() tea.Cmd  // what goes on when the work was done

	concealed *formview.View // whose value was looked through for secrets, while then is done
}

// NewValues has values of forms worked on until the context ends.
func NewValues(ctx context.Context, h panel.Host, b Backend) *Values {
	return &Values{host: h, backend: b, ctx: ctx}
}

// Update takes what came of the work. It says false for a message about anything else.
func (c *Values) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case judgedMsg:
		return c.onJudged(msg), true
	case concealedMsg:
		return c.onConcealed(msg), true
	case thenMsg:
		return msg(), true
	}
	return nil, false
}

// judgedMsg is what the rules of a schema say of a value.
type judgedMsg struct {
	of        *formview.View
	judgement form.Judgement
}

// OnceJudged has a value judged before it is sent, where that takes longer than a key
// may wait: then is done afterwards, if the value is still the same and its form on
// the screen. The second result reports whether that has to be waited for.
func (c *Values) OnceJudged(v *formview.View, then func() tea.Cmd) (tea.Cmd, bool) {
	do, ok := v.Judging()
	if !ok {
		return nil, false
	}
	c.Work.Stop()
	c.then = then
	return tea.Batch(
		c.Work.Want(c.ctx, v, func(ctx context.Context) tea.Msg { return judgedMsg{v, do(ctx)} }),
		c.host.Say(panel.Said("being checked by the schema"+c.host.Screen().Glyphs.Dots)),
	), true
}

func (c *Values) onJudged(msg judgedMsg) tea.Cmd {
	if !c.Work.Done(msg.of) {
		return nil
	}
	if !msg.of.Judged(msg.judgement) {
		return c.host.Say(panel.Refused("not sent: it was changed while it was checked · ctrl+s checks it again"))
	}
	return c.then()
}

// OnceConcealed has a recording mask what of content, the object that v is about to
// send, was typed into secret fields, wherever it comes again. Where that takes longer
// than a key may wait it is done beside the screen: then is done afterwards, if v is
// still there. The second result reports whether that has to be waited for.
func (c *Values) OnceConcealed(v *formview.View, content []byte, names []string, then func() tea.Cmd) (tea.Cmd, bool) {
	if c.concealed == v {
		return nil, false
	}
	if len(content) <= contentAtOnce {
		conceal(c.backend, content, names)
		return nil, false
	}
	c.Work.Stop()
	c.then = then
	b := c.backend
	return tea.Batch(
		c.Work.Want(c.ctx, v, func(context.Context) tea.Msg {
			conceal(b, content, names)
			return concealedMsg{v, content}
		}),
		c.host.Say(panel.Said("being looked through for secrets"+c.host.Screen().Glyphs.Dots)),
	), true
}

// Conceal is OnceConcealed for content that was written without a form: then is done when
// a recording masks what is secret in it.
func (c *Values) Conceal(content []byte, names []string, then func() tea.Cmd) tea.Cmd {
	if len(content) <= contentAtOnce {
		conceal(c.backend, content, names)
		return then()
	}
	b := c.backend
	return func() tea.Msg {
		conceal(b, content, names)
		return thenMsg(then)
	}
}

// thenMsg is what is done after content without a form was looked through.
type thenMsg func() tea.Cmd

// contentAtOnce is how much of what is sent is looked through between two keys, in
// bytes.
const contentAtOnce = 32 << 10

// concealedMsg is content whose secrets a recording masks by now.
type concealedMsg struct {
	of      *formview.View
	content []byte
}

func (c *Values) onConcealed(msg concealedMsg) tea.Cmd {
	if !c.Work.Done(msg.of) {
		return nil
	}
	if content, _, _ := msg.of.Value(); !bytes.Equal(content, msg.content) {
		return c.host.Say(panel.Refused("not sent: it was changed while it was looked through for secrets · ctrl+s sends it"))
	}
	c.concealed = msg.of
	cmd := c.then()
	c.concealed = nil
	return cmd
}

// conceal has a recording mask the values of the members of content that have one of
// these names, or the name of a secret. It may take as long as content is.
func conceal(b Backend, content []byte, names []string) {
	if values := secretfield.Values(content, names); len(values) > 0 {
		b.Conceal(values...)
	}
}
