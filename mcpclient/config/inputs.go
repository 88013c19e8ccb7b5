package config

import (
	"regexp"
	"sync"
)

// readInputs reads the inputs of a file. An input of a kind that belay cannot
// ask for is kept, and is a problem only for an entry that uses it.
func readInputs(list node) ([]Input, *Error) {
	if list.kind != '[' {
		return nil, list.at.problem("this is %s; it must be an array", list.kindWords())
	}
	var out []Input
	for _, n := range list.elems {
		if n.kind != '{' {
			return nil, n.at.problem("this is %s; an input is an object: { … }", n.kindWords())
		}
		e := entry{node: n}
		in := Input{ID: e.string("id").Raw, Description: e.string("description").Raw}
		if in.ID == "" {
			e.fail(n.at.problem(`the input has no "id"`))
		}
		if d, ok := e.get("default"); ok {
			in.Default, in.HasDefault = e.text(d).Raw, true
		}
		if p, ok := e.get("password"); ok {
			if p.kind != 't' && p.kind != 'f' {
				e.fail(p.at.problem("this is %s; it must be true or false", p.kindWords()))
			}
			in.Password = p.kind == 't'
		}
		switch kind := e.string("type").Raw; kind {
		case "promptString":
		case "pickString":
			in.Options = e.options()
		case "command":
			in.problem = "it is the answer of a command of the editor, which belay cannot run"
		default:
			in.problem = "its type is none that belay can ask for: promptString, pickString"
		}
		if e.err != nil {
			return nil, e.err
		}
		out = append(out, in)
	}
	return out, nil
}

// inputReference is what an entry takes an input by.
var inputReference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{input:([^}]*)\}`) })

// inputs are the inputs of the file that the entry takes, in the file's order.
func (s *Server) inputs() (taken []Input) {
	values := append([]Value{s.Command, s.Dir, s.EnvFile, s.URL}, s.Args...)
	for _, pairs := range [][]Pair{s.Env, s.Headers} {
		for _, p := range pairs {
			values = append(values, p.Value)
		}
	}
	ids := map[string]bool{}
	for _, v := range values {
		for _, ref := range inputReference().FindAllStringSubmatch(v.Raw, -1) {
			ids[ref[1]] = true
		}
	}
	for _, in := range s.File.Inputs {
		if ids[in.ID] {
			taken = append(taken, in)
		}
	}
	return taken
}

// options are the choices of a pickString: texts, or objects of label and value.
func (e *entry) options() []Option {
	list, ok := e.get("options")
	if !ok || list.kind != '[' || len(list.elems) == 0 {
		e.fail(e.at.problem(`the input has no "options" to pick from`))
		return nil
	}
	var out []Option
	for _, n := range list.elems {
		if n.kind != '{' {
			text := e.text(n).Raw
			out = append(out, Option{text, text})
			continue
		}
		o := entry{node: n}
		out = append(out, Option{o.string("label").Raw, o.string("value").Raw})
		if o.err != nil {
			e.fail(o.err)
		}
	}
	return out
}
