package main

import (
	"fmt"
	"slices"
	"strings"
)

// mutatedAreas are the areas whose every proved row needs a mutation: a test that
// fails under the mutation does prove the row.
var mutatedAreas = []string{"CXL", "CXS", "TMO", "SEC"}

// killers maps the name of a row to the mutations that break the row and are
// killed by a test that names the row.
type killers map[string][]string

// readKillers reads the entries of a mutations file that break rows. How the
// format is to be kept, and that the tests do die, is the business of the program
// mutate. An entry whose tests name none of its rows is an error.
func readKillers(text string, p proofs) (killers, error) {
	found := killers{}
	entry := map[string]string{}
	var faults []string
	finish := func() {
		tests := strings.Fields(entry["test"])
		for _, row := range strings.Fields(entry["rows"]) {
			if len(tests) == 3 && proves(p[row], strings.TrimPrefix(tests[0], "./"), strings.Split(tests[2], "|")) {
				found[row] = append(found[row], entry["mutation"])
			} else {
				faults = append(faults, fmt.Sprintf("%s breaks %s, and no test that it names proves that row", entry["mutation"], row))
			}
		}
		clear(entry)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch key, value, _ := strings.Cut(line, " "); {
		case line == "":
			finish()
		case !strings.HasPrefix(line, "#"):
			entry[key] = strings.TrimSpace(value)
		}
	}
	finish()
	if len(faults) > 0 {
		return nil, fmt.Errorf("mutations.txt: %s", strings.Join(faults, "; "))
	}
	return found, nil
}

// proves reports whether one of the tests of a row is among those of a package.
func proves(tests []string, dir string, names []string) bool {
	return slices.ContainsFunc(tests, func(test string) bool {
		top := test
		if i := strings.LastIndexByte(test, '.'); i >= 0 {
			name, _, _ := strings.Cut(test[i+1:], "/")
			top = test[:i+1] + name
		}
		return slices.ContainsFunc(names, func(name string) bool { return top == dir+"."+name })
	})
}

// unbroken returns the rows of some areas that are proved, and that no mutation
// breaks, in page order.
func (p page) unbroken(areas []string) []row {
	var all []row
	for _, a := range p.areas {
		if !slices.Contains(areas, a.name) {
			continue
		}
		for _, r := range a.rows {
			if len(p.proofs[r.name]) > 0 && len(p.killers[r.name]) == 0 {
				all = append(all, r)
			}
		}
	}
	return all
}
