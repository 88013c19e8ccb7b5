//go:build unix

package mcpclient

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	dictated "belay/internal/peer"
	"belay/session"
)

// An address that is shown by the names of its variables is still the one that
// the endpoint of the older transport is resolved against.
func TestALabelledAddressOfTheOlderTransport(t *testing.T) {
	peer := dictated.New(t).HTTPSSE()
	refuse := func(x *dictated.Exchange) { x.Answer(405, "", "") }
	account := make(chan string, 1)
	peer.On("server/discover", refuse)
	peer.On("initialize", func(x *dictated.Exchange) {
		if x.Path == "/sse" {
			refuse(x)
			return
		}
		account <- x.Header.Get("Authorization")
		x.Accepted()
		x.Result(`{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"p","version":"1"}}`)
	})
	var recording memory
	c := dial(t, strings.Replace(peer.At("/sse"), "://", "://usr:s3cr3t@", 1), "", func(o *Options) {
		o.HTTP.Label, o.Record = "http://${HOST}/sse", &recording
	})
	await(t, c, "the connection to be ready", func(s *session.Session) bool { return s.Status().Phase == session.Ready })
	var cfg session.Config
	c.View(func(s *session.Session) { cfg = s.Config() })
	u, err := url.Parse(peer.URL())
	if err != nil || cfg.Endpoint != "http://${HOST}/sse" || cfg.Origin != session.OriginOf(u) {
		t.Errorf("%q, %q", cfg.Endpoint, cfg.Origin)
	}
	if got := <-account; got != "Basic dXNyOnMzY3IzdA==" {
		t.Errorf("the account reached the endpoint as %q", got)
	}
	closeIt(t, c)
	if got := recording.Bytes(); bytes.Contains(got, []byte("s3cr3t")) || !bytes.Contains(got, []byte(`"endpoint"`)) {
		t.Errorf("recorded: %s", got)
	}
}
