package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// peersVariable names the directory in which the servers of others are installed, as the
// interop tests want them: npm install in internal/interop, or a copy of its package.json.
const peersVariable = "BELAY_INTEROP"

// errNoPeers says that this machine has no servers of others, so that nobody can know
// whether a picture of one is stale.
var errNoPeers = errors.New(peersVariable + " does not say where server-everything is installed (internal/interop/package.json)")

// everythingCommand is the command that starts server-everything. If the variable is set and
// the server is missing, that is a failure, and no machine without servers.
func everythingCommand() ([]string, error) {
	dir := os.Getenv(peersVariable)
	if dir == "" {
		return nil, errNoPeers
	}
	path, err := filepath.Abs(filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("server-everything is not in %s: %w", peersVariable, err)
	}
	return []string{"node", path, "stdio"}, nil
}

// leaveOut says of a scene that failed for want of servers that it was left out, and reports whether
// this is such a scene. It is no failure
// among others; who wants that scene only has asked in vain.
func leaveOut(s Scene, err error, only bool, stderr io.Writer) bool {
	if only || !errors.Is(err, errNoPeers) {
		return false
	}
	fmt.Fprintf(stderr, "NOT DONE: the picture %s is left as it is: %v\n", s.Name, err)
	return true
}
