package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/form"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// typed is run with a server whose tool "typed" has an outputSchema.
func typed(t *testing.T, w, h int, schema string, f func(w *harness)) {
	t.Helper()
	connected(t, w, h, Options{}, func(x *harness) {
		x.offers(`{"name":"typed","inputSchema":{"type":"object"},"outputSchema":` + schema + `}`)
		f(x)
	})
}

// offers makes the server list these tools from now on.
func (w *harness) offers(tools string) {
	w.t.Helper()
	w.feed(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	w.wait(2 * time.Second)
	w.result(w.last("tools/list"), `{"tools":[`+tools+`]}`)
}

const rowsSchema = `{"type":"object","required":["rows"],"properties":{"rows":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}}`

func TestStructuredContentIsCheckedByItsSchema(t *testing.T) {
	requirements.Rows(t, "SRV-11", "SRV-12")
	typed(t, 120, 40, rowsSchema, func(w *harness) {
		w.result(w.call("typed"), `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"rows":[{"n":1}]}}`)
		w.sees("schema ok · by the tool's outputSchema")
		w.seesNot("2025-11-25 ·")
		w.result(w.call("typed"), `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"rows":[{"n":1},{"n":"2"},{}]}}`)
		w.sees("schema 2 errors", `"rows" > 2 > "n": must be a whole number`, `"rows" > 3 > "n": required`, "2025-11-25 · server/tools")
		w.golden("result-breaks-schema")
		w.result(w.call("typed"), `{"content":[{"type":"text","text":"{}"}]}`)
		w.sees("a result without structuredContent", "2025-11-25 · server/tools")
		w.result(w.call("typed"), `{"content":[{"type":"text","text":"it failed"}],"isError":true}`)
		w.seesNot("2025-11-25 ·", "schema")
		w.press("i")
		w.sees("structuredContent that breaks the outputSchema of its tool")
	})
}

// What is large is read and checked beside the screen, which goes on meanwhile.
func TestALargeStructuredResult(t *testing.T) {
	requirements.Rows(t, "SRV-11")
	typed(t, 120, 40, rowsSchema, func(w *harness) {
		rows := strings.Repeat(`{"n":1},`, 100_000)
		id := w.call("typed")
		w.b.locked(func(s *session.Session, now time.Time) {
			raw := `{"jsonrpc":"2.0","id":` + mcp.IntID(int64(id)).String() + `,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"rows":[` + rows + `{"n":"x"}]}}}`
			s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode([]byte(raw)))
		})
		w.m.dirty = true
		_, cmd := w.m.Update(nil)
		w.sees("schema is being checked", "are being read")
		w.start(cmd)
		w.settle()
		w.sees("structuredContent", "schema ")
		w.seesNot("being checked", "being read")
	})
}

func TestTheShapeOfStructuredContent(t *testing.T) {
	requirements.Rows(t, "SRV-13", "SRV-14")
	const text = `{"content":[{"type":"text","text":"[]"}],"structuredContent":`
	connected(t, 200, 40, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[],"structuredContent":{"n":1}}`)
		w.sees("no text fallback", `"n": 1`)
		for value, shown := range map[string]string{`[1,"two"]`: `"two"`, `null`: "null"} {
			w.result(w.call("echo"), text+value+`}`)
			w.sees("structuredContent that is no object", shown)
		}
	})
	modern(t, 120, 40, func(w *harness) {
		for _, value := range []string{`[1,"two"]`, `null`} {
			w.result(w.call("echo"), text+value+`,"resultType":"complete"}`)
			w.sees("structuredContent")
			w.seesNot("2026-07-28 · ", "no object")
		}
	})
}

// What nobody knows is shown as it is, and what cannot be read is named. Nothing
// is written to disk before the user says so, and then to a name of belay's.
func TestBinaryDataAndUnknownContent(t *testing.T) {
	requirements.Rows(t, "SRV-06", "SRV-25")
	connected(t, 140, 45, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[
			{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},
			{"type":"audio","data":"this is no base64","mimeType":"audio/wav"},
			{"type":"image","data":"AAAA","mimeType":"text/html"},
			{"type":"hologram","depth":3}]}`)
		w.sees("image image/png · 8 B", "audio audio/wav · not base64", `an unknown type of content: "hologram"`, `"depth": 3`,
			"content 2 has data that", `the mimeType "text/html"`, "content 4 is of the", `type "hologram"`)
		w.golden("result-binary")
		if len(w.b.saved) != 0 {
			t.Fatalf("written without being asked: %v", w.b.saved)
		}
		w.press("p", "enter")
		w.sees("saved the image to /tmp/call-6-echo-part-1.png")
		if got := w.b.saved["call-6-echo-part-1.png"]; got != "\x89PNG\r\n\x1a\n" {
			t.Errorf("%q was saved", got)
		}
		w.press("p", "j", "enter")
		w.sees("not saved: the data is not base64")
		w.press("p", "j", "down", "enter")
		w.sees("call-6-echo-part-3.txt")
		if len(w.b.saved) != 2 {
			t.Errorf("saved: %v", w.b.saved)
		}
		w.result(w.call("..%2f"), `{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png; x=../../etc/passwd"}]}`)
		w.press("o")
		if w.b.saved["call-7----2f-result.png"] == "" {
			t.Errorf("saved: %v", w.b.saved)
		}
	})
}

