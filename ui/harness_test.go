package ui

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/panel/paneltest"
	"belay/ui/statusline"
)

var update = flag.Bool("update", false, "write the golden files anew")

// harness is a model over a real session, whose server is the test. It runs in a
// bubble of synctest: time passes when the test says so.
type harness struct {
	t    *testing.T
	m    *Model
	b    *memory
	dec  *mcp.Decoder
	msgs chan tea.Msg
	quit bool
	clip string
	news int // how often the model was told of news
	all  int // messages that the model got

	turn func(what string, update func()) // does each update; nil: nothing but that
}

// run runs a test in a bubble, with a model of the given size that is not
// connected yet. The connection begins with the handshake.
func run(t *testing.T, w, h int, o Options, f func(w *harness)) {
	t.Helper()
	runProbing(t, w, h, o, -1, f)
}

// runProbing is run, with a probe that may take as long as it says.
func runProbing(t *testing.T, w, h int, o Options, probe time.Duration, f func(w *harness)) {
	t.Helper()
	runWith(t, w, h, o, session.Config{DiscoverLimit: probe}, f)
}

// runWith is run with a configuration of its own.
func runWith(t *testing.T, w, h int, o Options, cfg session.Config, f func(w *harness)) {
	t.Helper()
	cfg.ClientName, cfg.ClientVersion, cfg.SamplingTools, cfg.CheckRoots = "belay", "test", true, true
	synctest.Test(t, func(t *testing.T) {
		b := &memory{wake: make(chan struct{}, 1), saved: map[string]string{}}
		b.s = session.New(cfg, time.Now())
		x := &harness{t: t, b: b, dec: mcp.NewDecoder(), msgs: make(chan tea.Msg, 1000)}
		x.m = New(b, o)
		x.m.exec = func(c tea.ExecCommand, done tea.ExecCallback) tea.Cmd {
			return func() tea.Msg { return done(c.Run()) }
		}
		x.start(x.m.Init())
		x.send(tea.WindowSizeMsg{Width: w, Height: h})
		b.mu.Lock()
		b.epoch = b.s.Tell(time.Now(), session.Connect{}).Epoch
		b.mu.Unlock()
		x.settle()
		f(x)
		x.m.Finish()
		time.Sleep(2 * statusline.Lasts) // timers that are out come home
	})
}

// connected is run with a server that has answered the handshake and the
// lists.
func connected(t *testing.T, w, h int, o Options, f func(w *harness)) {
	t.Helper()
	run(t, w, h, o, func(x *harness) {
		x.handshake()
		f(x)
	})
}

const initResult = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1.2.0"},` +
	`"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{},"logging":{}},"instructions":"Be kind to it."}`

const toolList = `{"tools":[
 {"name":"countdown","description":"Counts down, with progress.","inputSchema":{"type":"object","required":["seconds"],"properties":{
   "seconds":{"type":"integer","minimum":1,"maximum":600,"description":"how long it takes"},
   "label":{"type":"string"},"loud":{"type":"boolean"},"pace":{"enum":["slow","fast"]}}}},
 {"name":"stubborn","description":"Answers although it was cancelled.","inputSchema":{"type":"object"}},
 {"name":"nested","inputSchema":{"type":"object","required":["who"],"properties":{"who":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}},"n":{"type":"integer"}}}}]}`

func (w *harness) handshake() { w.handshakeWith(initResult) }

// handshakeWith answers initialize as it is told, and then the lists.
func (w *harness) handshakeWith(init string) {
	w.t.Helper()
	time.Sleep(20 * time.Millisecond)
	w.result(w.last("initialize"), init)
	for _, r := range [][2]string{
		{"tools/list", toolList},
		{"prompts/list", `{"prompts":[{"name":"review","arguments":[{"name":"code","required":true}]}]}`},
		{"resources/list", `{"resources":[{"name":"readme","uri":"demo://readme","mimeType":"text/plain"}]}`},
		{"resources/templates/list", `{"resourceTemplates":[{"name":"file","uriTemplate":"demo://files/{name}"}]}`},
	} {
		w.result(w.last(r[0]), r[1])
	}
	w.clearStatus()
}

func (w *harness) clearStatus() {
	w.m.status.Clear()
	w.m.dirty = true
	w.send(nil)
}

// start runs a command as Bubble Tea does.
func (w *harness) start(c tea.Cmd) {
	if c == nil {
		return
	}
	go func() {
		switch msg := c().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				w.start(c)
			}
		default:
			if f, ok := sequence(msg); ok {
				for _, c := range f {
					if m := c(); m != nil {
						w.msgs <- m
					}
				}
				return
			}
			w.msgs <- msg
		}
	}()
}

// sequence takes apart what tea.Sequence makes, a slice of commands of a type
// that is not exported.
func sequence(msg tea.Msg) ([]tea.Cmd, bool) {
	if fmt.Sprintf("%T", msg) != "tea.sequenceMsg" {
		return nil, false
	}
	var cmds []tea.Cmd
	v := reflect.ValueOf(msg)
	for i := range v.Len() {
		if c, ok := v.Index(i).Interface().(tea.Cmd); ok {
			cmds = append(cmds, c)
		}
	}
	return cmds, true
}

// send gives the model a message, and lets everything settle.
func (w *harness) send(msg tea.Msg) {
	w.start(w.update(msg))
	w.settle()
}

