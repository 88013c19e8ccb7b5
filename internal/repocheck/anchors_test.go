package repocheck

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s:]*?)(#[^)\s]*)?\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} (.*)$`)
)

// anchor is what GitHub makes of a heading: small letters, digits, hyphens and underscores, and a
// hyphen for each space.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

// A link within the documents leads to a page that is there, and to a heading of it.
func TestLinksLeadSomewhere(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"))
	read := func(page string) string {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	anchored := 0
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(read(page), -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, m[1])
				continue
			}
			if m[2] == "" {
				continue
			}
			anchored++
			found := false
			for _, h := range heading.FindAllStringSubmatch(read(to), -1) {
				found = found || "#"+anchor(h[1]) == m[2]
			}
			if !found {
				t.Errorf("%s leads to %s%s, and no heading is called so", page, m[1], m[2])
			}
		}
	}
	if anchored < 5 {
		t.Errorf("only %d links to headings were found", anchored)
	}
}
