package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"belay/mcpclient/address"
)

// Facts are what ${…} stands for.
type Facts struct {
	Env   func(string) (string, bool)    // os.LookupEnv
	Home  string                         // ${userHome}
	Dir   string                         // where belay was started, absolute
	Input func(in Input) (string, error) // asks the user
}

// Launch is an entry in which every ${…} is replaced. All of it may hold what
// is secret.
type Launch struct {
	Command []string
	Dir     string   // absolute; empty: where belay was started
	Env     []string // NAME=value

	URL     string
	Headers []Header

	// Taken are the values of variables and inputs that were put in anywhere, as
	// NAME=value.
	Taken []string
}

// Header is a header of HTTP.
type Header struct{ Name, Value string }

// Opened is an entry together with its file of variables, which has been read:
// what the user is asked about is what runs.
type Opened struct {
	*Server
	Vars EnvFile // of envFile; empty without one

	x expander
}

// Open reads the entry's envFile, and asks for inputs if its name holds any. The
// error is [Server.Err], an [*Error] that names what is missing, or what f.Input
// returned.
func (s *Server) Open(f Facts) (*Opened, error) {
	if s.Err != nil {
		return nil, s.Err
	}
	o := &Opened{Server: s, x: expander{file: s.File, facts: f, answers: map[string]string{}}}
	x := &o.x
	if path := x.text(s.EnvFile); s.Transport == Stdio && path != "" && x.err == nil {
		var err error
		o.Vars, err = ReadEnvFile(x.under(path))
		if errors.Is(err, fs.ErrNotExist) {
			err = s.EnvFile.at.problem("there is no such file")
		}
		x.fail(err)
	}
	return o, x.err
}

// Resolve makes of the entry what can be run. It asks for each input that the
// entry uses, once. The error is an [*Error] that names what is missing, or what
// Facts.Input returned.
func (s *Opened) Resolve() (Launch, error) {
	x := &s.x
	var l Launch
	if s.Transport != Stdio {
		l.URL = x.text(s.URL)
		for _, h := range s.Headers {
			value := x.text(h.Value)
			if strings.ContainsFunc(value, isControl) {
				x.fail(h.Value.at.problem(controlWords))
			}
			l.Headers = append(l.Headers, Header{h.Name, value})
		}
		l.Taken = x.taken
		return l, x.err
	}
	for _, v := range append([]Value{s.Command}, s.Args...) {
		l.Command = append(l.Command, x.word(v))
	}
	if x.err == nil && l.Command[0] == "" {
		x.fail(s.Command.at.problem("the command is empty"))
	}
	l.Dir = x.dir(s.Dir)
	l.Env = slices.Clone(s.Vars.Vars)
	for _, p := range s.Env {
		l.Env = append(l.Env, p.Name+"="+x.text(p.Value))
	}
	l.Taken = x.taken
	return l, x.err
}

// Shown is the command and the directory of the entry as they may be shown: the
// folders that belay knows are put in, variables and inputs stay as the file
// names them.
func (s *Server) Shown(f Facts) (argv []string, dir string) {
	x := expander{file: s.File, facts: f, names: true}
	if s.Transport != Stdio {
		return []string{address.Shown(x.text(s.URL))}, ""
	}
	for _, v := range append([]Value{s.Command}, s.Args...) {
		argv = append(argv, x.word(v))
	}
	return argv, x.dir(s.Dir)
}

// Judged is the entry as it would run now, as far as that is known before anybody is asked:
// values of variables and defaults are put in, also the default of an input, which the file
// has. What else would be asked for, or is missing, stays as the file names it. Like any
// [Launch] it may hold what is secret. It is for judging the entry, and has no Env.
func (s *Opened) Judged() Launch { return s.judged(nil) }

// mostAlternatives bounds how many choices of an entry's inputs are judged.
const mostAlternatives = 256

// Alternatives are the entry as it would run with each choice of its inputs together with each
// choice of the others, those without choices as in [Opened.Judged]. More reports whether
// there are too many to judge them all: then those of each input alone come first.
func (s *Opened) Alternatives() (all []Launch, more bool) {
	var choices []Input
	combinations := 1
	for _, in := range s.inputs() {
		if len(in.Options) > 0 {
			choices = append(choices, in)
			combinations = min(combinations*len(in.Options), mostAlternatives+1)
		}
	}
	switch {
	case len(choices) == 0:
		return nil, false
	case combinations <= mostAlternatives:
		for n := range combinations {
			answers := map[string]string{}
			for _, in := range choices {
				answers[in.ID] = in.Options[n%len(in.Options)].Value
				n /= len(in.Options)
			}
			all = append(all, s.judged(answers))
		}
		return all, false
	}
	for _, in := range choices {
		for _, o := range in.Options {
			if len(all) == mostAlternatives {
				return all, true
			}
			all = append(all, s.judged(map[string]string{in.ID: o.Value}))
		}
	}
	return all, true
}

// judged is the entry with these answers to its inputs, by their IDs.
func (s *Opened) judged(answers map[string]string) Launch {
	f := s.x.facts
	f.Input = func(in Input) (string, error) {
		answer, is := answers[in.ID]
		switch {
		case is:
			return answer, nil
		case in.HasDefault:
			return in.Default, nil
		}
		return "${input:" + in.ID + "}", nil
	}
	x := expander{file: s.File, facts: f, answers: map[string]string{}, lenient: true}
	l := Launch{URL: x.word(s.URL), Dir: x.dir(s.Dir)}
	for _, h := range s.Headers {
		l.Headers = append(l.Headers, Header{h.Name, x.word(h.Value)})
	}
	for _, v := range append([]Value{s.Command}, s.Args...) {
		l.Command = append(l.Command, x.word(v))
	}
	return l
}

