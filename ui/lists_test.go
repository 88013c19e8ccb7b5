package ui

import (
	"fmt"
	"testing"
	"time"

	"belay/internal/covers"
)

// listed is a connection of 2026-07-28 to a server with these capabilities, up to
// its lists.
func listed(t *testing.T, capabilities string, f func(w *world)) {
	t.Helper()
	runProbing(t, 100, 40, Options{}, 3*time.Second, func(w *world) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`,`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		f(w)
	})
}

const agreeable = `,"resultType":"complete","ttlMs":60000,"cacheScope":"public"}`

// Where the server does not agree to tell of a list, the list says so.
func TestListsWhoseChangesAreNotTold(t *testing.T) {
	covers.Rows(t, "SUB-07")
	listed(t, `{"tools":{"listChanged":true},"prompts":{"listChanged":true}}`, func(w *world) {
		w.result(w.last("tools/list"), `{"tools":[{"name":"countdown","inputSchema":{"type":"object"}}]`+agreeable)
		w.result(w.last("prompts/list"), `{"prompts":[{"name":"review"}]`+agreeable)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"notifications":{"toolsListChanged":true}}}`,
			w.last("subscriptions/listen"))
		w.press("i")
		w.sees("prompts · 1 · 0.0s old, fresh for 59.9s · its changes are not told")
		w.golden("info-not-told")
		w.press("esc")
		w.wait(time.Minute)
		w.press("n", "esc") // its time brings it, as do :reload and nothing else
		if n := w.got(`"prompts/list"`); n != 2 {
			t.Errorf("the prompts were asked for %d times", n)
		}
	})
	run(t, 100, 40, Options{}, func(w *world) {
		w.handshakeWith(`{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1"},"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"listChanged":true}}}`)
		w.press("i")
		w.press("/")
		w.write("prompts ·")
		w.press("enter")
		w.sees("prompts · 1 · its changes are not told, :reload fetches it again")
		w.seesNot("tools · 3 · its")
	})
}

// A list that could not be fetched again is shown, and called stale.
func TestAStaleListOnScreen(t *testing.T) {
	listed(t, `{"tools":{}}`, func(w *world) {
		w.result(w.last("tools/list"), `{"tools":[{"name":"countdown","inputSchema":{"type":"object"}}]`+agreeable)
		w.wait(time.Minute)
		w.press("n")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"the database is away"}}`, w.last("tools/list"))
		w.sees("tools: stale, refused: the database is away (code -32603)", "countdown")
		w.golden("picker-stale")
		w.press("esc", "i", "i")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"the database is away"}}`, w.last("tools/list"))
		w.press("esc", "i")
		w.sees("countdown", fmt.Sprintf("tools · 1, stale: %s old, and it could not be fetched again", "1m00s"))
	})
}
