package cli

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// whenNeeded is an expression that is compiled when it is first used.
func whenNeeded(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// variables are names of variables that do the same to a program.
type variables struct {
	exact   *regexp.Regexp // as programs read them
	folded  *regexp.Regexp // the same where case does not count
	anyCase *regexp.Regexp // those of which programs themselves read any case
}

// variableNames reads two lists of names, the second of those that npm, curl and
// their like read in any case. A * stands for any characters. The lists are read
// when a command is judged for the first time: few starts come to that, and it
// takes longer than the rest of a start.
func variableNames(exact, anyCase string) func() variables {
	list := func(flags, names string) *regexp.Regexp {
		pattern := regexp.QuoteMeta(strings.Join(strings.Fields(names), " "))
		pattern = strings.NewReplacer(" ", "|", `\*`, ".*").Replace(pattern)
		return regexp.MustCompile("(?s" + flags + ")^(" + pattern + ")$")
	}
	return sync.OnceValue(func() variables { return variables{list("", exact), list("i", exact), list("i", anyCase)} })
}

// among lists the names that are of these, each once.
func (v variables) among(names []string, goos string) []string {
	exact := v.exact
	if goos == "windows" {
		exact = v.folded
	}
	var out []string
	for _, name := range names {
		underscored := strings.ReplaceAll(name, "-", "_") // npm takes either
		if (exact.MatchString(name) || v.anyCase.MatchString(underscored)) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// The lists hold what an honest entry seldom sets. They are a help to the eye, and
// never complete.
var (
	// loadingCode lists the variables that make a program, or its children, load
	// foreign code.
	loadingCode = variableNames(`
		LD_* DYLD_* GCONV_PATH GLIBC_TUNABLES LOCPATH
		PATH PATHEXT COMSPEC SHELL ENV BASH_ENV BASH_FUNC_* SHELLOPTS BASHOPTS PROMPT_COMMAND PS4 IFS ZDOTDIR PSModulePath PSMODULEPATH
		HOME USERPROFILE APPDATA XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS
		NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE TS_NODE_* BUN_OPTIONS ELECTRON_RUN_AS_NODE YARN_RC_FILENAME YARN_PLUGINS YARN_YARN_PATH
		PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONINSPECT PYTHONWARNINGS PYTHONPLATLIBDIR
		PYTHONPYCACHEPREFIX PYTHONEXECUTABLE VIRTUAL_ENV CONDA_PREFIX UV_PYTHON UV_PROJECT UV_PROJECT_ENVIRONMENT UV_ENV_FILE
		PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB RUBYPATH GEM_HOME GEM_PATH BUNDLE_GEMFILE BUNDLE_PATH
		JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_OPTS JAVA_HOME CLASSPATH MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS JBANG_*
		DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE DOTNET_ROOT* CORECLR_* COR_ENABLE_PROFILING COR_PROFILER* COMPlus_*
		PHPRC PHP_INI_SCAN_DIR LUA_INIT* LUA_PATH* LUA_CPATH* R_PROFILE* R_ENVIRON* R_LIBS* JULIA_LOAD_PATH JULIA_DEPOT_PATH
		ERL_AFLAGS ERL_FLAGS ERL_ZFLAGS ERL_LIBS ELIXIR_ERL_OPTIONS TCLLIBPATH
		GOFLAGS GOROOT GOTOOLCHAIN GOENV GOWORK GOPATH CC CXX CGO_*
		RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS RUSTUP_TOOLCHAIN RUSTUP_HOME CARGO CARGO_HOME CARGO_BUILD_* CARGO_TARGET_* CARGO_ALIAS_* MAKEFLAGS MAKEFILES
		GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG GIT_CONFIG_* GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR
		GIT_ASKPASS GIT_TEMPLATE_DIR GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS HGRCPATH
		PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES
		KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG CONTAINER_HOST CONTAINERS_CONF
		CHROME_PATH PUPPETEER_EXECUTABLE_PATH PLAYWRIGHT_BROWSERS_PATH
	`, `
		npm_config_call npm_config_package npm_config_script_shell npm_config_shell npm_config_node_options npm_config_node_gyp npm_config_git
		npm_config_prefix npm_config_userconfig npm_config_globalconfig npm_config_init_module npm_config_editor npm_config_viewer
	`)

	// packageSources say from where packages and runtimes are fetched.
	packageSources = variableNames(`
		PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_NO_INDEX PIP_TRUSTED_HOST PIP_CONFIG_FILE PIP_REQUIREMENT PIP_CONSTRAINT PIPENV_PYPI_MIRROR
		UV_INDEX UV_INDEX_* UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_INSECURE_HOST UV_CONFIG_FILE UV_OVERRIDE UV_CONSTRAINT
		UV_PYTHON_INSTALL_MIRROR UV_PYPY_INSTALL_MIRROR UV_PYTHON_DOWNLOADS_JSON_URL POETRY_REPOSITORIES_* PDM_PYPI_URL
		CONDA_CHANNELS CONDA_CHANNEL_ALIAS CONDARC MAMBARC
		GOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK GONOPROXY GOINSECURE GOPRIVATE GOVCS
		CARGO_REGISTRIES_* CARGO_REGISTRY_* CARGO_SOURCE_* RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT
		YARN_REGISTRY YARN_NPM_* BUN_CONFIG_REGISTRY COREPACK_NPM_REGISTRY JSR_URL
		NODEJS_ORG_MIRROR NVM_NODEJS_ORG_MIRROR FNM_NODE_DIST_MIRROR NODE_MIRROR ELECTRON_MIRROR PLAYWRIGHT_DOWNLOAD_HOST PUPPETEER_DOWNLOAD_*
		RUBYGEMS_HOST BUNDLE_MIRROR_* BUNDLE_RUBYGEMS__ORG COMPOSER_HOME COMPOSER_REPO_PACKAGIST NUGET_* HOMEBREW_*
	`, `npm_config_registry npm_config_*registry npm_config_disturl pnpm_config_registry pnpm_config_*registry`)

	// wayAndTrust say over which way traffic goes, and whom it trusts.
	wayAndTrust = variableNames(`
		SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE SSLKEYLOGFILE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_USE_ENV_PROXY
		REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME AWS_CA_BUNDLE PIP_CERT PIP_CLIENT_CERT PYTHONHTTPSVERIFY GIT_SSL_*
		DENO_CERT DENO_TLS_CA_STORE CARGO_HTTP_* YARN_ENABLE_STRICT_SSL YARN_STRICT_SSL YARN_HTTPS_CA_FILE_PATH BUNDLE_SSL_* GRPC_DEFAULT_SSL_ROOTS_FILE_PATH
		HOSTALIASES RESOLV_HOST_CONF RES_OPTIONS LOCALDOMAIN KRB5_CONFIG
	`, `*_proxy npm_config_proxy npm_config_noproxy npm_config_cafile npm_config_ca npm_config_strict_ssl pnpm_config_*proxy`)
)
