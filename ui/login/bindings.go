package login

import (
	"charm.land/bubbles/v2/key"

	"belay/ui/keymap"
	"belay/ui/scope"
)

// Group is the heading of its keys.
const Group = "In a login"

// Bindings are the keys of the panel.
func Bindings() []keymap.Binding[*Panel] {
	return []keymap.Binding[*Panel]{
		{
			Name: "open the login page", Key: key.NewBinding(key.WithKeys("ctrl+u"), key.WithHelp("", "open")),
			Group: Group, Where: scope.LoginEmpty, Footer: 1,
			Help: "give the login page to your browser, while nothing is pasted; belay itself never fetches it", Disabled: (*Panel).noPageNow, Run: keymap.Cmd((*Panel).openPage),
		},
		{
			Name: "copy the login page", Key: key.NewBinding(key.WithKeys("y"), key.WithHelp("", "copy")), Group: Group, Where: scope.LoginEmpty, Footer: 2,
			Help: "copy the address of the login page, for a browser on another machine", Disabled: (*Panel).noPage, Run: keymap.Cmd((*Panel).copy),
		},
		{
			Name: "hand over the address", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "hand over")),
			Group: Group, Where: scope.LoginPage, Footer: 2,
			Help:     "hand over the address that you pasted: the one that the login page led the browser to",
			Disabled: (*Panel).nothingPasted, Run: keymap.Cmd((*Panel).take),
		},
		{
			Name: "empty the line for the address", Key: key.NewBinding(key.WithKeys("esc", "ctrl+u"), key.WithHelp("", "empty")),
			Group: Group, Where: scope.LoginTyped, Footer: 3,
			Help: "take back what was pasted: the login goes on", Run: keymap.Do((*Panel).empty),
		},
		{
			Name: "give the login up", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "give up")),
			Group: Group, Where: scope.LoginEmpty | scope.LoginWait, Footer: 3,
			Help: "give the login up: what waits for it fails, and nothing else", Run: keymap.Cmd((*Panel).Close),
		},
		{
			Name: "leave a login that failed", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "close")),
			Group: Group, Where: scope.LoginOver, Footer: 1,
			Help: "leave a login that has failed", Run: keymap.Cmd((*Panel).Close),
		},
		{
			Name: "put the login aside", Key: key.NewBinding(key.WithKeys("ctrl+l"), key.WithHelp("", "later")),
			Group: Group, Where: scope.LoginPage | scope.LoginWait, Footer: 4,
			Help: "put it aside: it goes on, and ! brings it back", Run: keymap.Cmd((*Panel).later),
		},
		{
			Name: "scroll the login down", Key: key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("", "scroll")), Group: Group, Where: scope.Login, Footer: 5,
			Help: "scroll what is to be known of the login", Disabled: (*Panel).noMoreLogin, Run: keymap.Do(func(p *Panel) { p.Scroll(max(1, p.height-1)) }),
		},
		{
			Name: "cancel what waits for the login", Key: key.NewBinding(key.WithKeys("ctrl+x"), key.WithHelp("", "cancel call")),
			Group: Group, Where: scope.LoginPage | scope.LoginWait, Footer: 6,
			Help: "cancel the call that waits: the selected one, or else the oldest; the login goes on", Disabled: (*Panel).noLoginCall, Run: keymap.Cmd((*Panel).cancel),
		},
		{
			Name: "scroll the login up", Key: key.NewBinding(key.WithKeys("pgup")), Group: Group, Where: scope.Login,
			Help: "scroll back", Disabled: (*Panel).noMoreLogin, Run: keymap.Do(func(p *Panel) { p.Scroll(-max(1, p.height-1)) }),
		},
	}
}

// Commands are the commands of the palette.
func Commands() []keymap.Binding[*Panel] {
	return []keymap.Binding[*Panel]{{
		Name: "login", Group: Group, Command: "login",
		Help:     "show the login that is under way, or why the last one failed",
		Disabled: (*Panel).noLogin, Run: keymap.Cmd((*Panel).Show),
	}}
}

func (p *Panel) noMoreLogin() string {
	if p.open && p.lines > p.height {
		return ""
	}
	return "all of it is shown"
}
