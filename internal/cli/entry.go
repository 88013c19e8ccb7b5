package cli

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"belay/mcpclient/config"
	"belay/mcpclient/settings"
)

// entryFlags take the server from a config file.
type entryFlags struct {
	name string
	file string
	yes  bool
	said string // the fingerprint of what the question about an entry has said of credentials
	set  *pflag.FlagSet
}

func (e *entryFlags) add(set *pflag.FlagSet) {
	e.set = set
	set.StringVarP(&e.name, "server", "s", "", "run the server of this `name` from a config file; without a name, choose one")
	set.StringVarP(&e.file, "config", "c", "", "take the server from this `file`: mcp.json, or one of Claude Desktop's, VS Code's or Cursor's")
	set.BoolVar(&e.yes, "yes", false, "run a server of a config file, or send credentials without TLS, without being asked")
}

// isUsed reports whether the command line asks for a server of a config file.
func (e *entryFlags) isUsed() bool { return e.set.Changed("server") || e.set.Changed("config") }

// nameless lets -s stand without a name: pflag would take the next flag for it.
func nameless(args []string) []string {
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		last := i+1 == len(args) || strings.HasPrefix(args[i+1], "-")
		if last && (a == "-s" || a == "--server") {
			a = "--server="
		}
		out = append(out, a)
	}
	return out
}

// target finds the entry, asks whether it may run, and makes a command of it.
func (e *entryFlags) target(s std, f *flags, look *looks) (target, error) {
	sys, facts, err := environment()
	if err != nil {
		return target{}, err
	}
	found, err := e.gather(sys, facts.Dir)
	if err != nil {
		return target{}, err
	}
	t := newTTYPrompter(s, look)
	server, further, err := e.choose(found, t)
	if err != nil {
		return target{}, err
	}
	if server.Err != nil {
		return target{}, wrongFile(server.Err)
	}
	if err := checkHeaders(server); err != nil {
		return target{}, err
	}
	if err := f.fits(server.Transport != config.Stdio); err != nil {
		return target{}, err
	}
	facts.Input = t.input
	opened, err := server.Open(facts)
	if err != nil {
		return target{}, wrongFile(err)
	}
	if err := e.consent(opened, facts, sys, t); err != nil {
		return target{}, err
	}
	launch, err := opened.Resolve()
	if err != nil {
		return target{}, wrongFile(err)
	}
	_, _ = fmt.Fprintln(s.err, notice(server, further))
	if launch.URL != "" {
		return remote(launch, server, facts)
	}
	out := target{argv: launch.Command, dir: launch.Dir, env: launch.Env, took: launch.Taken, entry: server.Name}
	out.shown, out.shownDir = server.Shown(facts)
	return out, nil
}

// remote is the target of an entry over HTTP.
func remote(launch config.Launch, server *config.Server, facts config.Facts) (target, error) {
	out, err := remoteAt(launch.URL)
	if err != nil {
		// The address may hold what is secret: only the file is named.
		return target{}, wrongFile(fmt.Errorf("the url of %q in %s is no address that belay can use", server.Name, server.File.Path))
	}
	out.http.Header = http.Header{}
	for _, h := range launch.Headers {
		out.http.Header.Add(h.Name, h.Value)
	}
	out.shown, _ = server.Shown(facts)
	out.entry = server.Name
	out.http.Label, out.took = out.shown[0], launch.Taken
	return out, nil
}

// checkHeaders looks at the header fields of an entry as far as they are known
// before ${…} is put in: nobody is asked whether to connect to what cannot be.
func checkHeaders(server *config.Server) error {
	for _, h := range server.Headers {
		if err := checkField(h.Name, h.Value.Raw); err != nil {
			return wrongFile(h.Value.Problem(err.Error()))
		}
	}
	return nil
}

// environment are where files are looked for and what ${…} stands for.
func environment() (config.System, config.Facts, error) {
	dir, err := os.Getwd()
	if err != nil {
		return config.System{}, config.Facts{}, cannotConnect(fmt.Errorf("belay does not know its own directory: %w", err))
	}
	home, _ := os.UserHomeDir() // without one there are only the files of projects
	return config.System{GOOS: runtime.GOOS, Home: home, Env: os.Getenv},
		config.Facts{Env: os.LookupEnv, Home: home, Dir: dir}, nil
}

