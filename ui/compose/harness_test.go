package compose

import (
	"fmt"
	"image"
	"slices"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/secret"
	"belay/ui/beside"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
)

// harness is a composer on a screen of its own. It is the backend of the values, too.
type harness struct {
	*paneltest.Host
	c         *Composer
	concealed []secret.Value

	mu         sync.Mutex       // of the memory, which is asked beside the screen
	sets       map[string][]Set // that are kept, by method and name
	remembered []string         // method, name, arguments and the names of secrets
	failing    error            // of keeping arguments
	forgetful  string
	absent     string
	disk       chan struct{} // until it is closed, nothing is read; nil: nothing waits
	suggests   bool          // the frame follows what is typed
}

func (w *harness) Conceal(values ...secret.Value) { w.concealed = append(w.concealed, values...) }

func (w *harness) Earlier(method, name string) ([]Set, error) {
	if w.disk != nil {
		<-w.disk
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sets[method+" "+name], w.failing
}

func (w *harness) Remember(method, name string, arguments []byte, secrets []string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remembered = append(w.remembered, fmt.Sprint(method, " ", name, " ", string(arguments), " ", secrets))
	return w.failing
}

func (w *harness) Forget() (sets int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sets {
		sets += len(s)
	}
	w.sets = nil
	return sets, w.failing
}

func (w *harness) Forgetful() string { return w.forgetful }

func (w *harness) Absent() string { return w.absent }

const (
	tools = `{"tools":[
 {"name":"countdown","description":"Counts down.","inputSchema":{"type":"object","required":["seconds"],"properties":{"seconds":{"type":"integer","minimum":1},"label":{"type":"string"}}}},
 {"name":"stubborn","description":"Goes on.","inputSchema":{"type":"object"}}]}`
	prompts   = `{"prompts":[{"name":"review","description":"Reviews code.","arguments":[{"name":"code","required":true},{"name":"apiKey"}]}]}`
	resources = `{"resources":[{"name":"readme","uri":"demo://readme","mimeType":"text/plain"}]}`
	templates = `{"resourceTemplates":[{"name":"file","uriTemplate":"demo://files/{name}"}]}`
)

func run(t *testing.T, width, height int, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, width, height, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h}
		values := beside.NewValues(h.T.Context(), h, w)
		w.c = New(h, values, w)
		h.Update = func(msg tea.Msg) (tea.Cmd, bool) {
			if cmd, taken := w.c.Update(msg); taken {
				return cmd, true
			}
			return values.Update(msg)
		}
		h.Frame = func() tea.Cmd {
			h.View(w.c.Pull)
			cmd := w.c.Read(h.T.Context())
			if w.suggests {
				cmd = tea.Batch(cmd, w.c.Suggest())
			}
			return cmd
		}
		h.Connect(paneltest.Initialized, tools, prompts, resources, templates)
		f(w)
	})
}

// picker opens the list of what can be called.
func (w *harness) picker() (*Picker, *paneltest.Keys[*Picker]) {
	w.T.Helper()
	w.Run(w.c.Open())
	p, ok := w.Top().(*Picker)
	if !ok {
		w.T.Fatalf("over the panes lies a %T", w.Top())
	}
	return p, paneltest.KeysOf(w.Host, p, PickerBindings())
}

// form opens the form of what a text finds first.
func (w *harness) form(text string) (*Form, *paneltest.Keys[*Form]) {
	w.T.Helper()
	_, keys := w.picker()
	keys.Type(text)
	keys.Press("alt+enter")
	f, ok := w.Top().(*Form)
	if !ok {
		w.T.Fatalf("%s: over the panes lies a %T; %s", text, w.Top(), w.Said())
	}
	return f, paneltest.KeysOf(w.Host, f, slices.Concat(SendBindings(), FormBindings()))
}

// made are the calls that the screen was asked to make.
func (w *harness) made() (specs []session.CallSpec) {
	for _, c := range paneltest.Wished[panel.Call](w.Host) {
		specs = append(specs, c.Spec)
	}
	return specs
}

// agree has the screen agree to the last call, and make it.
func (w *harness) agree() {
	calls := paneltest.Wished[panel.Call](w.Host)
	last := calls[len(calls)-1]
	last.Made()
	w.Run(last.After)
}

// drawn is the screen with everything that lies on it, and what is suggested.
func (w *harness) drawn() string {
	return w.Paint(func(f *panel.Frame) (cursor *image.Point) {
		for _, p := range w.Stack {
			if cursor = p.Draw(f); cursor != nil {
				w.c.DrawSuggestions(f, *cursor)
			}
		}
		return cursor
	})
}

// relist has the server offer other tools from now on.
func (w *harness) relist(tools string) {
	w.T.Helper()
	was := w.Last("tools/list")
	w.Feed(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	w.Wait(time.Second)
	if w.Last("tools/list") == was {
		w.T.Fatal("the tools were not asked for again")
	}
	w.Answer("tools/list", tools)
}

// offering is run with a server that says and offers other things.
func offering(t *testing.T, init, tools string, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h}
		w.c = New(h, beside.NewValues(h.T.Context(), h, w), w)
		h.Update = w.c.Update
		h.Frame = func() tea.Cmd {
			h.View(w.c.Pull)
			return w.c.Read(h.T.Context())
		}
		h.Connect(init, tools)
		f(w)
	})
}
