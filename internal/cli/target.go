package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"belay/mcpclient"
)

// target is the server that a command line asks for.
type target struct {
	argv []string
	dir  string
	env  []string // NAME=value

	// shown and shownDir are argv and dir as they may be seen: what a config
	// file takes from variables and inputs stands there by its name.
	shown    []string
	shownDir string
}

// command is the target that is typed: what stands behind "--", or the demo
// server.
func command(args []string, dash int) (target, error) {
	argv, err := typed(args, dash)
	return target{argv: argv, shown: argv}, err
}

func typed(args []string, dash int) ([]string, error) {
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
	if strings.HasPrefix(first, "http://") || strings.HasPrefix(first, "https://") {
		return nil, usage("belay speaks to servers over stdio only, so far: it cannot connect to %s", first)
	}
	return nil, usage("%q is no command of belay; to run a server: belay -- %s", first, strings.Join(args, " "))
}

// in moves the target to a directory that the user has named.
func (t target) in(dir string) target {
	if dir != "" {
		t.dir, t.shownDir = dir, dir
	}
	return t
}

// hide takes what may not be seen out of the error of a start.
func (t target) hide(err error) error {
	var start *mcpclient.StartError
	if !errors.As(err, &start) || len(t.shown) == 0 {
		return err
	}
	masked := *start
	masked.Program, masked.Dir = t.shown[0], t.shownDir
	return &masked
}
