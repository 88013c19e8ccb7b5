package cli

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/pflag"

	"belay/internal/requirements"
	"belay/mcpclient"
	"belay/mcpclient/config"
	"belay/mcpclient/process"
	"belay/ui/chooser"
)

func TestANameMayBeLeftOut(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"-s", "--server="},
		{"--server", "--server="},
		{"-s --ascii", "--server= --ascii"},
		{"--ascii -s", "--ascii --server="},
		{"-s files --ascii", "-s files --ascii"},
		{"-sfiles", "-sfiles"},
		{"-s -- x", "--server= -- x"},
		{"-- npx -s", "-- npx -s"},
		{"", ""},
	} {
		if got := strings.Join(nameless(strings.Fields(tt.in)), " "); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}

// chosen is what the flags choose from the files in a project.
func chosen(t *testing.T, talk *ttyPrompter, dir string, args ...string) (server string, further int, err error) {
	t.Helper()
	var e entryFlags
	set := pflag.NewFlagSet("belay", pflag.ContinueOnError)
	e.add(set)
	if err := set.Parse(nameless(args)); err != nil {
		t.Fatal(err)
	}
	sys := config.System{GOOS: "linux", Home: filepath.Join(dir, "home"), Env: func(string) string { return "" }}
	c, err := e.gather(sys, filepath.Join(dir, "repo", "sub"))
	if err != nil {
		return "", 0, err
	}
	s, others, err := e.choose(c, talk)
	if err != nil {
		return "", 0, err
	}
	path, _ := filepath.Rel(dir, s.File.Path)
	return path + " " + s.Name, len(others), nil
}

func write(t *testing.T, text string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWhichEntryIsRun(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "repo", ".git")
	write(t, `{"servers": {"outside": {"command": "c"}}}`, dir, "mcp.json")
	write(t, `{"servers": {"near": {"command": "c"}, "both": {"command": "c"}}}`, dir, "repo", "sub", ".vscode", "mcp.json")
	write(t, `{"mcpServers": {"both": {"command": "c"}, "top": {"command": "c"}}}`, dir, "repo", ".mcp.json")
	write(t, `{"mcpServers": {"both": {"command": "c"}, "mine": {"command": "c"}}}`, dir, "home", ".cursor", "mcp.json")
	write(t, `{"mcpServers": {"desk": {"command": "c"}}}`, dir, "home", ".config", "Claude", "claude_desktop_config.json")
	one := write(t, `{"mcpServers": {"only": {"command": "c"}}}`, dir, "one.json")
	empty := write(t, `{}`, dir, "empty.json")
	broken := write(t, "{\n\"servers\": [}", dir, "broken.json")
	for _, tt := range []struct {
		args    string
		typed   string
		want    string
		further int
		err     string
	}{
		{args: "-s near", want: "repo/sub/.vscode/mcp.json near"},
		{args: "-s both", want: "repo/sub/.vscode/mcp.json both", further: 2},
		{args: "-s top", want: "repo/.mcp.json top"},
		{args: "--server=mine", want: "home/.cursor/mcp.json mine"},
		{args: "-s desk", want: "home/.config/Claude/claude_desktop_config.json desk"},
		{args: "-s outside", err: `there is no server "outside"`},
		{args: "-s tpo", err: `did you mean "top"?`},
		{args: "-s", typed: "↓↓\n", want: "repo/.mcp.json top"},
		{args: "-s", typed: "both\n", want: "repo/sub/.vscode/mcp.json both", further: 2},
		{args: "-s", typed: "mne\n", want: "home/.cursor/mcp.json mine"},
		{args: "-s", typed: "\x1b", err: "nothing was run"},
		{args: "-c " + one, want: "one.json only"},
		{args: "-c " + one + " -s only", want: "one.json only"},
		{args: "-c " + one + " -s near", err: `there is no server "near"`},
		{args: "-c " + empty, err: "names no servers: they stand in an object"},
		{args: "-c " + broken, err: broken + ":2:13: servers[0]: this is no JSON"},
		{args: "-c " + filepath.Join(dir, "none.json"), err: "there is no file"},
		{args: "--config=", err: "needs the name of a file"},
	} {
		talk, _ := typing(t, tt.typed)
		got, further, err := chosen(t, talk, dir, strings.Fields(tt.args)...)
		if got != tt.want || further != tt.further || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q and %d more, %v", tt.args, got, further, err)
		}
	}
	unreadable := filepath.Join(dir, "repo", "sub", ".mcp.json")
	write(t, "{\n\"servers\": [}", unreadable)
	for _, tt := range []struct{ args, answer, want string }{
		{"-s", "y\n", "repo/sub/.vscode/mcp.json both"},
		{"-s", "\n", ""},
		{"-s", "", ""},
		{"-s --yes", "", "repo/sub/.vscode/mcp.json both"},
	} {
		talk, out := typing(t, tt.answer)
		talk.show = func(l *chooser.List) error {
			out.WriteString(ansi.Strip(l.View().Content))
			for _, char := range "both\n" {
				l.Update(pressed(char))
			}
			return nil
		}
		got, further, err := chosen(t, talk, dir, strings.Fields(tt.args)...)
		asked := strings.Contains(out.String(), "Take the server of this file all the same?")
		if got != tt.want || further != 0 || (err == nil) != (tt.want != "") || asked == (tt.args != "-s") ||
			!strings.Contains(out.String(), "not read: "+unreadable) {
			t.Errorf("beside a file that cannot be read, %s %q: %q and %d more, %v\n%s", tt.args, tt.answer, got, further, err, out)
		}
	}
	if err := os.Remove(filepath.Join(dir, "repo", "sub", ".mcp.json")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := chosen(t, nil, dir, "-s"); err == nil || !strings.Contains(err.Error(), `name one with -s: "near", "both", "top"`) {
		t.Errorf("without a terminal: %v", err)
	}
	if _, _, err := chosen(t, nil, t.TempDir(), "-s"); err == nil || !strings.Contains(err.Error(), "no config file names a server; looked in:") {
		t.Errorf("without any file: %v", err)
	}
}

