// Command keys writes docs/keys.md: every key and command of the screen, from
// the bindings that the screen itself runs on.
//
//	go run ./internal/house/keys            write the page
//	go run ./internal/house/keys -check     fail if the page is stale
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"belay/internal/house"
	"belay/ui"
	"belay/ui/chooser"
)

const head = `# Keys

<!-- Written by go run ./internal/house/keys from the bindings in ui/. Do not edit. -->

Everything that a key or a command does. The same list is on ` + "`?`" + ` while belay runs,
where a key that cannot be used just now says why. Commands are typed behind ` + "`:`" + `;
what begins no other command may be cut short. Where text is typed, the keys of a shell's line work:
` + "`ctrl+a` `ctrl+e` `ctrl+k` `ctrl+u` `ctrl+w` `alt+b` `alt+f`" + `. The mouse selects, scrolls, turns tabs, goes to fields, chooses options,
and presses ` + "`[x]`" + ` and the keys at the foot, but never those that answer a question of the server's.

Six things that other tools call *cancel* are six here: *cancel request* (` + "`x`" + `), *cancel task*
(the same key, on the row of a task), *stop waiting* (` + "`d`" + `: a task goes on without you), *dismiss* and *decline* (your answers to
a question of the server's), and *withdrawn by the server* (which nothing of yours causes).
`

func main() {
	check := flag.Bool("check", false, "write nothing; fail if docs/keys.md is not up to date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	root, err := house.Root()
	if err != nil {
		return err
	}
	at := filepath.Join(root, "docs", "keys.md")
	page := []byte(head + ui.Keys() + chooser.Keys())
	if !check {
		return os.WriteFile(at, page, 0o644)
	}
	old, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, page) {
		return errors.New("docs/keys.md is stale: go run ./internal/house/keys")
	}
	return nil
}
