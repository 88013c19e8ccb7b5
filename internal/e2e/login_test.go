//go:build unix

package e2e

import (
	"encoding/base64"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	web "belay/internal/peer"
	"belay/internal/requirements"
	"belay/internal/termtest"
)

// loginStage is belay on a terminal, with a server over HTTP that wants a login.
type loginStage struct {
	t    *testing.T
	peer *web.Peer
	auth *authServer
	home string
}

// newLoginStage has a server that wants a login for what gated says.
func newLoginStage(t *testing.T, modern bool, gated func(x *web.Exchange) bool) *loginStage {
	t.Helper()
	s := &loginStage{t: t, peer: web.New(t), auth: newAuthServer(t), home: t.TempDir()}
	s.auth.resource = s.peer.URL()
	tools := []string{`{"name":"guarded","inputSchema":{"type":"object"}}`, `{"name":"open","inputSchema":{"type":"object"}}`}
	gate := func(kind string, otherwise func(x *web.Exchange)) {
		s.peer.On(kind, func(x *web.Exchange) {
			if gated(x) && !s.auth.knows(x.Header.Get("Authorization")) {
				x.With("WWW-Authenticate", `Bearer resource_metadata="`+s.auth.URL+`/resource"`).Answer(http.StatusUnauthorized, "text/plain", "who are you?")
				return
			}
			otherwise(x)
		})
	}
	first, result := "initialize", func(x *web.Exchange) {
		x.With("Mcp-Session-Id", web.SessionID).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	}
	done := `{"content":[{"type":"text","text":"ahoy"}]}`
	if modern {
		s.peer.Modern(tools...)
		first, result = "server/discover", func(x *web.Exchange) {
			x.JSONResult(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",` +
				`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`)
		}
		done = `{"resultType":"complete",` + done[1:]
	} else {
		s.peer.Handshake("2025-11-25", tools...)
	}
	gate(first, result)
	gate("tools/call", func(x *web.Exchange) { x.JSONResult(done) })
	return s
}

// guarded says that a login is wanted for one tool only.
func guarded(x *web.Exchange) bool { return strings.Contains(string(x.Body), `"name":"guarded"`) }

func anyRequest(*web.Exchange) bool { return true }

// start starts belay. The command browser gets addresses to open.
func (s *loginStage) start(browser string, flags ...string) *stage {
	s.t.Helper()
	argv := append([]string{belay}, flags...)
	return &stage{t: s.t, Story: termtest.Tell(s.t, termtest.Options{
		Cols: 110, Rows: 32, Argv: append(argv, s.peer.URL()),
		Env: []string{
			raceOptions, "HOME=" + s.home, "XDG_CONFIG_HOME=" + filepath.Join(s.home, "conf"), "BROWSER=" + browser,
			"NO_PROXY=*", "no_proxy=*",
		},
	})}
}

// tokens are the files of logins.
func (s *loginStage) tokens() (files []string) {
	s.t.Helper()
	_ = filepath.WalkDir(filepath.Join(s.home, "conf", "belay"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), "grant-") {
			files = append(files, path)
		}
		return err
	})
	return files
}

// quiet fails if anything secret was written to the terminal or to a file.
func (s *loginStage) quiet(on *stage, files ...string) {
	s.t.Helper()
	texts := map[string]string{"the terminal": string(on.RawOutput())}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil || len(data) == 0 {
			s.t.Errorf("%s: %v, %d bytes", f, err, len(data))
		}
		texts[f] = string(data)
	}
	for where, text := range texts {
		if at := strings.Index(text, secretMark); at >= 0 {
			s.t.Errorf("a secret is in %s: %q", where, text[max(0, at-60):at+len(secretMark)])
		}
	}
}

// row waits for a line of the screen with all of the words.
func row(s *stage, words ...string) *stage {
	s.t.Helper()
	s.Until(strings.Join(words, " … "), func(screen termtest.Screen) bool {
		return slices.ContainsFunc(screen.Lines(), func(line string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) })
		})
	})
	return s
}

// calls are the requests with a call that the server got, and how many of them
// had a token.
func (s *loginStage) calls() (all, withToken int) {
	for _, r := range s.peer.Requests("tools/call") {
		all++
		if r.Header.Get("Authorization") != "" {
			withToken++
		}
	}
	return all, withToken
}

