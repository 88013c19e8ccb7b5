package session

import (
	"fmt"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session/mcp"
)

// An event ID names one place in one stream: one that comes twice in a session is
// told, on whichever streams it does.
func TestEventIDsThatComeTwice(t *testing.T) {
	covers.Rows(t, "HTL-33")
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.stream(get)
	_, out := w.tool("a")
	w.stream(out.X)
	for i := range 50 {
		w.event([]Exchange{get, out.X}[i%2], fmt.Sprintf("s-%d", i), -1)
	}
	w.event(get, "", -1) // which takes an ID back, and is none
	w.event(out.X, "", -1)
	w.wantDiag(mcp.DiagEventRepeat, 0)
	w.event(get, "s-49", -1)
	w.wantDiag(mcp.DiagEventRepeat, 1)
	for i := range keptIDs {
		w.s.Event(w.now, get, Event{ID: ptr(fmt.Sprintf("t-%d", i)), Retry: -1})
	}
	w.event(out.X, "s-49", -1) // forgotten
	w.wantDiag(mcp.DiagEventRepeat, 1)
	if n := len(w.s.web.ids.seen); n != keptIDs {
		t.Errorf("%d are remembered", n)
	}
}

func ptr[T any](v T) *T { return &v }

// A server on the network that answers whoever asks is told of once; one on this
// machine, one on the internet, and one that was given credentials are not.
func TestServersThatWantNoLogin(t *testing.T) {
	covers.Rows(t, "HTL-51")
	for _, tt := range []struct {
		address     string
		credentials bool
		want        int
	}{
		{"http://192.168.7.20:3000/mcp", false, 1},
		{"http://10.1.2.3/mcp", false, 1},
		{"http://[fd00::7]:80/mcp", false, 1},
		{"http://[::ffff:192.168.7.20]/mcp", false, 1},
		{"http://printer.local/mcp", false, 1},
		{"http://192.168.7.20:3000/mcp", true, 0},
		{"http://127.0.0.1:3000/mcp", false, 0},
		{"http://[::1]:3000/mcp", false, 0},
		{"http://localhost:3000/mcp", false, 0},
		{"https://example.com/mcp", false, 0},
		{"https://9.9.9.9/mcp", false, 0},
	} {
		w := newWebRig(t, func(c *Config) { c.Probe, c.Endpoint = 3*time.Second, tt.address })
		out := w.post("server/discover")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON, Credentials: tt.credentials})
		w.recvOn(out.X, discoverWithTools, mcp.Decode(out.Data).ID)
		w.ended(out.X, End{})
		out = w.post("tools/list")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON, Credentials: tt.credentials})
		if n := w.diags(mcp.DiagNoLogin); n != tt.want {
			t.Errorf("%s, credentials %v: told %d times", tt.address, tt.credentials, n)
		}
	}
	w := newWebRig(t, func(c *Config) { c.Probe, c.Endpoint = 3*time.Second, "http://192.168.7.20:3000/mcp" })
	w.opened(w.post("server/discover").X, Head{Status: 401})
	if n := w.diags(mcp.DiagNoLogin); n != 0 {
		t.Error("one that wants a login is told of")
	}
}

func (w *webRig) diags(code mcp.DiagCode) (n int) {
	for _, d := range w.s.Diagnostics() {
		if d.Code == code {
			n += d.Count
		}
	}
	return n
}

// Messages that come late and all at once look held back by a proxy, unless the
// server has told proxies not to.
func TestMessagesThatAreHeldBack(t *testing.T) {
	covers.Rows(t, "HTM-11")
	for _, tt := range []struct {
		name       string
		unbuffered bool
		wait, step time.Duration
		want       int
	}{
		{"late and at once", false, 2 * time.Second, 0, 1},
		{"that may not be held back", true, 2 * time.Second, 0, 0},
		{"at once, and soon", false, 10 * time.Millisecond, 0, 0},
		{"late, but one by one", false, 2 * time.Second, 100 * time.Millisecond, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := modernWeb(t)
			id, out := w.tool("a")
			w.later(tt.wait)
			w.opened(out.X, Head{Status: 200, Media: mediaStream, Unbuffered: tt.unbuffered})
			for i := range 20 {
				w.recvOn(out.X, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`, w.row(id).Wire, i+1)
				w.later(tt.step)
			}
			w.wantDiag(mcp.DiagBuffered, tt.want)
		})
	}
}

// A stream of the server's that wants a login is no broken rule: it is opened
// after the login.
func TestTheServersStreamWantsALogin(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.Login = true })
	get := w.gets()[0].X
	w.opened(get, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.ended(get, End{})
	w.later(time.Hour)
	w.wantDiag(mcp.DiagListenStatus, 0)
	if n := len(w.gets()); n != 1 || len(w.events("wants a login (HTTP 401)")) != 1 {
		t.Errorf("%d GETs, %v", n, w.events("login"))
	}
	_, out := w.tool("a")
	w.refuse(out.X, Head{Status: 401, Challenge: []string{"Bearer"}})
	w.s.LoggedIn(w.now, w.login().Seq, "")
	w.pump()
	if n := len(w.gets()); n != 2 {
		t.Fatalf("%d GETs after the login", n)
	}
	w.stream(w.gets()[1].X)
	if len(w.events("the server's own stream is open")) != 1 {
		t.Errorf("%v", w.events("stream"))
	}
}
