package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// judge returns the outcome of each mutation, in their order. Before that, it
// runs the tests as they are, once for each choice of tests: where they fail
// or find nothing to run, no mutation can be judged by them.
func (r runner) judge(all []mutation, report func(outcome)) []outcome {
	sound := map[string]error{}
	for _, m := range all {
		key := strings.Join(m.tests, " ")
		if _, done := sound[key]; !done {
			sound[key] = r.baseline(m.tests)
		}
	}
	outcomes := make([]outcome, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	var one sync.Mutex
	for range r.workers {
		workers.Go(func() {
			for i := range next {
				m := all[i]
				o := outcome{mutation: m, verdict: broken}
				if err := sound[strings.Join(m.tests, " ")]; err != nil {
					o.detail = err.Error()
				} else {
					o = r.judgeOne(m)
				}
				one.Lock()
				outcomes[i] = o
				report(o)
				one.Unlock()
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	return outcomes
}

// baseline runs tests on the code as it is.
func (r runner) baseline(tests []string) error {
	out, err := r.goTest("", tests)
	switch {
	case err != nil:
		return fmt.Errorf("without any mutation go test %s fails: %s", strings.Join(tests, " "), firstLines(out, 3))
	case strings.Contains(out, "[no tests to run]") || strings.Contains(out, "[no test files]"):
		return fmt.Errorf("go test %s finds no test to run in some package", strings.Join(tests, " "))
	}
	return nil
}

func (r runner) judgeOne(m mutation) outcome {
	began := time.Now()
	o := outcome{mutation: m, verdict: broken}
	out, err := r.mutated(m)
	o.took = time.Since(began)
	var exit *exec.ExitError
	switch {
	case err == nil:
		o.verdict = survived
		o.detail = m.fn + ": " + m.edit.String()
	case !errors.As(err, &exit):
		o.detail = err.Error()
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		o.detail = "it does not compile: " + firstLines(out, 4)
	default:
		o.verdict = killed
		o.detail = failure(out)
	}
	return o
}

// mutated runs m's tests on the mutated code. An overlay puts the changed file
// before the compiler; the tree stays as it is.
func (r runner) mutated(m mutation) (out string, err error) {
	changed, err := m.apply(r.root)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, filepath.Base(changed.path))
	if err := os.WriteFile(file, changed.text, 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{changed.path: file}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	return r.goTest(list, m.tests)
}

func (r runner) goTest(overlay string, tests []string) (string, error) {
	args := []string{"test", "-vet=off", "-timeout", timeout}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.Command("go", append(args, tests...)...)
	cmd.Dir = r.root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
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
