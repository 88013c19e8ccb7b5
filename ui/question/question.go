// Package question is the panel of the server's questions: it shows one at a time, keeps
// what was typed into each, tells what became of them, and answers requests to a model
// automatically where the user has set an answer.
package question

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/beside"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/server"
	"belay/ui/theme"
	"belay/ui/write"
)

// Backend is what the questions need from outside beside the session.
type Backend interface {
	OpenURL(url string) error
	Read(name string) ([]byte, error)
	Command() server.Start
	Now() time.Time
}

// Panel shows one question of the server's at a time, and remembers all of them. What
// was typed belongs to the question, so that going to another one loses nothing. Make
// one with [New].
type Panel struct {
	Reading beside.Work // the parameters of a question are read

	phrases // which hold the host
	backend Backend
	values  *beside.Values

	questions
	canned canned
	away   away

	open       bool      // it lies over the panes
	question   *question // the one that is shown
	guard      panel.KeyGuard
	back       bool // … because it came back into view
	height     int  // of the text that scrolls, in the last frame
	lines      int  // how many that text has
	overflowed int  // how many of them are warnings that found no room above it
}

// New is a panel that is not open.
func New(h panel.Host, b Backend, v *beside.Values) *Panel {
	return &Panel{phrases: phrases{h}, backend: b, values: v, questions: questions{byID: map[session.QuestionID]*question{}}}
}

// IsOpen reports whether a question is shown, also while something lies over it.
func (p *Panel) IsOpen() bool { return p.open }

// Hidden tells the panel that it was taken away with all others.
func (p *Panel) Hidden() { p.open = false }

// IsAuto reports whether requests to a model are answered automatically.
func (p *Panel) IsAuto() bool { return p.canned.on }

// Redo has the text of the question that is shown made again.
func (p *Panel) Redo() {
	if p.open {
		p.question.doc = nil
	}
}

// HoldAnew begins a dead time for a question that comes back into view, as for one that opens
// by itself.
func (p *Panel) HoldAnew() tea.Cmd {
	if !p.open {
		return nil
	}
	p.guard, p.back = panel.KeyGuard{}, true
	return p.Guard()
}

// Update takes what came of work beside the screen. It says false for a message about
// anything else.
func (p *Panel) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg := msg.(type) {
	case bodyMsg:
		p.onBody(msg)
		return nil, true
	case cannedMsg:
		return p.onCanned(msg), true
	case awayMsg:
		return nil, true
	}
	return nil, false
}

// questionBody is the part of the panel that differs between the kinds of question.
type questionBody interface {
	// scope is where its keys work.
	scope() keymap.Scope
	// title says what the server wants, behind its name: "asks you …".
	title() safe.Text
	// write writes what the server wants.
	write(d *write.Writer)
	// pinned are lines that must be seen whatever is scrolled.
	pinned(on panel.Screen) []doc.Line
	// key takes a key that no binding took.
	key(p *Panel, k tea.KeyPressMsg) tea.Cmd
	// answer is the result to send, or why there is none yet. ask is what the
	// user has to confirm first; empty: nothing.
	answer(rev mcp.Revision) (result []byte, why, ask safe.Text)
}

// answerFields are the fields of a question that is answered by filling something in.
type answerFields interface {
	// height is how many rows they want in so many columns.
	height(on panel.Screen, width int) int
	// draw draws them and returns where the cursor is.
	draw(frame *panel.Frame, g canvas.Region) *image.Point
	// writingTyped copies the typed answer, and returns the work of writing the copy, to be
	// read only. The work reads nothing that changes.
	writingTyped() func(d *write.Writer)
	paste(text string)
	// touched reports whether the user has begun with an answer.
	touched() bool
}

// IsGuarded reports whether no key is taken. What cannot be answered any more needs no
// dead time.
func (p *Panel) IsGuarded() bool { return p.question.waits() && p.guard.IsOn(p.backend.Now()) }

// Guard begins the dead time, or begins its quiet anew.
func (p *Panel) Guard() tea.Cmd {
	p.guard.Touch(p.backend.Now())
	return p.Release()
}

// Release tells the panel when its dead time is over.
func (p *Panel) Release() tea.Cmd {
	if !p.IsGuarded() {
		return nil
	}
	return p.guard.Wait(p.backend.Now())
}

// openPanel shows a question. One that opens by itself takes no key for a
// moment.
func (p *Panel) openPanel(a *question, byItself bool) tea.Cmd {
	if !p.open {
		p.open = true
		p.height, p.lines, p.overflowed = 0, 0, 0
		p.host.Push(p)
	}
	if p.host.Screen().Told.Aside {
		p.host.Say(panel.Silence())
	}
	p.question, p.guard, p.back = a, panel.KeyGuard{}, false
	a.aside, a.leaving = false, 0
	if a.body == nil {
		a.body = a.bodyOn(p.host.Screen())
	}
	if byItself {
		return p.Guard()
	}
	return nil
}

// bodyOn are the fields for a question, or what stands for them while much of it is
// being read.
func (a *question) bodyOn(on panel.Screen) questionBody {
	n := len(a.view.Params)
	if n > ParamsAtOnce {
		return &unreadAsk{size: n}
	}
	b := newBody(&a.view, on.Status.Revision, on.Looks)
	if f, ok := b.(*formAsk); ok && f.isUnread() {
		return &unreadAsk{size: n}
	}
	return b
}

