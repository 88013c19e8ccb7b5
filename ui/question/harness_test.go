package question

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/secret"
	"belay/ui/beside"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/server"
)

// outside is what the panel needs from outside.
type outside struct {
	opened    []string // addresses that the browser got
	openErr   error
	start     server.Start
	files     map[string]string
	concealed []secret.Value
}

func (o *outside) OpenURL(url string) error {
	o.opened = append(o.opened, url)
	return o.openErr
}

func (o *outside) Read(name string) ([]byte, error) {
	data, ok := o.files[name]
	if !ok {
		return nil, errors.New("there is no such file")
	}
	return []byte(data), nil
}

func (o *outside) Command() server.Start          { return o.start }
func (o *outside) Now() time.Time                 { return time.Now() }
func (o *outside) Conceal(values ...secret.Value) { o.concealed = append(o.concealed, values...) }

// harness is the panel on a screen of its own.
type harness struct {
	*paneltest.Host
	*paneltest.Keys[*Panel]
	p       *Panel
	outside *outside
}

// run runs a test with the panel and a server that has connected.
func run(t *testing.T, width, height int, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, width, height, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h, outside: &outside{start: server.Start{Argv: []string{"/opt/demo-server", "--stdio"}}, files: map[string]string{}}}
		values := beside.NewValues(h.T.Context(), h, w.outside)
		w.p = New(h, w.outside, values)
		w.Keys = paneltest.KeysOf(h, w.p, slices.Concat(Bindings(), SamplingBindings(), Commands()))
		h.Update = func(msg tea.Msg) (tea.Cmd, bool) {
			if cmd, taken := w.p.Update(msg); taken {
				return cmd, true
			}
			return values.Update(msg)
		}
		h.Frame = func() tea.Cmd {
			var all []session.QuestionView
			h.View(func(s *session.Session) { all = s.Questions() })
			return tea.Batch(w.p.Notice(all), w.p.Read(h.T.Context()))
		}
		h.Connect(paneltest.Initialized)
		f(w)
	})
}

// asksForm is a question with one field; it waits until the panel takes keys.
func (w *harness) asksForm(id, message string) {
	w.Feed(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"message":%s,"requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}`, paneltest.JSON(id), paneltest.JSON(message))
	w.Wait(panel.GuardMost)
}

func (w *harness) asksURL(id, url string) {
	w.Feed(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"mode":"url","message":"Log in, please.","elicitationId":"e1","url":%s}}`, paneltest.JSON(id), paneltest.JSON(url))
	w.Wait(panel.GuardMost)
}

func (w *harness) asksModel(id, text string) {
	w.Feed(`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"maxTokens":50,"messages":[{"role":"user","content":{"type":"text","text":%s}}]}}`, paneltest.JSON(id), paneltest.JSON(text))
	w.Wait(panel.GuardMost)
}

func (w *harness) withdraws(id, reason string) {
	w.Feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":%s}}`, paneltest.JSON(id), paneltest.JSON(reason))
}

// answers counts what the server got for a question of its own.
func (w *harness) answers(id string) int { return w.Got(fmt.Sprintf(`"id":%q`, id)) }

// other is a panel that has nothing to do with questions.
type other struct{ panel.Panel }

func (other) Scope() keymap.Scope            { return 0 }
func (other) Draw(*panel.Frame) *image.Point { return nil }

// hold keeps what comes back from commands.
func hold(late *[]any) func(tea.Msg) (tea.Cmd, bool) {
	return func(msg tea.Msg) (tea.Cmd, bool) {
		*late = append(*late, msg)
		return nil, true
	}
}
