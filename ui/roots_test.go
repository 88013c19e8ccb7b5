package ui

import (
	"errors"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

func (w *harness) command(text string) {
	w.press(":")
	w.write(text)
	w.press("enter")
	w.settle()
}

// Roots are edited while the connection is up, and the server hears of each
// change once.
func TestRootsAreEdited(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.command("root")
		w.sees("Roots", "There are none.", "This server was told at its start that there are none", "is declared from")
		w.press("esc")
		w.command("root add /src/belay")
		w.sees(`added the root "/src/belay" · declared from the next :restart on`)
		w.command("root remove /src/belay")
		w.sees(`removed the root "/src/belay" · this server was told of none`)
		w.command("root add /src/belay")
		if w.got("list_changed") != 0 {
			t.Error("a server that was not told of roots was told of a change")
		}
		w.b.tell(session.Disconnect{Reason: session.DefaultReason})
		w.wait(200 * time.Millisecond)
		w.command("restart")
		w.handshake()
		w.gets(`"roots":{"listChanged":true}`)
		w.command("root add /src/other")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"notifications/roots/list_changed"`)
		w.feed(`{"jsonrpc":"2.0","id":"r1","method":"roots/list"}`)
		w.gets(`"id":"r1","result":{"roots":[{"uri":"file:///src/belay","name":"belay"},{"uri":"file:///src/other","name":"other"}]}`)
		w.command("root")
		w.golden("roots")
		w.press("esc")
		w.b.gone = []session.Root{{URI: "file:///src/other", Name: "other"}}
		w.feed(`{"jsonrpc":"2.0","id":"r2","method":"roots/list"}`)
		w.gets(`"id":"r2","result":{"roots":[{"uri":"file:///src/belay","name":"belay"}]}`)
		w.command("root")
		w.sees("file:///src/other · cannot be read now, and is not named")
		w.press("esc")
		w.b.gone = nil
		w.command("root add /src/other")
		w.sees(`"/src/other" is a root already`)
		w.command("root add /missing")
		w.sees("not added: there is no such directory")
		w.command("root remove /nowhere")
		w.sees(`"/nowhere" is no root; :root lists them`)
		w.b.rootErr = errors.New("it is gone")
		w.command("root remove /src/other")
		w.sees(`removed the root "/src/other"`)
		w.command("root remove belay")
		w.wait(100 * time.Millisecond)
		if n := w.got("list_changed\""); n != 4 {
			t.Errorf("%d notices of 4 changes", n)
		}
		w.command("root perhaps")
		w.sees("type :root, :root add DIR or :root remove DIR")
	})
}

// The page of roots takes the commands that it names, and shows what they did.
func TestRootsAreEditedOnTheirPage(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.command("root")
		w.sees("Roots", "There are none.")
		w.command("root add /src/belay")
		w.sees("file:///src/belay", `added the root "/src/belay"`)
		w.seesNot("There are none.")
		w.command("root")
		w.press("esc")
		w.seesNot("Roots", "file:///src/belay")
	})
}

// A key of the panes says on a page why it does nothing; what a page has itself
// works.
func TestKeysOfThePanesOnAPage(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		for _, open := range []string{"?", "i"} {
			w.press(open)
			for _, k := range []string{"n", "!", "c", "x", "2", "enter"} {
				w.press(k)
				w.sees(k + " is a key of the panes: esc first, which closes this page")
			}
			w.press("space", "z", "j")
			w.seesNot("is a key of the panes")
			w.press("/")
			w.write("e")
			w.press("enter", "n")
			w.seesNot("is a key of the panes")
			w.press("esc", "esc")
		}
		w.press("?", ":")
		w.sees(": type a command")
		w.write("timeout 30s 1m")
		w.press("enter")
		w.sees("calls from now on: 30s of silence, 1m in all")
		w.command("timeout default")
		w.sees("calls from now on: the session's limit of silence, the session's limit in all")
		w.command("timeout off")
		w.sees("the session's limit in all")
		w.command("timeout ")
		w.sees("type :timeout SILENCE [MAX]", ":timeout default resets both")
	})
}

// Where roots are on their way out, their page says so.
func TestRootsInTheModernEra(t *testing.T) {
	requirements.Rows(t, "RTS-16")
	const words = "advises against roots"
	overHTTP(t, 80, 24, mirroring, func(w *harness) {
		w.command("root")
		w.sees("Roots", words)
		w.golden("roots-modern-80")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.command("root")
		w.sees("Roots")
		w.seesNot(words)
	})
}
