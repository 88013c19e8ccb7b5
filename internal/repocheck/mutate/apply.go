package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// change is what a mutation makes of its function: with stands where the bytes
// from to to of the file were.
type change struct {
	target
	from, to int
	with     string
}

// file returns the whole file, changed.
func (c change) file() string {
	return string(c.text[:c.from]) + c.with + string(c.text[c.to:])
}

// block returns the body of the function, changed, without its braces.
func (c change) block() string {
	open, end := c.offset(c.fn.Body.Lbrace)+1, c.offset(c.fn.Body.Rbrace)
	return string(c.text[open:c.from]) + c.with + string(c.text[c.to:end])
}

// apply returns the change that m makes, and writes nothing. It is an error if m's
// function, or the text to replace, is not there exactly once.
func (m mutation) apply(root string, all *functions) (change, error) {
	dir := filepath.Join(root, filepath.FromSlash(m.dir))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return change{}, err
	}
	var found []target
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		in, err := all.named(filepath.Join(dir, name), m.fn)
		if err != nil {
			return change{}, err
		}
		found = append(found, in...)
	}
	if len(found) != 1 {
		return change{}, fmt.Errorf("%s has %d functions %s, want one", m.dir, len(found), m.fn)
	}
	t := found[0]
	from, to, with, err := t.edit(m.edit)
	if err != nil {
		return change{}, fmt.Errorf("%s in %s: %w", m.fn, m.dir, err)
	}
	return change{target: t, from: from, to: to, with: with}, nil
}

// target is a function in its file.
type target struct {
	path string
	text []byte
	file *token.File
	pkg  string // its name
	fn   *ast.FuncDecl
}

// functions reads the functions of files, each file once: hundreds of mutations look
// through the same few directories.
type functions struct {
	files map[string]map[string][]target // by the path of the file and the name of the function; nil: a file of another system
}

// named returns the functions of this name in a file.
func (f *functions) named(path, name string) ([]target, error) {
	known, read := f.files[path]
	if !read {
		var err error
		if known, err = readFunctions(path); err != nil {
			return nil, err
		}
		if f.files == nil {
			f.files = map[string]map[string][]target{}
		}
		f.files[path] = known
	}
	return known[name], nil
}

func readFunctions(path string) (map[string][]target, error) {
	dir, name := filepath.Split(path)
	if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	found := map[string][]target{}
	for _, decl := range tree.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			name := nameOf(fn)
			found[name] = append(found[name], target{path: path, text: text, file: fset.File(fn.Pos()), pkg: tree.Name.Name, fn: fn})
		}
	}
	return found, nil
}

// nameOf returns the name of fn as mutations.txt writes it.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	recv := fn.Recv.List[0].Type
	star, pointer := recv.(*ast.StarExpr)
	if pointer {
		recv = star.X
	}
	switch generic := recv.(type) {
	case *ast.IndexExpr:
		recv = generic.X
	case *ast.IndexListExpr:
		recv = generic.X
	}
	base, ok := recv.(*ast.Ident)
	switch {
	case !ok:
		return ""
	case pointer:
		return "(*" + base.Name + ")." + fn.Name.Name
	}
	return base.Name + "." + fn.Name.Name
}

// edit returns which bytes of the file give way to which text.
func (t target) edit(e edit) (from, to int, with string, err error) {
	if e.verb == "return-early" {
		at := t.offset(t.fn.Body.Lbrace) + 1
		return at, at, " return " + e.with + ";", nil
	}
	var found []ast.Node
	ast.Inspect(t.fn.Body, func(n ast.Node) bool {
		if n != nil && n != ast.Node(t.fn.Body) && t.matches(n, e) {
			found = append(found, n)
		}
		return true
	})
	if len(found) != 1 {
		return 0, 0, "", fmt.Errorf("%q matches %d places, want one", e, len(found))
	}
	from, to = t.offset(found[0].Pos()), t.offset(found[0].End())
	switch e.verb {
	case "negate-if":
		return from, to, "!(" + string(t.text[from:to]) + ")", nil
	case "replace":
		if strings.Contains(tokens(e.with), " ") {
			return from, to, "(" + e.with + ")", nil
		}
	}
	return from, to, e.with, nil
}

// matches reports whether n is the node that e is about.
func (t target) matches(n ast.Node, e edit) bool {
	switch e.verb {
	case "delete-call":
		call := calledBy(n)
		if call == nil {
			return false
		}
		name, want := t.code(call.Fun), tokens(e.what)
		return name == want || strings.HasSuffix(name, " . "+want)
	case "negate-if":
		return t.isCondition(n) && t.code(n) == tokens(e.what)
	case "replace":
		_, ok := n.(ast.Expr)
		return ok && t.code(n) == tokens(e.what)
	case "delete-stmt", "replace-stmt":
		_, ok := n.(ast.Stmt)
		return ok && t.code(n) == tokens(e.what)
	}
	return false
}

// calledBy returns the call that n, a statement, consists of.
func calledBy(n ast.Node) *ast.CallExpr {
	switch n := n.(type) {
	case *ast.ExprStmt:
		call, _ := n.X.(*ast.CallExpr)
		return call
	case *ast.DeferStmt:
		return n.Call
	case *ast.GoStmt:
		return n.Call
	}
	return nil
}

// isCondition reports whether n is the condition of an if in t.
func (t target) isCondition(n ast.Node) bool {
	is := false
	ast.Inspect(t.fn.Body, func(m ast.Node) bool {
		if s, ok := m.(*ast.IfStmt); ok && ast.Node(s.Cond) == n {
			is = true
		}
		return !is
	})
	return is
}

func (t target) offset(p token.Pos) int { return t.file.Offset(p) }

// code returns the tokens of n.
func (t target) code(n ast.Node) string {
	return tokens(string(t.text[t.offset(n.Pos()):t.offset(n.End())]))
}

// tokens returns the tokens of a piece of code between single spaces, without
// what only its layout decides: comments, the semicolons at the ends of lines
// and blocks, the comma behind the last of several lines.
func tokens(code string) string {
	src := []byte(code)
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, func(token.Position, string) {}, 0)
	var words []string
	drop := func(word string) {
		if n := len(words); n > 0 && words[n-1] == word {
			words = words[:n-1]
		}
	}
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			drop(";")
			return strings.Join(words, " ")
		case token.SEMICOLON: // its text reports whether it was written
			words = append(words, ";")
			continue
		case token.RBRACE:
			drop(";")
			drop(",")
		case token.RPAREN, token.RBRACK:
			drop(",")
		}
		if lit == "" {
			lit = tok.String()
		}
		words = append(words, lit)
	}
}
