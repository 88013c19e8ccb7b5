package shape

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Writers are what writes a struct.
type Writers struct {
	Functions []string // that write a field of the struct
	Setters   []string // that are setters of one
	Files     []string // in which the functions stand
	Involved  []string // these files, and the files that call a setter
	Callers   []string // files that call one of the functions, or use one as a value
}

// Writers returns the functions and files that write the struct called name; with a field,
// the writers of that field; with a minus before the field, the writers of all others.
// A function writes the struct if it assigns to a field, or to a part or an element of one,
// by way of an alias as well; calls a method on one that writes its receiver; or gives its
// address away. What a field points to is no part of the struct, and to make a new one is no
// write. A method of a foreign package counts as a writer of its receiver if the receiver is
// a pointer. A setter decides nothing, and stores what it was given.
func (p *Package) Writers(name, field string) Writers {
	mutators := p.mutators()
	of := part{fields: p.fieldsOf(name), whole: p.types.Scope().Lookup(name), aliases: map[types.Object]bool{}}
	if but, others := strings.CutPrefix(field, "-"); field != "" {
		maps.DeleteFunc(of.fields, func(f types.Object, _ bool) bool { return (f.Name() == but) == others })
	}
	functions, setters := map[types.Object]bool{}, p.setters(of)
	files, callers := map[string]bool{}, map[string]bool{}
	for _, f := range p.functions() {
		if p.writes(f, of, mutators) {
			functions[p.info.Defs[f.Name]] = true
			files[p.file(f.Pos())] = true
		}
	}
	involved := maps.Clone(files)
	p.inspect(func(node ast.Node) {
		use, ok := node.(*ast.Ident)
		if ok && functions[p.info.Uses[use]] {
			callers[p.file(use.Pos())] = true
		}
		if ok && setters[p.info.Uses[use]] {
			involved[p.file(use.Pos())] = true
		}
	})
	return Writers{
		Functions: p.names(functions), Setters: p.names(setters),
		Files: slices.Sorted(maps.Keys(files)), Involved: slices.Sorted(maps.Keys(involved)), Callers: slices.Sorted(maps.Keys(callers)),
	}
}

func (p *Package) names(of map[types.Object]bool) (names []string) {
	for f := range of {
		names = append(names, types.ObjectString(f, types.RelativeTo(p.types)))
	}
	slices.Sort(names)
	return names
}

// functions returns the functions of the package that have a body.
func (p *Package) functions() (all []*ast.FuncDecl) {
	for _, file := range p.syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				all = append(all, f)
			}
		}
	}
	return all
}

// methods are methods by their full names, which are the same in each package that is
// loaded, and whether they write what their receivers point to.
type methods map[string]bool

// mutators returns the methods with a pointer as their receiver of the package and of those
// below. They write their receivers also by way of each other.
func (p *Package) mutators() methods {
	if p.learned != nil {
		return p.learned
	}
	found := methods{}
	p.learned = found
	for grown := true; grown; {
		grown = false
		for _, in := range append(p.below, p) {
			for _, f := range in.functions() {
				grown = in.learn(found, f) || grown
			}
		}
	}
	return found
}

// learn adds a method to those found, and reports whether the method is a new writer of its
// receiver.
func (p *Package) learn(found methods, f *ast.FuncDecl) bool {
	method, _ := p.info.Defs[f.Name].(*types.Func)
	receiver := method.Signature().Recv()
	if receiver == nil || !isPointer(receiver.Type()) || found[method.FullName()] {
		return false
	}
	writes := p.writes(f, part{aliases: map[types.Object]bool{receiver: true}}, found)
	found[method.FullName()] = writes
	return writes
}

// part is what is asked of an expression: whether it stands for a part of a struct, or of
// what a receiver points to.
type part struct {
	fields  map[types.Object]bool
	whole   types.Object          // the type of the struct
	aliases map[types.Object]bool // variables that point to a part
}

