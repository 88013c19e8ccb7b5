package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"
)

// seeds are messages of all kinds for the fuzzers to start from.
var seeds = []string{
	progressLine, logLine, resultLine,
	`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}}`,
	`{"jsonrpc":"2.0","id":"a","result":{"tools":[{"name":"t","inputSchema":null},5],"prompts":[{"name":"p","arguments":[{}]}],"nextCursor":""}}`,
	`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":2}},{"type":"resource","resource":{}},7],"structuredContent":[]}}`,
	`{"jsonrpc":"2.0","id":3,"result":{"messages":[{"role":"user","content":{"type":"text"}}],"contents":[{"uri":"a:b","blob":"\u0041A=="}]}}`,
	`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5,"reason":"\ud800"}}`,
	`{"jsonrpc":"2.0","id":null,"error":{"code":"E1","data":[]}}`,
	`{"id":1,"id":2e9,"m\u0065thod":"a\/b","params":"x"}`,
	`[{"jsonrpc":"2.0","id":0,"method":"ping"},[],1]`,
	`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`,
	`{"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}`,
	`{"jsonrpc":"2.0","id":5,"error":{"code":-32042,"message":"visit","data":{"elicitations":[{"mode":"url","message":"m","url":"https://a.b","elicitationId":"e1"}]}}}`,
	`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}`,
	`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`,
	"\xef\xbb\xbf{\"result\":{},\"id\":\"\xff\"} ",
	`{"a":[{},"\\\"}"`, `  "id": 1,`, `{`, `[INFO] x`, ``, `{"a":1} {}`,
}

// FuzzDecode holds Decode against encoding/json, and checks what its callers
// rely on: it never panics, leaves the bytes alone, points only into them, and
// a decoder that has seen other messages decodes as a new one does.
func FuzzDecode(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), []byte(seeds[len(s)%len(seeds)]))
	}
	f.Fuzz(func(t *testing.T, raw, other []byte) {
		before := bytes.Clone(raw)
		fresh := Decode(raw)
		if !bytes.Equal(raw, before) {
			t.Fatal("the bytes were changed")
		}
		checkInside(t, raw, fresh)
		ParseResult(fresh.Result)
		used := NewDecoder()
		used.Decode(other)
		if got, want := dump(used.Decode(raw)), dump(fresh); got != want {
			t.Fatalf("after another message:\n%s\nby itself:\n%s", got, want)
		}
		begun := slices.Concat(raw[:len(raw)-min(len(other), len(raw))], other)
		used.Decode(begun)
		if got, want := dump(used.Decode(raw)), dump(fresh); got != want {
			t.Fatalf("after one that begins alike:\n%s\nby itself:\n%s", got, want)
		}
		checkInside(t, raw, used.Decode(raw))
		if got, want := dump(used.Decode(begun)), dump(Decode(begun)); got != want {
			t.Fatalf("after one that begins alike:\n%s\nby itself:\n%s", got, want)
		}

		body := bytes.TrimPrefix(raw, byteOrderMark)
		readable := !slices.ContainsFunc(codes(fresh), func(c DiagCode) bool {
			return c == DiagNotJSON || c == DiagMultiline || c == DiagTooDeep
		})
		if readable != json.Valid(body) {
			t.Fatalf("problems %v, but encoding/json says %v", fresh.Problems, json.Valid(body))
		}
		if slices.Contains(codes(fresh), DiagInvalidUTF8) != (readable && !utf8.Valid(body)) {
			t.Fatalf("problems %v", fresh.Problems)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(body, &members) != nil || members == nil {
			return
		}
		if fresh.Kind == FrameResult && !bytes.Equal(fresh.Result, members["result"]) {
			t.Fatalf("result %s, want %s", fresh.Result, members["result"])
		}
		if fresh.Method != "" && !bytes.Equal(fresh.Params, members["params"]) {
			t.Fatalf("params %s, want %s", fresh.Params, members["params"])
		}
		if fresh.IDRaw != nil && !bytes.Equal(fresh.IDRaw, members["id"]) {
			t.Fatalf("id %s, want %s", fresh.IDRaw, members["id"])
		}
		if answered := fresh.Kind == FrameResult || fresh.Kind == FrameMalformed; answered && fresh.ID.IsZero() {
			t.Fatal("an answer without an ID")
		}
	})
}

// checkInside fails unless every slice of the frame that shares bytes with the
// message lies within it, with no room to append into what follows.
func checkInside(t *testing.T, raw []byte, f *Frame) {
	t.Helper()
	parts := map[string][]byte{
		"id": f.IDRaw, "params": f.Params, "result": f.Result, "code": f.Error.CodeRaw, "data": f.Error.Data,
		"message": f.Progress.Message, "log": f.Log.Data,
	}
	if f.Cancelled != nil {
		parts["requestId"] = f.Cancelled.IDRaw
	}
	if f.Needed != nil {
		for i, e := range f.Needed.Elicitations {
			parts[fmt.Sprintf("elicitation %d", i)] = e.Raw
		}
	}
	for name, part := range parts {
		if len(part) == 0 {
			continue
		}
		at := uintptr(unsafe.Pointer(&part[0])) - uintptr(unsafe.Pointer(&raw[0]))
		if at >= uintptr(len(raw)) || at+uintptr(len(part)) > uintptr(len(raw)) {
			if slices.Contains(codes(f), DiagTooDeep) {
				continue // found by a Skim, which copies
			}
			t.Fatalf("%s lies outside of the message", name)
		}
		if cap(part) != len(part) {
			t.Fatalf("%s has room for %d more bytes", name, cap(part)-len(part))
		}
	}
	for _, m := range f.Batch {
		checkInside(t, raw, m)
	}
}

