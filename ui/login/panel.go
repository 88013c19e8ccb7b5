// Package login is the panel of a login at the server: the wishes of the
// server, the page to be opened, and the address to be pasted.
package login

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/suspect"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
	"belay/ui/server"
)

// attempt is what is remembered of one login.
type attempt struct {
	Status               // as of the last frame
	url    suspect.URL   // of the page
	calls  []session.Row // that wait for it, oldest first
	last   []session.Row // that waited for it when any did
	none   bool          // … and none does any more
	line   edit.Line     // what is being pasted: never shown as it is

	note    safe.Text // what became of the last key; empty: nothing to tell
	trouble bool      // … was nothing good
	opening bool      // the program that opens the page has been started
	aside   bool      // put aside for later
	cramped bool      // it would have opened by itself, had there been room
	warned  bool      // all that warns of the page was on the screen
}

// Backend is what the panel needs from outside beside the session.
type Backend interface {
	PasteLogin(redirect string) error
	AbandonLogin()
	OpenURL(url string) error
	Command() server.Start
	Now() time.Time
}

// Panel shows the login that the server wants. The login page is opened on
// its own key only; belay itself never fetches it. Make one with [New].
type Panel struct {
	host    panel.Host
	backend Backend
	latest  Status // also before the size of the terminal is known
	attempt        // the last one

	open   bool // it lies over the panes
	guard  panel.KeyGuard
	top    int // the first line that is shown
	height int // of the text that scrolls, in the last frame
	lines  int // how many that text has
}

// New is a panel that is not open.
func New(h panel.Host, b Backend) *Panel { return &Panel{host: h, backend: b} }

// Notice takes over what became of the login, tells of it, and opens the
// panel for a page if nothing else is in use. Before the terminal has said how
// large it is, nobody knows whether a panel has room.
func (p *Panel) Notice(l Status) tea.Cmd {
	p.latest = l
	if !p.host.Screen().IsSized() {
		return nil
	}
	old := p.Status
	if l.Seq != old.Seq {
		p.hide()
		p.attempt = attempt{}
		old = Status{Seq: l.Seq}
	}
	p.Status = l
	p.calls, p.none = p.waitingCalls()
	if len(p.calls) > 0 {
		p.last = p.calls
	}
	p.none = p.none && len(p.last) > 0
	switch {
	case l.Phase == Page && l.Phase == old.Phase && p.cramped && !p.host.Screen().IsTiny():
		return p.onPage()
	case l.Seq == 0 || l.Phase == old.Phase:
		return nil
	case l.Phase == Page:
		p.url = suspect.Judge(l.URL)
		return p.onPage()
	case l.Phase == Fetching:
		p.line, p.note = edit.Line{}, ""
	case l.Phase == Over:
		return p.over()
	}
	return nil
}

// waitingCalls returns the calls that wait for the current login. The second result
// reports whether there are certainly none.
func (p *Panel) waitingCalls() (calls []session.Row, none bool) {
	const most = 200 // of those in flight that are looked at
	if !p.latest.Waits() {
		return nil, false
	}
	p.host.View(func(s *session.Session) { calls = s.InFlight(nil, most) })
	all := len(calls) < most
	calls = slices.DeleteFunc(calls, func(r session.Row) bool { return !r.Login && !r.AwaitsLoginToResume })
	return calls, all && len(calls) == 0
}

// onPage opens the panel for a login page, or tells that one waits.
func (p *Panel) onPage() tea.Cmd {
	p.cramped = p.host.Screen().IsTiny()
	switch {
	case p.open:
		return nil
	case p.cramped:
		return p.host.Say(panel.Said("the server wants a login · " + panel.NeedsWords()))
	case p.host.Screen().Free && !p.aside:
		return p.show(true)
	case p.host.Screen().Shows():
		return p.host.Say(panel.Said("the server wants a login · ! shows it"))
	}
	return p.host.Say(panel.Said("the server wants a login · it waits until you are done"))
}

// proceedsAlone reports whether a call that waited for the login goes on with it. The
// session may have let it go on a frame before the login is told to be over.
func (p *Panel) proceedsAlone() (does bool) {
	p.host.View(func(s *session.Session) {
		does = slices.ContainsFunc(p.last, func(r session.Row) bool {
			now, kept := s.Row(r.ID)
			return kept && now.State != session.Cancelling && now.State != session.Cancelled && now.State != session.Dropped
		})
	})
	return does
}

