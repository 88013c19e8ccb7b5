package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/layout"
	"belay/ui/panel"
)

// Login is what is known of the login at the server. Its texts are foreign.
type Login struct {
	Able  bool // belay logs in where the server wants it
	Token bool // there is a token that can be forgotten

	Seq      uint64 // tells one login from the next; 0: there was none on this connection
	Phase    LoginPhase
	URL      string // the login page, in LoginPage
	Issuer   string // who gives access, by its own name; empty until that is known
	Redirect string // where the page leads back to, in LoginPage

	More       bool   // there is a login, and the server wants more than that gave
	Scopes     string // … which it names so; empty: it does not
	Again      bool   // … although the last login was for the same
	NotRenewed string // why the token that there was is not renewed; empty: nobody has tried to
	Stray      bool   // an answer came to Redirect that belongs to another login

	NoListener string // why nobody listens there; empty: somebody does
	Failure    string // why there is no token, in LoginOver; empty: there is one
	Ended      bool   // … because the user gave it up, or with its connection
	NotKept    string // why the token is for this run only; empty: it was kept

	Remedy session.Remedy // what can be done about a failure
}

// Logout reports whether the authorization server revoked the token that belay has
// just deleted.
type Logout struct {
	Revoked bool   // it is of no use to anybody any more
	Gone    bool   // there was none any more: the issuer had refused to renew it
	Failure string // why it was not revoked; empty without the two: the issuer has no way to do so
}

// LoginPhase is how far a login is.
type LoginPhase uint8

// The phases, in their order.
const (
	LoginFinding  LoginPhase = iota // who gives access is being found out
	LoginPage                       // the user has to open a page
	LoginFetching                   // the page has answered, the token is being fetched
	LoginOver
)

func (l *Login) waits() bool { return l.Seq != 0 && l.Phase != LoginOver }

func (l *Login) failed() bool {
	return l.Seq != 0 && l.Phase == LoginOver && l.Failure != "" && !l.Ended
}

// loginDesk is what the screen remembers of the last login.
type loginDesk struct {
	Login               // as of the last frame
	url   suspect.URL   // of the page
	calls []session.Row // that wait for it, oldest first
	last  []session.Row // that waited for it when any did
	none  bool          // … and none does any more
	line  edit.Line     // what is being pasted: never shown as it is

	note    safe.Text // what became of the last key; empty: nothing to tell
	trouble bool      // … was nothing good
	opening bool      // the program that opens the page has been started
	aside   bool      // put aside for later
	cramped bool      // it would have opened by itself, had there been room
	warned  bool      // all that warns of the page was on the screen
}

// noticeLogin takes over what became of the login, tells of it, and opens the
// panel for a page if nothing else is in use. Before the terminal has said how
// large it is, nobody knows whether a panel has room.
func (m *Model) noticeLogin() tea.Cmd {
	if m.w <= 0 || m.h <= 0 {
		return nil
	}
	l, old := m.snap.login, m.login.Login
	if l.Seq != old.Seq {
		m.closeLogin()
		m.login = loginDesk{}
		old = Login{Seq: l.Seq}
	}
	m.login.Login = l
	m.login.calls, m.login.none = m.callsForLogin()
	if len(m.login.calls) > 0 {
		m.login.last = m.login.calls
	}
	m.login.none = m.login.none && len(m.login.last) > 0
	switch {
	case l.Phase == LoginPage && l.Phase == old.Phase && m.login.cramped && m.lay.Mode != layout.Tiny:
		return m.meetLogin()
	case l.Seq == 0 || l.Phase == old.Phase:
		return nil
	case l.Phase == LoginPage:
		m.login.url = suspect.Judge(l.URL)
		return m.meetLogin()
	case l.Phase == LoginFetching:
		m.login.line, m.login.note = edit.Line{}, ""
	case l.Phase == LoginOver:
		return m.loginOver()
	}
	return nil
}

// callsForLogin returns the calls that wait for the current login. The second result
// reports whether there are certainly none.
func (m *Model) callsForLogin() (calls []session.Row, none bool) {
	const most = 200 // of those in flight that are looked at
	if !m.snap.login.waits() {
		return nil, false
	}
	m.backend.View(func(s *session.Session) { calls = s.InFlight(nil, most) })
	all := len(calls) < most
	calls = slices.DeleteFunc(calls, func(r session.Row) bool { return !r.Login && !r.HearsLater })
	return calls, all && len(calls) == 0
}

// meetLogin opens the panel for a login page, or tells of it.
func (m *Model) meetLogin() tea.Cmd {
	_, open := m.loginPanel()
	m.login.cramped = m.lay.Mode == layout.Tiny
	switch {
	case open:
		return nil
	case m.login.cramped:
		return m.say(panel.Said("the server wants a login · " + panel.NeedsWords()))
	case m.idle() && !m.login.aside:
		return m.openLogin(true)
	case m.hintsNewPrompt():
		return m.say(panel.Said("the server wants a login · ! shows it"))
	}
	return m.say(panel.Said("the server wants a login · it waits until you are done"))
}