// FuzzSkim checks that a Skim finds in every proper message what Decode finds,
// however the message is cut into chunks.
func FuzzSkim(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), []byte{1, 5, 200})
	}
	f.Fuzz(func(t *testing.T, raw, cuts []byte) {
		var pieces, whole Skim
		whole.Write(raw)
		rest := raw
		for _, n := range cuts {
			k := min(int(n), len(rest))
			pieces.Write(rest[:k])
			rest = rest[k:]
		}
		pieces.Write(rest)
		if got, want := dump(pieces.Frame()), dump(whole.Frame()); got != want {
			t.Fatalf("in chunks:\n%s\nat once:\n%s", got, want)
		}
		got, want := whole.Frame(), Decode(raw)
		var members map[string]json.RawMessage
		switch want.Kind {
		case FrameInvalid:
			return
		case FrameBatch:
			if !got.ID.IsZero() || got.Method != "" {
				t.Fatalf("a batch has id %s, method %q", got.ID, got.Method)
			}
			return
		default:
		}
		if err := json.Unmarshal(bytes.TrimPrefix(raw, byteOrderMark), &members); err != nil {
			return // too deep for both
		}
		if len(members["id"]) <= skimID && len(members["method"]) <= skimMethod && (got.ID != want.ID || !bytes.Equal(got.IDRaw, want.IDRaw)) {
			t.Fatalf("id %s, want %s", got.ID, want.ID)
		}
		if len(members["method"]) <= skimMethod && got.Method != want.Method {
			t.Fatalf("method %q, want %q", got.Method, want.Method)
		}
		_, result := members["result"]
		_, failure := members["error"]
		if got.Answer != (result || failure) {
			t.Fatalf("answer is %v", got.Answer)
		}
	})
}

// FuzzRequest writes requests and reads them again: nothing that the user wrote
// may be lost or changed, and the token that is said to be in effect is the one
// that a server sees.
func FuzzRequest(f *testing.F) {
	f.Add(int64(1), "tools/call", []byte(`{"name":"x","arguments":{"a":1.0}}`), "t", true)
	f.Add(int64(0), "m\n", []byte("{\n\"_meta\": {\"progressToken\": 5}}"), "", true)
	f.Add(int64(-5), "", []byte(`{"_meta":{"a":"\n"},"_meta":{}}`), "\xff", false)
	f.Add(int64(7), "x", []byte(`[1]`), "t", true)
	f.Add(int64(7), "x", []byte(``), "t", true)
	f.Fuzz(func(t *testing.T, n int64, method string, params []byte, token string, wanted bool) {
		if len(method)+len(params)+len(token) > fuzzedBytes {
			return
		}
		ask := ID{}
		if wanted {
			ask = StringID(token)
		}
		out, effect := AppendRequest(nil, IntID(n), method, params, ask, nil)
		if bytes.ContainsAny(out, "\r\n") {
			t.Fatalf("a line break in %q", out)
		}
		trimmed := bytes.TrimSpace(params)
		if !utf8.ValidString(method) || !utf8.ValidString(token) || strings.HasPrefix(method, "notifications/") || (len(trimmed) > 0 && !json.Valid(trimmed)) {
			return
		}
		r := Decode(out)
		if r.Kind != FrameRequest || r.ID != IntID(n) || r.Method != method {
			t.Fatalf("%s is read as kind %d, id %s, method %q", out, r.Kind, r.ID, r.Method)
		}
		sent, own := withoutToken(t, r.Params)
		want, users := withoutToken(t, trimmed)
		if !reflect.DeepEqual(sent, want) {
			t.Fatalf("params %s became %s", trimmed, r.Params)
		}
		seen, _ := ParseID(own)
		if seen != effect {
			t.Fatalf("%s: the token in effect is said to be %v", out, effect)
		}
		if users != nil && !bytes.Equal(users, own) {
			t.Fatalf("the user's token %s became %s", users, own)
		}
		if users == nil && !effect.IsZero() && effect != ask {
			t.Fatalf("the token is %v, want %v", effect, ask)
		}
	})
}

// withoutToken is params as a Go value without its progress token, without a
// _meta that is empty then, and the raw token.
func withoutToken(t *testing.T, params []byte) (value any, token json.RawMessage) {
	t.Helper()
	if len(params) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(params))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	object, _ := value.(map[string]any)
	meta, isObject := object["_meta"].(map[string]any)
	if !isObject {
		return value, nil
	}
	var raw struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(params, &members) != nil || json.Unmarshal(members["_meta"], &raw.Meta) != nil {
		t.Fatalf("params %s", params)
	}
	delete(meta, "progressToken")
	if len(meta) == 0 {
		delete(object, "_meta")
	}
	return value, raw.Meta["progressToken"]
}
