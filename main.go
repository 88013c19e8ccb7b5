// Belay is an interactive terminal client for MCP servers: it shows every
// request in flight, stops any of them with one key and a reason, and reports
// what the server really did about it.
package main

import (
	"os"

	"belay/internal/cli"
	"belay/internal/guard"
)

func main() {
	if guard.Is(os.Args) {
		os.Exit(guard.Main())
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
