package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// verdict is what became of a mutation.
type verdict int

const (
	killed   verdict = iota // a test failed: the rule is guarded
	survived                // the tests passed
	broken                  // it proves nothing: no target, no build, no test
)

func (v verdict) String() string {
	return [...]string{"killed", "SURVIVED", "ERROR"}[v]
}

// outcome is the verdict on one mutation and what it rests on.
type outcome struct {
	mutation
	verdict verdict
	detail  string // the test that failed, or what is wrong
	took    time.Duration
}

// timeout ends the tests of a mutation that made them hang. That kills it.
const timeout = "3m"

// runner judges mutations of the module at root. It writes nothing below root.
type runner struct {
	root    string
	workers int
}

// judge reports the outcome of each mutation, as it comes. Before that, it
// runs the tests without any mutation, once for each choice of tests: where
// they fail or find nothing to run, no mutation can be judged by them.
func (r runner) judge(all []mutation, report func(outcome)) (err error) {
	dir, err := os.MkdirTemp("", "mutations")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	built, err := r.build(dir, all)
	if err != nil {
		return err
	}
	var one sync.Mutex
	say := func(o outcome) {
		one.Lock()
		defer one.Unlock()
		report(o)
	}
	next := make(chan mutation)
	var workers sync.WaitGroup
	for range r.workers {
		workers.Go(func() {
			for m := range next {
				say(built.judge(m))
			}
		})
	}
	for _, m := range waitingFirst(all) {
		next <- m
	}
	close(next)
	workers.Wait()
	return nil
}

// waiting are the packages whose tests wait for processes: where a rule is broken,
// until the end of their patience.
var waiting = []string{"./internal/guard", "./internal/cli", "./mcpclient"}

// waitingFirst returns all with those in front whose tests wait: others are judged
// meanwhile.
func waitingFirst(all []mutation) []mutation {
	rank := func(m mutation) int {
		patterns, _ := arguments(m.tests)
		if i := slices.IndexFunc(waiting, func(p string) bool { return slices.Contains(patterns, p) }); i >= 0 {
			return i
		}
		return len(waiting)
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b mutation) int { return rank(a) - rank(b) })
}

// judge runs the tests of a mutation. Each of its runs must fail with it in force,
// and none without.
func (p *programs) judge(m mutation) outcome {
	o := outcome{mutation: m, verdict: killed}
	if wrong, is := p.wrong[m.name]; is {
		o.verdict, o.detail = broken, wrong
		return o
	}
	for _, tests := range m.runs {
		if err := p.sound(tests); err != nil {
			o.verdict, o.detail = broken, err.Error()
			return o
		}
	}
	began := time.Now()
	var died []string
	for _, tests := range m.runs {
		out, err := p.run(m.name, tests)
		var exit *exec.ExitError
		switch {
		case err == nil:
			o.verdict, o.detail = survived, m.fn+": "+m.edit.String()
			if len(m.runs) > 1 {
				o.detail = strings.Join(tests, " ") + ": " + o.detail
			}
			return o
		case !errors.As(err, &exit):
			o.verdict, o.detail = broken, err.Error()
			return o
		}
		died = append(died, failure(out))
	}
	o.detail, o.took = strings.Join(died, ", "), time.Since(began)
	return o
}

// sound runs tests without any mutation, once, and says what is wrong with them.
func (p *programs) sound(tests []string) error {
	key := strings.Join(tests, " ")
	p.one.Lock()
	once, known := p.sounds[key]
	if !known {
		once = sync.OnceValue(func() error { return p.baseline(tests) })
		p.sounds[key] = once
	}
	p.one.Unlock()
	return once()
}

// baseline runs tests on the code as it is: in short, as their whole run is a
// step of its own in .ci/run.
func (p *programs) baseline(tests []string) error {
	out, err := p.run("", append(slices.Clone(tests), "-short"))
	switch {
	case err != nil:
		return fmt.Errorf("without any mutation go test %s fails: %s", strings.Join(tests, " "), firstLines(out, 3))
	case strings.Contains(out, "no tests to run"):
		return fmt.Errorf("go test %s finds no test to run in some package", strings.Join(tests, " "))
	}
	return nil
}

// run runs tests with the mutation of this name in force; none if it is "".
func (p *programs) run(name string, tests []string) (string, error) {
	patterns, flags := arguments(tests)
	var out bytes.Buffer
	for _, pattern := range patterns {
		found := p.tests[pattern]
		if len(found) == 0 {
			out.WriteString("no tests to run in " + pattern)
		}
		for _, t := range found {
			args := append([]string{"-test.paniconexit0", "-test.failfast", "-test.timeout=" + timeout}, flags...)
			cmd := exec.Command(t.program, args...)
			cmd.Dir = t.dir
			cmd.Env = append(os.Environ(), inForce+"="+name)
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil {
				return out.String(), err
			}
		}
	}
	return out.String(), nil
}

// arguments splits the arguments of go test into patterns of packages and
// flags, these as the test program itself wants them.
func arguments(tests []string) (patterns, flags []string) {
	for _, a := range tests {
		switch {
		case strings.HasPrefix(a, "-"):
			flags = append(flags, "-test."+a[1:])
		case len(flags) > 0:
			flags = append(flags, a)
		default:
			patterns = append(patterns, a)
		}
	}
	return patterns, flags
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// failure names what failed, from the output of go test: the innermost of the
// first tests that failed, or the end that the test program came to.
func failure(out string) string {
	if strings.Contains(out, "panic: test timed out") {
		return "the tests hung"
	}
	if all := failed.FindAllStringSubmatch(out, -1); all != nil {
		name := all[0][1]
		for _, m := range all[1:] {
			if !strings.HasPrefix(m[1], name+"/") {
				break
			}
			name = m[1]
		}
		return name
	}
	return firstLines(out, 1)
}

// firstLines returns the first n lines of out, as one.
func firstLines(out string, n int) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[:min(n, len(lines))], " | ")
}
