package shape

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// marker begins the line of a doc comment in which a struct says where it stands in the layers:
//
//	//shape:conductor
//	//shape:machine 3             a machine of the third layer from the bottom
//	//shape:value 2 of outbox     what the machine outbox keeps one of for each thing, in the second layer of values;
//	                              without a machine where none keeps it
//	//shape:part of rows          belongs to the machine, or value, rows
//	//shape:plain                 no part of any: whoever has one may do with it what he likes
const marker = "//shape:"

// Declared returns the layers as the structs of the package declare them, and what is wrong with that.
// Exceptions are not declared there.
func (p *Package) Declared() (Layers, error) {
	found := Layers{Keepers: map[string]string{}, Parts: map[string][]string{}}
	for _, file := range p.syntax {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				for _, doc := range []*ast.CommentGroup{g.Doc, t.Doc} {
					if err := found.declare(t.Name.Name, doc); err != nil {
						return Layers{}, fmt.Errorf("%v: %s: %w", p.fset.Position(t.Pos()), t.Name.Name, err)
					}
				}
			}
		}
	}
	if found.Conductor == "" {
		return Layers{}, fmt.Errorf("no struct is declared as the conductor, by %sconductor", marker)
	}
	for _, layers := range [][][]string{found.Machines, found.Values} {
		for i, names := range layers {
			if len(names) == 0 {
				return Layers{}, fmt.Errorf("nothing is declared to stand in layer %d", i+1)
			}
			slices.Sort(names)
		}
	}
	return found, nil
}

// declare adds what a doc comment declares of a type.
func (l *Layers) declare(name string, doc *ast.CommentGroup) error {
	if doc == nil {
		return nil
	}
	for _, line := range doc.List {
		text, ok := strings.CutPrefix(line.Text, marker)
		if !ok {
			continue
		}
		words := strings.Fields(text)
		switch kind := strings.Join(words[:min(len(words), 1)], ""); {
		case text == "conductor" && l.Conductor == "":
			l.Conductor = name
		case text == "plain":
			l.Plain = append(l.Plain, name)
		case kind == "machine" && len(words) == 2:
			return into(&l.Machines, words[1], name)
		case kind == "value" && len(words) == 2:
			return into(&l.Values, words[1], name)
		case kind == "value" && len(words) == 4 && words[2] == "of":
			l.Keepers[name] = words[3]
			return into(&l.Values, words[1], name)
		case kind == "part" && len(words) == 3 && words[1] == "of":
			l.Parts[words[2]] = append(l.Parts[words[2]], name)
		default:
			return fmt.Errorf("%q says nothing of the layers, or there is a conductor already", line.Text)
		}
	}
	return nil
}

// into puts a name into a layer, which are counted from one.
func into(layers *[][]string, number, name string) error {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 50 {
		return fmt.Errorf("%q is no number of a layer", number)
	}
	for len(*layers) < n {
		*layers = append(*layers, nil)
	}
	(*layers)[n-1] = append((*layers)[n-1], name)
	return nil
}