// autoProceeds reports whether a call that waited for the login goes on with it. The
// session may have let it go on a frame before the login is told to be over.
func (m *Model) autoProceeds() (does bool) {
	m.backend.View(func(s *session.Session) {
		does = slices.ContainsFunc(m.login.last, func(r session.Row) bool {
			now, kept := s.Row(r.ID)
			return kept && now.State != session.Cancelling && now.State != session.Cancelled && now.State != session.Dropped
		})
	})
	return does
}

// loginOver tells how the login went, and whether that concerns a call.
func (m *Model) loginOver() tea.Cmd {
	l := &m.login
	_, open := m.loginPanel()
	switch {
	case l.Ended: // whoever ended it has said so
		m.closeLogin()
		return nil
	case l.failed() && open: // the panel says so
		return nil
	case l.failed():
		return m.say(panel.Failed("not logged in · :login says why"))
	}
	m.closeLogin()
	if l.NotKept != "" {
		return m.say(panel.Refused("logged in, for this run only: " + safe.LineN(l.NotKept, 300)))
	}
	if m.autoProceeds() {
		return m.say(panel.Said("logged in · what waited for it goes on"))
	}
	return m.say(panel.Said("logged in"))
}

// loginPanel is the panel of the login, also while something lies over it.
func (m *Model) loginPanel() (*loginPanel, bool) {
	for _, d := range m.stack {
		if p, ok := d.(*loginPanel); ok {
			return p, true
		}
	}
	return nil, false
}

func (m *Model) closeLogin() {
	if p, ok := m.loginPanel(); ok {
		m.pop(p)
	}
}

// openLogin shows the login. A panel that opens by itself takes no key for a
// moment.
func (m *Model) openLogin(byItself bool) tea.Cmd {
	p, open := m.loginPanel()
	if !open {
		p = &loginPanel{m: m, l: &m.login, now: m.backend.Now}
		m.push(p)
	}
	m.login.aside = false
	if byItself {
		return p.hold()
	}
	return nil
}

// releaseHeld goes on with the dead time of a panel that opened by itself.
func (m *Model) releaseHeld() tea.Cmd {
	if p, ok := m.loginPanel(); ok {
		return p.release()
	}
	if p, ok := m.panel(); ok {
		return p.release()
	}
	return nil
}

// openWaiting is !: the login, unless it was put aside, and else the next
// question of the server's.
func (m *Model) openWaiting() tea.Cmd {
	if m.login.waits() && (!m.login.aside || noPrompt(m) != "") {
		return m.openLogin(false)
	}
	return m.openNext()
}

func nothingWaits(m *Model) string {
	if m.login.waits() {
		return ""
	}
	return noPrompt(m)
}

// noLogins is why belay never logs in at this server.
func noLogins(m *Model) string {
	switch {
	case m.snap.login.Able:
		return ""
	case m.snap.status.Transport != mcp.HTTP:
		return "there are logins only at servers over HTTP"
	}
	return "the Authorization header that you gave is sent; belay does not log in"
}

func noLogin(m *Model) string {
	l := &m.login
	switch why := noLogins(m); {
	case why != "":
		return why
	case l.waits() || l.failed():
		return ""
	case m.snap.login.Token:
		return "no login is under way: there is a token"
	}
	return "no login is under way: it begins when the server wants one"
}

func noLogout(m *Model) string {
	switch why := noLogins(m); {
	case why != "":
		return why
	case !m.snap.login.Token:
		return "there is no token for this server"
	}
	return ""
}

// logout deletes the token, and reports whether the authorization server revoked it.
func (m *Model) logout() tea.Cmd {
	forget := m.backend.Logout
	m.parting.logout.Store(true)
	return tea.Batch(m.say(panel.Said("logging out")), func() tea.Msg {
		l, err := forget()
		return panel.Done{Err: err, Then: func() tea.Cmd {
			m.parting.logout.Store(false)
			if err != nil {
				return nil
			}
			return m.say(panel.Said(l.words()))
		}}
	})
}

func (l Logout) words() safe.Text {
	const here = "the token is forgotten, here and in its file"
	switch {
	case l.Revoked:
		return here + ", and revoked"
	case l.Gone:
		return "what was left of the login is forgotten · its token was good no more: who gave it had refused to renew it"
	case l.Failure != "":
		return here + " · elsewhere it may be good until it ends: " + safe.LineN(l.Failure, 300)
	}
	return here + " · elsewhere it may be good until it ends: who gave it names no way to revoke it"
}

// failureRemedy is what can be done about a connection that did not come about. A
// login that failed knows that best.
func (m *Model) failureRemedy(f *session.Failure) session.Remedy {
	if f.Kind != session.FailLogin {
		return f.Remedy
	}
	if l := m.backend.Login(); l.failed() {
		return l.Remedy
	}
	return f.Remedy
}

// noPage is why the login page can be neither opened nor copied.
func noPage(m *Model) string {
	switch l := &m.login; {
	case l.Phase != LoginPage:
		return "there is no login page now"
	case l.url.Refused != "":
		return l.url.Refused
	case !l.warned && m.lay.Mode == layout.Tiny:
		return "what to know of the login page needs a larger terminal"
	case !l.warned:
		return "read the warnings first, pgdown shows them"
	}
	return ""
}

func noPageNow(m *Model) string {
	if m.login.opening {
		return "it is being opened"
	}
	return noPage(m)
}
