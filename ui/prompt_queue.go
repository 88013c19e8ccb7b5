package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/scope"
)

// promptQueue is what the screen remembers of the server's questions: what was typed
// into each, and what the user was told of it.
type promptQueue struct {
	asks   map[session.PromptID]*ask
	canned canned
	away   away

	renewed int // sessions that the server has ended, of which the user was told
	subs    int // the same of subscriptions
}

// ask is one question of the server's.
type ask struct {
	view  session.PromptView // as of the last frame
	body  askBody            // nil until it is shown for the first time
	owner session.CallID     // the call that it can only be for, while that was known
	whose safe.Text          // for which call it is, as long as that was to be known
	words safe.Text          // its first words, quoted, once they were needed

	aside    bool // put aside for later
	over     bool // it has ended, and there is nothing left to look at
	opened   bool // its address was given to the browser
	complete bool // the server said that what it led to is done
	late     bool // an answer came after the server had withdrawn it
	warned   bool // all that warns of it was on the screen

	sure []byte // the answer that the user was asked about: whether to send it

	doc   *doc.Doc // what the server wants, for one width
	ended bool     // doc is that of the locked panel
	top   int
}

// visited reports whether its address was opened and the server was told so. An
// input is not told of before the user is done there.
func (a *ask) visited() bool {
	return a.opened && a.view.State == session.Answered && a.view.Round == 0
}

// locked reports whether it has ended without an answer. It can only be read.
func (a *ask) locked() bool {
	return a.view.State == session.Withdrawn || a.view.State == session.PromptLost
}

// visiting reports whether it is an input whose address was opened, and that waits
// for the user to be done there.
func (a *ask) visiting() bool { return a.opened && a.waits() && a.view.Round > 0 }

func (a *ask) waits() bool { return a.view.State == session.Waiting }

// kept reports whether a question that has ended is still worth a look: the user
// had begun with it.
func (a *ask) kept() bool {
	return a.locked() && !a.over && (a.aside || a.late || a.opened || a.view.Refused != "" || a.body != nil && a.body.touched())
}

func (d *promptQueue) init() { d.asks = map[session.PromptID]*ask{} }

// keptCount counts the questions that were taken back, and those whose connection
// was lost, that were not looked at since.
func (d *promptQueue) keptCount(shown *ask) (withdrawn, lost int) {
	for _, a := range d.asks {
		switch {
		case !a.kept() || a == shown:
		case a.view.State == session.Withdrawn:
			withdrawn++
		default:
			lost++
		}
	}
	return withdrawn, lost
}

// forget drops what the core has forgotten.
func (d *promptQueue) forget(all []session.PromptView, shown *ask) {
	if len(d.asks) <= 2*len(all)+16 {
		return
	}
	known := map[session.PromptID]bool{}
	for _, v := range all {
		known[v.ID] = true
	}
	for id, a := range d.asks {
		if !known[id] && a != shown {
			delete(d.asks, id)
		}
	}
}

// queue are the questions that can be gone through: those that wait, oldest
// first, and behind them those that were taken back and are kept.
func (m *Model) queue() []*ask {
	var waiting, kept []*ask
	for _, v := range m.snap.prompts {
		switch a := m.prompts.asks[v.ID]; {
		case a == nil:
		case a.waits():
			waiting = append(waiting, a)
		case a.kept():
			kept = append(kept, a)
		}
	}
	return append(waiting, kept...)
}