// An image of many megabytes is shown by its kind and size, too.
func TestALargeImage(t *testing.T) {
	requirements.Rows(t, "SRV-25")
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[{"type":"image","mimeType":"image/png","data":"`+strings.Repeat("AAAA", 1<<20)+`"}]}`)
		w.sees("image image/png · 3.1 MB")
		w.press("o")
		if n := len(w.b.saved["call-6-echo-result.png"]); n != 3<<20 {
			t.Errorf("%d bytes were saved", n)
		}
	})
}

// A link is shown and nothing more: the user reads it with a key, from the server
// that named it, listed or not. An address of the web is never opened or fetched.
func TestLinksAreReadByAKeyOnly(t *testing.T) {
	requirements.Rows(t, "SRV-22")
	connected(t, 120, 40, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[{"type":"resource_link","uri":"demo://hidden/7","name":"the seventh","mimeType":"text/plain"},
			{"type":"resource_link","uri":"https://example.com/page","name":"a page"}]}`)
		w.wait(5 * time.Second)
		w.sees(`resource_link text/plain "the seventh"`, "demo://hidden/7", "https://example.com/page", "p lists what can be read or saved: 2")
		if n := w.got("resources/read"); n != 0 || len(w.b.opened) != 0 {
			t.Fatalf("%d reads by itself, opened %v", n, w.b.opened)
		}
		w.press("p")
		w.golden("result-parts")
		w.press("j", "y")
		if w.clip != "https://example.com/page" {
			t.Errorf("copied %q", w.clip)
		}
		w.press("k", "enter")
		if n := w.got(`"method":"resources/read","params":{"uri":"demo://hidden/7"`); n != 1 || w.got("resources/read") != 1 || len(w.b.opened) != 0 {
			t.Errorf("%d reads, opened %v", n, w.b.opened)
		}
		w.result(w.last("resources/read"), `{"contents":[{"uri":"demo://hidden/7","text":"found"}]}`)
		w.sees("┃ found")
		w.press("p")
		w.sees("save  resource demo://hidden/7")
		w.press("esc")
		w.result(w.call("echo"), `{"content":[{"type":"text","text":"plain"}]}`)
		w.press("p")
		w.sees("the result has no link and no data")
	})
}

