package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"belay/internal/requirements"
	"belay/mcpclient/config"
	"belay/ui/chooser"
)

// typing is a talk with a user who has typed this.
func typing(t *testing.T, text string) (*ttyPrompter, *bytes.Buffer) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	return &ttyPrompter{in: r, out: &out, width: 80, show: func(l *chooser.List) error {
		out.WriteString(ansi.Strip(l.View().Content))
		for _, char := range text {
			if l.Update(pressed(char)); char == '\n' || char == '\x1b' {
				break
			}
		}
		return nil
	}}, &out
}

// pressed is the key that brings about a character; ↓ is that key.
func pressed(char rune) tea.KeyPressMsg {
	switch char {
	case '\n':
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case '\x1b':
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case '↓':
		return tea.KeyPressMsg{Code: tea.KeyDown}
	}
	return tea.KeyPressMsg{Code: char, Text: string(char)}
}

func servers(t *testing.T, text string) []*config.Server {
	t.Helper()
	f, err := config.Parse(config.Place{Path: "/p/mcp.json", Folder: "/p"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f.Servers
}

// opened is an entry with its file of variables, which a home may hold.
func opened(t *testing.T, s *config.Server, home ...string) *config.Opened {
	t.Helper()
	o, err := s.Open(config.Facts{Home: strings.Join(home, ""), Dir: "/here", Env: func(string) (string, bool) { return "s3cr3t", true }})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAnEntryIsShownBeforeItRuns(t *testing.T) {
	requirements.Rows(t, "SEC-02")
	s := servers(t, `{"servers": {
  "files": {"command": "npx", "args": ["-y", "a server", "${workspaceFolder}", "--key=${KEY}", ""],
    "env": {"TOKEN": "s3cr3t", "A B": "s3cr3t"}, "envFile": "${userHome}/.env", "cwd": "web"}}}`)[0]
	talk, out := typing(t, "y\n")
	home := t.TempDir()
	write(t, "PORT=s3cr3t\nLD_PRELOAD=s3cr3t\nPORT=s3cr3t", home, ".env")
	facts := config.Facts{Home: home, Dir: "/here", Env: func(string) (string, bool) { return "s3cr3t", true }}
	if !talk.mayRun(opened(t, s, home), facts, "") {
		t.Error("y is no consent")
	}
	want := `A config file names a program to run:

  server     "files"
  from       /p/mcp.json:2
  command    npx -y "a server" /p --key=${KEY} ""
  directory  /p/web
  variables  TOKEN "A B"
  and from   "${userHome}/.env" (SHA-256 4c82b4c944d71d20…) PORT LD_PRELOAD
  mind       "LD_PRELOAD" can make the program load other code

This is dangerous if you do not trust the file: the program runs with your
rights. It can read, change and delete whatever you can.
You are asked once, and again when the entry or that file has changed.

Run it? [y/N] `
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
}

// Of a server over HTTP is shown what it gets: that its address has a query, the
// names of the header fields, and the variables whose values go there.
func TestAnEntryOverHTTPIsShownBeforeItIsReached(t *testing.T) {
	const question = "You are asked once, and again when the entry has changed.\n\nConnect? [y/N] "
	for entry, want := range map[string]string{
		`{"url": "https://h/mcp?key=s3cr3t", "headers": {"Authorization": "Bearer ${TOK}", "X": "s3cr3t ${input:k}"}}`: `  address    "https://h/mcp?…"
  it gets    these header fields: Authorization X
  with       the values of ${TOK} ${input:k}

That server gets what you type and answer, and the values of all these, which
may be secrets of yours.
`,
		`{"url": "https://h/mcp", "header": {"X": "s3cr3t"}, "o\u001bauth": 1}`: `  address    https://h/mcp
  ignored    "header" (headers?), "o⟨ESC⟩auth": belay does not know these

That server gets what you type and answer.
`,
		`{"url": "https://xn--80ak6aa92e.com/mcp"}`: `  address    https://xn--80ak6aa92e.com/mcp
  host       xn--80ak6aa92e.com reads "аррӏе.com"
  mind       it looks like apple.com, and is another

That server gets what you type and answer.
`,
		`{"url": "https://pаypal.bücher.example/mcp"}`: `  address    "https://pаypal.bücher.example/mcp"
  host       xn--pypal-4ve.xn--bcher-kva.example reads "pаypal.bücher.example"
  mind       it looks like paypal.xn--bcher-kva.example, and is another
  mind       the host mixes the letters of Cyrillic and Latin

That server gets what you type and answer.
`,
		`{"url": "https://${HOST:-pаypal.com}/mcp"}`: `  address    "https://${HOST:-pаypal.com}/mcp"
  with       the values of ${HOST}

That server gets what you type and answer, and the values of all these, which
may be secrets of yours.
`,
		`{"url": "https://h/mcp"}`: `  address    https://h/mcp

That server gets what you type and answer.
`,
	} {
		talk, out := typing(t, "y\n")
		if !talk.mayRun(opened(t, servers(t, `{"servers": {"x": `+entry+`}}`)[0]), config.Facts{}, "") {
			t.Error("y is no consent")
		}
		want = "A config file names a server to connect to:\n\n  server     \"x\"\n  from       /p/mcp.json:1\n" + want + question
		if out.String() != want {
			t.Errorf("%s\nwant\n%s", out, want)
		}
	}
}

// What a variable stands for is not shown, and judged all the same; and the host that
// credentials go to without TLS is judged as well. None of it pushes the question away.
func TestAHostThatLooksLikeAnother(t *testing.T) {
	requirements.Rows(t, "ELI-42")
	for _, tt := range []struct{ leads, written, want string }{
		{"https://pаypal.com/x", "https://${HOST:-pаypal.com}/x", "mind       its host has letters beyond ASCII\n  mind       it looks like another, of ASCII\n  mind       the host mixes the letters of Cyrillic and Latin"},
		{"https://bücher.example", "https://${HOST}", "mind       its host has letters beyond ASCII"},
		{"https://bücher.example", "https://bücher.example", `host       xn--bcher-kva.example reads "bücher.example"`},
		{"https://example.com", "https://${HOST}", ""},
		{"https://EXAMPLE.com", "https://EXAMPLE.com", ""},
		{"https://ｇoogle.com/mcp", "https://ｇoogle.com/mcp", `host       google.com reads "ｇoogle.com"` + "\n  mind       the host is written in unusual characters"},
		{"https://ｇoogle.com/mcp", "https://${HOST}/mcp", "mind       its host has letters beyond ASCII\n  mind       the host is written in unusual characters"},
		{"https://google.com․evil.example", "https://google.com․evil.example", `host       google.com.evil.example reads "google.com․evil.example"` + "\n  mind       the host is written in unusual characters"},
		{"https://google.com／evil.example", "https://google.com／evil.example", "mind       its host has characters that no host can have"},
		{"https://google.com／evil.example", "https://${HOST}", "mind       its host has characters that no host can have"},
	} {
		var q sheet
		q.host(tt.leads, tt.written)
		if got := strings.TrimSpace(strings.Join(q.set(100, 0), "\n")); got != tt.want {
			t.Errorf("%s as %s:\n%s\nwant\n%s", tt.leads, tt.written, got, tt.want)
		}
	}
	talk, out := typing(t, "y\n")
	talk.maySend(config.Readable{Origin: "http://xn--80ak6aa92e.com", What: []string{"Authorization"}}, "")
	if !strings.Contains(out.String(), "reads \"аррӏе.com\"\n  mind       it looks like apple.com, and is another\n") {
		t.Error(out)
	}
	var q sheet
	long := "https://" + strings.Repeat("pаypal.xn--80ak6aa92e.", 40) + "com"
	q.host(long, long)
	if lines, folded := q.fitted(80, 24); len(lines) >= 24 || !folded {
		t.Errorf("%d lines, folded: %v", len(lines), folded)
	}
}

func TestOnlyYesIsYes(t *testing.T) {
	s := servers(t, `{"servers": {"x": {"command": "c"}}}`)[0]
	for text, want := range map[string]bool{
		"y\n": true, "Y\r\n": true, " yes \n": true,
		"": false, "\n": false, "n\n": false, "yo\n": false, "no y\n": false, "y": false, "\ny\n": false,
	} {
		talk, _ := typing(t, text)
		if got := talk.mayRun(opened(t, s), config.Facts{}, ""); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A long command is shown to its end, and nothing in it acts or comes to stand
// at the beginning of a line, where belay's own words do.
func TestAHostileEntryIsShownWholeAndInert(t *testing.T) {
	requirements.Rows(t, "SEC-01")
	long := strings.Repeat("0123456789 ", 182) + "the end"
	home := t.TempDir()
	write(t, "A=s3cr3t", home, "\x1b[2Je")
	s := servers(t, fmt.Sprintf(`{"servers": {"a\u001b[2J\nRun it? [y/N]": {
  "command": "sh", "args": ["-c", %q, "x\u001b]0;t\u0007\n\nRun it? [y/N] ", "\u202egnp.exe", "\u009b31m"],
  "env": {"N\u001b[31m\nA": "s3cr3t"}, "cwd": "/d\u001b[2J\n", "envFile": "${userHome}/\u001b[2Je"}}}`, long))[0]
	talk, out := typing(t, "n\n")
	talk.mayRun(opened(t, s, home), config.Facts{}, "")
	text := out.String()
	for _, bad := range []string{"\x1b", "\a", "\u202e", "\u009b", "s3cr3t"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is written", bad)
		}
	}
	if n := strings.Count(text, "\nRun it?"); n != 1 {
		t.Errorf("the question stands there %d times:\n%s", n, text)
	}
	joined := strings.Join(strings.Fields(text), " ")
	for _, whole := range []string{long, `"x⟨ESC⟩]0;t⟨BEL⟩⏎⏎Run it? [y/N] "`, "⟨U+202E⟩gnp.exe", "⟨U+009B⟩31m", "N⟨ESC⟩[31m⏎A"} {
		if !strings.Contains(joined, whole) {
			t.Errorf("%.40q is not shown whole:\n%s", whole, text)
		}
	}
	for line := range strings.Lines(text) {
		if len([]rune(line)) > 81 {
			t.Errorf("a line is too long: %s", line)
		}
	}
}

const mixed = `{"servers": {
  "files": {"command": "npx", "args": ["-y", "server-files"]},
  "web": {"url": "https://u:s3cr3t@example.com/mcp?k=s3cr3t", "headers": {"Authorization": "s3cr3t"}},
  "later": {"type": "sse", "url": "${HOST}/sse"},
  "broken": {"command": 5},
  "e\u001b[2J\n": {"command": "\u001b]0;t\u0007"}}}`

func TestTheListOfServers(t *testing.T) {
	all := servers(t, mixed)
	other, err := config.Parse(config.Place{Path: "/h/mcp.json"}, []byte(`{"servers": {"2": {"command": "two"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, other.Servers...)
	failed := []error{&config.Error{File: "/q/mcp.json", Line: 1, Column: 2, Problem: "this is \x1b no JSON"}}
	talk, out := typing(t, "↓↓\n")
	picked, err := talk.pick(all, failed)
	if err != nil || picked.Name != "later" {
		t.Errorf("%+v, %v", picked, err)
	}
	for _, want := range []string{
		" Which server?", " /p/mcp.json\n", `▌  files         npx -y server-files`, `   web           HTTP: https://example.com/mcp?…`,
		`   later         HTTP+SSE`, `   broken        5:25: servers.broken.command: this is a number; it must be`, `   "e⟨ESC⟩[2J⏎"  "⟨ESC⟩]0;t⟨BEL⟩"`,
		"\n /h/mcp.json\n   2             two\n", " from /p/mcp.json:2\n", " not read: /q/mcp.json:1:2: this is ⟨ESC⟩ no JSON\n", " enter run  ↑↓ choose  esc none of them",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out.String(), "s3cr3t") {
		t.Errorf("a secret is listed:\n%s", out)
	}
}

func TestAServerIsChosen(t *testing.T) {
	all := servers(t, `{"servers": {"a": {"command": "c"}, "1": {"command": "c"}}}`)
	for text, want := range map[string]string{"\n": "a", "↓\n": "1", "1\n": "1", "↓": "", "7\n": "", "\x1b\n": "", "1\x1b": ""} {
		talk, _ := typing(t, text)
		got := ""
		s, err := talk.pick(all, nil)
		if s != nil {
			got = s.Name
		}
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestInputsAreAsked(t *testing.T) {
	choice := []config.Option{{Label: "Test", Value: "t"}, {Label: "Live\x1b", Value: "l"}}
	for _, tt := range []struct {
		in    config.Input
		typed string
		want  string
		shown string
	}{
		{config.Input{ID: "k", Description: "A key\x1b"}, "v \nrest", "v ", `the config file asks for "k": "A key⟨ESC⟩"`},
		{config.Input{ID: "k", Default: "d", HasDefault: true}, "\n", "d", `(enter: "d")`},
		{config.Input{ID: "k", Default: "d", HasDefault: true}, "e\n", "e", ""},
		{config.Input{ID: "k", Options: choice}, "0\nx\n\n2\n", "l", `2  "Live⟨ESC⟩" = "l"`},
		{config.Input{ID: "k", Options: choice}, "Test\n", "t", "number or name: "},
		{config.Input{ID: "k", Options: choice}, "tes\nl\n", "l", "a number from 1 to 2, or a name"},
		{config.Input{ID: "k", Options: choice, Default: "t", HasDefault: true}, "\n", "t", `"Test" = "t" (enter)`},
		{config.Input{ID: "k", Options: []config.Option{{Label: "t", Value: "t"}}, Default: "t", HasDefault: true}, "\n", "t", `1  "t" (enter)`},
	} {
		talk, out := typing(t, tt.typed)
		got, err := talk.input(tt.in)
		if err != nil || got != tt.want || !strings.Contains(out.String(), tt.shown) || strings.Contains(out.String(), "\x1b") {
			t.Errorf("%+v: %q, %v\n%s", tt.in, got, err, out)
		}
	}
	talk, _ := typing(t, "no end of line")
	if _, err := talk.input(config.Input{ID: "k"}); err == nil {
		t.Error("half a line is an answer")
	}
	talk = nil
	if _, err := talk.input(config.Input{ID: "k"}); err == nil || !strings.Contains(err.Error(), "no terminal") {
		t.Errorf("%v", err)
	}
}

// What comes behind an answer is for the screen.
func TestALineTakesNoMoreThanItself(t *testing.T) {
	talk, _ := typing(t, "y\nqq")
	if text, err := talk.line(""); err != nil || text != "y" {
		t.Fatalf("%q, %v", text, err)
	}
	rest := make([]byte, 8)
	if n, _ := talk.in.Read(rest); string(rest[:n]) != "qq" {
		t.Errorf("left is %q", rest[:n])
	}
}

// What the terminal answers late to a list's questions is no part of the line that follows, nor of
// a secret.
func TestALineIsWithoutTheTerminalsReports(t *testing.T) {
	for typed, want := range map[string]string{
		"\x1b[?1uy":                      "y",
		"\x1b[?2026;2$yyes":              "yes",
		"se\x1b[?62;22cc\x1b[?1uret é":   "secret é",
		"\x1b]11;rgb:0000/0000/0000\x07": "",
		"a\tb \x01":                      "a\tb \x01",
		"":                               "",
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString(typed + "\r\nrest"); err != nil {
			t.Fatal(err)
		}
		got, err := lineOf(r)
		if err != nil || got != want {
			t.Errorf("%q is read as %q, %v", typed, got, err)
		}
		_, _ = r.Close(), w.Close()
	}
}
