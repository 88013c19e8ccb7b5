package main

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// programs are the test programs of the switchboard.
type programs struct {
	tests map[string][]testProgram // by the pattern of packages that chose them
	wrong map[string]string        // by name, why a mutation is not in them

	one    sync.Mutex
	sounds map[string]func() error // by their arguments, what is wrong with tests as they are
}

// testProgram is the test program of one package.
type testProgram struct {
	program string // the file
	dir     string // where go test runs it
}

// build builds the test programs that all need, below dir. What a mutation
// makes of its function may not compile; such a one is left out.
func (r runner) build(dir string, all []mutation) (*programs, error) {
	root, err := filepath.Abs(r.root)
	if err != nil {
		return nil, err
	}
	p := &programs{tests: map[string][]testProgram{}, wrong: map[string]string{}, sounds: map[string]func() error{}}
	board := switchboard{changes: map[string]change{}}
	patterns := map[string]bool{}
	var functions functions
	for _, m := range all {
		c, err := m.apply(root, &functions)
		if err != nil {
			p.wrong[m.name] = err.Error()
			continue
		}
		board.changes[m.name] = c
		names, _ := arguments(m.tests)
		for _, name := range names {
			patterns[name] = true
		}
	}
	packages := map[string]testProgram{}
	for pattern := range patterns {
		listed, err := listPackages(root, pattern)
		if err != nil {
			return nil, err
		}
		for _, l := range listed {
			t, known := packages[l.path]
			if !known {
				t = testProgram{program: filepath.Join(dir, path.Base(l.path)+".test"), dir: l.dir}
				packages[l.path] = t
			}
			p.tests[pattern] = append(p.tests[pattern], t)
		}
	}
	for {
		overlay, err := board.write(dir)
		if err != nil {
			return nil, err
		}
		out, err := r.compile(root, dir, overlay, packages)
		if err == nil {
			return p, nil
		}
		unfit := complaints(out)
		for name, what := range unfit {
			p.wrong[name] = "it does not compile: " + what
			delete(board.changes, name)
		}
		if len(unfit) == 0 {
			return nil, fmt.Errorf("%w: %s", err, firstLines(out, 4))
		}
	}
}

// compile builds the test programs of packages with one command, which compiles
// what they share once. On failure out says what the compiler says.
func (r runner) compile(root, dir, overlay string, packages map[string]testProgram) (out string, err error) {
	args := []string{"test", "-c", "-overlay", overlay, "-gcflags=-e", "-o", dir + string(filepath.Separator)}
	cmd := exec.Command("go", append(args, slices.Sorted(maps.Keys(packages))...)...)
	cmd.Dir = root
	said, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go test -c: %w", err)
	}
	return string(said), err
}

var complaint = regexp.MustCompile(`(?m)^\S*mutation-([^/\s:]+)\.go:\d+:\d+: (.*)$`)

// complaints returns what the compiler says against which mutations.
func complaints(out string) map[string]string {
	found := map[string]string{}
	for _, m := range complaint.FindAllStringSubmatch(out, -1) {
		if _, more := found[m[1]]; !more {
			found[m[1]] = m[2]
		}
	}
	return found
}

// listedPackage is a package that has tests.
type listedPackage struct{ path, dir string }

func listPackages(root, pattern string) ([]listedPackage, error) {
	cmd := exec.Command("go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}	{{.Dir}}{{end}}`, pattern)
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w: %s", pattern, err, firstLines(said.String(), 2))
	}
	var all []listedPackage
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all = append(all, listedPackage{path, dir})
	}
	return all, nil
}
