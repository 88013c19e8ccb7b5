package session

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// A server on the network that answers whoever asks is told of once; one on this
// machine, one on the internet, and one that was given credentials are not.
func TestServersThatWantNoLogin(t *testing.T) {
	requirements.Rows(t, "HTL-51")
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
		w := newWebRig(t, func(c *Config) { c.DiscoverLimit, c.Endpoint = 3*time.Second, tt.address })
		w.agreeWith(Head{Status: 200, Media: mediaJSON, Credentials: tt.credentials}, mcp.Rev20260728, `{"tools":{}}`)
		out := w.post("tools/list")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON, Credentials: tt.credentials})
		if n := w.diag(mcp.DiagNoLogin); n != tt.want {
			t.Errorf("%s, credentials %v: told %d times", tt.address, tt.credentials, n)
		}
	}
	w := newWebRig(t, func(c *Config) { c.DiscoverLimit, c.Endpoint = 3*time.Second, "http://192.168.7.20:3000/mcp" })
	w.opened(w.post("server/discover").X, Head{Status: 401})
	if n := w.diag(mcp.DiagNoLogin); n != 0 {
		t.Error("one that wants a login is told of")
	}
}

// Messages that come late and all at once look held back by a proxy, unless the
// server has told proxies not to.
func TestMessagesThatAreHeldBack(t *testing.T) {
	requirements.Rows(t, "HTM-11")
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
