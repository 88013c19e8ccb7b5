package rebuild

import (
	"strings"
	"testing"

	"belay/session"
	"belay/ui/panel/paneltest"
)

// offers fails unless the offer has the text; empty: unless there is none.
func offers(t *testing.T, o *Offer, when, text string) {
	t.Helper()
	if got := string(o.Words()); text == "" && got != "" || !strings.Contains(got, text) {
		t.Errorf("%s: the offer is %q, want %q", when, got, text)
	}
}

// A change offers a restart, until it is declined, and again with the next change; not while a call
// or a question waits, but when that is over.
func TestARestartIsOffered(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		h.Connect(paneltest.Initialized, `{"tools":[]}`, `{"prompts":[]}`, `{"resources":[]}`, `{"resourceTemplates":[]}`)
		o := New(h)
		leave := Bindings()[0]
		change := func(paths ...string) {
			if _, taken := o.Update(Changed{paths}); !taken {
				t.Fatal("a change was not taken")
			}
		}
		offers(t, o, "before a change", "")
		if why := leave.Reason(o); !strings.Contains(why, "no restart is offered") {
			t.Errorf("L: %q", why)
		}
		change("/src/server.py")
		offers(t, o, "changed", "server.py has changed: R restarts the server, L leaves it as it is")
		change("/src/server.py", "/src/a b\x1b[2J", "/src/c")
		offers(t, o, "more changed", "server.py and 2 other files have changed")

		reply, err := h.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`)}})
		if err != nil {
			t.Fatal(err)
		}
		h.Settle()
		offers(t, o, "a call is in flight", "")
		change("/src/during")
		offers(t, o, "a change during a call", "")
		h.Answer("tools/call", `{"content":[]}`)
		offers(t, o, "the call is over", "server.py and 3 other files")
		if reply.Call == 0 {
			t.Error("there was no call")
		}
		if why := leave.Reason(o); why != "" {
			t.Errorf("L: %q", why)
		}
		leave.Run(o, "")
		offers(t, o, "declined", "")
		change("/src/\x1b[2J")
		offers(t, o, "the next change", "\" has changed")
		if strings.ContainsRune(string(o.Words()), '\x1b') {
			t.Errorf("%q", o.Words())
		}
	})
}

// A server that was started since a file changed has the change: nothing is offered any more.
func TestAServerStartedSince(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		o := New(h)
		o.Update(Changed{[]string{"/src/server.py"}})
		offers(t, o, "changed", "server.py has changed")
		o.epoch--
		offers(t, o, "another server", "")
		o.Update(Changed{[]string{"/src/main.py"}})
		offers(t, o, "changed since", "main.py has changed")
	})
}