// gather reads the file that the user has named, or all in their usual places.
func (e *entryFlags) gather(sys config.System, dir string) (*config.Collection, error) {
	if !e.set.Changed("config") {
		return config.Gather(sys.Places(config.Upwards(dir, isRepository))), nil
	}
	path, err := filepath.Abs(e.file)
	if e.file == "" || err != nil {
		return nil, usage("--config needs the name of a file")
	}
	place := sys.Named(path)
	f, err := config.Read(place)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, wrongFile(fmt.Errorf("there is no file %q", e.file))
	case err != nil:
		return nil, wrongFile(err)
	case len(f.Servers) == 0:
		return nil, wrongFile(fmt.Errorf("%s names no servers: they stand in an object that is called mcpServers or servers", path))
	}
	return config.Gather([]config.Place{place}), nil
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// choose finds the entry that the user has named, or asks which.
func (e *entryFlags) choose(c *config.Collection, t *ttyPrompter) (server *config.Server, further []*config.Server, err error) {
	if e.name == "" {
		all := c.Servers()
		switch {
		case len(all) == 0:
			return nil, nil, usage("no config file names a server; looked in:\n  %s", strings.Join(c.Looked(), "\n  "))
		case len(all) == 1 && len(c.Failed()) == 0:
			return all[0], nil, nil
		case t == nil:
			return nil, nil, usage("which server? name one with -s: %s", strings.Join(quotedNames(all), ", "))
		}
		if server, err = t.pick(all, c.Failed()); err != nil {
			return nil, nil, err
		}
		if _, further, err = c.Find(server.Name); err != nil && !e.yes && !t.unread(server, err) {
			return nil, nil, declined("nothing was run")
		}
		return server, further, nil
	}
	server, further, err = c.Find(e.name)
	if err != nil {
		return nil, nil, wrongFile(err)
	}
	return server, further, nil
}

func quotedNames(all []*config.Server) []string {
	var names []string
	for _, s := range all {
		names = append(names, fmt.Sprintf("%q", s.Name))
	}
	return names
}

// wrongFile gives an error that carries no exit code the one of wrong usage.
func wrongFile(err error) error {
	var e *exitError
	if errors.As(err, &e) {
		return err
	}
	return &exitError{code: ExitUsage, err: err, told: true}
}

// consents is where the answers of the user are kept.
func consents(sys config.System) config.Consents {
	dir := sys.ConfigDir()
	if dir == "" {
		return config.Consents{}
	}
	return config.Consents{Path: filepath.Join(dir, "belay", "consents")}
}

// isOfSettings reports whether the trouble is with the user's settings themselves, which
// the question has told of: others may write there, or what lies there is no file.
func isOfSettings(err error) bool {
	var e *settings.Error
	var odd *settings.IrregularError
	return errors.As(err, &e) || errors.As(err, &odd)
}

// consent sees to it that the user has allowed the entry to run: once, until it
// changes.
func (e *entryFlags) consent(server *config.Opened, facts config.Facts, sys config.System, t *ttyPrompter) error {
	if e.yes {
		return nil
	}
	kept := consents(sys)
	known, err := kept.Has(server)
	if known {
		return nil
	}
	trouble := ""
	if err != nil {
		trouble = plain(err)
	}
	switch {
	case t == nil && trouble != "":
		return usage("whether %q of %s was allowed to run is not known, and there is no terminal to ask on; --yes allows it\n%s", server.Name, server.File.Path, trouble)
	case t == nil:
		return usage("%q of %s has not been allowed to run, and there is no terminal to ask on; --yes allows it", server.Name, server.File.Path)
	case !t.mayRun(server, facts, trouble):
		return declined("nothing was run")
	}
	if r, shown, is := readableOf(server); is && shown && server.Transport != config.Stdio {
		e.said = r.Fingerprint()
	}
	if isOfSettings(err) { // it was said
		return nil
	}
	if err := kept.Add(server); err != nil {
		t.say("this cannot be remembered, so you will be asked again: " + plain(err))
	}
	return nil
}
