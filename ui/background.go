package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/ui/beside"
	"belay/ui/fields"
	"belay/ui/formview"
	"belay/ui/panel"
)

// backgroundWork is the work on what a server sent that takes longer than a key may wait.
// It is done outside of Update, one work of a kind at a time, and ends when what it
// is for is not on the screen any more.
type backgroundWork struct {
	ctx  context.Context    // ends with the model
	quit context.CancelFunc // may be called by any goroutine: the loop may be stuck
	form beside.Work        // the schema of a form is read

	rest   [numDocuments]unlaid // documents that were begun
	laying [numDocuments]bool   // … and are being laid out whole
	long   [numDocuments]unlaid // … those that are searched through beside the screen
	seek   [numDocuments]beside.Work
	first  func() // what that begins with; nil: nothing but itself
}

func newBackground() (b backgroundWork) {
	b.ctx, b.quit = context.WithCancel(context.Background())
	return b
}

// formMsg is a schema that was read.
type formMsg struct {
	of   *formview.View
	form *form.Form
}

// readForms begins to read the schema of the form on the screen, and the parameters
// of the question there, where that is still to be done.
func (m *Model) readForms() tea.Cmd {
	var view any
	var readForm func(context.Context) tea.Msg
	judged := false
	for _, d := range m.stack {
		o, ok := d.(fields.Owner)
		if !ok || o.View() == nil {
			continue
		}
		if schema, use, ok := o.View().Unread(); ok {
			view, readForm = o.View(), formReader(o.View(), schema, use)
		}
		judged = judged || m.values.Of() == any(o.View())
	}
	if !judged {
		m.values.Stop()
	}
	b := &m.beside
	return tea.Batch(b.form.Want(b.ctx, view, readForm), m.questions.Read(b.ctx), m.compose.Read(b.ctx))
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

// onForm takes a form that was read beside the screen, unless the user has moved on.
func (m *Model) onForm(msg formMsg) tea.Cmd {
	if !m.beside.form.Done(msg.of) {
		return nil
	}
	if err := msg.of.Read(msg.form); err != nil {
		return m.status.Say(panel.Error(err))
	}
	return nil
}

// Finish ends the waiting and the work of the model's commands. It is called by itself
// when the model quits; call it when a program ended in another way. Any goroutine may,
// also while the loop of the screen runs.
func (m *Model) Finish() {
	m.clock.finish()
	m.beside.quit()
}
