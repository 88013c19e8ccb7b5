package repocheck

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// citations reads the two pages of the requirements.
func citations(t *testing.T, root string) *Citations {
	t.Helper()
	var texts [2]string
	for i, name := range []string{"README.md", "catalogue.md"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", "requirements", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	c := ReadCitations(texts[0], texts[1])
	if len(c.pages) != 22 || len(c.own) < 850 {
		t.Fatalf("%d areas with pages and %d rows: the tables are not read", len(c.pages), len(c.own))
	}
	return c
}

func TestRowsNameTheirPages(t *testing.T) {
	root, files := tree(t)
	c := citations(t, root)
	for _, f := range files {
		for _, row := range c.Lacking(f) {
			t.Error(row + ": name the page of the specification beside it; docs/requirements/README.md has them")
		}
	}
}

func TestRowsWithoutAPageAreSeen(t *testing.T) {
	root, _ := tree(t)
	c := citations(t, root)
	for comment, want := range map[string][]string{
		"a cancel is sent once (CXL-05)":                                                       {"CXL-05"},
		"a cancel is sent once (CXL-05; basic/utilities/cancellation)":                         nil,
		"a cancel is sent once (CXL-05; 2025-11-25, basic/utilities/cancellation)":             nil,
		"a cancel is sent once (CXL-05; basic/patterns/progress)":                              {"CXL-05"},
		"two areas (CXL-05, TSK-10; basic/utilities/cancellation)":                             {"TSK-10"},
		"two areas (CXL-05, TSK-10; basic/utilities/cancellation, basic/utilities/tasks)":      nil,
		"no page below it counts (BASE-02; basic/lifecycle)":                                   {"BASE-02"},
		"the page of all messages (BASE-02; basic)":                                            nil,
		"belay's own rows and those of seeds have none (CXL-29, SD0-08, SEC-19)":               nil,
		"the page stands before them, in basic/utilities/tasks, of the revision (TSK-01)":      nil,
		"a row that there is not (CXL-99), and one without brackets, CXL-05, are no citations": nil,
	} {
		if got := c.lackingIn(comment); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", comment, got, want)
		}
	}
}

func TestEveryPlaceOfACommentIsRead(t *testing.T) {
	root, _ := tree(t)
	c := citations(t, root)
	for name, source := range map[string]string{
		"above a declaration":        "package a\n\n// f is sent once (CXL-05).\nfunc f() {}\n",
		"behind a field":             "package a\n\ntype s struct {\n\tf int // sent once (CXL-05)\n}\n",
		"behind a constant":          "package a\n\nconst (\n\tf = 1 // sent once (CXL-05)\n)\n",
		"behind a statement":         "package a\n\nfunc f() {\n\tf() // sent once (CXL-05)\n}\n",
		"above a statement":          "package a\n\nfunc f() {\n\t// It is sent once (CXL-05).\n\tf()\n}\n",
		"the page is in another one": "package a\n\n// basic/utilities/cancellation has the rule.\ntype s struct {\n\tf int // sent once (CXL-05)\n}\n",
	} {
		f, err := Parse("a.go", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		if found := c.Lacking(f); len(found) != 1 {
			t.Errorf("%s: %q", name, found)
		}
	}
}