// writes reports whether a function writes a part.
func (p *Package) writes(f *ast.FuncDecl, of part, mutators methods) (found bool) {
	var aliasing []ast.Node // expressions that give their addresses to aliases
	of.aliases = maps.Clone(of.aliases)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if v, address := p.alias(n, of); v != nil {
			of.aliases[v] = true
			aliasing = append(aliasing, address)
		}
		for _, target := range written(n) {
			found = found || p.isPart(target, of) && !slices.Contains(aliasing, n)
		}
		if use, ok := n.(*ast.SelectorExpr); ok && !found {
			found = p.mutates(use, mutators) && p.isReceiver(use, of)
		}
		return !found
	})
	return found
}

// alias returns the variable that a statement makes of the address of a part, and the
// expression for the address; nil: it makes none.
func (p *Package) alias(n ast.Node, of part) (v types.Object, address ast.Node) {
	s, ok := n.(*ast.AssignStmt)
	if !ok || s.Tok != token.DEFINE || len(s.Lhs) != 1 {
		return nil, nil
	}
	from, ok := s.Rhs[0].(*ast.UnaryExpr)
	if !ok || from.Op != token.AND || !p.isPart(from.X, of) {
		return nil, nil
	}
	return p.info.Defs[s.Lhs[0].(*ast.Ident)], from
}

// mutates reports whether a method is selected that writes what its receiver points to.
func (p *Package) mutates(use *ast.SelectorExpr, mutators methods) bool {
	method, ok := p.info.Uses[use.Sel].(*types.Func)
	if !ok {
		return false
	}
	method = method.Origin()
	if writes, known := mutators[method.FullName()]; known {
		return writes
	}
	receiver := method.Signature().Recv()
	return receiver != nil && isPointer(receiver.Type()) && method.Pkg() != p.types
}

// isReceiver reports whether a method that is selected has the address of a part as its
// receiver: of the operand itself, or of the field by which the method is promoted.
func (p *Package) isReceiver(use *ast.SelectorExpr, of part) bool {
	s := p.info.Selections[use]
	if s == nil || s.Kind() == types.MethodExpr {
		return false
	}
	if len(s.Index()) > 1 {
		return p.isPart(use, of)
	}
	if x, ok := use.X.(*ast.Ident); ok && isPointer(p.info.TypeOf(x)) {
		return of.aliases[p.info.Uses[x]]
	}
	return !isPointer(p.info.TypeOf(use.X)) && p.isPart(use.X, of)
}

// operand is what an expression is a part of, without parentheses, indices and slices.
func operand(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return e
		}
	}
}

// isPart reports whether an expression stands for a part.
func (p *Package) isPart(e ast.Expr, of part) bool {
	for {
		switch x := operand(e).(type) {
		case *ast.StarExpr:
			if n, ok := types.Unalias(p.info.TypeOf(x)).(*types.Named); ok && of.whole != nil && n.Obj() == of.whole {
				return true
			}
			to, ok := x.X.(*ast.Ident)
			return ok && of.aliases[p.info.Uses[to]]
		case *ast.SelectorExpr:
			is, behind := p.selects(x, of)
			if is || behind {
				return is
			}
			e = x.X
		default:
			return false
		}
	}
}

// selects reports whether what is selected is part of one of the fields; if not, whether a
// pointer lies between the operand and what is selected, so that the operand is not written.
func (p *Package) selects(x *ast.SelectorExpr, of part) (is, behind bool) {
	s := p.info.Selections[x]
	if s == nil { // of another package
		return false, true
	}
	path, t := s.Index(), s.Recv()
	if s.Kind() != types.FieldVal {
		path = path[:len(path)-1] // the last one is the method
	}
	for i, n := range path {
		if isPointer(t) {
			is, behind = false, true
			if to, ok := x.X.(*ast.Ident); ok && i == 0 && of.aliases[p.info.Uses[to]] {
				is = true
			}
			t = types.Unalias(t).Underlying().(*types.Pointer).Elem()
		}
		field := t.Underlying().(*types.Struct).Field(n)
		is = is || of.fields[field.Origin()]
		t = field.Type()
	}
	if s.Kind() != types.FieldVal && isPointer(t) {
		return false, true // the receiver is what the field points to
	}
	return is, behind
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}
