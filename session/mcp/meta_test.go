package mcp

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestTheKeysOfMeta(t *testing.T) {
	requirements.Rows(t, "BASE-23", "BASE-24")
	for key, want := range map[string]string{ // what is wrong ("!") or odd
		"trace": "", "a": "", "7": "", "a.b-c_d": "", "": "",
		"com.example/x": "", "com.example-site.a1/x": "", "com.example/": "", "de.example/x": "", "io.github.me/x-y": "",
		"example.com/x": "no reverse DNS: example.com", "example/x": "no reverse DNS: example",
		"-a": "!name", "a-": "!name", "a b": "!name", "a/b/c": "!name", "grüße": "!name", "_a": "!name",
		"/x": "!prefix", "1com.example/x": "!prefix", "com..example/x": "!prefix", "com.example-/x": "!prefix", "com.ex_ample/x": "!prefix", "com./x": "!prefix",
	} {
		odd, err := CheckMeta(Rev20251125, fmt.Appendf(nil, `{"fine":1,%q:{"not":"looked / at"}}`, key))
		got := strings.Join(odd, ", ")
		if err != nil {
			got = err.Error()
		}
		if fault, is := strings.CutPrefix(want, "!"); is {
			if err == nil || !strings.Contains(got, "has a "+fault) {
				t.Errorf("%q: %q, want it refused for its %s", key, got, fault)
			}
		} else if err != nil || got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
	if odd, err := CheckMeta(Rev20250618, []byte(`{"example.com/x":1}`)); err != nil || odd != nil {
		t.Errorf("before that rule: %q, %v", odd, err)
	}
	for _, meta := range []string{``, `7`, `[]`, `{`, `{"a":1} x`} {
		if _, err := CheckMeta(Rev20251125, []byte(meta)); err == nil {
			t.Errorf("%s passes", meta)
		}
	}
}

func TestReservedPrefixes(t *testing.T) {
	requirements.Rows(t, "BASE-25")
	for prefix, want := range map[string][2]bool{ // in 2025-06-18, and since 2025-11-25
		"modelcontextprotocol.io": {true, false}, "mcp.dev": {true, false}, "tools.mcp.com": {true, true},
		"io.modelcontextprotocol": {false, true}, "dev.mcp": {false, true}, "com.MCP.tools": {true, true},
		"com.example.mcp": {false, false}, "com.example.mcp.x": {true, false}, "com.example": {false, false},
	} {
		for i, rev := range []Revision{Rev20250618, Rev20251125} {
			odd, err := CheckMeta(rev, fmt.Appendf(nil, `{"%s/x":1}`, prefix))
			is := strings.Contains(strings.Join(odd, ""), "reserved prefix: "+prefix)
			if err != nil || is != want[i] {
				t.Errorf("%s in %s: %q, %v", prefix, rev, odd, err)
			}
		}
	}
}

func TestAMetaGoesIntoParameters(t *testing.T) {
	for params, want := range map[string]string{
		``:                              `{"_meta":{"a":1}}`,
		`{}`:                            `{"_meta":{"a":1}}`,
		`{"name":"x"}`:                  `{"name":"x","_meta":{"a":1}}`,
		`{"_meta":{"b":2},"name":"x" }`: `{"name":"x","_meta":{"a":1}}`,
	} {
		if got := string(WithMeta([]byte(params), []byte(`{"a":1}`))); got != want {
			t.Errorf("%s: %s, want %s", params, got, want)
		}
	}
	if got := string(MetaOf([]byte(`{"name":"x","_meta":{"b":2}}`))); got != `{"b":2}` {
		t.Errorf("%s", got)
	}
}
