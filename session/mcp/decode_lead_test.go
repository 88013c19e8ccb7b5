package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// The messages of a flood begin alike, in every order in which clients are told of
// progress and of logs: what they share is walked over once, and no more.
func TestAFloodSharesItsLead(t *testing.T) {
	for _, c := range []struct{ line, first string }{
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":%d}}`, `"a",`},
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":%d}}`, `7,`},
		{`{"method":"notifications/progress","params":{"progress":%d,"progressToken":"a"},"jsonrpc":"2.0"}`, `"params":{`},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, `"info",`},
		{`{ "method": "notifications/message", "params": { "data": %d, "level": "info" } }`, `"params": {`},
	} {
		d := NewDecoder()
		d.Decode(fmt.Appendf(nil, c.line, 1))
		want := strings.Index(c.line, c.first) + len(c.first)
		if got := max(d.lead.params.n, d.lead.first.n); got != want {
			t.Errorf("%s\nhas a lead of %d bytes, want %d", c.line, got, want)
		}
		d.lead.method = []byte(`"from the lead"`)
		if f := d.Decode(fmt.Appendf(nil, c.line, 2)); f.Method != "from the lead" {
			t.Errorf("%s\nis walked over from its front", f.Raw)
		}
	}
}

// A message is what it is by itself, whatever the messages before it were, and however
// much of them is in front of it.
func TestALeadDecidesNothing(t *testing.T) {
	const head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{`
	d := NewDecoder()
	for _, text := range []string{
		head + `"progressToken":1,"progress":1}}`,
		head + `"progressToken":1,"progress":2,"message":"m"}}`,
		head + `"progressToken":12,"progress":3}}`, // the number goes on
		head + `"progressToken":1`,
		head + `"progressToken":12`,
		head + `"progressToken":1,`,
		head + `"progressToken":1}}`,
		head + `"progressToken":1]}`,
		head + `"progressToken":"1","progress":4}}`,
		head + `"progressToken":"1" ,"progress":4}}`,
		head + `"progressToken":"1","progressToken":2,"progress":5}}`,
		head + `"progressToken":"1","progress":5},"method":"ping"}`,
		head + `"progressToken":"1","progress":5},"id":3,"jsonrpc":"1.0"}`,
		head + `"progressToken":"1","progress":5},"result":{}}`,
		head + `"progressToken":"1","progress":5},"params":{"progressToken":"2","progress":6}}`,
		head + `"progressToken":"1","progress":5},"params":[]}`,
		head + `"level":"1","progress":5}}`,
		head + `}}`,
		head,
		strings.Replace(head, "2.0", "2.1", 1) + `"progressToken":1,"progress":1}}`,
		strings.Replace(head, "2.0", "2.1", 1) + `"progressToken":1,"progress":2}}`,
		`{"x":"` + "\xff" + `","method":"notifications/message","params":{"level":"info","data":1}}`,
		`{"x":"` + "\xff" + `","method":"notifications/message","params":{"level":"info","data":2}}`,
		`{"id":1,"method":"notifications/message","params":{"level":"info","data":2}}`,
		`{"method":"notifications/message","method":"notifications/progress","params":{"level":"info","data":2}}`,
		`{"method":"notifications/message","params":{"level":"info","data":2}}`,
		`[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":2}},1]`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":3}}`,
		"\xef\xbb\xbf" + `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":3}}`,
		`{"method":"` + strings.Repeat("n", leadLimit) + `","params":{"level":"debug","data":3}}`,
		`{"method":"notifications/message","params":{"level":"` + strings.Repeat("n", leadLimit) + `","data":3}}`,
		`{"method":"notifications/message","params":{"level":"` + strings.Repeat("n", leadLimit) + `","data":4}}`,
	} {
		for _, before := range []string{text, head + `"progressToken":"1","progress":4}}`, head + `"progressToken":1,"progress":4}}`} {
			raw := []byte(text)
			got := d.Decode(raw)
			checkInside(t, raw, got)
			if got, want := dump(got), dump(Decode(raw)); got != want {
				t.Errorf("%s\nafter others:\n%s\nby itself:\n%s", text, got, want)
			}
			d.Decode([]byte(before))
		}
	}
}
