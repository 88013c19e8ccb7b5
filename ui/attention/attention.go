// Package attention tells whoever looks elsewhere how belay stands: the terminal, whether belay
// works, waits for the user or is done; and the user, by a notification of the desktop, that a
// long call has ended or asks something.
package attention

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/panel"
	"belay/ui/row"
)

const (
	// Long is how long a call takes that is worth a notification.
	Long = time.Minute
	// followed bounds the calls of which a notification may tell: those that were made first.
	followed = 100
	// wordsMost bounds the words of a notification.
	wordsMost = 120
)

// Notify makes a sequence of words that has the terminal show a notification.
type Notify func(words safe.Text) (sequence string)

// Teller tells it. Make one with [New].
type Teller struct {
	host   panel.Host
	notify Notify

	supported bool // the terminal shows the state of a program
	worked    bool // a call of the user's was in flight
	looked    bool // the terminal says that it has the focus

	calls   map[session.CallID]bool
	waiting int // questions, as of the last look
}

// New tells of nothing yet. Without notify there are no notifications.
func New(h panel.Host, notify Notify) *Teller {
	return &Teller{host: h, notify: notify, calls: map[session.CallID]bool{}}
}

// Notifies reports whether there are notifications: then the terminal is asked for its focus.
func (t *Teller) Notifies() bool { return t.notify != nil }

// Update takes what the terminal says of itself. It says false for any other message.
func (t *Teller) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	switch msg.(type) {
	case tea.ProgramStatusSupportMsg:
		t.supported = true
	case tea.FocusMsg:
		t.looked = true
	case tea.BlurMsg:
		t.looked = false
	default:
		return nil, false
	}
	return nil, true
}

// Status is how belay stands; nil where the terminal does not show it. Login says that a login
// waits for the user.
func (t *Teller) Status(login bool) *tea.ProgramStatus {
	if !t.supported {
		return nil
	}
	p := &tea.ProgramStatus{App: "belay", State: tea.ProgramStateIdle}
	switch s := t.host.Screen().Status; {
	case s.Waiting > 0:
		p.State, p.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindQuestion
	case login:
		p.State, p.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindAuth
	case s.UserCalls > 0:
		p.State = tea.ProgramStateWorking
	case t.worked:
		p.State = tea.ProgramStateDone
	}
	return p
}

// Follow looks at what has changed since the last frame, and notifies the user of what is worth it.
func (t *Teller) Follow() tea.Cmd {
	status := t.host.Screen().Status
	t.worked = t.worked || status.UserCalls > 0
	if t.notify == nil || status.Quitting {
		return nil
	}
	var ended []session.Row
	var asking session.Row
	t.host.View(func(s *session.Session) {
		for id := range t.calls {
			r, ok := s.Row(id)
			if !ok || !r.IsInFlight() {
				delete(t.calls, id)
			}
			if ok && !r.IsInFlight() && r.Age(r.Ended) >= Long {
				ended = append(ended, r)
			}
		}
		for _, r := range s.InFlight(nil, followed) {
			if r.Origin != session.FromUser || r.IsStanding() {
				continue
			}
			t.calls[r.ID] = true
			if status.Waiting > t.waiting && r.Age(t.host.Screen().Now) >= Long && (asking.ID == 0 || r.AsksYou) {
				asking = r
			}
		}
	})
	t.waiting = status.Waiting
	words := t.words(ended, asking)
	if words == "" || t.looked {
		return nil
	}
	return tea.Raw(t.notify("belay: " + words))
}

// words are what a notification says; empty: there is none. What the server names is quoted where
// it has to be, and short.
func (t *Teller) words(ended []session.Row, asking session.Row) safe.Text {
	switch {
	case asking.ID != 0:
		return "the server asks you something, while " + target(asking) + " is in flight"
	case len(ended) == 1:
		r := ended[0]
		return safe.Cut(target(r)+" "+wording.StateOf(r, "").Wide+" after "+wording.Duration(r.Age(r.Ended)), wordsMost)
	case len(ended) > 1:
		return wording.Count(len(ended), "long call") + " have ended, one of them " + target(ended[0])
	}
	return ""
}

func target(r session.Row) safe.Text {
	switch {
	case r.Follows && r.Tool == "":
		return "task " + row.TargetIn(r, 30)
	case r.Target == "":
		return wording.NameIn(r.Method, 40)
	}
	return row.TargetIn(r, 40)
}
