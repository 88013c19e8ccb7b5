package address

import (
	"strings"
	"testing"
)

func TestNothingThatMayBeSecretIsShown(t *testing.T) {
	for in, want := range map[string]string{
		"https://h/mcp":                              "https://h/mcp",
		"http://127.0.0.1:9731/mcp?k=SECRET":         "http://127.0.0.1:9731/mcp?…",
		"http://usr:SECRET@127.0.0.1:9731/mcp?k=v":   "http://127.0.0.1:9731/mcp?…",
		"https://SECRET@h/@scope/a@b":                "https://h/@scope/a@b",
		"https://h/mcp#SECRET":                       "https://h/mcp",
		"https://h?SECRET":                           "https://h?…",
		"https://h#SECRET?SECRET":                    "https://h",
		"https://u:SECRET@[::1]:80/mcp":              "https://[::1]:80/mcp",
		"https://u:SECRET/SECRET@h:80/mcp":           "https://h:80/mcp",
		"https://u:a?SECRET@h/mcp":                   "https://h/mcp",
		"https://u:a#SECRET@h/mcp?SECRET":            "https://h/mcp?…",
		"https://u:SECRET@SECRET@h":                  "https://h",
		"https://u:SEC%zzRET@h/":                     "https://h/",
		"u:SECRET@h/mcp":                             "h/mcp",
		"h/mcp":                                      "h/mcp",
		"${BASE}":                                    "${BASE}",
		"${BASE}/mcp":                                "${BASE}/mcp",
		"https://${HOST:-h}:${PORT}/${A}?k=${KEY}":   "https://${HOST:-h}:${PORT}/${A}?…",
		"https://${USER}:${PASS}@${HOST}/mcp":        "https://${HOST}/mcp",
		"https://${USER}:${PASS:-SECRET}@${HOST}:80": "https://${HOST}:80",
		"": "",
	} {
		got := Shown(in)
		if got != want || strings.Contains(got, "SECRET") {
			t.Errorf("%s is shown as %s, want %s", in, got, want)
		}
	}
}

// Only what stays on this machine, or goes by TLS, cannot be read on its way.
func TestWhoCanReadWhatIsSent(t *testing.T) {
	for address, want := range map[string]bool{
		"https://example.com/mcp": false, "HTTPS://10.0.0.1": false, "http://localhost:8080/mcp": false, "http://LOCALHOST": false, "http://127.0.0.1/": false,
		"http://127.9.9.9:1": false, "http://[::1]:8080/mcp": false, "http://[::ffff:127.0.0.1]/": false, "http://user:pw@localhost/": false,
		"http://example.com/mcp": true, "HTTP://example.com": true, "http://192.168.1.5:8080/mcp": true, "http://10.0.0.1": true, "http://mcp:8080": true,
		"http://localhost.example.com": true, "http://127.0.0.1.example.com": true, "http://localhost@example.com/": true, "http://[fd00::1]/": true, "http://0.0.0.0:80": true,
		"": false, "command": false, "://": false,
	} {
		if got := IsReadable(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
