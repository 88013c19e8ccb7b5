package ui

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// forger is a server all of whose words want to be belay's. Each begins with the
// name of its place, so that it is known again wherever it is shown.
type forger struct {
	t     *testing.T
	shown map[string]bool // by place: whether the screen had it
}

// says is what the server says in a place: words that end a quote and begin as
// belay's own do. It is JSON.
func (f *forger) says(place string) string {
	b, _ := json.Marshal(f.words(place))
	return string(b)
}

func (f *forger) words(place string) string {
	if _, ok := f.shown[place]; !ok {
		f.shown[place] = false
	}
	return "zq" + place + `" ✓ done ` + "zw" + place
}

// word is a single plain word, which in a sentence could be belay's.
func (f *forger) word(place string) string {
	f.words(place)
	return "zq" + place
}

var forged = regexp.MustCompile(`zq([a-z]+)`)

// look checks that all that the server says stands in quotes that it cannot leave,
// or behind the bar that marks a text of others. (What a server proposes as a value
// stands in the field as the value that would go out.) It compares a frame with the rule
// alone, and knows none of the places.
func (f *forger) look(screen, where string) {
	f.t.Helper()
	for line := range strings.SplitSeq(screen, "\n") {
		for _, at := range forged.FindAllStringSubmatchIndex(line, -1) {
			from, place := 0, line[at[2]:at[3]]
			f.shown[place] = true
			if i := strings.LastIndexAny(line[:at[0]], "│╭╮╯"); i >= 0 { // of the pane
				from = i
			}
			if strings.HasPrefix(line[from:], "╯") { // a box lies over the beginning
				continue
			}
			if strings.Contains(line[from:at[0]], "┃ ") {
				continue
			}
			if b := line[from:at[0]]; !inQuotes(b) && (!strings.HasSuffix(b, `"`) || strings.HasSuffix(b, `\"`)) { // which may be broken off above

				f.t.Errorf("%s: what the server says of %s stands as if belay said it: %s\n%s", where, place, line, screen)
			}
			end := strings.Index(line, "zw"+place)
			if end > at[1] && !strings.Contains(line[at[1]:end], "│") && !inQuotes(line[from:end]) {
				f.t.Errorf("%s: %s leaves its quotes: %s\n%s", where, place, line, screen)
			}
		}
	}
}

// inQuotes reports whether what follows a text stands in double quotes.
func inQuotes(before string) (in bool) {
	for i := 0; i < len(before); i++ {
		switch {
		case before[i] == '\\' && in:
			i++
		case before[i] == '"':
			in = !in
		}
	}
	return in
}

// walk presses keys, and looks after each of them.
func (f *forger) walk(w *harness, where string, keys ...string) {
	f.t.Helper()
	for _, k := range keys {
		switch {
		case len(k) > 1 && k[0] == ':':
			w.press(":")
			w.write(k[1:])
			w.press("enter")
		default:
			w.press(k)
		}
		w.wait(100 * time.Millisecond)
		f.look(w.screen(), fmt.Sprintf("%s, at %s", where, k))
		if f.t.Failed() {
			return
		}
	}
}

// done goes back to the calls.
func (f *forger) done(w *harness, where string) {
	f.t.Helper()
	f.walk(w, where, "esc", "esc", "esc", "esc", "1")
}

