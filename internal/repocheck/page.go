package repocheck

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// Page is a file below docs/ that a command of internal/repocheck writes.
type Page struct {
	Name string
	Text []byte
}

// PagesMain is the main function of a command that writes pages, by the command's name. With
// -check, run is to write nothing and to fail where a page is stale.
func PagesMain(name string, run func(check bool) error) {
	check := flag.Bool("check", false, "write nothing; fail if a page is not up to date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// WritePages writes the pages of a command, or, as a check, fails where one is stale.
func WritePages(name string, check bool, pages ...Page) error {
	root, err := Root()
	if err != nil {
		return err
	}
	for _, p := range pages {
		at := filepath.Join(root, "docs", p.Name)
		if !check {
			if err := os.WriteFile(at, p.Text, 0o644); err != nil {
				return err
			}
			continue
		}
		old, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, p.Text) {
			return fmt.Errorf("docs/%s is stale: go run ./internal/repocheck/%s", p.Name, name)
		}
	}
	return nil
}

// CacheDir is a directory as it was given, as an absolute path; empty: the one of that name in
// the user's cache.
func CacheDir(given, name string) (string, error) {
	if given == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		given = filepath.Join(cache, name)
	}
	return filepath.Abs(given)
}
