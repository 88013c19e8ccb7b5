package session

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// The stream of the server's own is heard from when it was asked for, also without a head. One that
// ended is heard again from its next head on.
func TestSinceWhenTheServersOwnStreamIsHeard(t *testing.T) {
	requirements.Rows(t, "HTL-25", "HTL-27", "HTL-30")
	open := func(config func(*Config)) (*webRig, ExchangeID) {
		w := newWebRig(t, func(c *Config) {
			c.Pin = mcp.Rev20251125
			config(c)
		})
		x := w.post("initialize").X
		w.opened(x, Head{Status: 200, Media: mediaJSON})
		w.recvOn(x, "%s", agreement(w.opening().Latest, mcp.Rev20251125, `{"tools":{}}`))
		if gets := w.gets(); len(gets) > 0 {
			return w, gets[0].X
		}
		return w, ExchangeID{}
	}
	want := func(w *webRig, what string, want OwnStream) {
		t.Helper()
		if got := w.s.Status().OwnStream; got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	plain := func(*Config) {}

	w, get := open(plain)
	asked := w.now
	want(w, "asked for", OwnStream{Since: asked})
	w.later(3 * time.Second)
	want(w, "without a head", OwnStream{Since: asked})
	w.stream(get)
	want(w, "open", OwnStream{Since: asked})
	w.ended(get, End{})
	want(w, "ended", OwnStream{})
	w.later(5 * time.Second)
	want(w, "asked for again, without a head", OwnStream{})
	again := w.gets()[1].X
	w.stream(again)
	want(w, "open again", OwnStream{Since: w.now})

	for status, of := range map[int]OwnStream{405: {None: true}, 404: {None: true}, 503: {}, 429: {}} {
		w, get := open(plain)
		w.opened(get, Head{Status: status})
		want(w, statusWords(Head{Status: status}, End{}), of)
	}
	w, get = open(func(c *Config) { c.Login = true })
	w.opened(get, Head{Status: 401, Challenge: []string{"Bearer"}})
	want(w, "it wants a login", OwnStream{})

	w, _ = open(func(c *Config) { c.NoListen = true })
	want(w, "not wanted", OwnStream{Unwanted: true})
	want(readyWeb(t, mcp.Rev20260728), "2026-07-28", OwnStream{None: true})
}
