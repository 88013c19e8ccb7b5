// Package shape measures how tangled a package is: the methods of its largest
// object, the functions that write one struct and the files that call them, the
// largest ring of files that call each other, and the calls that run back up. Its
// test holds each figure to a ratchet that may only fall.
//
// The figures count what is tangled, not how it is spelled. A function with the
// object as a parameter counts as one of its methods, and so does a function with
// a struct that holds the object. A call through an interface, a function value or
// a callback counts as a call of every function of the package that it may reach.
// A function that has a field write itself, by a method, counts as a writer, and so
// does the caller of a setter, which stores what it is given without a decision; who
// calls any other writer is counted as well.
//
// The number of files that write a struct, or set something in it, is the one to keep
// small: such a file has to know what the fields mean together. The caller of a method
// that decides by itself what follows from an event knows the event alone, and bringing
// events to the machines is what the files of inputs are for. The log of a call is
// counted apart as well: no state follows from it, and every file may write in a log.
package shape

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Package is one package of the module, type-checked, with its calls. Test
// files are left out.
type Package struct {
	syntax []*ast.File
	types  *types.Package
	info   *types.Info
	fset   *token.FileSet
	below  []*Package                 // in the folders below it, without calls
	calls  map[string]map[string]bool // file to the other files whose functions it calls
	edges  []edge                     // the calls from function to function

	learned methods // of the package and those below; nil: nobody asked for a writer yet
}

// Load reads the package at the import path from the module at root, and the packages in
// the folders below it.
func Load(root, path string) (*Package, error) {
	fset := token.NewFileSet()
	found, err := load(fset, root, path)
	if err != nil {
		return nil, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s is %d packages, want 1", path, len(found))
	}
	p := newPackage(fset, found[0])
	p.calls = p.arrows(found)
	all, err := load(fset, root, path+"/...")
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.PkgPath != found[0].PkgPath {
			p.below = append(p.below, newPackage(fset, f))
		}
	}
	return p, nil
}

func newPackage(fset *token.FileSet, f *packages.Package) *Package {
	return &Package{syntax: f.Syntax, types: f.Types, info: f.TypesInfo, fset: fset}
}

func load(fset *token.FileSet, root, pattern string) ([]*packages.Package, error) {
	found, err := packages.Load(&packages.Config{
		Dir:  root,
		Fset: fset,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes,
	}, pattern)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, f := range found {
		for _, e := range f.Errors {
			faults = append(faults, e)
		}
	}
	return found, errors.Join(faults...)
}

// Files returns the number of the package's files.
func (p *Package) Files() int { return len(p.syntax) }

// arrows returns which file calls into which others. Class hierarchy analysis
// resolves a dynamic call to every method and every function used as a value
// that has its signature.
func (p *Package) arrows(found []*packages.Package) map[string]map[string]bool {
	program, _ := ssautil.Packages(found, ssa.InstantiateGenerics)
	program.Build()
	calls := map[string]map[string]bool{}
	for _, f := range p.syntax {
		calls[p.file(f.Pos())] = map[string]bool{}
	}
	for _, node := range cha.CallGraph(program).Nodes {
		for _, call := range node.Out {
			from, to := p.caller(call), p.callee(call.Callee.Func)
			if from == "" || to == "" {
				continue
			}
			if from != to {
				calls[from][to] = true
			}
			p.edges = append(p.edges, edge{declared(call.Caller.Func), declared(call.Callee.Func), call.Pos()})
		}
	}
	return calls
}

// edge is a call from a function of the package to another one. A function literal is one with the
// function that it stands in.
type edge struct {
	from, to types.Object // nil: of a variable of the package
	at       token.Pos
}

// declared is the function of a file that a function of the SSA is, wraps, or stands in.
func declared(f *ssa.Function) types.Object {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	if o := f.Object(); o != nil {
		return o
	}
	return nil
}

// caller returns the file of a call, or "" where no line of the package makes it.
func (p *Package) caller(call *callgraph.Edge) string {
	if call.Site == nil || !p.owns(call.Caller.Func) || isWrapper(call.Caller.Func) {
		return ""
	}
	return p.file(call.Pos())
}

// isWrapper reports whether no line of a file is the body of a function. That of a loop
// over a function is one, though the SSA makes a function of it.
func isWrapper(f *ssa.Function) bool { return f.Synthetic != "" && f.Parent() == nil }

// callee returns the file of the function that a call reaches, or "" where it
// is one of another package.
func (p *Package) callee(f *ssa.Function) string {
	at := f.Pos()
	if o := f.Object(); o != nil { // of a wrapper, too: the method that it wraps
		at = o.Pos()
	}
	if !at.IsValid() || !p.owns(f) {
		return ""
	}
	return p.file(at)
}

// owns reports whether a function, or what a wrapper wraps, is declared in p.
func (p *Package) owns(f *ssa.Function) bool {
	if o := f.Origin(); o != nil {
		f = o
	}
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Object(); o != nil {
		return o.Pkg() == p.types
	}
	return f.Pkg != nil && f.Pkg.Pkg == p.types
}

func (p *Package) file(at token.Pos) string { return filepath.Base(p.fset.Position(at).Filename) }
