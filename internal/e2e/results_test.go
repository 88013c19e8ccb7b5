//go:build unix

package e2e

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	web "belay/internal/peer"
	"belay/internal/requirements"
	"belay/internal/termtest"
)

// A resource whose address is one of the web is asked of the server and of nobody
// else, whether it is listed or linked.
func TestAddressesOfTheWebAreNotFetched(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SRV-22", "SRV-23")
	var hits atomic.Int32 // connections: whoever asks need not trust the certificate
	site := httptest.NewUnstartedServer(http.NotFoundHandler())
	site.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			hits.Add(1)
		}
	}
	site.StartTLS()
	defer site.Close()
	page := site.URL + "/page"
	peer := web.New(t).Handshake("2025-11-25", `{"name":"links","inputSchema":{"type":"object"}}`)
	peer.On("initialize", func(x *web.Exchange) {
		x.JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	})
	peer.On("resources/list", func(x *web.Exchange) {
		x.JSONResult(`{"resources":[{"name":"frontpage","uri":"` + page + `","mimeType":"text/html"}]}`)
	})
	peer.On("resources/templates/list", func(x *web.Exchange) { x.JSONResult(`{"resourceTemplates":[]}`) })
	reads := func(text string) {
		peer.On("resources/read", func(x *web.Exchange) {
			x.JSONResult(`{"contents":[{"uri":"` + page + `","text":"` + text + `"}]}`)
		})
	}
	reads("by its link")
	peer.On("tools/call", func(x *web.Exchange) {
		x.JSONResult(`{"content":[{"type":"resource_link","uri":"` + page + `","name":"frontpage"}]}`)
	})
	s := reached(t, peer.URL(), "--protocol", "2025-11-25")
	s.See("http · 2025-11-25").call("links").See("resource_link", "p lists what can be read or saved")
	if n := len(peer.Requests("resources/read")); n != 0 {
		t.Fatalf("%d reads that nobody asked for", n)
	}
	s.Press("p").See("Parts of the result").Press("enter").See("by its link")
	reads("by its name")
	s.Press("n").Type("frontpage").Press("enter").See("by its name")
	s.Press("q").Exit(0)
	if n := len(peer.Requests("resources/read")); n != 2 {
		t.Errorf("the server was asked %d times", n)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the address was fetched %d times", n)
	}
}

// Search in a result finds what lies many megabytes behind what the pane holds, while the
// keys go on working.
func TestASearchFindsTheEndOfALongResult(t *testing.T) {
	t.Parallel()
	peer := web.New(t).Handshake("2025-11-25", `{"name":"haystack","inputSchema":{"type":"object"}}`)
	size := 7 << 20
	if raceEnabled { // the plain run looks through all of it
		size /= 4
	}
	hay := strings.Repeat(`a line of hay, and of nothing else\n`, size/36)
	peer.On("tools/call", func(x *web.Exchange) {
		x.JSONResult(`{"content":[{"type":"text","text":"` + hay + `the first needle\n` + hay + `the other needle"}]}`)
	})
	s := reached(t, peer.URL(), "--protocol", "2025-11-25")
	s.See("http · 2025-11-25").call("haystack").See("a line of hay")
	s.Press("2", "/").Type("needle").Until("a search under way", func(termtest.Screen) bool { // a slow terminal draws its end at once
		return bytes.Contains(s.RawOutput(), []byte("searching"))
	})
	s.Press("esc").See("/ search") // at once, whatever is under way
	s.Press("/").Type("needle").Press("enter").See("the first needle", "1 of 2 lines")
	s.Press("enter").See("the other needle", "2 of 2 lines")
	s.Press("N").See("the first needle")
	s.Press("g").See("lines above: esc goes back")
	s.Press("esc", "q").Exit(0)
}
