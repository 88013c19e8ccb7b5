package attention

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel/paneltest"
)

// harness is a teller, and the notifications that it has made.
type harness struct {
	*paneltest.Host
	t    *Teller
	told []string
}

func run(t *testing.T, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, 80, 24, session.Config{Idle: -1, Max: -1}, func(h *paneltest.Host) {
		w := &harness{Host: h}
		w.t = New(h, func(words safe.Text) string { return string(words) })
		h.Update = func(msg tea.Msg) (tea.Cmd, bool) {
			if raw, ok := msg.(tea.RawMsg); ok {
				w.told = append(w.told, fmt.Sprint(raw.Msg))
			}
			return nil, true
		}
		h.Frame = w.t.Follow
		h.Connect(paneltest.Initialized, `{"tools":[]}`, `{"prompts":[]}`, `{"resources":[]}`, `{"resourceTemplates":[]}`)
		f(w)
	})
}

func (w *harness) call(name string) {
	w.T.Helper()
	if _, err := w.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":` + paneltest.JSON(name) + `,"arguments":{}}`)}}); err != nil {
		w.T.Fatal(err)
	}
	w.Settle()
}

// tells fails unless exactly these notifications were made since the last look.
func (w *harness) tells(when string, want ...string) {
	w.T.Helper()
	if len(w.told) != len(want) {
		w.T.Errorf("%s: told %q, want %q", when, w.told, want)
		return
	}
	for i := range want {
		if !strings.Contains(w.told[i], want[i]) {
			w.T.Errorf("%s: told %q, want %q", when, w.told, want)
		}
	}
	w.told = nil
}

// The end of a call of a minute is told, once, and that of a shorter one is not; names of the
// server's are quoted and short.
func TestTheEndOfALongCallIsTold(t *testing.T) {
	run(t, func(w *harness) {
		w.call("quick")
		w.Wait(Long - time.Second)
		w.Answer("tools/call", `{"content":[]}`)
		w.tells("a quick call")
		w.call("slow")
		w.Wait(Long)
		w.tells("while it runs")
		w.Answer("tools/call", `{"content":[]}`)
		w.tells("its end", "belay: slow done after 1m")
		w.Settle()
		w.tells("again")
		w.call(paneltest.Hostile)
		w.Wait(Long)
		w.Answer("tools/call", `{"content":[],"isError":true}`)
		if len(w.told) != 1 || strings.ContainsAny(w.told[0], "\x1b\a\n\u009c") || len([]rune(w.told[0])) > wordsMost+20 || !strings.Contains(w.told[0], `"`) {
			t.Errorf("told %q", w.told)
		}
	})
}

// A question during a long call is told, and one during a short call is not.
func TestAQuestionOfALongCallIsTold(t *testing.T) {
	const asks = `{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"message":"now?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`
	run(t, func(w *harness) {
		w.call("slow")
		w.Feed(asks, 1)
		w.tells("at once")
		w.Wait(Long)
		w.tells("it waits still")
		w.Feed(asks, 2)
		w.tells("the second", "belay: the server asks you something, while slow is in flight")
	})
}

// Nobody is told who looks at the terminal, as far as the terminal says so; and nobody without
// being asked for.
func TestNobodyIsToldWhoLooks(t *testing.T) {
	run(t, func(w *harness) {
		for _, c := range []struct {
			msg  tea.Msg
			want []string
		}{{tea.FocusMsg{}, nil}, {tea.BlurMsg{}, []string{"slow done"}}} {
			w.t.Update(c.msg)
			w.call("slow")
			w.Wait(Long)
			w.Answer("tools/call", `{"content":[]}`)
			w.tells(fmt.Sprintf("%T", c.msg), c.want...)
		}
		w.t.notify = nil
		w.call("slow")
		w.Wait(Long)
		w.Answer("tools/call", `{"content":[]}`)
		w.tells("without --notify")
		if w.t.Notifies() {
			t.Error("the terminal is asked for its focus for nothing")
		}
	})
}

// A terminal that shows the state of programs gets that of belay; any other gets nothing.
func TestTheStateOfBelay(t *testing.T) {
	run(t, func(w *harness) {
		if s := w.t.Status(false); s != nil {
			t.Errorf("told a terminal that did not ask: %+v", s)
		}
		if _, taken := w.t.Update(tea.ProgramStatusSupportMsg{}); !taken {
			t.Error("what the terminal says is not taken")
		}
		is := func(when string, login bool, want tea.ProgramState, kind tea.ProgramStatusKind) {
			t.Helper()
			if s := w.t.Status(login); s.State != want || s.Kind != kind || s.App != "belay" || s.Title+s.Message != "" {
				t.Errorf("%s: %+v", when, s)
			}
		}
		is("at first", false, tea.ProgramStateIdle, "")
		w.call("slow")
		is("a call", false, tea.ProgramStateWorking, "")
		is("a login", true, tea.ProgramStateBlocked, tea.ProgramStatusKindAuth)
		w.Feed(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"now?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`)
		is("a question", false, tea.ProgramStateBlocked, tea.ProgramStatusKindQuestion)
		w.Feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}`)
		w.Answer("tools/call", `{"content":[]}`)
		is("over", false, tea.ProgramStateDone, "")
	})
}
