package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// The welcome names the servers of the folder's config files, each made safe, and how one
// is run. What reads the files holds nothing up.
func TestTheWelcomeNamesTheServersOfTheFolder(t *testing.T) {
	names := func() ([]string, []error) {
		time.Sleep(20 * time.Second)
		return []string{"files", "a b\x1b[2J", "a-server-of-twenty-six-cells", "time", "five", "six"}, nil
	}
	connected(t, 100, 40, Options{Nearby: names}, func(w *harness) {
		w.sees("Welcome", "all keys and commands")
		w.seesNot("belay -s")
		w.wait(30 * time.Second)
		w.sees("this folder's servers", `belay -s NAME runs one of them: files, "a b⟨ESC⟩[2J", a-server-of-twenty-six-cells, time and 2`, "more, which belay -s lists", "all keys and commands")
	})
	connected(t, 100, 40, Options{Nearby: func() ([]string, []error) { return nil, nil }}, func(w *harness) {
		w.seesNot("this folder's servers")
	})
}

// A name that begins as an option does is offered as it can be typed.
func TestTheWelcomeOffersNamesAsTheyCanBeTyped(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		names := func() ([]string, []error) { return []string{"--odd", "-", "-b", "a-b"}, nil }
		connected(t, size[0], size[1], Options{Nearby: names}, func(w *harness) {
			w.wait(time.Second)
			w.sees(`belay -s NAME runs one of them: -s=--odd, `, `-s=-b, a-b`, `-s="-",`)
		})
	}
}

// A file of the folder that was not read is not passed over in silence: the welcome says why,
// beside the servers of the other files, and in words that are safe.
func TestTheWelcomeSaysWhichFileWasNotRead(t *testing.T) {
	no := errors.New("/p/mcp.json:1:17: \x1b[2Jthis is no JSON")
	for _, tt := range []struct {
		names    []string
		failures []error
		want     []string
		not      string
	}{
		{nil, []error{no}, []string{"this folder's servers", "not read: /p/mcp.json:1:17: ⟨ESC⟩[2Jthis is no JSON"}, "belay -s"},
		{[]string{"files"}, []error{no, no, no}, []string{"runs one of them: files", "not read: /p/mcp.json:1:17", "and 2 more files, which belay -s lists"}, "\x1b[2J"},
	} {
		connected(t, 80, 24, Options{Nearby: func() ([]string, []error) { return tt.names, tt.failures }}, func(w *harness) {
			w.wait(time.Second)
			w.sees(tt.want...)
			w.seesNot(tt.not)
		})
	}
}

// On a small screen the server's instructions give way to them.
func TestTheWelcomeNamesTheServersAlsoWhereThereIsLittleRoom(t *testing.T) {
	names := func() ([]string, []error) { return []string{"files", "git", "everything"}, nil }
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
	names := func() ([]string, []error) { return []string{"files", "everything"}, nil }
	run(t, 80, 24, Options{Nearby: names}, func(w *harness) {
		w.handshakeWith(strings.Replace(initResult, "Be kind to it.", words, 1))
		w.sees("┃ Call countdown", "┃ prompt_error, which each take it differently.", "this folder's servers", "belay -s NAME runs one of them: files, everything")
		w.seesNot("more in the server info")
	})
}

// The welcome in a folder whose files name several servers, on the screens that a new user has.
func TestTheWelcomeNamesSeveralServers(t *testing.T) {
	names := func() ([]string, []error) {
		return []string{"everything", "files", "a name with blanks", "git", "time", "weather"}, nil
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		connected(t, size[0], size[1], Options{Nearby: names}, func(w *harness) {
			w.wait(time.Second)
			w.golden(fmt.Sprintf("welcome-nearby-%dx%d", size[0], size[1]))
		})
	}
}

// However little room the servers of the folder leave, the welcome names the key that cancels.
func TestTheWelcomeNamesTheKeyThatCancelsBesideTheServers(t *testing.T) {
	const words = "Call countdown and press x while it runs: it goes quiet, and the row says how the server took the cancel. " +
		"Then do the same to stubborn, restless and prompt_error, which each take it differently. " +
		"Some tools ask you something, or run as tasks; each says in its description what it shows."
	for _, names := range [][]string{{"files"}, {"everything", "files", "a name with blanks", "git", "time", "six"}} {
		run(t, 80, 24, Options{Nearby: func() ([]string, []error) { return names, nil }}, func(w *harness) {
			w.handshakeWith(strings.Replace(initResult, "Be kind to it.", words, 1))
			w.wait(time.Second)
			w.sees("this folder's servers", "┃ Call countdown", "n new call  x cancel  c cancel with reason  enter open")
			w.golden(fmt.Sprintf("welcome-little-room-%d", len(names)))
		})
	}
}
