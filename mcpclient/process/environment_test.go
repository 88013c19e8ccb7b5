//go:build unix

package process

import (
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestEnvironment(t *testing.T) {
	ours := []string{
		"PATH=/bin", "HOME=/home/me", "LC_ALL=C", "LC_TIME=de", "LCX=no", "XDG_RUNTIME_DIR=/run", "npm_config_cache=/c", "HTTPS_PROXY=p", "GOPROXY=off",
		"AWS_SECRET_ACCESS_KEY=s", "GITHUB_TOKEN=t", "SSH_AUTH_SOCK=/s", "NODE_AUTH_TOKEN=n", "npm_config__authToken=x", "EMPTY=", "API_KEY=k", "=C:=C:\\x", "nonsense",
	}
	for _, tc := range []struct {
		name, goos string
		ours, add  []string
		want       []string
	}{
		{"allow-list", "linux", ours, nil, []string{
			"GOPROXY=off", "HOME=/home/me", "HTTPS_PROXY=p", "LC_ALL=C", "LC_TIME=de", "PATH=/bin", "XDG_RUNTIME_DIR=/run", "npm_config_cache=/c",
		}},
		{
			"additions: set, handed on, replaced, unknown", "linux",
			[]string{"PATH=/bin", "API_KEY=k", "SECRET=s"},
			[]string{"API_KEY", "PATH=/opt", "NEW=a=b", "NOT_SET", "NEW=last", "BLANK="},
			[]string{"API_KEY=k", "BLANK=", "NEW=last", "PATH=/opt"},
		},
		{
			"Windows: case does not matter", "windows",
			[]string{"Path=C:\\bin", "SYSTEMROOT=C:\\Windows", "ProgramFiles(x86)=p", "Secret=s", "=C:=C:\\x"},
			[]string{"path=D:\\bin", "SECRET"},
			[]string{"ProgramFiles(x86)=p", "SYSTEMROOT=C:\\Windows", "Secret=s", "path=D:\\bin"},
		},
		{"Windows names are nothing elsewhere", "darwin", []string{"SystemRoot=x", "TMPDIR=/t"}, nil, []string{"TMPDIR=/t"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			env, names := Environment(tc.ours, tc.add, tc.goos)
			if !slices.Equal(env, tc.want) {
				t.Errorf("got  %q\nwant %q", env, tc.want)
			}
			for i, kv := range env {
				if !strings.HasPrefix(kv, names[i]+"=") {
					t.Errorf("name %q for %q", names[i], kv)
				}
			}
		})
	}
}

// No allowed name is one by which secrets are usually handed over.
func TestAllowListNamesNoSecret(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, g := range allowedEnv(goos) {
			for _, name := range g.Names {
				upper := strings.ToUpper(name)
				for _, word := range []string{"TOKEN", "SECRET", "PASSWORD", "AUTH", "KEY"} {
					if strings.Contains(upper, word) {
						t.Errorf("%s: %q is allowed for %s", goos, name, g.For)
					}
				}
			}
		}
	}
}

// mayPass are the names that a server may get on a Unix system without being given
// them, written down a second time: whatever the list in the code becomes, a name
// passes only if somebody has put it here as well, whether it is set while a test runs or
// not. A name that ends in * stands for all that begin so.
const mayPass = `HOME USER LOGNAME SHELL PATH TERM TMPDIR TZ LANG LANGUAGE LC_* NO_COLOR XDG_*
HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO
NODE_PATH NODE_OPTIONS NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR FNM_MULTISHELL_PATH COREPACK_HOME PNPM_HOME BUN_INSTALL DENO_DIR DENO_INSTALL
npm_config_cache npm_config_prefix npm_config_registry npm_config_userconfig npm_config_globalconfig
NPM_CONFIG_CACHE NPM_CONFIG_PREFIX NPM_CONFIG_REGISTRY NPM_CONFIG_USERCONFIG NPM_CONFIG_GLOBALCONFIG
UV_CACHE_DIR UV_TOOL_DIR UV_PYTHON UV_PYTHON_INSTALL_DIR UV_CONFIG_FILE UV_DEFAULT_INDEX UV_INDEX_URL UV_OFFLINE
PIP_INDEX_URL PIP_CONFIG_FILE PYENV_ROOT PYTHONPATH PYTHONHOME VIRTUAL_ENV CONDA_PREFIX
GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOTMPDIR GOENV GOFLAGS GOPROXY GOSUMDB GOPRIVATE GONOPROXY GONOSUMDB GOTOOLCHAIN GOWORK GOOS GOARCH CGO_ENABLED
DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG DOCKER_CERT_PATH DOCKER_TLS_VERIFY DOCKER_API_VERSION CONTAINER_HOST
JAVA_HOME DOTNET_ROOT CARGO_HOME RUSTUP_HOME GEM_HOME GEM_PATH LD_LIBRARY_PATH ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR`

