package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"belay/internal/repocheck"
)

const coversPath = repocheck.Module + "/internal/requirements"

// proofs maps the name of a row to the tests that name it, sorted.
type proofs map[string][]string

// readProofs collects the calls of requirements.Rows in the test files. Each must
// stand in a test (or a fuzz target) and name its rows in string literals, so
// that the page can be made without running anything; what does not is an
// error with its place. In a test over a table, requirements.Rows(t, c.rows...) names
// the rows in the table: every []string in the test that holds only names of
// rows.
func readProofs(files []repocheck.File) (proofs, error) {
	found := map[string]map[string]bool{}
	for _, f := range files {
		local, imported := f.ImportName(coversPath)
		if !f.Test || !imported {
			continue
		}
		calls := 0
		for _, decl := range f.AST.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			v := visitor{file: f, local: local, fn: fn, found: found, calls: &calls}
			v.walk(fn.Body, testName(f, fn))
			if v.err != nil {
				return nil, v.err
			}
		}
		if mentions := countMentions(f, local); mentions != calls {
			return nil, fmt.Errorf("%s: requirements.Rows is used outside a call in a function, where no test can be named", f.Path)
		}
	}
	all := proofs{}
	for row, tests := range found {
		all[row] = slices.Sorted(maps.Keys(tests))
	}
	return all, nil
}

var isTest = regexp.MustCompile(`^(Test|Fuzz)([^a-z]|$)`)

// testName returns how the page calls fn, or "" if it is no test.
func testName(f repocheck.File, fn *ast.FuncDecl) string {
	if fn.Recv != nil || !isTest.MatchString(fn.Name.Name) {
		return ""
	}
	return f.Dir() + "." + fn.Name.Name
}

type visitor struct {
	file  repocheck.File
	local string
	fn    *ast.FuncDecl
	found map[string]map[string]bool
	calls *int
	err   error
}

// walk looks for calls below n, which belongs to test.
func (v *visitor) walk(n ast.Node, test string) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || v.err != nil {
			return v.err == nil
		}
		if name, body := subtest(call); body != nil {
			for _, arg := range call.Args {
				if arg != ast.Expr(body) {
					v.walk(arg, test)
				}
			}
			inner := test
			if test != "" && name != "" {
				inner = test + "/" + name
			}
			v.walk(body.Body, inner)
			return false
		}
		if isSelector(call.Fun, v.local, "Rows") {
			*v.calls++
			v.rows(call, test)
		}
		return true
	})
}

// subtest returns the name and the body of a call t.Run("name", func…). The
// name is "" where it is not a literal, as in a table: the test is named then.
func subtest(call *ast.CallExpr) (name string, body *ast.FuncLit) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Run" || len(call.Args) != 2 {
		return "", nil
	}
	body, ok = call.Args[1].(*ast.FuncLit)
	if !ok {
		return "", nil
	}
	if s, ok := literal(call.Args[0]); ok {
		name = strings.ReplaceAll(s, " ", "_")
	}
	return name, body
}

func (v *visitor) rows(call *ast.CallExpr, test string) {
	at := v.file.Fset.Position(call.Pos())
	if test == "" {
		v.err = fmt.Errorf("%s:%d: requirements.Rows outside a test: call it in the TestXxx that proves the rows", v.file.Path, at.Line)
		return
	}
	if len(call.Args) < 2 {
		v.err = fmt.Errorf("%s:%d: requirements.Rows names no row", v.file.Path, at.Line)
		return
	}
	if call.Ellipsis != token.NoPos {
		names := tableRows(v.fn)
		if len(names) == 0 {
			v.err = fmt.Errorf("%s:%d: requirements.Rows is given a list, but the test has no []string of rows", v.file.Path, at.Line)
		}
		v.prove(names, test)
		return
	}
	var names []string
	for _, arg := range call.Args[1:] {
		name, ok := literal(arg)
		if !ok {
			v.err = fmt.Errorf("%s:%d: requirements.Rows takes string literals, so that docs/requirements/coverage.md can be made without running the tests", v.file.Path, at.Line)
			return
		}
		names = append(names, name)
	}
	v.prove(names, test)
}

func (v *visitor) prove(rows []string, test string) {
	for _, name := range rows {
		if v.found[name] == nil {
			v.found[name] = map[string]bool{}
		}
		v.found[name][test] = true
	}
}

var rowShape = regexp.MustCompile(`^[A-Z0-9]+-[0-9]+$`)

// tableRows returns what the lists of rows in fn hold.
func tableRows(fn *ast.FuncDecl) []string {
	var all []string
	ast.Inspect(fn, func(n ast.Node) bool {
		list, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		slice, ok := list.Type.(*ast.ArrayType)
		if !ok {
			return true
		}
		if elem, ok := slice.Elt.(*ast.Ident); !ok || elem.Name != "string" {
			return true
		}
		var names []string
		for _, e := range list.Elts {
			name, ok := literal(e)
			if !ok || !rowShape.MatchString(name) {
				return true
			}
			names = append(names, name)
		}
		all = append(all, names...)
		return true
	})
	return all
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

func isSelector(e ast.Expr, x, sel string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != sel {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == x
}

// countMentions counts the places where f says requirements.Rows, called or not.
func countMentions(f repocheck.File, local string) int {
	n := 0
	ast.Inspect(f.AST, func(node ast.Node) bool {
		if e, ok := node.(ast.Expr); ok && isSelector(e, local, "Rows") {
			n++
		}
		return true
	})
	return n
}
