package detail

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/row"
	"belay/ui/wire"
)

// harness is the pane on a screen of its own, which has all of it.
type harness struct {
	*paneltest.Host
	p    *Pane
	wire *wire.Pane
}

func run(t *testing.T, width, height int, f func(w *harness)) {
	t.Helper()
	paneltest.Run(t, width, height, session.Config{}, func(h *paneltest.Host) {
		w := &harness{Host: h, p: New(h), wire: wire.New(h.Screen().Looks)}
		h.Update = w.p.Update
		h.Frame = func() tea.Cmd {
			h.View(func(s *session.Session) {
				w.p.Pull(s, h.Chosen)
				w.wire.Pull(s)
			})
			return w.p.Read()
		}
		h.Connect(paneltest.Initialized)
		f(w)
	})
}

// call makes a call and selects it.
func (w *harness) call(tool string) {
	w.Chosen = w.Call(tool)
	w.Settle()
}

func (w *harness) drawn() string {
	w.T.Helper()
	return w.Paint(func(f *panel.Frame) *image.Point {
		var questions []session.QuestionView
		w.View(func(s *session.Session) { questions = s.Questions() })
		f.Canvas.All().Fill(canvas.Style{}) // a pane lies over nothing
		w.p.Draw(f, f.Canvas.All(), Outside{Words: row.Words{Looks: f.Looks, Now: f.Now, Spin: f.Spin}, Questions: questions, Line: w.wire.Line})
		return nil
	})
}

func (w *harness) sees(texts ...string) {
	w.T.Helper()
	screen := w.drawn()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			w.T.Errorf("the pane lacks %q:\n%s", text, screen)
			return
		}
	}
}

func (w *harness) seesNot(texts ...string) {
	w.T.Helper()
	screen := w.drawn()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			w.T.Errorf("the pane has %q:\n%s", text, screen)
			return
		}
	}
}

// The tab follows the state of the call, until the user chooses one.
func TestTheTabFollowsTheCall(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call("deploy")
		w.sees("call  result  timeline  wire", "running", "[x] cancel", "── tools/call")
		w.Answer("tools/call", `{"content":[{"type":"text","text":"deployed"}]}`)
		w.sees("done", "deployed")
		w.seesNot("[x] cancel", "── tools/call")
		w.p.Turn(1)
		w.sees("── tools/call")
		w.call("other")
		w.Answer("tools/call", `{"content":[{"type":"text","text":"second"}]}`)
		w.sees("── tools/call") // the user's choice stays
		w.seesNot("second")
		w.p.Fit()
		w.Settle()
		w.sees("second")
		for range 9 {
			w.p.Turn(-1)
		}
		w.Settle()
		w.sees("method", "params", `"name": "other"`)
		for range 9 {
			w.p.Turn(1)
		}
		w.Settle()
		w.sees("→ tools/call", "← result")
	})
}

// A click chooses a tab; one on the button cancels the call, while there is a button.
func TestClicks(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call("deploy")
		w.drawn()
		w.Run(w.p.Click(image.Pt(2, 0), 100))
		w.Settle()
		w.sees("params")
		w.Run(w.p.Click(image.Pt(96, 1), 100))
		w.Run(w.p.Click(image.Pt(50, 1), 100))
		w.Run(w.p.Click(image.Pt(96, 5), 100))
		if got := paneltest.Wished[panel.Cancel](w.Host); len(got) != 1 || got[0].Row.ID != w.Chosen {
			t.Errorf("wished %v", got)
		}
		w.Answer("tools/call", `{"content":[]}`)
		w.Run(w.p.Click(image.Pt(96, 1), 100))
		if got := paneltest.Wished[panel.Cancel](w.Host); len(got) != 1 {
			t.Errorf("what has ended was cancelled: %v", got)
		}
	})
}

// A call that is cancelled while it is shown says what the server did, as it comes.
func TestACancelWhileTheCallIsShown(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call("deploy")
		if _, err := w.Do(session.Cancel{Call: w.Chosen, Reason: "wrong \x1b[2Jbranch"}); err != nil {
			t.Fatal(err)
		}
		w.Settle()
		w.sees("cancelling", `cancelled "wrong ⟨ESC⟩[2Jbranch"`)
		w.Wait(3 * time.Second)
		w.Answer("tools/call", `{"content":[{"type":"text","text":"deployed anyway"}]}`)
		w.sees("answered late", "the server finished anyway; its answer is ignored")
		w.p.Turn(-1)
		w.Settle()
		w.sees("ignored: this result came 3.000s after the cancel", "deployed anyway")
	})
}