// mayPassOnWindows are those that may pass there, too.
const mayPassOnWindows = `SystemRoot SystemDrive windir ComSpec PATHEXT OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE
USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ProgramData ALLUSERSPROFILE PUBLIC
ProgramFiles ProgramFiles(x86) ProgramW6432 CommonProgramFiles CommonProgramFiles(x86) CommonProgramW6432 TEMP TMP PSModulePath`

// checkAllowed holds that the names that are allowed on a system are these, no more and
// no fewer.
func checkAllowed(t *testing.T, goos string, names ...string) {
	t.Helper()
	var got []string
	for _, g := range allowedEnv(goos) {
		got = append(got, g.Names...)
	}
	for _, name := range got {
		if !slices.Contains(names, name) {
			t.Errorf("%s: %q is allowed, and nobody has put it down here", goos, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(got, name) {
			t.Errorf("%s: %q is not allowed", goos, name)
		}
	}
}

// notToPass are names that hold secrets, lead to them, or have other code run.
var notToPass = []string{
	"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "GITLAB_TOKEN", "NPM_TOKEN", "NODE_AUTH_TOKEN",
	"npm_config__authToken", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "DATABASE_URL", "PGPASSWORD", "REDIS_URL",
	"SSH_AUTH_SOCK", "SSH_ASKPASS", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "KUBECONFIG", "VAULT_TOKEN", "DOCKER_AUTH_CONFIG", "TWINE_PASSWORD",
	"UV_PUBLISH_TOKEN", "PIP_EXTRA_INDEX_URL", "CARGO_REGISTRY_TOKEN", "GEM_HOST_API_KEY", "NETRC", "LD_PRELOAD", "LD_AUDIT", "BASH_ENV", "ENV",
	"PROMPT_COMMAND", "PYTHONSTARTUP", "BELAY_TEST_SECRET", "LCD", "XDGX", "PATHX", "HOMEX",
}

// A server gets the variables of the list and those that it is given, and no other.
func TestServerSeesOnlyWhatItIsGiven(t *testing.T) {
	requirements.Rows(t, "SEC-29", "SEC-35")
	for _, goos := range []string{"linux", "darwin", "freebsd"} {
		checkAllowed(t, goos, strings.Fields(mayPass)...)
	}
	checkAllowed(t, "windows", strings.Fields(mayPass+" "+mayPassOnWindows)...)
	for _, name := range notToPass {
		t.Setenv(name, "hidden")
	}
	t.Setenv("BELAY_TEST_SHARED", "shown")
	t.Setenv("LC_MESSAGES", "C")
	ch, err := Spawn(Command{
		Argv: []string{"env"}, Env: []string{"BELAY_TEST_SHARED", "BELAY_TEST_MORE=more"},
		Expect: func(*os.File) func() { return func() {} }, Group: func(int) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(ch.Stdout)
	if err != nil {
		t.Error(err)
	}
	if err := ch.Cmd.Wait(); err != nil {
		t.Error(err)
	}
	_, _, _ = ch.Stdin.Close(), ch.Stdout.Close(), ch.Stderr.Close()
	got := strings.Split(strings.TrimSpace(string(said)), "\n")
	allowed := func(name string) bool {
		return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") || slices.Contains(strings.Fields(mayPass), name)
	}
	for _, kv := range got {
		name, _, _ := strings.Cut(kv, "=")
		if !allowed(name) && !strings.HasPrefix(name, "BELAY_TEST_") || strings.HasSuffix(kv, "=hidden") {
			t.Errorf("the server got %q", name)
		}
	}
	for _, kv := range []string{"PATH=" + os.Getenv("PATH"), "LC_MESSAGES=C", "BELAY_TEST_SHARED=shown", "BELAY_TEST_MORE=more"} {
		if !slices.Contains(got, kv) {
			t.Errorf("the server did not get %q", kv)
		}
	}
}
