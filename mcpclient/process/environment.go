package process

import (
	"slices"
	"strings"
)

// allowed is the environment that a server gets without being given it: what a
// program needs in order to be found, to start and to reach the network, and
// nothing that is meant for somebody else (SEC-29). No name in it is one that
// holds a secret by its purpose; tokens and keys are handed on by name, with
// --env. A name that ends in * stands for all that begin so.
var allowed = []struct {
	what  string
	names []string
}{
	{"the account and the session", []string{
		"HOME", "USER", "LOGNAME", "SHELL", "PATH", "TERM", "TMPDIR", "TZ",
		"LANG", "LANGUAGE", "LC_*", "NO_COLOR", "XDG_*",
	}},
	{"the way to the network", []string{
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT",
		"NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
	}},
	{"npx, node, bun, deno", []string{
		"NODE_PATH", "NODE_OPTIONS", "NVM_DIR", "NVM_BIN", "VOLTA_HOME", "FNM_DIR", "FNM_MULTISHELL_PATH", "COREPACK_HOME", "PNPM_HOME",
		"BUN_INSTALL", "DENO_DIR", "DENO_INSTALL",
		"npm_config_cache", "npm_config_prefix", "npm_config_registry", "npm_config_userconfig", "npm_config_globalconfig",
		"NPM_CONFIG_CACHE", "NPM_CONFIG_PREFIX", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_USERCONFIG", "NPM_CONFIG_GLOBALCONFIG",
	}},
	{"uvx, python", []string{
		"UV_CACHE_DIR", "UV_TOOL_DIR", "UV_PYTHON", "UV_PYTHON_INSTALL_DIR", "UV_CONFIG_FILE", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_OFFLINE",
		"PIP_INDEX_URL", "PIP_CONFIG_FILE", "PYENV_ROOT", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX",
	}},
	{"go run", []string{
		"GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV", "GOFLAGS", "GOPROXY", "GOSUMDB", "GOPRIVATE",
		"GONOPROXY", "GONOSUMDB", "GOTOOLCHAIN", "GOWORK", "GOOS", "GOARCH", "CGO_ENABLED",
	}},
	{"docker, podman", []string{
		"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "DOCKER_API_VERSION", "CONTAINER_HOST",
	}},
	{"other runtimes", []string{
		"JAVA_HOME", "DOTNET_ROOT", "CARGO_HOME", "RUSTUP_HOME", "GEM_HOME", "GEM_PATH", "LD_LIBRARY_PATH", "ASDF_DIR", "ASDF_DATA_DIR",
		"MISE_DATA_DIR",
	}},
}

// allowedOnWindows is added there, where names differ only by more than case.
var allowedOnWindows = []string{
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "OS", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
	"USERNAME", "USERDOMAIN", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "ProgramData", "ALLUSERSPROFILE", "PUBLIC",
	"ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "CommonProgramFiles", "CommonProgramFiles(x86)", "CommonProgramW6432",
	"TEMP", "TMP", "PSModulePath",
}

// allowedEnv lists the names of the variables that a server gets from belay's
// own environment on the given system (a GOOS), grouped by what they are for.
// A name that ends in * stands for all that begin so.
func allowedEnv(goos string) []envGroup {
	groups := make([]envGroup, 0, len(allowed)+1)
	for _, g := range allowed {
		groups = append(groups, envGroup{For: g.what, Names: slices.Clone(g.names)})
	}
	if goos == "windows" {
		groups = append(groups, envGroup{For: "Windows", Names: slices.Clone(allowedOnWindows)})
	}
	return groups
}

// envGroup is a part of the list of [allowedEnv].
type envGroup struct {
	For   string
	Names []string
}

// Environment makes a server's environment of ours and the additions, each NAME=value or the name
// of one of ours, on the given system (a GOOS), and lists its names, sorted. A later value of a name replaces an earlier one.
func Environment(ours, additions []string, goos string) (env, names []string) {
	fold := func(name string) string { return name }
	if goos == "windows" {
		fold = strings.ToUpper
	}
	own := map[string]string{} // folded name → "NAME=value"
	for _, kv := range ours {
		if name, ok := NameOf(kv); ok {
			own[fold(name)] = kv
		}
	}
	passes := passFilter(goos, fold)
	chosen := map[string]string{}
	for name, kv := range own {
		if passes(name) {
			chosen[name] = kv
		}
	}
	for _, add := range additions {
		if name, ok := NameOf(add); ok {
			chosen[fold(name)] = add
		} else if kv, ok := own[fold(add)]; ok {
			chosen[fold(add)] = kv
		}
	}
	for _, kv := range chosen {
		env = append(env, kv)
	}
	slices.Sort(env)
	for _, kv := range env {
		name, _ := NameOf(kv)
		names = append(names, name)
	}
	return env, names
}

// NameOf is the name in "NAME=value". Windows has names that begin with "=".
func NameOf(kv string) (string, bool) {
	if kv == "" {
		return "", false
	}
	i := strings.IndexByte(kv[1:], '=')
	if i < 0 {
		return "", false
	}
	return kv[:i+1], true
}

// passFilter says of a folded name whether it is allowed.
func passFilter(goos string, fold func(string) string) func(string) bool {
	exact := map[string]bool{}
	var prefixes []string
	for _, g := range allowedEnv(goos) {
		for _, name := range g.Names {
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				prefixes = append(prefixes, fold(prefix))
			} else {
				exact[fold(name)] = true
			}
		}
	}
	return func(name string) bool {
		return exact[name] || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}
}
