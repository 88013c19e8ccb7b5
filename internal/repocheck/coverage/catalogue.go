package main

import (
	"fmt"
	"regexp"
	"strings"
)

// row is one requirement.
type row struct {
	name      string // "CXL-05"
	statement string
}

// area is a chapter of the catalogue.
type area struct {
	name  string // "CXL"
	title string
	rows  []row
}

var (
	areaLine = regexp.MustCompile(`^### ([A-Z0-9]+) – (.+)$`)
	rowLine  = regexp.MustCompile(`^\| ([A-Z0-9]+)-([0-9]+)(?: ⟂)? \|`)
	cellEnd  = regexp.MustCompile(`\s+\|\s+`)
)

// Columns of a row in docs/requirements/catalogue.md.
const (
	columnStatement = 3
	columns         = 6
)

// readCatalogue reads the areas and rows of docs/requirements/catalogue.md. Rows with
// names that occur twice, outside their area or without all of their columns
// are errors: the catalogue is edited by hand.
func readCatalogue(text string) ([]area, error) {
	var areas []area
	seen := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		if m := areaLine.FindStringSubmatch(line); m != nil {
			areas = append(areas, area{name: m[1], title: m[2]})
			continue
		}
		m := rowLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := m[1] + "-" + m[2]
		if len(areas) == 0 || areas[len(areas)-1].name != m[1] {
			// Tables before and after the catalogue name rows as well;
			// they are no rows of an area.
			if m[1] == "X" || m[1] == "G" {
				continue
			}
			return nil, fmt.Errorf("line %d: row %s stands outside the area %s", i+1, name, m[1])
		}
		if seen[name] {
			return nil, fmt.Errorf("line %d: row %s occurs twice", i+1, name)
		}
		seen[name] = true
		cells := cellEnd.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), -1)
		if len(cells) != columns {
			return nil, fmt.Errorf("line %d: row %s has %d columns, want %d", i+1, name, len(cells), columns)
		}
		a := &areas[len(areas)-1]
		a.rows = append(a.rows, row{name: name, statement: cells[columnStatement]})
	}
	if len(areas) == 0 {
		return nil, fmt.Errorf("no area found: a line like %q begins one", "### CXL – Cancellation")
	}
	return areas, nil
}

// short returns the beginning of a statement, at most n characters of it, cut
// between words and never inside a piece of code.
func short(statement string, n int) string {
	if len([]rune(statement)) <= n {
		return statement
	}
	cut := ""
	for _, word := range strings.Fields(statement) {
		if len([]rune(cut+word)) >= n {
			break
		}
		cut += word + " "
	}
	if strings.Count(cut, "`")%2 == 1 {
		cut = cut[:strings.LastIndex(cut, "`")]
	}
	return strings.TrimRight(cut, " ,;:(") + " …"
}
