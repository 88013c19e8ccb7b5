package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestHowARequestBreaks(t *testing.T) {
	requirements.Rows(t, "HTL-11", "HTL-18")
	for _, tt := range []struct {
		name string
		head *Head
		end  End
		want State
		note string
	}{
		{"no connection", nil, End{Err: "connection refused"}, Lost, "connection refused"},
		{"503", &Head{Status: 503}, End{Body: "come back later"}, Failed, `HTTP 503 Service Unavailable: "come back later"`},
		{"429", &Head{Status: 429, Media: "text/plain"}, End{}, Failed, "HTTP 429 Too Many Requests"},
		{"html", &Head{Status: 200, Media: "text/html"}, End{Body: "<h1>"}, Failed, `text/html instead of JSON or a stream of events: "<h1>"`},
		{"no type", &Head{Status: 200}, End{}, Failed, "without a content type"},
		{"202", &Head{Status: 202}, End{}, Failed, "HTTP 202"},
		{"empty stream", &Head{Status: 200, Media: mediaStream}, End{}, Failed, "the stream ended without a response"},
		{"broken stream", &Head{Status: 200, Media: mediaStream}, End{Err: "reset"}, Lost, "broke before the answer: reset"},
		{"empty JSON", &Head{Status: 200, Media: mediaJSON}, End{}, Failed, "the answer is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			if tt.head != nil {
				w.opened(out.X, *tt.head)
			}
			w.ended(out.X, tt.end)
			w.want(id, tt.want, cancel.NoVerdict)
			if !strings.Contains(w.note(id), tt.note) {
				t.Errorf("note: %q", w.note(id))
			}
		})
	}
	w := readyWeb(t, mcp.Rev20251125)
	w.hold = true
	id, out := w.tool("slow")
	w.ended(out.X, End{Err: "connection refused", Hint: "is it running?"})
	w.want(id, Failed, cancel.NoVerdict)
	if got := w.note(id); got != "it could not be sent to http://peer.test/mcp: connection refused · is it running?" {
		t.Errorf("note: %q", got)
	}
}

func TestAnErrorWithAStatus(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.opened(out.X, Head{Status: 400, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad request"}}`)
	w.ended(out.X, End{})
	w.want(id, Failed, cancel.NoVerdict)
	d, _ := w.s.Detail(id)
	if d.Err == nil || d.Err.Code != -32600 {
		t.Errorf("error: %+v", d.Err)
	}
}

// A body that is no message, or one for somebody else, is called that.
func TestBodiesThatAnswerNothing(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"resu`:                      `is no JSON-RPC message: "{\"jsonrpc\"`,
		"\xff\xfe{\x00":                                      "is no JSON-RPC message",
		`{"jsonrpc":"2.0","method":"notifications/message"}`: "no response to this request",
	} {
		w := readyWeb(t, mcp.Rev20251125)
		id, out := w.tool("slow")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(out.X, "%s", body)
		w.ended(out.X, End{})
		w.want(id, Failed, cancel.NoVerdict)
		if !strings.Contains(w.note(id), want) {
			t.Errorf("%q: %q", body, w.note(id))
		}
	}
}

func TestOneExchangeEndsAlone(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	a, outA := w.tool("a")
	b, outB := w.tool("b")
	w.stream(outA.X)
	w.stream(outB.X)
	w.ended(outA.X, End{Err: "connection reset"})
	w.want(a, Lost, cancel.NoVerdict)
	w.want(b, Running, cancel.NoVerdict)
	if w.aborted(outB.X) {
		t.Error("the other exchange was closed")
	}
	w.recvOn(outB.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(b).Wire)
	w.want(b, Done, cancel.NoVerdict)
}
