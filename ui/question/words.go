package question

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
	"belay/ui/panel"
	"belay/ui/row"
)

// phrases say what there is to say of a question, whichever one is shown. They look at the
// screen and the session, and know nothing of the panel.
type phrases struct{ host panel.Host }

// withdrawnWords is what a question reads that the server took back.
const withdrawnWords = "withdrawn by the server · nothing was sent"

// completeWords tell of the server's notice that what an address led to is done.
func (p *Panel) completeWords(a *question) safe.Text {
	if a.view.Needed {
		return p.ofAnother(a) + "the server says that it is done · r on the row makes the call again"
	}
	return p.ofAnother(a) + "the server says that what its address led to is done"
}

// askName is what a question is called in the status line, which may stand below
// another one: its method and its first words. One that is only needed came with
// an error: the server sent no request that it could be called after.
func (w phrases) askName(a *question) safe.Text {
	name := wording.Name(a.view.Method)
	if a.view.Needed {
		name = "the address of a failed call"
	}
	return wording.Join(name, w.askWords(a))
}

// shortName is the same where there is little room.
func (w phrases) shortName(a *question) safe.Text {
	if words := w.askWords(a); words != "" {
		return words
	}
	return w.askName(a)
}

// askWords are the first words of a question, which are the server's.
func (w phrases) askWords(a *question) safe.Text {
	if a.words == "" && a.view.Params != nil {
		const most = 1000
		text := w.firstText(a)
		if text, _, _ = strings.Cut(strings.TrimSpace(text[:min(len(text), most)]), "\n"); text != "" {
			a.words = safe.QuotedCut(text, 20)
		}
	}
	return a.words
}

// firstText is what a question says to the user, as far as that is known without
// reading much.
func (w phrases) firstText(a *question) string {
	rev := w.host.Screen().Status.Revision
	switch b := a.body.(type) {
	case *formAsk:
		return b.req.Message
	case *urlAsk:
		return b.req.Message
	case *samplingAsk:
		return lastText(b.req)
	}
	if len(a.view.Params) > ParamsAtOnce {
		return ""
	}
	if a.view.Method == "sampling/createMessage" {
		req, _ := mcp.ParseSampling(rev, a.view.Params)
		return lastText(req)
	}
	req, _ := mcp.ParseElicitation(rev, a.view.Params)
	return req.Message
}

// ofAnother says of what the status line tells when the panel shows another
// question than that.
func (p *Panel) ofAnother(a *question) safe.Text {
	if open := p.open; open && p.question != a {
		return "another question, " + p.shortName(a) + ": "
	}
	return ""
}

// inputWords say what follows from an answer to an input: the call is made again
// when all of them are answered.
func (w phrases) inputWords(a *question) safe.Text {
	if a.view.Round == 0 {
		return ""
	}
	var r session.Row
	w.host.View(func(s *session.Session) { r, _ = s.Row(a.owner) })
	switch ro := r.Round; {
	case !r.IsInFlight():
		return " · the call is not retried, nothing was sent"
	case ro.Waits && ro.Open > 0:
		return " · " + wording.Thousands(ro.Open) + " more before the call goes on"
	case ro.Waits && ro.AwaitsRetry:
		return " · the call is held: r on its row goes on"
	}
	return " · the call goes on"
}

// endedWords say why a question can be answered no more: the server took it back, or it was
// closed with its task, which need not be the server's doing.
func (a *question) endedWords() safe.Text {
	if a.view.Closed != "" {
		return safe.Line(a.view.Closed) + " · nothing was sent"
	}
	return withdrawnWords
}

// closedWords tell of an input that was closed with its call.
func (w phrases) closedWords(a *question) safe.Text {
	t := w.shortName(a) + " closed: " + safe.Line(a.view.Closed)
	if a.opened {
		return t + " · the page you opened may still be live"
	}
	return t + " · nothing was sent"
}

func reasonWords(reason string) safe.Text {
	if reason == "" {
		return ""
	}
	return " · " + safe.QuotedCut(reason, 80)
}

// isCancelled reports whether a call is cancelled, or being cancelled.
func (w phrases) isCancelled(id session.CallID) (is bool) {
	w.host.View(func(s *session.Session) {
		r, ok := s.Row(id)
		is = ok && (r.State == session.Cancelling || r.State == session.Cancelled)
	})
	return is
}

// rowName is the name of a call that may not be in view.
func (w phrases) rowName(id session.CallID) safe.Text {
	name := safe.Text("a call that is not kept any more")
	w.host.View(func(s *session.Session) {
		if r, ok := s.Row(id); ok {
			name = row.Name(r)
		}
	})
	return name
}

// taskName is the name of the task of a call that may not be in view.
func (w phrases) taskName(id session.CallID) safe.Text {
	name := safe.Text("the task of a call that is not kept any more")
	w.host.View(func(s *session.Session) {
		if r, ok := s.Row(id); ok {
			name = row.TaskName(r)
		}
	})
	return name
}