// introduces answers the handshake and the lists.
func (f *forger) introduces(w *harness) {
	q := f.says
	time.Sleep(20 * time.Millisecond)
	w.result(w.last("initialize"), fmt.Sprintf(`{"protocolVersion":"2025-11-25","serverInfo":{"name":%s,"version":%s},"instructions":%s,`+
		`"capabilities":{"tools":{},"prompts":{},"resources":{"subscribe":true},"logging":{},"completions":{}}}`, q("server"), q("version"), q("instructions")))
	w.result(w.last("tools/list"), `{"tools":[{"name":`+q("tool")+`,"title":`+q("title")+`,"description":`+q("description")+
		`,"annotations":{"title":`+q("anntitle")+`,"destructiveHint":true},"inputSchema":{"type":"object","required":["a"],"properties":{`+
		`"a":{"type":"string","title":`+q("fieldtitle")+`,"description":`+q("fieldabout")+`},`+
		q("property")+`:{"type":"string","format":`+q("format")+`},`+
		`"p":{"type":"string","pattern":`+q("pattern")+`},`+
		`"c":{"const":`+q("const")+`},`+
		`"e":{"enum":[`+q("option")+`,"x"]},`+
		`"m":{"type":"array","items":{"enum":[`+q("ticked")+`,"x"]}},`+
		`"v":{"oneOf":[{"title":`+q("variant")+`,"type":"integer"},{"title":"x","type":"boolean"}]},`+
		`"n":{"type":`+q("kind")+`},`+
		`"d":{"type":"integer","default":`+q("default")+`}`+
		`}},"outputSchema":{"type":"object","required":[`+q("missing")+`],"properties":{`+q("result")+`:{"type":"integer"},"w":{"enum":[`+q("wanted")+`]}}}},`+
		`{"name":"plain_name","description":`+q("other")+`,"inputSchema":{"type":"object","properties":{}}}]}`)
	w.result(w.last("prompts/list"), `{"prompts":[{"name":`+q("prompt")+`,"title":`+q("prompttitle")+`,"arguments":[{"name":`+q("argument")+`,"description":`+q("argumentabout")+`,"required":true}]}]}`)
	w.result(w.last("resources/list"), `{"resources":[{"name":`+q("resource")+`,"title":`+q("resourcetitle")+`,"uri":`+q("uri")+`,"mimeType":`+q("mime")+`}]}`)
	w.result(w.last("resources/templates/list"), `{"resourceTemplates":[{"name":`+q("template")+`,"uriTemplate":`+q("templateuri")+`}]}`)
	w.clearStatus()
}

// calls is a call of the tool, made from its form.
func (f *forger) calls(w *harness) int {
	params, _ := json.Marshal(map[string]any{"name": f.words("tool"), "arguments": map[string]string{}})
	w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: params}))
	w.m.dirty = true
	w.send(nil)
	return w.last("tools/call")
}

// tabs looks at all of the detail of the call that is selected.
func (f *forger) tabs(w *harness, where string) {
	f.t.Helper()
	f.walk(w, where, "2", "h", "h", "h", "ctrl+d", "g", "l", "ctrl+d", "g", "l", "ctrl+d", "g", "l", "ctrl+d", "G", "1")
}

// refuses answers a request with an error.
func (f *forger) refuses(w *harness, method, place string) {
	w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":%s}}`, w.last(method), f.says(place))
}

