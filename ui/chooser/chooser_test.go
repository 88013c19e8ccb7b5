package chooser

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"belay/internal/requirements"
	"belay/internal/safe"
)

func some() []Choice {
	return []Choice{
		{Name: "files", About: "npx -y server-files", Group: "/p/mcp.json", From: "/p/mcp.json:2"},
		{Name: "fetch\x1b[2J\n\u202ex", About: safe.Quoted("\x1b]0;t\a"), Group: "/p/mcp.json", From: "/p/mcp.json:3"},
		{Name: "web", About: "HTTP: https://example.com/mcp?…", Group: "/h/mcp.json", From: "/h/mcp.json:7"},
	}
}

func at(l *List, w, h int) *List {
	l.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return l
}

func screen(l *List) string { return ansi.Strip(l.View().Content) }

// press presses keys by their names; what is none is typed.
func press(l *List, keys ...string) (last tea.Cmd) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
		"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "tab": {Code: tea.KeyTab}, "backspace": {Code: tea.KeyBackspace},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl},
	}
	for _, k := range keys {
		l.View()
		if msg, ok := codes[k]; ok {
			_, last = l.Update(msg)
			continue
		}
		for _, r := range k {
			_, last = l.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return last
}

func TestTheListIsDrawn(t *testing.T) {
	requirements.Rows(t, "SEC-22")
	o := Options{Title: "Which server?", Notes: []safe.Text{"not read: /q/mcp.json:1:2: this is no JSON", "not read: /r", "not read: /s"}}
	want := ` Which server?                        3
  type a part of its name              
 /p/mcp.json                           ┃
▌  files                 npx -y serve… ┃
   "fetch⟨ESC⟩[2J⏎⟨U+…"  "⟨ESC⟩]0;t⟨B… ┃
 /h/mcp.json
 from /p/mcp.json:2
 not read: /q/mcp.json:1:2: this is no…
 and 2 more
 enter run  ↑↓ choose  esc none of them`
	got := screen(at(New(some(), o), 40, 10))
	if got != want {
		t.Errorf("at 40×10:\n%s\nwant\n%s", got, want)
	}
	o.ASCII = true
	for _, r := range screen(at(New(some(), o), 40, 10)) {
		if r > 0x7e {
			t.Errorf("%q is no ASCII", r)
		}
	}
	for _, size := range [][2]int{{1, 1}, {5, 3}, {20, 5}, {39, 9}, {300, 100}} {
		l := at(New(some(), o), size[0], size[1])
		press(l, "down", "x", "backspace")
		lines := strings.Split(screen(l), "\n")
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > size[0] {
				t.Errorf("%v: %q is too wide", size, line)
			}
		}
	}
}

// Nothing of the list is drawn in a color: it does not know the background.
func TestTheListIsWithoutColors(t *testing.T) {
	if text := at(New(some(), Options{Title: "Which?"}), 60, 20).View().Content; strings.Contains(text, "[38") || strings.Contains(text, "[48") || !strings.Contains(text, "\x1b[") {
		t.Errorf("%q", text)
	}
}

func TestWhatIsTypedFindsNames(t *testing.T) {
	for _, tt := range []struct {
		keys   string
		listed string // names in their order, by their first two letters; the first is chosen
	}{
		{"", "fi fe we"},
		{"f", "fi fe"},
		{"fch", "fe"},
		{"WEB", "we"},
		{"server-f", "fi"},
		{"example", "we"},
		{"q", ""},
		{"q backspace", "fi fe we"},
		{"we ctrl+u f", "fi fe"},
	} {
		l := at(New(some(), Options{Title: "Which?"}), 60, 20)
		press(l, strings.Fields(tt.keys)...)
		var listed []string
		for _, i := range l.order {
			listed = append(listed, l.choices[i].Name[:2])
		}
		if got := strings.Join(listed, " "); got != tt.listed {
			t.Errorf("%s: %s, want %s", tt.keys, got, tt.listed)
		}
		text := screen(l)
		if tt.listed == "" && !strings.Contains(text, "nothing has that name") {
			t.Errorf("%s:\n%s", tt.keys, text)
		}
		if headings := strings.Contains(text, "\n /p/mcp.json\n"); headings != (tt.listed == "fi fe we") {
			t.Errorf("%s: headings %v:\n%s", tt.keys, headings, text)
		}
	}
}

// With a filter typed esc shows all again, and says so before; the next one leaves.
func TestEscClearsTheFilterFirst(t *testing.T) {
	l := at(New(some(), Options{Title: "Which?"}), 60, 20)
	press(l, "web")
	if text := screen(l); !strings.Contains(text, "esc all of them") || strings.Contains(text, "files") {
		t.Errorf("with a filter:\n%s", text)
	}
	press(l, "esc")
	if text := screen(l); l.ended || !strings.Contains(text, "esc none of them") || !strings.Contains(text, "files") {
		t.Errorf("after esc, ended %v:\n%s", l.ended, text)
	}
}

