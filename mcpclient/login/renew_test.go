package login

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
)

func TestRenew(t *testing.T) {
	w := newServers(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	first := w.mustLogin(l)
	age(l)
	var all sync.WaitGroup
	headers := make([]Secret, 10)
	for i := range headers {
		all.Go(func() { headers[i], _ = l.Authorization(context.Background()) })
	}
	all.Wait()
	for _, h := range headers {
		if h.Reveal() != "Bearer "+w.current || h.Equal(first) {
			t.Fatal("a request got another token than the new one")
		}
	}
	if n := w.tokenRequests(); n != 2 {
		t.Errorf("%d token requests, not one for the login and one for all that wait", n)
	}
	if f := w.forms[1]; f.Get("resource") != w.endpoint() || f.Get("client_id") != "client-1" {
		t.Errorf("renewed with %v", f)
	}

	// A token that is refused early is renewed before the user is asked, once.
	a := w.begin(l, w.refused(headers[0]))
	if err := a.Wait(context.Background()); err != nil || len(w.pages) != 1 {
		t.Fatalf("%v, %d pages", err, len(w.pages))
	}
	second := w.header(l)
	if second.Equal(headers[0]) {
		t.Error("the refused token is still in use")
	}
	if ok, err := l.Renew(context.Background(), headers[0]); !ok || err != nil {
		t.Errorf("one who was refused with the old token is told %v %v", ok, err)
	}
	if ok, err := l.Renew(context.Background(), second); ok || err != nil {
		t.Errorf("what was just renewed is renewed again: %v %v", ok, err)
	}
	if err := w.through(l, w.refused(second)); err != nil || len(w.pages) != 2 {
		t.Errorf("%v, %d pages", err, len(w.pages))
	}

	// The next run goes on with the refresh token that was given last.
	next := w.login(in(dir))
	w.header(next)
	age(next)
	if h := w.header(next); h.Reveal() != "Bearer "+w.current {
		t.Error("the next run cannot renew")
	}
	// And the first one takes over what the next one has renewed.
	age(l)
	before := w.tokenRequests()
	if h := w.header(l); h.Reveal() != "Bearer "+w.current || w.tokenRequests() != before {
		t.Error("what another run has renewed is not taken over")
	}
}

// A token that was renewed for a refusal and accepted then is renewed again when
// it is refused later, however often; one that was never accepted is not.
func TestRenewForEachRefusal(t *testing.T) {
	w := newServers(t)
	l := w.login()
	h := w.mustLogin(l)
	for range 3 {
		if ok, err := l.Renew(context.Background(), h); !ok || err != nil {
			t.Fatalf("a token that was accepted until now is not renewed: %v", err)
		}
		old := h
		if h = w.header(l); h.Equal(old) || h.Reveal() != "Bearer "+w.current {
			t.Fatal("the refused token is still in use")
		}
		l.Accepted(old) // the answer to a request of before: it says nothing of the new token
		if ok, err := l.Renew(context.Background(), h); ok || err != nil {
			t.Fatalf("a token that was refused at once is renewed: %v %v", ok, err)
		}
		l.Accepted(h)
	}
	if n := w.tokenRequests(); n != 4 || len(w.pages) != 1 {
		t.Errorf("%d token requests, %d pages", n, len(w.pages))
	}
}

func TestRenewBeforeTheEnd(t *testing.T) {
	w := newServers(t)
	l := w.login()
	old := w.mustLogin(l)
	arrived, release := make(chan struct{}), make(chan struct{})
	w.mu.Lock()
	w.parts["/token"] = func(rw http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-release
		w.token(rw, r)
	}
	w.mu.Unlock()
	lasts(l, early-1)
	if h := w.header(l); !h.Equal(old) { // would wait for ever if it waited
		t.Error("a token that is still good is not used")
	}
	<-arrived
	l.mu.Lock()
	r := l.renewal
	l.mu.Unlock()
	close(release)
	<-r.done
	if h := w.header(l); h.Equal(old) || h.Reveal() != "Bearer "+w.current {
		t.Error("the token was not renewed before its end")
	}
}

func TestShortLivedTokenIsNotRenewedForEachRequest(t *testing.T) {
	w := newServers(t)
	w.expires = int(early.Seconds()) - 1
	l := w.login()
	first := w.mustLogin(l)
	for range 3 {
		if h := w.header(l); !h.Equal(first) {
			t.Fatal("another token")
		}
	}
	l.Close() // after all that was begun
	if n := w.tokenRequests(); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

func TestRenewIsRefused(t *testing.T) {
	w := newServers(t)
	l := w.login(in(t.TempDir()))
	w.mustLogin(l)
	w.mu.Lock()
	w.renewal = ""
	w.mu.Unlock()
	age(l)
	if h := w.header(l); !h.Empty() {
		t.Error("there is a header")
	}
	before := w.tokenRequests()
	if h := w.header(l); !h.Empty() || w.tokenRequests() != before {
		t.Error("what was refused is tried again")
	}
	w.mustLogin(l)
}

func TestRenewFails(t *testing.T) {
	w := newServers(t)
	l := w.login()
	w.mustLogin(l)
	w.mu.Lock()
	w.parts["/token"] = func(rw http.ResponseWriter, _ *http.Request) {
		http.Error(rw, w.renewal, http.StatusServiceUnavailable)
	}
	w.mu.Unlock()
	age(l)
	_, err := l.Authorization(context.Background())
	wants(t, err, string(StepRefresh), "503")
	w.mu.Lock()
	delete(w.parts, "/token")
	w.mu.Unlock()
	if h := w.header(l); h.Reveal() != "Bearer "+w.current {
		t.Error("the refresh token was lost with a server that was down for a moment")
	}
}

// A refresh token is often good for one use: a request that is cancelled while
// it waits must not take the answer with it.
func TestRenewOutlivesTheRequest(t *testing.T) {
	w := newServers(t)
	l := w.login()
	w.mustLogin(l)
	arrived, release := make(chan struct{}), make(chan struct{})
	w.mu.Lock()
	w.parts["/token"] = func(rw http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		w.token(rw, r)
	}
	w.mu.Unlock()
	age(l)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() {
		_, err := l.Authorization(ctx)
		gone <- err
	}()
	<-arrived
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled request is told %v", err)
	}
	close(release)
	if h := w.header(l); h.Reveal() != "Bearer "+w.current || w.tokenRequests() != 2 {
		t.Errorf("%d token requests, and the header is not the new token", w.tokenRequests())
	}
}

// tokens has the token endpoint answer like this from now on; nil: as it should.
func (w *servers) tokens(answer http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.parts["/token"] = answer
}

// notRenewed fails unless the state says that the token was not renewed, and why.
func notRenewed(t *testing.T, s State, parts ...string) {
	t.Helper()
	wants(t, s.NotRenewed, parts...)
}

// A renewal that got no answer is tried once more before the user is asked, and
// then it is said why the user is.
func TestRenewalWithoutAnAnswerIsTriedAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		tries  int
		says   string
	}{
		{"a status", func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "the-secret", 500) }, 2, "it answered with the status 500 and no reason"},
		{"a status with a reason", func(rw http.ResponseWriter, _ *http.Request) {
			answer(rw, 503, map[string]any{"error": "temporarily_unavailable"})
		}, 2, `it answered "temporarily_unavailable"`},
		{"a connection that breaks", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 2, "no answer from "},
		{"a refusal", func(rw http.ResponseWriter, _ *http.Request) {
			answer(rw, 400, map[string]any{"error": "invalid_grant"})
		}, 1, `it answered "invalid_grant"`},
		{"a status that is no want of an answer", func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "no", 404) }, 1, "it answered with the status 404 and no reason"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newServers(t)
			l := w.login()
			l.pause = 1
			sent := w.mustLogin(l)
			w.tokens(tt.answer)
			before := w.tokenRequests()
			s := w.reach(w.begin(l, w.refused(sent)), PhasePage)
			if n := w.tokenRequests() - before; n != tt.tries || s.Phase != PhasePage {
				t.Errorf("%d tries, then phase %d: %v", n, s.Phase, s.Err)
			}
			notRenewed(t, s, tt.says)
		})
	}
}

