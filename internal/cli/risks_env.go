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
// their like read in any case. A * stands for any characters, and behind a colon
// stands why the names of a line are in the list. The lists are read
// when a command is judged for the first time: few starts come to that, and it
// takes longer than the rest of a start.
func variableNames(exact, anyCase string) func() variables {
	list := func(flags, lines string) *regexp.Regexp {
		var names []string
		for line := range strings.Lines(lines) {
			line, _, _ = strings.Cut(line, ":")
			names = append(names, strings.Fields(line)...)
		}
		pattern := regexp.QuoteMeta(strings.Join(names, " "))
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

// The lists hold what an honest entry seldom sets, of what the usual runtimes, package
// managers and tools read. They are a help to the eye, and never complete.
var (
	loadingCode    = variableNames(loadingNames, loadingNamesAnyCase)
	packageSources = variableNames(sourceNames, sourceNamesAnyCase)
	wayAndTrust    = variableNames(wayNames, wayNamesAnyCase)
)

// loadingNames are the variables that make a program, or its children, load foreign
// code.
const (
	loadingNames = `
		LD_* DYLD_* GCONV_PATH GLIBC_TUNABLES LOCPATH NLSPATH: the loader and the C library
		PATH PATHEXT COMSPEC SHELL: which programs and which shell are run
		ENV BASH_ENV BASH_FUNC_* SHELLOPTS BASHOPTS PROMPT_COMMAND PS4 IFS ZDOTDIR FPATH FCEDIT: what shells run by themselves
		PSModulePath PSMODULEPATH: modules that PowerShell loads by the name of a command
		HOME USERPROFILE APPDATA LOCALAPPDATA XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS XDG_CACHE_HOME: other settings of every program
		NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE: --require, where modules lie, compiled code of modules
		TS_NODE_* TSX_TSCONFIG_PATH ESBK_TSCONFIG_PATH ESBUILD_BINARY_PATH: which file an import means, and what compiles it
		NAPI_RS_NATIVE_LIBRARY_PATH PRISMA_*_ENGINE_BINARY PRISMA_*_ENGINE_LIBRARY NODE_GYP_FORCE_PYTHON: native code for packages of Node
		ELECTRON_RUN_AS_NODE ELECTRON_OVERRIDE_DIST_PATH: another program than the one that is named
		npm_execpath npm_node_execpath NVM_DIR NVM_BIN FNM_DIR FNM_MULTISHELL_PATH N_PREFIX VOLTA_HOME NODENV_*: which npm and which Node are run
		ASDF_* MISE_*: which version of any runtime is run, and the hooks of the directory
		YARN_RC_FILENAME YARN_PLUGINS YARN_YARN_PATH YARN_GLOBAL_FOLDER YARN_CACHE_FOLDER: plugins, another yarn, packages that were fetched before
		PNPM_HOME COREPACK_HOME COREPACK_ROOT COREPACK_ENV_FILE: the package manager that is run
		BUN_OPTIONS BUN_INSTALL BUN_INSTALL_CACHE_DIR BUN_RUNTIME_TRANSPILER_CACHE_PATH BUN_INSPECT* BUN_BE_BUN: --preload, code that was fetched or compiled before, a debugger
		DENO_DIR DENO_V8_FLAGS DENO_PERMISSION_BROKER_PATH: code that was fetched before, what the code may do
		PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONINSPECT PYTHONWARNINGS PYTHONPLATLIBDIR: where modules lie, what is imported
		PYTHONPYCACHEPREFIX PYTHONEXECUTABLE PYTHON_PRESITE VIRTUAL_ENV CONDA_PREFIX CONDA_EXE PYENV_* WORKON_HOME: compiled modules, other interpreters
		UV_PYTHON UV_PROJECT UV_PROJECT_ENVIRONMENT UV_ENV_FILE UV_WORKING_DIR* UV_CACHE_DIR UV_TOOL_DIR UV_PYTHON_INSTALL_DIR UV_KEYRING_PROVIDER: another interpreter or project, packages that were fetched before
		PIP_PYTHON PIP_TARGET PIP_PREFIX PIP_ROOT PIP_SRC PIP_EDITABLE PIP_CACHE_DIR PIP_KEYRING_PROVIDER PIPX_*: another interpreter, packages in other places
		POETRY_HOME POETRY_CONFIG_DIR POETRY_CACHE_DIR POETRY_VIRTUALENVS_* PIPENV_PIPFILE HATCH_CONFIG PDM_CONFIG_FILE PDM_PROJECT: other projects and environments
		PERL5LIB PERL5OPT PERL5DB PERLLIB PERL_MM_OPT PERL_MB_OPT PERL_CPANM_*: -M, where modules lie
		RUBYOPT RUBYLIB RUBYPATH RUBYSHELL RBENV_* GEM_HOME GEM_PATH GEM_SPEC_CACHE GEMRC RUBYGEMS_GEMDEPS IRBRC PRYRC: -r, where gems lie, a Gemfile that is run
		BUNDLE_GEMFILE BUNDLE_PATH BUNDLE_CONFIG BUNDLE_APP_CONFIG BUNDLE_USER_* BUNDLE_BIN BUNDLE_BUILD__* BUNDLER_SETUP BUNDLER_ORIG_*: another Gemfile, plugins
		JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS _JAVA_OPTIONS IBM_JAVA_OPTIONS OPENJ9_JAVA_OPTIONS JAVA_OPTS JAVA_HOME JRE_HOME CLASSPATH: -javaagent, where classes lie
		MAVEN_OPTS MAVEN_ARGS MAVEN_CONFIG MAVEN_HOME MAVEN_USER_HOME M2_HOME GRADLE_OPTS GRADLE_HOME GRADLE_USER_HOME ANT_OPTS ANT_ARGS ANT_HOME SBT_OPTS CATALINA_OPTS LEIN_* JBANG_*: the same for tools of Java
		DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE DOTNET_ROOT* DOTNET_HOST_PATH DOTNET_BUNDLE_EXTRACT_BASE_DIR: assemblies, and which dotnet
		CORECLR_* COR_ENABLE_PROFILING COR_PROFILER* COMPlus_* DOTNET_GCName DOTNET_GCPath DOTNET_AltJit* DOTNET_DiagnosticPorts: libraries of the runtime, a debugger
		ASPNETCORE_HOSTINGSTARTUPASSEMBLIES ASPNETCORE_HOSTINGSTARTUPDEPENDENCIES: assemblies of ASP.NET
		MSBUILD* MSBuild* CustomBefore* CustomAfter* DirectoryBuildPropsPath DirectoryBuildTargetsPath: files that a build of .NET runs
		PHPRC PHP_INI_SCAN_DIR COMPOSER COMPOSER_VENDOR_DIR: extensions and auto_prepend_file, another project
		LUA_INIT* LUA_PATH* LUA_CPATH* LUAROCKS_CONFIG R_HOME R_PROFILE* R_ENVIRON* R_LIBS* TCLLIBPATH: where modules lie, files that are run first
		GUILE_LOAD_PATH GUILE_LOAD_COMPILED_PATH SBCL_HOME TEXINPUTS LUAINPUTS: the same for Scheme, Lisp and TeX, which may run commands
		JULIA_LOAD_PATH JULIA_DEPOT_PATH JULIA_PROJECT JULIA_BINDIR: the same for Julia
		ERL_AFLAGS ERL_FLAGS ERL_ZFLAGS ERL_LIBS ELIXIR_ERL_OPTIONS MIX_HOME MIX_ARCHIVES MIX_PATH MIX_EXS HEX_HOME: the same for Erlang and Elixir
		GOFLAGS GOROOT GOTOOLCHAIN GOENV GOWORK GOPATH GOBIN GOMODCACHE GOCACHE GOCACHEPROG GOAUTH GOTOOLDIR GOPACKAGESDRIVER: -toolexec, another toolchain or modules, programs that go runs
		CC CXX CPP LD AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CGO_* PKG_CONFIG PKG_CONFIG_PATH CMAKE_TOOLCHAIN_FILE: compilers, and their plugins
		RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC_LINKER RUSTDOC RUSTDOCFLAGS RUSTFLAGS RUSTUP_TOOLCHAIN RUSTUP_HOME: the same for Rust
		CARGO CARGO_HOME CARGO_BUILD_* CARGO_TARGET_* CARGO_ALIAS_* CARGO_ENCODED_RUSTFLAGS CARGO_CREDENTIAL_ALIAS_* CARGO_UNSTABLE_*: settings of cargo that name programs
		MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES NINJAFLAGS: --eval, and files that make reads first
		GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG GIT_CONFIG_* GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR: programs that git runs
		GIT_ASKPASS GIT_TEMPLATE_DIR GIT_PROXY_COMMAND GIT_ALLOW_PROTOCOL GIT_PROTOCOL_FROM_USER: the same; ext:: is a protocol that runs a command
		GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_TRACE* GIT_TRACE2*: another repository with its hooks, files that are written
		SSH_ASKPASS SUDO_ASKPASS SVN_SSH CVS_RSH HGRCPATH HGEDITOR RSYNC_RSH RSYNC_CONNECT_PROG RSH: programs that are run to get to another machine
		TAR_OPTIONS ZIPOPT UNZIP UNZIPOPT: --checkpoint-action, --to-command, -TT run commands
		PAGER SYSTEMD_PAGER MANPAGER MANOPT LESS LESSOPEN LESSCLOSE BAT_PAGER DELTA_PAGER GH_PAGER GH_EDITOR GH_BROWSER GH_CONFIG_DIR EDITOR VISUAL BROWSER: programs that show and edit
		VIMINIT EXINIT VIMRUNTIME EMACSLOADPATH INPUTRC AWKPATH AWKLIBPATH RIPGREP_CONFIG_PATH FZF_DEFAULT_COMMAND: what these run first; --pre
		OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES SASL_PATH GIO_MODULE_DIR GIO_EXTRA_MODULES GTK_MODULES GTK_PATH QT_PLUGIN_PATH GST_PLUGIN_*: modules that libraries load
		GDK_PIXBUF_MODULE_FILE MAGICK_CONFIGURE_PATH MAGICK_CODER_MODULE_PATH LIBGL_DRIVERS_PATH VK_LAYER_PATH VK_ICD_FILENAMES VK_DRIVER_FILES OCL_ICD_VENDORS: the same
		ODBCINI ODBCSYSINI ODBCINSTINI LIBMYSQL_PLUGIN_DIR LIBMYSQL_PLUGINS TNS_ADMIN PGSERVICEFILE PGSYSCONFDIR: drivers of databases, and where these are
		KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE CLOUDSDK_CONFIG CLOUDSDK_PYTHON* AZURE_CONFIG_DIR AZURE_EXTENSION_DIR: settings with programs that fetch credentials
		HELM_PLUGINS HELM_CONFIG_HOME TF_CLI_CONFIG_FILE TF_CLI_ARGS* TF_PLUGIN_CACHE_DIR ANSIBLE_*: plugins, and options of every command
		DOCKER_HOST DOCKER_CONTEXT DOCKER_CONFIG BUILDKIT_HOST BUILDX_CONFIG BUILDX_BUILDER COMPOSE_FILE COMPOSE_ENV_FILES: which Docker runs it, plugins, other containers
		CONTAINER_HOST CONTAINER_CONNECTION CONTAINERS_CONF* CONTAINERS_STORAGE_CONF: the same for Podman
		CHROME_PATH CHROME_BIN CHROME_DEVEL_SANDBOX PUPPETEER_EXECUTABLE_PATH PLAYWRIGHT_BROWSERS_PATH PLAYWRIGHT_NODEJS_PATH PLAYWRIGHT_*_EXECUTABLE_PATH: browsers that are run
		DEVELOPER_DIR SDKROOT NIX_PATH NIX_CONFIG NIX_REMOTE NIX_USER_CONF_FILES: which tools xcrun and nix run
	`
	loadingNamesAnyCase = `
		npm_config_call npm_config_package npm_config_script_shell npm_config_shell npm_config_node_options: what npm and npx run
		npm_config_node_gyp npm_config_python npm_config_make npm_config_nodedir npm_config_devdir npm_config_git npm_config_editor npm_config_viewer: programs that npm runs
		npm_config_prefix npm_config_cache npm_config_userconfig npm_config_globalconfig npm_config_init_module: other settings, packages that were fetched before
		pnpm_config_script_shell pnpm_config_shell pnpm_config_node_options pnpm_config_userconfig pnpm_config_globalconfig pnpm_config_global_dir pnpm_config_store_dir: the same for pnpm
	`
)

// sourceNames say from where packages and runtimes are fetched, or that these are not
// checked.
const (
	sourceNames = `
		PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS PIP_NO_INDEX PIP_TRUSTED_HOST PIP_CONFIG_FILE PIP_REQUIREMENT PIP_*CONSTRAINT PIPENV_PYPI_MIRROR: pip
		UV_INDEX UV_INDEX_* UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_INSECURE_HOST UV_CONFIG_FILE UV_OVERRIDE UV_*CONSTRAINT UV_NO_VERIFY_HASHES: uv
		UV_PYTHON_INSTALL_MIRROR UV_PYPY_INSTALL_MIRROR UV_PYTHON_DOWNLOADS_JSON_URL UV_INSTALLER_* UV_GITHUB_*: interpreters, and uv itself
		POETRY_REPOSITORIES_* PDM_PYPI_URL CONDA_CHANNELS CONDA_CHANNEL_ALIAS CONDARC MAMBARC PYTHON_BUILD_MIRROR_URL*: other tools of Python
		GOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK GONOPROXY GOINSECURE GOPRIVATE GOVCS: go
		CARGO_REGISTRIES_* CARGO_REGISTRY_* CARGO_SOURCE_* CARGO_NET_* RUSTUP_DIST_SERVER RUSTUP_UPDATE_ROOT: cargo and rustup
		YARN_REGISTRY YARN_NPM_* YARN_CHECKSUM_BEHAVIOR YARN_UNSAFE_HTTP_WHITELIST BUN_CONFIG_REGISTRY JSR_URL DENO_NPM_REGISTRY: yarn, bun, deno
		COREPACK_NPM_REGISTRY COREPACK_INTEGRITY_KEYS: the package manager, and whether its signature is checked
		NODEJS_ORG_MIRROR NVM_NODEJS_ORG_MIRROR FNM_NODE_DIST_MIRROR NODE_MIRROR NODE_BUILD_MIRROR_URL N_NODE_MIRROR: Node itself
		ELECTRON_MIRROR ELECTRON_CUSTOM_DIR PLAYWRIGHT_*DOWNLOAD_HOST PUPPETEER_DOWNLOAD_* PUPPETEER_*_DOWNLOAD_BASE_URL CYPRESS_INSTALL_BINARY: browsers
		SASS_BINARY_SITE SASS_BINARY_PATH PRISMA_ENGINES_MIRROR SENTRYCLI_CDNURL: programs that packages of npm fetch
		GEM_SOURCE RUBYGEMS_HOST BUNDLE_MIRROR* BUNDLE_RUBYGEMS__ORG RUBY_BUILD_MIRROR_URL: gem and bundler
		COMPOSER_HOME COMPOSER_CACHE_DIR COMPOSER_REPO_PACKAGIST: composer
		NUGET_* NuGetPackageRoot RestoreSources RestoreAdditionalProjectSources RestoreConfigFile: dotnet
		MVNW_* COURSIER_REPOSITORIES COURSIER_MIRRORS COURSIER_CONFIG_DIR COURSIER_CACHE: Maven's wrapper, tools of Scala
		HEX_MIRROR HEX_MIRROR_URL HEX_API_URL HEX_UNSAFE_* JULIA_PKG_SERVER HOMEBREW_*: Elixir, Julia, Homebrew
		CONTAINERS_REGISTRIES_CONF* REGISTRY_AUTH_FILE HELM_REPOSITORY_CONFIG HF_ENDPOINT: containers, charts, models
	`
	sourceNamesAnyCase = `
		npm_config_registry npm_config_*registry npm_config_replace_registry_host npm_config_disturl npm_config_*_mirror npm_config_*_binary_host*: npm, and what packages fetch with it
		pnpm_config_registry pnpm_config_*registry pnpm_config_*_mirror: pnpm
	`
)

// wayNames say over which way traffic goes, and whom it trusts.
const (
	wayNames = `
		SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE SSLKEYLOGFILE GNUTLS_SYSTEM_PRIORITY_FILE GNUPGHOME: who is trusted, and where keys are written
		NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_USE_ENV_PROXY NODE_USE_SYSTEM_CA: Node
		REQUESTS_CA_BUNDLE CURL_CA_BUNDLE CURL_HOME WGETRC NETRC AWS_CA_BUNDLE AWS_ENDPOINT_URL*: usual clients of HTTP
		OPENAI_BASE_URL OPENAI_API_BASE ANTHROPIC_BASE_URL TWINE_REPOSITORY TWINE_REPOSITORY_URL: where keys, prompts and packages are sent
		PIP_CERT PIP_CLIENT_CERT PYTHONHTTPSVERIFY UV_NATIVE_TLS UV_SYSTEM_CERTS GIT_SSL_* GODEBUG: pip, uv, git; settings of Go that allow old TLS
		DENO_CERT DENO_TLS_CA_STORE CARGO_HTTP_* YARN_ENABLE_STRICT_SSL YARN_STRICT_SSL YARN_HTTPS_* YARN_NETWORK_SETTINGS: deno, cargo, yarn
		BUNDLE_SSL_* GRPC_DEFAULT_SSL_ROOTS_FILE_PATH PGSSLROOTCERT DOTNET_SYSTEM_NET_HTTP_*: bundler, gRPC, PostgreSQL, .NET
		DOCKER_CERT_PATH DOCKER_TLS DOCKER_TLS_VERIFY DOCKER_CONTENT_TRUST DOCKER_CONTENT_TRUST_SERVER: Docker
		HOSTALIASES RESOLV_HOST_CONF RES_OPTIONS LOCALDOMAIN KRB5_CONFIG PROXYCHAINS_CONF_FILE: names of hosts, and ways to them
	`
	wayNamesAnyCase = `
		*_proxy: every client
		npm_config_proxy npm_config_noproxy npm_config_cafile npm_config_ca npm_config_strict_ssl: npm
		pnpm_config_*proxy pnpm_config_cafile pnpm_config_ca pnpm_config_strict_ssl: pnpm
	`
)
