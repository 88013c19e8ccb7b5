package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func answer(result string) *Frame {
	return Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`))
}

func TestDecodeShape(t *testing.T) {
	for _, c := range []struct {
		result  string
		kind    byte
		members map[Member]byte
		isError bool
		typ     string
	}{
		{`{"content":[],"isError":true}`, '{', map[Member]byte{MemContent: '[', MemIsError: 't'}, true, ""},
		{`{"content":null,"structuredContent":{},"isError":false}`, '{', map[Member]byte{MemContent: 'n', MemStructured: '{', MemIsError: 'f'}, false, ""},
		{`{"isError":"true","resultType":"complete"}`, '{', map[Member]byte{MemIsError: '"', MemResultType: '"'}, false, "complete"},
		{`{"resultType":5,"messages":-1,"contents":7}`, '{', map[Member]byte{MemResultType: '0', MemMessages: '0', MemContents: '0'}, false, ""},
		{`{"tools":[],"prompts":{},"resources":"","resourceTemplates":[],"nextCursor":""}`, '{', map[Member]byte{MemTools: '[', MemPrompts: '{', MemResources: '"', MemTemplates: '[', MemNextCursor: '"'}, false, ""},
		{`{"completion":{},"t\u0061sk":{}}`, '{', map[Member]byte{MemCompletion: '{', MemTask: '{'}, false, ""},
		{`{"x":{"content":[]},"contents":[ 1]}`, '{', map[Member]byte{MemContents: '['}, false, ""},
		{`{}`, '{', nil, false, ""},
		{`[{"content":[]}]`, '[', nil, false, ""},
		{`"content"`, '"', nil, false, ""},
		{`-1`, '0', nil, false, ""},
		{`true`, 't', nil, false, ""},
		{`null`, 'n', nil, false, ""},
	} {
		s := answer(c.result).Shape
		want := Shape{Kind: c.kind, IsError: c.isError, ResultType: c.typ}
		for m, k := range c.members {
			want.Members[m] = k
		}
		if s != want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.result, s, want)
		}
	}
	for result, want := range map[string]bool{`{"contents":[]}`: true, `{"contents":[ ]}`: true, `{"contents":[0],"contents":[]}`: true, `{"contents":[],"contents":{}}`: false, `{"content":[]}`: false} {
		if got := answer(result).Shape.NoContents; got != want {
			t.Errorf("%s: without contents: %v", result, got)
		}
	}
	for result, want := range map[string]string{`{}`: "", `{"_meta":{"a":1},"result\u0054ype":"complete"}`: "", `{"_meta":{},"b\u0062":1,"a":2}`: "bb"} {
		if got := string(answer(result).Extra); got != want {
			t.Errorf("%s: beside what each result has stands %q", result, got)
		}
	}
}

func TestDecodeInitialize(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},` +
		`"prompts":{},"resources":{"subscribe":true,"listChanged":false},"logging":{},"completions":null,"tasks":false,"x":{}},` +
		`"serverInfo":{"name":"n","title":"t","version":"1"},"instructions":"i\n"}}`)
	r := Decode(raw).Init
	if r == nil {
		t.Fatal("it is not seen as the answer to initialize")
	}
	want := Capabilities{Tools: true, ToolsChanged: true, Prompts: true, Resources: true, Subscribe: true, Logging: true}
	clear(raw) // it must share no bytes with the message
	if r.Version != "2025-11-25" || r.Has != want || r.Name != "n" || r.Title != "t" || r.ServerVer != "1" || r.Instructions != "i\n" || len(r.Missing) != 0 {
		t.Errorf("%+v", *r)
	}
	if !strings.HasPrefix(string(r.Capabilities), `{"tools":{"listChanged":true},`) {
		t.Errorf("capabilities %s", r.Capabilities)
	}
	for result, missing := range map[string][]string{
		`{"protocolVersion":"x","capabilities":{},"serverInfo":{"name":"","version":""}}`: nil,
		`{"protocolVersion":"x"}`:               {"capabilities", "serverInfo"},
		`{"serverInfo":{}}`:                     {"protocolVersion", "capabilities", "serverInfo.name", "serverInfo.version"},
		`{"serverInfo":null,"capabilities":[]}`: {"protocolVersion", "capabilities", "serverInfo"},
		`{"protocolVersion":5,"capabilities":{"tools":true},"serverInfo":{"name":5,"version":"1"}}`: {"protocolVersion", "serverInfo.name"},
	} {
		if r := answer(result).Init; r == nil || !slices.Equal(r.Missing, missing) {
			t.Errorf("%s: %+v, want %v missing", result, r, missing)
		}
	}
	if r := answer(`{"capabilities":{}}`).Init; r != nil {
		t.Errorf("any result with capabilities is seen as a handshake: %+v", *r)
	}
}