func TestEnterTakesAndEscTakesNothing(t *testing.T) {
	for _, tt := range []struct {
		keys  string
		want  int // of the choices; -1: none
		ended bool
	}{
		{"enter", 0, true},
		{"down enter", 1, true},
		{"down down down down enter", 2, true},
		{"tab up up enter", 0, true},
		{"pgdown enter", 2, true},
		{"pgdown pgup enter", 0, true},
		{"web enter", 2, true},
		{"f down enter", 1, true},
		{"q enter", -1, false},
		{"q enter backspace enter", 0, true},
		{"esc", -1, true},
		{"web esc", -1, false},
		{"web esc esc", -1, true},
		{"web esc enter", 0, true},
		{"q esc down enter", 1, true},
		{"esc enter", -1, true},
		{"ctrl+c", -1, true},
		{"ctrl+z", -1, false},
		{"enter down esc", 0, true},
	} {
		l := at(New(some(), Options{Title: "Which?"}), 60, 20)
		press(l, strings.Fields(tt.keys)...)
		i, ok := l.Chosen()
		if !ok {
			i = -1
		}
		if i != tt.want || l.ended != tt.ended || l.WasInterrupted() != (tt.keys == "ctrl+c") {
			t.Errorf("%s: %d, ended %v, interrupted %v", tt.keys, i, l.ended, l.WasInterrupted())
		}
	}
	if cmd := press(New(some(), Options{}), "enter"); cmd == nil || cmd() != (tea.QuitMsg{}) {
		t.Error("the list stays open")
	}
	l := New(some(), Options{})
	l.Update(tea.PasteMsg{Content: "\r\nweb\r\ny\n"})
	if press(l, "enter"); l.text.String() != "web" {
		t.Errorf("of a paste was taken %q", l.text.String())
	}
}

// What is chosen can be seen, wherever one moves, and frames look at no more than what
// is seen.
func TestALongListScrolls(t *testing.T) {
	var many []Choice
	for i := range 1000 {
		group := safe.Text("/a")
		if i >= 500 {
			group = "/b"
		}
		many = append(many, Choice{Name: fmt.Sprintf("server-%03d", i), About: "c", Group: group, From: group})
	}
	for _, size := range [][2]int{{40, 10}, {80, 24}, {140, 40}} {
		l := at(New(many, Options{Title: "Which?", Notes: []safe.Text{"not read"}}), size[0], size[1])
		for i, moves := range []string{"down", "pgdown", "up", "pgup"} {
			for range 1010 {
				press(l, moves)
				chosen := fmt.Sprintf("▌  server-%03d", l.at)
				if text := screen(l); !strings.Contains(text, chosen) {
					t.Fatalf("%v: %s is not in view:\n%s", size, chosen, text)
				}
			}
			if want := []int{999, 999, 0, 0}[i]; l.at != want {
				t.Errorf("%v: %s leads to %d", size, moves, l.at)
			}
		}
		if text := screen(l); !strings.Contains(text, "\n /a") {
			t.Errorf("%v: back at the top its heading is not seen:\n%s", size, text)
		}
		looked := 0
		safe.Looked = func(n int) { looked += n }
		l.View()
		safe.Looked = nil
		if looked > 100*size[1] {
			t.Errorf("%v: a frame looks at %d bytes", size, looked)
		}
	}
}

// A name is not cut beside room in which nothing stands, and leaves what is beside a name at
// least half of a narrow screen.
func TestNamesHaveTheRoomThereIs(t *testing.T) {
	name := strings.Repeat("server-", 14) // 98 columns
	long := strings.Repeat("argument ", 40)
	for _, tt := range []struct {
		about safe.Text
		w     int
		whole bool
	}{{"npx x", 300, true}, {"npx x", 111, true}, {"npx x", 109, false}, {safe.Text(long), 300, false}} {
		l := at(New([]Choice{{Name: name, About: tt.about, Group: "/p", From: "/p:1"}}, Options{Title: "Which?"}), tt.w, 20)
		if got := strings.Contains(screen(l), name); got != tt.whole {
			t.Errorf("%d columns beside %d: whole: %v\n%s", tt.w, len(tt.about), got, screen(l))
		}
		if !strings.Contains(screen(l), string(tt.about[:5])) {
			t.Errorf("%d columns: nothing is beside the name\n%s", tt.w, screen(l))
		}
	}
}
