//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two peers that answer initialize, and not server/discover. One never does; the other one does
// when its tools are listed, which it lists only where it is begun again with server/discover.
func init() {
	conducts["undiscovered"] = func(p *peer, in *bufio.Reader) {
		p.answer(in, func(m message) {
			if m.Method != "server/discover" {
				p.usual(m)
			}
		})
	}
	conducts["discovered-late"] = func(p *peer, in *bufio.Reader) {
		again := p.log.Name() + ".again"
		if _, err := os.Stat(again); err == nil {
			p.modern = true
			p.serve(in, nil)
			return
		}
		_ = os.WriteFile(again, nil, 0o600)
		var probe message
		p.answer(in, func(m message) {
			switch m.Method {
			case "server/discover":
				probe = m
			case "tools/list":
				p.modern = true
				p.usual(probe)
			default:
				p.usual(m)
			}
		})
	}
}

// A server that ends when its tools are listed was lost before the call.
func init() {
	conducts["lists-and-dies"] = func(p *peer, in *bufio.Reader) {
		p.serveUntil(in, func(m message) bool {
			if m.Method == "tools/list" {
				p.usual(m)
			}
			return m.Method == "tools/list"
		})
	}
}

func TestAServerThatIsLostBeforeTheCall(t *testing.T) {
	t.Parallel()
	got := without(t, "call", "slow", "--protocol", "2025-11-25", "--cancel-after", "1s", "--", os.Args[0], "peer", "lists-and-dies", filepath.Join(t.TempDir(), "log"))
	if got.code != 3 || !strings.Contains(got.errOut, "the server") {
		t.Errorf("%d\n%s", got.code, got.errOut)
	}
}

// answer has a function answer each message.
func (p *peer) answer(in *bufio.Reader, answer func(message)) {
	for {
		m, ok := p.next(in)
		if !ok {
			return
		}
		answer(m)
	}
}

// A server that answers server/discover only after the handshake: what was listed before that is
// told to be of an older revision, perhaps; what is listed after it is of the newer one, in which
// belay begins with the server once more.
func TestServersThatAreDiscoveredLate(t *testing.T) {
	const note = "--protocol 2026-07-28 waits for that answer, --protocol 2025-11-25 does not ask for it"
	for conduct, revision := range map[string]string{"undiscovered": "2025-11-25", "discovered-late": "2026-07-28"} {
		t.Run(conduct, func(t *testing.T) {
			t.Parallel()
			got := without(t, "ls", "-o", "json", "tools", "--", os.Args[0], "peer", conduct, filepath.Join(t.TempDir(), "log"))
			var doc struct {
				Server struct{ Revision string }
				Tools  []json.RawMessage
			}
			if err := json.Unmarshal([]byte(got.out), &doc); err != nil || got.code != 0 || doc.Server.Revision != revision || len(doc.Tools) != 3 ||
				strings.Contains(got.errOut, note) != (conduct == "undiscovered") {
				t.Errorf("%d, %v\n%s\n%s", got.code, err, got.out, got.errOut)
			}
		})
	}
}
