package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// project is a directory with config files, of a user with an own home.
type project struct {
	t    *testing.T
	dir  string
	log  string // of the peer that the files name
	home string
}

func newProject(t *testing.T) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return &project{t: t, dir: dir, home: home, log: filepath.Join(home, "peer.jsonl")}
}

// write makes a file in which PEER stands for the scripted server that mirrors
// what it got, as a command with its arguments.
func (p *project) write(name, text string) {
	p.t.Helper()
	argv, err := json.Marshal([]string{"peer", "mirror", p.log})
	if err != nil {
		p.t.Fatal(err)
	}
	program, err := json.Marshal(os.Args[0])
	if err != nil {
		p.t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "PEER", `"command": `+string(program)+`, "args": `+string(argv))
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) env() []string {
	return []string{raceOptions, "HOME=" + p.home, "XDG_CONFIG_HOME=" + filepath.Join(p.home, "conf")}
}

// run starts a command in the project.
func (p *project) run(argv ...string) *stage {
	p.t.Helper()
	return &stage{t: p.t, log: p.log, Story: termtest.Tell(p.t, termtest.Options{
		Cols: 140, Rows: 32, Argv: argv, Dir: p.dir, Env: p.env(),
	})}
}

// ran reports whether the server has been started.
func (p *project) ran() bool {
	_, err := os.Stat(p.log)
	return err == nil
}

func TestAnEntryIsAskedOnceAndThenRuns(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SEC-03")
	p := newProject(t)
	p.write(".mcp.json", `{"mcpServers": {"mirror": {PEER, "env": {"MIRROR": "${WORD:-from the file}"}}}}`)

	s := p.run(belay, "-s", "mirror")
	s.See("mirror", "variables", "MIRROR", "Run it? [y/N]")
	if p.ran() {
		t.Fatal("the server ran before it was allowed to")
	}
	s.Type("n\n").Exit(0).See("nothing was run")
	if p.ran() {
		t.Fatal("the server ran although it was not allowed to")
	}

	s = p.run(belay, "-s", "mirror")
	s.See("Run it? [y/N]").Type("y\n").See(`mirror "scripted`)
	s.serverReads(1, `argv=["peer" "mirror"] dir=`+p.dir+" MIRROR=from the file SECRET=")
	s.Press("i").See(p.dir).Press("esc", "q").Exit(0)
	kept := filepath.Join(p.home, "conf", "belay", "consents")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: %v", info, err)
	}

	s = p.run(belay, "-s", "mirror", "--cwd", p.home, "--env", "MIRROR=typed")
	s.See("scripted")
	s.serverReads(1, "dir="+p.home+" MIRROR=typed")
	s.Press("q").Exit(0)
	s.See(`running "mirror" of ` + filepath.Join(p.dir, ".mcp.json"))
	if bytes.Contains(s.RawOutput(), []byte("Run it?")) {
		t.Error("asked a second time")
	}

	p.write(".mcp.json", `{"mcpServers": {"mirror": {PEER, "env": {"LD_PRELOAD": "x"}}}}`)
	s = p.run(belay, "-s", "mirror")
	s.See("LD_PRELOAD", "Run it? [y/N]").Press("ctrl+c").Exit(128 + 2)
}

// A consent covers the envFile of an entry as it was when the question was asked:
// what is changed before the answer does not run, and is asked about next time.
func TestAnEnvFileIsAskedAboutAndReadOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".mcp.json", `{"mcpServers": {"mirror": {PEER, "envFile": ".env"}}}`)
	p.write(".env", "MIRROR=honest\n")
	s := p.run(belay, "-s", "mirror")
	s.See(`".env" (SHA-256 `, "MIRROR", "when the entry or that file has changed", "Run it? [y/N]")
	p.write(".env", "MIRROR=evil\nLD_PRELOAD=/nowhere/evil.so\nnpm_config_registry=https://evil.example\n")
	s.Type("y\n").See("scripted")
	s.serverReads(1, "MIRROR=honest")
	s.Press("q").Exit(0)

	s = p.run(belay, "-s", "mirror")
	s.See("MIRROR LD_PRELOAD npm_config_registry", `"LD_PRELOAD" can make the program load other code`, `"npm_config_registry" can make packages come from elsewhere`, "Run it? [y/N]")
	s.Type("n\n").Exit(0).See("nothing was run")

	p.write(".env", "MIRROR=honest\n")
	s = p.run(belay, "-s", "mirror")
	s.See("scripted")
	s.serverReads(2, "MIRROR=honest")
	s.Press("q").Exit(0)
	if bytes.Contains(s.RawOutput(), []byte("Run it?")) {
		t.Error("asked about what was allowed")
	}
}

