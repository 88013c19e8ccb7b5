package ui

import (
	"strings"
	"testing"
)

// A secret that a key has shown is hidden again once the focus has left its field, in whatever way,
// and stays so when it comes back.
func TestAShownSecretIsHiddenWhenItsFieldIsLeft(t *testing.T) {
	const schema = `{"type":"object","properties":{"api_key":{"type":"string"},"note":{"type":"string"}}}`
	asked := func(w *harness) {
		w.asksWith("q1", schema)
	}
	for name, tt := range map[string]struct {
		open  func(w *harness)
		leave func(w *harness)
	}{
		"another field":        {asked, func(w *harness) { w.press("tab", "tab") }},
		"put aside":            {asked, func(w *harness) { w.press("ctrl+l", "!") }},
		"another question":     {asked, func(w *harness) { w.asksWith("q2", schema); w.press("ctrl+n", "ctrl+n") }},
		"raw JSON":             {asked, func(w *harness) { w.press("ctrl+g", "ctrl+g") }},
		"a dialog over it":     {asked, func(w *harness) { w.press("ctrl+c", "esc") }},
		"the question is over": {asked, func(w *harness) { w.withdraws("q1", ""); w.sees(lockedFoot) }},
		"a draft": {
			func(w *harness) {
				w.offers(`{"name":"login","inputSchema":` + schema + `}`)
				w.press("n")
				w.write("login")
				w.press("enter")
			},
			func(w *harness) {
				w.press("esc")
				w.sees(`the draft of "login" is kept`)
				w.press("n")
				w.write("login")
				w.press("enter")
			},
		},
		"the message of a call": {
			func(w *harness) { w.form(schema) },
			func(w *harness) { w.press("alt+p", "esc") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			connected(t, 100, 30, Options{}, func(w *harness) {
				tt.open(w)
				w.write("hunter22")
				w.sees("••••••••", "alt+s show")
				w.seesNot("hunter22", "alt+s hide")
				w.press("alt+s")
				w.sees("hunter22", "alt+s hide")
				w.press("alt+s")
				w.sees("••••••••", "alt+s show")
				w.press("alt+s")
				w.sees("hunter22")
				tt.leave(w)
				w.sees("api_key", "••••••••")
				w.seesNot("hunter22")
			})
		})
	}
}

// The key that shows a secret is named also in the narrowest question. What leads to all other keys
// makes room for it, and no more than that.
func TestTheKeyOfASecretHasRoomInANarrowQuestion(t *testing.T) {
	long := strings.Repeat("It says why it asks, at some length. ", 20)
	for _, tt := range []struct {
		w, h           int
		field, message string
		want           string
	}{
		{60, 20, "api_key", "Log in.", "ctrl+s send  ctrl+r decline  esc dismiss  alt+s show  f1"},
		{60, 15, "api_key", long, "ctrl+s send  ctrl+r decline  esc dismiss  alt+s show  f1"},
		{60, 20, "note", "Log in.", "ctrl+s send  ctrl+r decline  esc dismiss  f1 keys"},
		{66, 20, "api_key", "Log in.", "ctrl+s send  ctrl+r decline  esc dismiss  alt+s show  f1 keys"},
		{80, 24, "api_key", "Log in.", "ctrl+s send  ctrl+r decline  esc dismiss  alt+s show  tab next  f1 keys"},
	} {
		connected(t, tt.w, tt.h, Options{}, func(w *harness) {
			w.feed(
				`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","properties":{"%s":{"type":"string"}}}}}`,
				tt.message, tt.field,
			)
			w.quiet()
			w.sees("│ " + tt.want + " ")
			if !strings.HasSuffix(tt.want, "keys") {
				w.seesNot("f1 keys")
			}
		})
	}
}
