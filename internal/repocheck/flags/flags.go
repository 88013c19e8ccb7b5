// Command flags writes docs/flags.md and docs/belay.1, the page of man(1), from the
// flags as they are defined.
//
//	go run ./internal/repocheck/flags            write the pages
//	go run ./internal/repocheck/flags -check     fail if one is stale
package main

import (
	"belay/internal/cli"
	"belay/internal/repocheck"
)

const head = `# The command line

<!-- Written by go run ./internal/repocheck/flags from the flags in internal/cli. Do not edit. -->

` + "`belay --help`" + ` says the same in short. ` + "`belay man`" + ` prints it as a page of man(1), which lies beside this one
as [belay.1](belay.1). A shell completes flags, the servers of config files, and other values
after ` + "`source <(belay completion bash)`" + `, or the like for zsh, fish and PowerShell
(` + "`belay completion zsh --help`" + `).

`

func main() { repocheck.PagesMain("flags", run) }

func run(check bool) error {
	return repocheck.WritePages("flags", check, repocheck.Page{Name: "flags.md", Text: []byte(head + cli.FlagsPage())}, repocheck.Page{Name: "belay.1", Text: []byte(cli.ManPage())})
}