// A long result is read beside the screen; nothing of another call is shown in its place.
func TestALongResultIsReadBesideTheScreen(t *testing.T) {
	long := `{"content":[{"type":"text","text":"the beginning ` + strings.Repeat("x", readAtOnce) + `"}]}`
	run(t, 100, 30, func(w *harness) {
		update := w.Update
		var late []tea.Msg
		w.Update = func(msg tea.Msg) (tea.Cmd, bool) {
			late = append(late, msg)
			return nil, true
		}
		w.call("deploy")
		w.Answer("tools/call", long)
		w.sees("being read")
		if why := w.p.noParts(); why != "the result is still being read" {
			t.Errorf("its parts: %q", why)
		}
		first := w.Chosen
		w.call("other")
		w.Answer("tools/call", `{"content":[{"type":"text","text":"second"}]}`)
		for _, msg := range late {
			update(msg)
		}
		w.sees("second")
		w.seesNot("the beginning")
		w.Update = update
		w.Chosen = first
		w.Settle()
		w.sees("the beginning")
	})
}

const mixed = `{"content":[{"type":"text","text":"a text"},
 {"type":"resource_link","uri":"demo://readme","name":"readme"},
 {"type":"image","mimeType":"image/png","data":"aGVsbG8="},
 {"type":"resource","resource":{"uri":"demo://x","mimeType":"text/x-sh","text":"echo"}},
 {"type":"audio","mimeType":"audio/\u001b[2J","data":"aGVsbG8="}]}`

// The parts of a result are read from the server, or saved, when the user says so.
func TestThePartsOfAResult(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call("deploy")
		if why := w.p.noParts(); why != "there is no result" {
			t.Errorf("without a result: %q", why)
		}
		w.Answer("tools/call", mixed)
		take := func(down int) {
			t.Helper()
			w.p.openParts()
			parts := w.Top().(*Parts)
			keys := paneltest.KeysOf(w.Host, parts, PartBindings())
			for range down {
				keys.Press("down")
			}
			keys.Press("enter")
			w.Lies(nil)
		}
		for i := range 4 {
			take(i)
		}
		calls, saves := paneltest.Wished[panel.Call](w.Host), paneltest.Wished[panel.Save](w.Host)
		if len(calls) != 1 || calls[0].Spec.Method != "resources/read" || string(calls[0].Spec.Params) != `{"uri":"demo://readme"}` {
			t.Errorf("calls %+v", calls)
		}
		if len(saves) != 3 {
			t.Fatalf("saves %+v", saves)
		}
		for i, want := range []struct {
			name, data string
			coded      bool
		}{
			{"call-6-deploy-part-3.png", "aGVsbG8=", true},
			{"call-6-deploy-part-4.txt", "echo", false},
			{"call-6-deploy-part-5.bin", "aGVsbG8=", true},
		} {
			if s := saves[i]; s.Name != want.name || string(s.Data) != want.data || s.Coded != want.coded {
				t.Errorf("saves %q as %s, coded: %v; want %+v", s.Data, s.Name, s.Coded, want)
			}
		}
		w.p.openParts()
		parts := w.Top().(*Parts)
		keys := paneltest.KeysOf(w.Host, parts, PartBindings())
		w.Shows(parts, "Parts of the result", "read", "demo://readme", "save")
		keys.Press("up", "y")
		if got := paneltest.Wished[panel.Copy](w.Host); len(got) != 1 || string(got[0].Data) != "demo://readme" {
			t.Errorf("copies %v", got)
		}
		keys.Press("down", "y")
		w.Says("this part has no address")
		for range 9 {
			keys.Press("down")
		}
		keys.Press("y")
		w.Says("this part has no address") // it is the last one
		w.Run(parts.Close())
		w.Lies(nil)
		w.call("plain")
		w.Answer("tools/call", `{"content":[{"type":"text","text":"x"}]}`)
		if why := w.p.noParts(); !strings.Contains(why, "o saves all of it") {
			t.Errorf("of nothing but text: %q", why)
		}
	})
}

