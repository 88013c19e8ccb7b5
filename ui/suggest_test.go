package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/secret"
	"belay/ui/compose"
)

// completing is a connection to a server with a prompt of two arguments.
func completing(t *testing.T, revision, capabilities string, f func(w *harness)) {
	t.Helper()
	run(t, 100, 30, Options{}, func(w *harness) {
		w.handshakeWith(fmt.Sprintf(`{"protocolVersion":"%s","serverInfo":{"name":"demo","version":"1"},"capabilities":{%s"tools":{},"prompts":{},"resources":{}}}`, revision, capabilities))
		f(w)
	})
}

const completions = `"completions":{},`

// openReview opens the form of the prompt "review".
func (w *harness) openReview() {
	w.press("n")
	w.write("review")
	w.press("enter")
	w.sees(`prompts/get "review"`)
}

// suggests answers the latest question about an argument.
func (w *harness) suggests(result string) { w.result(w.last("completion/complete"), result) }

// The server is asked when typing pauses, an older question is cancelled, and
// no answer is asked for twice.
func TestSuggestionsFollowTheTyping(t *testing.T) {
	requirements.Rows(t, "SRV-32", "SRV-33")
	completing(t, "2025-11-25", completions, func(w *harness) {
		w.openReview()
		w.wait(compose.SuggestPause + 50*time.Millisecond)
		w.suggests(`{"completion":{"values":[]}}`)
		before := w.got("completion/complete")
		for _, r := range "python-the" { // ten letters, fast
			w.write(string(r))
			time.Sleep(50 * time.Millisecond)
			w.settle()
		}
		if n := w.got("completion/complete") - before; n != 0 {
			t.Errorf("%d requests while typing", n)
		}
		w.wait(compose.SuggestPause)
		w.gets(`"params":{"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"code","value":"python-the"}}`)
		w.write("n")
		w.wait(compose.SuggestPause + 50*time.Millisecond) // the first one is not answered yet
		w.gets(`"value":"python-then"`)
		if w.got("notifications/cancelled") != 1 {
			t.Error("the question before was not cancelled")
		}
		w.suggests(`{"completion":{"values":["python-then-what","python-thence"]}}`)
		w.sees("ctrl+n takes one", "python-thence")
		w.golden("suggestions")
		w.press("backspace")
		w.wait(time.Second)
		w.suggests(`{"completion":{"values":["python-the-snake"]}}`)
		asked := w.got("completion/complete")
		w.write("n")
		w.sees("python-thence") // it was answered before
		w.wait(time.Second)
		if n := w.got("completion/complete"); n != asked {
			t.Errorf("%d requests for what was answered already", n-asked)
		}
	})
}

// ctrl+n and ctrl+p put a suggestion into the field; nothing else does, and
// typing goes on meanwhile.
func TestASuggestionIsTaken(t *testing.T) {
	completing(t, "2025-11-25", completions, func(w *harness) {
		w.openReview()
		w.write("py")
		w.wait(300 * time.Millisecond)
		w.suggests(`{"completion":{"values":["python","pyramid","pypy"],"hasMore":true}}`)
		w.sees("3 and more")
		asked := w.got("completion/complete")
		w.press("ctrl+n", "ctrl+n")
		w.sees(" pyramid")
		w.press("ctrl+p")
		w.wait(time.Second)
		if n := w.got("completion/complete"); n != asked {
			t.Error("a suggestion that was taken was asked about")
		}
		w.press("ctrl+s")
		w.gets(`"params":{"name":"review","arguments":{"code":"python"}`)
	})
}