// next returns the question that ! opens: the oldest waiting question, those put
// aside last, and then a withdrawn question.
func (m *Model) next() (*ask, bool) {
	all := m.queue()
	for _, a := range all {
		if a.waits() && !a.aside {
			return a, true
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	return all[0], true
}

func noPrompt(m *Model) string {
	if _, ok := m.next(); ok {
		return ""
	}
	if r, ok := m.target(); ok && r.Round.Held {
		return "the server asks nothing, but this call is held: r goes on"
	}
	return "the server asks nothing"
}

// hintsNewPrompt reports whether ! is the key that shows a question: elsewhere it is text, or
// nothing.
func (m *Model) hintsNewPrompt() bool { return m.modal() == nil && m.lay.Mode != layout.Tiny }

// panel is the panel that is open, also while a question lies over it.
func (m *Model) panel() (*promptPanel, bool) {
	for _, d := range m.stack {
		if p, ok := d.(*promptPanel); ok {
			return p, true
		}
	}
	return nil, false
}

// noticePrompts takes over what became of the server's questions, tells of it,
// and opens the panel for a new one if nothing else is in use.
func (m *Model) noticePrompts() tea.Cmd {
	var shown, fresh *ask
	if p, ok := m.panel(); ok {
		shown = p.ask
	}
	var cmds []tea.Cmd
	for _, v := range m.snap.prompts {
		a, before := m.prompts.take(v)
		if !v.Completed.IsZero() && !a.complete {
			a.complete = true
			cmds = append(cmds, m.say(panel.Said(m.completeWords(a)).Beside()))
		}
		switch {
		case before == v.State:
		case before == 0 && v.State == session.Waiting:
			opens, cmd := m.onNewPrompt(a, fresh == nil && m.idle(), fresh != nil)
			if opens {
				fresh = a
			}
			cmds = append(cmds, cmd)
		case a.view.Refused != "" && before != session.Waiting:
			if before == session.Answered && v.State == session.Waiting && fresh == nil && m.idle() {
				fresh = a
			}
			cmds = append(cmds, m.tellUntaken(a, a == shown || a == fresh))
		default:
			cmds = append(cmds, m.tellPrompt(a, before, a == shown))
		}
	}
	m.prompts.forget(m.snap.prompts, shown)
	cmds = append(cmds, m.follow())
	if fresh != nil {
		cmds = append(cmds, m.openPanel(fresh, true))
	}
	cmds = append(cmds, m.noticeAway(), m.noticeRenewed(), m.noticeSubsEnded())
	return tea.Batch(cmds...)
}

// take takes over how a question stands now; before is how it stood, or 0 when
// it is new.
func (d *promptQueue) take(v session.PromptView) (a *ask, before session.PromptState) {
	a = d.asks[v.ID]
	if a == nil {
		a = &ask{}
		d.asks[v.ID] = a
	}
	before = a.view.State
	a.view = v
	if v.Owners == 1 {
		a.owner = v.Candidates[0]
	}
	return a, before
}

// onNewPrompt handles a new question: it is answered by the canned answer, opens by
// itself, or is announced, unless another question that opens now counts it.
func (m *Model) onNewPrompt(a *ask, free, counted bool) (opens bool, cmd tea.Cmd) {
	answered, cmd := m.answerCanned(a)
	switch {
	case answered:
		return false, cmd
	case free, cmd != nil:
		return free, cmd
	case counted:
		return false, nil
	}
	return false, m.tellPrompt(a, 0, false)
}

// idle reports whether a question may take the screen by itself: no dialog is
// open, nothing is being typed, and the user looks at the calls (SEC-32).
func (m *Model) idle() bool {
	return len(m.stack) == 0 && m.focus == layout.Calls && m.lay.Mode != layout.Tiny && !m.leave.closing
}

// newWords announces a question that did not open by itself, with the key that
// shows the question.
func (m *Model) newWords(a *ask) safe.Text {
	p, open := m.panel()
	words := "the server asks you: " + wording.Name(a.view.Method)
	switch {
	case m.lay.Mode == layout.Tiny:
		return "asks you: " + wording.Name(a.view.Method) + " · needs " + panel.LeastSize
	case a.view.Round > 0 && !open:
		words = safe.Cut(m.rowName(a.owner), 30) + " asks you: " + wording.Name(a.view.Method)
	case a.view.Needed:
		words = safe.Cut(m.rowName(a.owner), 30) + " needs you to visit an address"
	case open:
		words = "the server asks something else, too: " + wording.Name(a.view.Method)
	}
	switch {
	case m.lay.Mode == layout.Tiny:
		return "the server asks you · " + panel.NeedsWords()
	case open && m.modal() == panel.Panel(p) && m.scope()&scope.Live != 0:
		return words + " · ctrl+n shows it"
	case m.hintsNewPrompt():
		return words + " · ! shows it"
	case open:
		return words
	}
	return words + " · it waits until you are done"
}

// tellPrompt tells in the status line what came and what was taken back.
func (m *Model) tellPrompt(a *ask, before session.PromptState, shown bool) tea.Cmd {
	switch a.view.State {
	case session.Waiting:
		return m.say(panel.Said(m.newWords(a)).Beside())
	case session.Withdrawn:
		if before == session.Answered || before == session.Declined || before == session.Dismissed {
			a.late = true
		}
		if shown { // the panel says so
			m.toast.clear()
			return nil
		}
		what := m.shortName(a)
		text := what + " " + withdrawnWords
		if other := m.ofAnother(a); other != "" {
			text = other + withdrawnWords
		}
		switch {
		case a.opened:
			return m.say(panel.Refused(what + " withdrawn; the page you opened may still be live").Beside())
		case a.late:
			text = "too late: the server withdrew " + what + " · nothing was sent"
		case a.kept() && m.hintsNewPrompt():
			text += " · ! shows it"
		}
		return m.say(panel.Refused(text + reasonWords(a.view.Reason)).Beside())
	case session.Dismissed:
		if a.view.Closed != "" && shown {
			return m.say(panel.Said(m.closedWords(a)))
		}
	case session.PromptLost, session.Answered, session.Declined:
	}
	return nil
}
