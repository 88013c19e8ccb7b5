package fields

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form"
	"belay/session"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
)

// owner is a panel with a form, or with none.
type owner struct {
	host    panel.Host
	view    *formview.View
	entered int
}

func (o *owner) View() *formview.View             { return o.view }
func (o *owner) Scope() keymap.Scope              { return o.view.Scope() }
func (o *owner) Draw(f *panel.Frame) *image.Point { return f.Form(o.view, f.Canvas.All()) }
func (o *owner) Key(k tea.KeyPressMsg) tea.Cmd    { return panel.TypeInto(o.host, o.view, k) }
func (o *owner) Paste(text string) tea.Cmd        { o.view.Paste(text); return nil }
func (o *owner) Close() tea.Cmd                   { return nil }
func (o *owner) Enter() tea.Cmd                   { o.entered++; return nil }
func (o *owner) Step(n int) {
	if !o.view.Next(n) {
		o.view.Edge(n < 0)
	}
}

// run runs a test with the form of a schema's properties.
func run(t *testing.T, properties string, f func(h *paneltest.Host, o *owner, keys *paneltest.Keys[Focus])) {
	t.Helper()
	paneltest.Run(t, 80, 24, session.Config{}, func(h *paneltest.Host) {
		view := formview.Open([]byte(`{"type":"object","properties":{`+properties+`}}`), form.Arguments, h.Screen().Looks)
		o := &owner{host: h, view: view}
		h.Push(o)
		f(h, o, paneltest.KeysOf(h, Focus{Owner: o, Host: h}, slices.Concat(Bindings(), ChoiceBindings())))
	})
}

// value is the value that the form has now.
func (o *owner) value(t *testing.T, want string) {
	t.Helper()
	if got, _, _ := o.view.Value(); string(got) != want {
		t.Errorf("the form holds %s, want %s", got, want)
	}
}

// The keys go from field to field, and around; enter is the owner's.
func TestFromFieldToField(t *testing.T) {
	run(t, `"a":{"type":"string"},"b":{"type":"string"}`, func(_ *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Type("1")
		keys.Press("tab")
		keys.Type("2")
		keys.Press("tab")
		keys.Type("3")
		keys.Press("shift+tab", "up", "down", "down")
		keys.Type("4")
		o.value(t, `{"a":"134","b":"2"}`)
		keys.Press("enter")
		if o.entered != 1 {
			t.Errorf("entered %d times", o.entered)
		}
	})
}

// The arrows go through the lines of a text before they leave it.
func TestLinesBeforeFields(t *testing.T) {
	run(t, `"a":{"type":"string"},"b":{"type":"string"}`, func(_ *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Type("x")
		keys.Press("alt+enter")
		keys.Type("y")
		keys.Press("up")
		keys.Type("1")
		keys.Press("down")
		keys.Type("2")
		keys.Press("down")
		keys.Type("3")
		o.value(t, `{"a":"x1\ny2","b":"3"}`)
	})
}

// What has options is chosen, ticked, found and unset without typing its value.
func TestChoices(t *testing.T) {
	run(t, `"one":{"enum":["slow","fast","fastest"]},"many":{"type":"array","items":{"enum":["x","y"]},"uniqueItems":true}`, func(_ *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Press("right", "right", "left")
		o.value(t, `{"one":"slow"}`)
		keys.Press("space")
		o.value(t, `{"one":"fast"}`)
		keys.Press("backspace")
		o.value(t, `{}`)
		keys.Type("f")
		o.value(t, `{"one":"fast"}`)
		keys.Press("tab", "space")
		o.value(t, `{"one":"fast","many":["x"]}`)
	})
}

// Of many options one is found by a part of its name.
func TestAnOptionIsFound(t *testing.T) {
	var options []string
	for i := range 60 {
		options = append(options, fmt.Sprintf(`"option-%02d"`, i))
	}
	run(t, `"one":{"enum":[`+strings.Join(options, ",")+`]}`, func(_ *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Type("-37")
		o.value(t, `{"one":"option-37"}`)
	})
}

// Items are added, moved and removed; the members of an object are not moved.
func TestItems(t *testing.T) {
	run(t, `"list":{"type":"array","items":{"type":"string"}}`, func(_ *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Press("alt+n")
		keys.Type("a")
		keys.Press("alt+n")
		keys.Type("b")
		o.value(t, `{"list":["a","b"]}`)
		keys.Press("alt+up")
		o.value(t, `{"list":["b","a"]}`)
		keys.Press("alt+down")
		o.value(t, `{"list":["a","b"]}`)
		keys.Press("ctrl+y")
		o.value(t, `{"list":["a"]}`)
	})
	run(t, `"map":{"type":"object","additionalProperties":{"type":"string"}}`, func(h *paneltest.Host, _ *owner, keys *paneltest.Keys[Focus]) {
		keys.Press("alt+n", "alt+up")
		h.Says("the members of an object have no order that matters")
	})
}

// The whole, or one field, is written as JSON; what cannot be shown as fields says why.
func TestAsJSON(t *testing.T) {
	run(t, `"a":{"type":"string"},"n":{"type":"integer"}`, func(h *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Press("ctrl+g")
		if !o.view.IsRaw() {
			t.Fatal("it is no JSON")
		}
		h.Run(o.Paste("{"))
		keys.Press("ctrl+g")
		if !o.view.IsRaw() || h.Said() == "" {
			t.Errorf("broken JSON is shown as fields; %q", h.Said())
		}
		keys.Press("backspace", "ctrl+g", "alt+g")
		h.Run(o.Paste("null"))
		o.value(t, `{"a":null}`)
	})
}

// What has the focus goes to the editor, and what comes back from it into the field.
func TestTheEditor(t *testing.T) {
	run(t, `"a":{"type":"string"}`, func(h *paneltest.Host, o *owner, keys *paneltest.Keys[Focus]) {
		keys.Type("before")
		keys.Press("ctrl+o")
		edits := paneltest.Wished[panel.Edit](h)
		if len(edits) != 1 || edits[0].Text != "before" {
			t.Fatalf("wished %v", edits)
		}
		h.Run(edits[0].Take("after"))
		o.value(t, `{"a":"after"}`)
	})
}

// Where there is no form, nothing has a reason of a form's.
func TestWithoutAForm(t *testing.T) {
	for _, f := range []Focus{{}, {Owner: &owner{}}} {
		for _, b := range slices.Concat(Bindings(), ChoiceBindings()) {
			if why := b.Reason(f); why != "" {
				t.Errorf("%s: %q", b.Name, why)
			}
			if !strings.HasPrefix(b.Group, Group) {
				t.Errorf("%s stands under %q", b.Name, b.Group)
			}
		}
	}
}