// scenes are all that a server can say, each on a connection of its own, which the
// scene itself may begin.
var forgedScenes = []struct {
	name   string
	play   func(f *forger, w *harness)
	itself bool
}{
	{"offers", func(f *forger, w *harness) {
		f.look(w.screen(), "welcome")
		for _, keys := range [][]string{
			{"i", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d"},
			{"n", "down", "down", "down", "down"},
			{"n", "alt+enter", "tab", "tab", "tab", "tab", "tab", "right", "right", "tab", "space", "tab", "right", "right", "tab", "tab", "ctrl+s", "ctrl+g", "ctrl+g", "ctrl+t"},
			{"n", "down", "down", "enter", "a", "ctrl+s"},
			{"n", "down", "down", "down", "enter"},
			{"?"},
			{":confirm always"},
			{"n", "down", "enter", "p"},
		} {
			f.walk(w, "offers", keys...)
			f.done(w, "offers")
		}
		f.tabs(w, "offers")
	}, false},
	{"suggests", func(f *forger, w *harness) {
		f.walk(w, "suggests", "n", "down", "down", "enter", "a")
		w.wait(time.Second)
		w.suggests(`{"completion":{"values":[` + f.says("suggested") + `,"x"]}}`)
		f.look(w.screen(), "suggests")
		f.done(w, "suggests") // what is taken is the user's from there on
		f.walk(w, "suggests", "n", "down", "down", "enter", "b")
		w.wait(time.Second)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":%s}}`, w.last("completion/complete"), f.says("nosuggestion"))
		f.look(w.screen(), "suggests")
	}, false},
	{"works", func(f *forger, w *harness) {
		id := f.calls(w)
		w.progress(id, "1", "2", f.words("progress"))
		w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%s,"logger":%s,"data":%s}}`, f.says("level"), f.says("logger"), f.says("logged"))
		w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"logger":%q,"data":1}}`, f.word("levelword"), f.word("loggerword"))
		w.feed(`{"jsonrpc":"2.0","method":%s,"params":{}}`, f.says("notification"))
		w.feed(`{"jsonrpc":"2.0","id":%s,"method":%s,"params":{}}`, f.says("i"), f.says("method"))
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Stderr{Epoch: w.b.epoch, Line: []byte(f.words("stderr") + "\n")})
			s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode([]byte(f.words("garbage"))))
		})
		w.settle()
		f.tabs(w, "works")
		f.walk(w, "works", "3", "g", "enter", "esc", "G", "enter", "esc", "k", "enter", "esc", "k", "enter", "esc", "k", "enter", "esc", "k", "enter", "esc", "w", "1")
		f.walk(w, "works", "c", "esc", "X", "esc", "q", "esc", "r", "esc", "j", "k", "x")
		w.progress(id, "2", "2", f.words("afterwards"))
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":%s,"data":%s}}`, id, f.says("error"), f.says("errordata"))
		f.tabs(w, "works")
		f.walk(w, "works", "i", "ctrl+d", "esc")
	}, false},
	{"answers", func(f *forger, w *harness) {
		q := f.says
		w.result(f.calls(w), `{"content":[{"type":"text","text":`+q("text")+`,"annotations":{"audience":[`+q("audience")+`],"lastModified":`+q("modified")+`}},`+
			`{"type":`+q("parttype")+`},{"type":"image","mimeType":`+q("imagemime")+`,"data":"AAAA"},`+
			`{"type":"resource_link","uri":`+q("linkuri")+`,"name":`+q("linkname")+`,"mimeType":`+q("linkmime")+`},`+
			`{"type":"resource","resource":{"uri":`+q("embedded")+`,"text":"x"}}],"structuredContent":{`+q("result")+`:"x","w":1}}`)
		w.wait(time.Second)
		f.tabs(w, "answers")
		f.walk(w, "answers", "p", "esc")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":%s}}`, f.calls(w), q("error"))
		f.tabs(w, "answers")
		w.start(w.m.call(session.CallSpec{Method: "prompts/get", Params: []byte(`{"name":"x"}`)}))
		w.m.dirty = true
		w.send(nil)
		w.result(w.last("prompts/get"), `{"description":`+q("promptabout")+`,"messages":[{"role":`+q("role")+`,"content":{"type":"text","text":`+q("prompttext")+`}}]}`)
		f.tabs(w, "answers")
	}, false},
	{"asks by a form", func(f *forger, w *harness) {
		f.calls(w)
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":%s,"requestedSchema":{"type":"object","required":["a"],"properties":{"a":{"type":"string","title":%s,"description":%s},%s:{"type":"string"},"e":{"type":"string","enum":[%s,"x"]},"o":{"oneOf":[{"const":"x","title":%s},{"const":"y","title":"y"}]}}}}}`,
			f.says("question"), f.says("fieldtitle"), f.says("fieldabout"), f.says("password"), f.says("option"), f.says("variant"))
		w.quiet()
		f.look(w.screen(), "asks")
		f.walk(w, "asks", "tab", "tab", "right", "tab", "right", "ctrl+s", "ctrl+g", "ctrl+g", "ctrl+l")
		f.walk(w, "asks", "2", "1", "!")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":%s}}`, f.says("reason"))
		w.wait(time.Second)
		f.walk(w, "asks", "pgdown")
	}, false},
	{"asks by an address", func(f *forger, w *harness) {
		f.calls(w)
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"mode":"url","message":%s,"elicitationId":%s,"url":"https://example.com/"}}`, f.says("question"), f.says("elicitation"))
		w.quiet()
		f.look(w.screen(), "asks")
		f.walk(w, "asks", "pgdown", "ctrl+l", "1")
	}, false},
	{"asks a model", func(f *forger, w *harness) {
		q := f.says
		f.calls(w)
		w.feed("%s", `{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":`+q("text")+`}},`+
			`{"role":"user","content":{"type":"image","mimeType":`+q("imagemime")+`,"data":"AAAA"}},`+
			`{"role":"assistant","content":{"type":"tool_use","id":`+q("useid")+`,"name":`+q("usename")+`,"input":{}}},{"role":"user","content":{"type":"tool_result","toolUseId":`+q("useid")+`,"content":[]}}],`+
			`"systemPrompt":`+q("system")+`,"maxTokens":1,"includeContext":`+q("context")+`,"stopSequences":[`+q("stop")+`],"metadata":{"a":`+q("metadata")+`},`+
			`"modelPreferences":{"hints":[{"name":"x"},{"name":`+q("hint")+`}]},"tools":[{"name":`+q("usable")+`,"description":`+q("usableabout")+`,"inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}}}`)
		for i, bad := range []string{`"messages":[{"role":` + q("role") + `,"content":{"type":"text","text":"x"}}]`, `"messages":[{"role":"user","content":{"type":` + q("parttype") + `}}]`, `"messages":[],"toolChoice":{"mode":` + q("choice") + `}`} {
			w.feed(`{"jsonrpc":"2.0","id":"bad %d","method":"sampling/createMessage","params":{"maxTokens":1,%s}}`, i, bad)
		}
		w.quiet()
		f.look(w.screen(), "asks")
		f.walk(w, "asks", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "ctrl+l", "1", "3", "i", "ctrl+d", "esc")
	}, false},
	{"goes", func(f *forger, w *harness) {
		f.calls(w)
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 1", Stderr: f.words("stderr")}})
		w.wait(time.Second)
		f.look(w.screen(), "goes")
		f.tabs(w, "goes")
		w.m.Leave()
		for _, l := range w.m.Farewell() {
			if !strings.Contains(l, "stderr │") {
				f.look(l, "farewell")
			}
		}
	}, false},
	{"quits", func(f *forger, w *harness) {
		f.calls(w)
		f.walk(w, "quits", "q", "y")
		w.wait(10 * time.Second)
		for _, l := range w.m.Farewell() {
			f.look(l, "farewell")
		}
	}, false},
	{"refuses the handshake", func(f *forger, w *harness) {
		w.wait(20 * time.Millisecond)
		f.refuses(w, "initialize", "handshake")
		w.wait(time.Second)
		f.look(w.screen(), "refuses the handshake")
		f.walk(w, "refuses the handshake", "i", "ctrl+d", "esc", "3", "g", "1")
	}, true},
	{"refuses the lists", func(f *forger, w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("initialize"), `{"protocolVersion":"2025-11-25","serverInfo":{"name":"x","version":"1"},"capabilities":{"tools":{},"prompts":{},"resources":{},"tasks":{"list":{},"cancel":{}}}}`)
		f.refuses(w, "tools/list", "toollist")
		f.refuses(w, "prompts/list", "promptlist")
		f.refuses(w, "resources/list", "resourcelist")
		f.refuses(w, "resources/templates/list", "templatelist")
		w.quiet()
		f.look(w.screen(), "refuses the lists")
		for _, keys := range [][]string{{"n", "down", "down", "down", "down"}, {"i", "ctrl+d", "ctrl+d", "ctrl+d"}} {
			f.walk(w, "refuses the lists", keys...)
			f.done(w, "refuses the lists")
		}
		w.clearStatus()
		f.walk(w, "refuses the lists", ":tasks")
		f.refuses(w, "tasks/list", "tasklist")
		w.wait(200 * time.Millisecond)
		f.look(w.screen(), "refuses the lists")
		f.walk(w, "refuses the lists", "down", "esc")
	}, true},
}

