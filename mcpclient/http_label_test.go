//go:build unix

package mcpclient

import (
	"net/url"
	"testing"

	dictated "belay/internal/peer"
	"belay/session"
)

// An address that is shown by the names of its variables is still the one that
// the endpoint of the older transport is resolved against.
func TestALabelledAddressOfTheOlderTransport(t *testing.T) {
	peer := dictated.New(t).HTTPSSE()
	refuse := func(x *dictated.Exchange) { x.Answer(405, "", "") }
	peer.On("server/discover", refuse)
	peer.On("initialize", func(x *dictated.Exchange) {
		if x.Path == "/sse" {
			refuse(x)
			return
		}
		x.Accepted()
		x.Result(`{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"p","version":"1"}}`)
	})
	c := dial(t, peer.At("/sse"), "", func(o *Options) { o.HTTP.Label = "http://${HOST}/sse" })
	await(t, c, "the connection to be ready", func(s *session.Session) bool { return s.Status().Phase == session.Ready })
	var cfg session.Config
	c.View(func(s *session.Session) { cfg = s.Config() })
	u, err := url.Parse(peer.URL())
	if err != nil || cfg.Endpoint != "http://${HOST}/sse" || cfg.Origin != session.OriginOf(u) {
		t.Errorf("%q, %q", cfg.Endpoint, cfg.Origin)
	}
}
