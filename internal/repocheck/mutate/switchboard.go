package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inForce is the environment variable that names the mutation in force in a
// test program, and the variable of each mutated package that holds its value.
const (
	inForce    = "BELAY_MUTATION"
	inForceVar = "mutationInForce"
)

// switchboard is the module with all its mutations in it, of which a program
// obeys one at most: in each mutated function stand, before its own body,
// those that the mutations make of it, each behind the question whether that
// mutation is in force. So one build serves them all.
type switchboard struct {
	changes map[string]change // by the name of the mutation
}

// write writes the files of the switchboard below dir and returns the overlay
// (go help build) that puts them before the compiler. The tree of the module
// stays as it is.
func (s switchboard) write(dir string) (string, error) {
	replace := map[string]string{}
	put := func(path, text string) error {
		file := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(path)))
		replace[path] = file
		return os.WriteFile(file, []byte(text), 0o600)
	}
	packages := map[string]string{}
	for path, names := range s.files() {
		first := s.changes[names[0]]
		packages[filepath.Dir(path)] = first.pkg
		if err := put(path, s.file(path, names)); err != nil {
			return "", err
		}
	}
	for dir, name := range packages {
		text := fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar %s = os.Getenv(%q)\n", name, inForceVar, inForce)
		if err := put(filepath.Join(dir, "mutation_in_force.go"), text); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// files returns the mutations of each file, in the order of their functions in the file.
func (s switchboard) files() map[string][]string {
	files := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(s.changes)) {
		path := s.changes[name].path
		files[path] = append(files[path], name)
	}
	for _, names := range files {
		slices.SortStableFunc(names, func(a, b string) int {
			return cmp.Compare(s.changes[a].start(), s.changes[b].start())
		})
	}
	return files
}

// file returns the text of the file at path with the mutations called names.
func (s switchboard) file(path string, names []string) string {
	text := s.changes[names[0]].text
	var out strings.Builder
	at := 0
	for _, name := range names {
		c := s.changes[name]
		out.Write(text[at:c.start()])
		at = c.start()
		fmt.Fprintf(&out, " if %s == %q {%s\n%s\n}\n", inForceVar, name, c.lineOf(name), c.alternative(name))
	}
	// What the compiler says of the rest is about the file as it is.
	fmt.Fprintf(&out, "/*line %s:1:1*/", filepath.Base(path))
	out.Write(text[at:])
	return out.String()
}

// start returns where the body of the function begins, behind its brace.
func (c change) start() int { return c.offset(c.fn.Body.Lbrace) + 1 }

// lineOf returns the mark by which the compiler's errors in what follows name
// the mutation.
func (c change) lineOf(name string) string { return "/*line " + fileOf(name) + ":1:1*/" }

// fileOf is the name of the file in which the compiler finds a mutation.
func fileOf(name string) string { return "mutation-" + name + ".go" }

// alternative returns the changed body in a form that can stand before the
// original: with labels of its own, and with a return at its end.
func (c change) alternative(name string) string {
	block := c.block()
	if c.fn.Type.Results == nil {
		block += "\nreturn"
	}
	if !c.isLabelled() {
		return block
	}
	const head = "package p\nfunc f() {"
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", head+block+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return block // the compiler says it better
	}
	suffix := strings.NewReplacer("-", "_").Replace("_" + name)
	var ends []int
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			ends = append(ends, fset.Position(n.Label.End()).Offset-len(head))
		case *ast.BranchStmt:
			if n.Label != nil {
				ends = append(ends, fset.Position(n.Label.End()).Offset-len(head))
			}
		}
		return true
	})
	slices.Sort(ends)
	for _, end := range slices.Backward(ends) {
		block = block[:end] + suffix + block[end:]
	}
	return block
}

// isLabelled reports whether the function has a label.
func (c change) isLabelled() bool {
	found := false
	ast.Inspect(c.fn.Body, func(n ast.Node) bool {
		_, label := n.(*ast.LabeledStmt)
		found = found || label
		return !found
	})
	return found
}
