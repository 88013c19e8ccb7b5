package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The welcome names the servers of the folder's config files, each made safe, and how one
// is run. What reads the files holds nothing up.
func TestTheWelcomeNamesTheServersOfTheFolder(t *testing.T) {
	names := func() []string {
		time.Sleep(20 * time.Second)
		return []string{"files", "a b\x1b[2J", "a-server-of-twenty-six-cells", "time", "five", "six"}
	}
	connected(t, 100, 40, Options{Nearby: names}, func(w *harness) {
		w.sees("Welcome", "all keys and commands")
		w.seesNot("belay -s")
		w.wait(30 * time.Second)
		w.sees("this folder's servers", `belay -s NAME runs one of them: files, "a b⟨ESC⟩[2J", a-server-of-twenty-six-cells, time and 2`, "more, which belay -s lists", "all keys and commands")
	})
	connected(t, 100, 40, Options{Nearby: func() []string { return nil }}, func(w *harness) {
		w.seesNot("this folder's servers")
	})
}

// On a small screen the server's instructions give way to them.
func TestTheWelcomeNamesTheServersAlsoWhereThereIsLittleRoom(t *testing.T) {
	names := func() []string { return []string{"files", "git", "everything"} }
	for _, words := range []string{"Some words.", strings.Repeat("Some words. ", 200), strings.Repeat(`Some\n`, 200)} {
		run(t, 80, 24, Options{Nearby: names}, func(w *harness) {
			w.handshakeWith(strings.Replace(initResult, "Be kind to it.", words, 1))
			w.sees("in the server's words", "┃ Some", "this folder's servers", "belay -s NAME runs one of them: files, git, everything")
		})
	}
}

// At 80×24 the instructions of three lines, as the demo server has them, are whole beside the
// names of the folder's servers.
func TestTheWelcomeShowsShortInstructionsWhole(t *testing.T) {
	const words = "Call countdown and press x while it runs: it goes quiet, and the row says how the server took the cancel. " +
		"Then do the same to stubborn, restless and prompt_error, which each take it differently."
	names := func() []string { return []string{"files", "everything"} }
	run(t, 80, 24, Options{Nearby: names}, func(w *harness) {
		w.handshakeWith(strings.Replace(initResult, "Be kind to it.", words, 1))
		w.sees("┃ Call countdown", "┃ prompt_error, which each take it differently.", "this folder's servers", "belay -s NAME runs one of them: files, everything")
		w.seesNot("more in the server info")
	})
}

// The welcome in a folder whose files name several servers, on the screens that a new user has.
func TestTheWelcomeNamesSeveralServers(t *testing.T) {
	names := func() []string {
		return []string{"everything", "files", "a name with blanks", "git", "time", "weather"}
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		connected(t, size[0], size[1], Options{Nearby: names}, func(w *harness) {
			w.wait(time.Second)
			w.golden(fmt.Sprintf("welcome-nearby-%dx%d", size[0], size[1]))
		})
	}
}
