package mcp

import (
	"reflect"
	"strings"
	"testing"
)

// Of a large result that which the core concludes from stays, and nothing of what is long.
// What says more than that it is large stays whole.
func TestHollowed(t *testing.T) {
	const large = 100_000
	text := strings.Repeat("o, the wind ", large/12)
	block := `{"type":"text","text":"` + text + `"}`
	image := `{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("AAAA", large/4) + `"}`
	answer := func(result string) string { return `{"jsonrpc":"2.0","id":7,"result":` + result + `}` }
	for name, c := range map[string]struct {
		message string
		most    int // bytes that are left; 0: it is not hollowed
	}{
		"a text":                 {answer(`{"content":[` + block + `]}`), 100},
		"a text behind spaces":   {" " + answer(`{"content":[`+block+`]}`), 100},
		"an image":               {answer(`{"content":[{"type":"text","text":"x"},` + image + `],"isError":false}`), 200},
		"a resource":             {answer(`{"contents":[{"uri":"file:///x","mimeType":"text/plain","text":"` + text + `"}]}`), 200},
		"a prompt":               {answer(`{"messages":[{"role":"user","content":` + block + `}]}`), 200},
		"structured":             {answer(`{"content":[` + block + `],"structuredContent":{"rows":[` + strings.Repeat(`{"a":1},`, large/8) + `{}]}}`), 400},
		"many blocks":            {answer(`{"content":[` + strings.Repeat(`{"type":"text","text":"x"},`, 4000) + `{"type":"text","text":"x"}]}`), 600},
		"a fault at its front":   {answer(`{"content":[{"type":"text"},` + block + `]}`), 200},
		"its freshness":          {answer(`{"resultType":"complete","ttlMs":5000,"cacheScope":"private","contents":[{"uri":"x:y","text":"` + text + `"}]}`), 250},
		"who the server is":      {answer(`{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"content":[` + block + `]}`), 250},
		"a long ID":              {`{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 900) + `","result":{"content":[` + block + `]}}`, 1100},
		"of a task":              {answer(`{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}},"content":[` + block + `]}`), 250},
		"unknown members":        {answer(`{"x":{"y":{"z":[[[[[[[[` + strings.Repeat(`"deep",`, large/7) + `0]]]]]]]]}}}`), 100},
		"deep":                   {answer(`{"content":[],"x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`), 100},
		"small":                  {answer(`{"content":[{"type":"text","text":"x"}]}`), 0},
		"the error of a tool":    {answer(`{"content":[` + block + `],"isError":true}`), 0},
		"a fault at its end":     {answer(`{"content":[` + block + strings.Repeat(`,{"type":"text","text":"x"}`, 20) + `,{"type":"text"}]}`), 0},
		"no text but at its end": {answer(`{"content":[` + strings.Repeat(image+",", 20) + block + `]}`), 0},
		"not UTF-8":              {answer(`{"content":[{"type":"text","text":"` + "\xff" + text + `"}]}`), 0},
		"not JSON":               {answer(`{"content":[` + block + `]`), 0},
		"no object":              {answer(`"` + text + `"`), 60},
		"a list of tools":        {answer(`{"tools":[{"name":"t","description":"` + text + `","inputSchema":{"type":"object"}}]}`), 0},
		"initialize":             {answer(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"instructions":"` + text + `"}`), 0},
		"a wish for input":       {answer(`{"resultType":"input_required","inputRequests":{},"requestState":"` + text + `"}`), 0},
		"a task":                 {answer(`{"resultType":"task","taskId":"t","status":"completed","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z","ttlMs":null,"result":{"content":[` + block + `]}}`), 0},
		"an error":               {`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m","data":"` + text + `"}}`, 0},
		"a notification":         {`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + text + `"}}`, 0},
		"a batch":                {"[" + answer(`{"content":[`+block+`]}`) + "]", 0},
		"a result that is none":  {`{"jsonrpc":"2.0","result":{"content":[` + block + `]}}`, 0},
	} {
		f := NewDecoder().DecodeOwned([]byte(c.message))
		left, h, ok := f.Hollowed()
		if ok != (c.most > 0) {
			t.Errorf("%s: hollowed %v", name, ok)
			continue
		}
		if !ok {
			continue
		}
		if len(left) > c.most || h.Size != len(c.message) || h.Result != len(f.Result) {
			t.Errorf("%s: of %d bytes %d are left, want %d at most; %+v\n%.300s", name, len(c.message), len(left), c.most, h, left)
		}
		g := Decode(left)
		g.SetHollow(h)
		if got, want := g.found(), f.found(); !reflect.DeepEqual(got, want) || g.Size != len(c.message) {
			t.Errorf("%s: is now %+v\nwas %+v", name, got, want)
		}
		if again, _, ok := g.Hollowed(); ok {
			t.Errorf("%s: hollowed again: %s", name, again)
		}
	}
}

// What a recording says of a message is not believed beyond what can be.
func TestHollowIsNotBelieved(t *testing.T) {
	f := Decode([]byte(`{"jsonrpc":"2.0","id":7,"result":{}}`))
	for in, want := range map[Hollow]Hollow{
		{-5, -9}:           {len(f.Raw), len(f.Result)},
		{1 << 62, 1 << 62}: {1 << 30, 1 << 30},
		{500, 400}:         {500, 400},
	} {
		if f.SetHollow(in); *f.Hollow != want || f.Size != want.Size {
			t.Errorf("%+v is taken as %+v", in, *f.Hollow)
		}
	}
}

// FuzzHollowed: of no message more is left than half, and from what is left the same is
// concluded.
func FuzzHollowed(f *testing.F) {
	pad := strings.Repeat(`{"type":"text","text":"x"},`, 200)
	f.Add(`{"jsonrpc":"2.0","id":7,"result":{"content":[` + pad + `{}]}}`)
	f.Add(`{"result":{"content":[` + pad + `{}],"content":"` + strings.Repeat("x", HollowFrom) + `"},"id":"a","result":{}}`)
	f.Fuzz(func(t *testing.T, message string) {
		whole := Decode([]byte(message))
		left, _, ok := whole.Hollowed()
		if !ok {
			return
		}
		if g := Decode(left); 2*len(left) > len(message) || !reflect.DeepEqual(g.found(), whole.found()) {
			t.Errorf("%s became %s", message, left)
		}
	})
}
