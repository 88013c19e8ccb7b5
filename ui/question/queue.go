package question

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/scope"
)

// question is one question of the server's.
type question struct {
	view  session.QuestionView // as of the last frame
	body  questionBody         // nil until it is shown for the first time
	owner session.CallID       // the call that it can only be for, while that was known
	whose safe.Text            // for which call it is, as long as that was to be known
	words safe.Text            // its first words, quoted, once they were needed

	aside    bool // put aside for later
	over     bool // it has ended, and there is nothing left to look at
	opened   bool // its address was given to the browser
	complete bool // the server said that what it led to is done
	late     bool // an answer came after the server had withdrawn it
	warned   bool // all that warns of it was on the screen

	leaving   session.QuestionState // what a key was pressed once for, and is pressed again for to give up what was typed; 0: none was
	toConfirm []byte                // the answer that is sent when the user presses the key once more

	doc   *doc.Doc // what the server wants, for one width
	laid  int      // how often it was laid out
	ended bool     // doc is that of the locked panel
	top   int
}

// wasVisited reports whether its address was opened and the server was told so. An
// input is not told of before the user is done there.
func (a *question) wasVisited() bool {
	return a.opened && a.view.State == session.Answered && a.view.Round == 0
}

// isLocked reports whether it has ended without an answer. It can only be read.
func (a *question) isLocked() bool {
	return a.view.State == session.Withdrawn || a.view.State == session.QuestionLost
}

// wasTakenBack reports whether the server has withdrawn the question; a question that was closed
// with its task ended otherwise.
func (a *question) wasTakenBack() bool {
	return a.view.State == session.Withdrawn && a.view.Closed == ""
}

// isVisiting reports whether it is an input whose address was opened, and that waits
// for the user to be done there.
func (a *question) isVisiting() bool { return a.opened && a.waits() && a.view.Round > 0 }

func (a *question) waits() bool { return a.view.State == session.Waiting }

// isKept reports whether a question that has ended is still worth a look: the user
// had begun with it.
func (a *question) isKept() bool {
	return a.isLocked() && !a.over && (a.aside || a.late || a.opened || a.view.NotAccepted != "" || a.hasBegun())
}

// fields are those in which the question is answered, if it is shown and has any.
func (a *question) fields() (f answerFields, ok bool) {
	f, ok = a.body.(answerFields)
	return f, ok
}

// isAside reports whether a question is left for later: the user put it aside, or it came for a
// task that is being cancelled, and does not open by itself.
func (a *question) isAside() bool { return a.aside || a.view.AfterCancel }

// hasBegun reports whether the user has begun with an answer.
func (a *question) hasBegun() bool {
	fields, ok := a.fields()
	return ok && fields.touched()
}

// Kept counts the questions that were taken back, those that were closed with their task,
// and those whose connection was lost, that were not looked at since.
func (p *Panel) Kept() (withdrawn, closed, lost int) {
	shown := p.shown()
	for _, a := range p.byID {
		switch {
		case !a.isKept() || a == shown:
		case a.wasTakenBack():
			withdrawn++
		case a.view.State == session.Withdrawn:
			closed++
		default:
			lost++
		}
	}
	return withdrawn, closed, lost
}

// questions are all that the server has asked and the core still knows.
type questions struct {
	all  []session.QuestionView // as of the last frame
	byID map[session.QuestionID]*question
}

// HasAny reports whether there is a question to be shown.
func (q *questions) HasAny() bool {
	_, ok := q.next()
	return ok
}

// forget drops what the core has forgotten.
func (q *questions) forget(all []session.QuestionView, shown *question) {
	if len(q.byID) <= 2*len(all)+16 {
		return
	}
	known := map[session.QuestionID]bool{}
	for _, v := range all {
		known[v.ID] = true
	}
	for id, a := range q.byID {
		if !known[id] && a != shown {
			delete(q.byID, id)
		}
	}
}

// queue are the questions that can be gone through: those that wait, oldest
// first, and behind them those that were taken back and are kept.
func (q *questions) queue() []*question {
	var waiting, kept []*question
	for _, v := range q.all {
		switch a := q.byID[v.ID]; {
		case a == nil:
		case a.waits():
			waiting = append(waiting, a)
		case a.isKept():
			kept = append(kept, a)
		}
	}
	return append(waiting, kept...)
}

// next returns the question that ! opens: the oldest waiting question, those that are
// aside last, and then a withdrawn question.
func (q *questions) next() (*question, bool) {
	all := q.queue()
	for _, a := range all {
		if a.waits() && !a.isAside() {
			return a, true
		}
	}
	if len(all) == 0 {
		return nil, false
	}
	return all[0], true
}

func (p *Panel) noQuestion() string {
	switch s := p.host.Screen(); {
	case s.IsTiny():
		return panel.TooSmall
	case p.HasAny():
		return ""
	default:
		return NoQuestion(s.AwaitsRetry)
	}
}

// NoQuestion is why no question can be shown, where the server asks none. It names the key
// that goes on with the selected call, if that is held.
func NoQuestion(held bool) string {
	if held {
		return "the server asks nothing, but this call is held: r goes on"
	}
	return "the server asks nothing"
}

// shown is the question that is shown, or nil.
func (p *Panel) shown() *question {
	if p.open {
		return p.question
	}
	return nil
}

