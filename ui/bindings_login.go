package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"belay/ui/login"
	"belay/ui/scope"
)

// loginBindings are what logs in and out.
func loginBindings() []binding {
	return slices.Concat(of(login.Bindings(), theLogin), []binding{
		{
			Name: "help from a login", Key: key.NewBinding(key.WithKeys("f1"), key.WithHelp("", "keys")), Group: login.Group, Where: scope.Login, Footer: 20,
			Help: "all keys", Disabled: unless(needsRoom(nil)), Run: do((*Model).openHelp),
		},
	}, of(login.Commands(), theLogin), []binding{
		{
			Name: "logout", Group: login.Group, Command: "logout",
			Help: "forget the token of this server, also in its file", Disabled: (*Model).noLogout, Run: cmd((*Model).logout),
		},
	})
}