// What a request has tried already counts: then it is tried once more only. The
// first answer is good enough.
func TestRenewalThatARequestHasTried(t *testing.T) {
	w := newServers(t)
	l := w.login()
	l.pause = 1
	sent := w.mustLogin(l)
	down := func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "", 500) }
	w.tokens(down)
	if ok, err := l.Renew(context.Background(), sent); ok || err == nil {
		t.Fatalf("%v, %v", ok, err)
	}
	before := w.tokenRequests()
	a := w.begin(l, w.refused(sent))
	s := w.reach(a, PhasePage)
	if n := w.tokenRequests() - before; n != 1 {
		t.Errorf("%d more tries", n)
	}
	notRenewed(t, s, "500")
	a.Abandon()
	_ = a.Wait(context.Background())

	w.tokens(func(rw http.ResponseWriter, r *http.Request) {
		w.tokens(nil)
		down(rw, r)
	})
	a = w.begin(l, w.refused(sent))
	if err := a.Wait(context.Background()); err != nil || len(w.pages) != 1 {
		t.Errorf("%v, %d pages", err, len(w.pages))
	}
	if s, _ := a.Watch(); s.NotRenewed != nil {
		t.Errorf("a token that was renewed was not: %v", s.NotRenewed)
	}
	if w.header(l).Equal(sent) {
		t.Error("the refused token is still in use")
	}

	// A refusal that a request met is the reason as well, and is over with the login.
	w.tokens(func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 400, map[string]any{"error": "invalid_grant"})
	})
	age(l)
	if h := w.header(l); !h.Empty() {
		t.Fatal("there is a header")
	}
	w.tokens(nil)
	a = w.begin(l, w.refused(Secret{}))
	notRenewed(t, w.reach(a, PhasePage), "invalid_grant")
	w.open(a)
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.refresh = false
	a = w.begin(l, w.lacking(w.header(l), "more"))
	if s := w.reach(a, PhasePage); s.NotRenewed != nil {
		t.Errorf("after another login: %v", s.NotRenewed)
	}
}
