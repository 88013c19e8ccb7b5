package sampling

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/theme"
)

const rev = mcp.Rev20251125

func open(r mcp.Sampling) *View {
	return New(r, theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode})
}

func typed(v *View, text string) {
	for _, r := range text {
		v.Key(edit.Key{Name: string(r), Text: string(r)})
	}
}

func draw(v *View, w, h int) (lines []string, x, y int) {
	c := canvas.New(theme.NewPalette(true, true), false)
	c.Reset(w, h)
	at := v.Draw(c.All())
	return strings.Split(ansi.Strip(c.String()), "\n"), at.X, at.Y
}

// What is typed becomes the result; the name of the model is the user's to change.
func TestTheResult(t *testing.T) {
	v := open(mcp.Sampling{Hints: []string{"sonnet", "other"}})
	if v.WasTouched() {
		t.Error("nobody has begun")
	}
	if result, why, ask := v.Result(rev); result == nil || why != "" || ask != "the answer is empty" {
		t.Errorf("%s, %q, %q", result, why, ask)
	}
	typed(v, "Aye")
	v.Key(edit.Key{Name: "enter"})
	v.Paste("aye")
	v.Step(1)
	typed(v, "-4")
	result, why, ask := v.Result(rev)
	if want := `{"role":"assistant","content":{"type":"text","text":"Aye\naye"},"model":"sonnet-4","stopReason":"endTurn"}`; string(result) != want || why != "" || ask != "" {
		t.Errorf("%s, %q, %q; want %s", result, why, ask, want)
	}
	if !v.WasTouched() {
		t.Error("it was begun")
	}
}

// Tab, enter, up and down go through the text and the lines, around the end; the
// cursor is where it is typed.
func TestSteps(t *testing.T) {
	v := open(mcp.Sampling{})
	const w, h = 60, 6
	for i, want := range [][2]int{{1, 1}, {12, 5}, {52, 5}, {1, 1}} {
		if _, x, y := draw(v, w, h); x != want[0] || y != want[1] {
			t.Errorf("step %d: the cursor is at %d, %d, want %v", i, x, y, want)
		}
		if i < 2 {
			v.Step(1)
		} else {
			v.Key(edit.Key{Name: "enter"})
		}
	}
	if v.Key(edit.Key{Name: "f9"}) {
		t.Error("F9 does something")
	}
}

// The JSON may say what the fields cannot hold; then it stays, and says why.
func TestTheRawSide(t *testing.T) {
	v := open(mcp.Sampling{})
	typed(v, "Aye")
	if why, err := v.Flip(rev); why != "" || err != nil || !v.IsRaw() {
		t.Fatalf("%q, %v", why, err)
	}
	text, ending, put := v.Outside()
	if !strings.Contains(text, `"text": "Aye"`) || ending != ".json" {
		t.Errorf("%s, %s", text, ending)
	}
	for raw, want := range map[string]safe.Text{
		`{"role":"assistant","content":{"type":"image","data":"","mimeType":"image/png"},"model":"m","stopReason":"endTurn"}`: "not shown as text: the fields hold a text of the assistant's, its model and its stop reason, and nothing else",
		`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m","stopReason":"endTurn","_meta":{}}`:             "not shown as text: the fields hold a text of the assistant's, its model and its stop reason, and nothing else",
		`{`: "not shown as text: line 1, column 2: the text ends before the object does; a closing bracket or quote is missing",
	} {
		put(raw)
		if why, err := v.Flip(rev); why != want || err != nil || !v.IsRaw() {
			t.Errorf("%s: %q, %v", raw, why, err)
		}
	}
	put(`{`)
	if result, why, _ := v.Result(rev); result != nil || why == "" {
		t.Errorf("%s, %q", result, why)
	}
	put(`{"role":"assistant","content":{"type":"text","text":"Nay"},"model":"m","stopReason":"endTurn"}`)
	if why, err := v.Flip(rev); why != "" || err != nil || v.IsRaw() {
		t.Errorf("%q, %v", why, err)
	}
	if text, ending, _ = v.Outside(); text != "Nay" || ending != ".txt" {
		t.Errorf("%s, %s", text, ending)
	}
	d := doc.New(40, 10)
	v.Writing()(d)
	if len(d.Lines) != 3 || d.Lines[0].String() != "Nay" || d.Lines[1].String() != "model        m" {
		t.Errorf("%v", d.Lines)
	}
}

// The tokens of an answer are estimated, and told when they are too many.
func TestTooLong(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "fives": 2, "日本": 2, "a日": 2} {
		if got := tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
	v := open(mcp.Sampling{MaxTokens: 2})
	typed(v, "12345678")
	if long := v.TooLong(); long != "" {
		t.Errorf("%q", long)
	}
	typed(v, "9")
	if long := v.TooLong(); long != "the answer is about 3 tokens; the server wants at most 2" {
		t.Errorf("%q", long)
	}
	if lines, _, _ := draw(v, 60, 6); !strings.HasPrefix(lines[0], "your answer · about 3 of at most 2 tokens") {
		t.Errorf("%q", lines[0])
	}
	if long := TooLong("12345", mcp.Sampling{}); long != "" {
		t.Errorf("without a bound: %q", long)
	}
}

// The field grows with the text, within reason.
func TestHeight(t *testing.T) {
	v := open(mcp.Sampling{})
	small, large := v.Height(60, 20), v.Height(60, 60)
	v.Paste(strings.Repeat("line\n", 100))
	if full := v.Height(60, 20); small != 5 || large != 10 || full != 16 {
		t.Errorf("%d, %d, full %d", small, large, full)
	}
}
