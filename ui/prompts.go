package ui

import (
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/layout"
)

// withdrawnWords is what a prompt reads that the server took back.
const withdrawnWords = "withdrawn by the server · nothing was sent"

// showPrompt shows a prompt in the place of the call, or the call again (0). A
// withdrawn prompt that is left was seen.
func (p *detailPane) showPrompt(id session.PromptID) {
	if p.prompt != 0 {
		p.seen[p.prompt] = true
	}
	p.prompt, p.top, p.search = id, 0, ""
}

// unseenWithdrawn counts the prompts that the server took back and that the
// user did not look at since.
func (p *detailPane) unseenWithdrawn(all []session.PromptView) int {
	n := 0
	for _, v := range all {
		if v.State == session.Withdrawn && !p.seen[v.ID] && v.ID != p.prompt {
			n++
		}
	}
	return n
}

// shownPrompt is the prompt in the detail pane.
func (m *Model) shownPrompt() (session.PromptView, bool) {
	for _, v := range m.snap.prompts {
		if v.ID == m.detail.prompt && v.ID != 0 {
			return v, true
		}
	}
	return session.PromptView{}, false
}

func (m *Model) promptPhase() session.PromptState {
	v, _ := m.shownPrompt()
	return v.State
}

// interesting are the prompts that ! goes through: what waits, and when nothing
// does, what was withdrawn unseen.
func (m *Model) interesting() []session.PromptView {
	var waiting, withdrawn []session.PromptView
	for _, v := range m.snap.prompts {
		switch {
		case v.State == session.Waiting:
			waiting = append(waiting, v)
		case v.State == session.Withdrawn && !m.detail.seen[v.ID]:
			withdrawn = append(withdrawn, v)
		}
	}
	if len(waiting) > 0 {
		return waiting
	}
	return withdrawn
}

func noPrompt(m *Model) string {
	if len(m.interesting()) == 0 {
		return "the server asks nothing"
	}
	return ""
}

// nextPrompt shows the next prompt after the one that is shown. If it is known
// for which call it is, that one is selected as well.
func (m *Model) nextPrompt() {
	all := m.interesting()
	next := all[0]
	for _, v := range all {
		if v.ID > m.detail.prompt {
			next = v
			break
		}
	}
	if next.Owners == 1 {
		m.calls.choose(next.Candidates[0])
	}
	m.detail.showPrompt(next.ID)
	m.show(layout.Detail)
}

// noticePrompts tells in the status line what came and what was taken back.
// It never takes the focus (SEC-32).
func (m *Model) noticePrompts() tea.Cmd {
	var cmd tea.Cmd
	for _, v := range m.snap.prompts {
		if m.detail.told[v.ID] == v.State {
			continue
		}
		m.detail.told[v.ID] = v.State
		switch v.State {
		case session.Waiting:
			cmd = m.say("the server asks you: "+named(v.Method)+" · ! shows it", said)
		case session.Withdrawn:
			cmd = m.say(named(v.Method)+" "+withdrawnWords+reasonWords(v.Reason), refused)
		case session.Answered, session.Declined, session.Dismissed, session.PromptLost:
		}
	}
	return cmd
}

func reasonWords(reason string) safe.Text {
	if reason == "" {
		return ""
	}
	return " · " + safe.QuotedCut(reason, 80)
}

func promptTitle(v session.PromptView) safe.Text {
	return "the server asks: " + safe.LineN(v.Method, 60)
}

// promptDoc shows a request of the server's: in which state it is, what it
// wants, and how to answer.
func (m *Model) promptDoc(d *doc.Doc) {
	v, _ := m.shownPrompt()
	st := m.styles
	text, style := m.promptWords(v)
	d.Add(0, doc.Span{Text: text, Style: bold(style)})
	if v.Reason != "" {
		d.Add(0, doc.Span{Text: "its reason: ", Style: st.Muted}, doc.Span{Text: safe.Quoted(v.Reason), Style: st.Text})
	}
	d.Blank()
	m.field(d, "request", safe.LineN(v.Wire.String(), 60)+" · an ID of the server's", st.Text)
	m.field(d, "came", clockTime(v.Arrived), st.Text)
	m.field(d, "for", m.ownerWords(v), st.Text)
	var head struct {
		Message string `json:"message"`
		URL     string `json:"url"`
	}
	if json.Unmarshal(v.Params, &head) == nil && head.Message != "" {
		m.heading(d, "it says")
		m.quote(d, head.Message)
	}
	m.heading(d, "params")
	m.json(d, v.Params)
}

