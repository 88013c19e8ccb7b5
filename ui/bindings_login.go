package ui

import (
	"slices"

	"belay/ui/keymap"
	"belay/ui/login"
	"belay/ui/scope"
)

// loginBindings are what logs in and out.
func loginBindings() []binding {
	at := func(m *Model) *login.Panel { return m.login }
	return slices.Concat(keymap.Lift(login.Bindings(), at), []binding{
		{
			Name: "help from a login", Keys: []string{"f1"}, Word: "keys", Group: login.Group, Where: scope.Login, Footer: 20,
			Help: "all keys", Disabled: unless(needsRoom(nil)), Run: do((*Model).openHelp),
		},
	}, keymap.Lift(login.Commands(), at), []binding{
		{
			Name: "logout", Group: login.Group, Command: "logout",
			Help: "forget the token of this server, also in its file", Disabled: (*Model).noLogout, Run: cmd((*Model).logout),
		},
	})
}
