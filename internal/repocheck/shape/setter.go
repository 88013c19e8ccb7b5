package shape

import (
	"go/ast"
	"go/token"
	"go/types"
)

// setters returns the setters of a part: functions that have no branch and no loop, and store
// a parameter, or a part of one, as it is, or hand it to a setter. Then their callers have
// decided what is written.
func (p *Package) setters(of part) map[types.Object]bool {
	found := map[types.Object]bool{}
	for grown := true; grown; {
		grown = false
		for _, f := range p.functions() {
			if o := p.info.Defs[f.Name]; !found[o] && p.isSetter(f, of, found) {
				found[o], grown = true, true
			}
		}
	}
	return found
}

// isSetter reports whether a function is a setter, as far as those are known.
func (p *Package) isSetter(f *ast.FuncDecl, of part, known map[types.Object]bool) bool {
	stores, decides := false, false
	given := p.parameters(f, of)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt:
			decides = true
		case *ast.BinaryExpr:
			decides = decides || n.Op == token.LAND || n.Op == token.LOR
		case *ast.CallExpr:
			stores = stores || known[p.called(n)] && p.anyGiven(n.Args, given)
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && p.isPart(to, of) && p.isGiven(n.Rhs[i], given) {
					stores = true
				}
			}
		}
		return true
	})
	return stores && !decides
}

// called returns the function that a call names; nil: it is a value.
func (p *Package) called(call *ast.CallExpr) types.Object {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return p.info.Uses[f]
	case *ast.SelectorExpr:
		return p.info.Uses[f.Sel]
	}
	return nil
}

// parameters returns those of a function, but for the struct of the part.
func (p *Package) parameters(f *ast.FuncDecl, of part) map[types.Object]bool {
	given := map[types.Object]bool{}
	for _, list := range f.Type.Params.List {
		for _, name := range list.Names {
			t := p.info.TypeOf(list.Type)
			if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
				t = ptr.Elem()
			}
			if n, ok := types.Unalias(t).(*types.Named); !ok || of.whole == nil || n.Obj() != of.whole {
				given[p.info.Defs[name]] = true
			}
		}
	}
	return given
}

// isGiven reports whether an expression is a parameter, a part of one, or a value that
// something of the kind is put into.
func (p *Package) isGiven(e ast.Expr, given map[types.Object]bool) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return given[p.info.Uses[x]]
	case *ast.ParenExpr:
		return p.isGiven(x.X, given)
	case *ast.SelectorExpr:
		return p.isGiven(x.X, given)
	case *ast.StarExpr:
		return p.isGiven(x.X, given)
	case *ast.UnaryExpr:
		return p.isGiven(x.X, given)
	case *ast.KeyValueExpr:
		return p.isGiven(x.Value, given)
	case *ast.CompositeLit:
		return p.anyGiven(x.Elts, given)
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.Ident)
		return ok && f.Name == "append" && p.anyGiven(x.Args[1:], given)
	}
	return false
}

func (p *Package) anyGiven(all []ast.Expr, given map[types.Object]bool) bool {
	for _, e := range all {
		if p.isGiven(e, given) {
			return true
		}
	}
	return false
}
