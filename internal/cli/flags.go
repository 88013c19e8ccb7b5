package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"belay/internal/build"
	"belay/internal/safe"
	"belay/internal/watch"
	"belay/internal/wording"
	"belay/mcpclient/config"
	"belay/session"
	"belay/session/mcp"
)

// flags are the common flags of every command that talks to a server.
type flags struct {
	set  *pflag.FlagSet
	says func(sentence string) // tells the user what belay waits for, before there is a screen; nil: nobody is told

	protocol   string
	reason     string
	timeout    time.Duration
	maxTimeout time.Duration
	grace      time.Duration
	noProbe    bool
	noWitness  bool
	pingEvery  time.Duration
	record     string
	unmasked   bool
	roots      []string
	env        []string
	envFiles   []string
	fileEnv    []string // NAME=value, that the files held when they were checked
	header     []string
	login      loginFlags
	dir        string
	wrap       []string
	maxMessage string
	watch      []string
	watched    *watch.Watch // what they name, as it was when they were checked; nil: nothing

	anonymous                       bool
	noSSE, noListen                 bool
	noSampling, samplingTools       bool
	noElicitation, noForms, noURLs  bool
	strictAsks, keepTasks, noMemory bool
	ownServer                       bool
}

// The limits of a call, unless a flag or its form names others.
const (
	defaultTimeout    = 5 * time.Minute
	defaultMaxTimeout = time.Hour
)

func (f *flags) add(set *pflag.FlagSet) {
	set.StringVar(&f.protocol, "protocol", auto, "protocol `revision`: auto, "+strings.Join(revisions(), ", ")+"; the demo server is spoken to in 2025-11-25 unless one is given")
	f.set = set
	set.StringVar(&f.reason, "reason", session.DefaultReason, "default reason of a cancel")
	durationVar(set, &f.timeout, "timeout", defaultTimeout, "cancel a call after this much silence; progress resets it, 0 switches it off; of a task it ends when its ID comes")
	durationVar(set, &f.maxTimeout, "max-timeout", defaultMaxTimeout, "cancel a call after this time whatever it reports; 0 switches it off; of a task it ends when its ID comes")
	durationVar(set, &f.grace, "grace", 5*time.Second, "how long after a cancel an answer, or the end of a task, is awaited before the server is judged")
	set.BoolVar(&f.noProbe, "no-probe", false, "send no ping (2026-07-28: no server/discover) at the end of a grace without an answer")
	set.BoolVar(&f.noWitness, "no-witness", false, "do not look at what the processes of a server do: a verdict then stands on its messages alone")
	durationVar(set, &f.pingEvery, "ping-every", 0, "ping the server this often to see whether it still answers; 0: never, at least 5s")
	set.StringVar(&f.record, "record", "", "write everything that happens to this `file`, one JSON line each")
	set.BoolVar(&f.unmasked, "record-unmasked", false, "keep passwords, tokens and all else that is secret in the recording: it is then as secret as they are")
	set.StringArrayVar(&f.roots, "root", nil, "let the server know about this `directory` (repeatable)")
	set.StringArrayVar(&f.env, "env", nil, "set `NAME=value` for the server, or hand on NAME (repeatable)")
	set.StringArrayVar(&f.envFiles, "env-file", nil, "set for the server what this `file` holds in lines NAME=value; --env wins (repeatable)")
	set.StringArrayVar(&f.header, "header", nil, "send this `field` with every request to a server over HTTP: 'Name: value', ${NAME} is a variable (repeatable)")
	f.login.add(set)
	set.StringArrayVar(&f.wrap, "wrap", nil, "put this `word` in front of the server's command, such as a sandbox that runs it (repeatable, one for each word)")
	set.StringVar(&f.dir, "cwd", "", "run the server in this `directory`")
	set.StringArrayVar(&f.watch, "watch", nil, "offer to restart the server when this `path` has changed: a file, or one that lies in a directory (repeatable)")
	set.StringVar(&f.maxMessage, "max-message", "16MiB", "longest message that is read whole, a `size` such as 64MiB")
	set.BoolVar(&f.noSampling, "no-sampling", false, "do not declare sampling")
	set.BoolVar(&f.samplingTools, "sampling-tools", false, "declare that sampling may come with tools (2025-11-25)")
	set.BoolVar(&f.noElicitation, "no-elicitation", false, "do not declare elicitation")
	set.BoolVar(&f.noForms, "no-forms", false, "do not declare elicitation by forms")
	set.BoolVar(&f.ownServer, "i-own-this-server", false, "nobody else uses the server: let wrong cancels go to it over HTTP at any address, not at localhost, 127.0.0.1 and ::1 only (:wrong-cancel)")
	set.BoolVar(&f.noURLs, "no-urls", false, "do not declare elicitation by URLs")
	set.BoolVar(&f.anonymous, "anonymous", false, "do not say in requests that they come from belay; a handshake has to")
	set.BoolVar(&f.noSSE, "no-sse", false, "do not look for the HTTP+SSE of 2024-11-05 where a server refuses initialize")
	set.BoolVar(&f.noListen, "no-listen", false, "open no stream of the server's own over HTTP, and in 2026-07-28 begin no subscription to the lists that change, or to tasks (:hear does)")
	set.BoolVar(&f.keepTasks, "keep-tasks", false, "keep the IDs of tasks that go on in a file of your settings, and offer them at the next start with this server")
	set.BoolVar(&f.noMemory, "no-memory", false, "keep no arguments of your calls for the next time, and offer none of earlier ones")
	set.BoolVar(&f.strictAsks, "strict-asks", false, "refuse what the server asks of you while no call is in flight that can have led to it")
}

