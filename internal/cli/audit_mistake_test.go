package cli

import (
	"strings"
	"testing"

	"belay/mcpclient"
)

// Wrong cancels go over HTTP to the addresses that the words name, and to others only where the user
// says that nobody else uses the server.
func TestWhereAnAuditSendsWrongCancels(t *testing.T) {
	for endpoint, sent := range map[string]bool{
		"": true, "http://localhost:1/mcp": true, "http://127.0.0.1:1": true, "http://127.9.0.1:1": true, "http://[::1]:1": true,
		"http://192.168.0.7:1": false, "https://example.org/mcp": false, "http://localhost.example.org": false,
	} {
		a, err := auditBy(t)
		if err != nil {
			t.Fatal(err)
		}
		server := target{http: mcpclient.HTTPOptions{Endpoint: endpoint}}
		why := a.whyNoMistakes(server)
		if sent != (why == "") || !sent && !strings.Contains(why, "but at localhost, 127.0.0.1 and ::1") {
			t.Errorf("%s: %q", endpoint, why)
		}
		if a.ownServer = true; a.whyNoMistakes(server) != "" {
			t.Errorf("%s: not sent to a server of the user's own", endpoint)
		}
	}
}
