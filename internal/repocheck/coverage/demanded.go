package main

import (
	"fmt"
	"slices"
	"strings"
)

// needs says of a row whether it is demanded now, or why it is not yet.
type needs map[string]need

type need struct {
	demanded bool
	reason   string // why it comes later
	part     string // demanded, and no test can prove all of it, or belay does only so much: what is left out
}

// readNeeds reads demanded.txt: a row a line, followed by nothing if it is
// demanded, by "in part: " and what is left out of it, or by the reason why it
// belongs to later work. Empty lines and lines that begin with # say nothing.
func readNeeds(text string) (needs, error) {
	all := needs{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("demanded.txt:%d: %s stands there twice", i+1, name)
		}
		reason = strings.TrimSpace(reason)
		if part, ok := strings.CutPrefix(reason, "in part: "); ok {
			all[name] = need{demanded: true, part: part}
			continue
		}
		all[name] = need{demanded: reason == "", reason: reason}
	}
	return all, nil
}

// complete checks that n speaks of whole areas: with one row of an area it must name the
// others, too. So nobody can forget one.
func (n needs) complete(areas []area) error {
	known := map[string]bool{}
	for _, a := range areas {
		var missing []string
		for _, r := range a.rows {
			known[r.name] = true
			if _, ok := n[r.name]; !ok {
				missing = append(missing, r.name)
			}
		}
		if len(missing) > 0 && len(missing) < len(a.rows) {
			return fmt.Errorf("demanded.txt speaks of the area %s, but not of %s", a.name, strings.Join(missing, ", "))
		}
	}
	var unknown []string
	for name := range n {
		if !known[name] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("demanded.txt names rows that do not exist: %s", strings.Join(unknown, ", "))
	}
	return nil
}