// auto is the word for no revision in particular.
const auto = "auto"

// forDemo leaves out the probe where no revision was asked for: what the demo
// server shows best, requests that it takes back, the handshake revisions have.
func (f *flags) forDemo(cfg *session.Config) {
	if !f.set.Changed("protocol") {
		cfg.DiscoverLimit = -1
	}
}

func revisions() []string {
	var out []string
	for _, r := range mcp.Supported() {
		out = append(out, string(r))
	}
	return out
}

// config turns the flags into what the core is made with.
func (f *flags) config() (session.Config, error) {
	cfg := session.Config{
		ClientName: "belay", ClientTitle: "belay", ClientVersion: build.Version(), Platform: platform,
		Reason: f.reason, Grace: f.grace, Idle: f.timeout, Max: f.maxTimeout,
		NoProbe: f.noProbe, PingEvery: f.pingEvery, NoSampling: f.noSampling, NoElicitation: f.noElicitation,
		SamplingTools: f.samplingTools, NoForms: f.noForms, NoURLs: f.noURLs, StrictAsks: f.strictAsks,
		WrongCancels: f.ownServer, Anonymous: f.anonymous, NoSSE: f.noSSE, NoListen: f.noListen,
	}
	if f.protocol != auto {
		cfg.Pin = mcp.Revision(f.protocol)
		if !slices.Contains(revisions(), f.protocol) {
			return cfg, usage("--protocol %q is no revision that belay speaks: auto, %s", f.protocol, strings.Join(revisions(), ", "))
		}
	}
	for _, d := range []struct {
		name  string
		value *time.Duration
		zero  bool
	}{{"timeout", &cfg.Idle, true}, {"max-timeout", &cfg.Max, true}, {"grace", &cfg.Grace, false}, {"ping-every", &cfg.PingEvery, true}} {
		switch {
		case *d.value < 0:
			return cfg, usage("--%s %v: a time cannot be negative", d.name, *d.value)
		case *d.value == 0 && d.zero:
			*d.value = -1 // the core's word for "none"
		case *d.value == 0:
			return cfg, usage("--%s 0: it takes at least a moment, such as 100ms", d.name)
		case d.name == "ping-every" && *d.value < session.ShortestPing:
			return cfg, usage("--ping-every %v: at least %v, or 0 for never", *d.value, session.ShortestPing)
		}
	}
	for _, dir := range f.roots {
		r, err := rootOf(dir)
		if err != nil {
			return cfg, usage("--root %s", err)
		}
		cfg.Roots = append(cfg.Roots, r)
	}
	return cfg, nil
}

// check finds what is wrong with the flags, whatever the server is: before
// anything is asked, opened or started, and also without a terminal.
func (f *flags) check() error {
	if _, err := f.config(); err != nil {
		return err
	}
	for _, name := range []string{"record", "cwd", "client-id", "client-secret", "client-issuer", "client-redirect", "client-metadata"} {
		if f.set.Changed(name) && f.set.Lookup(name).Value.String() == "" {
			return usage("--%s is empty: give it a value, or leave it out", name)
		}
	}
	switch {
	case len(f.wrap) > 0 && f.wrap[0] == "":
		return usage("--wrap is empty: its first word is the program that runs the server")
	case f.record == "-":
		return usage("--record -: there the screen is; name a file, such as ./- if it is to be called that")
	case f.unmasked && f.record == "":
		return usage("--record-unmasked is about a recording, and there is none without --record")
	case f.set.Changed("timeout") && f.maxTimeout > 0 && f.timeout > f.maxTimeout:
		return usage("--timeout %v never comes: --max-timeout ends a call after %v", f.timeout, f.maxTimeout)
	}
	if _, _, err := headers(f.header); err != nil {
		return err
	}
	if err := checkEnv(f.env); err != nil {
		return err
	}
	if err := f.readEnvFiles(); err != nil {
		return err
	}
	if _, err := sizeOf(f.maxMessage); err != nil {
		return err
	}
	if err := f.beginWatch(); err != nil {
		return err
	}
	_, _, err := f.login.options()
	return err
}

