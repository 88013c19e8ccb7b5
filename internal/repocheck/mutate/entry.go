package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mutation is one entry of mutations.txt. See there for the format.
type mutation struct {
	name   string
	breaks string
	rows   []string // of docs/requirements/catalogue.md, which its tests prove
	dir    string   // of the package, from the root, as in "./session"
	fn     string   // as in "(*Session).Answer"
	edit   edit
	tests  []string   // arguments of go test: packages and flags
	runs   [][]string // the same, as runs of which each must fail
}

// edit is a change in a function.
type edit struct {
	verb string
	what string // the code that it looks for
	with string // the code that stands there afterwards
}

var (
	needed = []string{"mutation", "breaks", "package", "in", "edit", "test"}
	keys   = append([]string{"rows"}, needed...)
	verbs  = []string{"delete-call", "delete-stmt", "negate-if", "replace", "replace-stmt", "return-early"}

	rowName      = regexp.MustCompile(`^[A-Z0-9]{2,4}-[0-9]{1,2}$`)
	testName     = regexp.MustCompile(`^(Test|Fuzz)\w*$`)
	functionName = regexp.MustCompile(`^(\(\*\w+\)\.|\w+\.)?\w+$`)
)

// readMutations reads the text of a mutations file.
func readMutations(text string) ([]mutation, error) {
	var all []mutation
	names := map[string]bool{}
	fields := map[string]string{}
	finish := func(line int) error {
		if len(fields) == 0 {
			return nil
		}
		m, err := newMutation(fields)
		if err != nil {
			return fmt.Errorf("the entry before line %d: %w", line, err)
		}
		if names[m.name] {
			return fmt.Errorf("the entry before line %d: there are two mutations named %s", line, m.name)
		}
		names[m.name] = true
		all = append(all, m)
		clear(fields)
		return nil
	}
	lines := append(strings.Split(text, "\n"), "")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" {
			if err := finish(i + 1); err != nil {
				return nil, err
			}
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		if !slices.Contains(keys, key) {
			return nil, fmt.Errorf("line %d: %q is none of %s", i+1, key, strings.Join(keys, ", "))
		}
		if _, twice := fields[key]; twice {
			return nil, fmt.Errorf("line %d: a second %q; entries are separated by empty lines", i+1, key)
		}
		fields[key] = strings.TrimSpace(value)
	}
	return all, nil
}

func newMutation(fields map[string]string) (mutation, error) {
	for _, key := range needed {
		if fields[key] == "" {
			return mutation{}, fmt.Errorf("it has no %q", key)
		}
	}
	m := mutation{
		name:   fields["mutation"],
		breaks: fields["breaks"],
		dir:    fields["package"],
		fn:     fields["in"],
		rows:   strings.Fields(fields["rows"]),
		tests:  strings.Fields(fields["test"]),
	}
	m.runs = [][]string{m.tests}
	if _, has := fields["rows"]; has {
		if err := m.named(); err != nil {
			return mutation{}, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if !functionName.MatchString(m.fn) {
		return mutation{}, fmt.Errorf("%s: %q is no function: want Name, T.Name or (*T).Name", m.name, m.fn)
	}
	var err error
	m.edit, err = newEdit(fields["edit"])
	if err != nil {
		return mutation{}, fmt.Errorf("%s: %w", m.name, err)
	}
	return m, nil
}

// named takes the tests of a mutation that breaks rows by their names: each of
// them must fail, so that each is run by itself.
func (m *mutation) named() error {
	if i := slices.IndexFunc(m.rows, func(row string) bool { return !rowName.MatchString(row) }); i >= 0 || len(m.rows) == 0 {
		return fmt.Errorf("its rows are %q, want names as CXL-05", m.rows)
	}
	if len(m.tests) != 3 || m.tests[1] != "-run" || strings.Contains(m.tests[0], "...") {
		return fmt.Errorf("it breaks %s: its test has to be a package and -run with the names of tests", strings.Join(m.rows, " "))
	}
	m.runs = nil
	for name := range strings.SplitSeq(m.tests[2], "|") {
		if !testName.MatchString(name) {
			return fmt.Errorf("it breaks %s: %q is not the name of a test", strings.Join(m.rows, " "), name)
		}
		m.runs = append(m.runs, []string{m.tests[0], "-run", "^" + name + "$"})
	}
	return nil
}

func newEdit(text string) (edit, error) {
	verb, rest, _ := strings.Cut(text, " ")
	e := edit{verb: verb, what: strings.TrimSpace(rest)}
	switch {
	case !slices.Contains(verbs, verb):
		return edit{}, fmt.Errorf("the edit %q is none of %s", verb, strings.Join(verbs, ", "))
	case verb == "return-early":
		e.what, e.with = "", e.what
		return e, nil
	case strings.HasPrefix(verb, "replace"):
		from, to, ok := strings.Cut(rest, "=>")
		if !ok {
			return edit{}, fmt.Errorf("%s needs =>", verb)
		}
		e.what, e.with = strings.TrimSpace(from), strings.TrimSpace(to)
		if e.with == "" {
			return edit{}, fmt.Errorf("%s needs something behind the =>", verb)
		}
	}
	if e.what == "" {
		return edit{}, fmt.Errorf("%s needs to be told what", verb)
	}
	return e, nil
}

func (e edit) String() string {
	switch {
	case e.verb == "return-early":
		return strings.TrimSpace(e.verb + " " + e.with)
	case e.with != "":
		return e.verb + " " + e.what + " => " + e.with
	}
	return e.verb + " " + e.what
}