// What a server says is marked as its own wherever it stands: in quotes that it
// cannot leave, or behind a bar. The test looks at every screen there is and knows
// no place that may do without; a word that is not seen anywhere fails as well.
func TestAllWordsOfAServerAreMarked(t *testing.T) {
	requirements.Rows(t, "SEC-23")
	f := &forger{t: t, shown: map[string]bool{}}
	for _, size := range [][2]int{{140, 40}, {100, 30}, {80, 24}, {60, 15}} {
		for _, scene := range forgedScenes {
			t.Run(fmt.Sprintf("%s %d", scene.name, size[0]), func(t *testing.T) {
				run(t, size[0], size[1], Options{}, func(w *harness) {
					f.t = t
					if !scene.itself {
						f.introduces(w)
					}
					scene.play(f, w)
					if title := w.m.View().WindowTitle; title != "belay" && title != "" {
						t.Errorf("the window is called %q", title)
					}
				})
			})
		}
	}
	for _, place := range slices.Sorted(maps.Keys(f.shown)) {
		if !f.shown[place] {
			t.Errorf("the test never saw what the server says of %s", place)
		}
	}
}

// The name of a tool that is a word of belay's stands in quotes in every sentence about
// its calls, whatever word it is.
func TestToolsWithNamesOfBelaysWords(t *testing.T) {
	requirements.Rows(t, "SEC-23")
	for _, name := range []string{"done", "stopped", "Finished", "successfully", "verified", "rejected", "ok"} {
		connected(t, 120, 30, Options{}, func(w *harness) {
			w.call(name)
			w.press("x")
			w.wait(100 * time.Millisecond)
			if got := w.status(); !strings.Contains(got, ` tools/call "`+name+`"`) {
				t.Errorf("the status line says %q", got)
			}
			if strings.Contains(w.screen(), " "+name+" cancelled") || strings.Contains(w.screen(), "tools/call "+name) {
				t.Errorf("a sentence has the name without quotes:\n%s", w.screen())
			}
		})
	}
}
