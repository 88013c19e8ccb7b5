package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/ui/scope"
)

// atLogin makes an action of one of the login's panel.
func atLogin(f func(p *loginPanel) tea.Cmd) func(*Model, string) tea.Cmd {
	return cmd(func(m *Model) tea.Cmd { return f(m.modal().(*loginPanel)) })
}

// loginBindings are what logs in and out.
func loginBindings() []binding {
	const group = groupLogin
	scroll := func(n func(p *loginPanel) int) func(*Model, string) tea.Cmd {
		return do(func(m *Model) { p := m.modal().(*loginPanel); p.scroll(n(p)) })
	}
	return []binding{
		{
			Name: "open the login page", Keys: []string{"ctrl+u"}, Word: "open", Group: group, Where: scope.LoginEmpty, Footer: 1,
			Help: "give the login page to your browser, while nothing is pasted; belay itself never fetches it", Disabled: noPageNow, Run: atLogin((*loginPanel).open),
		},
		{
			Name: "copy the login page", Keys: []string{"y"}, Word: "copy", Group: group, Where: scope.LoginEmpty, Footer: 2,
			Help: "copy the address of the login page, for a browser on another machine", Disabled: noPage, Run: atLogin((*loginPanel).copy),
		},
		{
			Name: "hand over the address", Keys: []string{"enter"}, Word: "hand over", Group: group, Where: scope.LoginPage, Footer: 2,
			Help:     "hand over the address that you pasted: the one that the login page led the browser to",
			Disabled: nothingPasted, Run: atLogin((*loginPanel).take),
		},
		{
			Name: "empty the line for the address", Keys: []string{"esc", "ctrl+u"}, Word: "empty", Group: group, Where: scope.LoginTyped, Footer: 3,
			Help: "take back what was pasted: the login goes on", Run: atLogin(func(p *loginPanel) tea.Cmd { p.empty(); return nil }),
		},
		{
			Name: "give the login up", Keys: []string{"esc"}, Word: "give up", Group: group, Where: scope.LoginEmpty | scope.LoginWait, Footer: 3,
			Help: "give the login up: what waits for it fails, and nothing else", Run: atLogin((*loginPanel).Close),
		},
		{
			Name: "leave a login that failed", Keys: []string{"esc"}, Word: "close", Group: group, Where: scope.LoginOver, Footer: 1,
			Help: "leave a login that has failed", Run: atLogin((*loginPanel).Close),
		},
		{
			Name: "put the login aside", Keys: []string{"ctrl+l"}, Word: "later", Group: group, Where: scope.LoginPage | scope.LoginWait, Footer: 4,
			Help: "put it aside: it goes on, and ! brings it back", Run: atLogin((*loginPanel).later),
		},
		{
			Name: "scroll the login down", Keys: []string{"pgdown"}, Word: "scroll", Group: group, Where: scope.Login, Footer: 5,
			Help: "scroll what is to be known of the login", Disabled: noMoreLogin, Run: scroll(func(p *loginPanel) int { return max(1, p.height-1) }),
		},
		{
			Name: "cancel what waits for the login", Keys: []string{"ctrl+x"}, Word: "cancel call", Group: group, Where: scope.LoginPage | scope.LoginWait, Footer: 6,
			Help: "cancel the call that waits: the selected one, or else the oldest; the login goes on", Disabled: noLoginCall, Run: atLogin((*loginPanel).cancel),
		},
		{
			Name: "scroll the login up", Keys: []string{"pgup"}, Group: group, Where: scope.Login,
			Help: "scroll back", Disabled: noMoreLogin, Run: scroll(func(p *loginPanel) int { return -max(1, p.height-1) }),
		},
		{
			Name: "help from a login", Keys: []string{"f1"}, Word: "keys", Group: group, Where: scope.Login, Footer: 20,
			Help: "all keys", Disabled: needsRoom(nil), Run: do((*Model).openHelp),
		},
		{
			Name: "login", Group: group, Command: "login",
			Help: "show the login that is under way, or why the last one failed", Disabled: needsRoom(noLogin),
			Run: cmd(func(m *Model) tea.Cmd { return m.openLogin(false) }),
		},
		{
			Name: "logout", Group: group, Command: "logout",
			Help: "forget the token of this server, also in its file", Disabled: noLogout, Run: cmd((*Model).logout),
		},
	}
}

func noMoreLogin(m *Model) string {
	if p, ok := m.loginPanel(); ok && p.lines > p.height {
		return ""
	}
	return "all of it is shown"
}