// Hints of the server's are shown as what they are, also those that cannot be.
func TestAnnotationsOfContent(t *testing.T) {
	requirements.Rows(t, "SRV-24")
	connected(t, 110, 40, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[
			{"type":"text","text":"for people","annotations":{"audience":["user","assistant"],"priority":0.9,"lastModified":"2025-01-12T15:00:58Z"}},
			{"type":"text","text":"very important","annotations":{"priority":7}}]}`)
		w.sees("for user and assistant · priority 0.9", "changed 2025-01-12T15:00:58Z", "priority 7", "content 2 has", "the priority 7, which is not from 0 to 1")
		w.golden("result-annotations")
	})
}

// One read may bring several contents, and they stay in their order.
func TestSeveralContents(t *testing.T) {
	requirements.Rows(t, "SRV-53")
	modern(t, 120, 40, func(w *harness) {
		w.start(w.m.call(session.CallSpec{Method: "resources/read", Params: []byte(`{"uri":"demo://all"}`)}))
		w.m.dirty = true
		w.send(nil)
		w.result(w.last("resources/read"), `{"contents":[{"uri":"demo://1","text":"first"},{"uri":"demo://2","blob":"AAAA","mimeType":"image/png"},{"uri":"demo://3","text":"third"}],
			"resultType":"complete","ttlMs":0,"cacheScope":"private"}`)
		at := -1
		for _, text := range []string{"demo://1", "first", "resource image/png demo://2 · 3 B", "demo://3", "third"} {
			i := strings.Index(w.screen()[at+1:], text)
			if i < 0 {
				t.Fatalf("%q is missing, or not in its place:\n%s", text, w.screen())
			}
			at += i + 1
		}
	})
}

// A schema in a dialect that nobody knows is named, where it is a tool's input and
// where it is its output. The tool can be called with JSON.
func TestADialectThatIsNotSupported(t *testing.T) {
	requirements.Rows(t, "SRV-48")
	const old = `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`
	connected(t, 120, 40, Options{}, func(w *harness) {
		w.offers(`{"name":"old","inputSchema":` + old + `,"outputSchema":` + old + `}`)
		w.press("n")
		w.write("old")
		w.press("enter")
		w.sees("! dialect not supported: draft-04 · ctrl+g takes the arguments as JSON")
		w.press("ctrl+g", "ctrl+end", "ctrl+u")
		w.send(pasted(`{"n":7}`))
		w.press("ctrl+s")
		if w.got(`"arguments":{"n":7}`) != 1 {
			t.Errorf("the server got %q", w.b.wrote)
		}
		w.result(w.last("tools/call"), `{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}`)
		w.sees("schema not checked: dialect not supported:", "draft-04")
		w.seesNot("2025-11-25 ·")
	})
}

func TestTheHelpNamesTheDialects(t *testing.T) {
	requirements.Rows(t, "SRV-49")
	connected(t, 140, 40, Options{}, func(w *harness) {
		w.press("?", "G")
		w.sees("JSON Schema", "Dialects: "+strings.Join(form.Dialects(), ", ")+". A schema that names none is one of "+form.Dialects()[0])
	})
}

// Every text of a result is foreign, also what a check quotes of it and of its
// schema.
func TestHostileResultsStayInTheirPlace(t *testing.T) {
	requirements.Rows(t, "SEC-19", "SEC-21")
	for _, attack := range attacks {
		raw, err := json.Marshal(attack)
		if err != nil {
			t.Fatal(err)
		}
		q := string(raw)
		typed(t, 120, 40, `{"type":"object","required":[`+q+`],"properties":{"n":{"const":`+q+`},"p":{"pattern":`+q+`},"r":{"$ref":`+q+`}}}`, func(w *harness) {
			w.result(w.call("typed"), strings.ReplaceAll(`{"structuredContent":{"n":1,"p":"x","r":1,Q:Q},"content":[
				{"type":Q,"annotations":{"audience":[Q],"priority":Q,"lastModified":Q}},
				{"type":"image","data":Q,"mimeType":Q},
				{"type":"resource_link","uri":Q,"name":Q,"annotations":{"audience":[Q,Q],"priority":Q,"lastModified":Q}},
				{"type":"resource","resource":{"uri":Q,"mimeType":Q,"blob":"AAAA"}}]}`, "Q", q))
			look(t, w, 120, 40, "result of "+q)
			w.press("p")
			look(t, w, 120, 40, "parts of "+q)
			w.press("enter")
			look(t, w, 120, 40, "what came of "+q)
			for name := range w.b.saved {
				if strings.ContainsFunc(name, func(r rune) bool {
					return r != '-' && r != '_' && r != '.' && !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
				}) {
					t.Errorf("saved as %q", name)
				}
			}
		})
	}
}

// An answer that is ignored says how late it was, and one that had begun before the
// cancel is not called late.
func TestALateResultSaysWhenItBegan(t *testing.T) {
	for ago, want := range map[time.Duration]string{0: "came 1.000s after the", 2 * time.Second: "began before the cancel"} {
		connected(t, 140, 30, Options{}, func(w *harness) {
			id := w.call("stubborn")
			w.wait(3 * time.Second)
			w.press("x")
			w.wait(time.Second)
			w.b.locked(func(s *session.Session, now time.Time) {
				f := mcp.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, id))
				if ago > 0 {
					f.Began = now.Add(-ago)
				}
				s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, f)
			})
			w.settle()
			w.press("2", "h")
			w.settle()
			if l := w.line("ignored: this result"); !strings.Contains(l, want) {
				t.Errorf("%q, want %q\n%s", l, want, w.screen())
			}
		})
	}
}