// over tells how the login went, and whether that concerns a call.
func (p *Panel) over() tea.Cmd {
	l := &p.attempt
	switch {
	case l.Ended: // whoever ended it has said so
		p.hide()
		return nil
	case l.HasFailed() && p.open: // the panel says so
		return nil
	case l.HasFailed():
		return p.host.Say(panel.Failed("not logged in · :login says why"))
	}
	p.hide()
	if l.NotKept != "" {
		return p.host.Say(panel.Refused("logged in, for this run only: " + safe.LineN(l.NotKept, 300)))
	}
	if p.proceedsAlone() {
		return p.host.Say(panel.Said("logged in · what waited for it goes on"))
	}
	return p.host.Say(panel.Said("logged in"))
}

// IsOpen reports whether the panel is open, also while something lies over it.
func (p *Panel) IsOpen() bool { return p.open }

// Hidden tells the panel that it was taken away with all others.
func (p *Panel) Hidden() { p.open = false }

func (p *Panel) hide() {
	if p.open {
		p.open = false
		p.host.Pop(p)
	}
}

// Show shows the login.
func (p *Panel) Show() tea.Cmd { return p.show(false) }

// show shows the login. A panel that opens by itself takes no key for a moment.
func (p *Panel) show(byItself bool) tea.Cmd {
	if !p.open {
		p.open = true
		p.guard, p.top, p.height, p.lines = panel.KeyGuard{}, 0, 0, 0
		p.host.Push(p)
	}
	p.aside = false
	if byItself {
		return p.hold()
	}
	return nil
}

// IsAside reports whether the login was put aside for later.
func (p *Panel) IsAside() bool { return p.aside }

// IsUnneeded reports whether calls waited for the login, and none does any more.
func (p *Panel) IsUnneeded() bool { return p.none }

// IsWaitedForByNone reports whether certainly no call waits for the current login now.
func (p *Panel) IsWaitedForByNone() bool {
	_, none := p.waitingCalls()
	return none
}

// noPage is why the login page can be neither opened nor copied.
func (p *Panel) noPage() string {
	switch l := &p.attempt; {
	case l.Phase != Page:
		return "there is no login page now"
	case l.url.Refused != "":
		return l.url.Refused
	case !l.warned && p.host.Screen().IsTiny():
		return "what to know of the login page needs a larger terminal"
	case !l.warned:
		return "read the warnings first, pgdown shows them"
	}
	return ""
}

func (p *Panel) noPageNow() string {
	if p.opening {
		return "it is being opened"
	}
	return p.noPage()
}

// noLogins is why belay never logs in at this server.
func (p *Panel) noLogins() string {
	switch {
	case p.latest.Able:
		return ""
	case p.host.Screen().Status.Transport != mcp.HTTP:
		return "there are logins only at servers over HTTP"
	}
	return "the Authorization header that you gave is sent; belay does not log in"
}

// noLogin is why there is no login to be shown.
func (p *Panel) noLogin() string {
	l := &p.attempt
	switch why := p.noLogins(); {
	case p.host.Screen().IsTiny():
		return panel.TooSmall
	case why != "":
		return why
	case l.Waits() || l.HasFailed():
		return ""
	case p.latest.Token:
		return "no login is under way: there is a token"
	}
	return "no login is under way: it begins when the server wants one"
}

// NoLogout is why there is no token to be forgotten.
func (p *Panel) NoLogout() string {
	switch why := p.noLogins(); {
	case why != "":
		return why
	case !p.latest.Token:
		return "there is no token for this server"
	}
	return ""
}

// isGuarded reports whether no key is taken.
func (p *Panel) isGuarded() bool { return p.Phase == Page && p.guard.IsOn(p.backend.Now()) }

func (p *Panel) hold() tea.Cmd {
	p.guard.Touch(p.backend.Now())
	return p.Release()
}

// Release tells the panel when its dead time is over.
func (p *Panel) Release() tea.Cmd {
	if !p.isGuarded() {
		return nil
	}
	return p.guard.Wait(p.backend.Now())
}

// Scope is where its keys work.
func (p *Panel) Scope() keymap.Scope {
	switch {
	case p.isGuarded():
		return scope.Guarded
	case p.Phase == Over:
		return scope.LoginOver
	case p.Phase != Page:
		return scope.LoginWait
	case p.line.Empty():
		return scope.LoginPage | scope.LoginEmpty
	}
	return scope.LoginPage | scope.LoginTyped
}

