package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/login"
)

// What is odd about a login page is said before it can be opened, and what cannot
// be opened is refused.
func TestOddLoginPages(t *testing.T) {
	for url, want := range map[string]string{
		"https://login.example.com@evil.io/":       "what stands before the @ is a user name",
		"https://xn--80ak6aa92e.com/":              `reads "аррӏе.com"`,
		"https://evil.io/authorize?state=1":        "! the page is not at the host of who gives access",
		"https://login.example.com/\x1b[2J":        "https://login.example.com/⟨ESC⟩[2J",
		"javascript:alert(1)":                      "cannot be opened: only http and https addresses can be opened",
		"http://auth.example.com/authorize?code=1": "http: everybody on the way",
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			l := aLogin()
			l.URL = url
			w.login(l)
			w.quiet()
			w.sees(want)
			if !strings.HasPrefix(url, "javascript") {
				return
			}
			w.press("ctrl+u")
			w.sees("only http and https addresses can be opened")
			w.press("y")
			if len(w.b.opened) != 0 || w.clip != "" {
				t.Errorf("opened %q, copied %q", w.b.opened, w.clip)
			}
		})
	}
}

// A login that is faster than the terminal is shown when that has told its size.
func TestALoginBeforeTheFirstFrame(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.send(tea.WindowSizeMsg{})
		w.login(aLogin())
		w.send(tea.WindowSizeMsg{Width: 100, Height: 30})
		w.sees("wants you to log in")
	})
}

// The whole address can be read on the smallest screen, and is opened only when
// its warnings were on it.
func TestALongLoginPage(t *testing.T) {
	connected(t, 60, 15, Options{}, func(w *harness) {
		l := aLogin()
		l.Issuer = "https://gives.example.org/" + strings.Repeat("tenant/", 20)
		l.URL = "http://user:pass@xn--80ak6aa92e.com:8443/?token=abc&scope=" + strings.Repeat("read-it.", 60) + "the-end"
		w.login(l)
		w.quiet()
		w.press("ctrl+u")
		w.sees("read the warnings first, pgdown shows them")
		w.reads("pgdown", "what stands before the @", `! "token" in it`, "not at the host of who gives access", "the-end", "127.0.0.1:40001/callback")
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		if len(w.b.opened) != 1 {
			t.Error("it is not opened although all was seen")
		}
	})
	connected(t, 50, 4, Options{}, func(w *harness) { // one line
		w.login(aLogin())
		w.press("!")
		w.press("ctrl+u")
		if len(w.b.opened) != 0 {
			t.Errorf("opened %q unseen", w.b.opened)
		}
	})
}

// Who leaves while the token is still being revoked is told that nobody has
// confirmed that.
func TestLeavingALogout(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.b.hangs = make(chan struct{})
		defer close(w.b.hangs)
		w.login(login.Status{Able: true, Token: true})
		w.command("logout")
		w.sees("logging out")
		w.press("q")
		if lines := w.m.Farewell(); len(lines) != 1 || !strings.Contains(lines[0], "has not confirmed that it is revoked") {
			t.Errorf("%q", lines)
		}
	})
}

// Where belay does not log in, the commands say why; a token can be forgotten.
func TestLogout(t *testing.T) {
	for _, tt := range []struct {
		transport mcp.Transport
		login     login.Status
		in, out   string
	}{
		{mcp.Stdio, login.Status{}, "there are logins only at servers over HTTP", "there are logins only at servers over HTTP"},
		{mcp.HTTP, login.Status{}, "the Authorization header that you gave is sent", "the Authorization header that you gave is sent"},
		{mcp.HTTP, login.Status{Able: true}, "no login is under way: it begins when the server wants one", "there is no token for this server"},
		{mcp.HTTP, login.Status{Able: true, Token: true}, "no login is under way: there is a token", "the token is forgotten, here and in its file"},
	} {
		runWith(t, 120, 30, Options{}, session.Config{Transport: tt.transport, DiscoverLimit: -1}, func(w *harness) {
			w.login(tt.login)
			w.command("login")
			w.sees(tt.in)
			w.command("logout")
			w.sees(tt.out)
		})
	}
	runWith(t, 140, 30, Options{}, session.Config{Transport: mcp.HTTP, DiscoverLimit: -1}, func(w *harness) {
		for l, words := range map[login.Logout]string{
			{Revoked: true}:             "the token is forgotten, here and in its file, and revoked",
			{Gone: true}:                "what was left of the login is forgotten · its token was good no more: who gave it had refused to renew it",
			{}:                          "elsewhere it may be good until it ends: who gave it names no way to revoke it",
			{Failure: "it\x1b is shut"}: "elsewhere it may be good until it ends: it⟨ESC⟩ is shut",
		} {
			w.b.loggedOut = l
			w.login(login.Status{Able: true, Token: true})
			w.command("logout")
			w.sees(words)
		}
		if lines := w.m.Farewell(); len(lines) != 0 {
			t.Errorf("after logouts that are over: %q", lines)
		}
		w.b.logoutErr = errors.New("the file cannot be removed")
		w.login(login.Status{Able: true, Token: true})
		w.command("logout")
		w.sees("the file cannot be removed")
	})
}

