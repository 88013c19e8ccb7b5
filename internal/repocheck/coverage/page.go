package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// statementLength is how much of a row's statement the page repeats.
const statementLength = 110

// page is what docs/requirements/coverage.md is made of.
type page struct {
	areas  []area // the catalogue, then the seeds
	proofs proofs
	needs  needs

	killers killers
}

// check fails if a test names a row that does not exist.
func (p page) check() error {
	known := map[string]bool{}
	for _, a := range p.areas {
		for _, r := range a.rows {
			known[r.name] = true
		}
	}
	var faults []string
	for name, tests := range p.proofs {
		if !known[name] {
			faults = append(faults, fmt.Sprintf("%s, named by %s", name, strings.Join(tests, ", ")))
		}
	}
	if len(faults) > 0 {
		slices.Sort(faults)
		return fmt.Errorf("no such row in docs/requirements/catalogue.md: %s", strings.Join(faults, "; "))
	}
	return p.needs.complete(p.areas)
}

// open returns the rows that are demanded and not proved, in page order.
func (p page) open() []row {
	var open []row
	for _, a := range p.areas {
		for _, r := range a.rows {
			if p.needs[r.name].demanded && len(p.proofs[r.name]) == 0 {
				open = append(open, r)
			}
		}
	}
	return open
}

func (p page) markdown() string {
	var b strings.Builder
	b.WriteString(`<!-- Written by: go run ./internal/repocheck/coverage. Do not edit. -->

# Coverage

Which test proves which row of the [requirements](catalogue.md). A test
proves a row by naming it in code, with ` + "`requirements.Rows`" + `, and by failing when the
behaviour is gone. *Mutations* counts the changes to the code, made on purpose, that
break a row and that a test dies of which names it
([mutations.txt](../../internal/repocheck/mutate/mutations.txt)); each proved row of
` + strings.Join(mutatedAreas, ", ") + ` has one. *Demanded* rows are those that the state of the work must
prove already, all of it or *in part*: what is left out is said. Of every other row in
the same areas it is said why it comes later ([demanded.txt](../../internal/repocheck/coverage/demanded.txt)).

## In numbers

| Area | About | Rows | Demanded | of them proved | Proved in all | of them mutated |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
`)
	var sum tally
	for _, a := range p.areas {
		t := p.tally(a)
		sum.add(t)
		title := a.title
		if t.demanded+t.proved > 0 {
			title = fmt.Sprintf("[%s](#%s)", a.title, strings.ToLower(a.name))
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d |\n", a.name, title, len(a.rows), t.demanded, t.met, t.proved, t.mutated)
	}
	fmt.Fprintf(&b, "| **all** | | **%d** | **%d** | **%d** | **%d** | **%d** |\n", sum.rows, sum.demanded, sum.met, sum.proved, sum.mutated)

	b.WriteString("\n## Demanded and not proved\n\n")
	open := p.open()
	if len(open) == 0 {
		b.WriteString("None.\n")
	} else {
		b.WriteString("| Row | Statement |\n| --- | --- |\n")
		for _, r := range open {
			fmt.Fprintf(&b, "| %s | %s |\n", r.name, short(r.statement, statementLength))
		}
	}
	for _, a := range p.areas {
		p.area(&b, a)
	}
	return b.String()
}

// area writes the table of one area: its proved rows and those that demanded.txt
// speaks of.
func (p page) area(b *strings.Builder, a area) {
	if t := p.tally(a); t.demanded+t.proved == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n| Row | Statement | Tests | Mutations |\n| --- | --- | --- | ---: |\n", a.name, a.title)
	silent := 0
	for _, r := range a.rows {
		tests := p.proofs[r.name]
		n, spoken := p.needs[r.name]
		var cell, mutations string
		if n := len(p.killers[r.name]); n > 0 {
			mutations = " " + strconv.Itoa(n)
		}
		switch {
		case len(tests) > 0:
			if cell = "`" + strings.Join(tests, "` `") + "`"; n.part != "" {
				cell += " · in part: " + n.part
			}
		case n.demanded:
			cell = "**none**"
		case spoken:
			cell = "later: " + n.reason
		default:
			silent++
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s |%s |\n", r.name, short(r.statement, statementLength), cell, mutations)
	}
	if silent > 0 {
		fmt.Fprintf(b, "\nThe other rows of this area (%d) are later work.\n", silent)
	}
}

// tally counts rows: met are the demanded ones that are proved, mutated those that
// a mutation breaks.
type tally struct{ rows, demanded, met, proved, mutated int }

func (t *tally) add(o tally) {
	t.rows += o.rows
	t.demanded += o.demanded
	t.met += o.met
	t.proved += o.proved
	t.mutated += o.mutated
}

func (p page) tally(a area) tally {
	t := tally{rows: len(a.rows)}
	for _, r := range a.rows {
		proved := len(p.proofs[r.name]) > 0
		demanded := p.needs[r.name].demanded
		if proved {
			t.proved++
		}
		if demanded {
			t.demanded++
		}
		if len(p.killers[r.name]) > 0 {
			t.mutated++
		}
		if proved && demanded {
			t.met++
		}
	}
	return t
}
