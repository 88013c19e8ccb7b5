package ui

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/requirements"
	"belay/internal/safe"
	"belay/session"
)

// attacks are texts that want to leave their place.
var attacks = []string{
	"\x1b[2J\x1b[H\x1b]0;owned\x07",
	"\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\",
	"\x9b31m\u009b31m\u0090q\u009c",
	"\u202etxt.exe\u2066\u200b\u200d\U000e0041",
	strings.Repeat("e\u0301\u0302\u0303\u0304", 300),
	strings.Repeat("日本語", 200),
	"👨‍👩‍👧‍👦👍🏽🇩🇪❤️",
	"क्षत्रिय" + strings.Repeat("ﷺ", 20),
	strings.Repeat("long", 5000),
	"line\r\nline\tline\vline\fline\x00\x7f\b\b\b",
	"│ ✓ done ╮\n╭─ 1 Calls ─╮",
	"\xff\xfe broken \xc3\x28",
	"",
	" ",
	everyControl(),
}

// everyControl is text with each control character there is, each way to begin a
// sequence in seven and in eight bits, and what ends one.
func everyControl() string {
	var b strings.Builder
	for r := rune(0); r < 0xa0; r++ {
		if r < 0x20 || r >= 0x7f {
			b.WriteString("a" + string(r) + "1m")
		}
	}
	for _, begin := range []string{"\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\u009b", "\u009d", "\u0090", "\u009f", "\u009e", "\u0098"} {
		b.WriteString(begin + "0;x" + "\x1b\\" + begin + "?1049h\a" + begin + "q\u009c")
	}
	return b.String()
}

// sizes are the screens that a test plays on; with the race detector only the first.
func sizes(all ...[2]int) [][2]int {
	if raceDetector {
		return all[:1]
	}
	return all
}

// hostile feeds a server that puts the attack wherever text of its can go.
func hostile(w *harness, attack string) {
	q := func(s string) string { b, _ := json.Marshal(s); return string(b) }(attack)
	time.Sleep(20 * time.Millisecond)
	w.result(w.last("initialize"), fmt.Sprintf(`{"protocolVersion":"2025-11-25","serverInfo":{"name":%[1]s,"title":%[1]s,"version":%[1]s},"instructions":%[1]s,"capabilities":{"tools":{},"logging":{}}}`, q))
	w.result(w.last("tools/list"), fmt.Sprintf(`{"tools":[{"name":%[1]s,"title":%[1]s,"description":%[1]s,"inputSchema":{"type":"object","required":[%[1]s],"properties":{%[1]s:{"type":"string","description":%[1]s},"e":{"enum":[%[1]s,%[1]s]}}}}]}`, q))
	params, _ := json.Marshal(map[string]any{"name": attack, "arguments": map[string]string{attack: attack}})
	w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: params}))
	w.settle()
	id := w.last("tools/call")
	w.progress(id, "1", "2", attack)
	w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%[1]s,"logger":%[1]s,"data":%[1]s}}`, q)
	w.feed(`{"jsonrpc":"2.0","id":%[1]s,"method":%[1]s,"params":{"message":%[1]s}}`, q)
	w.press("2") // where no question opens by itself
	w.feed(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":{"message":%[1]s,"requestedSchema":{"type":"object","properties":{}}}}`, q)
	w.press("1")
	w.b.locked(func(s *session.Session, now time.Time) {
		s.Tell(now, session.Stderr{Epoch: w.b.epoch, Line: []byte(attack)})
		s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode([]byte(attack)))
	})
	w.wait(100 * time.Millisecond)
}

