package wire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/index"
	"belay/ui/theme"
)

// harness is a pane over a session whose server is the test.
type harness struct {
	p   *Pane
	s   *session.Session
	on  session.ExchangeID
	dec *mcp.Decoder
}

var start = time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)

func open() *harness {
	w := &harness{
		p: New(theme.Looks{Styles: theme.NewStyles(true), Glyphs: theme.Unicode}),
		s: session.New(session.Config{}, start), dec: mcp.NewDecoder(),
	}
	w.on.Epoch = w.s.Tell(start, session.Connect{}).Epoch
	return w
}

func (w *harness) feed(format string, args ...any) {
	w.s.Receive(start, w.on, w.dec.Decode(fmt.Appendf(nil, format, args...)))
}

func (w *harness) note(i int) {
	w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"n%d"}}`, i)
}

// frame is what h rows show.
func (w *harness) frame(h int) (lines []string, selected int) {
	w.p.Pull(w.s)
	w.p.Scan()
	w.p.Pick(w.s, h)
	return draw(w.p, h)
}

func draw(p *Pane, h int) (lines []string, selected int) {
	c := canvas.New(theme.NewPalette(true, true), false)
	c.Reset(110, h)
	selected = p.Draw(c.All())
	return strings.Split(ansi.Strip(c.String()), "\n"), selected
}

// The newest is selected as it comes, until another one is: then nothing moves.
func TestFollowing(t *testing.T) {
	w := open()
	if lines, sel := draw(w.p, 3); !strings.Contains(lines[1], "nothing yet") || sel != -1 {
		t.Errorf("%d: %q", sel, lines)
	}
	for i := range 10 {
		w.note(i)
	}
	if lines, sel := w.frame(4); sel != 3 || !strings.Contains(lines[3], `"n9"`) || w.p.Title() != "" {
		t.Errorf("%d: %q, %s", sel, lines, w.p.Title())
	}
	w.p.Move(-2)
	before, sel := w.frame(4)
	if sel != 1 || w.p.Follows() || w.p.Title() != "paused · F follows" {
		t.Errorf("%d, %s", sel, w.p.Title())
	}
	w.note(10)
	if after, still := w.frame(4); still != sel || strings.Join(after, "") != strings.Join(before, "") {
		t.Errorf("it moved, %d: %q", still, after)
	}
	w.p.Select(w.p.Shown()[0].Seq)
	if e, ok := w.p.Selected(); !ok || !strings.Contains(string(e.Raw), "n6") {
		t.Errorf("selected %s", e.Raw)
	}
	w.p.Move(1 << 40)
	if lines, _ := w.frame(4); !w.p.Follows() || !strings.Contains(lines[3], `"n10"`) {
		t.Errorf("at the end it follows again: %q", lines)
	}
}

// A filter looks at a bounded part of a long history for a frame, and catches up.
func TestAFilterCatchesUp(t *testing.T) {
	w := open()
	const n = 2*scanLimit + 10
	for i := range n {
		w.note(i)
	}
	w.p.SetFilter(index.ParseFilter("level:info n40 !n400"))
	for i, most := range []int{scanLimit, 2 * scanLimit, n} {
		if i > 0 && !w.p.IsBehind() {
			t.Fatalf("frame %d: it has looked at everything", i)
		}
		w.frame(5)
		for _, seq := range w.p.hits {
			if int(seq) > most {
				t.Errorf("frame %d looked at message %d", i, seq)
			}
		}
	}
	if w.p.IsBehind() || w.p.Title() != "/level:info n40 !n400" {
		t.Errorf("behind: %v, %s", w.p.IsBehind(), w.p.Title())
	}
	if got := w.p.Count(); got != 1+9 { // n40, n401 to n409: n4001 and on hold what must not be there
		t.Errorf("%d match", got)
	}
	w.note(408)
	w.frame(5)
	if got := w.p.Count(); got != 11 {
		t.Errorf("%d match after one more", got)
	}
	w.p.SetFilter(index.ParseFilter("nowhere"))
	for w.frame(5); w.p.IsBehind(); {
		if lines, _ := w.frame(5); w.p.IsBehind() && !strings.Contains(lines[2], "no message matches the filter so far ·") {
			t.Errorf("meanwhile: %q", lines)
		}
	}
	if lines, sel := w.frame(5); sel != -1 || !strings.Contains(lines[2], "no message matches the filter ·") {
		t.Errorf("%d: %q", sel, lines)
	}
}

// Long messages are fewer for a frame than short ones.
func TestAFilterLooksAtABoundedPartOfLongMessages(t *testing.T) {
	w := open()
	for range 100 {
		w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}`, strings.Repeat("x", summaryBytes))
	}
	w.p.SetFilter(index.ParseFilter("xxx"))
	w.frame(5)
	if most := scanWork/summaryBytes + 5; len(w.p.hits) == 0 || len(w.p.hits) > most || !w.p.IsBehind() {
		t.Errorf("a frame looked at %d long messages, want at most %d", len(w.p.hits), most)
	}
	for range 20 {
		w.frame(5)
	}
	if w.p.IsBehind() || w.p.Count() != 100 {
		t.Errorf("%d of 100 match", w.p.Count())
	}
}

// What helps stands behind a note of belay's, and is found by the filter.
func TestANoteSaysWhatHelps(t *testing.T) {
	p := open().p
	e := session.Entry{Seq: 1, Kind: session.EntEvent, Raw: []byte("no list"), Remedy: session.Remedy{Kind: session.RemedyReload}}
	if got := p.Line(&e).Text; got != "no list; :reload fetches the lists again" {
		t.Errorf("%q", got)
	}
	for filter, want := range map[string]bool{"reload": true, "event": true, "reload !list": false} {
		p.SetFilter(index.ParseFilter(filter))
		if got := p.matches(&e); got != want {
			t.Errorf("%q: %v", filter, got)
		}
	}
}

