package chosen

import (
	"strings"
	"testing"

	"belay/session"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
)

// harness is the screen with a call that is selected.
type harness struct {
	*paneltest.Host
	call session.CallID
}

func (w *harness) Screen() panel.Screen {
	s := w.Host.Screen()
	s.Chosen = w.call
	return s
}

// does carries out a command of the palette, and returns why it could not be done.
func (w *harness) does(t *testing.T, text string) (why string) {
	t.Helper()
	name, arg, _ := strings.Cut(text, " ")
	for _, b := range Commands() {
		if b.Command != name {
			continue
		}
		if why = b.Disabled(w); why == "" {
			w.Run(b.Run(w, arg))
			w.Settle()
		}
		return why
	}
	t.Fatalf("there is no command %s", name)
	return ""
}

// Each wrong cancel is sent by its name, about the selected call where it is about one.
func TestWrongCancelsAreSentByName(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h}
		w.does(t, "wrong-cancel unknown")
		w.Says("is sent when the connection is ready")
		h.Connect(paneltest.Initialized)
		w.does(t, "wrong-cancel type")
		w.Says("no call is selected")
		w.does(t, "wrong-cancel")
		w.Says("type :wrong-cancel and how: unknown, twice, after, type, no-params, no-id, object-id")
		w.does(t, "wrong-cancel rude")
		w.Says("type :wrong-cancel and how")
		if n := h.Got("notifications/cancelled"); n != 0 {
			t.Fatalf("%d cancels were sent", n)
		}
		w.call = h.Call("slow")
		id := h.Last("tools/call")
		for kind, want := range map[string]string{
			"unknown": `"requestId":2147483647`, "type": `"requestId":"` + id + `"`, "no-params": `"method":"notifications/cancelled"}`,
			"no-id": `"params":{"reason"`, "object-id": `"requestId":{}`,
		} {
			w.does(t, "wrong-cancel "+kind)
			w.Says("a wrong cancel, on purpose: ")
			if h.Got(want) != 1 {
				t.Errorf("%s: %q", kind, h.Wrote[len(h.Wrote)-1])
			}
		}
		w.does(t, "wrong-cancel twice")
		w.Says("no cancel of")
		w.does(t, "wrong-cancel after")
		w.Says("was not answered")
		if h.Row(w.call).State != session.Running {
			t.Errorf("the call is %v", h.Row(w.call).State)
		}
	})
}

// Over HTTP the refusal says whose server it would have to be, and what says so.
func TestWrongCancelsOfASharedServer(t *testing.T) {
	refusal := &session.Refusal{Code: session.RefuseShared, Text: "no", Remedy: session.Remedy{Kind: session.RemedyOwnServer}}
	if got := string(panel.Error(refusal).Text); got != "no; --i-own-this-server says that it is yours" {
		t.Errorf("%q", got)
	}
}

// The clocks of a running call begin anew; of another one there is nothing to extend.
func TestExtend(t *testing.T) {
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h}
		h.Connect(paneltest.Initialized)
		if why := w.does(t, "extend"); why != "no running call is selected" {
			t.Errorf("%q", why)
		}
		w.call = h.Call("slow")
		w.does(t, "extend")
		w.Says("begin anew")
		h.Answer("tools/call", `{"content":[]}`)
		if why := w.does(t, "extend"); why != "no running call is selected" {
			t.Errorf("%q", why)
		}
	})
}
