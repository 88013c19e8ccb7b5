package login

import (
	"context"
	"net"
	"net/url"
	"strings"
	"testing"
)

// approved begins a login whose page is approved, and returns the address that is to bring
// the answer to belay.
func (w *servers) approved(l *Login) (*Attempt, *url.URL) {
	w.t.Helper()
	a := w.begin(l, w.refused(Secret{}))
	page, _ := url.Parse(w.reach(a, PhasePage).URL)
	return a, w.approve(page.Query())
}

func TestPaste(t *testing.T) {
	w := newServers(t)
	l := w.login()
	a, back := w.approved(l)
	foreign := *back
	foreign.RawQuery = url.Values{"code": {"evil"}, "state": {"other"}}.Encode()
	twice := back.String() + "&state=other"
	for _, text := range []string{"", "hello", back.Scheme + "://" + back.Host + back.Path, foreign.String(), twice, "?" + strings.Repeat("a", longestAnswer)} {
		if err := a.Paste(text); err == nil {
			t.Errorf("taken: %.80q", text)
		}
	}
	if now, _ := a.Watch(); now.Phase != PhasePage || w.tokenRequests() != 0 {
		t.Fatalf("after wrong pastes the attempt is %+v", now)
	}
	cut := strings.Replace(back.String(), "state=", "st\r\nate=", 1) // as a terminal gives a line that it has wrapped
	cut = strings.Replace(cut, "secret", "sec \nret", 1)
	if err := a.Paste("  \"" + cut + "\"\n"); err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.header(l).Empty() {
		t.Error("there is no token")
	}
	if err := a.Paste(back.String()); err == nil {
		t.Error("the same answer is taken twice")
	}
	if c, err := net.Dial("tcp", back.Host); err == nil {
		_ = c.Close()
		t.Error("the listener is still there after the login")
	}
}

func TestCallbackTakesOnlyItsAnswer(t *testing.T) {
	w := newServers(t)
	l := w.login()
	a, right := w.approved(l)
	root := "http://" + right.Host
	long := root + "/callback?" + strings.Repeat("a", longestAnswer*2)
	for address, want := range map[string]int{
		root + "/":                            404,
		root + "/favicon.ico":                 404,
		root + "/callback":                    400,
		root + "/callback?code=x&state=guess": 400,
		root + "/callback?error=x&state=":     400,
		right.String() + "&state=again":       400,
		long:                                  431,
	} {
		if got := w.get(address); got != want {
			t.Errorf("%.60s: %d, want %d", address, got, want)
		}
	}
	if now, _ := a.Watch(); now.Phase != PhasePage || !now.Stray {
		t.Fatalf("a wrong answer moved the attempt to phase %d; told of it: %v", now.Phase, now.Stray)
	}
	if got := w.get(right.String()); got != 200 {
		t.Errorf("the right answer gets %d", got)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := w.tokenRequests(); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

// An answer that belongs to another login is told of; what is no answer is not,
// nor is what the user pasted, which is told to the one who did.
func TestStrayAnswer(t *testing.T) {
	w := newServers(t)
	a := w.begin(w.login(), w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	back, _ := url.Parse(s.Redirect)
	for _, no := range []string{"http://" + back.Host + "/", s.Redirect, s.Redirect + "?x=y"} {
		w.get(no)
	}
	if err := a.Paste(s.Redirect + "?code=x&state=other"); err == nil {
		t.Error("taken")
	}
	if now, _ := a.Watch(); now.Stray {
		t.Error("told of what was no answer")
	}
	w.get(s.Redirect + "?error=access_denied&state=other")
	if now, _ := a.Watch(); !now.Stray || now.Phase != PhasePage {
		t.Errorf("%+v", now)
	}
}

func TestNobodyCanListen(t *testing.T) {
	w := newServers(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	redirect := "http://" + busy.Addr().String() + "/back"
	l := w.login(func(o *Options) { o.ClientID, o.RedirectURL = "me", redirect })
	a := w.begin(l, w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	if s.NoListener == nil || s.Redirect != redirect {
		t.Fatalf("the state is %+v", s)
	}
	page, _ := url.Parse(s.URL)
	if err := a.Paste(w.approve(page.Query()).String()); err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
}
