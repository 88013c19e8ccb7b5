package ui

import (
	"errors"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

const guarded = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[
 {"name":"guarded","inputSchema":{"type":"object"}},{"name":"hidden","inputSchema":{"type":"object"}}]}`

// In a login ctrl+x cancels a call that waits for it: the selected one, or else
// the oldest. When none is left, the login says so, and goes on.
func TestCancelFromALogin(t *testing.T) {
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		overHTTP(t, size[0], size[1], guarded, func(w *harness) {
			for _, tool := range []string{"guarded", "hidden"} {
				w.call(tool)
				w.refused()
			}
			w.login(aLogin())
			w.quiet()
			w.sees("guarded", "hidden", "ctrl+x cancel call")
			w.press("ctrl+x")
			w.sees("cancelled", `tools/call "hidden": it waited for a login, nothing was sent`)
			w.seesNot("nothing waits")
			w.press("ctrl+x")
			w.sees(`tools/call "guarded": it waited for a login, nothing was sent`, "nothing waits for the login any more")
			w.sees("nothing waits for it any more: esc gives it up", "a login is open")
			w.seesNot("waits for it: ", "waiting for login", "ctrl+x cancel call")
			w.press("ctrl+x")
			w.sees("no call waits for the login")
			w.clearStatus()
			w.golden("login-unneeded-" + name)
			if n := w.got("notifications/cancelled"); n != 0 || w.b.abandoned != 0 {
				t.Errorf("%d cancels were sent, the login was given up %d times", n, w.b.abandoned)
			}
			w.press("ctrl+l")
			w.call("guarded")
			w.refused()
			w.sees("waiting for login")
			w.press("!")
			w.sees("waits for it: ")
			w.seesNot("nothing waits for it any more")
		})
	}
}

// What stands in the line for the address is taken back before the login is given
// up, also by the key that opens the page when the line is empty.
func TestEscEmptiesTheLineFirst(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.login(aLogin())
		w.quiet()
		for _, k := range []string{"esc", "ctrl+u"} {
			w.pastes("http://127.0.0.1:40001/callback?code=wrong")
			w.sees("••••", "esc empty", "enter hand over")
			w.seesNot("ctrl+u open", "give up")
			w.press(k)
			w.sees("paste it here", "ctrl+u open", "esc give up")
			w.seesNot("••••")
		}
		w.b.pasteErr = errors.New("this is not the whole address")
		for text, says := range map[string]string{
			"nfast":                           "this is no address · ctrl+l puts the login aside, esc gives it up",
			"http://127.0.0.1:40001/callback": "not taken: this is not the whole address",
		} {
			w.write(text)
			w.press("enter")
			w.sees(says)
		}
		w.b.pasted = nil
		if w.b.abandoned != 0 || len(w.b.opened) != 0 || len(w.b.pasted) != 0 {
			t.Fatalf("given up %d times, opened %q, handed over %d", w.b.abandoned, w.b.opened, len(w.b.pasted))
		}
		w.press("esc")
		w.sees("the login is given up")
	})
}

// A login that found no room opens by itself when there is some, unless
// something else is in use or it was put aside.
func TestALoginOpensWhenThereIsRoom(t *testing.T) {
	connected(t, 50, 10, Options{}, func(w *harness) {
		w.login(aLogin())
		w.sees("the server wants a login · needs 60×15")
		w.press("!")
		w.sees("the terminal is too small: 60×15 is the least")
		w.send(resized(80, 24))
		w.sees("wants you to log in", "no key is taken until you pause")
		w.seesNot("too small")
		w.quiet()
		w.press("ctrl+l")
		w.send(resized(50, 10))
		w.send(resized(80, 24))
		w.seesNot("wants you to log in")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.press("/")
		w.send(resized(50, 10))
		w.login(aLogin())
		w.send(resized(80, 24))
		w.seesNot("wants you to log in")
		w.press("esc", "!")
		w.sees("wants you to log in")
	})
}

// Why there is no login, and what can be done, is there to be read on a small
// terminal, once.
func TestAFailedLoginIsReadable(t *testing.T) {
	const why = "the login failed while registering belay with the authorization server: it answered with the status 404"
	over := failing(aLogin(), why)
	over.Remedy.Kind = session.RemedyClient
	httpHarness(t, 80, 24, func(w *harness) {
		w.refused()
		w.login(aLogin())
		w.quiet()
		w.login(over)
		w.loggedIn(why)
		w.sees("goes with --client-id", "'Authorization: Bearer …'", "There is no connection without it")
		w.golden("login-failed-panel")
		w.press("esc")
		w.sees("✗ the server wants a login", "--client-id")
		w.seesNot("the server wants a login: ", "--clien…")
		w.golden("login-failed-notice")
	})
	overHTTP(t, 80, 24, guarded, func(w *harness) {
		w.call("guarded")
		w.refused()
		w.login(aLogin())
		w.quiet()
		w.login(over)
		w.b.tell(session.LoggedIn{Seq: w.b.asked.Seq, Failure: why})
		w.frame()
		w.sees("goes with --client-id", "r on a call")
	})
}

// resuming is connected over HTTP to a server that speaks 2025-11-25, in which a
// stream is taken up again.
func resuming(t *testing.T, width, height int, f func(w *harness)) {
	t.Helper()
	cfg := session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, Login: true}
	runWith(t, width, height, Options{}, cfg, func(w *harness) {
		w.result(w.last("initialize"), `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"demo","version":"1.2.0"}}`)
		accepted := w.b.at // notifications/initialized
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: accepted, Head: session.Head{Status: 202}})
			s.Tell(now, session.Ended{ExchangeID: accepted, End: session.End{}})
		})
		w.wait(time.Second)
		w.result(w.last("tools/list"), `{"tools":[{"name":"slow","inputSchema":{"type":"object"}}]}`)
		f(w)
	})
}

// A call that runs and whose stream waits for a login says so; it is named in the
// login, and a cancel of it is sent.
func TestARunningCallWaitsForALoginToHearMore(t *testing.T) {
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		resuming(t, size[0], size[1], func(w *harness) {
			x := w.exchange(w.call("slow"))
			last := "1"
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "text/event-stream"}})
				s.Tell(now, session.EventReceived{ExchangeID: x, Event: session.Event{ID: &last, Retry: 0}})
				s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
			})
			w.wait(time.Second)
			get := w.b.streams[len(w.b.streams)-1]
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: get, Head: session.Head{Status: 401}})
				s.Tell(now, session.Ended{ExchangeID: get, End: session.End{}})
			})
			w.login(aLogin())
			w.quiet()
			w.sees("waits for it: ", `tools/call "slow"`)
			w.press("ctrl+l")
			w.clearStatus()
			w.sees("wants login", "waiting for login")
			w.press("2", "h", "h", "h")
			w.sees("it runs at the server: waiting for a login")
			w.golden("login-to-hear-" + name)
			w.press("x")
			w.settle()
			w.sees(`cancelling #3 tools/call "slow"`)
			w.seesNot("nothing was sent")
			w.gets("notifications/cancelled")
		})
	}
}
