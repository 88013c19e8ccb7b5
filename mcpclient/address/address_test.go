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
