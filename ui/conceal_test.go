package ui

import (
	"slices"
	"testing"

	"belay/session/secret"
)

// What is typed into fields that look like secrets, by name, title or format, is
// masked in recordings before it is sent.
func TestTypedSecretsAreConcealed(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"Password"},"b":{"type":"string"}}}}}`)
		w.quiet()
		w.sees("! it asks for what looks like a secret: a")
		w.write("hunter2")
		w.press("tab")
		w.write("harmless")
		w.press("ctrl+s", "ctrl+s")
		w.gets(`"content":{"a":"hunter2","b":"harmless"}`)
		if want := (secret.Value{Name: "a", Text: "hunter2"}); !slices.Contains(w.b.concealed, want) || slices.ContainsFunc(w.b.concealed, func(v secret.Value) bool { return v != want }) {
			t.Errorf("concealed %q", w.b.concealed)
		}
	})
}

func TestWhatIsConcealed(t *testing.T) {
	for content, want := range map[string][]secret.Value{
		`{"a":"x","b":"y"}`:                 {{Name: "a", Text: "x"}},
		`{"a":{"c":"x","d":[1,true,null]}}`: {{Name: "a", Text: "x"}, {Name: "a", Text: "1"}, {Name: "a", Text: "true"}},
		`{"b":{"a":12.5}}`:                  {{Name: "a", Text: "12.5"}},
		`{"b":"x"}`:                         nil,
		`no JSON`:                           nil,
	} {
		b := &memory{}
		conceal(b, []byte(content), []string{"a"})
		if !sameValues(b.concealed, want) {
			t.Errorf("%s: concealed %q, want %q", content, b.concealed, want)
		}
	}
}

// sameValues compares without the order, which that of a map's members is.
func sameValues(a, b []secret.Value) bool {
	for _, v := range b {
		if !slices.Contains(a, v) {
			return false
		}
	}
	return len(a) == len(b)
}

// Arguments of tools are masked by the title and the format of their fields, too.
func TestTypedArgumentsAreConcealed(t *testing.T) {
	const tools = `{"tools":[{"name":"login","inputSchema":{"type":"object","properties":{"p":{"type":"string","format":"password"},"q":{"type":"string","title":"API key"}}}}]}`
	offering(t, 100, 30, Options{}, tools, func(w *world) {
		w.pick("login")
		w.write("first secret")
		w.press("tab")
		w.write("second secret")
		w.press("ctrl+s")
		w.gets(`"arguments":{"p":"first secret","q":"second secret"}`)
		if !sameValues(w.b.concealed, []secret.Value{{Name: "p", Text: "first secret"}, {Name: "q", Text: "second secret"}}) {
			t.Errorf("concealed %q", w.b.concealed)
		}
	})
}