func TestConsentIsAskedOnce(t *testing.T) {
	requirements.Rows(t, "SEC-03")
	dir := t.TempDir()
	sys := config.System{GOOS: "linux", Home: dir, Env: func(string) string { return "" }}
	s := servers(t, `{"servers": {"x": {"command": "c"}}}`)[0]
	changed := servers(t, `{"servers": {"x": {"command": "c", "args": ["-rf"]}}}`)[0]
	for i, tt := range []struct {
		server *config.Server
		typed  string // "-" for no terminal
		yes    bool
		asked  bool
		err    string
	}{
		{server: s, typed: "-", err: "no terminal to ask on; --yes allows it"},
		{server: s, typed: "n\n", asked: true, err: "nothing was run"},
		{server: s, typed: "-", yes: true},
		{server: s, typed: "\n", asked: true, err: "nothing was run"}, // --yes is for once
		{server: s, typed: "y\n", asked: true},
		{server: s, typed: "\n"},
		{server: s, typed: "-"},
		{server: changed, typed: "n\n", asked: true, err: "nothing was run"},
		{server: changed, typed: "-", err: "--yes"},
	} {
		talk, out := typing(t, tt.typed)
		if tt.typed == "-" {
			talk = nil
		}
		e := entryFlags{yes: tt.yes}
		err := e.consent(opened(t, tt.server), config.Facts{}, sys, talk)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%d: %v, want %q", i, err, tt.err)
		}
		if asked := strings.Contains(out.String(), "Run it?"); asked != tt.asked {
			t.Errorf("%d: asked %v, want %v", i, asked, tt.asked)
		}
	}
}