// Answers that are odd, hostile, too long or errors hold nothing up.
func TestOddSuggestions(t *testing.T) {
	requirements.Rows(t, "SRV-34", "SRV-54", "SRV-55", "ERR-17")
	many := strings.Repeat(`"v",`, 499) + `"last"`
	for answer, want := range map[string]string{
		`"result":{"completion":{"values":["a"]}}`:             " a",
		`"result":{"completion":{"values":[],"hasMore":true}}`: "",
		`"result":{}`: "",
		`"result":{"completion":{"values":[1,null,"b"],"total":-4}}`:              " b",
		`"result":{"completion":{"values":["\u001b[2Jx\u202e"]}}`:                 "⟨ESC⟩[2Jx⟨U+202E⟩",
		`"result":{"completion":{"values":[` + many + `]}}`:                       "100 and more",
		`"result":{"completion":{"values":null}}`:                                 "",
		`"result":{"completion":7}`:                                               "the answer is no list of values",
		`"error":{"code":-32602,"message":"bad"}`:                                 "unknown reference, or a missing argument",
		`"error":{"code":-32603,"message":"bad"}`:                                 "internal error of the server",
		`"error":{"code":-32601,"message":"Method not found"}`:                    "the server does not know this method",
		`"result":{"completion":{"values":["` + strings.Repeat("w", 900) + `"]}}`: "www",
	} {
		completing(t, "2025-11-25", completions, func(w *harness) {
			w.openReview()
			w.write("x")
			w.wait(300 * time.Millisecond)
			w.feed(`{"jsonrpc":"2.0","id":%d,%s}`, w.last("completion/complete"), answer)
			if want != "" {
				w.sees(want)
			}
			look(t, w, 100, 30, answer[:min(60, len(answer))])
			w.write("yz")
			w.sees(" xyz")
			w.press("ctrl+s")
			w.gets(`"arguments":{"code":"xyz"}`)
		})
	}
	completing(t, "2025-11-25", completions, func(w *harness) {
		w.openReview()
		w.send(pasted(strings.Repeat("x", 10<<10)))
		w.wait(time.Second)
		w.gets(`"value":"` + strings.Repeat("x", compose.SuggestTyped) + `"`)
	})
	completing(t, "2025-11-25", completions, func(w *harness) {
		w.openTwo()
		w.send(pasted(strings.Repeat("é", 10<<10)))
		w.press("tab")
		w.write("f")
		w.wait(time.Second)
		w.gets(`"context":{"arguments":{"language":"` + strings.Repeat("é", compose.SuggestTyped) + `"}}}`)
		w.press("ctrl+s") // what is sent is whole
		w.gets(`"arguments":{"language":"` + strings.Repeat("é", 10<<10) + `","framework":"f"}`)
	})
}

// openTwo opens the form of a prompt with two arguments.
func (w *harness) openTwo() {
	w.command("reload")
	w.result(w.last("prompts/list"), `{"prompts":[{"name":"two","arguments":[{"name":"language"},{"name":"framework"}]}]}`)
	w.press("n")
	w.write("two")
	w.press("enter")
}

// The same text asks once for one argument, and once more for another one and for
// another login.
func TestSuggestionsAreKeptForTheirQuestion(t *testing.T) {
	requirements.Rows(t, "SRV-33")
	completing(t, "2025-03-26", completions, func(w *harness) {
		asked := 0
		types := func(more int, when string) {
			t.Helper()
			w.write("py")
			w.wait(time.Second)
			if asked += more; w.got("completion/complete") != asked {
				t.Fatalf("%s: %d requests, want %d", when, w.got("completion/complete"), asked)
			}
			if more > 0 {
				w.suggests(`{"completion":{"values":["python"]}}`)
			}
			w.sees("ctrl+n takes one")
			w.press("backspace", "backspace")
		}
		w.openTwo()
		types(1, "the first time")
		types(0, "the same again")
		w.press("tab")
		types(1, "another argument")
		types(0, "the same again")
		w.b.tell(session.LoggedOut{})
		w.settle()
		types(1, "another login")
	})
}

