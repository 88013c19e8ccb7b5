package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// The server says that head and body differ: they stand side by side.
func TestHeadAndBodyOnScreen(t *testing.T) {
	requirements.Rows(t, "ERR-07")
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		overHTTP(t, size[0], size[1], mirroring, func(w *harness) {
			w.start(w.m.call(session.CallSpec{Method: "resources/read", Params: []byte(`{"uri":"file:///\u001b[2J/日本"}`)}))
			w.settle()
			id := w.last("resources/read")
			x := w.exchange(id)
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 400, Media: "application/json"}})
				s.Receive(now, x, w.dec.Decode([]byte(strings.ReplaceAll(`{"jsonrpc":"2.0","id":ID,"error":{"code":-32020,"message":"Mcp-Name is not the uri"}}`, "ID", w.shown().Wire.String()))))
				s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
			})
			w.wait(100 * time.Millisecond)
			w.press("enter")
			w.sees("the HTTP headers of the request do not say", "Mcp-Method", "  in head  resources/read", `  in body  "resources/read"`)
			w.golden("error-compared-" + name)
		})
	}
}

// What is of the wrong type is shown as it was written: on the wire, in the detail
// and in what it means.
func TestAnErrorOfTheWrongTypes(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":"E1","message":5}}`, w.call("stubborn"))
		w.press("enter")
		w.golden("error-wrong-types")
		w.press("w")
		w.sees(`whose code is no integer: "E1"`, `"E1" 5`)
	})
}

// The data of an error may be anything: as much of it as can be read is shown, with
// its size, and the keys go on working.
func TestErrorsWithMuchData(t *testing.T) {
	requirements.Rows(t, "ERR-21")
	filler := strings.Repeat("x", 5<<20)
	for name, data := range map[string]string{
		"nested": strings.Repeat(`{"a":[`, 100) + `"` + filler + `"` + strings.Repeat(`]}`, 100),
		"beside": `{"deep":` + strings.Repeat(`[`, 200) + strings.Repeat(`]`, 200) + `,"long":"` + filler + `","\u001b[2J":"\u202e"}`,
		"text":   `"` + filler + `"`,
		"small":  `{"\u001b[2J":"\u202e"}`,
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			id := w.call("stubborn")
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"boom","data":`+data+`}}`, id)
			w.press("enter")
			w.sees("implementation-defined error", "boom")
			if name == "small" {
				w.sees(`"\u001b[2J": "\u202e"`)
				w.seesNot("of which the beginning is shown")
			} else {
				w.sees("data · 5.2 MB, of which the beginning is shown")
			}
			look(t, w, 100, 30, name)
			w.press("G", "k", "esc", "k")
			w.sees("tools/call")
			w.press("n", "esc")
		})
	}
}

// A read without contents says that this may mean two things.
func TestEmptyContentsOnScreen(t *testing.T) {
	requirements.Rows(t, "ERR-06")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.start(w.m.call(session.CallSpec{Method: "resources/read", Params: []byte(`{"uri":"demo://readme"}`)}))
		w.settle()
		w.result(w.last("resources/read"), `{"contents":[]}`)
		w.press("enter")
		w.sees("the contents are empty: is the resource missing", `"contents": []`)
	})
}