// newBody makes the fields for a question.
func newBody(v *session.QuestionView, rev mcp.Revision, looks theme.Looks) questionBody {
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
func (p *Panel) follow() tea.Cmd {
	if !p.open {
		return nil
	}
	if a := p.question; a.waits() && !a.aside || (a.isLocked() || a.wasVisited()) && !a.over {
		return nil
	}
	// Who puts a question aside wants to be where it came up, not in the next one.
	if next, ok := p.next(); ok && next.waits() && !next.isAside() && !(p.question.waits() && p.question.aside) {
		on := p.host.Screen()
		if words := on.Told.Text + " · this is the next question"; on.Told.Answered && safe.Width(words) <= on.W-2 {
			p.host.Say(panel.Instead(words))
		}
		return p.openPanel(next, true)
	}
	p.open = false
	p.host.Pop(p)
	return nil
}

// OpenNext is !.
func (p *Panel) OpenNext() tea.Cmd {
	if a, ok := p.next(); ok {
		if a.view.Owners == 1 {
			_ = p.host.Want(panel.Choose{Call: a.view.Candidates[0]})
		}
		return p.openPanel(a, false)
	}
	return nil
}

// OpenFor opens the question that a call waits for.
func (p *Panel) OpenFor(id session.CallID) (tea.Cmd, bool) {
	for _, a := range p.queue() {
		if a.waits() && a.view.Owners == 1 && a.view.Candidates[0] == id {
			return p.openPanel(a, false), true
		}
	}
	return nil, false
}

// walk shows the n-th question after this one.
func (p *Panel) walk(n int) tea.Cmd {
	all := p.queue()
	for i, a := range all {
		if a == p.question {
			if len(all) == 1 {
				return p.host.Say(panel.Refused("the server asks nothing else"))
			}
			return p.openPanel(all[(i+n+len(all))%len(all)], false)
		}
	}
	return nil
}

// Scope is none but quitting in the dead time, and little in a question that
// has ended.
func (p *Panel) Scope() keymap.Scope {
	switch {
	case p.IsGuarded():
		return scope.Guarded
	case p.question.wasVisited():
		return scope.Opened
	case p.question.isVisiting():
		return scope.URL | scope.Visiting
	case !p.question.waits():
		return scope.Locked
	}
	return p.question.body.scope()
}

// Key types into the answer.
func (p *Panel) Key(k tea.KeyPressMsg) tea.Cmd {
	a := p.question
	switch {
	case p.host.Screen().IsTiny():
		return p.host.Say(panel.Refused(tooSmallWords))
	case p.IsGuarded():
		return p.Guard()
	}
	if !a.waits() {
		if k.Text != "" {
			return p.host.Say(panel.Refused("nothing can be filled in any more: esc leaves this"))
		}
		return p.host.Want(panel.Unused{Key: k})
	}
	a.toConfirm, a.leaving = nil, 0
	return a.body.key(p, k)
}

// Paste puts text into the answer.
func (p *Panel) Paste(text string) tea.Cmd {
	switch {
	case p.host.Screen().IsTiny():
		return p.host.Say(panel.Refused(tooSmallWords))
	case p.IsGuarded():
		return p.Guard()
	}
	if a := p.question; a.waits() {
		a.toConfirm, a.leaving = nil, 0
		if fields, ok := a.fields(); ok {
			fields.paste(text)
		}
	}
	return nil
}

// Close is esc: it answers an open question as dismissed, and leaves an ended one. Where
// something was typed, a first esc only has the foot say what a second one sends.
func (p *Panel) Close() tea.Cmd {
	a := p.question
	switch {
	case !a.waits():
		a.over = true
		return nil
	case a.asksAgain(session.Dismissed):
		return nil
	}
	return p.refuse(a, session.Dismissed)
}

// Scroll moves the text of the server's by n lines.
func (p *Panel) Scroll(n int) { p.question.top = max(0, p.question.top+n) }

// later puts the question aside: it keeps waiting.
func (p *Panel) later() tea.Cmd {
	a := p.question
	a.aside = true
	then := safe.Text("! brings it back")
	if next, ok := p.next(); ok && next != a {
		then = "! shows another"
	}
	return p.host.Say(panel.Said(p.askName(a) + " is put aside and keeps waiting · " + then).Beside())
}

// again makes the call again that failed for want of what was opened.
func (p *Panel) again() tea.Cmd {
	var d session.Detail
	var ok bool
	p.host.View(func(s *session.Session) { d, ok = s.Detail(p.question.owner) })
	if !ok {
		return p.host.Say(panel.Refused("the call is not kept any more"))
	}
	p.question.over = true
	return p.host.Want(panel.Repeat{Call: d})
}

func (p *Panel) notAgain() string {
	if p.open && !p.question.view.Needed {
		return "the call goes on: there is nothing to make again"
	}
	if err := p.host.Screen().Status.CheckCall(); err != nil {
		return string(panel.ErrorWords(err))
	}
	return ""
}

// cancelOwner cancels the call that the question is for.
func (p *Panel) cancelOwner() tea.Cmd {
	a := p.question
	switch v := &a.view; {
	case v.Owners > 1:
		return p.host.Say(panel.Refused("not cancelled: it is for " + p.candidates(*v) + "; choose the call in the table and press x"))
	case v.Owners == 0 && a.owner == 0:
		return p.host.Say(panel.Refused("it is for no call that could be cancelled"))
	}
	var r session.Row
	var ok bool
	p.host.View(func(s *session.Session) { r, ok = s.Row(a.owner) })
	if !ok {
		return p.host.Say(panel.Refused("the call that it was for is not kept any more"))
	}
	return p.host.Want(panel.Cancel{Row: r})
}
