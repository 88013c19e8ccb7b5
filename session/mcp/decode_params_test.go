package mcp

import (
	"math"
	"testing"
)

func decodeNote(method, params string) *Frame {
	if params != "" {
		params = `,"params":` + params
	}
	return Decode([]byte(`{"jsonrpc":"2.0","method":"` + method + `"` + params + `}`))
}

func TestDecodeProgress(t *testing.T) {
	for _, c := range []struct {
		params   string
		valid    bool
		token    string
		value    float64
		total    float64
		hasTotal bool
		message  string
	}{
		{`{"progressToken":7,"progress":1}`, true, `7`, 1, 0, false, ``},
		{`{"progressToken":"7","progress":0.5,"total":2,"message":"a\"b"}`, true, `"7"`, 0.5, 2, true, `"a\"b"`},
		{`{"progressToken":"","progress":-1}`, true, `""`, -1, 0, false, ``},
		{`{"message":"m","progress":3,"progressToken":"a","x":{"progress":9}}`, true, `"a"`, 3, 0, false, `"m"`},
		{`{"progressToken":"a","progress":1e999}`, true, `"a"`, math.Inf(1), 0, false, ``},
		{`{"progressToken":"a","progress":-1e999,"total":1e-999}`, true, `"a"`, math.Inf(-1), 0, true, ``},
		{`{"progressToken":"a","progress":1,"total":null,"message":null}`, true, `"a"`, 1, 0, false, ``},
		{`{"progressToken":"a","progress":1,"total":"5","message":5}`, true, `"a"`, 1, 0, false, ``},
		{`{"progressToken":"a","progress":12345678901234567890}`, true, `"a"`, 12345678901234567890, 0, false, ``},
		{`{"progressToken":1.5,"progress":1}`, true, `1.5`, 1, 0, false, ``},
		{`{"progressToken":"a"}`, false, `"a"`, 0, 0, false, ``},
		{`{"progressToken":"a","progress":"5"}`, false, `"a"`, 0, 0, false, ``},
		{`{"progressToken":"a","progress":null}`, false, `"a"`, 0, 0, false, ``},
		{`{"progressToken":{},"progress":1}`, false, ``, 1, 0, false, ``},
		{`{"progressToken":null,"progress":1}`, false, ``, 1, 0, false, ``},
		{`{"progress":1}`, false, ``, 1, 0, false, ``},
		{`{"progressToken":"a","progressToken":true,"progress":1}`, false, ``, 1, 0, false, ``},
		{`["a",1]`, false, ``, 0, 0, false, ``},
		{``, false, ``, 0, 0, false, ``},
	} {
		p := decodeNote("notifications/progress", c.params).Progress
		if p.Valid != c.valid || p.Token.String() != c.token || p.Value != c.value || p.Total != c.total || p.HasTotal != c.hasTotal || string(p.Message) != c.message {
			t.Errorf("%s: %+v", c.params, p)
		}
	}
	a := decodeNote("notifications/progress", `{"progressToken":1,"progress":1}`).Progress.Token
	b := decodeNote("notifications/progress", `{"progressToken":"1","progress":1}`).Progress.Token
	if a == b {
		t.Error(`the tokens 1 and "1" are the same`)
	}
}

