package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"belay/session/sentence"
)

// What the data of an error say is read when the error is decoded, and no more of it than has
// a bound.
func TestTheDataOfAnError(t *testing.T) {
	long := strings.Repeat("x", 1e5)
	versions := make([]string, maxVersions+1)
	for i := range versions {
		versions[i] = fmt.Sprintf("20%02d-01-01", i)
	}
	for _, tt := range []struct {
		data                string
		supported, required []string
		needs               string
	}{
		{`{}`, nil, nil, ""},
		{`7`, nil, nil, ""},
		{`["supported"]`, nil, nil, ""},
		{`{"requested":"a","supported":["a","b"]}`, []string{"a", "b"}, nil, ""},
		{`{"supported":["a",1,null,"b\u0063"]}`, []string{"a", "bc"}, nil, ""},
		{`{"supported":"a"}`, nil, nil, ""},
		{`{"supported":["a"],"supported":["b"]}`, []string{"b"}, nil, ""},
		{`{"supported":["` + strings.Join(versions, `","`) + `"]}`, versions[:maxVersions], nil, ""},
		{`{"supported":["` + long + `"]}`, []string{sentence.Clip(long)}, nil, ""},
		{`{"requiredCapabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}}}`, nil, []string{"roots", "sampling", "elicitation.form", "elicitation.url"}, `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}}`},
		{`{"requiredCapabilities":null,"supported":[]}`, nil, nil, "null"},
		{`{"requiredCapabilities":["roots"]}`, nil, nil, `["roots"]`},
		{`{"requiredCapabilities":"` + long + `"}`, nil, nil, sentence.JSON([]byte(`"` + long + `"`))},
	} {
		raw := []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"m","data":` + tt.data + `}}`)
		e := Decode(raw).Error
		clear(raw) // it must share no bytes with the message
		if !slices.Equal(e.Supported(), tt.supported) || !slices.Equal(e.Required(), tt.required) || e.Needs() != tt.needs {
			t.Errorf("%.60s: %.60q, %.60q, %.60q", tt.data, e.Supported(), e.Required(), e.Needs())
		}
		n := 0
		if e.Forget(&n).Supported() != nil {
			t.Errorf("%.60s: it is remembered", tt.data)
		}
	}
	task := Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":{"taskId":"a","status":"failed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null,"resultType":"complete",
		"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"roots":{}}}}}}`)).Task.Task.Outcome
	if task == nil || !slices.Equal(task.Error.Required(), []string{"roots"}) {
		t.Errorf("the error of a task: %+v", task)
	}
	if e := (&RPCError{}); e.Supported() != nil || e.Required() != nil || e.Needs() != "" {
		t.Errorf("an error without data says %q, %q, %q", e.Supported(), e.Required(), e.Needs())
	}
}

// Of a declaration no more names are read than has a bound, and no longer ones.
func TestADeclarationOfManyCapabilities(t *testing.T) {
	name := strings.Repeat("x", 1e5)
	var many strings.Builder
	for i := range 10 * MaxRequired {
		fmt.Fprintf(&many, `,"%d%s":{}`, i, name)
	}
	object := "{" + many.String()[1:] + "}"
	for where, declaration := range map[string]string{"capabilities": object, "parts": `{"roots":{},"x` + name + `":` + object + `}`} {
		names := CapabilityNames([]byte(declaration))
		if len(names) != MaxRequired {
			t.Errorf("%s: %d names are read", where, len(names))
		}
		for _, n := range names {
			if len(n) > 4*sentence.LongestName+len(".") {
				t.Errorf("%s: a name of %d bytes is read", where, len(n))
			}
			if n != "roots" && sentence.Name(n) != sentence.Name(n+name) {
				t.Errorf("%s: the cut of %s shows", where, n)
			}
		}
	}
}

// The code of an error is foreign, and as long as its sender likes.
func TestACodeOfManyDigits(t *testing.T) {
	code := "1" + strings.Repeat("0", 1e5)
	e := Decode([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `.0e-100000,"message":"m"}}`)).Error
	if got := e.CodeWords(); e.Code != 0 || got != `"`+code[:sentence.Limit]+`…"` {
		t.Errorf("%d, %q", e.Code, got)
	}
}
