package shape

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Layers declare in which order the machines of a package stand. A machine may hold machines
// of the layers below its own and call them, and none beside it or above.
type Layers struct {
	Conductor string              // the struct that holds them all, and routes between them
	Values    [][]string          // what the machines keep one of for each thing, from the bottom: calls are layered as those of machines, but each may point to each
	Machines  [][]string          // from the bottom; below the first are the values
	Keepers   map[string]string   // a value to the machine that keeps it
	Parts     map[string][]string // structs that belong to a machine or a value
	Plain     []string            // structs that are no part of any: whoever has one may do with it what he likes
	Excepted  map[Crossing]string // what is against the order, and the reason
}

// Crossing is from a machine to another one.
type Crossing struct{ From, To string }

func (c Crossing) String() string { return c.From + " -> " + c.To }

// Reach is what brings a machine to another one.
type Reach struct {
	Crossing
	Way   string // holds, takes or calls
	Where string // the field, the function, or the line
}

// Layered is a package seen through what is declared of its layers.
type Layered struct {
	*Package
	Layers
	hub   types.Object
	of    map[types.Object]string // a struct to the machine or value that it is, or is part of
	level map[string]int
	value map[string]bool
}

// conductor stands for the functions of the conductor.
const conductor = "the conductor"

// Under looks at the package through what is declared. It fails where a name is declared
// twice, or is no struct; where a struct that the conductor leads to is not declared; and
// where a variable of the package holds a machine, which every function could reach.
func (p *Package) Under(declared Layers) (*Layered, error) {
	v := &Layered{
		Package: p, Layers: declared, hub: p.types.Scope().Lookup(declared.Conductor),
		of: map[types.Object]string{}, level: map[string]int{}, value: map[string]bool{},
	}
	var faults []string
	add := func(name, machine string) {
		o, ok := p.types.Scope().Lookup(name).(*types.TypeName)
		switch {
		case !ok:
			faults = append(faults, "there is no type "+name)
		case v.of[o] != "":
			faults = append(faults, name+" is declared twice")
		default:
			v.of[o] = machine
		}
	}
	for i, layer := range slices.Concat(declared.Values, declared.Machines) {
		for _, name := range layer {
			add(name, name)
			v.level[name], v.value[name] = i, i < len(declared.Values)
		}
	}
	for machine, parts := range declared.Parts {
		if _, ok := v.level[machine]; !ok {
			faults = append(faults, machine+" has parts, and is no machine")
		}
		for _, name := range parts {
			add(name, machine)
		}
	}
	for value, machine := range declared.Keepers {
		if _, ok := v.level[machine]; !ok || !v.value[value] || v.value[machine] {
			faults = append(faults, machine+" keeps "+value+", and is no machine, or that no value")
		}
	}
	plain := map[string]bool{}
	for _, name := range declared.Plain {
		plain[name] = true
		if o := p.types.Scope().Lookup(name); o == nil || v.of[o] != "" {
			faults = append(faults, name+" is plain, and no type, or one of a machine")
		}
	}
	for o := range v.reached() {
		if v.of[o] == "" && !plain[o.Name()] && o != v.hub {
			faults = append(faults, "the conductor leads to "+o.Name()+", of which nothing is declared")
		}
		delete(plain, o.Name())
	}
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		faults = append(faults, "nothing leads to "+name+": it need not be declared")
	}
	for _, name := range p.types.Scope().Names() {
		if o, ok := p.types.Scope().Lookup(name).(*types.Var); ok && len(v.made(o.Type())) > 0 {
			faults = append(faults, "the variable "+name+" leads to a machine")
		}
	}
	if len(faults) > 0 {
		slices.Sort(faults)
		return nil, fmt.Errorf("%s", strings.Join(faults, "\n"))
	}
	return v, nil
}

// reached are the structs of the package that the conductor leads to, but for those with a name
// that other packages can use: these are what is shown or told.
func (v *Layered) reached() map[types.Object]bool {
	found := map[types.Object]bool{}
	todo := []types.Object{v.hub}
	for len(todo) > 0 {
		o := todo[0]
		todo = todo[1:]
		if found[o] || o.Exported() && o != v.hub && v.of[o] == "" {
			continue
		}
		found[o] = true
		for f := range fields(o) {
			v.named(f.Type(), func(n types.Object) { todo = append(todo, n) })
		}
	}
	for o := range found {
		if _, ok := o.Type().Underlying().(*types.Struct); !ok && v.of[o] == "" {
			delete(found, o)
		}
	}
	return found
}

