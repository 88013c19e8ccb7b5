package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/session"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// loginPanel shows the login that the server wants. The login page is opened on
// its own key only; belay itself never fetches it.
type loginPanel struct {
	m    *Model
	l    *loginDesk
	held hold
	now  func() time.Time

	top    int // the first line that is shown
	height int // of the text that scrolls, in the last frame
	lines  int // how many that text has
}

// holds reports whether no key is taken.
func (p *loginPanel) holds() bool { return p.l.Phase == LoginPage && p.held.on(p.now()) }

func (p *loginPanel) hold() tea.Cmd {
	p.held.touch(p.now())
	return p.release()
}

// release tells the panel when its dead time is over.
func (p *loginPanel) release() tea.Cmd {
	if !p.holds() {
		return nil
	}
	return p.held.wait(p.now())
}

func (p *loginPanel) Scope() keymap.Scope {
	switch {
	case p.holds():
		return scope.Held
	case p.l.Phase == LoginOver:
		return scope.LoginOver
	case p.l.Phase != LoginPage:
		return scope.LoginWait
	case p.l.line.Empty():
		return scope.LoginPage | scope.LoginEmpty
	}
	return scope.LoginPage | scope.LoginTyped
}

func (p *loginPanel) Key(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.holds():
		return p.hold()
	case p.l.Phase == LoginPage:
		p.edit(k)
	}
	return nil
}

// edit changes the end of the line: nobody can find a place in what is not shown.
func (p *loginPanel) edit(k tea.KeyPressMsg) {
	switch k.String() {
	case "backspace", "ctrl+h", "ctrl+w", "alt+backspace":
	default:
		if k.Text == "" {
			return
		}
	}
	p.l.note = ""
	p.l.line.Key(panel.FieldKey(k))
}

func (p *loginPanel) Paste(text string) tea.Cmd {
	switch {
	case p.holds():
		return p.hold()
	case p.l.Phase == LoginPage:
		p.l.note = ""
		p.l.line.Insert(text)
	}
	return nil
}

// close is esc: it gives the login up, or leaves one that has failed.
func (p *loginPanel) Close() tea.Cmd {
	m := p.m
	m.pop(p)
	p.l.line = edit.Line{}
	if !p.l.waits() {
		return nil
	}
	m.backend.AbandonLogin()
	return m.say(panel.Said("the login is given up: what waits for it fails"))
}

// empty takes back what was pasted.
func (p *loginPanel) empty() {
	p.l.line, p.l.note = edit.Line{}, ""
}

// cancel cancels a call that waits: the selected one, or else the oldest.
func (p *loginPanel) cancel() tea.Cmd {
	m := p.m
	at := max(0, slices.IndexFunc(p.l.calls, func(r session.Row) bool { return r.ID == m.calls.sel }))
	return m.cancelRow(p.l.calls[at], "")
}

func noLoginCall(m *Model) string {
	switch calls := m.login.calls; {
	case len(calls) == 0:
		return "no call waits for the login"
	case calls[0].Origin == session.FromHandshake: // behind which nothing else can wait
		return "the handshake must not be cancelled: esc gives its login up"
	}
	return ""
}

// later puts the login aside: it goes on.
func (p *loginPanel) later() tea.Cmd {
	m := p.m
	m.pop(p)
	p.l.aside = true
	return m.say(panel.Said("the login is put aside and goes on · ! brings it back"))
}

func (p *loginPanel) scroll(n int) { p.top = max(0, p.top+n) }

// open gives the login page to the browser.
func (p *loginPanel) open() tea.Cmd {
	m := p.m
	l, seq, open := p.l, p.l.Seq, m.backend.OpenURL
	address := l.url.Open
	l.opening, l.note = true, ""
	return func() tea.Msg {
		err := open(address)
		return panel.Done{Then: func() tea.Cmd {
			if l.Seq != seq { // another login has begun meanwhile
				return nil
			}
			l.opening = false
			if err != nil {
				l.tell(true, "not opened: "+safe.LineN(err.Error(), 200)+" · y copies the address")
			} else {
				l.tell(false, "the browser was told to open it: log in there")
			}
			return nil
		}}
	}
}

// copy gives the address of the page to the terminal's clipboard, as a browser
// takes it.
func (p *loginPanel) copy() tea.Cmd {
	m := p.m
	return m.toClipboard(panel.Value{Data: []byte(p.l.url.Open), What: "the address of the login page"})
}

// take hands over the address that was pasted. It holds a secret: it is kept
// nowhere, whatever becomes of it.
func (p *loginPanel) take() tea.Cmd {
	m := p.m
	text := p.l.line.String()
	p.l.line = edit.Line{}
	switch err := m.backend.PasteLogin(text); {
	case err == nil:
	case !strings.ContainsAny(text, "/?"): // keys that were meant for what lies behind the panel
		p.l.tell(true, "not taken: this is no address · ctrl+l puts the login aside, esc gives it up")
	default:
		p.l.tell(true, "not taken: "+safe.LineN(err.Error(), 200))
	}
	return nil
}

func nothingPasted(m *Model) string {
	if m.login.line.Empty() {
		return "paste the address first that the browser ended at"
	}
	return ""
}

func (l *loginDesk) tell(trouble bool, text safe.Text) { l.note, l.trouble = text, trouble }