// Of two params the last counts, and nothing of the first is left.
func TestDecodeParamsThatComeTwice(t *testing.T) {
	const line = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2,"total":3,"message":"m"},"params":{"progressToken":4,"progress":5}}`
	f := Decode([]byte(line))
	if n := f.Progress; !n.Valid || n.Token != IntID(4) || n.Value != 5 || n.HasTotal || n.Message != nil {
		t.Errorf("%+v", n)
	}
	if len(f.Problems) != 1 || f.Problems[0].Code != DiagDuplicateMember {
		t.Errorf("%+v", f.Problems)
	}
}

func TestDecodeCancelled(t *testing.T) {
	for _, c := range []struct {
		params string
		valid  bool
		id     string
		raw    string
		reason string
		why    string
	}{
		{`{"requestId":5,"reason":"too \u0073low"}`, true, `5`, `5`, "too slow", ``},
		{`{"requestId":"5"}`, true, `"5"`, `"5"`, ``, ``},
		{`{"requestId":0}`, true, `0`, `0`, ``, ``},
		{`{"requestId":""}`, true, `""`, `""`, ``, ``},
		{`{"requestId":1.0}`, true, `1`, `1.0`, ``, ``},
		{`{"requestId":9007199254740993}`, true, `9007199254740993`, `9007199254740993`, ``, ``},
		{`{"reason":5,"requestId":1}`, true, `1`, `1`, ``, ``},
		{`{"reason":null,"requestId":1}`, true, `1`, `1`, ``, ``},
		{`{"requestId":1.5,"reason":"r"}`, false, `1.5`, `1.5`, `r`, `requestId is 1.5, which is no integer`},
		{`{"requestId":null}`, false, ``, `null`, ``, `requestId is null`},
		{`{"requestId":true}`, false, ``, `true`, ``, `requestId is true`},
		{`{"requestId":{}}`, false, ``, `{}`, ``, `requestId is an object`},
		{`{"requestId":[1]}`, false, ``, `[1]`, ``, `requestId is an array`},
		{`{"reason":"r"}`, false, ``, ``, `r`, `requestId is missing`},
		{`{}`, false, ``, ``, ``, `requestId is missing`},
		{`[1]`, false, ``, ``, ``, `params is an array`},
		{`null`, false, ``, ``, ``, `params is null`},
		{``, false, ``, ``, ``, `it has no params`},
	} {
		n := decodeNote("notifications/cancelled", c.params).Cancelled
		if n == nil {
			t.Fatalf("%s: no note", c.params)
		}
		if n.Valid != c.valid || n.ID.String() != c.id || string(n.IDRaw) != c.raw || n.Reason != c.reason || n.Why != c.why {
			t.Errorf("%s: %+v", c.params, *n)
		}
	}
	if n := decodeNote("notifications/message", `{"requestId":5}`).Cancelled; n != nil {
		t.Errorf("another notification has a note: %+v", *n)
	}
}

func TestDecodeLog(t *testing.T) {
	for _, c := range []struct {
		params              string
		valid               bool
		level, logger, data string
	}{
		{`{"level":"info","logger":"db","data":{"a": 1}}`, true, "info", "db", `{"a": 1}`},
		{`{"data":"text","level":"\u0069nfo"}`, true, "info", "", `"text"`},
		{`{"level":"nonsense","data":null}`, true, "nonsense", "", `null`},
		{`{"level":"info","logger":5,"data":0}`, true, "info", "", `0`},
		{`{"level":"info"}`, false, "info", "", ``},
		{`{"data":1}`, false, "", "", `1`},
		{`{"level":3,"data":1}`, false, "", "", `1`},
		{`["info",1]`, false, "", "", ``},
		{``, false, "", "", ``},
	} {
		l := decodeNote("notifications/message", c.params).Log
		if l.Valid != c.valid || l.Level != c.level || l.Logger != c.logger || string(l.Data) != c.data {
			t.Errorf("%s: %+v", c.params, l)
		}
	}
}

// A flood allocates nothing: what is measured in the benchmarks rests on it.
func TestFloodsAllocateNothing(t *testing.T) {
	for _, line := range []string{
		progressLine, logLine, resultLine,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","id":"a-request","method":"roots/list","params":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":0.25,"total":1.0}}`,
	} {
		d, raw := NewDecoder(), []byte(line)
		d.Decode(raw)
		if n := testing.AllocsPerRun(100, func() { d.Decode(raw) }); n != 0 {
			t.Errorf("%s allocates %v times", line, n)
		}
	}
}
