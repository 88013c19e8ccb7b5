// Command audits writes the part of docs/audit.md that is a table: what belay audit judges,
// and what each outcome stands on.
//
//	go run ./internal/repocheck/audits            write the table into the page
//	go run ./internal/repocheck/audits -check     fail if it is stale
package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"belay/internal/audit"
	"belay/internal/repocheck"
)

// The table stands behind this line, to the end of the page.
const (
	begin = "<!-- Written by go run ./internal/repocheck/audits from internal/audit. Do not edit from here to the end. -->\n"
	page  = "audit.md"
)

func main() { repocheck.PagesMain("audits", run) }

func run(check bool) error {
	root, err := repocheck.Root()
	if err != nil {
		return err
	}
	old, err := os.ReadFile(filepath.Join(root, "docs", page))
	if err != nil {
		return err
	}
	head, _, ok := strings.Cut(string(old), begin)
	if !ok {
		return errors.New("docs/audit.md lacks the line behind which the table stands")
	}
	return repocheck.WritePages("audits", check, repocheck.Page{Name: page, Text: []byte(head + begin + "\n" + audit.Table())})
}
