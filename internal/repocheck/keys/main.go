// Command keys writes docs/keys.md: every key and command of the screen, from
// the bindings that the screen itself runs on.
//
//	go run ./internal/repocheck/keys            write the page
//	go run ./internal/repocheck/keys -check     fail if the page is stale
package main

import (
	"belay/internal/repocheck"
	"belay/ui"
	"belay/ui/chooser"
)

const head = `# Keys

<!-- Written by go run ./internal/repocheck/keys from the bindings in ui/. Do not edit. -->

Everything that a key or a command does. The same list is on ` + "`?`" + ` while belay runs,
where a key that cannot be used just now says why. Commands are typed behind ` + "`:`" + `;
what begins no other command may be cut short. Where text is typed, the keys of a shell's line work:
` + "`ctrl+a` `ctrl+e` `ctrl+k` `ctrl+u` `ctrl+w` `alt+b` `alt+f`" + `. The mouse selects, scrolls, turns tabs, goes to fields, chooses options,
and presses ` + "`[x]`" + ` and the keys at the foot, but never those that answer a question of the server's.

Six things that other tools call *cancel* are six here: *cancel request* (` + "`x`" + `), *cancel task*
(the same key, on the row of a task), *stop waiting* (` + "`d`" + `: a task goes on without you), *dismiss* and *decline* (your answers to
a question of the server's), and *withdrawn by the server* (which nothing of yours causes).
`

func main() { repocheck.PagesMain("keys", run) }

func run(check bool) error {
	return repocheck.WritePages("keys", check, repocheck.Page{Name: "keys.md", Text: []byte(head + ui.Keys() + chooser.Keys())})
}
