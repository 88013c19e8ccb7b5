package ui

import (
	"testing"
	"time"
)

// The welcome names the servers of the folder's config files, each made safe, and how one
// is run. What reads the files holds nothing up.
func TestTheWelcomeNamesTheServersOfTheFolder(t *testing.T) {
	names := func() []string {
		time.Sleep(20 * time.Second)
		return []string{"files", "a b\x1b[2J", "git", "time", "five", "six"}
	}
	connected(t, 100, 40, Options{Nearby: names}, func(w *harness) {
		w.sees("Welcome", "all keys and commands")
		w.seesNot("belay -s")
		w.wait(30 * time.Second)
		w.sees("this folder's servers", `files, "a b⟨ESC⟩[2J", git, time and 2 more`, "belay -s NAME runs one of them", "all keys and commands")
	})
	connected(t, 100, 40, Options{Nearby: func() []string { return nil }}, func(w *harness) {
		w.seesNot("this folder's servers")
	})
}