// A message is said in a line: what it is, what it means, what is in it.
func TestLines(t *testing.T) {
	looks := theme.NewStyles(true)
	for _, tt := range []struct {
		raw  string
		want Line
	}{
		{
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"ERROR","logger":"db","data":"x\u001b"}}`,
			Line{Arrow: "←", Style: looks.Text, Method: "message", Mark: "✗", MarkStyle: looks.Bad, Text: `"ERROR" "db": "x\u001b"`},
		},
		{
			`{"jsonrpc":"2.0","id":999,"result":{"a":1}}`,
			Line{Arrow: "←", Style: looks.OK, Method: "result", ID: "999", Mark: "[!]", MarkStyle: looks.OK, Text: `43 B {"a":1}`},
		},
		{
			`not json`,
			Line{Arrow: "←", Style: looks.Bad, Method: "not JSON-RPC", Mark: "[!]", MarkStyle: looks.Bad, Text: "┃ not json"},
		},
		{
			`{"jsonrpc":"2.0","id":998,"error":{"code":-32601,"message":"no \"such\""}}`,
			Line{Arrow: "←", Style: looks.Bad, Method: "error", ID: "998", Mark: "[!]", MarkStyle: looks.Bad, Text: `-32601 "no \"such\""`},
		},
	} {
		w := open()
		w.feed("%s", tt.raw)
		w.frame(5)
		shown := w.p.Shown()
		if got := w.p.Line(&shown[len(shown)-1]); got != tt.want {
			t.Errorf("%s\ngot  %+v\nwant %+v", tt.raw, got, tt.want)
		}
	}
}

func TestFlags(t *testing.T) {
	e := session.Entry{Flags: session.FlagLate | session.FlagDiag}
	if got := strings.Join(Flags(&e), " "); got != "diagnostic late" {
		t.Errorf("%q", got)
	}
}

// No name of the specification is cut where the text beside it has more room than in the
// narrowest pane, nor is an ID that begins at a random number.
func TestNamesAreNotCutWhereThereIsRoom(t *testing.T) {
	for _, tt := range []struct{ width, ids, method, id int }{
		{40, 12, 12, 6},
		{78, 12, 12, 6},
		{79, 12, 12, 6},
		{80, 12, 13, 6},
		{93, 12, 26, 6},
		{98, 12, 26, 11},
		{99, 12, 26, 12},
		{138, 12, 26, 12},
		{138, 24, 26, 12},
		{138, 7, 26, 7},
		{138, 2, 26, 4},
		{138, 0, 26, 4},
		{78, 4, 13, 4},
		{40, 4, 12, 4},
		{94, 7, 26, 7},
		{93, 7, 26, 6},
	} {
		if method, id := columns(tt.width, tt.ids); method != tt.method || id != tt.id {
			t.Errorf("in %d columns, IDs of %d: %d for a method and %d for an ID, want %d and %d", tt.width, tt.ids, method, id, tt.method, tt.id)
		}
	}
	w := open()
	w.feed(`{"jsonrpc":"2.0","id":1234567890,"method":"resources/templates/list"}`)
	w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`)
	lines, _ := w.frame(4)
	all := strings.Join(lines, "\n")
	for _, want := range []string{"resources/templates/list", "#1234567890", "subscriptions/acknowledged"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
}

// The text begins right of the widest ID in view: short IDs take no room from it, and a long
// one has its room while it is in view.
func TestTheColumnOfIDsIsAsWideAsTheyAre(t *testing.T) {
	w := open()
	text := func() (at []int) {
		lines, _ := w.frame(4)
		for _, l := range lines {
			if before, _, ok := strings.Cut(l, `"tool"`); ok {
				at = append(at, len([]rune(before)))
			}
		}
		return at
	}
	w.feed(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"tool"}}`)
	short := text()
	w.feed(`{"jsonrpc":"2.0","id":1234567890,"method":"tools/call","params":{"name":"tool"}}`)
	long := text()
	if len(short) != 1 || len(long) != 2 || long[0] != long[1] || long[0]-short[0] != len("#1234567890")-idShort {
		t.Errorf("the texts begin at %v, and beside a long ID at %v", short, long)
	}
	for range 4 {
		w.feed(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"tool"}}`)
	}
	if after := text(); len(after) != 4 || after[0] != short[0] {
		t.Errorf("the texts begin at %v when the long ID is out of view, want %d", after, short[0])
	}
}

// A method is cut for what stands beside it, and not for room in which nothing stands.
func TestAMethodHasTheRoomThatNoTextTakes(t *testing.T) {
	for _, tt := range []struct {
		of         widths
		width      int
		method, id int
	}{
		{widths{1, 24, 2, 34}, 78, 21, 4},
		{widths{1, 24, 2, 20}, 78, 24, 4},
		{widths{1, 24, 2, 60}, 78, 13, 4},
		{widths{1, 12, 12, 30}, 78, 12, 12},
		{widths{2, 24, 12, 30}, 78, 22, 6},
	} {
		method, id := tt.of.columns(tt.width)
		if method != tt.method || id != tt.id {
			t.Errorf("in %d columns %+v: %d for a method and %d for an ID, want %d and %d", tt.width, tt.of, method, id, tt.method, tt.id)
		}
		if least, _ := columns(tt.width, tt.of.id); method > least && 18+tt.of.arrow+method+id+tt.of.text > tt.width {
			t.Errorf("in %d columns %+v: a text is cut for the method", tt.width, tt.of)
		}
	}
}
