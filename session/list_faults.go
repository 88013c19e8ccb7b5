package session

import (
	"fmt"
	"strings"
)

// listFaults are the faults of entries in the pages of a list that came so far. A page that
// follows takes nothing of them back.
//
//shape:part of catalog
type listFaults struct {
	first []string
	more  int
	last  string // of more than are told
}

// faultsTold is how many faults of a list are told in words, besides the last one.
const faultsTold = 3

// add notes the faults of a page, which is numbered from 1.
func (f *listFaults) add(page int, faults []string) {
	for _, fault := range faults {
		if page > 1 {
			fault = fmt.Sprintf("page %d: %s", page, fault)
		}
		if len(f.first) < faultsTold {
			f.first = append(f.first, fault)
			continue
		}
		f.more++
		f.last = fault
	}
}

// beside is what is wrong with the list as a whole, and behind it the faults of its entries;
// empty: the list is whole.
func (f *listFaults) beside(problem string) string {
	all := f.first
	if problem != "" {
		all = append([]string{problem}, all...)
	}
	words := strings.Join(all, "; ")
	switch {
	case f.more == 1:
		words += "; " + f.last
	case f.more > 1:
		words += fmt.Sprintf("; and %d more, the last: %s", f.more, f.last)
	}
	return words
}
