package session

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// onlyContents are the diagnostics about what one result holds. They change no
// state, and the simulator's servers return nothing that is worth one; the tables
// here and in call_structured_test.go have them all.
var onlyContents = map[mcp.DiagCode]bool{
	mcp.DiagContentType: true, mcp.DiagContentShape: true, mcp.DiagMedia: true, mcp.DiagBlob: true, mcp.DiagAnnotations: true,
	mcp.DiagNoStructured: true, mcp.DiagOutputSchema: true, mcp.DiagStructuredKind: true, mcp.DiagNoFallback: true,
}

// offering is a rig whose server lists these tools.
func offering(t testing.TB, rev mcp.Revision, tools ...string) *rig {
	r := serving(t, rev, `{"tools":{}}`)
	r.answerList(mcp.Tools, fresh, tools...)
	return r
}

// returns answers a request with a result, and says which diagnostics that
// result alone was found to deserve.
func (r *rig) returns(method, params, members string) (id CallID, found []string) {
	r.t.Helper()
	id, wire := r.made(CallSpec{Method: method, Params: []byte(params)})
	if r.s.conn.rev.IsModern() {
		members += `,"resultType":"complete"`
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, wire, members)
	_, last := r.s.HistorySpan()
	for _, d := range r.s.DiagnosticsOf(last) {
		if d.Call == id {
			found = append(found, d.Describe())
		}
	}
	return id, found
}

func TestPartsOfResultsAreChecked(t *testing.T) {
	requirements.Rows(t, "SRV-06")
	tool := func(blocks string) [3]string {
		return [3]string{"tools/call", `{"name":"t"}`, `"content":[` + blocks + `]`}
	}
	prompt := func(messages string) [3]string {
		return [3]string{"prompts/get", `{"name":"p"}`, `"messages":[` + messages + `]`}
	}
	resource := func(contents string) [3]string {
		return [3]string{"resources/read", `{"uri":"a:b"}`, `"contents":[` + contents + `]`}
	}
	for _, tt := range []struct {
		result [3]string
		want   string // of the first diagnostic; empty: there is none
	}{
		{tool(`{"type":"text","text":"fine"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"audio","data":"AAAAAA==","mimeType":"audio/wav"}`), ""},
		{tool(`{"type":"resource_link","uri":"a:b","name":"n"},{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}}`), ""},
		{tool(`{"type":"text","text":"fine","annotations":{"audience":["user","assistant"],"priority":0.9,"lastModified":"2025-01-12T15:00:58Z"}}`), ""},
		{tool(`{"type":"text","text":"fine"},{"type":"hologram","depth":3}`), `content 2 is of the type "hologram"`},
		{tool(`{"text":"no type"}`), "content 1 is of the type missing"},
		{tool(`"text"`), "content 1 is a string, not an object"},
		{tool(`{"type":"text"}`), "content 1 has a text that is missing"},
		{tool(`{"type":"image","data":"not base64!","mimeType":"image/png"}`), "content 1 has data that is not base64"},
		{tool(`{"type":"image","data":"AAAAA","mimeType":"image/png"}`), "content 1 has data that is not base64"},
		{tool(`{"type":"audio","mimeType":"audio/wav"}`), "content 1 has data that is missing"},
		{tool(`{"type":"image","data":"AAAA"}`), "content 1 is an image without a mimeType"},
		{tool(`{"type":"image","data":"AAAA","mimeType":"text/html"}`), `content 1 is an image with the mimeType "text/html"`},
		{tool(`{"type":"image","data":"/9j/4AAQSkZJRgABAQ==","mimeType":"image/png"}`), `content 1 has the mimeType "image/png", but its bytes are image/jpeg`},
		{tool(`{"type":"image","data":"/9j/4AAQSkZJRgABAQ==","mimeType":"image/jpeg"}`), ""},
		{tool(`{"type":"image","data":"/9j/4AAQSkZJRgABAQ==","mimeType":"image/x-own"}`), ""},
		{tool(`{"type":"audio","data":"UklGRgAAAABXQVZFZm10","mimeType":"audio/ogg"}`), `content 1 has the mimeType "audio/ogg", but its bytes are audio/wav`},
		{tool(`{"type":"resource_link","name":"n"}`), "content 1 is a resource_link without a uri"},
		{tool(`{"type":"resource_link","uri":"a:b"}`), "content 1 is a resource_link without a name"},
		{tool(`{"type":"resource"}`), "content 1 is a resource without the resource"},
		{tool(`{"type":"resource","resource":{"uri":"a:b"}}`), "content 1 is a resource with neither text nor blob"},
		{tool(`{"type":"text","text":"","annotations":[]}`), "content 1 has annotations that are an array"},
		{tool(`{"type":"text","text":"","annotations":{"audience":["everybody"]}}`), `content 1 is for "everybody", which is neither user nor assistant`},
		{tool(`{"type":"text","text":"","annotations":{"audience":"user"}}`), "content 1 has an audience that is a string"},
		{tool(`{"type":"text","text":"","annotations":{"priority":7}}`), "content 1 has the priority 7, which is not from 0 to 1"},
		{tool(`{"type":"text","text":"","annotations":{"priority":"high"}}`), `content 1 has the priority "high", which is not from 0 to 1`},
		{tool(`{"type":"text","text":"","annotations":{"lastModified":"yesterday"}}`), `content 1 has the lastModified "yesterday", which is no time as in ISO 8601`},
		{prompt(`{"role":"user","content":{"type":"text","text":"fine"}}`), ""},
		{prompt(`{"role":"system","content":{"type":"text","text":"x"}}`), `message 1 has the role "system", not user or assistant`},
		{prompt(`{"role":"user","content":"x"}`), "message 1 has a content that is a string, not an object"},
		{prompt(`{"role":"user","content":{"type":"image","data":"?","mimeType":"image/png"}}`), "message 1 has data that is not base64"},
		{resource(`{"uri":"a:b","text":"fine"},{"uri":"a:b","blob":"AAAA","mimeType":"application/octet-stream"}`), ""},
		{resource(`{"text":"x"}`), "content 1 is a resource without a uri"},
		{resource(`{"uri":"a:b","blob":"??","mimeType":"image/png"}`), "content 1 has data that is not base64"},
		{resource(`{"uri":"a:b","blob":"AAAA","mimeType":"picture"}`), `content 1 has the mimeType "picture", which is none`},
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			r := offering(t, rev)
			_, found := r.returns(tt.result[0], tt.result[1], tt.result[2])
			switch {
			case tt.want == "" && len(found) > 0, tt.want != "" && len(found) == 0:
				t.Errorf("%s in %s: %q", tt.result[2], rev, found)
			case tt.want != "" && !strings.HasSuffix(found[0], ": "+tt.want):
				t.Errorf("%s in %s: %q, want %q", tt.result[2], rev, found[0], tt.want)
			}
		}
	}
}

