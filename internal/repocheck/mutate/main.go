// Command mutate breaks the code on purpose, one rule at a time, and demands
// that a test notices.
//
//	go run ./internal/repocheck/mutate                 all of mutations.txt
//	go run ./internal/repocheck/mutate -only REGEXP    those whose name matches
//	go run ./internal/repocheck/mutate -find           only look for their targets
//
// All of them stand in one build of each test program, which a variable of the
// environment tells which one to obey (see switchboard).
//
// Gremlins and go-mutesting were weighed and not taken: they break code at random, and here each
// mutation stands for a rule whose loss a named test must notice.
//
// It exits with 1 if a mutation survives, or proves nothing because its target
// is not there exactly once or it does not compile.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"belay/internal/repocheck"
)

//go:embed mutations.txt
var mutationsText string

func main() {
	only := flag.String("only", "", "judge the mutations whose names match this `regexp`")
	find := flag.Bool("find", false, "run no tests, only look whether each mutation finds its target")
	workers := flag.Int("j", 6, "mutations that are judged at the same `time`; many wait")
	flag.Parse()
	root, err := repocheck.Root()
	if err == nil {
		err = run(os.Stdout, root, mutationsText, *only, *find, *workers)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, root, text, only string, find bool, workers int) error {
	all, err := readMutations(text)
	if err != nil {
		return fmt.Errorf("mutations.txt: %w", err)
	}
	name, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	var chosen []mutation
	for _, m := range all {
		if name.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if only != "" && len(chosen) == 0 {
		return fmt.Errorf("no mutation is called like %q", only)
	}
	if len(chosen) == 0 {
		return errors.New("there are no mutations to try: that would prove nothing")
	}
	if find {
		return findAll(root, chosen)
	}
	counts := map[verdict]int{}
	var lived []string
	report := func(o outcome) {
		counts[o.verdict]++
		if o.verdict != killed {
			lived = append(lived, o.name)
		}
		fmt.Fprintf(w, "%-8s %6.1fs  %-32s %s\n", o.verdict, o.took.Seconds(), o.name, strings.TrimSpace(strings.Join(o.rows, " ")+" "+o.breaks))
		fmt.Fprintf(w, "%18s%s\n", "", o.detail)
	}
	began := time.Now()
	if err := (runner{root: root, workers: max(workers, 1)}).judge(chosen, report); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d mutations, %d killed, %d survived, %d errors, %.0f s\n",
		len(chosen), counts[killed], counts[survived], counts[broken], time.Since(began).Seconds())
	if len(lived) > 0 {
		slices.Sort(lived)
		return fmt.Errorf("%d mutations are not killed: %s", len(lived), strings.Join(lived, ", "))
	}
	return nil
}

// findAll fails if a mutation does not find its target.
func findAll(root string, all []mutation) error {
	lost := 0
	var functions functions
	for _, m := range all {
		if _, err := m.apply(root, &functions); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", m.name, err)
			lost++
		}
	}
	if lost > 0 {
		return fmt.Errorf("%d of %d mutations do not find their target", lost, len(all))
	}
	return nil
}
