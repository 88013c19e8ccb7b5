package repocheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Citations holds what a comment that gives rows of the requirements has to name beside them.
type Citations struct {
	pages map[string][]string // of the specification, by area of the rows
	own   map[string]bool     // rows that no page has
}

var (
	pageLine = regexp.MustCompile(`(?m)^\| ([A-Z]{3,4}(?:, [A-Z]{3})*) \| ([^|]*) \| ([^|]*) \|$`)
	rowLine  = regexp.MustCompile(`(?m)^\| ([A-Z]{2,4}\d?-\d\d)[^|]*\|([^|]*)\|([^|]*)\|`)
	rowName  = regexp.MustCompile(`\b([A-Z]{2,4}\d?)-\d\d\b`)
	rowGroup = regexp.MustCompile(`\([A-Z]{1,4}\d?-\d\d(?:(?:, | … | to | and )(?:[A-Z]{1,4}\d?-\d\d|-?\d\d))*(?: …)?(;[^()]*)?\)`)
)

// ReadCitations reads the table of the pages from the README of the requirements, and the rows
// from the catalogue.
func ReadCitations(readme, catalogue string) *Citations {
	c := &Citations{pages: map[string][]string{}, own: map[string]bool{}}
	for _, m := range pageLine.FindAllStringSubmatch(readme, -1) {
		for _, area := range strings.Split(m[1], ", ") {
			c.pages[area] = slices.DeleteFunc(strings.Split(m[2]+", "+m[3], ", "), func(page string) bool { return page == "–" })
		}
	}
	for _, m := range rowLine.FindAllStringSubmatch(catalogue, -1) {
		area := rowName.FindStringSubmatch(m[1])[1]
		guide := area != "SEC" || strings.Contains(m[2], "guide")
		c.own[m[1]] = strings.Contains(m[3], "OURS") || strings.Contains(m[3], "SEP-") || strings.HasPrefix(area, "SD") || !guide
	}
	return c
}

// Lacking returns the rows that a comment of f gives in brackets without a page of the
// specification in the same paragraph, one line each with the position. A comment at the end
// of a line of code, or inside a function, is held to that as well as a doc comment.
func (c *Citations) Lacking(f File) (found []string) {
	if f.Test || f.Generated {
		return nil
	}
	for _, comment := range f.AST.Comments {
		for paragraph := range strings.SplitSeq(comment.Text(), "\n\n") {
			for _, row := range c.lackingIn(strings.Join(strings.Fields(paragraph), " ")) {
				found = append(found, fmt.Sprintf("%s:%d: %s", f.Path, f.Fset.Position(comment.Pos()).Line, row))
			}
		}
	}
	return found
}

func (c *Citations) lackingIn(text string) (rows []string) {
	for _, group := range rowGroup.FindAllString(text, -1) {
		for _, row := range rowName.FindAllStringSubmatch(group, -1) {
			own, known := c.own[row[0]]
			if known && !own && !slices.ContainsFunc(c.pages[row[1]], func(page string) bool { return cites(text, page) }) {
				rows = append(rows, row[0])
			}
		}
	}
	return rows
}

// cites reports whether text names a page, and not one below it.
func cites(text, page string) bool {
	for rest := text; ; {
		i := strings.Index(rest, page)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(page):]
		if strings.HasSuffix(before, " ") && (after == "" || strings.ContainsAny(after[:1], ",;:.) ")) {
			return true
		}
		rest = after
	}
}