// What came with a later revision is told where the connection speaks an older one.
func TestTypesOfContentHaveRevisions(t *testing.T) {
	const content = `"content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"resource_link","uri":"a:b","name":"n"}]`
	for rev, want := range map[mcp.Revision]int{mcp.Rev20241105: 2, mcp.Rev20250326: 1, mcp.Rev20250618: 0, mcp.Rev20251125: 0, mcp.Rev20260728: 0} {
		r := offering(t, rev)
		if _, found := r.returns("tools/call", `{"name":"t"}`, content); len(found) != want {
			t.Errorf("%s: %q", rev, found)
		}
	}
}

// Whatever is wrong is bounded, and what is not read is counted.
func TestResultsOfManyParts(t *testing.T) {
	r := offering(t, mcp.Rev20251125)
	many := strings.TrimSuffix(strings.Repeat(`{"type":"odd"},`, mcp.MaxParts+5), ",")
	id, found := r.returns("tools/call", `{"name":"t"}`, `"content":[`+many+`]`)
	if len(found) != mcp.MaxProblems {
		t.Errorf("%d diagnostics", len(found))
	}
	d, _ := r.s.Detail(id)
	if p := mcp.ParseResult(d.Result); len(p.Parts) != mcp.MaxParts || p.More != 5 {
		t.Errorf("%d parts and %d more", len(p.Parts), p.More)
	}
}

// A read may return several contents, and they stay in their order.
func TestPartsOfAResult(t *testing.T) {
	p := mcp.ParseResult([]byte(`{"contents":[{"uri":"a:1","text":"one"},{"uri":"a:2","blob":"AAAA","mimeType":"x/y"},{"uri":"a:3","text":"three"}]}`))
	var got []string
	for _, part := range p.Parts {
		got = append(got, fmt.Sprintf("%s %q %d", part.URI, part.Text, part.Size))
	}
	if want := `a:1 "one" 0,a:2 "" 3,a:3 "three" 0`; strings.Join(got, ",") != want {
		t.Errorf("%q", got)
	}
	for _, odd := range []string{``, `7`, `{`, `{"content":7}`, `{"content":{}}`} {
		if p := mcp.ParseResult([]byte(odd)); len(p.Parts) != 0 {
			t.Errorf("%s: %+v", odd, p)
		}
	}
}