// Values that come from a file reach the server, and no recording.
func TestVariablesFromAFileAreNotRecorded(t *testing.T) {
	t.Parallel()
	const secret = "correct-horse-battery"
	p := newProject(t)
	p.write("test.env", "# mine\nexport MIRROR='"+secret+"'\n")
	recording := plays(t, filepath.Join(p.home, "run.jsonl"))
	s := p.run(belay, "--env-file", "test.env", "--record", recording, "--", os.Args[0], "peer", "mirror", p.log)
	s.See("scripted")
	s.serverReads(1, "MIRROR="+secret)
	s.Press("q").Exit(0)
	recorded, err := os.ReadFile(recording)
	if err != nil || len(recorded) == 0 || bytes.Contains(recorded, []byte(secret)) {
		t.Errorf("recorded: %.300s, %v", recorded, err)
	}
}

// Consents in a directory that others may write to do not count: the question comes
// each time, and says what to do about it.
func TestAnOpenSettingsDirectory(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".mcp.json", `{"mcpServers": {"mirror": {PEER}}}`)
	conf := filepath.Join(p.home, "conf", "belay")
	if err := os.MkdirAll(conf, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(conf, 0o777); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := p.run(belay, "-s", "mirror")
		s.See("what you allowed before does not count", "mends that", "You are asked each time, until that is mended.", "Run it? [y/N]")
		s.Type("y\n").See("scripted").Press("q").Exit(0)
	}
	cmd := exec.Command(belay, "-s", "mirror")
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), p.env()...)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "is not known, and there is no terminal to ask on") || !strings.Contains(string(out), "chmod go-w "+conf) {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.Chmod(conf, 0o700); err != nil {
		t.Fatal(err)
	}
	p.run(belay, "-s", "mirror").See("You are asked once", "Run it? [y/N]").Type("y\n").See("scripted").Press("q").Exit(0)
	p.run(belay, "-s", "mirror").See("scripted").Press("q").Exit(0)
}

// Nothing is sent to a server on whose way credentials can be read before the user
// has agreed to that. The proxy stands for the way.
func TestCredentialsWithoutTLSWaitForAYes(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-in-clear"
	seen := make(chan string, 100)
	way := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Host + " " + r.Header.Get("X-Api-Key")
		http.Error(w, "come back later", http.StatusServiceUnavailable)
	}))
	defer way.Close()
	p := newProject(t)
	start := func(flags ...string) *stage {
		argv := append([]string{belay, "--header", "X-Api-Key: ${KEY}"}, flags...)
		return &stage{t: t, Story: termtest.Tell(t, termtest.Options{
			Cols: 80, Rows: 24, Dir: p.dir, Argv: append(argv, "http://mcp.example/mcp"),
			Env: append(p.env(), "KEY="+secret, "HTTP_PROXY="+way.URL, "http_proxy="+way.URL, "NO_PROXY=", "no_proxy="),
		})}
	}
	s := start()
	s.See("Credentials would be sent without TLS", "http://mcp.example", "X-Api-Key", "Send them? [y/N]").Type("n\n").Exit(0).See("nothing was sent")
	if len(seen) != 0 {
		t.Fatalf("before a yes the way has seen %q", <-seen)
	}
	s = start()
	s.See("Send them? [y/N]").Type("y\n").See("HTTP 503 Service Unavailable").Press("q").Exit(3)
	if got := <-seen; got != "mcp.example "+secret {
		t.Errorf("sent was %q", got)
	}
	for _, flags := range [][]string{nil, {"--yes"}} {
		s = start(flags...)
		s.See("HTTP 503 Service Unavailable").Press("q").Exit(3)
		raw := s.RawOutput()
		if bytes.Contains(raw, []byte("Send them?")) || bytes.Contains(raw, []byte(secret)) {
			t.Errorf("%v: asked again, or the key is on the terminal", flags)
		}
		if said := bytes.Contains(raw, []byte("X-Api-Key goes to http://mcp.example without TLS")); said != (flags != nil) {
			t.Errorf("%v: said %v", flags, said)
		}
	}
}

// A wrapper runs the server of an entry, and docs/security.md has recipes for some.
func TestAServerIsRunByAWrapper(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SEC-06")
	p := newProject(t)
	p.write(".mcp.json", `{"mcpServers": {"mirror": {PEER, "env": {"MIRROR": "bare"}}}}`)
	s := p.run(belay, "-s", "mirror", "--yes", "--wrap", "env", "--wrap=MIRROR=by the wrapper")
	s.See("scripted")
	s.serverReads(1, `argv=["peer" "mirror"]`, "MIRROR=by the wrapper")
	s.Press("i").See("env", "MIRROR=by the wrapper").Press("esc").Press("q").Exit(0)

	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, recipe := range []string{"bwrap", "firejail", "docker run", "--wrap"} {
		if !bytes.Contains(text, []byte(recipe)) {
			t.Errorf("docs/security.md has no recipe with %s", recipe)
		}
	}
}

