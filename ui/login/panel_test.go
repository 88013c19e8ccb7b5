package login

import (
	"errors"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/scope"
	"belay/ui/server"
)

// outside is what the panel needs from outside.
type outside struct {
	status    Status
	opened    []string
	openErr   error
	pasted    []string
	pasteErr  error
	abandoned int
	entry     string
}

func (o *outside) OpenURL(url string) error {
	o.opened = append(o.opened, url)
	return o.openErr
}

func (o *outside) PasteLogin(redirect string) error {
	o.pasted = append(o.pasted, redirect)
	return o.pasteErr
}

func (o *outside) AbandonLogin() {
	o.abandoned++
	o.status.Phase, o.status.Ended = Over, true
}

func (o *outside) Command() server.Start {
	return server.Start{Entry: o.entry, Argv: []string{"https://demo.example.com/mcp"}}
}
func (o *outside) Now() time.Time { return time.Now() }

// harness is the panel on a screen of its own.
type harness struct {
	*paneltest.Host
	*paneltest.Keys[*Panel]
	p       *Panel
	outside *outside
}

func run(t *testing.T, width, height int, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, width, height, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h, outside: &outside{}}
		w.p = New(h, w.outside)
		w.Keys = paneltest.KeysOf(h, w.p, slices.Concat(Bindings(), Commands()))
		h.Frame = func() tea.Cmd { return w.p.Notice(w.outside.status) }
		h.Connect(paneltest.Initialized)
		f(w)
	})
}

// aPage is a login that waits for its page.
func aPage() Status {
	return Status{
		Able: true, Seq: 1, Phase: Page, Issuer: "https://login.example.com",
		URL:      "https://login.example.com/authorize?client_id=belay-7&state=TMG6",
		Redirect: "http://127.0.0.1:40001/callback",
	}
}

func over(failure string) Status { return Status{Able: true, Seq: 1, Phase: Over, Failure: failure} }

// is has the login stand as it says from now on.
func (w *harness) is(s Status) {
	w.outside.status = s
	w.Settle()
}

// opens has a page wanted, and waits until the panel takes keys.
func (w *harness) opens() {
	w.T.Helper()
	w.is(aPage())
	w.Lies(w.p)
	w.Wait(panel.GuardMost)
}

// other is a panel that has nothing to do with a login.
type other struct{ panel.Panel }

func (other) Scope() keymap.Scope            { return 0 }
func (other) Draw(*panel.Frame) *image.Point { return nil }

// The panel opens by itself, takes no key for a moment, and opens the page on its key.
func TestAPageIsOpenedOnItsKey(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.is(aPage())
		w.Lies(w.p)
		w.Shows(w.p, "wants you to log in", "no key is taken until you pause")
		w.outside.entry = "staging"
		w.Shows(w.p, " staging wants you to log in")
		w.outside.entry = ""
		w.Press("ctrl+u", "enter", "esc")
		w.Run(w.p.Paste("pasted too early"))
		w.Wait(panel.GuardMost)
		if len(w.outside.opened)+len(w.outside.pasted)+w.outside.abandoned != 0 {
			t.Fatal("a key was taken in the dead time")
		}
		w.Shows(w.p, "https://login.example.com", "paste it here")
		if w.Hinted != scope.LoginPage|scope.LoginEmpty || w.Cursor == nil {
			t.Errorf("hints of %b, cursor %v", w.Hinted, w.Cursor)
		}
		w.Press("enter")
		w.Says("paste the address first")
		w.Press("ctrl+u")
		if !slices.Equal(w.outside.opened, []string{aPage().URL}) {
			t.Errorf("opened %q", w.outside.opened)
		}
		w.Shows(w.p, "the browser was told to open it")
		w.Press("y")
		if got := paneltest.Wished[panel.Copy](w.Host); len(got) != 1 || string(got[0].Data) != aPage().URL {
			t.Errorf("wished %v", got)
		}
	})
}

// A browser that cannot be started is told of in the panel; one login's browser is none
// of the next.
func TestABrowserThatDoesNotStart(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.opens()
		w.outside.openErr = errors.New("no \x1b[2Jbrowser")
		w.Press("ctrl+u")
		w.Shows(w.p, "not opened: no ⟨ESC⟩[2Jbrowser · y copies the address")
		w.Press("ctrl+u") // it can be tried again
		if len(w.outside.opened) != 2 {
			t.Errorf("opened %q", w.outside.opened)
		}
		open := w.p.openPage()
		w.Press("ctrl+u")
		w.Says("it is being opened")
		next := aPage()
		next.Seq = 2
		w.is(next)
		w.Run(open)
		w.ShowsNot(w.p, "not opened")
	})
}

