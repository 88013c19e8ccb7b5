package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"belay/ui/question"
	"belay/ui/scope"
)

// questionBindings are what answers the server's questions.
func questionBindings() []binding {
	return slices.Concat(of(question.Bindings(), theQuestions), []binding{
		{
			Name: "help from a question", Key: key.NewBinding(key.WithKeys("f1"), key.WithHelp("", "keys")),
			Group: question.Group, Where: scope.Live | scope.Small, Footer: 20,
			Help: "all keys, also those that the foot has no room for", Disabled: unless(needsRoom(nil)), Run: do((*Model).openHelp),
		},
	}, of(question.SamplingBindings(), theQuestions))
}
