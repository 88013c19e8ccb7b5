package ui

import (
	"slices"
	"strings"
	"testing"

	"belay/session/secret"
)

// What is typed into fields that look like secrets, by name, title or format, is
// masked in recordings before it is sent.
func TestTypedSecretsAreConcealed(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"Password"},"b":{"type":"string"}}}}}`)
		w.quiet()
		w.sees(`! it asks for what looks like a secret: "a"`)
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

// A name that is encoded as in an address is warned of, and masked, as the name is.
func TestSecretsWithEncodedNamesAreConcealed(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForOne(`{"type":"object","properties":{"api%5Fkey":{"type":"string"},"page%5Fsize":{"type":"string"}}}`)
		w.quiet()
		w.sees(`! it asks for what looks like a secret: "api%5Fkey"; a form`)
		w.write("hunter2")
		w.press("tab")
		w.write("12")
		w.press("ctrl+s", "ctrl+s")
		w.gets(`"content":{"api%5Fkey":"hunter2","page%5Fsize":"12"}`)
		if want := []secret.Value{{Name: "api%5Fkey", Text: "hunter2"}}; !sameValues(w.b.concealed, want) {
			t.Errorf("concealed %q, want %q", w.b.concealed, want)
		}
	})
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

// What answers a question as a command is masked as what was filled in is, also where
// the question was never opened, and however long it is.
func TestCommandsConcealSecrets(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"string","title":"Password"},"b":{"type":"string"}}}`
	for _, long := range []string{"", strings.Repeat("x", 40_000)} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.press(":") // and no question opens over it
			w.asksForOne(schema)
			w.pastes(`answer {"action":"accept","content":{"a":"hunter2","b":"` + long + `"}}`)
			w.press("enter")
			w.settle()
			w.gets(`"content":{"a":"hunter2","b":"` + long + `"}`)
			if want := []secret.Value{{Name: "a", Text: "hunter2"}}; !sameValues(w.b.concealed, want) {
				t.Errorf("concealed %.100q", w.b.concealed)
			}
		})
	}
}

// Arguments of tools are masked by the title and the format of their fields, too.
func TestTypedArgumentsAreConcealed(t *testing.T) {
	const tools = `{"tools":[{"name":"login","inputSchema":{"type":"object","properties":{"p":{"type":"string","format":"password"},"q":{"type":"string","title":"API key"}}}}]}`
	offering(t, 100, 30, Options{}, tools, func(w *harness) {
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

// A question's fields that came after it was opened are secrets like others.
func TestTypedSecretsOfAddedFieldsAreConcealed(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"string","writeOnly":true}}}}}}`)
		w.quiet()
		w.b.edit = func(string, string) (string, error) { return `{"a":{"k":"hunter2"}}`, nil }
		w.press("ctrl+t", "ctrl+o", "ctrl+s")
		w.sees("looks like a secret")
		w.getsNothingFor("q1")
		w.press("ctrl+s")
		w.gets(`"content":{"a":{"k":"hunter2"}}`)
		if want := []secret.Value{{Name: "k", Text: "hunter2"}}; !sameValues(w.b.concealed, want) {
			t.Errorf("concealed %q", w.b.concealed)
		}
	})
}

// sendsLong presses ctrl+s, and keeps what is filled in from being looked through for
// secrets, once the schema has judged it. What is returned lets that be done.
func (w *harness) sendsLong() (release func()) {
	gate := make(chan struct{})
	w.m.values.First = func() { <-gate }
	w.press("ctrl+s")
	if strings.Contains(w.screen(), "checked by the schema") {
		gate <- struct{}{}
		w.settle()
	}
	w.sees("being looked through for secrets")
	return func() {
		w.m.values.First = nil
		close(gate)
		w.settle()
	}
}

// What is long is looked through beside the screen, whose keys work meanwhile, and it
// is sent when a recording masks it, and not before. What was changed is not sent.
func TestALongContentIsConcealedBesideTheScreen(t *testing.T) {
	const schema = `{"type":"object","properties":{"p":{"type":"string","writeOnly":true},"q":{"type":"string"}}}`
	long := strings.Repeat("lorem ipsum ", 10_000)
	want := []secret.Value{{Name: "p", Text: "hunter2"}}
	fill := func(w *harness) {
		w.write("hunter2")
		w.press("tab")
		w.pastes(long)
	}
	offering(t, 100, 30, Options{}, `{"tools":[{"name":"login","inputSchema":`+schema+`}]}`, func(w *harness) {
		w.pick("login")
		fill(w)
		release := w.sendsLong()
		if len(w.b.concealed) > 0 || w.got("hunter2") > 0 {
			t.Fatalf("concealed %q on the screen's loop, and sent %d", w.b.concealed, w.got("hunter2"))
		}
		w.press("x") // typed at the end
		release()
		w.sees("not sent: it was changed")
		if w.got("hunter2") > 0 {
			t.Error("what was changed is sent")
		}
		w.press("backspace")
		w.sendsLong()()
		w.gets(`"arguments":{"p":"hunter2","q":"lorem ipsum`)
		if !slices.Contains(w.b.concealed, want[0]) || slices.ContainsFunc(w.b.concealed, func(v secret.Value) bool { return v != want[0] }) {
			t.Errorf("concealed %q", w.b.concealed)
		}
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForOne(schema)
		w.quiet()
		fill(w)
		w.press("ctrl+s")
		w.sees("looks like a secret")
		release := w.sendsLong()
		w.getsNothingFor("q1")
		release()
		w.gets(`"content":{"p":"hunter2","q":"lorem ipsum`)
		if !sameValues(w.b.concealed, want) {
			t.Errorf("concealed %q", w.b.concealed)
		}
	})
}
