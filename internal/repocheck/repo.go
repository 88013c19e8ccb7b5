// Package repocheck checks the rules that this repository sets itself: which room
// may import what, and what lies at the top level. The rules are data in rules.go;
// the tests apply them to the tree, and to sources that break them.
//
// Beside it lie the programs about the repository. Mutate breaks the code on purpose and
// demands that a test notices; coverage, flags, keys, licences, verdicts, audits and realaudits
// write the pages that are generated, and check that they are not stale; conformance runs the
// official suite, and beside compares belay with another client. Package shape measures how
// tangled the code is.
package repocheck

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is the import path of the module.
const Module = "belay"

// Root returns the directory that holds go.mod, searched from the current
// directory upwards.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod here or above: run this inside the repository")
		}
		dir = parent
	}
}

// File is one parsed Go file of the module.
type File struct {
	Path      string // from the root, with slashes
	Test      bool   // its name ends in _test.go
	Generated bool   // it says "Code generated … DO NOT EDIT."
	Lines     int
	Fset      *token.FileSet
	AST       *ast.File
}

// Dir returns the directory of f from the root, "." for the root itself.
func (f File) Dir() string { return path.Dir(f.Path) }

// Parse returns src as the file at name, a slash path from the root.
func Parse(name string, src []byte) (File, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return File{}, err
	}
	return File{
		Path:      name,
		Test:      strings.HasSuffix(name, "_test.go"),
		Generated: ast.IsGenerated(tree),
		Lines:     bytes.Count(src, []byte("\n")),
		Fset:      fset,
		AST:       tree,
	}, nil
}

// GoFiles parses every Go file of the module at root, in the order of their
// paths, whatever their build constraints. Like the go command it leaves out
// testdata and directories whose names begin with "." or "_".
func GoFiles(root string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
			if at != root && (hidden || d.Name() == "testdata" || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(d.Name(), ".go") {
			return nil
		}
		src, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		file, err := Parse(filepath.ToSlash(rel), src)
		if err != nil {
			return fmt.Errorf("cannot read the tree: %w", err)
		}
		files = append(files, file)
		return nil
	})
	return files, err
}

// ImportName returns the name by which f refers to the import path, and
// whether it imports it at all. An import without a name of its own goes by
// the last element of its path.
func (f File) ImportName(importPath string) (string, bool) {
	for _, spec := range f.AST.Imports {
		if strings.Trim(spec.Path.Value, "`\"") != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name, true
		}
		return path.Base(importPath), true
	}
	return "", false
}
