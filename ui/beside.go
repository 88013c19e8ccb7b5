package ui

import (
	"bytes"
	"context"
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/write"
)

// beside is the work on what a server sent that takes longer than a key may wait.
// It is done outside of Update, one work of a kind at a time, and ends when what it
// is for is not on the screen any more.
type beside struct {
	ctx   context.Context    // ends with the model
	quit  context.CancelFunc // may be called by any goroutine: the loop may be stuck
	form  work               // the schema of a form is read
	list  work               // what can be called is got ready to be found
	body  work               // the parameters of a question are read
	value work               // what was filled in is judged by all rules of its schema, or its secrets are concealed
	then  func() tea.Cmd     // what goes on when it was

	concealed *formview.View // whose value was looked through for secrets, while then is done

	rest   [2]unlaid // documents that were begun
	laying [2]bool   // … and are being laid out whole
	first  func()    // what that begins with; nil: nothing but itself
}

// work is one such work, or none.
type work struct {
	of    any // what it is for, to be compared; nil: there is none
	end   context.CancelFunc
	first func() // what it begins with; nil: nothing but itself
}

func newBeside() (b beside) {
	b.ctx, b.quit = context.WithCancel(context.Background())
	return b
}

// want sees to it that the work for of is done, and no other, until the model ends.
// Nil wants none.
func (w *work) want(model context.Context, of any, do func(ctx context.Context) tea.Msg) tea.Cmd {
	if of == w.of {
		return nil
	}
	w.stop()
	if of == nil {
		return nil
	}
	ctx, end := context.WithCancel(model)
	w.of, w.end = of, end
	first := w.first
	return func() tea.Msg {
		if first != nil {
			first()
		}
		return do(ctx)
	}
}

// done reports whether what came is from the work that is wanted, which is over
// then.
func (w *work) done(of any) bool {
	if of != w.of {
		return false
	}
	w.stop()
	return true
}

func (w *work) stop() {
	if w.end != nil {
		w.end()
	}
	w.of, w.end = nil, nil
}

// formMsg is a schema that was read.
type formMsg struct {
	of   *formview.View
	form *form.Form
}

// bodyMsg are the fields for a question whose parameters were read.
type bodyMsg struct {
	of   *ask
	body askBody
}

// judgedMsg is what the rules of a schema say of a value.
type judgedMsg struct {
	of        *formview.View
	judgement form.Judgement
}

// readForms begins to read the schema of the form on the screen, and the parameters
// of the question there, where that is still to be done.
func (m *Model) readForms() tea.Cmd {
	var view, judged, unread, unlisted any
	var readForm, readBody, makeList func(context.Context) tea.Msg
	for _, d := range m.stack {
		o, ok := d.(formOwner)
		if !ok || o.view() == nil {
			continue
		}
		if schema, use, ok := o.view().Unread(); ok {
			view, readForm = o.view(), formReader(o.view(), schema, use)
		}
		if m.beside.value.of == any(o.view()) {
			judged = o.view()
		}
	}
	if p, ok := m.panel(); ok {
		if _, ok := p.ask.body.(*unreadAsk); ok {
			unread, readBody = p.ask, m.bodyReader(p.ask)
		}
	}
	if p, ok := m.modal().(*picker); ok && p.unlisted {
		catalog := p.catalog
		unlisted = listKey{p, catalog.Rev}
		makeList = func(context.Context) tea.Msg { return listMsg{unlisted, listingOf(&catalog)} }
	}
	if judged == nil {
		m.beside.value.stop()
	}
	b := &m.beside
	return tea.Batch(b.form.want(b.ctx, view, readForm), b.body.want(b.ctx, unread, readBody), b.list.want(b.ctx, unlisted, makeList))
}

// formReader reads the schema of a form.
func formReader(v *formview.View, schema []byte, use form.Use) func(context.Context) tea.Msg {
	return func(ctx context.Context) tea.Msg {
		x, err := form.Read(ctx, schema, use, form.Beside)
		if err != nil { // nobody waits
			return nil
		}
		return formMsg{v, x}
	}
}

// wasForm takes a form that was read beside the screen, unless the user has moved on.
func (m *Model) wasForm(msg formMsg) tea.Cmd {
	if !m.beside.form.done(msg.of) {
		return nil
	}
	if err := msg.of.Read(msg.form); err != nil {
		return m.say(panel.Error(err))
	}
	return nil
}

// paramsAtOnce is how much of a question is read between two keys, in bytes.
const paramsAtOnce = 32 << 10

