package login

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// twoBelays are two logins with one token, which they keep in the same directory.
func (w *servers) twoBelays() (first, second *Login) {
	w.t.Helper()
	dir := w.t.TempDir()
	first = w.login(in(dir))
	w.mustLogin(first)
	second = w.login(in(dir))
	w.header(second)
	return first, second
}

// Of two belays that renew the same token at once, the second one waits, and
// takes what the first one got: a refresh token is good for one use.
func TestTwoBelaysRenewOneToken(t *testing.T) {
	w := newServers(t)
	first, second := w.twoBelays()
	old := first.held()
	age(first)
	age(second)

	undo := first.store.lock(context.Background(), old)
	waiting := make(chan struct{}, 1)
	second.store.waits = func() {
		select {
		case waiting <- struct{}{}:
		default:
		}
	}
	got := make(chan Secret)
	go func() {
		h, err := second.Authorization(context.Background())
		if err != nil {
			t.Error(err)
		}
		got <- h
	}()
	select {
	case <-waiting:
	case h := <-got:
		t.Fatalf("nobody waited; there is a header: %v", !h.Empty())
	case <-time.After(time.Minute): // against hanging, not a measure
		t.Fatal("nobody waits for the lock")
	}
	token, err := first.post(context.Background(), old.TokenURL, old.Client, nil, map[string][]string{
		"grant_type": {"refresh_token"}, "refresh_token": {old.Refresh}, "resource": {old.Resource},
	})
	if err != nil {
		t.Fatal(err)
	}
	next := *old
	next.Access, next.Refresh, next.Expires, next.Saved = token.AccessToken, token.RefreshToken, token.Expiry, time.Now()
	if err := first.keep(&next); err != nil {
		t.Fatal(err)
	}
	undo()
	if h := <-got; h.Reveal() != "Bearer "+w.current || w.tokenRequests() != 2 {
		t.Errorf("%d token requests, and the second belay has another token than the first one got", w.tokenRequests())
	}
	if second.held().Refresh != w.renewal {
		t.Error("the second belay has a refresh token that was used up")
	}
}

// What another belay has renewed, and what is over again, is renewed by the
// refresh token that it got, not by the one before.
func TestRenewGoesOnFromTheFile(t *testing.T) {
	w := newServers(t)
	first, second := w.twoBelays()
	age(second)
	w.expires = 1 // over as soon as it is there: a quarter of it is the end
	w.header(second)
	age(first)
	stored := *second.held()
	stored.Expires = time.Now().Add(-time.Second)
	if err := second.keep(&stored); err != nil {
		t.Fatal(err)
	}
	w.expires = 3600
	if h := w.header(first); h.Reveal() != "Bearer "+w.current || w.tokenRequests() != 3 {
		t.Errorf("%d token requests, and no token", w.tokenRequests())
	}
}

// A login does without a lock where there can be none, and does not wait for one
// longer than it is waited for.
func TestNoLock(t *testing.T) {
	dir := t.TempDir()
	g := &grant{Endpoint: "https://a.example/mcp"}
	if err := os.Mkdir(filepath.Join(dir, "lock-"+hash(g.file())), 0o700); err != nil {
		t.Fatal(err)
	}
	store{dir: dir}.lock(context.Background(), g)()
	store{}.lock(context.Background(), g)()

	other := store{dir: t.TempDir()}
	undo := other.lock(context.Background(), g)
	ctx, cancel := context.WithCancelCause(context.Background())
	waits := 0
	second := store{dir: other.dir, waits: func() { waits++; cancel(errors.New("enough")) }}
	second.lock(ctx, g)() // would wait for ever if it waited for the other one
	undo()
	if waits == 0 {
		t.Error("two have the lock")
	}
	third := store{dir: other.dir, waits: func() { t.Error("a lock is held that was given back") }}
	third.lock(context.Background(), g)()
	otherGrant := &grant{Endpoint: "https://b.example/mcp"}
	defer third.lock(context.Background(), g)()
	third.lock(context.Background(), otherGrant)() // one lock for each login
}
