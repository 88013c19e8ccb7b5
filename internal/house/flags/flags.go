// Command flags writes docs/flags.md and docs/belay.1, the page of man(1), from the
// flags as they are defined.
//
//	go run ./internal/house/flags            write the pages
//	go run ./internal/house/flags -check     fail if one is stale
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"belay/internal/cli"
	"belay/internal/house"
)

const head = `# The command line

<!-- Written by go run ./internal/house/flags from the flags in internal/cli. Do not edit. -->

` + "`belay --help`" + ` says the same in short. ` + "`belay man`" + ` prints it as a page of man(1), which lies beside this one
as [belay.1](belay.1). A shell completes flags, the servers of config files, and other values
after ` + "`source <(belay completion bash)`" + `, or the like for zsh, fish and PowerShell
(` + "`belay completion zsh --help`" + `).

`

func main() {
	check := flag.Bool("check", false, "write nothing; fail if a page is not up to date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "flags:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	root, err := house.Root()
	if err != nil {
		return err
	}
	for _, page := range []struct{ name, text string }{
		{"flags.md", head + cli.FlagsPage()},
		{"belay.1", cli.ManPage()},
	} {
		at := filepath.Join(root, "docs", page.name)
		if !check {
			if err := os.WriteFile(at, []byte(page.text), 0o644); err != nil {
				return err
			}
			continue
		}
		old, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, []byte(page.text)) {
			return fmt.Errorf("docs/%s is stale: go run ./internal/house/flags", page.name)
		}
	}
	return nil
}