// fields returns the fields of a type that is a struct; none of any other.
func fields(o types.Object) func(func(*types.Var) bool) {
	return func(yield func(*types.Var) bool) {
		s, ok := o.Type().Underlying().(*types.Struct)
		if !ok {
			return
		}
		for f := range s.Fields() {
			if !yield(f) {
				return
			}
		}
	}
}

// named tells of each type of the package that a type is made of, by way of pointers, lists and
// functions; and of the machines and values that an interface of the package may stand for.
func (v *Layered) named(t types.Type, tell func(types.Object)) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != v.types {
			for arg := range t.TypeArgs().Types() {
				v.named(arg, tell)
			}
			return
		}
		if !types.IsInterface(t) {
			tell(o)
			if _, ok := t.Underlying().(*types.Struct); !ok {
				v.named(t.Underlying(), tell)
			}
			return
		}
		for other := range v.of {
			if is := t.Underlying().(*types.Interface); is.NumMethods() > 0 && (types.Implements(other.Type(), is) || types.Implements(types.NewPointer(other.Type()), is)) {
				tell(other)
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			v.named(f.Type(), tell)
		}
	case *types.Signature:
		v.named(t.Params(), tell)
		v.named(t.Results(), tell)
	case *types.Tuple:
		for x := range t.Variables() {
			v.named(x.Type(), tell)
		}
	case *types.Map:
		v.named(t.Key(), tell)
		v.named(t.Elem(), tell)
	case interface{ Elem() types.Type }: // a pointer, a slice, an array, a channel
		v.named(t.Elem(), tell)
	}
}

// made are the machines and values that a type is made of.
func (v *Layered) made(t types.Type) map[string]bool {
	found := map[string]bool{}
	v.named(t, func(o types.Object) {
		if m := v.of[o]; m != "" {
			found[m] = true
		}
	})
	return found
}

// whose is the machine or value that a function belongs to: that of its receiver, and of a function
// without one the highest among its parameters. Whoever has the conductor itself belongs to it.
// Empty: to none.
func (v *Layered) whose(f types.Object) (owner string) {
	s, ok := f.Type().(*types.Signature)
	if !ok {
		return ""
	}
	var all []*types.Var
	if s.Recv() != nil {
		all = append(all, s.Recv())
	}
	all = slices.AppendSeq(all, s.Params().Variables())
	for _, x := range all {
		if v.isHub(x.Type()) {
			return conductor
		}
	}
	for i, x := range all {
		m := v.direct(x.Type())
		if m != "" && (owner == "" || v.level[m] > v.level[owner]) {
			owner = m
		}
		if i == 0 && s.Recv() != nil && owner != "" {
			return owner
		}
	}
	return owner
}

// direct is the machine or value that a type is, or points to; empty: it is none.
func (v *Layered) direct(t types.Type) string {
	if n := typeOf(t); n != nil {
		return v.of[n]
	}
	return ""
}

func (v *Layered) isHub(t types.Type) bool { return typeOf(t) == v.hub }

// typeOf is the name of a type, or of the type behind a pointer; nil: the type has no name.
func typeOf(t types.Type) types.Object {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// Reaches returns each way by which a machine or value comes to another one.
func (v *Layered) Reaches() (all []Reach) {
	add := func(from, to, way, where string) {
		if from != "" && to != "" && from != to && from != conductor {
			all = append(all, Reach{Crossing{from, to}, way, where})
		}
	}
	for o, from := range v.of {
		for f := range fields(o) {
			for to := range v.made(f.Type()) {
				add(from, to, "holds", o.Name()+"."+f.Name())
			}
		}
		if _, ok := o.Type().Underlying().(*types.Struct); !ok {
			for to := range v.made(o.Type().Underlying()) {
				add(from, to, "holds", o.Name())
			}
		}
	}
	for _, f := range v.functions() {
		o := v.info.Defs[f.Name]
		for x := range o.Type().(*types.Signature).Params().Variables() {
			for to := range v.made(x.Type()) {
				add(v.whose(o), to, "takes", v.at(f)+" "+f.Name.Name)
			}
		}
	}
	for _, e := range v.edges {
		if e.from != nil && e.to != nil {
			at := v.fset.Position(e.at)
			add(v.whose(e.from), v.whose(e.to), "calls", fmt.Sprintf("%s:%d %s", filepath.Base(at.Filename), at.Line, e.to.Name()))
		}
	}
	slices.SortFunc(all, func(a, b Reach) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Way, b.Way), cmp.Compare(a.Where, b.Where))
	})
	return slices.Compact(all)
}

