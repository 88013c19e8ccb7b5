package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Parameters that are nested deeply make a report no longer than their bound allows, in each format.
func TestParametersThatAreNestedDeeply(t *testing.T) {
	for name, c := range map[string]struct {
		params string
		set    bool // they are set out in lines
	}{
		"as deep as there is room for": {`{"name":"t","arguments":{"a":` + strings.Repeat("[", 8000) + strings.Repeat("]", 8000) + `}}`, false},
		"long lists far inside":        {`{"name":"t","arguments":{"a":` + strings.Repeat(`{"b":`, 200) + "[1" + strings.Repeat(",1", 7000) + "]" + strings.Repeat("}", 200) + `}}`, false},
		"brackets in a text":           {`{"name":"t","arguments":{"a":"\\\"` + strings.Repeat("[", 8000) + `"}}`, true},
		"twenty levels":                {`{"name":"t","arguments":{"a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + `}}`, true},
		"a long list":                  {`{"name":"t","arguments":{"a":[1` + strings.Repeat(",1", 5000) + `]}}`, true},
	} {
		r := newRig(t, `"scripted"`)
		r.calls(c.params)
		r.cancels("why")
		got := r.report()
		if is := got.Calls[0].ParamsJSON != nil; is != c.set {
			t.Errorf("%s: set out in lines is %v", name, is)
		}
		for _, f := range []Format{Markdown, HTML, JSON} {
			if n := len(got.As(f)); n > 300<<10 {
				t.Errorf("%s: the report in %v has %d kB", name, f, n>>10)
			}
		}
	}
}

// What is put before the lines is known before it is put there.
func TestTheIndentOfParameters(t *testing.T) {
	for _, text := range []string{`1`, `{"a":[1,2,{"b":"[{,\\"}],"c":"\"["}`, `[[[1,[2]],3],{"a":{"b":null}}]`, "[\"\\\\\",\"é\",[0]]"} {
		var out bytes.Buffer
		if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
			t.Fatal(text, err)
		}
		want := 0
		for line := range strings.Lines(out.String()) {
			want += len(line) - len(strings.TrimLeft(line, " "))
		}
		if got := indentOf([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