// References are what an entry over HTTP takes from variables and inputs, as the
// file names it: ${NAME}. Each is named once, in the file's order.
func (s *Server) References() []string {
	var refs []string
	x := expander{file: s.File, names: true, named: func(ref string) {
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}}
	x.text(s.URL)
	for _, h := range s.Headers {
		x.text(h.Value)
	}
	return refs
}

// expander replaces references and keeps the first error.
type expander struct {
	file    *File
	facts   Facts
	names   bool             // leave variables and inputs as they are
	named   func(ref string) // told of each of these; may be nil
	lenient bool             // nothing is an error: what is missing stays as it is
	answers map[string]string
	taken   []string // NAME=value, of variables and inputs
	err     error
}

func (x *expander) fail(err error) {
	if x.err == nil && !x.lenient {
		x.err = err
	}
}

// dir is where the entry runs.
func (x *expander) dir(v Value) string {
	path := x.text(v)
	if path == "" {
		return x.file.Folder
	}
	return x.under(path)
}

// under makes a path of a file absolute.
func (x *expander) under(path string) string {
	if filepath.IsAbs(path) || x.names && strings.HasPrefix(path, "${") {
		return path
	}
	return filepath.Join(x.folder(), path)
}

func (x *expander) folder() string {
	if x.file.Folder != "" {
		return x.file.Folder
	}
	return x.facts.Dir
}

// text replaces the references in a value; what only looks like one is wrong.
// What is put in is not looked at again.
func (x *expander) text(v Value) string { return x.expand(v, x.wrong) }

// word is text for a word of a command: what only looks like a reference, such
// as ${x%.*} in a line for a shell, stays.
func (x *expander) word(v Value) string { return x.expand(v, func(position, string) {}) }

// wrong fails for what only looks like a reference. It does not repeat it: it may
// be of something secret.
func (x *expander) wrong(at position, words string) {
	if !x.names {
		x.fail(at.problem("%s", words))
	}
}

func (x *expander) expand(v Value, odd func(at position, words string)) string {
	var out strings.Builder
	rest := v.Raw
	for {
		before, from, found := strings.Cut(rest, "${")
		ref, after, closed := strings.Cut(from, "}")
		if found && !closed {
			odd(v.at, "a ${ has no } behind it")
		}
		if !found || !closed {
			out.WriteString(rest)
			return out.String()
		}
		out.WriteString(before)
		text, known := x.reference(ref, v.at)
		if !known {
			odd(v.at, "a ${…} is none that belay knows, such as ${NAME} or ${NAME:-default}")
		}
		out.WriteString(text)
		rest = after
	}
}

var (
	variable   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })
	editorOnly = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(command|config):|^(file[A-Z]?[A-Za-z]*|relativeFile[A-Za-z]*|lineNumber|columnNumber|selectedText|execPath|defaultBuildTask|workspaceFolder:.*)$`)
	})
)

// reference is what ${ref} stands for. It stays as it is where it is none.
func (x *expander) reference(ref string, at position) (text string, known bool) {
	if text, ok := x.known(ref); ok {
		return text, true
	}
	name, fallback, hasFallback := strings.Cut(ref, ":-")
	name, isEnv := strings.CutPrefix(name, "env:")
	id, isInput := strings.CutPrefix(ref, "input:")
	switch {
	case x.names && x.named != nil && (isInput || isEnv || variable().MatchString(name)):
		ref, _, _ = strings.Cut(ref, ":-")
		x.named("${" + ref + "}")
	case x.names:
	case isInput:
		return x.input(id, at), true
	case isEnv || variable().MatchString(name):
		value, set := x.facts.Env(name)
		switch {
		case hasFallback && value == "":
			return fallback, true
		case set:
			x.taken = append(x.taken, name+"="+value)
			return value, true
		case editorOnly().MatchString(ref):
			x.fail(at.problem("${%s} is known to an editor only", ref))
		case isEnv:
			x.fail(at.problem("the environment has no variable %q; set it before you start belay", name))
		default:
			x.fail(at.problem("the environment has no variable %q; set it, or give a default: ${%s:-…}", name, name))
		}
	case editorOnly().MatchString(ref):
		x.fail(at.problem("${%s} is known to an editor only", ref))
	default:
		return "${" + ref + "}", false
	}
	return "${" + ref + "}", true
}

// known are the references that are no secrets.
func (x *expander) known(ref string) (string, bool) {
	switch ref {
	case "workspaceFolder":
		return x.folder(), true
	case "workspaceFolderBasename":
		return filepath.Base(x.folder()), true
	case "userHome":
		return x.facts.Home, true
	case "pathSeparator", "/":
		return string(filepath.Separator), true
	}
	return "", false
}

// input asks for an input, once.
func (x *expander) input(id string, at position) string {
	if answer, ok := x.answers[id]; ok {
		return answer
	}
	i := slices.IndexFunc(x.file.Inputs, func(in Input) bool { return in.ID == id })
	switch {
	case x.err != nil: // no question whose answer comes to nothing
		return ""
	case i < 0:
		x.fail(at.problem("the file defines no input %q", id))
		return ""
	case x.file.Inputs[i].problem != "":
		x.fail(at.problem("the input %q cannot be asked for: %s", id, x.file.Inputs[i].problem))
		return ""
	}
	answer, err := x.facts.Input(x.file.Inputs[i])
	x.fail(err)
	x.answers[id] = answer
	name := id
	if x.file.Inputs[i].Password {
		name = "password"
	}
	x.taken = append(x.taken, name+"="+answer)
	return answer
}