// look checks that a frame is nothing but belay's own drawing around text that
// does nothing: the only escape sequences are colors, every line has the width
// of the screen at most, and the frame of each pane is where it belongs.
func look(t *testing.T, w *harness, width, height int, where string) {
	t.Helper()
	content := w.m.View().Content
	if !utf8.ValidString(content) {
		t.Fatalf("%s: the frame is not UTF-8", where)
	}
	for i, part := range strings.Split(content, "\x1b") {
		if i > 0 {
			end := strings.IndexFunc(part, func(r rune) bool { return !strings.ContainsRune("[;0123456789", r) })
			if end < 1 || part[end] != 'm' {
				t.Fatalf("%s: an escape sequence that is no color: %q", where, part[:min(len(part), 20)])
			}
		}
		for _, r := range part {
			if r < 0x20 && r != '\n' || r >= 0x7f && r <= 0x9f || strings.ContainsRune("\u202e\u2066\u200b\u200d", r) {
				t.Fatalf("%s: the frame has %U", where, r)
			}
		}
	}
	lines := strings.Split(ansi.Strip(content), "\n")
	if len(lines) != height {
		t.Fatalf("%s: %d lines", where, len(lines))
	}
	for y, l := range lines {
		if got := max(ansi.StringWidth(l), ansi.StringWidthWc(l)); got > width { // not by belay's own measure
			t.Fatalf("%s: line %d is %d columns wide: %s", where, y, got, l)
		}
	}
}

func TestHostileTextStaysInItsPlace(t *testing.T) {
	requirements.Rows(t, "SEC-19", "SEC-20", "SEC-21", "SEC-22")
	screens := [][]string{
		{},
		{"2"},
		{"2", "l"},
		{"2", "l", "l"},
		{"2", "l", "l", "l"},
		{"3"},
		{"3", "enter"},
		{"i"},
		{"n"},
		{"n", "enter"},
		{"n", "enter", "ctrl+g"},
		{"c"},
		{"?"},
		{":"},
		{"X"},
		{"q"},
		{"x"},
		{"+", "+"},
		{"e"},
		{"2", "y"},
		{"2", "o"},
		{"!"},
	}
	for i, attack := range attacks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, size := range sizes([2]int{80, 24}, [2]int{140, 40}, [2]int{30, 3}) {
				run(t, size[0], size[1], Options{}, func(w *harness) {
					hostile(w, attack)
					for _, keys := range screens {
						w.press(keys...)
						w.wait(50 * time.Millisecond)
						look(t, w, size[0], size[1], fmt.Sprint(size, keys))
						w.press("esc", "esc", "esc", "esc", "1")
					}
				})
			}
		})
	}
}

// The panels hold whatever a server asks in whatever words, also when it takes
// that back.
func TestHostileQuestions(t *testing.T) {
	for i, attack := range attacks {
		b, _ := json.Marshal(attack)
		q := string(b)
		for _, ask := range []string{
			fmt.Sprintf(`"elicitation/create","params":{"message":%[1]s,"requestedSchema":{"type":"object","required":[%[1]s],"properties":{%[1]s:{"type":"string","title":%[1]s,"description":%[1]s,"default":%[1]s},"password":{"enum":[%[1]s]}}}}`, q),
			fmt.Sprintf(`"elicitation/create","params":{"mode":"url","message":%[1]s,"elicitationId":%[1]s,"url":%[1]s}`, q),
			fmt.Sprintf(`"elicitation/create","params":{"mode":"url","message":%[1]s,"elicitationId":"e","url":%[2]q}`, q, "https://example.com/?x="+strings.ToValidUTF8(attack, "")),
			fmt.Sprintf(`"elicitation/create","params":{"mode":"url","message":%[1]s,"elicitationId":"e","url":%[2]q}`, q, "https://"+strings.ToValidUTF8(attack, "")+".example.com"),
			fmt.Sprintf(`"sampling/createMessage","params":{"messages":[{"role":%[1]s,"content":{"type":"text","text":%[1]s}},{"role":"user","content":{"type":"image","mimeType":%[1]s,"data":%[1]s}},{"role":"user","content":{"type":%[1]s}}],"systemPrompt":%[1]s,"maxTokens":1,"includeContext":%[1]s,"stopSequences":[%[1]s],"metadata":{"a":%[1]s},"modelPreferences":{"hints":[{"name":%[1]s}]},"tools":[{"name":%[1]s,"description":%[1]s,"inputSchema":{"type":"object"}}]}`, q),
		} {
			for _, size := range sizes([2]int{80, 24}, [2]int{140, 40}, [2]int{60, 15}, [2]int{30, 3}) {
				connected(t, size[0], size[1], Options{}, func(w *harness) {
					at := func(what string) { look(t, w, size[0], size[1], fmt.Sprint(i, size, what)) }
					w.call("asker")
					w.feed(`{"jsonrpc":"2.0","id":"q1","method":%s}`, ask)
					at("held")
					w.quiet()
					at("open")
					w.press("pgdown", "tab", "a", "ctrl+g")
					at("raw")
					w.press("ctrl+s", "ctrl+u")
					at("sent")
					w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":%s}}`, q)
					at("withdrawn")
				})
			}
		}
	}
}