func TestTheNoticeNamesTheFile(t *testing.T) {
	all := servers(t, `{"servers": {"a\u001b": {"command": "c"}, "b": {"command": "c"}}}`)
	if got, want := notice(all[0], nil), `belay: running "a⟨ESC⟩" of /p/mcp.json`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := notice(all[1], all[:1]), `belay: running "b" of /p/mcp.json; the name also stands in /p/mcp.json`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestASecretIsNotInTheErrorOfAStart(t *testing.T) {
	what := target{argv: []string{"/opt/s3cr3t/run"}, dir: "/s3cr3t", shown: []string{"${BIN}/run"}, shownDir: "${D}"}
	err := what.hide(&process.StartError{Kind: process.BadDirectory, Program: what.argv[0], Dir: what.dir, Err: os.ErrNotExist})
	if strings.Contains(err.Error(), "s3cr3t") || !strings.Contains(err.Error(), "${BIN}/run") || !strings.Contains(err.Error(), "${D}") {
		t.Error(err)
	}
	other := errors.New("other")
	if got := what.hide(other); !errors.Is(got, other) || what.hide(nil) != nil {
		t.Errorf("%v", got)
	}
}

func TestTheUserMovesAServer(t *testing.T) {
	what := target{dir: "/a", shownDir: "${A}"}
	if got, err := what.with(&flags{dir: "b"}); err != nil || got.dir != "b" || got.shownDir != "b" {
		t.Errorf("%+v", got)
	}
	if got, err := what.with(&flags{}); err != nil || got.dir != "/a" || got.shownDir != "${A}" {
		t.Errorf("%+v", got)
	}
	opts, err := clientOptions(target{argv: []string{"x"}, env: []string{"A=file", "B=file"}}, &flags{protocol: "auto", grace: 1, maxMessage: "1MiB", env: []string{"A=typed"}})
	if err != nil || !slices.Equal(opts.Env, []string{"A=file", "B=file", "A=typed"}) {
		t.Errorf("%v, %v", opts.Env, err)
	}
}

// Nobody is asked whether to connect with header fields that cannot be: without a
// terminal the question itself is an error, which does not come first.
func TestHeadersAreCheckedBeforeTheQuestion(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = null.Close() })
	dir := t.TempDir()
	for header, want := range map[string]string{
		`"Host": "s3cr3t"`:         `mcp.json:1:71: mcpServers.x.headers.Host: Host is set by belay itself`,
		`"X": "s3cr3t\r\nY: ${Z}"`: `mcp.json:1:68: mcpServers.x.headers.X: this holds control characters`,
		`"X": 5`:                   `mcp.json:1:68: mcpServers.x.headers.X: this is a number; it must be a string`,
		`"X": "${Z}"`:              `has not been allowed to run, and there is no terminal to ask on`,
	} {
		file := write(t, `{"mcpServers": {"x": {"url": "http://127.0.0.1/", "headers": {`+header+`}}}}`, dir, "mcp.json")
		e := entryFlags{set: pflag.NewFlagSet("belay", pflag.ContinueOnError)}
		e.add(e.set)
		if err := e.set.Parse([]string{"-s", "x", "-c", file}); err != nil {
			t.Fatal(err)
		}
		_, err := e.target(std{in: null, out: null, err: null}, &flags{}, &looks{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// Nor whether to run one with flags that have no meaning for it.
func TestFlagsAreCheckedBeforeTheQuestion(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = null.Close() })
	file := write(t, `{"mcpServers": {"run": {"command": "c"}, "web": {"url": "http://127.0.0.1/"}}}`, t.TempDir(), "mcp.json")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"run", []string{"--client-id", "x"}, "the --client flags are for servers over HTTP"},
		{"run", []string{"--header", "X: y"}, "--header is for servers over HTTP"},
		{"web", []string{"--env", "A=b"}, "--cwd, --env and --env-file are for servers that belay runs"},
		{"web", []string{"--wrap", "firejail"}, "--wrap is for servers that belay runs"},
		{"web", []string{"--env-file", file}, "--cwd, --env and --env-file are for servers that belay runs"},
		{"web", []string{"--client-id", "x"}, "no terminal to ask on"},
	} {
		f, err := parse(t, tt.args...)
		if err != nil {
			t.Fatal(err)
		}
		e := entryFlags{set: pflag.NewFlagSet("belay", pflag.ContinueOnError)}
		e.add(e.set)
		if err := e.set.Parse([]string{"-s", tt.name, "-c", file}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.target(std{in: null, out: null, err: null}, &f, &looks{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %v: %v", tt.name, tt.args, err)
		}
	}
}

// Credentials that can be read on their way are asked about once, for a server and
// what goes there; --yes has it only said.
func TestCredentialsWithoutTLSAreAskedAbout(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "conf"))
	t.Setenv("APPDATA", filepath.Join(home, "conf"))
	pipe := func(typed string) (*ttyPrompter, std, func() string) {
		talk, out := typing(t, typed)
		file, err := os.Create(filepath.Join(t.TempDir(), "err"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return talk, std{in: talk.in, out: file, err: file}, func() string {
			text, err := os.ReadFile(file.Name())
			if err != nil {
				t.Fatal(err)
			}
			return out.String() + string(text)
		}
	}
	to := func(address string, fields ...string) target {
		h := http.Header{}
		for _, name := range fields {
			h.Set(name, "s3cr3t")
		}
		return target{http: mcpclient.HTTPOptions{Endpoint: address, Header: h}}
	}
	with := func(address, name, value string) target {
		return target{http: mcpclient.HTTPOptions{Endpoint: address, Header: http.Header{name: {value}}}}
	}
	const plainly = "http://mcp.example:8080/mcp?x=1"
	for i, tt := range []struct {
		server target
		typed  string
		asked  bool
		err    string
	}{
		{server: to("https://mcp.example/mcp", "Authorization")},
		{server: to("http://127.0.0.1:8080/mcp", "Authorization")},
		{server: to(plainly, "X-Trace")},
		{server: target{argv: []string{"c"}}},
		{server: to(plainly, "Authorization"), typed: "n\n", asked: true, err: "nothing was sent"},
		{server: to(plainly, "Authorization"), typed: "\n", asked: true, err: "nothing was sent"},
		{server: to(plainly, "Authorization"), typed: "y\n", asked: true},
		{server: to(plainly, "Authorization")},
		{server: to("http://MCP.example:8080/other", "Authorization")},
		{server: to(plainly, "Authorization", "Cookie"), typed: "y\n", asked: true},
		{server: to("http://mcp.example:8081/mcp", "Authorization"), typed: "y\n", asked: true},
		{server: to("http://me:s3cr3t@mcp.example/"), typed: "y\n", asked: true},
		{server: to(plainly, "X-My-Session"), typed: "y\n", asked: true},
		{server: to(plainly, "X-Session-Id"), typed: "y\n", asked: true},
		{server: to(plainly, "X-Auth"), typed: "y\n", asked: true},
		{server: to(plainly, "Session-Timeout")},
		{server: to(plainly, "Idempotency-Key")},
		{server: to(plainly, "X-Author")},
		{server: with(plainly, "X-Upstream", "Bearer s3cr3t"), typed: "y\n", asked: true},
		{server: with(plainly, "X-Upstream-2", "basic czNjcjN0"), typed: "y\n", asked: true},
		{server: with(plainly, "X-Upstream-3", "Bearer ${TOKEN}"), typed: "y\n", asked: true},
		{server: with(plainly, "X-Motto", "bearer of good news")},
	} {
		talk, s, shown := pipe(tt.typed)
		err := (&entryFlags{}).warnReadable(s, tt.server, talk, &looks{})
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%d: %v, want %q", i, err, tt.err)
		}
		if asked := strings.Contains(shown(), "Send them? [y/N]"); asked != tt.asked || strings.Contains(shown(), "s3cr3t") {
			t.Errorf("%d: asked %v\n%s", i, asked, shown())
		}
	}
	_, s, shown := pipe("")
	if err := (&entryFlags{}).warnReadable(s, to("http://other.example", "X-Api-Key"), nil, &looks{}); err == nil || !strings.Contains(err.Error(), "X-Api-Key would go to http://other.example without TLS, and there is no terminal to ask on; --yes allows it") {
		t.Errorf("without a terminal: %v", err)
	}
	var look looks
	if err := (&entryFlags{yes: true}).warnReadable(s, to("http://other.example", "X-Api-Key"), nil, &look); err != nil || !strings.Contains(shown(), "belay: X-Api-Key goes to http://other.example without TLS: whoever is on the way can read it\n") {
		t.Errorf("with --yes: %v\n%s", err, shown())
	}
	if want := []string{"X-Api-Key goes to http://other.example without TLS: whoever is on the way can read it"}; !slices.Equal(look.minds, want) {
		t.Errorf("with --yes the screen says %q", look.minds)
	}
}