// A call that meets a 401 waits for the login, which is done in the browser, on
// a key; then it is made again. The next belay needs no login, until the user
// logs out. Nothing of the token is to be seen anywhere.
func TestALoginInTheBrowser(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		t.Run(protocol(modern), func(t *testing.T) {
			l := newLoginStage(t, modern, guarded)
			recording := plays(t, filepath.Join(t.TempDir(), "recording.jsonl"))
			s := l.start(os.Args[0]+" browse", "--protocol", protocol(modern), "--record", recording)
			s.See("peer 1").call("guarded")
			s.See(l.peer.URL()+" wants you to log in", "waiting for login", "host: 127.0.0.1", l.auth.URL+"/page?", "ctrl+u open")
			if n := l.auth.count("GET /page"); n != 0 {
				t.Fatalf("the login page was asked for %d times without a key", n)
			}
			s.Press("ctrl+u").See("logged in · what waited for it goes on")
			row(s, "guarded", "✓ done").Gone("wants you to log in")
			if all, with := l.calls(); all != 2 || with != 1 {
				t.Errorf("%d calls, %d with a token", all, with)
			}
			s.Press("q").Exit(0)
			l.quiet(s, recording)

			files := l.tokens()
			if len(files) != 1 {
				t.Fatalf("the tokens are in %q", files)
			}
			if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info.Mode(), err)
			}

			s = l.start("false", "--protocol", protocol(modern))
			s.See("peer 1").call("guarded")
			row(s, "guarded", "✓ done").Press(":").Type("logout").Press("enter")
			s.See("the token is forgotten, here and in its file, and revoked")
			if l.auth.good() != 0 {
				t.Error("after the logout the token is good")
			}
			if files := l.tokens(); len(files) != 0 {
				t.Errorf("after the logout there is %q", files)
			}
			if n := l.auth.count("GET /page"); n != 1 {
				t.Errorf("the login page was asked for %d times", n)
			}
			s.call("guarded").See("wants you to log in").Press("ctrl+c", "y").Exit(0)
			l.quiet(s)
		})
	}
}

var clipboard = regexp.MustCompile(`\x1b\]52;c;([A-Za-z0-9+/=]+)[\x07\x1b]`)

// The address that the page leads to can be pasted, which works wherever the
// browser is. What is wrong with one is said, and the login goes on.
func TestALoginByPasting(t *testing.T) {
	t.Parallel()
	l := newLoginStage(t, false, guarded)
	recording := plays(t, filepath.Join(t.TempDir(), "recording.jsonl"))
	s := l.start("false", "--protocol", "2025-11-25", "--record", recording)
	s.See("peer 1").call("guarded").See("ctrl+u open", "y copy")
	s.Press("y").See("copied the address of the login page")
	s.Until("something to be copied", func(termtest.Screen) bool { return clipboard.Match(s.RawOutput()) })
	found := clipboard.FindSubmatch(s.RawOutput())
	page, err := base64.StdEncoding.DecodeString(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	back := l.auth.follow(string(page))
	other := *back
	q := other.Query()
	q.Set("state", "another")
	other.RawQuery = q.Encode()
	s.Paste(other.String() + "\r\n")
	s.See(strings.Split(back.String(), "?")[0] + "••••")
	s.Press("enter").See("not taken: this is the answer to another login", "ctrl+u open")
	s.Paste(back.String())
	s.See("enter hand over").Press("enter").See("logged in · what waited for it goes on")
	row(s, "guarded", "✓ done")
	if all, with := l.calls(); all != 2 || with != 1 {
		t.Errorf("%d calls, %d with a token", all, with)
	}
	s.Press(":", "up").Press("esc", "q").Exit(0)
	l.quiet(s, recording)
}

// A login that is given up fails what waited for it, and nothing else. Calls that
// need none work, and the next one begins a login anew.
func TestALoginThatIsGivenUp(t *testing.T) {
	t.Parallel()
	l := newLoginStage(t, false, guarded)
	s := l.start("false", "--protocol", "2025-11-25")
	s.See("peer 1").call("guarded").See("esc give up")
	s.Press("esc").See("the login is given up: what waits for it fails")
	row(s, "guarded", "✗ failed")
	s.Gone("wants you to log in")
	s.call("open")
	row(s, "open", "✓ done")
	s.call("guarded").See("wants you to log in", "esc give up").Press("esc")
	s.Gone("wants you to log in")
	s.Until("both calls to have failed", func(now termtest.Screen) bool {
		rows := 0
		for line := range strings.Lines(now.String()) {
			if strings.Contains(line, "guarded") && strings.Contains(line, "✗ failed") {
				rows++
			}
		}
		return rows == 2
	})
	s.Press("q").Exit(0) // asks nothing, as nothing is in flight any more
	if n := l.auth.count("POST /token"); n != 0 || len(l.tokens()) != 0 {
		t.Errorf("%d tokens were asked for; files %q", n, l.tokens())
	}
}

// x on a call that waits for a login sends nothing, and no login is asked for
// again.
func TestCancellingWhatWaitsForALogin(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SEC-36")
	for _, modern := range []bool{false, true} {
		t.Run(protocol(modern), func(t *testing.T) {
			l := newLoginStage(t, modern, guarded)
			s := l.start("false", "--protocol", protocol(modern))
			s.See("peer 1").call("guarded").See("ctrl+l later")
			s.Press("ctrl+l").See("waiting for login · !", "! brings it back")
			s.Press("x").See("it waited for a login, nothing was sent", "nothing running")
			s.Press("!").See("wants you to log in").Press("esc")
			s.Gone("wants you to log in")
			s.call("open")
			row(s, "open", "✓ done") // whatever was sent before has arrived
			if all, _ := l.calls(); all != 2 || len(l.peer.Requests("notifications/cancelled")) != 0 {
				t.Errorf("the server got\n%s", strings.Join(l.peer.Story(), "\n"))
			}
			s.Press("q").Exit(0)
		})
	}
}

// A server may want a login before anything else.
func TestALoginForTheHandshake(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		t.Run(protocol(modern), func(t *testing.T) {
			l := newLoginStage(t, modern, anyRequest)
			s := l.start(os.Args[0]+" browse", "--protocol", protocol(modern))
			s.See("wants you to log in", "ctrl+u open").Press("ctrl+u")
			s.See("peer 1").Gone("wants you to log in")
			s.Press("q").Exit(0)
			l.quiet(s)
		})
	}
	l := newLoginStage(t, false, anyRequest)
	s := l.start("false", "--protocol", "2025-11-25")
	s.See("wants you to log in", "esc give up").Press("esc")
	s.See("the server wants a login", ":restart tries again")
	s.Gone("wants you to log in")
	s.Press("q").Exit(0)
	s = l.start("false", "--protocol", "2025-11-25")
	s.See("wants you to log in", "ctrl+l later").Press("ctrl+l").See("! brings it back")
	s.Press("x").See("initialize must not be cancelled: ! then esc gives its login up")
	s.Press("q").Exit(0)
	s = l.start("false", "--protocol", "2025-11-25")
	s.See("wants you to log in", "esc give up").Press("ctrl+c").Exit(0)
	if said := string(s.RawOutput()); strings.Contains(said, "cannot connect") || strings.Contains(said, "is lost") {
		t.Errorf("quitting is told as a failure: %q", said[max(0, len(said)-500):])
	}
}