// A server chooses the type of its data, but no name that a double click would run.
func TestTheEndingOfAFile(t *testing.T) {
	for mime, want := range map[string]string{
		"image/png": ".png", "IMAGE/PNG; q=1": ".png", "text/csv": ".txt", "text/x-sh": ".txt", "application/x-msdownload": ".bin", "image/png.exe": ".bin", "": ".bin",
	} {
		if got := ending(mime); got != want {
			t.Errorf("%q: %q, want %q", mime, got, want)
		}
	}
}

// The parts that were read are those of one result, not of what lies elsewhere.
func TestAReadingIsOfOneResult(t *testing.T) {
	raw := []byte(`{"content":[]}`)
	r := reading{at: &raw[0], n: len(raw), done: true}
	if _, ok := r.of(raw); !ok {
		t.Error("the result itself is another one")
	}
	for name, other := range map[string][]byte{"a copy": append([]byte{}, raw...), "its beginning": raw[:3], "nothing": nil} {
		if _, ok := r.of(other); ok {
			t.Errorf("%s is taken for it", name)
		}
	}
}

// What is copied and saved is what is shown, under a name that is one everywhere.
func TestTheValueThatIsShown(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call(`../\u001b[2J/etc`)
		w.Answer("tools/call", `{"content":[{"type":"text","text":"the text"}]}`)
		w.drawn()
		if v := w.p.Value(); string(v.Data) != "the text" || v.Name != "call-6------2J-etc-result.txt" {
			t.Errorf("%q as %s", v.Data, v.Name)
		}
		w.p.Turn(1)
		w.drawn()
		if v := w.p.Value(); !strings.Contains(string(v.Data), "── tools/call") || !strings.HasSuffix(v.Name, "-timeline.txt") {
			t.Errorf("%q as %s", v.Data, v.Name)
		}
		if v := w.p.Message(); !strings.Contains(string(v.Data), `"result"`) {
			t.Errorf("the message is %q", v.Data)
		}
		w.p.Turn(-9)
		if v := w.p.Value(); !strings.Contains(string(v.Data), `"arguments"`) || !strings.HasSuffix(v.Name, "-params.json") {
			t.Errorf("%q as %s", v.Data, v.Name)
		}
		if v := w.p.Message(); !strings.Contains(string(v.Data), `"method":"tools/call"`) {
			t.Errorf("the message is %q", v.Data)
		}
	})
}

// A search goes through the document and around its end.
func TestASearch(t *testing.T) {
	run(t, 60, 15, func(w *harness) {
		w.call("deploy")
		var lines []string
		for i := range 60 {
			lines = append(lines, fmt.Sprintf("line %d", i))
		}
		w.Answer("tools/call", `{"content":[{"type":"text","text":`+paneltest.JSON(strings.Join(lines, "\n"))+`}]}`)
		w.sees("line 0")
		w.p.Find("line 5") // 5, and 50 to 59
		w.sees("line 5")
		if got := w.p.SearchTitle("…"); !strings.Contains(string(got), "1 of 11 lines") {
			t.Errorf("%q", got)
		}
		w.p.NextHit()
		w.sees("line 50")
		w.seesNot("line 0 ")
		for range 10 {
			w.p.NextHit()
		}
		w.sees("line 5", "line 6")
		w.p.Find("nowhere")
		if got := w.p.SearchTitle("…"); !strings.Contains(string(got), "not found") {
			t.Errorf("%q", got)
		}
		w.p.Find("")
		if w.p.IsSearching() {
			t.Error("it searches for nothing")
		}
		w.p.Scroll(1000)
		w.sees("line 59")
		w.p.Scroll(-1000)
		w.sees("line 0")
	})
}

