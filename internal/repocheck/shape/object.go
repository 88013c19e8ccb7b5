package shape

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Methods returns how many functions of the package are methods of the type
// called name, or have a parameter of that type or of a pointer to it; and how
// many function literals have such a parameter.
func (p *Package) Methods(name string) (declared, literals int) {
	return p.with(p.typeCalled(name))
}

// Through returns how many more functions, literals among them, have the type called name by
// way of another: they are methods of a type that is made of it, such as a struct with a field
// of it, or have a parameter of such a type.
func (p *Package) Through(name string) int {
	of := p.typeCalled(name)
	declared, literals := p.with(of)
	for p.grow(of) {
	}
	all, allLiterals := p.with(of)
	return all + allLiterals - declared - literals
}

// Doors returns how many methods that implement the interface called door have a parameter of the
// type called name, or of a pointer to it.
func (p *Package) Doors(name, door string) (n int) {
	o := p.types.Scope().Lookup(door)
	if o == nil {
		return 0
	}
	is, ok := o.Type().Underlying().(*types.Interface)
	if !ok {
		return 0
	}
	of := p.typeCalled(name)
	p.inspect(func(node ast.Node) {
		f, ok := node.(*ast.FuncDecl)
		if !ok || f.Recv == nil || !p.hasField(f.Type.Params, of) {
			return
		}
		for m := range is.Methods() {
			if m.Name() == f.Name.Name && types.Implements(p.info.TypeOf(f.Recv.List[0].Type), is) {
				n++
			}
		}
	})
	return n
}

// with counts the functions and the function literals that have one of some types.
func (p *Package) with(of map[types.Object]bool) (declared, literals int) {
	p.inspect(func(node ast.Node) {
		switch f := node.(type) {
		case *ast.FuncDecl:
			if f.Recv != nil && p.hasField(f.Recv, of) || p.hasField(f.Type.Params, of) {
				declared++
			}
		case *ast.FuncLit:
			if p.hasField(f.Type.Params, of) {
				literals++
			}
		}
	})
	return declared, literals
}

func (p *Package) typeCalled(name string) map[types.Object]bool {
	return map[types.Object]bool{p.types.Scope().Lookup(name): true}
}

// grow adds the types of the package that are made of one of some, and reports whether there
// were any more.
func (p *Package) grow(of map[types.Object]bool) (grown bool) {
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		o, ok := scope.Lookup(name).(*types.TypeName)
		if ok && !o.IsAlias() && !of[o] && leadsTo(o.Type().Underlying(), of) {
			of[o], grown = true, true
		}
	}
	return grown
}

// leadsTo reports whether a value of a type leads to one of some types. A function does not
// lead to what it takes.
func leadsTo(t types.Type, of map[types.Object]bool) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return of[t.Obj()]
	case *types.Struct:
		for f := range t.Fields() {
			if leadsTo(f.Type(), of) {
				return true
			}
		}
	case *types.Map:
		return leadsTo(t.Key(), of) || leadsTo(t.Elem(), of)
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a channel
		return leadsTo(t.Elem(), of)
	}
	return false
}

// Moments returns the number of places from which a method takes a time: fields
// and methods of the package of type [time.Time]. It is 0 without such a method.
func (p *Package) Moments(name, method string) int {
	found, of := map[types.Object]bool{}, p.typeCalled(name)
	p.inspect(func(node ast.Node) {
		f, ok := node.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Name.Name != method || !p.hasField(f.Recv, of) {
			return
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			use, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			o := p.info.Uses[use.Sel]
			if o == nil || o.Pkg() != p.types && !strings.HasPrefix(o.Pkg().Path(), p.types.Path()+"/") {
				return true
			}
			if isTime(o.Type()) {
				found[o] = true
			}
			return true
		})
	})
	return len(found)
}

// isTime reports whether a type is time.Time, or that of a function that returns one.
func isTime(t types.Type) bool {
	if f, ok := t.(*types.Signature); ok {
		if f.Results().Len() == 0 {
			return false
		}
		t = f.Results().At(0).Type()
	}
	return types.TypeString(t, nil) == "time.Time"
}

// written returns what a node assigns to, empties, or takes the address of.
func written(node ast.Node) []ast.Expr {
	switch n := node.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.CallExpr: // of a builtin function that writes to its first argument
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "clear" || f.Name == "copy" || f.Name == "delete") {
			return n.Args[:1]
		}
	}
	return nil
}

// Fields returns how many fields the struct called name has: 0 where there is
// no such struct.
func (p *Package) Fields(name string) int { return len(p.fieldsOf(name)) }

func (p *Package) fieldsOf(name string) map[types.Object]bool {
	fields := map[types.Object]bool{}
	if o := p.types.Scope().Lookup(name); o != nil {
		if s, ok := o.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				fields[f] = true
			}
		}
	}
	return fields
}

// hasField reports whether a list of receivers or parameters holds one of some types, or a
// pointer to one.
func (p *Package) hasField(list *ast.FieldList, of map[types.Object]bool) bool {
	for _, f := range list.List {
		t := types.Unalias(p.info.TypeOf(f.Type))
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		if n, ok := t.(*types.Named); ok && of[n.Obj()] {
			return true
		}
	}
	return false
}

func (p *Package) inspect(visit func(ast.Node)) {
	for _, f := range p.syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if n != nil {
				visit(n)
			}
			return true
		})
	}
}

// Holders returns the structs of the package, but for the type called name itself, that
// hold a value of that type, or a pointer to one, or a function that takes one: from
// there a machine could call back up.
func (p *Package) Holders(name string) (holders []string) {
	scope := p.types.Scope()
	hub := scope.Lookup(name)
	for _, other := range scope.Names() {
		o := scope.Lookup(other)
		if s, ok := o.Type().Underlying().(*types.Struct); ok && o != hub {
			for f := range s.Fields() {
				if mentions(f.Type(), hub) {
					holders = append(holders, other)
					break
				}
			}
		}
	}
	return holders
}

// mentions reports whether a type is made of that of an object.
func mentions(t types.Type, o types.Object) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj() == o
	case *types.Signature:
		return mentions(t.Params(), o) || mentions(t.Results(), o)
	case *types.Tuple:
		for v := range t.Variables() {
			if mentions(v.Type(), o) {
				return true
			}
		}
	case *types.Map:
		return mentions(t.Key(), o) || mentions(t.Elem(), o)
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a channel
		return mentions(t.Elem(), o)
	}
	return false
}
