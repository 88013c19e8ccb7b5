package repocheck

import (
	"go/ast"
	"go/token"
	"strings"
)

// declarations are what the code declares, and the words in it.
type declarations struct {
	names    map[string]bool            // of functions, types, values, methods and fields, of tests only the first
	packages map[string]map[string]bool // by name: what they declare at their top
	types    map[string]map[string]bool // by name, whatever the package: their methods and fields
	words    map[string]bool            // strings
}

func declared(files []File) declarations {
	d := declarations{map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}}
	for _, f := range files {
		if d.packages[f.AST.Name.Name] == nil {
			d.packages[f.AST.Name.Name] = map[string]bool{}
		}
		for _, top := range f.AST.Decls {
			d.declare(f, top)
		}
		if f.Test {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for _, name := range n.Names {
					d.names[name.Name] = true
				}
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					for _, word := range strings.FieldsFunc(n.Value, func(r rune) bool { return !strings.ContainsRune(wordRunes, r) }) {
						d.words[word] = true
					}
				}
			}
			return true
		})
	}
	return d
}

// declare takes a declaration at the top of a file.
func (d declarations) declare(f File, top ast.Decl) {
	in := d.packages[f.AST.Name.Name]
	switch top := top.(type) {
	case *ast.FuncDecl:
		d.names[top.Name.Name] = true
		if top.Recv == nil {
			in[top.Name.Name] = true
			return
		}
		of := top.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if name, ok := of.(*ast.Ident); ok {
			d.member(name.Name, top.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range top.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if f.Test {
					continue
				}
				in[spec.Name.Name] = true
				d.names[spec.Name.Name] = true
				switch t := spec.Type.(type) {
				case *ast.StructType:
					d.fields(spec.Name.Name, t.Fields)
				case *ast.InterfaceType:
					d.fields(spec.Name.Name, t.Methods)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					in[name.Name] = true
				}
			}
		}
	}
}

func (d declarations) fields(of string, list *ast.FieldList) {
	for _, field := range list.List {
		for _, name := range field.Names {
			d.names[name.Name] = true
			d.member(of, name.Name)
		}
	}
}

func (d declarations) member(of, name string) {
	if d.types[of] == nil {
		d.types[of] = map[string]bool{}
	}
	d.types[of][name] = true
}

const wordRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// fault says what of a name is declared nowhere; empty: nothing. What stands before a point is a
// package, a type, or a field or variable of whatever type.
func (d declarations) fault(name string) string {
	of, member, isMember := strings.Cut(strings.TrimPrefix(name, "*"), ".")
	switch {
	case !isMember && !d.names[of] && d.packages[of] == nil && !d.words[of]:
		return "it is declared nowhere"
	case !isMember || d.packages[of][member] || d.types[of][member]:
		return ""
	case d.packages[of] != nil || d.types[of] != nil || !d.names[of]:
		return "no package and no type " + of + " has it"
	case !d.names[member]:
		return member + " is declared nowhere"
	}
	return ""
}