// Why another login is wanted where there was one is said, and so is an answer
// that belongs to none.
func TestWhyALoginIsWantedAgain(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		l := aLogin()
		l.More, l.Scopes, l.Again = true, "files:write admin\x1b[31m", true
		w.login(l)
		w.quiet()
		w.sees("wants a login for more", `it wants more: "files:write admin⟨ESC⟩[31m"`, "! the last login was for the same, and what it gave is not enough")
		w.golden("login-more")
		w.login(login.Status{Able: true})
		l = aLogin()
		l.Seq, l.More = 2, true
		w.login(l)
		w.sees("it wants more than the last login gave, and does not say what")
		w.seesNot("was for the same")
		w.login(login.Status{Able: true})
		l = aLogin()
		l.Seq, l.NotRenewed = 3, "it answered \"invalid_grant\": \"\x1b[31mgone\""
		w.login(l)
		w.sees("wants you to log in", `the token was not renewed: it answered "invalid_grant": "⟨ESC⟩[31mgone"`)
		w.seesNot("wants more", "another login")
		l.Stray = true
		w.login(l)
		w.sees("! an answer came that belongs to another login: it was not taken")
		w.golden("login-not-renewed")
	})
}

// refused is the server's answer to the last request over HTTP: it wants a login.
func (w *harness) refused() {
	w.b.locked(func(s *session.Session, now time.Time) {
		s.Tell(now, session.Opened{ExchangeID: w.b.at, Head: session.Head{Status: 401, Challenge: []string{"Bearer"}}})
		s.Tell(now, session.Ended{ExchangeID: w.b.at, End: session.End{}})
	})
	w.frame()
}

// loggedIn is the end of the login that the core asked for.
func (w *harness) loggedIn(failure string) {
	w.b.tell(session.LoggedIn{Seq: w.b.asked.Seq, Failure: failure})
	w.frame()
}

func httpHarness(t *testing.T, w, h int, f func(w *harness)) {
	t.Helper()
	runWith(t, w, h, Options{}, session.Config{Transport: mcp.HTTP, Login: true, DiscoverLimit: -1}, f)
}

// What is said of a login does not depend on which is seen first: that it is
// over, or that what waited for it goes on. A call that was cancelled meanwhile
// does not go on.
func TestWhatALoginWasFor(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ends   func(w *harness)
		goesOn bool
	}{
		{"over first", func(w *harness) { w.login(in(aLogin(), login.Over)); w.loggedIn("") }, true},
		{"on its way first", func(w *harness) { w.loggedIn(""); w.login(in(aLogin(), login.Over)) }, true},
		{"cancelled", func(w *harness) {
			w.press("ctrl+x")
			w.clearStatus()
			w.loggedIn("")
			w.login(in(aLogin(), login.Over))
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			overHTTP(t, 100, 30, guarded, func(w *harness) {
				w.call("guarded")
				w.refused()
				w.login(aLogin())
				w.quiet()
				w.login(in(aLogin(), login.Fetching))
				tt.ends(w)
				w.sees("logged in")
				if got := strings.Contains(w.screen(), "what waited for it goes on"); got != tt.goesOn {
					t.Errorf("it says that it goes on: %v, want %v\n%s", got, tt.goesOn, w.screen())
				}
			})
		})
	}
}

// A login may be wanted by the handshake, which waits for it as every call does,
// and goes on behind it.
func TestALoginForTheHandshake(t *testing.T) {
	httpHarness(t, 80, 24, func(w *harness) {
		w.refused()
		w.login(aLogin())
		w.quiet()
		w.sees("waits for it: ", "initialize", "ctrl+u open")
		w.golden("login-handshake")
		w.press("ctrl+l")
		w.sees("? waiting for login")
		w.press("x")
		w.sees("initialize must not be cancelled: ! then esc gives its login up")
		w.press("X")
		w.sees("only the handshake is in flight: ! then esc gives its login up")
		w.press("!")
		w.seesNot("ctrl+x")
		w.press("ctrl+x")
		w.sees("the handshake must not be cancelled: esc gives its login up")
		w.press("ctrl+l")
		if n := len(w.b.wrote); n != 1 {
			t.Errorf("%d messages were sent:\n%s", n, strings.Join(w.b.wrote, "\n"))
		}
		w.press("!")
		w.login(in(aLogin(), login.Over))
		w.loggedIn("")
		w.sees("logged in · what waited for it goes on")
		if n := w.got(`"initialize"`); n != 2 || w.m.modal() != nil {
			t.Errorf("initialize was sent %d times", n)
		}
	})
	httpHarness(t, 100, 30, func(w *harness) {
		w.refused()
		w.login(aLogin())
		w.quiet()
		w.press("esc")
		over := failing(aLogin(), "the login was abandoned")
		over.Ended = true
		w.login(over)
		w.loggedIn("the login was abandoned")
		w.sees("✗ the server wants a login", "the login was abandoned", ":restart tries again")
		w.seesNot("the server wants a login: ")
		w.login(login.Status{Able: true}) // another connection
		w.login(aLogin())
		w.sees("wants you to log in")
		w.login(login.Status{Able: true})
		if w.m.modal() != nil {
			t.Error("the panel of a login that is gone stays")
		}
	})
}