// Whatever a server writes stays in the pane and in quotes, on every screen and side of it.
func TestHostileCalls(t *testing.T) {
	bad := paneltest.JSON(paneltest.Hostile)
	for _, size := range paneltest.Sizes() {
		for name, answer := range map[string]string{
			"result":     `{"content":[{"type":"text","text":` + bad + `},{"type":"resource_link","uri":` + bad + `,"name":` + bad + `},{"type":` + bad + `}],"structuredContent":{` + bad + `:` + bad + `}}`,
			"malformed":  `{"content":` + bad + `}`,
			"no object":  bad,
			"tool error": `{"isError":true,"content":[{"type":"text","text":` + bad + `}]}`,
		} {
			run(t, 80, 24, func(w *harness) {
				w.call(strings.Trim(bad, `"`))
				w.Feed(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%s","progress":1,"message":%s}}`, w.Last("tools/call"), bad)
				w.Answer("tools/call", answer)
				w.Resize(size.X, size.Y)
				for tab := tabCall; tab < tabEnd; tab++ {
					w.p.choose(tab)
					w.Settle()
					if screen := w.drawn(); size.X >= 60 && !strings.Contains(screen, "call  result  timeline  wire") {
						t.Errorf("%s, %v: the tabs are gone:\n%s", name, size, screen)
					}
					if t := string(w.p.Title(40)); strings.ContainsAny(t, "\x1b\n\u202e") || !strings.HasPrefix(t, "#6 \"") {
						w.T.Errorf("titled %q", t)
					}
				}
			})
		}
	}
}

// A document of another width is laid out anew, and a late one of the width before is not
// taken.
func TestAPaneThatIsResized(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call("deploy")
		w.Answer("tools/call", `{"content":[{"type":"text","text":"`+strings.Repeat("word ", 40)+`"}]}`)
		w.drawn()
		wide, key := w.p.Doc(), w.p.built
		w.Resize(60, 15)
		w.drawn()
		narrow := w.p.Doc()
		if narrow == wide || narrow.Width() >= wide.Width() {
			t.Fatalf("the document is %d wide, and was %d", narrow.Width(), wide.Width())
		}
		w.p.LaidOut(key, wide)
		if w.p.Doc() != narrow {
			t.Error("a document of another width was taken")
		}
		w.p.LaidOut(w.p.built, wide)
		if w.p.Doc() != wide {
			t.Error("the whole document was not taken")
		}
	})
}

// A call that is not kept any more is not shown, and is no row of the pane.
func TestACallThatIsNotKnown(t *testing.T) {
	run(t, 100, 30, func(w *harness) {
		w.call("deploy")
		if _, ok := w.p.Row(w.Chosen); !ok {
			t.Error("the pane does not know its call")
		}
		if _, ok := w.p.Row(w.Chosen + 1); ok {
			t.Error("the pane knows another call")
		}
		w.Chosen = 999
		w.Settle()
		if _, known := w.p.Call(); known || w.p.IsMoving() {
			t.Error("a call that there is not is known")
		}
		w.Run(w.p.Click(image.Pt(96, 1), 100))
		if len(w.Wishes) != 0 {
			t.Errorf("wished %v", w.Wishes)
		}
	})
}

// Of a result that is not in a recording its size is shown, and that it was not kept; of a
// late one, too. What is wrong with it is still told.
func TestAHollowResult(t *testing.T) {
	for _, late := range []bool{false, true} {
		run(t, 100, 30, func(w *harness) {
			w.call("shoot")
			if late {
				if _, err := w.Do(session.Cancel{Call: w.Chosen}); err != nil {
					t.Fatal(err)
				}
				w.Settle()
				w.Wait(2 * time.Second)
			}
			whole := []byte(`{"jsonrpc":"2.0","id":` + w.Last("tools/call") + `,"result":{"content":[{"type":"text"},{"type":"text","text":"` + strings.Repeat("x", 14_000_000) + `"}]}}`)
			left, h, ok := mcp.Decode(whole).Hollowed()
			if !ok {
				t.Fatal("it is not hollowed")
			}
			if _, err := w.Do(session.Received{ExchangeID: session.ExchangeID{Epoch: w.Row(w.Chosen).Epoch}, Raw: left, Hollow: &h}); err != nil {
				t.Fatal(err)
			}
			w.Settle()
			w.p.Turn(-9)
			w.p.Turn(1)
			w.Settle()
			w.sees("this result was not kept: 14.0 MB · the recording was begun after it had come")
			if late {
				w.sees("ignored: this result came 2.000s after the cancel")
			} else {
				w.sees("content 1 has a text that is missing")
			}
			w.p.Turn(9)
			w.Settle()
			w.sees("14.0 MB", "its bytes are not in this recording: it was begun later")
			if v := w.p.Message(); len(v.Data) != 0 {
				t.Errorf("the message is %.100q", v.Data)
			}
		})
	}
}