// update is what the loop of the screen does with a message.
func (w *harness) update(msg tea.Msg) (cmd tea.Cmd) {
	if w.turn == nil {
		_, cmd = w.m.Update(msg)
		return cmd
	}
	w.turn(fmt.Sprintf("%T", msg), func() { _, cmd = w.m.Update(msg) })
	return cmd
}

// settle lets commands, the session and the model do what they can without
// time passing.
func (w *harness) settle() {
	for {
		w.b.pump()
		synctest.Wait()
		select {
		case msg := <-w.msgs:
			w.take(msg)
		default:
			return
		}
	}
}

func (w *harness) take(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		w.quit = true
		return
	}
	if fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
		w.clip = fmt.Sprint(msg)
		return
	}
	if _, ok := msg.(newsMsg); ok {
		w.news++
	}
	w.all++
	w.start(w.update(msg))
}

// wait lets time pass. In the first and the last seconds of it the session is told of
// each step, and between them, as by the client, of the times that it asked for.
func (w *harness) wait(d time.Duration) {
	const step, often = 50 * time.Millisecond, 5 * time.Second
	for past := time.Duration(0); d > 0; past += step {
		time.Sleep(min(d, step))
		d -= step
		w.b.tell(session.Tick{})
		w.settle()
	}
}

func keyPress(name string) tea.KeyPressMsg { return paneltest.Key(name) }

// press presses keys, by their names.
func (w *harness) press(keys ...string) {
	for _, k := range keys {
		w.send(keyPress(k))
	}
}

// write types text.
func (w *harness) write(text string) {
	for _, r := range text {
		if r == ' ' {
			w.press("space")
			continue
		}
		w.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// feed is a message of the server's.
func (w *harness) feed(format string, args ...any) {
	raw := format
	if len(args) > 0 {
		raw = fmt.Sprintf(format, args...)
	}
	raw = strings.ReplaceAll(raw, "\n", "")
	w.b.locked(func(s *session.Session, now time.Time) {
		s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode([]byte(raw)))
	})
	w.settle()
	time.Sleep(frameTime)
	w.settle()
}

func (w *harness) result(id int, result string) {
	if x := w.exchange(id); x.N != 0 {
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "application/json"}})
			s.Receive(now, x, w.dec.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)))
			s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
		})
		w.settle()
		time.Sleep(frameTime)
		w.settle()
		return
	}
	w.feed(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)
}

// exchange is the one on which a request came; none of its own on stdio.
func (w *harness) exchange(id int) session.ExchangeID {
	prefix := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":`, id)
	for i := len(w.b.wrote) - 1; i >= 0; i-- {
		if strings.HasPrefix(w.b.wrote[i], prefix) {
			return w.b.on[i]
		}
	}
	return session.ExchangeID{}
}

// progress is a progress notification for a call.
func (w *harness) progress(id int, value string, total string, message string) {
	params := fmt.Sprintf(`"progressToken":"belay-%d","progress":%s`, id, value)
	if total != "" {
		params += `,"total":` + total
	}
	if message != "" {
		params += fmt.Sprintf(`,"message":%q`, message)
	}
	w.feed(`{"jsonrpc":"2.0","method":"notifications/progress","params":{%s}}`, params)
}

// last is the ID of the last request of a method that the server got.
func (w *harness) last(method string) int {
	w.t.Helper()
	for i := len(w.b.wrote) - 1; i >= 0; i-- {
		var m struct {
			ID     int
			Method string
		}
		if json.Unmarshal([]byte(w.b.wrote[i]), &m) == nil && m.Method == method {
			return m.ID
		}
	}
	w.t.Fatalf("the server never got %s; it got\n%s", method, strings.Join(w.b.wrote, "\n"))
	return 0
}

// got counts the messages with this text that the server got.
func (w *harness) got(text string) int {
	n := 0
	for _, m := range w.b.wrote {
		if strings.Contains(m, text) {
			n++
		}
	}
	return n
}

// call makes a call of a tool through the core, as the picker does.
func (w *harness) call(tool string) int {
	w.t.Helper()
	w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + tool + `","arguments":{}}`)}))
	w.m.dirty = true
	w.send(nil)
	return w.last("tools/call")
}

// screen is the frame without its styles.
func (w *harness) screen() string { return ansi.Strip(w.m.View().Content) }

// line is the line of the screen that has the text.
func (w *harness) line(text string) string {
	for l := range strings.SplitSeq(w.screen(), "\n") {
		if strings.Contains(l, text) {
			return l
		}
	}
	return ""
}

func (w *harness) sees(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if !strings.Contains(w.screen(), text) {
			w.t.Errorf("the screen lacks %q:\n%s", text, w.screen())
			return
		}
	}
}

func (w *harness) seesNot(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if strings.Contains(w.screen(), text) {
			w.t.Errorf("the screen has %q:\n%s", text, w.screen())
			return
		}
	}
}

// golden compares the frame with testdata/NAME.txt.
func (w *harness) golden(name string) {
	w.t.Helper()
	golden(w.t, name, w.screen()+"\n")
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s\nwant\n%s", path, got, want)
	}
}

// shown is the call that the detail pane shows.
func (w *harness) shown() *session.Detail {
	d, _ := w.m.detail.Call()
	return d
}