// Notice takes over what became of the server's questions, tells of it,
// and opens the panel for a new one if nothing else is in use.
func (p *Panel) Notice(all []session.QuestionView) tea.Cmd {
	p.all = all
	shown := p.shown()
	var fresh *question
	var cmds []tea.Cmd
	for _, v := range p.all {
		a, before := p.take(v)
		if !v.Completed.IsZero() && !a.complete {
			a.complete = true
			cmds = append(cmds, p.host.Say(panel.Said(p.completeWords(a)).Beside()))
		}
		switch {
		case before == v.State:
		case before == 0 && v.State == session.Waiting:
			opens, cmd := p.onNewQuestion(a, fresh == nil && p.host.Screen().Free && !v.AfterCancel, fresh != nil && !v.AfterCancel)
			if opens {
				fresh = a
			}
			cmds = append(cmds, cmd)
		case a.view.NotAccepted != "" && before != session.Waiting:
			if before == session.Answered && v.State == session.Waiting && fresh == nil && p.host.Screen().Free {
				fresh = a
			}
			cmds = append(cmds, p.tellRejected(a, a == shown || a == fresh))
		default:
			cmds = append(cmds, p.tellQuestion(a, before, a == shown))
		}
	}
	p.forget(p.all, shown)
	cmds = append(cmds, p.follow())
	if fresh != nil {
		cmds = append(cmds, p.openPanel(fresh, true))
	}
	cmds = append(cmds, p.noticeAway())
	return tea.Batch(cmds...)
}

// take takes over how a question stands now; before is how it stood, or 0 when
// it is new.
func (q *questions) take(v session.QuestionView) (a *question, before session.QuestionState) {
	a = q.byID[v.ID]
	if a == nil {
		a = &question{}
		q.byID[v.ID] = a
	}
	before = a.view.State
	a.view = v
	switch {
	case v.Owners == 1:
		a.owner = v.Candidates[0]
	case v.OfCancelled != 0:
		a.owner = v.OfCancelled
	}
	return a, before
}

// onNewQuestion handles a new question: it is answered by the canned answer, opens by
// itself, or is announced, unless another question that opens now counts it.
func (p *Panel) onNewQuestion(a *question, free, counted bool) (opens bool, cmd tea.Cmd) {
	answered, cmd := p.answerCanned(a)
	switch {
	case answered:
		return false, cmd
	case free, cmd != nil:
		return free, cmd
	case counted:
		return false, nil
	}
	return false, p.tellQuestion(a, 0, false)
}

// newWords announces a question that did not open by itself, with the key that
// shows the question.
func (p *Panel) newWords(a *question) safe.Text {
	open := p.open
	words := "the server asks you: " + wording.Name(a.view.Method)
	switch {
	case p.host.Screen().IsTiny():
		return "asks you: " + wording.Name(a.view.Method) + " · needs " + panel.LeastSize
	case a.view.AfterCancel:
		words = "a cancelled task asks you: " + wording.Name(a.view.Method)
	case a.view.Round > 0 && !open:
		words = safe.Cut(p.rowName(a.owner), 30) + " asks you: " + wording.Name(a.view.Method)
	case a.view.Needed:
		words = safe.Cut(p.rowName(a.owner), 30) + " needs you to visit an address"
	case open:
		words = "the server asks something else, too: " + wording.Name(a.view.Method)
	}
	switch {
	case open && p.host.Screen().Top == panel.Panel(p) && p.Scope()&scope.Live != 0:
		return words + " · ctrl+n shows it"
	case p.host.Screen().Shows():
		return words + " · ! shows it"
	case open:
		return words
	}
	return words + " · it waits until you are done"
}

// tellQuestion tells in the status line what came and what was taken back.
func (p *Panel) tellQuestion(a *question, before session.QuestionState, shown bool) tea.Cmd {
	switch a.view.State {
	case session.Waiting:
		return p.host.Say(panel.Said(p.newWords(a)).Beside())
	case session.Withdrawn:
		if before == session.Answered || before == session.Declined || before == session.Dismissed {
			a.late = true
		}
		if shown { // the panel says so
			p.host.Say(panel.Silence())
			return nil
		}
		what := p.shortName(a)
		text := what + " " + withdrawnWords
		if !a.wasTakenBack() {
			text = what + " closed: " + a.endedWords()
		}
		if other := p.ofAnother(a); other != "" {
			text = other + a.endedWords()
		}
		switch {
		case a.opened:
			how := safe.Text(" withdrawn")
			if !a.wasTakenBack() {
				how = " closed: " + safe.Line(a.view.Closed)
			}
			return p.host.Say(panel.Refused(what + how + "; the page you opened may still be live").Beside())
		case a.late && a.wasTakenBack():
			text = "too late: the server withdrew " + what + " · nothing was sent"
		case a.isKept() && p.host.Screen().Shows():
			text += " · ! shows it"
		}
		return p.host.Say(panel.Refused(text + reasonWords(a.view.Reason)).Beside())
	case session.Dismissed:
		if a.view.Closed != "" && shown {
			return p.host.Say(panel.Said(p.closedWords(a)))
		}
	case session.QuestionLost, session.Answered, session.Declined:
	}
	return nil
}

// laying is one layout of a question's text: the text changes when the question ends, and when an editor comes
// home after the end.
type laying struct {
	of  *question
	nth int
}

// LaidOut takes the text of a question when it was laid out whole, if nothing else is on the screen by now.
func (l laying) LaidOut(d *doc.Doc) {
	if l.of.doc != nil && l.of.laid == l.nth {
		l.of.doc = d
	}
}

// Elsewhere says where the rest of a question is that is too long to be shown.
func (laying) Elsewhere() safe.Text {
	return "there is more: the message in the wire pane has all of it"
}
