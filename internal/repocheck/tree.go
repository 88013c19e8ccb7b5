package repocheck

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// longFile is the length from which on a source file may hold more than one idea.
const longFile = 450

// topLevel lists what lies at the top of the repository.
var topLevel = []string{
	"go.mod", "go.sum", "main.go", "ui", "mcpclient", "session", "screenshots", "internal", "docs",
	"README.md", "LICENSE", "CONTRIBUTING.md", ".ci",
}

// dotfiles lists what may lie there besides.
var dotfiles = []string{".git", ".gitignore", ".gitattributes", ".editorconfig", ".golangci.yml", ".goreleaser.yaml", ".github"}

// CheckTop compares the entries of the top level with what belongs there.
// Entries that a line of ignored (the contents of .gitignore) matches are
// nobody's business.
func CheckTop(entries []string, ignored string) []string {
	var faults []string
	for _, want := range topLevel {
		if !slices.Contains(entries, want) {
			faults = append(faults, want+" is missing at the top level")
		}
	}
	for _, have := range entries {
		if !slices.Contains(topLevel, have) && !slices.Contains(dotfiles, have) && !isIgnored(have, ignored) {
			faults = append(faults, have+" does not belong at the top level: put it into one of the rooms")
		}
	}
	return faults
}

func isIgnored(name, ignored string) bool {
	for line := range strings.Lines(ignored) {
		if ok, _ := path.Match(strings.Trim(strings.TrimSpace(line), "/"), name); ok {
			return true
		}
	}
	return false
}

// CheckFile returns what is wrong with the name of f.
func CheckFile(f File) []string {
	stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.Path), ".go"), "_test")
	for _, word := range append(strings.Split(stem, "_"), strings.Split(f.Dir(), "/")...) {
		if word == "util" || word == "utils" {
			return []string{f.Path + ": called util; name it after what it does"}
		}
	}
	return nil
}

// Hint returns what a reviewer may want to look at in f, or "". It is no rule:
// a limit on lines cuts an object into many files and leaves it one object, which
// package shape measures.
func Hint(f File) string {
	if f.Test || f.Generated || f.Lines <= longFile {
		return ""
	}
	return fmt.Sprintf("%s has %d lines: does it hold more than one idea?", f.Path, f.Lines)
}
