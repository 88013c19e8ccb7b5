package keymap

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

const (
	here Scope = 1 << iota
	there
)

type state struct{ why string }

func bind(name, k string, where Scope) Binding[*state] {
	return Binding[*state]{
		Name: name, Key: key.NewBinding(key.WithKeys(k)), Help: "does " + name, Group: "All", Where: where,
		Run: func(*state, string) tea.Cmd { return nil },
	}
}

func TestFindLooksAtTheScope(t *testing.T) {
	m, err := New([]Binding[*state]{bind("a", "x", here), bind("b", "x", there)})
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[Scope]string{here: "a", there: "b"} {
		if b, ok := m.Find(scope, "x"); !ok || b.Name != want {
			t.Errorf("x in scope %d is %v, want %s", scope, b, want)
		}
	}
	if b, ok := m.Find(1<<7, "x"); ok {
		t.Errorf("x works in a scope that nobody gave: %s", b.Name)
	}
}

// A key that is bound for two places that hold at once is that of the first binding, or of
// the one that says that it goes first, which is listed where it stands.
func TestFindTakesTheFirst(t *testing.T) {
	b := bind("b", "x", there)
	for first, want := range map[bool]string{false: "a", true: "b"} {
		b.First = first
		m, err := New([]Binding[*state]{bind("a", "x", here), b})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := m.Find(here|there, "x"); got.Name != want || m.All()[0].Name != "a" {
			t.Errorf("first %v: x is %s, and %s is listed first", first, got.Name, m.All()[0].Name)
		}
	}
}

func TestNewRefusesContradictions(t *testing.T) {
	wordless := bind("w", "y", here)
	wordless.Footer = 1
	nowhere := bind("n", "z", 0)
	keyless := bind("k", "k", here)
	keyless.Key.Unbind()
	off := bind("o", "o", here)
	off.Key.SetEnabled(false)
	for _, tt := range []struct {
		name string
		in   []Binding[*state]
	}{
		{"one key, one place, two meanings", []Binding[*state]{bind("a", "x", here|there), bind("b", "x", there)}},
		{"one name twice", []Binding[*state]{bind("a", "x", here), bind("a", "y", here)}},
		{"in the footer without a word", []Binding[*state]{wordless}},
		{"works nowhere", []Binding[*state]{nowhere}},
		{"neither key nor command", []Binding[*state]{keyless}},
		{"disabled without a reason", []Binding[*state]{off}},
		{"no action", []Binding[*state]{{Name: "a", Help: "h", Group: "g", Key: key.NewBinding(key.WithKeys("x")), Where: here}}},
	} {
		if _, err := New(tt.in); err == nil {
			t.Errorf("%s: accepted", tt.name)
		}
	}
}

func TestADisabledBindingSaysWhy(t *testing.T) {
	b := bind("a", "x", here)
	b.Disabled = func(s *state) string { return s.why }
	if got := b.Reason(&state{"nothing is selected"}); got != "nothing is selected" {
		t.Errorf("Reason = %q", got)
	}
	if got := b.Reason(&state{}); got != "" {
		t.Errorf("Reason = %q, want none", got)
	}
}

func TestFooterAndCommandsAreOrdered(t *testing.T) {
	bs := []Binding[*state]{bind("a", "a", here), bind("b", "b", here), bind("c", "c", there)}
	for i := range bs {
		bs[i].Key.SetHelp("", bs[i].Name)
		bs[i].Footer = 3 - i
		bs[i].Command = bs[2-i].Name
	}
	m, err := New(bs)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range m.Footer(here) {
		got = append(got, b.Key.Help().Desc)
	}
	for _, b := range m.Commands() {
		got = append(got, ":"+b.Command)
	}
	if want := "b a :a :b :c"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	b := bind("pipe", "|", here)
	b.Command, b.Arg = "pipe", "LEVEL"
	m, err := New([]Binding[*state]{b})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Markdown(), "| `\\|` | `:pipe LEVEL` | does pipe |\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want the end %q", got, want)
	}
	again := bind("again", "|", there)
	own := bind("own", "|", 1<<5)
	own.Command = "own"
	elsewhere := bind("elsewhere", "|", 1<<6)
	elsewhere.Group = "Other"
	bare := bind("bare", "", 0)
	bare.Key.Unbind()
	bare.Command = "bare"
	if m, err = New([]Binding[*state]{b, bare, again, own, elsewhere}); err != nil {
		t.Fatal(err)
	}
	want := "| `\\|` | `:pipe LEVEL` | does pipe<br>does again |\n|  | `:bare` | does bare |\n| `\\|` | `:own` | does own |\n\n## Other"
	if got := m.Markdown(); !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