// Key edits the line for the address.
func (p *Panel) Key(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.isGuarded():
		return p.hold()
	case p.Phase == Page:
		p.edit(k)
	}
	return nil
}

// edit changes the end of the line: nobody can find a place in what is not shown.
func (p *Panel) edit(k tea.KeyPressMsg) {
	switch k.String() {
	case "backspace", "ctrl+h", "ctrl+w", "alt+backspace":
	default:
		if k.Text == "" {
			return
		}
	}
	p.note = ""
	p.line.Key(panel.FieldKey(k))
}

// Paste puts text into the line for the address.
func (p *Panel) Paste(text string) tea.Cmd {
	switch {
	case p.isGuarded():
		return p.hold()
	case p.Phase == Page:
		p.note = ""
		p.line.Insert(text)
	}
	return nil
}

// Close is esc: it gives the login up, or leaves one that has failed.
func (p *Panel) Close() tea.Cmd {
	p.hide()
	p.line = edit.Line{}
	if !p.Waits() {
		return nil
	}
	say := safe.Text("the login is given up: what waits for it fails")
	if p.IsWaitedForByNone() {
		say = "the login is given up: nothing waits for it"
	}
	p.backend.AbandonLogin()
	return p.host.Say(panel.Said(say))
}

// empty takes back what was pasted.
func (p *Panel) empty() {
	p.line, p.note = edit.Line{}, ""
}

// cancel cancels a call that waits: the selected one, or else the oldest.
func (p *Panel) cancel() tea.Cmd {
	chosen := p.host.Screen().Chosen
	at := max(0, slices.IndexFunc(p.calls, func(r session.Row) bool { return r.ID == chosen }))
	return p.host.Want(panel.Cancel{Row: p.calls[at]})
}

func (p *Panel) noLoginCall() string {
	switch calls := p.calls; {
	case len(calls) == 0:
		return "no call waits for the login"
	case calls[0].Origin == session.FromHandshake: // behind which nothing else can wait
		return "the handshake must not be cancelled: esc gives its login up"
	}
	return ""
}

// later puts the login aside: it goes on.
func (p *Panel) later() tea.Cmd {
	p.hide()
	p.aside = true
	return p.host.Say(panel.Said("the login is put aside and goes on · ! brings it back"))
}

// Scroll moves the text by n lines.
func (p *Panel) Scroll(n int) { p.top = max(0, p.top+n) }

// openPage gives the login page to the browser.
func (p *Panel) openPage() tea.Cmd {
	seq, open, url := p.Seq, p.backend.OpenURL, p.url.Open
	p.opening, p.note = true, ""
	return func() tea.Msg {
		err := open(url)
		return panel.Done{Then: func() tea.Cmd {
			if p.Seq != seq { // another login has begun meanwhile
				return nil
			}
			p.opening = false
			if err != nil {
				p.tell(true, "not opened: "+safe.LineN(err.Error(), 200)+" · y copies the address")
			} else {
				p.tell(false, "the browser was told to open it: log in there")
			}
			return nil
		}}
	}
}

// copy gives the address of the page to the terminal's clipboard, as a browser
// takes it.
func (p *Panel) copy() tea.Cmd {
	return p.host.Want(panel.Copy{Value: panel.Value{Data: []byte(p.url.Open), What: "the address of the login page"}})
}

// take hands over the address that was pasted. It holds a secret: it is kept
// nowhere, whatever becomes of it.
func (p *Panel) take() tea.Cmd {
	text := p.line.String()
	p.line = edit.Line{}
	switch err := p.backend.PasteLogin(text); {
	case err == nil:
	case !strings.ContainsAny(text, "/?"): // keys that were meant for what lies behind the panel
		p.tell(true, "not taken: this is no address · ctrl+l puts the login aside, esc gives it up")
	default:
		p.tell(true, "not taken: "+safe.LineN(err.Error(), 200))
	}
	return nil
}

func (p *Panel) nothingPasted() string {
	if p.line.Empty() {
		return "paste the address first that the browser ended at"
	}
	return ""
}

func (l *attempt) tell(trouble bool, text safe.Text) { l.note, l.trouble = text, trouble }
