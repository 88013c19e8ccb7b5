// Command coverage writes docs/requirements/coverage.md: which test proves which row of
// docs/requirements/catalogue.md.
//
//	go run ./internal/repocheck/coverage            write the page
//	go run ./internal/repocheck/coverage -check     fail if the page is stale
//	go run ./internal/repocheck/coverage -strict    fail if a demanded row is not proved, or a
//	                                            proved one of the mutated areas not broken
//
// The flags go together. Which rows are demanded is written in demanded.txt.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"belay/internal/repocheck"
)

//go:embed demanded.txt
var needText string

func main() {
	check := flag.Bool("check", false, "write nothing; fail if docs/requirements/coverage.md is not up to date")
	strict := flag.Bool("strict", false, "fail if a row that demanded.txt demands is not proved")
	flag.Parse()
	if err := run(*check, *strict); err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
}

func run(check, strict bool) error {
	root, err := repocheck.Root()
	if err != nil {
		return err
	}
	p, err := readPage(root, needText)
	if err != nil {
		return err
	}
	at := filepath.Join(root, "docs", "requirements", "coverage.md")
	if err := settle(at, p.markdown(), check); err != nil {
		return err
	}
	if open := p.open(); strict && len(open) > 0 {
		return fmt.Errorf("%d demanded rows are proved by no test: %s", len(open), strings.Join(names(open), " "))
	}
	if open := p.unbroken(mutatedAreas); strict && len(open) > 0 {
		return fmt.Errorf("%d rows of %s have no mutation that their test dies of: %s", len(open), strings.Join(mutatedAreas, ", "), strings.Join(names(open), " "))
	}
	return nil
}

func names(rows []row) (names []string) {
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}

// readPage reads what the page is made of from the repository at root.
func readPage(root, needText string) (page, error) {
	catalogue, err := os.ReadFile(filepath.Join(root, "docs", "requirements", "catalogue.md"))
	if err != nil {
		return page{}, err
	}
	areas, err := readCatalogue(string(catalogue))
	if err != nil {
		return page{}, fmt.Errorf("docs/requirements/catalogue.md: %w", err)
	}
	needs, err := readNeeds(needText)
	if err != nil {
		return page{}, err
	}
	files, err := repocheck.GoFiles(root)
	if err != nil {
		return page{}, err
	}
	proofs, err := readProofs(files)
	if err != nil {
		return page{}, err
	}
	mutations, err := os.ReadFile(filepath.Join(root, "internal", "repocheck", "mutate", "mutations.txt"))
	if err != nil {
		return page{}, err
	}
	killers, err := readKillers(string(mutations), proofs)
	if err != nil {
		return page{}, err
	}
	p := page{areas: append(areas, seeds), proofs: proofs, needs: needs, killers: killers}
	return p, p.check()
}

// settle writes the page, or with check demands that it is written already.
func settle(at, want string, check bool) error {
	if !check {
		return os.WriteFile(at, []byte(want), 0o644)
	}
	have, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	if string(have) != want {
		return fmt.Errorf("docs/requirements/coverage.md is stale: run go run ./internal/repocheck/coverage and commit it")
	}
	return nil
}
