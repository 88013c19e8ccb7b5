package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/theme"
	"belay/ui/write"
)

// promptPanel shows one question of the server's at a time. What was typed
// belongs to the question, so that going to another one loses nothing.
type promptPanel struct {
	m      *Model
	ask    *ask
	held   hold
	now    func() time.Time
	height int // of the text that scrolls, in the last frame
	lines  int // how many that text has
	spilt  int // how many of them are warnings that found no room above it
}

// askBody is the part of the panel that differs between the kinds of question.
type askBody interface {
	// scope is where its keys work.
	scope() keymap.Scope
	// title says what the server wants, behind its name: "asks you …".
	title() safe.Text
	// write writes what the server wants.
	write(d *write.Writer)
	// pinned are lines that must be seen whatever is scrolled.
	pinned(m *Model) []doc.Line
	// height is how many rows its fields want in so many columns.
	height(m *Model, width int) int
	// draw draws its fields and returns where the cursor is.
	draw(frame *panel.Frame, g canvas.Region) *image.Point
	// writeTyped writes all that was typed into them, to be read only.
	writeTyped(d *write.Writer)
	key(m *Model, k tea.KeyPressMsg) tea.Cmd
	paste(text string)
	// touched reports whether the user has begun with an answer.
	touched() bool
	// answer is the result to send, or why there is none yet. ask is what the
	// user has to confirm first; empty: nothing.
	answer(m *Model) (result []byte, why, ask safe.Text)
}

// hold is the time in which a panel that opened by itself takes no key: the
// user was about to press something else.
type hold struct{ opened, last time.Time }

const (
	holdQuiet = 425 * time.Millisecond  // since the last key
	holdMost  = 1500 * time.Millisecond // since it opened
)

type heldMsg struct{}

// until is when keys are taken; zero: now.
func (h hold) until() time.Time {
	quiet, most := h.last.Add(holdQuiet), h.opened.Add(holdMost)
	if most.Before(quiet) {
		return most
	}
	return quiet
}

// touch begins the dead time, or begins its quiet anew.
func (h *hold) touch(now time.Time) {
	if h.opened.IsZero() {
		h.opened = now
	}
	h.last = now
}

// wait tells when the dead time is over. The clock of the session may be slower
// than that of the timer.
func (h hold) wait(now time.Time) tea.Cmd {
	return tea.Tick(max(h.until().Sub(now), frameTime), func(time.Time) tea.Msg { return heldMsg{} })
}

func (h hold) on(now time.Time) bool { return !h.opened.IsZero() && now.Before(h.until()) }

// holds reports whether no key is taken. What cannot be answered any more needs no
// dead time.
func (p *promptPanel) holds() bool { return p.ask.waits() && p.held.on(p.now()) }

// hold begins the dead time, or begins its quiet anew.
func (p *promptPanel) hold() tea.Cmd {
	p.held.touch(p.now())
	return p.release()
}

// release tells the panel when its dead time is over.
func (p *promptPanel) release() tea.Cmd {
	if !p.holds() {
		return nil
	}
	return p.held.wait(p.now())
}

// openPanel shows a question. One that opens by itself takes no key for a
// moment.
func (m *Model) openPanel(a *ask, byItself bool) tea.Cmd {
	p, open := m.panel()
	if !open {
		p = &promptPanel{m: m, now: m.backend.Now}
		m.push(p)
	}
	if m.toast.Aside {
		m.toast.clear()
	}
	p.ask, p.held = a, hold{}
	a.aside = false
	if a.body == nil {
		a.body = m.bodyOf(a)
	}
	if byItself {
		return p.hold()
	}
	return nil
}

// bodyOf are the fields for a question, or what stands for them while much of it is
// being read.
func (m *Model) bodyOf(a *ask) askBody {
	n := len(a.view.Params)
	if n > paramsAtOnce {
		return &unreadAsk{size: n}
	}
	b := newBody(&a.view, m.snap.status.Revision, m.looks())
	if f, ok := b.(*formAsk); ok && f.unread() {
		return &unreadAsk{size: n}
	}
	return b
}

// newBody makes the fields for a question.
func newBody(v *session.PromptView, rev mcp.Revision, looks theme.Looks) askBody {
	if v.Method == "sampling/createMessage" {
		req, _ := mcp.ParseSampling(rev, v.Params)
		return newSampling(req, v.Turn, looks)
	}
	req, problems := mcp.ParseElicitation(rev, v.Params)
	if req.Mode == mcp.ElicitURL {
		return newURLAsk(req)
	}
	return newFormAsk(rev, req, problems, looks)
}