// An authorization server that refuses is quoted, and what to do is said.
func TestALoginThatIsRefused(t *testing.T) {
	t.Parallel()
	l := newLoginStage(t, false, guarded)
	l.auth.refuses = url.Values{"error": {"access_denied"}, "error_description": {"not on \x1b]0;my\x07 watch"}}
	s := l.start(os.Args[0]+" browse", "--protocol", "2025-11-25")
	s.See("peer 1").call("guarded").See("ctrl+u open").Press("ctrl+u")
	s.See("not logged in", `it answered "access_denied"`, "watch", "r on a call makes it again", "esc close")
	s.Press("esc").Gone("esc close")
	row(s, "guarded", "✗ failed")
	s.Press("q").Exit(0)
}

// A client secret goes to the authorization server that the user has named. A
// server that leads elsewhere is told, with what to do, before anything is asked
// there.
func TestAClientSecretGoesWhereTheUserSays(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t" + secretMark
	mine := []string{"--protocol", "2025-11-25", "--client-id", "me", "--client-secret", secret}
	for _, flags := range [][]string{nil, {"--client-issuer", "https://auth.example.com"}, {"--client-credentials"}} {
		l := newLoginStage(t, false, guarded)
		s := l.start(os.Args[0]+" browse", append(mine, flags...)...)
		s.See("peer 1").call("guarded")
		s.See("not logged in · :login says why").Press(":").Type("login").Press("enter")
		s.See("choosing the authorization server", "the server names \""+l.auth.URL+"\"", "named", "--client-issuer")
		s.Press("esc").Gone("esc close")
		row(s, "guarded", "✗ failed")
		s.Press("q").Exit(0)
		if n := l.auth.all() - l.auth.count("GET /resource"); n != 0 {
			t.Errorf("%v: the authorization server was asked %d times", flags, n)
		}
		l.quiet(s)
	}
	l := newLoginStage(t, false, guarded)
	s := l.start(os.Args[0]+" browse", append(mine, "--client-issuer", l.auth.URL+"/")...)
	s.See("peer 1").call("guarded").See("ctrl+u open").Press("ctrl+u")
	s.See("logged in · what waited for it goes on")
	row(s, "guarded", "✓ done")
	s.Press("q").Exit(0)
	if got := l.auth.secrets(); !slices.Equal(got, []string{secret}) {
		t.Errorf("the authorization server was shown %q", got)
	}
	l.quiet(s)
	for _, file := range l.tokens() {
		if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), secret) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}

// Tokens are not kept where others may write, and belay says so.
func TestALoginIsNotKeptWhereOthersMayWrite(t *testing.T) {
	t.Parallel()
	l := newLoginStage(t, false, guarded)
	conf := filepath.Join(l.home, "conf", "belay")
	if err := os.MkdirAll(conf, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(conf, 0o777); err != nil {
		t.Fatal(err)
	}
	s := l.start(os.Args[0]+" browse", "--protocol", "2025-11-25")
	s.See("peer 1").call("guarded").See("ctrl+u open").Press("ctrl+u")
	s.See("logged in, for this run only", "may be written to by others")
	row(s, "guarded", "✓ done")
	s.Press("q").Exit(0)
	if files := l.tokens(); len(files) != 0 {
		t.Errorf("the tokens are in %q", files)
	}
}