// The question about an entry says it as well, and then it is not asked again.
func TestAnEntryThatSendsCredentialsWithoutTLS(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "conf"))
	t.Setenv("APPDATA", filepath.Join(home, "conf"))
	sys, facts, err := environment()
	if err != nil {
		t.Fatal(err)
	}
	facts.Env = func(string) (string, bool) { return "v", true }
	for i, tt := range []struct {
		entry  string
		said   bool // in the question about the entry
		second bool // it is asked about by itself
	}{
		{`{"url": "http://a.example/mcp", "headers": {"Authorization": "Bearer ${T}", "X": "1"}}`, true, false},
		{`{"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer ${T}"}}`, false, false},
		{`{"url": "http://localhost/mcp", "headers": {"Authorization": "Bearer ${T}"}}`, false, false},
		{`{"url": "http://${HOST}/mcp", "headers": {"Authorization": "Bearer ${T}"}}`, true, true}, // the question does not show where
		{`{"url": "http://a.example/${PATH}", "headers": {"Authorization": "Bearer ${T}"}}`, true, false},
	} {
		o := opened(t, servers(t, `{"servers": {"x": `+tt.entry+`}}`)[0])
		var e entryFlags
		talk, out := typing(t, "y\n")
		if err := e.consent(o, facts, sys, talk); err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(out.String(), "\n  mind       Authorization would be sent without TLS"); said != tt.said {
			t.Errorf("%d: said %v\n%s", i, said, out)
		}
		o = opened(t, o.Server)
		launch, err := o.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		server, err := remote(launch, o.Server, facts)
		if err != nil {
			t.Fatal(err)
		}
		// The next time it is known, whichever question it was.
		for again := range 2 {
			talk, out = typing(t, "y\n")
			if err := e.warnReadable(std{}, server, talk, &looks{}); err != nil {
				t.Error(err)
			}
			if asked := strings.Contains(out.String(), "Send them?"); asked != (tt.second && again == 0) {
				t.Errorf("%d: asked by itself %v\n%s", i, asked, out)
			}
			e = entryFlags{}
		}
	}
}
