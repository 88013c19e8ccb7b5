// Command audits writes the part of docs/audit.md that is a table: what belay audit judges,
// and what each outcome stands on.
//
//	go run ./internal/house/audits            write the table into the page
//	go run ./internal/house/audits -check     fail if it is stale
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"belay/internal/audit"
	"belay/internal/house"
)

// The table stands behind this line, to the end of the page.
const (
	begin = "<!-- Written by go run ./internal/house/audits from internal/audit. Do not edit from here to the end. -->\n"
	page  = "audit.md"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail if docs/audit.md is not up to date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "audits:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	root, err := house.Root()
	if err != nil {
		return err
	}
	at := filepath.Join(root, "docs", page)
	old, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	head, _, ok := strings.Cut(string(old), begin)
	if !ok {
		return errors.New("docs/audit.md lacks the line behind which the table stands")
	}
	text := head + begin + "\n" + audit.Table()
	if !check {
		return os.WriteFile(at, []byte(text), 0o644)
	}
	if text != string(old) {
		return errors.New("docs/audit.md is stale: go run ./internal/house/audits")
	}
	return nil
}
