package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// However long a server's instructions are, and in one line or in many, they leave the
// first pane room for the keys, and the pane says how much of them is elsewhere.
func TestLongInstructionsLeaveRoomInTheFirstPane(t *testing.T) {
	for name, tt := range map[string]struct{ text, says, end string }{
		"a line of 100,000 characters": {strings.Repeat("x", 100_000), "kB more in the server info", "xxxxx"},
		"a line of many words":         {strings.Repeat("word ", 20_000), "kB more in the server info", "word word"},
		"wide characters":              {strings.Repeat("字", 30_000), "kB more in the server info", "字字"},
		"many lines":                   {strings.Repeat(`one line\n`, 5000), "kB more in the server info", "one line"},
		"empty lines":                  {strings.Repeat(`\n`, 3000) + "end", "kB more in the server info", "end"},
		"a long line behind a short":   {`be kind\n` + strings.Repeat("y", 30_000), "kB more in the server info", "yyyyy"},
		"just too long":                {strings.Repeat("word ", 600), "more in the server info", "word word"},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 140, 56, Options{}, func(w *harness) {
				w.handshakeWith(fmt.Sprintf(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1"},"capabilities":{"tools":{},"prompts":{},"resources":{}},"instructions":"%s"}`, tt.text))
				w.wait(time.Second)
				w.sees("in the server's words", tt.says, "the selected request now", "all keys and commands")
				w.press("i")
				w.sees("instructions, in the server's words", "more: all of them are at the end of this page", "capabilities")
				w.press("G")
				w.sees(tt.end)
				w.seesNot("capabilities")
			})
		})
	}
	run(t, 140, 56, Options{}, func(w *harness) {
		w.handshakeWith(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1"},"capabilities":{"tools":{},"prompts":{},"resources":{}},"instructions":"be kind\nand patient…"}`)
		w.wait(time.Second)
		w.sees("be kind", "and patient…", "the selected request now")
		w.seesNot("more in the server info")
	})
}

// On a low screen the server's words stand below their heading still.
func TestTheServersWordsStandBelowTheirHeading(t *testing.T) {
	for h := 15; h <= 24; h++ {
		connected(t, 60, h, Options{}, func(w *harness) {
			w.wait(time.Second)
			w.sees("in the server's words", "Be kind to it.")
		})
	}
}

// The keys come before the empty row at the top, and over HTTP the IDs are explained.
func TestTheWelcomeOverHTTPHasItsKeys(t *testing.T) {
	cfg := session.Config{Pin: mcp.Rev20260728, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 4711}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("server/discover"), `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",`+
			`"instructions":"Be kind\nand patient.","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		w.sees("2 Welcome", "IDs begin at random: servers may mix up clients whose IDs are the same", "choose a tool, prompt")
	})
}

// The keys of the welcome take the room there is, and end with the one that leads to all of
// them, however many are left out.
func TestTheWelcomeEndsWithTheKeyForAllKeys(t *testing.T) {
	const words = "Call countdown and press x while it runs: it goes quiet, and the row says how the server took the cancel. " +
		"Then do the same to stubborn, restless and prompt_error, which each take it differently."
	for _, names := range [][]string{nil, {"files", "everything"}, {"everything", "files", "a name with blanks", "git", "time"}} {
		for h := 18; h <= 36; h++ {
			run(t, 80, h, Options{Nearby: func() ([]string, []error) { return names, nil }}, func(w *harness) {
				w.handshakeWith(strings.Replace(initResult, "Be kind to it.", words, 1))
				w.wait(time.Second)
				_, pane, welcomes := strings.Cut(w.screen(), "2 Welcome")
				if !welcomes {
					return // a low screen has the list alone
				}
				lines := strings.Split(pane, "\n")[1:]
				empty := 0
				for _, l := range lines {
					if strings.HasPrefix(l, "╰") {
						break
					}
					if empty++; strings.Trim(l, "│ ") != "" {
						empty = 0
					}
				}
				keys := strings.Contains(pane, "all keys and commands")
				if !keys && (empty >= 2 || strings.Contains(pane, "the selected request")) {
					t.Errorf("%d servers, 80×%d: %d lines are empty, and the keys end without the last:\n%s", len(names), h, empty, w.screen())
				}
			})
		}
	}
}
