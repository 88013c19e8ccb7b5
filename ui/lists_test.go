package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
)

// listed is a connection of 2026-07-28 to a server with these capabilities, up to
// its lists.
func listed(t *testing.T, capabilities string, f func(w *harness)) {
	t.Helper()
	runProbing(t, 100, 40, Options{}, 3*time.Second, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":`+capabilities+`,`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		f(w)
	})
}

const agreeable = `,"resultType":"complete","ttlMs":60000,"cacheScope":"public"}`

// A list that could not be fetched again is shown, and called stale.
func TestAStaleListOnScreen(t *testing.T) {
	requirements.Rows(t, "SRV-44")
	listed(t, `{"tools":{}}`, func(w *harness) {
		w.result(w.last("tools/list"), `{"tools":[{"name":"countdown","inputSchema":{"type":"object"}}]`+agreeable)
		w.wait(time.Minute)
		w.press("n")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"the database is away"}}`, w.last("tools/list"))
		w.sees("tools: stale, refused: error -32603: \"the database is away\"", "countdown")
		w.golden("picker-stale")
		w.press("esc", "i", "i")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"the database is away"}}`, w.last("tools/list"))
		w.press("esc", "i")
		w.sees("countdown", fmt.Sprintf("tools · 1, stale: %s old, and it could not be fetched again", "1m00s"))
	})
}

// The tools of the pages that came can be called while the next page does not
// come, and nobody is told that there is no other.
func TestAPageThatNeverComesOnScreen(t *testing.T) {
	const more = `,"nextCursor":"2"` + agreeable
	listed(t, `{"tools":{}}`, func(w *harness) {
		w.press("n")
		w.write("up")
		w.sees("nothing that came has that name · the lists are being fetched…")
		w.result(w.last("tools/list"), `{"tools":[{"name":"countdown","inputSchema":{"type":"object"}}]`+more)
		w.wait(time.Second)
		w.sees("nothing that came has that name · tools: 1 came, the rest is being fetched…")
		w.press("enter")
		w.sees("nothing that came has that name")
		w.seesNot("nothing has that name")
		w.press("esc", "n")
		w.sees("tools: 1 came, the rest is being fetched…", "countdown")
		w.write("countd")
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"tools/call","params":{"name":"countdown"`)
		w.press("i")
		w.sees("tools · 1 came, the rest is being fetched…", "countdown")
		w.press("esc", "n")
		w.write("up")
		w.result(w.last("tools/list"), `{"tools":[{"name":"upload","inputSchema":{"type":"object"}}]`+agreeable)
		w.wait(time.Second)
		w.sees("upload")
		w.seesNot("is being fetched")
		w.write("x")
		w.sees("nothing has that name · :send takes any method")
	})
}

// A name that is not on a list that broke may be on what is missing of it.
func TestANameThatABrokenListLacks(t *testing.T) {
	listed(t, `{"tools":{}}`, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"the database is away"}}`, w.last("tools/list"))
		w.press("n")
		w.write("up")
		w.sees("nothing that came has that name · tools: refused: error -32603: \"the database is away\"")
	})
}

// A list that comes while somebody chooses leaves the choice where it is.
func TestAChoiceStaysWhenTheListIsFetchedAgain(t *testing.T) {
	tools := func(names ...string) string {
		var all []string
		for _, n := range names {
			all = append(all, `{"name":"`+n+`","inputSchema":{"type":"object"}}`)
		}
		return `{"tools":[` + strings.Join(all, ",") + `]` + agreeable
	}
	listed(t, `{"tools":{}}`, func(w *harness) {
		w.result(w.last("tools/list"), tools("delete", "list", "read"))
		w.wait(time.Minute)
		w.press("n", "down", "down")
		w.result(w.last("tools/list"), tools("add", "read", "delete", "list"))
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"tools/call","params":{"name":"read"`)
		w.press("n", "down")
		w.wait(time.Minute)
		w.press("esc", "n", "down", "down")
		w.result(w.last("tools/list"), tools("add", "read")) // what was chosen is gone: the top is
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"tools/call","params":{"name":"add"`)
	})
}

// A list that is still being fetched is fetched anew afterwards: that is said, with
// what is waited for.
func TestReloadWhileAListIsFetched(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.command("reload tools")
		w.sees("fetching the lists again")
		hung := w.last("tools/list")
		w.command("reload tools")
		w.sees(fmt.Sprintf("still being fetched: tools (#%d) · anew when that ends; x on its row ends it", hung))
		w.result(hung, toolList)
		w.wait(2 * time.Second)
		if next := w.last("tools/list"); next == hung {
			t.Error("it was not fetched anew")
		}
	})
}
