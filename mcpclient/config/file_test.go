package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The canary stands for whatever is secret in a file.
const canary = "s3cr3t-canary"

func mustParse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse(Place{Path: "/p/mcp.json", Folder: "/p"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// summary is a server in one line, for tables.
func summary(s *Server) string {
	if s.Err != nil {
		return s.Name + " wrong"
	}
	line := fmt.Sprintf("%s:%d %v", s.Name, s.Line(), s.Transport)
	if s.Transport == Stdio {
		line += " " + s.Command.Raw
		for _, a := range s.Args {
			line += " " + a.Raw
		}
	} else {
		line += " " + s.URL.Raw
	}
	for _, p := range append(s.Env, s.Headers...) {
		line += " " + p.Name + "=" + p.Value.Raw
	}
	if s.EnvFile.Raw != "" {
		line += " envFile " + s.EnvFile.Raw
	}
	if s.Dir.Raw != "" {
		line += " in " + s.Dir.Raw
	}
	return line
}

func TestTheFormatsOfTheClients(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"mcp.json of a project", `{
  "mcpServers": {
    "files": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "${PWD}"],
      "env": {"LOG_LEVEL": "debug"}
    },
    "api": {
      "type": "http",
      "url": "${API:-https://api.example.com}/mcp",
      "headers": {"Authorization": "Bearer ${API_KEY}"}
    },
    "events": {"type": "sse", "url": "https://example.com/sse", "headersHelper": "./token.sh"}
  }
}`, `files:3 stdio npx -y @modelcontextprotocol/server-filesystem ${PWD} LOG_LEVEL=debug
api:9 HTTP ${API:-https://api.example.com}/mcp Authorization=Bearer ${API_KEY}
events:14 HTTP+SSE https://example.com/sse`},

		{"Claude Desktop", `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "sqlite": {"command": "uvx", "args": ["mcp-server-sqlite", "--db-path", "C:\\Users\\ann\\test.db"]},
    "everything": {"command": "C:\\Program Files\\nodejs\\npx.cmd", "args": [], "env": {"PORT": 8080, "DEBUG": true}}
  },
  "preferences": {"menuBarEnabled": false, "sidebar": [null, 1e3]}
}`, `sqlite:4 stdio uvx mcp-server-sqlite --db-path C:\Users\ann\test.db
everything:5 stdio C:\Program Files\nodejs\npx.cmd PORT=8080 DEBUG=true`},

		{"VS Code", `// servers of the team
{
  "inputs": [
    {"type": "promptString", "id": "key", "description": "API key", "password": true},
  ],
  "servers": {
    "playwright": {
      "command": "npx", /* no type */
      "args": ["-y", "@playwright/mcp@latest"],
      "cwd": "${workspaceFolder}/web",
      "envFile": "${workspaceFolder}/.env",
      "env": {"KEY": "${input:key}",},
      "dev": {"watch": "src/**"},
    },
    "github": {"url": "https://api.githubcopilot.com/mcp/"}, // type is known by the url
  }
}
// end`, `playwright:7 stdio npx -y @playwright/mcp@latest KEY=${input:key} envFile ${workspaceFolder}/.env in ${workspaceFolder}/web
github:15 HTTP https://api.githubcopilot.com/mcp/`},

		{"Cursor", `{
  "mcpServers": {
    "local": {"type": "stdio", "command": "python", "args": ["${workspaceFolder}/s.py"], "env": {"K": "${env:K}"}, "envFile": ".env"},
    "remote": {"url": "https://example.com/mcp", "headers": {"X-Key": "${env:X_KEY}"}}
  }
}`, `local:3 stdio python ${workspaceFolder}/s.py K=${env:K} envFile .env
remote:4 HTTP https://example.com/mcp X-Key=${env:X_KEY}`},

		{
			"names of transports", `{"mcpServers": {"a": {"type": "streamable-http", "url": "http://x/"}, "b": {"type": "streamableHttp", "url": "http://y"}, "c": {"type": "local", "command": "z"}}}`,
			"a:1 HTTP http://x/\nb:1 HTTP http://y\nc:1 stdio z",
		},
		{"fields that were emptied", `{"mcpServers": {"a": {"command": "x", "args": null, "env": null, "cwd": null, "url": null}}, "servers": null}`, "a:1 stdio x"},
		{"no servers", `{"mcpServers": {}}`, ""},
		{"something else", `{"name": "x", "nested": {"mcpServers": {"a": 1}}}`, ""},
		{"nothing", " \n", ""},
		{"only a comment", "// later", ""},
		{"written by Notepad", "\xef\xbb\xbf{\r\n\"mcpServers\": {\r\n\"a\": {\"command\": \"x\"}}}", "a:3 stdio x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, s := range mustParse(t, tt.text).Servers {
				lines = append(lines, summary(s))
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestWhatIsWrongIsNamedByLineAndKey(t *testing.T) {
	server := func(entry string) string {
		return "{\n  \"mcpServers\": {\n    \"x\": " + entry + "\n  }\n}"
	}
	for _, tt := range []struct{ text, want string }{
		// The file as a whole.
		{`[]`, `:1:1: the file must hold one JSON object`},
		{`{"a": 1} {}`, `:1:11: there is something behind the end`},
		{`{"mcpServers": []}`, `:1:16: mcpServers: this is an array; it must be an object`},
		{"{\n \"servers\": 7}", `:2:13: servers: this is a number`},
		{"\xff\xfe{\x00", `UTF-16`},
		{"{\n\"mcpServers\": {\"a\": {\"command\": \"x\"}}\n\"inputs\": []}", `:3:1: this is no JSON: invalid character '"' after object value`},
		{server(`{"command": "` + canary + `", "command": "y"}`), `:3:39: mcpServers.x.command: this key stands there twice`},
		{server(`{"command": "C:\Users\` + canary + `"}`), `mcpServers.x.command: this is no JSON: a backslash in a string is written as \\`},
		{server(`{"env": {"A": '` + canary + `'}}`), `:3:24: mcpServers.x.env.A: this is no JSON: invalid character '\''`},
		{server(`{"args": ["a", "b" "c"]}`), `mcpServers.x.args: this is no JSON: invalid character '"' after array element`},
		{server(`{"args": ["a", 'b']}`), `:3:25: mcpServers.x.args[1]: this is no JSON: invalid character '\'' at start of value`},
		{"{\"mcpServers\": {\"x\": {\"command\": \"" + canary, `the file ends in the middle of it`},
		{"{\"mcpServers\": {\n", `the file ends in the middle of it`},
		{"{ /* no end", `this comment does not end`},
		{`{"mcpServers": {"x": {"command": "a"}}, "servers": {"x": {"command": "b"}}}`, `:1:53: servers.x: a server of this name stands in the file already`},
		{strings.Repeat(`{"mcpServers":`, 20_000), `this is no JSON: exceeded max depth`},
		// Inputs.
		{`{"inputs": {}}`, `:1:12: inputs: this is an object; it must be an array`},
		{`{"inputs": ["x"]}`, `inputs[0]: this is a string; an input is an object`},
		{`{"inputs": [{"type": "promptString"}]}`, `inputs[0]: the input has no "id"`},
		{`{"inputs": [{"id": "a", "type": "pickString"}]}`, `inputs[0]: the input has no "options"`},
		{`{"inputs": [{"id": "a", "type": "pickString", "options": [{"label": 1}]}]}`, `inputs[0].options[0].label: this is a number`},
		{`{"inputs": [{"id": "a", "type": "promptString", "password": "yes"}]}`, `inputs[0].password: this is a string; it must be true or false`},
		{`{"inputs": [{"id": "a", "type": "promptString", "default": 1}]}`, `inputs[0].default: this is a number`},
		// One entry.
		{server(`"npx"`), `:3:10: mcpServers.x: this is a string; an entry is an object`},
		{server(`{}`), `:3:5: mcpServers.x: it has neither a command nor a url`},
		{server(`{"command": ""}`), `:3:22: mcpServers.x.command: the command is empty`},
		{server(`{"type": "stdio", "url": "http://x"}`), `mcpServers.x: it has no command`},
		{server(`{"type": "http", "command": "x"}`), `mcpServers.x: it has no url`},
		{server(`{"command": "x", "url": "http://x"}`), `mcpServers.x: it has a command and a url`},
		{server(`{"type": "ws", "url": "ws://x"}`), `:3:19: mcpServers.x.type: "ws" is no transport that belay knows`},
		{server(`{"type": "SSE", "url": "http://x"}`), `:3:19: mcpServers.x.type: "SSE" is no transport that belay knows; did you mean "sse"?`},
		{server(`{"type": "HTTP", "url": "http://x"}`), `did you mean "http"?`},
		{server(`{"cmd": "` + canary + `"}`), `mcpServers.x: it has neither a command nor a url, and belay does not know "cmd"`},
		{server(`{"url": "http://x", "headers": {"X-A": "1", "x-a": "2"}}`), `:3:61: mcpServers.x.headers.x-a: this header stands there already`},
		{server(`{"url": "` + canary + `"}`), `mcpServers.x.url: this is no address`},
		{server(`{"url": "file:///` + canary + `"}`), `mcpServers.x.url: this is no address`},
		{server(`{"command": ["npx", "-y"]}`), `mcpServers.x.command: this is an array; it must be a string`},
		{server(`{"command": "npx", "args": "-y ` + canary + `"}`), `:3:37: mcpServers.x.args: this is a string; it must be an array`},
		{server(`{"command": "npx", "args": ["-y", 8080]}`), `:3:44: mcpServers.x.args[1]: this is a number; it must be a string`},
		{server(`{"command": "a\u0000b"}`), `mcpServers.x.command: this holds a NUL character`},
		{server(`{"command": "x", "env": ["A=` + canary + `"]}`), `mcpServers.x.env: this is an array; it must be an object`},
		{server(`{"command": "x", "env": {"A": ["` + canary + `"]}}`), `mcpServers.x.env.A: this is an array; it must be a string`},
		{server(`{"command": "x", "env": {"A": null}}`), `mcpServers.x.env.A: this is null; it must be a string`},
		{server(`{"command": "x", "env": {"A=B": "` + canary + `"}}`), `mcpServers.x.env."A=B": this is no name of a variable`},
		{server(`{"url": "http://x", "headers": {"A B": "` + canary + `"}}`), `mcpServers.x.headers."A B": this is no name of a header`},
		{server(`{"command": "x", "disabled": "yes"}`), `mcpServers.x.disabled: this is a string; it must be true or false`},
		{server(`{"url": "http://x", "headers": {"X": 5}}`), `:3:47: mcpServers.x.headers.X: this is a number; it must be a string`},
		{server(`{"url": "http://x", "headers": {"X": true}}`), `:3:47: mcpServers.x.headers.X: this is true; it must be a string`},
		{server(`{"url": "http://x", "headers": {"X": "a\r\nB: ` + canary + `"}}`), `:3:47: mcpServers.x.headers.X: this holds control characters`},
		{server(`{"command": "x", "cwd": true}`), `mcpServers.x.cwd: this is true; it must be a string`},
		{"{\"mcpServers\": {\"a\\u001b[2J\\nb\": 5}}", `mcpServers."a\x1b[2J\nb": this is a number`},
		{`{"mcpServers": {"": {"command": "x"}}}`, `the server has no name`},
	} {
		f, err := Parse(Place{Path: "/p/mcp.json"}, []byte(tt.text))
		if err == nil {
			if len(f.Servers) != 1 || f.Servers[0].Err == nil {
				t.Errorf("%.80s: nothing is found wrong, want %q", tt.text, tt.want)
				continue
			}
			err = f.Servers[0].Err
		}
		if !strings.HasPrefix(err.Error(), "/p/mcp.json:") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.80s:\n got %v\nwant %s", tt.text, err, tt.want)
		}
		if strings.Contains(err.Error(), canary) {
			t.Errorf("a value is in the error: %v", err)
		}
	}
}

func TestKeysThatBelayDoesNotKnow(t *testing.T) {
	f := mustParse(t, `{"servers": {
		"a": {"url": "http://x", "header": {}, "oauth": {}, "Headers": {}, "cdw": ".", "ur": 1},
		"b": {"type": "stdio", "command": "x", "args": [], "env": {}, "envFile": "", "cwd": "", "disabled": false, "timeout": 5}}}`)
	want := []Ignored{{"header", "headers"}, {"oauth", ""}, {"Headers", "headers"}, {"cdw", ""}, {"ur", "url"}}
	if got := f.Servers[0].Ignored; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := f.Servers[1].Ignored; !slices.Equal(got, []Ignored{{"timeout", ""}}) {
		t.Errorf("%q", got)
	}
}

func TestAWrongEntryLeavesTheOthersAlone(t *testing.T) {
	f := mustParse(t, `{"mcpServers": {"a": {"command": "x"}, "b": {"command": 1}, "c": {"command": "y"}}}`)
	var got []string
	for _, s := range f.Servers {
		got = append(got, summary(s))
	}
	if want := "a:1 stdio x, b wrong, c:1 stdio y"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	if _, err := resolved(f.Servers[1], Facts{}); !errors.Is(err, f.Servers[1].Err) {
		t.Errorf("a wrong entry can be run: %v", err)
	}
}

func TestAddressesAreShownWithoutSecrets(t *testing.T) {
	f := mustParse(t, `{"servers": {"a": {"url": "https://u:`+canary+`@example.com:8443/mcp?key=`+canary+`#`+canary+`"}, "b": {"url": "${X}"}}}`)
	if got := f.Servers[0].Origin(); got != "https://example.com:8443/mcp?…" {
		t.Errorf("shown as %s", got)
	}
	if got := f.Servers[1].Origin(); got != "" {
		t.Errorf("shown as %s", got)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(Place{Path: filepath.Join(dir, "none.json")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Read(Place{Path: filepath.Join(dir, "none.json", "below")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
	if _, err := Read(Place{Path: dir}); err == nil || !strings.Contains(err.Error(), "it is no regular file, but a directory") {
		t.Errorf("a directory: %v", err)
	}
	long := filepath.Join(dir, "long.json")
	if err := os.WriteFile(long, []byte(strings.Repeat(" ", maxFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(Place{Path: long}); err == nil || !strings.Contains(err.Error(), "longer than 4 MiB") {
		t.Errorf("a long file: %v", err)
	}
	below := filepath.Join(long, "mcp.json") // what should be a directory is a file
	if _, err := Read(Place{Path: below}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"inputs": [{"id": "k", "type": "pickString", "options": ["a", {"label": "b", "value": "c"}], "default": "a"}],
 "servers": {"x": {"command": "${A:-b}", "args": ["${input:k}"], "env": {"A": 1}, "cwd": "${workspaceFolder}/s"}, /**/}}`))
	f.Add([]byte(`{"mcpServers": {"y": {"type": "sse", "url": "http://x/${env:Q}", "headers": {"A": "b"}}}}`))
	f.Add([]byte("{\"mcpServers\": {\"\x1b[2J\": {\"command\": 5, \"args\": \"\u202e\"}}, }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse(Place{Path: "/p/mcp.json", Folder: "/p"}, text)
		if err != nil {
			checkError(t, text, err)
			return
		}
		facts := Facts{
			Env: func(string) (string, bool) { return "v", true }, Home: "/h", Dir: "/d",
			Input: func(in Input) (string, error) { return in.Default, nil },
		}
		for _, s := range file.Servers {
			if s.Err != nil {
				checkError(t, text, s.Err)
				continue
			}
			s.EnvFile = Value{}
			s.Shown(facts)
			o, err := s.Open(facts)
			if err == nil {
				o.Fingerprint()
				_, err = o.Resolve()
			}
			if err != nil {
				checkError(t, text, err)
			}
		}
	})
}

// checkError fails for an error that does not stand in the file, or that a
// terminal would obey.
func checkError(t *testing.T, text []byte, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%q: %v is of another kind", text, err)
	}
	lines := strings.Split(string(text), "\n")
	if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len(lines[e.Line-1])+1 {
		t.Fatalf("%q: %v stands outside of the file", text, err)
	}
	for _, r := range err.Error() {
		if r < ' ' || r == 0x7f || r == 0x202e {
			t.Fatalf("%q: the error holds %q", text, r)
		}
	}
}
