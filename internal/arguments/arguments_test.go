package arguments

import (
	"slices"
	"strings"
	"testing"
)

const schema = `{"type":"object","required":["path"],"additionalProperties":false,"properties":{
"path":{"type":"string"},"n":{"type":"integer","maximum":10},"x":{"type":"number"},"deep":{"type":"boolean"},
"tags":{"type":"array","items":{"type":"string"}},"opt":{"type":"object","properties":{"a":{"type":"integer"}}},
"mode":{"enum":["fast","1",2]},"any":{},"either":{"type":["string","integer"]},"id":{"$ref":"#/$defs/id"}},
"$defs":{"id":{"type":"string"}}}`

func TestWordsAreTypedByTheSchema(t *testing.T) {
	for _, c := range []struct {
		words []string
		whole string
		want  string // the arguments, or with a * the faults
	}{
		{[]string{"path=5"}, "", `{"path":"5"}`},
		{[]string{"path=a=b\n\"c\""}, "", `{"path":"a=b\n\"c\""}`},
		{[]string{"path="}, "", `{"path":""}`},
		{[]string{"path=p", "n=7", "x=1.50", "deep=true"}, "", `{"path":"p","n":7,"x":1.50,"deep":true}`},
		{[]string{"path=p", `tags=["a","b"]`, `opt={"a":1}`}, "", `{"path":"p","tags":["a","b"],"opt":{"a":1}}`},
		{[]string{"path=p", "mode=1"}, "", `{"path":"p","mode":"1"}`},
		{[]string{"path=p", "mode=2"}, "", `{"path":"p","mode":2}`},
		{[]string{"path=p", "any=true", "id=7"}, "", `{"path":"p","any":true,"id":"7"}`},
		{[]string{"path=p", "any=some text"}, "", `{"path":"p","any":"some text"}`},
		{[]string{"n=3"}, `{"path":"q","n":1}`, `{"path":"q","n":3}`},
		{nil, `{"path": "q"}`, `{"path":"q"}`},
		{nil, "", "*path"},
		{[]string{"path=p", "n=x"}, "", `*"n": a number`},
		{[]string{"path=p", "n=70"}, "", `*"n":`},
		{[]string{"path=p", "deep=maybe"}, "", `*"deep":`},
		{[]string{"path=p", "tags=a"}, "", `*"tags": a list`},
		{[]string{"path=p", "opt=a"}, "", `*"opt": an object`},
		{[]string{"path=p", "mode=slow"}, "", `*"mode":`},
		{[]string{"path=p", "pth=q"}, "", "*pth"},
		{[]string{"path=p", "path=q"}, "", "*twice"},
		{[]string{"path"}, "", "*NAME=VALUE"},
		{[]string{"=p"}, "", "*NAME=VALUE"},
		{nil, `[1]`, "*--json"},
		{nil, `{"path":"a","path":"b"}`, "*twice"},
	} {
		var whole []byte
		if c.whole != "" {
			whole = []byte(c.whole)
		}
		got, faults := Build(t.Context(), []byte(schema), c.words, whole)
		var all []string
		for _, f := range faults {
			all = append(all, f.String())
		}
		said := strings.Join(all, "\n")
		if want, wrong := strings.CutPrefix(c.want, "*"); wrong {
			if !strings.Contains(said, want) {
				t.Errorf("%q %s: %s, %q", c.words, c.whole, got, said)
			}
			continue
		}
		if said != "" || string(got) != c.want {
			t.Errorf("%q %s: %s, want %s, %q", c.words, c.whole, got, c.want, said)
		}
	}
}

// Each fault is named, and not only the first.
func TestAllFaultsAreNamed(t *testing.T) {
	_, faults := Build(t.Context(), []byte(schema), []string{"n=70", "deep=maybe"}, nil)
	if len(faults) != 3 {
		t.Errorf("%v", faults)
	}
	got, faults := Build(t.Context(), []byte(schema), []string{"n=x", "deep=maybe", "opt=a", "nope=1", "odd"}, nil)
	var where []string
	for _, f := range faults {
		where = append(where, f.Where)
	}
	slices.Sort(where)
	if want := []string{`"deep"`, `"n"`, `"nope"`, `"opt"`, `"path"`, "--arg odd"}; got != nil || !slices.Equal(where, want) {
		t.Errorf("%s: %q, not %q: %v", got, where, want, faults)
	}
	if got, faults := Build(t.Context(), nil, []string{"a=1"}, nil); len(faults) > 0 || string(got) != `{"a":1}` {
		t.Errorf("without a schema: %s, %v", got, faults)
	}
}
