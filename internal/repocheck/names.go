package repocheck

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// Twins returns the pairs of types of one package whose names differ by a capital letter only,
// one line each: read aloud, both names are the same.
func Twins(files []File) (found []string) {
	first := map[string]*ast.Ident{} // by folder and name in small letters
	lines := map[string]bool{}
	for _, f := range files {
		if f.Test || f.Generated {
			continue
		}
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				key := f.Dir() + " " + strings.ToLower(s.Name.Name)
				switch twin := first[key]; {
				case twin == nil:
					first[key] = s.Name
				case twin.Name != s.Name.Name: // the same name: of another system
					lines[fmt.Sprintf("%s:%d: the types %s and %s", f.Path, f.Fset.Position(s.Pos()).Line, twin.Name, s.Name.Name)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}