// What is pasted holds a secret: beyond where the page leads back to it is not shown, and
// it is handed over once.
func TestAnAddressIsPastedUnseen(t *testing.T) {
	const answer = "http://127.0.0.1:40001/callback?code=s3cr3t&state=TMG6"
	run(t, 80, 24, func(w *harness) {
		w.opens()
		w.Run(w.p.Paste(answer))
		w.Shows(w.p, "http://127.0.0.1:40001/callback••••", "more characters")
		w.ShowsNot(w.p, "s3cr3t", "code=")
		w.Press("left", "home") // nobody finds a place in what is not shown
		w.Press("backspace", "6")
		w.Press("enter")
		if !slices.Equal(w.outside.pasted, []string{answer}) {
			t.Errorf("handed over %q", w.outside.pasted)
		}
		w.Shows(w.p, "paste it here")
		w.outside.pasteErr = errors.New("this is not the whole address")
		w.Run(w.p.Paste("http://127.0.0.1:40001/callback"))
		w.Press("enter")
		w.Shows(w.p, "not taken: this is not the whole address")
		w.Type("nfast")
		w.Press("enter")
		w.Shows(w.p, "not taken: this is no address")
		w.Run(w.p.Paste(answer))
		w.Press("esc") // takes back what was pasted, and nothing else
		w.Lies(w.p)
		w.Shows(w.p, "paste it here")
		if w.outside.abandoned != 0 {
			t.Error("the login was given up")
		}
	})
}

// A login is given up, or put aside; only the first ends it.
func TestGivenUpAndPutAside(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.opens()
		w.Press("ctrl+l")
		w.Lies(nil)
		w.Says("is put aside and goes on · ! brings it back")
		w.Settle()
		w.Lies(nil)
		if !w.p.IsAside() || w.outside.abandoned != 0 {
			t.Error("it was not put aside")
		}
		w.Run(w.p.Show())
		w.Lies(w.p)
		if w.p.Scope() == scope.Guarded || w.p.IsAside() {
			t.Error("the user opened it: it takes no key, or is put aside still")
		}
		w.Press("esc")
		w.Lies(nil)
		w.Says("the login is given up")
		if w.outside.abandoned != 1 {
			t.Errorf("given up %d times", w.outside.abandoned)
		}
	})
}

// The login ends while the panel is open: it goes, or says why there is no token.
func TestALoginThatEndsWhileItIsOpen(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.opens()
		fetching := aPage()
		fetching.Phase = Fetching
		w.Run(w.p.Paste("http://127.0.0.1:40001/callback?code=x"))
		w.is(fetching)
		w.Shows(w.p, "fetching the token")
		if w.p.Scope() != scope.LoginWait || !w.p.line.Empty() {
			t.Errorf("while the token is fetched: scope %b, %d characters are kept of the address", w.p.Scope(), len(w.p.line.String()))
		}
		w.is(over(""))
		w.Lies(nil)
		w.Says("logged in")
	})
	run(t, 80, 24, func(w *harness) {
		w.opens()
		w.is(over("the issuer says \x1b[2Jno"))
		w.Lies(w.p)
		w.Shows(w.p, ": not logged in", "the issuer says ⟨ESC⟩[2Jno")
		if w.p.Scope() != scope.LoginOver || w.Said() != "" {
			t.Errorf("scope %b; the status line repeats what the panel says: %q", w.p.Scope(), w.Said())
		}
		w.Press("esc")
		w.Lies(nil)
		if w.outside.abandoned != 0 {
			t.Error("what has ended was given up")
		}
	})
	run(t, 80, 24, func(w *harness) {
		w.is(over("no"))
		w.Lies(nil)
		w.Says("not logged in · :login says why")
		w.Command("login")
		w.Lies(w.p)
	})
	run(t, 80, 24, func(w *harness) {
		w.opens()
		ended := over("the user gave it up")
		ended.Ended = true
		w.is(ended)
		w.Lies(nil)
		kept := over("")
		kept.Seq, kept.NotKept = 2, "the disk is full"
		w.is(kept)
		w.Says("logged in, for this run only: the disk is full")
	})
}

// Another login forgets what was pasted for the one before.
func TestAnotherLoginBeginsAnew(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.opens()
		w.Run(w.p.Paste("http://127.0.0.1:40001/callback?code=x"))
		next := aPage()
		next.Seq, next.URL = 2, "https://login.example.com/second"
		w.is(next)
		w.Lies(w.p)
		w.Shows(w.p, "https://login.example.com/second", "paste it here")
		if w.p.Scope() != scope.Guarded {
			t.Error("it takes keys that were meant for the login before")
		}
	})
}

// Where something is in use, or there is no room, a login is told of and waits.
func TestALoginDoesNotDisturb(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		in := other{}
		w.Push(in)
		w.is(aPage())
		w.Lies(in)
		w.Says("it waits until you are done")
	})
	run(t, 80, 24, func(w *harness) {
		w.Busy = true
		w.is(aPage())
		w.Lies(nil)
		w.Says("! shows it")
	})
	run(t, 40, 8, func(w *harness) {
		w.is(aPage())
		w.Lies(nil)
		w.Says("needs 60×15")
		w.Command("login")
		w.Says("the terminal is too small")
		w.Resize(80, 24)
		w.Lies(w.p)
		w.Shows(w.p, "no key is taken")
	})
	run(t, 0, 0, func(w *harness) { // the terminal has not said how large it is
		w.is(aPage())
		w.Lies(nil)
		if w.Said() != "" {
			t.Errorf("before there is a screen, it says %q", w.Said())
		}
		w.Resize(80, 24)
		w.Lies(w.p)
	})
}