// bodyReader reads the parameters of a question.
func (m *Model) bodyReader(a *ask) func(context.Context) tea.Msg {
	view, rev, looks := a.view, m.snap.status.Revision, m.looks()
	return func(ctx context.Context) tea.Msg {
		b := newBody(&view, rev, looks)
		if ctx.Err() != nil {
			return nil
		}
		if f, ok := b.(*formAsk); ok && f.unread() {
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

// wasBody takes the fields for a question, if it is still the one that is wanted.
func (b *beside) wasBody(msg bodyMsg) {
	if b.body.done(msg.of) {
		msg.of.body, msg.of.doc = msg.body, nil
	}
}

// onceJudged has a value judged before it is sent, where that takes longer than a key
// may wait: then is done afterwards, if the value is still the same and its form on
// the screen. It says false where nothing has to be waited for.
func (m *Model) onceJudged(v *formview.View, then func() tea.Cmd) (tea.Cmd, bool) {
	do, ok := v.Judging()
	if !ok {
		return nil, false
	}
	m.beside.value.stop()
	m.beside.then = then
	return tea.Batch(
		m.beside.value.want(m.beside.ctx, v, func(ctx context.Context) tea.Msg { return judgedMsg{v, do(ctx)} }),
		m.say(panel.Said("being checked by the schema"+m.glyphs.Dots)),
	), true
}

func (m *Model) wasJudged(msg judgedMsg) tea.Cmd {
	if !m.beside.value.done(msg.of) {
		return nil
	}
	if !msg.of.Judged(msg.judgement) {
		return m.say(panel.Refused("not sent: it was changed while it was checked · ctrl+s checks it again"))
	}
	return m.beside.then()
}

// onceConcealed has a recording mask what of content, the object that v is about to
// send, was typed into secret fields, wherever it comes again. Where that takes longer
// than a key may wait it is done beside the screen: then is done afterwards, if v is
// still there. It says false where nothing has to be waited for.
func (m *Model) onceConcealed(v *formview.View, content []byte, names []string, then func() tea.Cmd) (tea.Cmd, bool) {
	if m.beside.concealed == v {
		return nil, false
	}
	if len(content) <= contentAtOnce {
		conceal(m.backend, content, names)
		return nil, false
	}
	m.beside.value.stop()
	m.beside.then = then
	b := m.backend
	return tea.Batch(
		m.beside.value.want(m.beside.ctx, v, func(context.Context) tea.Msg {
			conceal(b, content, names)
			return concealedMsg{v, content}
		}),
		m.say(panel.Said("being looked through for secrets"+m.glyphs.Dots)),
	), true
}

// contentAtOnce is how much of what is sent is looked through between two keys, in
// bytes.
const contentAtOnce = 32 << 10

// concealedMsg is content whose secrets a recording masks by now.
type concealedMsg struct {
	of      *formview.View
	content []byte
}

func (m *Model) wasConcealed(msg concealedMsg) tea.Cmd {
	if !m.beside.value.done(msg.of) {
		return nil
	}
	if content, _, _ := msg.of.Value(); !bytes.Equal(content, msg.content) {
		return m.say(panel.Refused("not sent: it was changed while it was looked through for secrets · ctrl+s sends it"))
	}
	m.beside.concealed = msg.of
	cmd := m.beside.then()
	m.beside.concealed = nil
	return cmd
}

// unreadAsk stands for the fields of a question whose parameters are still being
// read.
type unreadAsk struct{ size int }

func (u *unreadAsk) scope() keymap.Scope { return scope.Elicit }

func (u *unreadAsk) title() safe.Text { return "something" }

func (u *unreadAsk) pinned(m *Model) []doc.Line {
	return []doc.Line{{{Text: "its " + wording.Size(u.size) + " are being read" + m.glyphs.Dots, Style: m.styles.Muted}}}
}

func (u *unreadAsk) write(*write.Writer) {}

func (u *unreadAsk) writeTyped(*write.Writer) {}

func (u *unreadAsk) height(*Model, int) int { return 0 }

func (u *unreadAsk) draw(*panel.Frame, canvas.Region) *image.Point { return nil }

func (u *unreadAsk) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	if k.Text != "" {
		return m.say(panel.Refused("it is still being read · esc dismisses it"))
	}
	return m.unused(k)
}

func (u *unreadAsk) paste(string) {}

func (u *unreadAsk) touched() bool { return false }

func (u *unreadAsk) answer(*Model) (result []byte, why, ask safe.Text) {
	return nil, "it is still being read", ""
}

// listKey is a catalog that a picker shows.
type listKey struct {
	of  *picker
	rev uint64
}

// listMsg is what can be called, got ready to be found.
type listMsg struct {
	of      any
	listing listing
}

// wasListed takes what can be called, if it is still what the picker shows.
func (b *beside) wasListed(msg listMsg) {
	if b.list.done(msg.of) {
		msg.of.(listKey).of.takeListing(msg.listing)
	}
}