// follow goes on from a question that was answered, however that was: to the
// next that waits, which opens by itself, or back to the panes. An address that
// was opened stays to be seen.
func (m *Model) follow() tea.Cmd {
	p, open := m.panel()
	if !open {
		return nil
	}
	if a := p.ask; a.waits() && !a.aside || (a.locked() || a.visited()) && !a.over {
		return nil
	}
	// Who puts a question aside wants to be where it came up, not in the next one.
	if next, ok := m.next(); ok && next.waits() && !next.aside && !(p.ask.waits() && p.ask.aside) {
		if words := m.toast.Text + " · this is the next question"; m.toast.Answered && safe.Width(words) <= m.w-2 {
			m.toast.Text = words
		}
		return m.openPanel(next, true)
	}
	m.pop(p)
	return nil
}

// openNext is !.
func (m *Model) openNext() tea.Cmd {
	if a, ok := m.next(); ok {
		if a.view.Owners == 1 {
			m.calls.choose(a.view.Candidates[0])
		}
		return m.openPanel(a, false)
	}
	return nil
}

// openFor opens the question that a call waits for.
func (m *Model) openFor(id session.CallID) (tea.Cmd, bool) {
	for _, a := range m.queue() {
		if a.waits() && a.view.Owners == 1 && a.view.Candidates[0] == id {
			return m.openPanel(a, false), true
		}
	}
	return nil, false
}

// walk shows the n-th question after this one.
func (m *Model) walk(n int) tea.Cmd {
	all := m.queue()
	for i, a := range all {
		if p, _ := m.panel(); a == p.ask {
			if len(all) == 1 {
				return m.say(panel.Refused("the server asks nothing else"))
			}
			return m.openPanel(all[(i+n+len(all))%len(all)], false)
		}
	}
	return nil
}

// scope is none but quitting in the dead time, and little in a question that
// has ended.
func (p *promptPanel) Scope() keymap.Scope {
	switch {
	case p.holds():
		return scope.Held
	case p.ask.visited():
		return scope.Opened
	case p.ask.visiting():
		return scope.URL | scope.Visiting
	case !p.ask.waits():
		return scope.Locked
	}
	return p.ask.body.scope()
}

func (p *promptPanel) Key(k tea.KeyPressMsg) tea.Cmd {
	m := p.m
	a := p.ask
	switch {
	case m.lay.Mode == layout.Tiny:
		return m.say(panel.Refused(tooSmallWords))
	case p.holds():
		return p.hold()
	}
	if !a.waits() {
		if k.Text != "" {
			return m.say(panel.Refused("nothing can be filled in any more: esc leaves this"))
		}
		return m.unused(k)
	}
	a.sure = nil
	return a.body.key(m, k)
}

func (p *promptPanel) Paste(text string) tea.Cmd {
	m := p.m
	switch {
	case m.lay.Mode == layout.Tiny:
		return m.say(panel.Refused(tooSmallWords))
	case p.holds():
		return p.hold()
	}
	if a := p.ask; a.waits() {
		a.sure = nil
		a.body.paste(text)
	}
	return nil
}

// close is esc: it answers an open question as dismissed, and leaves an ended one.
func (p *promptPanel) Close() tea.Cmd {
	m := p.m
	a := p.ask
	if a.waits() {
		return m.refuse(a, session.Dismissed)
	}
	a.over = true
	return nil
}

// scroll moves the text of the server's by n lines.
func (p *promptPanel) scroll(n int) { p.ask.top = max(0, p.ask.top+n) }

// later puts the question aside: it keeps waiting.
func (p *promptPanel) later() tea.Cmd {
	m := p.m
	a := p.ask
	a.aside = true
	then := safe.Text("! brings it back")
	if next, ok := m.next(); ok && next != a {
		then = "! shows another"
	}
	return m.say(panel.Said(m.askName(a) + " is put aside and keeps waiting · " + then).Beside())
}

// again makes the call again that failed for want of what was opened.
func (p *promptPanel) again() tea.Cmd {
	m := p.m
	var d session.Detail
	var ok bool
	m.backend.View(func(s *session.Session) { d, ok = s.Detail(p.ask.owner) })
	if !ok {
		return m.say(panel.Refused("the call is not kept any more"))
	}
	p.ask.over = true
	return m.repeat(d)
}

func notAgain(m *Model) string {
	if p, ok := m.panel(); ok && !p.ask.view.Needed {
		return "the call goes on: there is nothing to make again"
	}
	return notReady(m)
}

// cancelOwner cancels the call that the question is for.
func (p *promptPanel) cancelOwner() tea.Cmd {
	m := p.m
	a := p.ask
	switch v := &a.view; {
	case v.Owners > 1:
		return m.say(panel.Refused("not cancelled: it is for " + m.oneOf(*v) + "; choose the call in the table and press x"))
	case v.Owners == 0 && a.owner == 0:
		return m.say(panel.Refused("it is for no call that could be cancelled"))
	}
	var r session.Row
	var ok bool
	m.backend.View(func(s *session.Session) { r, ok = s.Row(a.owner) })
	if !ok {
		return m.say(panel.Refused("the call that it was for is not kept any more"))
	}
	return m.cancelRow(r, "")
}
