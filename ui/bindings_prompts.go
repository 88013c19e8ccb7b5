package ui

import (
	"slices"

	"belay/ui/prompt"
	"belay/ui/scope"
)

// promptBindings are what answers the server's questions.
func promptBindings() []binding {
	return slices.Concat(of(prompt.Bindings(), thePrompts), []binding{
		{
			Name: "help from a question", Keys: []string{"f1"}, Word: "keys", Group: prompt.Group, Where: scope.Live | scope.Small, Footer: 20,
			Help: "all keys, also those that the foot has no room for", Disabled: unless(needsRoom(nil)), Run: do((*Model).openHelp),
		},
	}, of(prompt.SamplingBindings(), thePrompts))
}