// The right border of the panes is where it belongs, whatever stands in them.
func TestHostileTextKeepsTheFrame(t *testing.T) {
	for i, attack := range attacks {
		if i == 7 { // about whose width terminals disagree: rows may end early
			continue
		}
		run(t, 80, 24, Options{}, func(w *harness) {
			hostile(w, attack)
			for y, l := range strings.Split(w.screen(), "\n") {
				if y == 0 || y == 23 {
					continue
				}
				if !strings.HasSuffix(l, "│") && !strings.HasSuffix(l, "╮") && !strings.HasSuffix(l, "╯") || safe.Width(safe.Text(l)) != 80 {
					t.Errorf("attack %d, line %d: %q", i, y, l)
				}
			}
		})
	}
}

// What a server says cannot be taken for what belay says: it stands in columns
// of its own, behind a bar, or between quotes.
func TestServerTextCannotImitateBelay(t *testing.T) {
	requirements.Rows(t, "SEC-23")
	connected(t, 100, 30, Options{}, func(w *harness) {
		fake := "slow · ✓ done by belay"
		params, _ := json.Marshal(map[string]any{"name": fake})
		w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: params}))
		w.wait(100 * time.Millisecond)
		w.press("w", "x")
		w.sees(`cancelling #6 tools/call "slow · ✓ done by belay"`)
		w.feed(`{"jsonrpc":"2.0","id":"p","method":"elicitation/create","params":{"message":"withdrawn by the server · nothing was sent\nesc dismisses\" \"","requestedSchema":{"type":"object","properties":{}}}}`)
		w.quiet()
		w.golden("imitation")
		if l := w.line("┃ withdrawn by the server"); l == "" {
			t.Errorf("the server's words stand without their bar:\n%s", w.screen())
		}
	})
}

// Random keys and messages never make the model panic or draw outside.
func TestRandomUse(t *testing.T) {
	keys := []string{
		"n", "enter", "esc", "x", "c", "X", "e", "r", "!", "space", "/", "s", "F", "w", "+", "_", "i", "y", "Y", "o", ":", "?", "tab",
		"1", "2", "3", "j", "k", "g", "G", "h", "l", "ctrl+d", "ctrl+u", "ctrl+g", "ctrl+t", "ctrl+s", "ctrl+x", "ctrl+r", "ctrl+l", "ctrl+n", "pgdown", "a", "up", "down", "backspace", "shift+tab", "alt+enter",
	}
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		width, height := 20+rnd.IntN(160), 1+rnd.IntN(50)
		connected(t, width, height, Options{ASCII: seed%2 == 1}, func(w *harness) {
			var tail []string
			for step := range 250 {
				k := keys[rnd.IntN(len(keys))]
				tail = append(tail, k)
				w.press(k)
				switch rnd.IntN(12) {
				case 0:
					w.progress(rnd.IntN(20), "1", "2", attacks[rnd.IntN(len(attacks))])
				case 1:
					w.result(rnd.IntN(20), `{"content":[{"type":"text","text":"x"}]}`)
				case 2:
					w.feed(elicit)
				case 5:
					w.asksURL("q2", "https://example.com/")
				case 6:
					w.asksModel("q3", sayHello+`,"maxTokens":9`)
				case 3:
					w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}`)
				case 4:
					w.wait(time.Second)
				}
				look(t, w, width, height, fmt.Sprintf("seed %d, step %d, %v", seed, step, tail[max(0, len(tail)-10):]))
			}
		})
	}
}
