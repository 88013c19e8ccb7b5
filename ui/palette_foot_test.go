package ui

import "testing"

// The foot of the list of commands offers enter only where it runs something.
func TestTheListOfCommandsOffersEnterWhereItRunsSomething(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press(":")
		w.sees("tab complete")
		w.seesNot("enter run")
		w.press("down")
		w.sees("enter run")
		w.press("esc", ":")
		w.write("res")
		w.sees("enter run")
		w.write("xyz")
		w.sees("0 of ", "no command has that", "ctrl+p typed before")
		w.seesNot("enter run", "tab complete")
		w.press("enter")
		w.sees(`there is no command "resxyz"`)
	})
}