// On any screen, whatever the server and the issuer write stays where their words are, and
// what warns of the page has to be seen first.
func TestHostileLogins(t *testing.T) {
	for _, size := range paneltest.Sizes() {
		run(t, 80, 24, func(w *harness) {
			w.is(Status{
				Able: true, Seq: 1, Phase: Page, Issuer: paneltest.Hostile, URL: "http://user@xn--80ak6aa92e.com/?" + paneltest.Hostile, Redirect: paneltest.Hostile,
				More: true, Scopes: paneltest.Hostile, Again: true, NotRenewed: paneltest.Hostile, Stray: true, NoListener: paneltest.Hostile,
			})
			w.Lies(w.p)
			w.Resize(size.X, size.Y)
			w.Draw(w.p)
			w.Wait(panel.GuardMost)
			w.Draw(w.p)
			w.Run(w.p.Paste(paneltest.Hostile))
			w.Draw(w.p)
			failed := over(paneltest.Hostile)
			w.is(failed)
			if screen := w.Draw(w.p); !w.Screen().IsTiny() && !strings.Contains(screen, ": not logged in") {
				t.Errorf("%v: what was written has pushed belay's own words away:\n%s", size, screen)
			}
		})
	}
	run(t, 60, 15, func(w *harness) {
		odd := aPage()
		odd.URL, odd.NotRenewed = "http://user:pass@xn--80ak6aa92e.com:8443/?token=abc", strings.Repeat("because of that ", 20)
		w.is(odd)
		w.Wait(panel.GuardMost)
		w.Press("ctrl+u")
		w.Says("read the warnings first, pgdown shows them")
		w.Press("y")
		w.Says("read the warnings first")
		for range 9 {
			w.Press("pgdown")
		}
		w.Press("ctrl+u")
		if len(w.outside.opened) != 1 {
			t.Errorf("opened %q after the warnings were read: %q", w.outside.opened, w.Said())
		}
	})
}

// The key that cancels a call takes the selected one of those that wait, or else the
// oldest; the handshake is none.
func TestACallThatWaitsIsCancelled(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.opens()
		w.Press("ctrl+x")
		w.Says("no call waits for the login")
		first, second := w.Call("first"), w.Call("second")
		w.p.calls = []session.Row{w.Row(first), w.Row(second)}
		if got := w.Draw(w.p); !strings.Contains(got, `waits for it: #6 tools/call "first", #7 tools/call "second"`) {
			t.Errorf("it names other calls:\n%s", got)
		}
		for i, c := range []struct{ chosen, want session.CallID }{{0, first}, {second, second}} {
			w.Chosen = c.chosen
			w.p.calls = []session.Row{w.Row(first), w.Row(second)}
			w.Press("ctrl+x")
			if got := paneltest.Wished[panel.Cancel](w.Host); len(got) != i+1 || got[i].Row.ID != c.want {
				t.Errorf("%v is selected: wished %v", c.chosen, got)
			}
		}
		w.p.calls = []session.Row{{Origin: session.FromHandshake}}
		w.Press("ctrl+x")
		w.Says("the handshake must not be cancelled")
	})
}

// Where belay never logs in, that is said.
func TestWhyThereIsNoLogin(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		for _, c := range []struct {
			status Status
			want   string
		}{
			{Status{}, "there are logins only at servers over HTTP"},
			{Status{Able: true}, "no login is under way: it begins when the server wants one"},
			{Status{Able: true, Token: true}, "no login is under way: there is a token"},
		} {
			w.is(c.status)
			w.Command("login")
			w.Says(c.want)
			w.Lies(nil)
		}
		if why := w.p.NoLogout(); why != "" {
			t.Errorf("with a token: %q", why)
		}
	})
	paneltest.Run(t, 80, 24, session.Config{Transport: mcp.HTTP}, func(h *paneltest.Host) {
		if why := New(h, &outside{}).noLogins(); !strings.Contains(why, "the Authorization header that you gave") {
			t.Errorf("over HTTP: %q", why)
		}
	})
}

// What became of a token that was forgotten.
func TestTheWordsOfALogout(t *testing.T) {
	for want, l := range map[string]Logout{
		"and revoked":                       {Revoked: true},
		"its token was good no more":        {Gone: true},
		"until it ends: HTTP 500":           {Failure: "HTTP 500"},
		"who gave it names no way to":       {},
		"until it ends: ⟨ESC⟩[2J":           {Failure: "\x1b[2J"},
		"the token is forgotten, here and ": {},
	} {
		if got := string(l.Words()); !strings.Contains(got, want) {
			t.Errorf("%+v: %q", l, got)
		}
	}
}