func TestDecodeToolsTolerantly(t *testing.T) {
	raw := []byte(`{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"c","tools":[` +
		`{"name":"a","title":"A","description":"d","inputSchema":{"type":"object"},"annotations":{"title":"no"}},` +
		`{"name":"b","inputSchema":null,"annotations":{"title":"B"}},{"name":"c","outputSchema":null},` +
		`5,null,{},{"name":7},{"title":"x"},{"name":"d","inputSchema":"x","description":3,"title":null} ]}}`)
	p := Decode(raw).List
	clear(raw) // it must share no bytes with the message
	if p == nil || p.Kind != Tools || string(p.Next) != `"c"` || len(p.Items) != 4 {
		t.Fatalf("%+v", p)
	}
	for i, want := range []string{"a/A/d/{\"type\":\"object\"}", "b/B//null", "c///", "d///\"x\""} {
		it := p.Items[i]
		if got := it.Name + "/" + it.Title + "/" + it.Description + "/" + string(it.InputSchema); got != want || it.Kind != Tools {
			t.Errorf("item %d is %s, want %s", i, got, want)
		}
	}
	if got := string(p.Items[2].Raw); got != `{"name":"c","outputSchema":null}` {
		t.Errorf("raw entry %s", got)
	}
	if got := string(p.Items[1].Annotations); got != `{"title":"B"}` {
		t.Errorf("annotations %s", got)
	}
	if p.Items[2].InputSchema != nil || p.Items[2].OutputSchema != nil {
		t.Error("a schema that is missing, or null, is not nil")
	}
	want := []string{
		"entry 2 has an inputSchema that is null, not an object", "entry 3 has an outputSchema that is null, not an object", "entry 4 is a number", "entry 5 is null", "entry 6 has no name, or one that is no string",
		"entry 7 has no name, or one that is no string", "entry 8 has no name, or one that is no string",
		"entry 9 has an inputSchema that is a string, not an object",
	}
	if !slices.Equal(p.Broken, want) {
		t.Errorf("broken: %q", p.Broken)
	}
}

func TestDecodeOtherLists(t *testing.T) {
	p := answer(`{"prompts":[{"name":"p","arguments":[{"name":"x","title":"X","description":"d","required":true},{},5,{"name":"y","required":"yes"}]},{"name":"q","arguments":null}]}`).List
	if p == nil || p.Kind != Prompts || p.Next != nil || len(p.Items) != 2 || p.Items[1].Args != nil {
		t.Fatalf("%+v", p)
	}
	if want := []PromptArg{{Name: "x", Title: "X", Description: "d", Required: true}, {Name: "y"}}; !slices.Equal(p.Items[0].Args, want) {
		t.Errorf("arguments %+v", p.Items[0].Args)
	}
	if want := []string{"entry 1 (p) has an argument without a proper name, number 2", "entry 1 (p) has an argument without a proper name, number 3"}; !slices.Equal(p.Broken, want) {
		t.Errorf("broken: %q", p.Broken)
	}

	p = answer(`{"resources":[{"uri":"file:///a","name":"a","mimeType":"text/plain"},{"uri":"file:///b"},{"name":"c"}],"nextCursor":""}`).List
	if p == nil || p.Kind != Resources || string(p.Next) != `""` || len(p.Items) != 2 || p.Items[0].URI != "file:///a" || p.Items[0].MIME != "text/plain" || p.Items[0].Name != "a" {
		t.Fatalf("%+v", p)
	}
	if want := []string{"entry 3 has no uri, or one that is no string"}; !slices.Equal(p.Broken, want) {
		t.Errorf("broken: %q", p.Broken)
	}

	p = answer(`{"resourceTemplates":[{"uriTemplate":"file:///{x}","name":"t"},{"uri":"file:///b","name":"u"}],"nextCursor":null}`).List
	if p == nil || p.Kind != Templates || p.Next != nil || len(p.Items) != 1 || p.Items[0].URI != "file:///{x}" {
		t.Fatalf("%+v", p)
	}
	for _, none := range []string{`{"tools":null}`, `{"tools":{}}`, `{"nextCursor":"x"}`, `[]`} {
		if p := answer(none).List; p != nil {
			t.Errorf("%s is a list: %+v", none, *p)
		}
	}
	if p := answer(`{"tools":[]}`).List; p == nil || len(p.Items)+len(p.Broken) != 0 {
		t.Errorf("an empty list: %+v", p)
	}
}

// A list must not multiply itself in memory.
func TestDecodeBoundsLists(t *testing.T) {
	p := answer(`{"tools":[` + strings.Repeat(`{"name":""},`, itemLimit+5) + `{"name":""}]}`).List
	if len(p.Items) != itemLimit || !slices.Equal(p.Broken, []string{fmt.Sprintf("the page has %d entries; the last 6 are left out", itemLimit+6)}) {
		t.Errorf("%d items, broken %q", len(p.Items), p.Broken)
	}
	p = answer(`{"tools":[` + strings.Repeat(`5,`, 100_000) + `{"name":"a"}]}`).List
	if len(p.Items) != 1 || len(p.Broken) != brokenLimit+1 || p.Broken[brokenLimit] != "99950 more things are broken" {
		t.Errorf("%d items, %d broken", len(p.Items), len(p.Broken))
	}
}
