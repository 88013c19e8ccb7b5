package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

func TestAFormIsFilledInAndSent(t *testing.T) {
	requirements.Rows(t, "ELI-10", "ELI-11", "ELI-14", "ELI-15", "ELI-19")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "Which branch?\\nQuick!")
		w.quiet()
		w.sees("? asks you", "1 asks you", "demo-server --stdio asks you", `it calls itself "demo"`, `for #6 tools/call "asker"`,
			"┃ Which branch?", "branch*", "a git branch", "ctrl+r decline", "esc dismiss")
		w.write("main")
		w.golden("ask-form")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		w.gets(`{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"branch":"main"}}}`)
		w.sees("answered elicitation/create")
		w.seesNot("? asks you", "1 asks you", "┃ Which branch?")
	})
}

// A server of a config file is called by the name of its entry wherever belay speaks of it;
// what it says of itself is in quotes.
func TestAnEntryIsCalledByItsName(t *testing.T) {
	requirements.Rows(t, "ELI-10", "ELI-11")
	run(t, 80, 24, Options{}, func(w *harness) {
		w.b.entry = "staging"
		w.wait(100 * time.Millisecond)
		w.sees("staging · connecting…")
		w.handshake()
		w.sees("● staging \"demo 1.2.0\"  stdio", "│ staging \"demo 1.2.0\" ")
		w.golden("entry-welcome")
		w.call("asker")
		w.asksForm("q1", "Which branch?")
		w.quiet()
		w.sees(" staging asks you ", `it calls itself "demo"`)
		w.seesNot("demo-server")
		w.golden("entry-asks")
		w.press("esc", "i")
		w.sees(" Server staging ", "entry      staging", `name       "demo"`)
		w.press("esc", "q", "y")
		w.sees("Closing staging")
	})
}

// What is wrong with a form is said, and nothing is sent.
func TestAFormThatIsWrongIsNotSent(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.press("ctrl+s")
		w.sees(`not sent: "branch": `)
		w.getsNothingFor("q1")
	})
}

// Defaults stand in the fields, are said to be the server's, and can be taken
// away.
func TestDefaultsAreFilledIn(t *testing.T) {
	requirements.Rows(t, "ELI-30", "ELI-61")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{` +
			`"tries":{"type":"integer","default":3},"branch":{"type":"string","default":"main"},"force":{"type":"boolean"}}}}}`)
		w.quiet()
		w.golden("ask-defaults")
		w.press("tab", "ctrl+u", "backspace", "ctrl+s")
		w.gets(`"content":{"tries":3}`)
	})
}

func TestEnterNeverSends(t *testing.T) {
	requirements.Rows(t, "ELI-63")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("main")
		for range 7 {
			w.press("enter")
		}
		w.getsNothingFor("q1")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"main"}`)
	})
}

// Declining, dismissing and a withdrawal are three things; only the first two
// are answers (ELI-22).
func TestDecliningAndDismissingAreTwoThings(t *testing.T) {
	requirements.Rows(t, "ELI-17", "ELI-22", "ELI-59", "SMP-32", "SMP-42")
	for _, tt := range []struct {
		key, method, want string
		as                session.QuestionState
	}{
		{"ctrl+r", "form", `"id":"q1","result":{"action":"decline"}}`, session.Declined},
		{"esc", "form", `"id":"q1","result":{"action":"cancel"}}`, session.Dismissed},
		{"ctrl+r", "url", `"id":"q1","result":{"action":"decline"}}`, session.Declined},
		{"esc", "url", `"id":"q1","result":{"action":"cancel"}}`, session.Dismissed},
		{"ctrl+r", "sampling", `"id":"q1","error":{"code":-1,"message":"User rejected sampling request"}}`, session.Declined},
		{"esc", "sampling", `"id":"q1","error":{"code":-1,"message":"User rejected sampling request"}}`, session.Dismissed},
	} {
		for field := range 3 {
			connected(t, 100, 30, Options{}, func(w *harness) {
				switch tt.method {
				case "form":
					w.asksForm("q1", "?")
				case "url":
					w.asksURL("q1", "https://example.com/")
				default:
					w.asksModel("q1", sayHello+`,"maxTokens":9`)
				}
				w.quiet()
				for range field {
					w.press("tab")
				}
				w.press(tt.key)
				w.gets(tt.want)
				w.sees(tt.as.String() + " ")
				var all []session.QuestionView
				w.b.View(func(s *session.Session) { all = s.Questions() })
				if all[0].State != tt.as {
					t.Errorf("%s of %s: %v", tt.key, tt.method, all[0].State)
				}
				if w.m.modal() != nil {
					t.Errorf("%s of %s: the panel is still open", tt.key, tt.method)
				}
			})
		}
	}
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.withdraws("q1", "")
		w.press("esc")
		w.getsNothingFor("q1")
	})
}

// The commands answer the question that ! would open.
func TestTheCommandsForQuestions(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.press("2") // nothing opens by itself outside of the calls
		for _, tt := range []struct{ command, want string }{
			{`answer {"action":"accept","content":{"any":1}}`, `"id":"q0","result":{"action":"accept","content":{"any":1}}`},
			{"decline", `"id":"q1","result":{"action":"decline"}`},
			{"dismiss", `"id":"q2","result":{"action":"cancel"}`},
		} {
			w.asksForm("q"+string(tt.want[7]), "?")
			w.press(":")
			w.write(tt.command)
			w.press("enter")
			w.gets(tt.want)
		}
		w.press(":")
		w.write("decline")
		w.press("enter")
		w.sees("the server asks nothing")
	})
}

// A server has one name: what the header calls it, a question, the welcome and the server's page
// call it as well.
func TestAServerHasOneName(t *testing.T) {
	run(t, 100, 40, Options{}, func(w *harness) {
		w.handshakeWith(strings.Replace(initResult, `"name":"demo"`, `"name":"the-demo","title":"A demo"`, 1))
		if n := strings.Count(w.screen(), `"A demo 1.2.0"`); n != 2 {
			t.Errorf("the header and the welcome have the name %d times:\n%s", n, w.screen())
		}
		w.seesNot("the-demo")
		w.asksForm("q1", "Which?")
		w.quiet()
		w.sees(`● "A demo 1.2.0"`, `it calls itself "A demo"`)
		w.seesNot("the-demo")
		w.press("esc", "i")
		w.sees(`Server "A demo 1.2.0"`)
	})
}