// What the server declares decides whether it is asked; the first revision had
// nothing to declare, and is asked until it says that it cannot.
func TestWhoIsAskedForSuggestions(t *testing.T) {
	requirements.Rows(t, "SRV-36")
	for _, tt := range []struct {
		revision, capabilities string
		requests               int
	}{
		{"2025-11-25", "", 0}, {"2025-03-26", "", 0}, {"2025-03-26", completions, 2}, {"2024-11-05", "", 1},
	} {
		completing(t, tt.revision, tt.capabilities, func(w *harness) {
			w.openReview()
			for _, text := range []string{"a", "b"} {
				w.write(text)
				w.wait(time.Second)
				if w.got("completion/complete") > 0 {
					w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"no"}}`, w.last("completion/complete"),
						map[string]int{"2024-11-05": -32601, "2025-03-26": -32602}[tt.revision])
				}
			}
			if n := w.got("completion/complete"); n != tt.requests {
				t.Errorf("%s with %q: %d requests, want %d", tt.revision, tt.capabilities, n, tt.requests)
			}
			w.seesNot("not found")
			if tt.revision == "2024-11-05" {
				w.seesNot("no suggestions")
			}
		})
	}
}

// The arguments that are filled in already go with the question, from the
// revision on that knows them; templates are asked about like prompts.
func TestSuggestionsKnowTheOtherArguments(t *testing.T) {
	requirements.Rows(t, "SRV-35")
	for revision, want := range map[string]string{
		"2025-11-25": `"argument":{"name":"framework","value":"f"},"context":{"arguments":{"language":"go"}}}`,
		"2025-03-26": `"argument":{"name":"framework","value":"f"}}`,
	} {
		completing(t, revision, completions, func(w *harness) {
			w.openTwo()
			w.write("go")
			w.press("tab")
			w.write("f")
			w.wait(time.Second)
			w.gets(want)
		})
	}
	completing(t, "2025-11-25", completions, func(w *harness) {
		w.press("n")
		w.write("file")
		w.press("enter")
		w.write("rea")
		w.wait(time.Second)
		w.gets(`"params":{"ref":{"type":"ref/resource","uri":"demo://files/{name}"},"argument":{"name":"name","value":"rea"}}`)
		w.suggests(`{"completion":{"values":["readme"]}}`)
		w.press("ctrl+n", "ctrl+s")
		w.gets(`"method":"resources/read","params":{"uri":"demo://files/readme"`)
	})
}

// A secret goes to the server when the user sends it: no beginning of it is asked about
// while it is typed, when no recording masks it yet, and no other question tells it.
func TestSuggestionsTellNoSecret(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	completing(t, "2025-11-25", completions, func(w *harness) {
		w.command("reload")
		w.result(w.last("prompts/list"), `{"prompts":[{"name":"login","arguments":[{"name":"p","title":"Your password"},{"name":"api_key"},{"name":"user"},{"name":"host"}]}]}`)
		w.press("n")
		w.write("login")
		w.press("enter")
		before := w.got("completion/complete")
		for _, typed := range []string{"hunter2", "wombat7"} {
			w.write(typed[:4])
			w.wait(time.Second)
			w.write(typed[4:])
			w.wait(time.Second)
			w.press("tab")
		}
		if n := w.got("completion/complete") - before; n != 0 {
			t.Errorf("%d questions while secrets were typed", n)
		}
		w.write("me")
		w.wait(time.Second)
		w.gets(`"argument":{"name":"user","value":"me"}}`)
		w.press("tab")
		w.write("h")
		w.wait(time.Second)
		w.gets(`"argument":{"name":"host","value":"h"},"context":{"arguments":{"user":"me"}}}`)
		if w.got("hunt") > 0 || w.got("womb") > 0 {
			t.Error("a secret that was typed went out before it was sent")
		}
		w.press("ctrl+s")
		w.gets(`"arguments":{"p":"hunter2","api_key":"wombat7","user":"me","host":"h"}`)
		if want := []secret.Value{{Name: "api_key", Text: "wombat7"}, {Name: "p", Text: "hunter2"}}; !sameValues(w.b.concealed, want) {
			t.Errorf("concealed %q", w.b.concealed)
		}
	})
}

// The list stays in the form, whatever the values are and whatever is typed: its
// frame and the keys at its foot are seen.
func TestSuggestionsStayInTheForm(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 15}, {100, 30}} {
		completing(t, "2025-11-25", completions, func(w *harness) {
			w.send(resized(size[0], size[1]))
			w.openReview()
			w.wait(compose.SuggestPause + 50*time.Millisecond)
			long := strings.Repeat("日本", 150)
			w.suggests(fmt.Sprintf(`{"completion":{"values":[%q,"two\nlines",%q,"a","b","c","d","e"]}}`, long, strings.Repeat("word ", 60)))
			w.golden(fmt.Sprintf("suggestions-long-%d", size[0]))
			w.press("ctrl+n") // the cursor is far away now, and the list is where it was
			w.wait(compose.SuggestPause + 50*time.Millisecond)
			w.golden(fmt.Sprintf("suggestions-far-%d", size[0]))
			w.sees("ctrl+n takes one", "ctrl+s send", "esc back")
		})
	}
}

// What is asked for suggestions does not take the selection from the calls.
func TestSuggestionsLeaveTheSelection(t *testing.T) {
	completing(t, "2025-11-25", completions, func(w *harness) {
		before := w.m.calls.Chosen()
		w.openReview()
		w.write("py")
		w.wait(compose.SuggestPause + 50*time.Millisecond)
		w.gets("completion/complete")
		if w.m.calls.Chosen() != before {
			t.Errorf("the selection went from %d to %d", before, w.m.calls.Chosen())
		}
	})
}
