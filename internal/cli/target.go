package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"belay/internal/outcome"
	"belay/mcpclient"
	"belay/mcpclient/address"
	"belay/mcpclient/process"
	"belay/session"
	"belay/session/mcp"
)

// target is the server that a command line asks for.
type target struct {
	http mcpclient.HTTPOptions // of a server that is reached over HTTP; otherwise without an endpoint
	argv []string
	dir  string
	env  []string // NAME=value
	took []string // NAME=value, of the variables and inputs that were put into anything of it
	demo bool     // the built-in server

	entry string // its name in a config file; empty: it was typed

	// shown and shownDir are argv and dir as they may be seen: what a config
	// file takes from variables and inputs stands there by its name.
	shown    []string
	shownDir string
}

// of is the server as a document has it before it has answered.
func (t *target) of() outcome.Server {
	st := session.Status{Transport: mcp.Stdio}
	if t.http.Endpoint != "" {
		st.Transport = mcp.HTTP
	}
	return outcome.ServerOf(&st)
}

// command is the target that is typed: what stands behind "--", an address, or
// the demo server. Near names the commands of belay that a word is much like.
func command(args []string, dash int, near func(string) []string) (target, error) {
	if dash < 0 && len(args) > 0 && isAddress(args[0]) {
		if len(args) > 1 {
			return target{}, usage("there is more behind the address: %q", args[1])
		}
		return remoteAt(args[0])
	}
	argv, err := typed(args, dash, near)
	return target{argv: argv, shown: argv, demo: len(args) == 0 && dash < 0}, err
}

func typed(args []string, dash int, near func(string) []string) ([]string, error) {
	switch {
	case len(args) == 0 && dash < 0:
		self, err := os.Executable()
		if err != nil {
			return nil, cannotConnect(fmt.Errorf("the demo server cannot be run: belay does not know its own program: %w", err))
		}
		return []string{self, "demo"}, nil
	case dash == 0 && len(args) > 0 && args[0] != "":
		return args, nil
	case dash == 0:
		return nil, usage("there is no command behind --")
	}
	first := args[0]
	switch {
	case isAddress(first):
		return nil, usage("there are two servers: %s, and the command behind --", address.Shown(first))
	case otherScheme().MatchString(first):
		scheme, _, _ := strings.Cut(first, "://")
		return nil, usage("belay speaks no %s: the address of a server begins with http:// or https://", scheme)
	case hostPort().MatchString(first):
		return nil, usage("%q is no command of belay; for a server over HTTP: belay http://%s", first, first)
	}
	if names := near(first); len(names) > 0 {
		return nil, usage("%q is no command of belay; did you mean %q? To run a server of that name: belay -- %s", first, names[0], strings.Join(args, " "))
	}
	return nil, usage("%q is no command of belay; to run a server: belay -- %s", first, strings.Join(args, " "))
}

// otherScheme is an address that is none of HTTP, such as ftp://host.
var otherScheme = whenNeeded(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// hostPort is an address that lacks its scheme, such as localhost:8080/mcp.
var hostPort = whenNeeded(`^[A-Za-z0-9.-]+:[0-9]+(/|$)`)

func isAddress(arg string) bool {
	lower := strings.ToLower(arg)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// remoteAt is the target that is reached over HTTP.
func remoteAt(endpoint string) (target, error) {
	if err := mcpclient.CheckEndpoint(endpoint); err != nil {
		return target{}, usage("cannot connect to %q: %s", address.Shown(endpoint), err)
	}
	o := mcpclient.HTTPOptions{Endpoint: endpoint}
	return target{http: o, shown: []string{o.Shown()}}, nil
}

// with applies the flags that are about the target, and refuses those that have
// no meaning for it.
func (t target) with(f *flags) (target, error) {
	if err := f.fits(t.http.Endpoint != ""); err != nil {
		return t, err
	}
	if t.http.Endpoint == "" {
		if f.dir != "" {
			t.dir, t.shownDir = f.dir, f.dir
		}
		t.argv, t.shown = slices.Concat(f.wrap, t.argv), slices.Concat(f.wrap, t.shown)
		return t, nil
	}
	h, took, err := headers(f.header)
	if err != nil {
		return t, err
	}
	all := t.http.Header.Clone()
	if all == nil {
		all = h
	}
	for name, values := range h {
		all[name] = values
	}
	t.http.Header = all
	var more []string
	if t.http.Login, more, err = f.login.options(); err != nil {
		return t, err
	}
	t.took = slices.Concat(t.took, took, more)
	return t, nil
}

// hide takes what may not be seen out of the error of a start.
func (t target) hide(err error) error {
	var start *process.StartError
	if !errors.As(err, &start) || len(t.shown) == 0 {
		return err
	}
	masked := *start
	masked.Program, masked.Dir = t.shown[0], t.shownDir
	return &masked
}