// candidates name the calls that a question may belong to, as far as there is room: those in flight,
// and then those that were cancelled.
func (w phrases) candidates(v session.QuestionView) safe.Text {
	inFlight := v.Owners - v.CancelledOwners
	ids := v.Candidates[:min(inFlight, len(v.Candidates))]
	words, cancelled := w.oneOf(ids, inFlight), w.oneOf(v.Candidates[len(ids):], v.CancelledOwners)
	switch {
	case v.CancelledOwners == 0:
		return words
	case inFlight == 0:
		return cancelled + ", which were cancelled"
	case v.CancelledOwners == 1:
		return words + ", or " + cancelled + ", which was cancelled"
	}
	return words + ", or " + cancelled + ", which were cancelled"
}

// oneOf names the first of so many calls.
func (w phrases) oneOf(ids []session.CallID, n int) (words safe.Text) {
	const most = 4
	ids = ids[:min(most, len(ids))]
	w.host.View(func(s *session.Session) {
		for _, id := range ids {
			r, ok := s.Row(id)
			switch name := "#" + safe.Text(r.Wire.String()); {
			case !ok:
			case words == "":
				words = name
			default:
				words += ", " + name
			}
		}
	})
	switch more := n - len(ids); {
	case n == 1:
		return words
	case more == n:
		return "one of " + wording.Thousands(n) + " calls"
	case more > 0:
		words += " and " + wording.Thousands(more) + " more"
	}
	return "one of " + words
}

// ownerWords says for which call a question is, as far as that is known, and
// whether nobody may be waiting for its answer any more.
func (w phrases) ownerWords(a *question) (words safe.Text, orphan bool) {
	v := &a.view
	switch n := v.Owners; {
	case v.Round > 0 && n == 1:
		a.whose = "round " + wording.Thousands(v.Round) + " of " + w.rowName(v.Candidates[0]) + ", input " + safe.QuotedCut(v.Key, 40)
	case v.Needed && n == 1:
		a.whose = w.rowName(v.Candidates[0]) + " failed for want of this; nothing is sent for it"
	case n > 1:
		a.whose = "for " + w.candidates(*v) + "; nothing on the wire says which"
		return a.whose, a.waits() && v.CancelledOwners == n
	case v.Orphaned, v.OfCancelled != 0:
		return w.orphanWords(a), a.waits()
	case n == 1 && v.Task != "" && !a.waits():
		a.whose = "was for " + w.taskName(v.Candidates[0])
	case n == 1 && v.Task != "":
		a.whose = "for " + w.taskName(v.Candidates[0])
	case n == 1 && v.Nameless:
		a.whose = "for " + w.rowName(v.Candidates[0]) + ", as far as is known: it names no task"
	case n == 1:
		a.whose = "for " + w.rowName(v.Candidates[0])
	case v.Unsolicited:
		a.whose = "unsolicited: no request of belay's was in flight"
	case a.waits():
		a.whose = "for no call in particular"
	}
	return a.whose, false
}

// named is the name of a call, or of the task that it runs as.
func named(r session.Row) safe.Text {
	if r.Task != nil {
		return row.TaskName(r)
	}
	return row.Name(r)
}

// orphanWords says what became of the call of a question that still waits.
func (w phrases) orphanWords(a *question) safe.Text {
	words, open := safe.Text("for a call that has ended"), safe.Text("")
	if a.waits() {
		words += ": nobody may be waiting for the answer"
		open = "; the server has not taken it back"
		if a.view.StreamOver {
			open = "; its exchange is over: the server cannot take it back there"
		}
	}
	owner := a.owner
	switch {
	case owner == 0 && !a.waits() && a.whose != "": // it was for one of several, which may be in flight yet
		return a.whose
	case owner == 0:
		return words
	}
	after := safe.Text("")
	if a.view.AfterCancel || a.view.OfCancelled != 0 {
		after = "came after "
	}
	w.host.View(func(s *session.Session) {
		r, ok := s.Row(owner)
		switch {
		case !ok:
		case r.Task != nil && r.Task.CancelSentBy != "": // by another row of the task
			words = after + "you cancelled " + row.TaskName(r) + ", which it was for" + open
		case r.Task != nil && r.Task.End == task.Left && r.Initiator == 0:
			words = "you stopped waiting for " + row.TaskName(r)
			if a.waits() {
				words += ", which goes on, as far as is known, and waits for this answer"
			}
		case r.Initiator == cancel.ByUser:
			words = after + "you cancelled " + named(r) + ", which it was for" + open
		case r.Initiator != 0:
			words = after + "belay cancelled " + named(r) + ", which it was for" + open
		case a.waits():
			words = named(r) + " has ended, which it was for: nobody may be waiting for the answer"
		default:
			words = "it was for " + named(r) + ", which has ended"
		}
	})
	return words
}