// An argument of 20,000 characters leaves the question where it can be seen, with
// all that it is about; all of it is shown on demand.
func TestALongArgumentIsFolded(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	line := `exec "$0" "$@" # ` + strings.Repeat("0123456789", 2000) + " the end"
	argv, err := json.Marshal([]string{"-c", line, os.Args[0], "peer", "mirror", p.log})
	if err != nil {
		t.Fatal(err)
	}
	p.write(".mcp.json", `{"mcpServers": {"mirror": {"command": "sh", "args": `+string(argv)+`}}}`)
	s := &stage{t: t, log: p.log, Story: termtest.Tell(t, termtest.Options{
		Cols: 80, Rows: 24, Argv: []string{belay, "-s", "mirror"}, Dir: p.dir, Env: p.env(),
	})}
	sheet := []string{"A config file names a program to run:", `server     "mirror"`, "command    sh -c", `exec \"$0\" \"$@\" #`, "characters⟩", "the end", `"sh" runs a line of a shell`, "Run it? [y/N, w: all of it]"}
	s.See(sheet...)
	s.Type("w\n").See("enter: go on, q: enough (23 of ").Type("\n").See("(46 of ").Type("q\n").See(sheet...)
	if p.ran() {
		t.Fatal("the server ran before it was allowed to")
	}
	s.Type("y\n").See("scripted")
	s.Press("q").Exit(0)
}

func TestAServerIsPickedAndSecretsAreTyped(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-s3cr3t"
	p := newProject(t)
	p.write(".vscode/mcp.json", `{
  // what VS Code reads
  "inputs": [{"id": "token", "type": "promptString", "description": "Token\u001b[2J of the API", "password": true},],
  "servers": {
    "web": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "s3cr3t"}},
    "mirror": {"type": "stdio", PEER, "env": {"MIRROR": "${input:token}"}, "cwd": "${workspaceFolder}/.vscode"},
  },
}`)
	recording := plays(t, filepath.Join(p.home, "run.jsonl"))
	s := p.run(belay, "-c", filepath.Join(".vscode", "mcp.json"), "--record", recording)
	s.See("web", "mirror", "enter run").Press("down").Press("enter")
	s.See("Run it? [y/N]").Type("y\n")
	s.See(`"Token⟨ESC⟩[2J of the API"`, "(not shown)").Type(secret + "\n")
	s.See("scripted")
	s.serverReads(1, "dir="+filepath.Join(p.dir, ".vscode")+" MIRROR="+secret)
	s.Press("i").See("process").Press("esc", "q").Exit(0)
	recorded, err := os.ReadFile(recording)
	if err != nil || len(recorded) == 0 {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(p.home, "conf", "belay", "consents"))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string][]byte{"terminal": s.RawOutput(), "recording": recorded, "kept consent": kept} {
		if bytes.Contains(text, []byte("s3cr3t")) {
			t.Errorf("the %s holds a secret", what)
		}
	}
}

// The header fields of an entry over HTTP reach its server, and nobody else.
func TestAnEntryOverHTTP(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 100)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("X-Key")
		http.Error(w, "come back later", http.StatusServiceUnavailable)
	}))
	defer web.Close()
	p := newProject(t)
	p.write("mcp.json", `{"servers": {"web": {"type": "http", "url": "`+strings.Replace(web.URL, "://", "://usr:s3cr3t@", 1)+`/mcp?key=s3cr3t", "headers": {"X-Key": "s3cr3t"}}}}`)
	plays(t, filepath.Join(p.dir, "r.jsonl"))
	s := p.run(belay, "-s", "web", "--record", "r.jsonl")
	s.See("/mcp", "[y/N]").Type("y\n")
	s.See("HTTP 503 Service Unavailable", "come back later")
	s.Press("i").See(" Server web ", "entry      web", strings.TrimPrefix(web.URL, "http://")+"/mcp?…").Press("esc")
	s.Press("q").Exit(3)
	if got := <-seen; got != "s3cr3t" {
		t.Errorf("X-Key: %q", got)
	}
	recording, err := os.ReadFile(filepath.Join(p.dir, "r.jsonl"))
	if err != nil || bytes.Contains(recording, []byte("s3cr3t")) || !bytes.Contains(recording, []byte(`/mcp?…"`)) {
		t.Errorf("recorded: %.300s, %v", recording, err)
	}
	if bytes.Contains(s.RawOutput(), []byte("s3cr3t")) {
		t.Error("the terminal holds a secret")
	}
}

func TestAnInterruptedQuestionGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("mcp.json", `{"inputs": [{"id": "k", "type": "promptString", "password": true}],
"servers": {"mirror": {PEER, "env": {"MIRROR": "${input:k}"}}}}`)
	for _, key := range []string{"ctrl+c", `ctrl+\`} {
		// The shell waits for a line: what is unread when the leader of a session ends is lost.
		s := p.run("sh", "-c", `trap : INT QUIT; "$0" -s mirror --yes; echo "ended with $?"; stty -a; read line`, belay)
		s.See("(not shown)").Press(key).See("ended with 0", "extproc")
		s.Press("enter").Exit(0)
		for _, word := range []string{" echo ", " icanon "} {
			if !strings.Contains(" "+strings.Join(strings.Fields(s.Screen().String()), " ")+" ", word) {
				t.Errorf("%s leaves the terminal without%s", key, word)
			}
		}
	}
	if p.ran() {
		t.Error("the server ran without its input")
	}
}

// Whoever leaves the list runs nothing, and has the terminal as it was.
func TestTheListOfServersIsLeft(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("mcp.json", `{"servers": {"mirror": {PEER}, "other": {PEER}}}`)
	for key, want := range map[string]string{"esc": "ended with 0", "ctrl+c": "ended with 130"} {
		s := p.run("sh", "-c", `trap : INT; "$0" -s; echo "ended with $?"; stty -a`, belay)
		s.See("mirror", "other", "enter run").Press("down").Press(key).See(want)
		s.Exit(0)
		for _, word := range []string{" echo ", " icanon "} {
			if !strings.Contains(" "+strings.Join(strings.Fields(s.Screen().String()), " ")+" ", word) {
				t.Errorf("%s leaves the terminal without%s", key, word)
			}
		}
	}
	s := p.run(belay, "-s")
	s.See("enter run").Type("oth").See("1 of 2").Press("enter").See(`server     "other"`, "Run it? [y/N]").Type("n\n").Exit(0).See("nothing was run")
	if p.ran() {
		t.Error("a server ran that nobody allowed")
	}
}

func TestAHostileFileReachesNoTerminal(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	evil := string(text)
	p.write("mcp.json", `{"servers": {`+evil+`: {"command": `+evil+`, "args": [`+evil+`], "env": {`+strings.ReplaceAll(evil, "=", "")+`: "x"}}, "b": {"command": 1}}}`)
	s := p.run(belay, "-s")
	s.See("enter run")
	for _, attack := range []string{"\u202e", "\u009b", "\x1b]52;", "\x1b]0;title", "\x1b[31m"} { // Bubble Tea writes others of its own
		if bytes.Contains(s.RawOutput(), []byte(attack)) {
			t.Errorf("%q reached the terminal", attack)
		}
	}
	s.Press("esc").Exit(0).See("nothing was run")
	s = p.run(belay, "-c", "mcp.json", "-s", hostile)
	s.See("Run it? [y/N]").Type("y\n").Exit(3)
	s.See("cannot run")
	for _, attack := range []string{"\x1b", "\u202e", "\u009b", "\a"} {
		if bytes.Contains(s.RawOutput(), []byte(attack)) {
			t.Errorf("%q reached the terminal", attack)
		}
	}
}

func TestConfigFilesWithoutATerminal(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".mcp.json", `{"mcpServers": {"mirror": {PEER}, "odd": {"command": ["npx"]}, "needs": {PEER, "env": {"A": "${BELAY_E2E_UNSET}"}}}}`)
	p.write("broken.json", "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\" \"args\": []}\n  }\n}")
	file := filepath.Join(p.dir, ".mcp.json")
	for _, tt := range []struct{ args, want string }{
		{"-s mirror", `no terminal to ask on; --yes allows it`},
		{"-s mirror --yes", "belay: its screen needs a terminal"},
		{"-s miror", `there is no server "miror"; did you mean "mirror"?`},
		{"-s", `which server? name one with -s: "mirror", "odd", "needs"`},
		{"-s odd", file + `:1:`},
		{"-s odd", `mcpServers.odd.command: this is an array; it must be a string`},
		{"-s needs --yes", `mcpServers.needs.env.A: the environment has no variable "BELAY_E2E_UNSET"`},
		{"-c broken.json", filepath.Join(p.dir, "broken.json") + ":3:26: mcpServers.a"},
		{"-c none.json", `there is no file "none.json"`},
		{"-s mirror -- npx", "there are two servers"},
		{"-s mirror --protocol 1.0", "no revision that belay speaks"},
	} {
		cmd := exec.Command(belay, strings.Fields(tt.args)...)
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), p.env()...)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("%s: %v, want exit status 2", tt.args, err)
		}
		if !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: want %q in\n%s", tt.args, tt.want, out)
		}
	}
	if p.ran() {
		t.Error("the server ran")
	}
}
