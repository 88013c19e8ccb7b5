package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/requirements"
	"belay/ui/login"
	"belay/ui/panel"
)

const loginURL = "https://login.example.com/authorize?client_id=belay-7&code_challenge=kX3v0aVZ0dT5qk2&code_challenge_method=S256&" +
	"redirect_uri=http%3A%2F%2F127.0.0.1%3A40001%2Fcallback&response_type=code&state=TMG6HYTBHBA6"

// aLogin is a login that waits for its page.
func aLogin() login.Status {
	return login.Status{
		Able: true, Seq: 1, Phase: login.Page, URL: loginURL,
		Issuer: "https://login.example.com", Redirect: "http://127.0.0.1:40001/callback",
	}
}

func in(l login.Status, p login.Phase) login.Status {
	l.Phase = p
	if p != login.Page {
		l.URL, l.Redirect = "", ""
	}
	return l
}

func failing(l login.Status, why string) login.Status {
	l = in(l, login.Over)
	l.Failure = why
	return l
}

// login is how the login stands from now on.
func (w *harness) login(l login.Status) {
	w.b.setLogin(l)
	w.frame()
}

// frame lets the model draw the news that there are.
func (w *harness) frame() {
	w.settle()
	time.Sleep(frameTime)
	w.settle()
}

// A login that waits for its page opens by itself, takes no key for a moment, and
// opens the page on its own key only.
func TestALoginPageIsOpenedOnItsKey(t *testing.T) {
	requirements.Rows(t, "SEC-31")
	for _, size := range []struct {
		w, h int
		name string
	}{{80, 24, "80"}, {140, 40, "140"}} {
		connected(t, size.w, size.h, Options{}, func(w *harness) {
			w.call("countdown")
			w.login(in(aLogin(), login.Finding))
			w.sees("1 in flight · waiting for login · !")
			if w.m.modal() != nil {
				t.Error("it opens before there is a page")
			}
			w.login(aLogin())
			w.sees("this opened by itself: no key is taken until you pause")
			w.press("ctrl+u", "y", "esc", "enter")
			if len(w.b.opened) != 0 || w.clip != "" || w.b.abandoned != 0 || len(w.b.pasted) != 0 {
				t.Fatal("a key was taken in the dead time")
			}
			w.wait(panel.GuardMost)
			w.sees("demo-server --stdio wants you to log in", "host: login.example.com", "ctrl+u open", "esc give up")
			w.golden("login-" + size.name)
			for _, k := range []string{"enter", "ctrl+s", "tab", "pgdown"} {
				w.press(k)
			}
			for _, hint := range []string{"ctrl+u open", "y copy", "esc give up", "ctrl+l later"} { // a stray click
				w.clickOn(hint)
			}
			if open := w.m.login.IsOpen(); !open || len(w.b.opened) != 0 || w.clip != "" || w.b.abandoned != 0 {
				t.Fatalf("opened %q, copied %q, given up %d times", w.b.opened, w.clip, w.b.abandoned)
			}
			w.press("f1")
			w.sees("In a login", "give the login page to your browser")
			w.press("f1")
			w.seesNot("give the login page to your browser")
			w.press("ctrl+u")
			w.sees("the browser was told to open it: log in there")
			if !slices.Equal(w.b.opened, []string{loginURL}) {
				t.Errorf("opened %q", w.b.opened)
			}
			w.press("y")
			if !strings.Contains(w.clip, loginURL) {
				t.Errorf("copied %q", w.clip)
			}
			w.login(in(aLogin(), login.Fetching))
			w.sees("fetching the token")
			w.golden("login-fetching-" + size.name)
			w.login(in(aLogin(), login.Over))
			w.sees("logged in")
			w.seesNot("waiting for login")
			if w.m.modal() != nil {
				t.Error("the panel stays")
			}
		})
	}
}

// What is pasted is handed over with enter, and is neither shown nor kept, also
// when it is not taken.
func TestTheAddressOfALoginIsPasted(t *testing.T) {
	const back = "http://127.0.0.1:40001/callback?code=c0de&state=TMG6"
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.login(aLogin())
		w.quiet()
		w.press("enter")
		w.sees("paste the address first that the browser ended at")
		w.b.pasteErr = errors.New("this is the answer to another login")
		w.pastes(back + "\n")
		w.sees("http://127.0.0.1:40001/callback••••••••••••", "enter hand over")
		w.seesNot("c0de", "y copy")
		w.golden("login-pasted")
		if len(w.b.pasted) != 0 {
			t.Fatal("a line break that was pasted handed it over")
		}
		w.press("enter")
		w.sees("not taken: this is the answer to another login", "ctrl+u open")
		w.seesNot("c0de", "•")
		w.b.pasteErr = nil
		w.write("code=c0de")
		w.seesNot("c0de", "not taken")
		w.sees("•••••••••")
		w.press("ctrl+w")
		w.seesNot("•")
		w.write("yes") // y is text behind the first character
		w.press("backspace", "backspace", "backspace")
		w.pastes(back)
		w.press("enter")
		if len(w.b.pasted) != 2 || strings.TrimSpace(w.b.pasted[0]) != back || w.b.pasted[1] != back {
			t.Errorf("handed over %q", w.b.pasted)
		}
		w.login(in(aLogin(), login.Over))
		for _, k := range []string{":", "/", "c"} { // no line remembers it
			w.press(k, "up")
			w.seesNot("c0de")
			w.press("esc")
		}
	})
}