func (m *Model) promptWords(v session.PromptView) (safe.Text, canvas.Style) {
	st := m.styles
	switch v.State {
	case session.Waiting:
		return "waiting for you · :answer JSON, :decline or :dismiss", st.Warn
	case session.Withdrawn:
		return withdrawnWords + " · esc dismisses", st.Stop
	case session.PromptLost:
		return "lost: the connection ended · nothing was sent", st.Bad
	case session.Answered, session.Declined, session.Dismissed:
	}
	return safe.Text(v.State.String()), st.Muted
}

// rowName is the name of a call that may not be in view.
func (m *Model) rowName(id session.CallID) safe.Text {
	name := safe.Text("a call that is not kept any more")
	m.backend.View(func(s *session.Session) {
		if r, ok := s.Row(id); ok {
			name = callName(r)
		}
	})
	return name
}

// oneOf names the calls that a prompt may belong to, as far as there is room.
func (m *Model) oneOf(v session.PromptView) safe.Text {
	const most = 4
	t := safe.Text("one of ")
	m.backend.View(func(s *session.Session) {
		for i, id := range v.Candidates[:min(most, len(v.Candidates))] {
			if i > 0 {
				t += ", "
			}
			if r, ok := s.Row(id); ok {
				t += "#" + safe.Text(r.Wire.String())
			}
		}
	})
	if more := v.Owners - most; more > 0 {
		t += " and " + thousands(more) + " more"
	}
	return t
}

// ownerWords says for which call a prompt is, as far as that is known.
func (m *Model) ownerWords(v session.PromptView) safe.Text {
	switch n := v.Owners; {
	case v.Orphaned:
		return "a call that has ended: nobody may be waiting for the answer"
	case n == 0:
		return "no call in particular"
	case n == 1:
		return m.rowName(v.Candidates[0])
	default:
		return m.oneOf(v) + "; nothing on the wire says which"
	}
}

func noWaitingPrompt(m *Model) string {
	if v, ok := m.shownPrompt(); ok && v.State == session.Waiting {
		return ""
	}
	if len(m.snap.waiting()) == 0 {
		return "the server asks nothing"
	}
	return ""
}

// current is the prompt that an answer is for: the one that is shown, or the
// oldest that waits.
func (m *Model) current() (session.PromptView, bool) {
	if v, ok := m.shownPrompt(); ok {
		return v, true
	}
	if w := m.snap.waiting(); len(w) > 0 {
		return w[0], true
	}
	return session.PromptView{}, false
}

// respond answers the prompt and tells how that went.
func (m *Model) respond(words safe.Text, f func(s *session.Session, now time.Time, v session.PromptView) error) tea.Cmd {
	v, ok := m.current()
	if !ok {
		return nil
	}
	var err error
	m.backend.Do(func(s *session.Session, now time.Time) { err = f(s, now, v) })
	if err != nil {
		return m.sayError(err)
	}
	m.detail.showPrompt(0)
	return m.say(words+" "+named(v.Method), said)
}

// answerPrompt sends a result that the user wrote.
func (m *Model) answerPrompt(result string) tea.Cmd {
	return m.respond("answered", func(s *session.Session, now time.Time, v session.PromptView) error {
		return s.Answer(now, v.ID, []byte(result), session.Answered)
	})
}

func (m *Model) declinePrompt() tea.Cmd {
	return m.respond("declined", func(s *session.Session, now time.Time, v session.PromptView) error {
		return refusePrompt(s, now, v, `{"action":"decline"}`, session.Declined)
	})
}

func (m *Model) dismissPrompt() tea.Cmd {
	return m.respond("dismissed", func(s *session.Session, now time.Time, v session.PromptView) error {
		return refusePrompt(s, now, v, `{"action":"cancel"}`, session.Dismissed)
	})
}

// refusePrompt says no in the way that the kind of prompt has for it.
func refusePrompt(s *session.Session, now time.Time, v session.PromptView, action string, as session.PromptState) error {
	if v.Method == "elicitation/create" {
		return s.Answer(now, v.ID, []byte(action), as)
	}
	return s.Refuse(now, v.ID, -1, "User rejected sampling request", as)
}