// wrongFlag says of a flag that is on or off, and has another value, what it
// takes; strconv's words are for programmers.
func wrongFlag(err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool" {
		name := invalid.GetFlag().Name
		return usage("--%s=%s: it is on or off: --%s, or --%s=false", name, invalid.GetValue(), name, name)
	}
	return err
}

// fits refuses the flags that have no meaning for a server of that kind.
func (f *flags) fits(overHTTP bool) error {
	switch {
	case overHTTP && len(f.wrap) > 0:
		return usage("--wrap is for servers that belay runs; this one is reached over HTTP")
	case overHTTP && (f.dir != "" || len(f.env) > 0 || len(f.envFiles) > 0):
		return usage("--cwd, --env and --env-file are for servers that belay runs; this one is reached over HTTP")
	case overHTTP && len(f.watch) > 0:
		return usage("--watch is for servers that belay runs; this one is reached over HTTP")
	case !overHTTP && len(f.header) > 0:
		return usage("--header is for servers over HTTP; this one is a command")
	case !overHTTP && f.login != loginFlags{}:
		return usage("the --client flags are for servers over HTTP; this one is a command")
	}
	return nil
}

// checkEnv looks at the --env flags.
func checkEnv(flags []string) error {
	for _, e := range flags {
		if name, _, _ := strings.Cut(e, "="); name == "" {
			return usage("--env %q: NAME=value, or NAME", e)
		}
		if _, set := os.LookupEnv(e); !set && !strings.Contains(e, "=") {
			return usage("--env %s: it is not set here; --env %s=value sets it", e, e)
		}
	}
	return nil
}

// readEnvFiles reads the --env-file flags, once.
func (f *flags) readEnvFiles() error {
	f.fileEnv = nil
	for _, name := range f.envFiles {
		file, err := config.ReadTypedEnvFile(name, func() {
			if f.says != nil {
				f.says("waiting for the end of the pipe --env-file " + string(safe.QuotedCut(name, 80)+", "+wording.Duration(config.PipeMost)) + " at most; ctrl+c gives up")
			}
		})
		switch {
		case name == "":
			return usage("--env-file needs the name of a file")
		case errors.Is(err, fs.ErrNotExist):
			return usage("--env-file: there is no file %q", name)
		case err != nil:
			return &exitError{code: ExitUsage, err: fmt.Errorf("--env-file: %w", err), told: true}
		}
		f.fileEnv = append(f.fileEnv, file.Vars...)
	}
	return nil
}

// beginWatch looks at what the --watch flags name.
func (f *flags) beginWatch() (err error) {
	if len(f.watch) == 0 {
		return nil
	}
	if slices.Contains(f.watch, "") {
		return usage("--watch is empty: give it a file or a directory, or leave it out")
	}
	if f.watched, err = watch.New(f.watch); err != nil {
		return usage("--watch: %s", err)
	}
	return nil
}

// rootOf makes a root of a directory that exists and can be read (RTS-05, RTS-08, RTS-09;
// client/roots).
func rootOf(dir string) (session.Root, error) {
	if dir == "" {
		return session.Root{}, errors.New("takes a directory")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return session.Root{}, fmt.Errorf("%q: %s", dir, plain(err))
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return session.Root{}, fmt.Errorf("%q: %s", dir, plain(err))
	}
	// Opening a pipe would wait for its other end.
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return session.Root{}, fmt.Errorf("%q is not a directory", dir)
	}
	f, err := os.Open(abs)
	if err != nil {
		return session.Root{}, fmt.Errorf("%q cannot be read: %s", dir, plain(err))
	}
	_ = f.Close()
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	u := url.URL{Scheme: "file", Path: slashed}
	return session.Root{URI: u.String(), Name: filepath.Base(abs)}, nil
}

// plain is what the system says of a file, without Go's words around it.
func plain(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// sizes are the units of --max-message, longest first.
var sizes = []struct {
	suffix string
	unit   int
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1}}

// sizeOf reads a number of bytes, such as 64MiB.
func sizeOf(text string) (int, error) {
	for _, s := range sizes {
		digits, ok := strings.CutSuffix(text, s.suffix)
		if !ok {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(digits+"\n", "%d\n", &n); err != nil || n <= 0 || n > (2<<30)/s.unit {
			break
		}
		return n * s.unit, nil
	}
	return 0, usage("--max-message %q: a size between 1B and 2GiB, such as 64MiB", text)
}