// esc gives the login up at once, and belay goes on.
func TestALoginIsGivenUp(t *testing.T) {
	for _, p := range []login.Phase{login.Finding, login.Page, login.Fetching} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.login(in(aLogin(), p))
			w.command("login")
			w.quiet()
			w.press("esc")
			w.sees("the login is given up: nothing waits for it")
			over := failing(aLogin(), "the login was abandoned")
			over.Ended = true
			w.login(over)
			if w.b.abandoned != 1 || w.m.modal() != nil {
				t.Errorf("given up %d times", w.b.abandoned)
			}
			w.seesNot("waiting for login", "not logged in")
			w.command("login")
			w.sees("no login is under way: it begins when the server wants one")
		})
	}
}

// A login that comes while something else is in use takes neither the focus nor
// a key; ! shows it, also when it was put aside.
func TestALoginNeverTakesTheFocus(t *testing.T) {
	requirements.Rows(t, "SEC-32")
	for _, keys := range [][]string{{"n"}, {"/"}, {":"}, {"?"}, {"2"}, {"3"}, {"X"}} {
		connected(t, 120, 30, Options{}, func(w *harness) {
			w.call("countdown")
			w.press(keys...)
			before := w.m.modal()
			w.login(aLogin())
			if w.m.modal() != before {
				t.Errorf("after %v: the login took the screen", keys)
			}
			w.sees("waiting for login")
			if before == nil {
				w.sees("the server wants a login · ! shows it")
			}
			if named := strings.Contains(w.screen(), "! shows it"); named != (before == nil) {
				t.Errorf("after %v: that ! shows it is said: %v", keys, named)
			}
			for w.m.modal() != nil {
				w.press("esc")
			}
			w.press("!")
			w.sees("wants you to log in", "ctrl+u open")
			w.press("ctrl+l")
			w.sees("the login is put aside and goes on · ! brings it back", "waiting for login · !")
			w.press("!")
			w.sees("wants you to log in")
		})
	}
}

// The login comes before questions, unless it was put aside.
func TestALoginAmongQuestions(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.press("2")
		w.asksForm("q1", "Which branch?")
		w.login(aLogin())
		w.press("!")
		w.sees("wants you to log in")
		w.press("ctrl+l", "!")
		w.sees("Which branch?")
		w.press("ctrl+l", "!") // both are aside: the question is the next one
		w.sees("Which branch?")
	})
}

// Why a login failed is said, with what to do, and again by :login.
func TestALoginFails(t *testing.T) {
	const why = "the login failed while fetching the access token: it answered \"invalid_grant\": \"\x1b[31mtoo late\""
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.login(aLogin())
		w.quiet()
		w.login(failing(aLogin(), why))
		w.sees("not logged in", `it answered "invalid_grant": "⟨ESC⟩[31mtoo`, "r on a call makes it again", "esc close")
		w.golden("login-failed")
		w.press("ctrl+u", "enter", "x")
		w.press("esc")
		if w.m.modal() != nil || w.b.abandoned != 0 || len(w.b.opened) != 0 {
			t.Error("esc did not only close")
		}
		w.command("login")
		w.sees("not logged in", "invalid_grant")
		again := aLogin() // another login in the place of the one that failed
		again.Seq = 2
		w.login(again)
		w.sees("wants you to log in")
	})
	connected(t, 100, 30, Options{}, func(w *harness) { // unseen
		w.login(in(aLogin(), login.Finding))
		w.login(failing(aLogin(), why))
		w.sees("not logged in · :login says why")
	})
}

// A token that cannot be kept is told of; so is a browser that cannot be started,
// and an address at which nobody listens.
func TestTroubleWithALogin(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		l := aLogin()
		l.NoListener = "listen tcp 127.0.0.1:40001: address already in use"
		w.login(l)
		w.quiet()
		w.sees("belay cannot listen there (listen tcp 127.0.0.1:40001: address already in use): paste the address")
		w.b.openErr = errors.New("xdg-open is not installed: set $BROWSER")
		w.press("ctrl+u")
		w.sees("not opened: xdg-open is not installed: set $BROWSER · y copies the address")
		over := in(l, login.Over)
		over.NotKept = "the login failed while keeping the access token: the disk is full"
		w.login(over)
		w.sees("logged in, for this run only: the login failed while keeping the access token: the disk is full")
	})
}

func (w *harness) pastes(text string) { w.send(tea.PasteMsg{Content: text}) }