func (v *Layered) at(n ast.Node) string {
	at := v.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

// Against returns what goes against the declared layers, but for the exceptions, and the exceptions that
// nothing needs. What values point to is data: only whom they call is held to the layers.
func (v *Layered) Against(all []Reach) (against []Reach, unused []Crossing) {
	needed := map[Crossing]bool{}
	for _, r := range all {
		points := r.Way != "calls" && v.value[r.From] && v.value[r.To]
		if down := r.To != conductor && v.level[r.To] < v.level[r.From]; down || points {
			continue
		}
		if _, ok := v.Excepted[r.Crossing]; ok {
			needed[r.Crossing] = true
			continue
		}
		against = append(against, r)
	}
	for _, c := range slices.SortedFunc(maps.Keys(v.Excepted), func(a, b Crossing) int { return cmp.Compare(a.String(), b.String()) }) {
		if !needed[c] {
			unused = append(unused, c)
		}
	}
	return against, unused
}

// Write is a field of a machine or a value that a function writes of another one, not of the machine that
// keeps the value.
type Write struct {
	Crossing
	Field, Function string
}

// Writes returns them. To have a field written by a method of the field is a write of it, and so is to
// give its address away. To call a machine or a value is none, though that stands in a field, or has the
// method by what it embeds: but to call a setter of one is, as the caller has decided what is stored there.
func (v *Layered) Writes() (all []Write) {
	mutators := maps.Clone(v.mutators())
	for _, f := range v.functions() {
		o := v.info.Defs[f.Name].(*types.Func)
		if recv := o.Signature().Recv(); recv != nil && v.direct(recv.Type()) != "" {
			mutators[o.FullName()] = false
		}
	}
	setters := v.setterOwners()
	for _, f := range v.functions() {
		o := v.info.Defs[f.Name]
		from := v.whose(o)
		if from == "" {
			continue
		}
		note := func(to, field string) {
			if to != "" && to != from && v.Keepers[to] != from {
				all = append(all, Write{Crossing{from, to}, field, v.at(f) + " " + o.Name()})
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			for _, target := range written(n) {
				if _, address := n.(*ast.UnaryExpr); !address || v.direct(v.info.TypeOf(target)) == "" {
					note(v.field(target))
				}
			}
			if name, ok := n.(*ast.Ident); ok {
				to := setters[v.info.Uses[name]]
				note(to, to+"."+name.Name+"()")
			}
			use, ok := n.(*ast.SelectorExpr)
			if !ok || !v.mutates(use, mutators) {
				return true
			}
			if s := v.info.Selections[use]; s.Kind() == types.MethodVal && len(s.Index()) == 1 && !isPointer(v.info.TypeOf(use.X)) {
				note(v.field(use.X))
			}
			return true
		})
	}
	slices.SortFunc(all, func(a, b Write) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Function, b.Function))
	})
	return slices.Compact(all)
}

// setterOwners are the setters of the machines and values, each to the one that it stores in.
func (v *Layered) setterOwners() map[types.Object]string {
	owners := map[types.Object]string{}
	for o, machine := range v.of {
		of := part{fields: v.fieldsOf(o.Name()), whole: o, aliases: map[types.Object]bool{}}
		for setter := range v.setters(of) {
			if v.whose(setter) == machine {
				owners[setter] = machine
			}
		}
	}
	return owners
}

// field is the field of a machine or a value that an expression stands for, or for a part of; empty: of none.
func (v *Layered) field(e ast.Expr) (owner, name string) {
	for {
		switch x := operand(e).(type) {
		case *ast.StarExpr:
			return v.direct(v.info.TypeOf(x)), "*"
		case *ast.SelectorExpr:
			s := v.info.Selections[x]
			if s == nil || s.Kind() != types.FieldVal {
				return "", ""
			}
			if owner, name = v.last(s); owner != "" || isPointer(s.Recv()) {
				return owner, name
			}
			e = x.X
		default:
			return "", ""
		}
	}
}

// last is the last field of a machine or a value on the way of a selection; empty: there is none in
// what is selected.
func (v *Layered) last(s *types.Selection) (owner, name string) {
	t := s.Recv()
	for _, n := range s.Index() {
		of := typeOf(t)
		if isPointer(t) { // what comes before it is not written
			owner, name = "", ""
			t = types.Unalias(t).Underlying().(*types.Pointer).Elem()
		}
		f := t.Underlying().(*types.Struct).Field(n)
		if v.of[of] != "" {
			owner, name = v.of[of], of.Name()+"."+f.Name()
		}
		t = f.Type()
	}
	return owner, name
}
