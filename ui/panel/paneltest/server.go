package paneltest

import (
	"encoding/json"
	"strings"
	"time"

	"belay/session"
)

// Hostile is a text that tries to leave its place: it ends its line, moves the cursor,
// turns the direction of writing around, and is longer than any screen is wide.
var Hostile = "\x1b[2J\x1b[1;1Hbelay: ok\r\n\x00\u202edrow\u202c\u200b" + strings.Repeat("あ\t", 300)

// Initialized is the result of initialize of a server that can do everything.
const Initialized = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1.2.0"},` +
	`"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{}}}`

// Connect answers the handshake, and then the lists: tools, prompts, resources and
// templates, in this order. Of a list that is not given there is nothing.
func (h *Host) Connect(initialized string, lists ...string) {
	h.T.Helper()
	h.Answer("initialize", initialized)
	for i, l := range [][2]string{
		{"tools/list", `{"tools":[]}`},
		{"prompts/list", `{"prompts":[]}`},
		{"resources/list", `{"resources":[]}`},
		{"resources/templates/list", `{"resourceTemplates":[]}`},
	} {
		if h.Got(`"`+l[0]+`"`) == 0 {
			continue
		}
		if i < len(lists) {
			l[1] = lists[i]
		}
		h.Answer(l[0], l[1])
	}
	h.line.Clear()
}

// Answer answers the last request of a method with a result.
func (h *Host) Answer(method, result string) {
	h.T.Helper()
	h.Feed(`{"jsonrpc":"2.0","id":%s,"result":%s}`, h.Last(method), strings.ReplaceAll(result, "\n", ""))
}

// Fail answers the last request of a method with an error.
func (h *Host) Fail(method string, code int, message string) {
	h.T.Helper()
	h.Feed(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, h.Last(method), code, JSON(message))
}

// Last is the ID of the last request of a method that the server got, as JSON.
func (h *Host) Last(method string) string {
	h.T.Helper()
	for i := len(h.Wrote) - 1; i >= 0; i-- {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal([]byte(h.Wrote[i]), &m) == nil && m.Method == method {
			return string(m.ID)
		}
	}
	h.T.Fatalf("the server never got %s; it got\n%s", method, strings.Join(h.Wrote, "\n"))
	return ""
}

// Call makes a call of a tool, and returns its row's ID.
func (h *Host) Call(tool string) session.CallID {
	h.T.Helper()
	reply, err := h.session.Handle(time.Now(), session.StartCall{
		Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + tool + `","arguments":{}}`)},
	})
	if err != nil {
		h.T.Fatal(err)
	}
	h.Settle()
	return reply.Call
}

// Row is a row as it stands now.
func (h *Host) Row(id session.CallID) session.Row {
	h.T.Helper()
	r, ok := h.session.Row(id)
	if !ok {
		h.T.Fatalf("there is no row %v", id)
	}
	return r
}

// Lose ends the connection, as a server that dies does.
func (h *Host) Lose() {
	h.session.Tell(time.Now(), session.Closed{Epoch: h.epoch})
	h.Settle()
}

// JSON is a text as a string of JSON.
func JSON(text string) string {
	raw, _ := json.Marshal(text) // of a string: it cannot fail
	return string(raw)
}
